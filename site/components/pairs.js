import {resize} from "observablehq:stdlib";
import {html} from "npm:htl";
import {effects, seriesColor, seriesSymbol} from "./effects.js";
import {figure, legend} from "./figure.js";
import {exact, factor, iops} from "./format.js";
import {loadLabel, profileLabel} from "./media.js";
import {table} from "./table.js";

const isLow = (d) => /^queue_depth=[1-4]$/.test(d.basis);
const linked = (d, configuration, title, small) => html`<a href=${`./submissions/${d.submission_id}#${configuration}`}>${title}</a><small>${small}</small>`;

// What the symbols of a chart of effects mean, for the series that are in it.
export const effectLegend = (names) => legend([...names.map((name) => ({label: name, symbol: seriesSymbol[name], color: seriesColor[name]})),
  {label: "hollow: queue depth 1 to 4", symbol: "circle", color: "var(--ink-2)", hollow: true}]);

// Rows of a mart as the chart of effects wants them; `row` names what was changed.
export const measured = (data, row) => data.map((d) => ({...d, row: row(d), value: d.effect_ratio, series: d.access_pattern, hollow: isLow(d),
  words: `${row(d)}\n${profileLabel(d.load_profile ?? d.written_load_profile)}, ${loadLabel(d.basis)}: ${factor(d.effect_ratio)} times`}));
export const seriesOf = (data) => ["random", "sequential"].filter((name) => data.some((d) => d.series === name));

// Pairs of configurations that differ in one thing: chart and table of those with a number on both sides; below, those
// with a number on one side only, because that is what is left to measure. `from` and `to` name the sides of a row.
export function pairFigure(data, {title, axis, from, to, fromRate, toRate, row, more = [], note, query}) {
  const told = measured(data.filter((d) => d.effect_ratio != null), row);
  const untold = Array.from(Map.groupBy(data.filter((d) => d.effect_ratio == null), (d) => `${from(d).id} ${to(d).id}`).values());
  const sides = [{label: "From", value: (d) => linked(d, from(d).id, from(d).title, from(d).words), head: true}, {label: "To", value: (d) => linked(d, to(d).id, to(d).title, to(d).words)}];
  const unknown = {label: "Unknown on both sides", value: (d) => `${d.unknown_field_count} fields`, num: true};
  return html`<div>${told.length ? figure({
    title, legend: effectLegend(seriesOf(told)), chart: resize((width) => effects(told, {width, label: title, axis})), note, query,
    table: table(told, [
      ...sides, {label: "Load profile", value: (d) => html`${profileLabel(d.load_profile)}<small>${loadLabel(d.basis)}</small>`},
      {label: "IOPS from", value: (d) => iops(fromRate(d)), num: true}, {label: "IOPS to", value: (d) => iops(toRate(d)), num: true},
      {label: "Effect", value: (d) => html`<span title=${exact(d.effect_ratio)}>${factor(d.effect_ratio)}</span>`, num: true}, ...more, unknown
    ], {caption: "Pairs with a number on both sides", tall: true})
  }) : null}${untold.length ? figure({
    title: "Pairs with a number on one side only", query: told.length ? null : query,
    chart: table(untold, [
      ...sides.map((column) => ({...column, value: ([d]) => column.value(d)})),
      {label: "Numbers without a counterpart", value: (rows) => html`<small class="reasons">${[...new Set(rows.map((d) => profileLabel(d.load_profile)))].join(", ")}; ${rows.length} in all, on the side “${toRate(rows[0]) == null ? from(rows[0]).words : to(rows[0]).words}”</small>`},
      ...more.map((column) => ({...column, value: ([d]) => column.value(d)})), {...unknown, value: ([d]) => unknown.value(d)}
    ], {caption: "The other side was measured and not printed, or never measured; there is no effect to show"})
  }) : null}</div>`;
}
