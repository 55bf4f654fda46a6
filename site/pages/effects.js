/*---
words: effects
nav: {section: compare, order: 130, name: nav.effects}
queries: [effects-engines, effects-pairs]
parts: submissions
keywords: natural experiment effect write share block size settings frequency elasticity raid capacity
---*/
import {symbol, symbolCircle, symbolSquare} from "d3";
import {html, svg} from "htl";
import {line, logScale, round, rowChart} from "../components/charts/draw.js";
import {condition} from "../components/conditions.js";
import {figure, further} from "../components/figure.js";
import {blockSize, count, full, iops, percent, quotient} from "../components/format.js";
import {loadText} from "../components/loads.js";
import {linkMark} from "../components/marks.js";
import {codeWords, title} from "../components/records.js";

const SHOWN_ROWS = 24;
const field = (name, t) => title(condition(name, t));
const whole = (rate) => count(Math.round(rate));
const basisText = (basis, t) => basis === "peak" ? t("point.peak") : basis?.startsWith("queue_depth=") ? t("effects.depth", {n: basis.slice(12)}) : basis ?? "";
const isLow = (d) => /^queue_depth=[1-4]$/.test(d.basis);
const wording = {
  measurement_area_bytes: (value) => blockSize(+value.split("/")[0]), block_size_bytes: (value) => blockSize(+value), storage_topology: (value, t) => codeWords("topology", value, t),
  cpu_nominal_hertz: (value) => `${full(value / 1e9)} GHz`, read_ratio: (value, t) => t("effects.writes", {share: percent(1 - value)})
};

function pair(d, t) {
  const isSmaller = d.field_name === "block_size_bytes";
  const [from, to] = isSmaller ? ["b", "a"] : ["a", "b"];
  const words = (value) => wording[d.field_name]?.(value, t) ?? value;
  const turned = (ratio) => ratio != null && isSmaller ? 1 / ratio : ratio;
  return {
    ...d, from: words(d[`${from}_field`]), to: words(d[`${to}_field`]), rates: [d[`${from}_operations_per_second`], d[`${to}_operations_per_second`]],
    load: d[`${d.field_name === "read_ratio" ? "b" : "a"}_load_profile`], value: turned(d.effect_ratio), throughput: turned(d.throughput_ratio), series: isSmaller ? "operations" : d.access_pattern
  };
}

export default async function effectsPage(context) {
  const {parts, part, rows, t, state} = context;
  const [listed, engines] = await Promise.all([parts("effects"), rows("effects-engines")]);
  const chosen = state.choice("part", listed.map((d) => d.part), listed[0]?.part);
  const [found] = await part("effects", chosen, ["effects-pairs"]);
  const pairs = found.map((d) => pair(d, t));
  const causes = [...new Set(pairs.map((d) => d.field_name))];
  const cause = state.choice("cause", causes, causes[0]);
  const its = pairs.filter((d) => d.field_name === cause);
  const label = (name) => t.has(`effects.cause_${name}`) ? t(`effects.cause_${name}`) : field(name, t);
  return html`<div>
    <h1>${t("effects.title")}</h1>
    <p class="lede">${t("effects.lede")}</p><p class="note">${t("effects.compared")}</p>
    ${[...Map.groupBy(engines, (d) => [d.submission_id, d.device_id, d.load_profile].join(" ")).values()].map((its) => ofEngines(its, context))}
    <div class="controls">${listed.length > 1 ? state.select({name: "part", label: t("column.submission"), options: listed.map((d) => ({value: d.part, label: d.label})), fallback: listed[0].part}) : null}
    ${causes.length > 1 ? state.select({name: "cause", label: t("effects.cause"), options: causes.map((name) => ({value: name, label: `${label(name)} (${pairs.filter((d) => d.field_name === name).length})`})), fallback: causes[0]}) : null}</div>
    ${its.length ? drawCause(its, cause, label, context) : html`<p class="note">${t("effects.empty")}</p>`}
    ${further(["effects-stated-gains"], context)}
  </div>`;
}

function ofEngines(its, {t, link}) {
  const [fast, slow] = [its[0], its.at(-1)];
  return html`<section class="card" id="engines"><h2>${t("effects.engines")}</h2>
    <p class="answer">${t.rich("effects.engines_answer", {device: fast.short_name, load: loadText(fast.load_profile, t), fast: fast.engine_name, slow: slow.engine_name, high: whole(fast.operations_per_second), low: whole(slow.operations_per_second), count: its.length})}</p>
    <p class="small"><a href=${link("sql", {search: "?query=effects-engines"})}>${t("action.sql")}</a></p></section>`;
}

function drawCause(its, cause, label, context) {
  const {t, link} = context;
  const measured = its.filter((d) => d.value != null);
  const marks = measured.map((d) => ({
    row: `${d.from} → ${d.to}`, href: link(`submissions/${d.submission_id}`, {hash: d.b_configuration_id}), value: d.value, series: d.series, hollow: isLow(d),
    words: t("effects.point", {change: `${d.from} → ${d.to}`, load: loadText(d.load, t), at: basisText(d.basis, t), factor: quotient(d.value)})
  }));
  const rows = [...new Set(marks.map((d) => d.row))];
  const drawn = marks.filter((d) => rows.indexOf(d.row) < SHOWN_ROWS);
  const configuration = (d, id) => html`<a href=${link(`submissions/${d.submission_id}`, {hash: id})}>${id}</a>`;
  return figure({
    ...context, id: "effects", question: t("effects.question", {cause: label(cause)}), answer: effectsAnswer(marks, {t}), load: t("effects.load"),
    note: [t("effects.note"), rows.length > SHOWN_ROWS ? ` ${t("effects.more", {count: rows.length - SHOWN_ROWS})}` : "", cause === "block_size_bytes" ? ` ${t("effects.block_note")}` : ""],
    query: "effects-pairs", draw: (width) => marks.length ? effects(drawn, {width, t}) : html`<p class="note">${t("effects.none")}</p>`, rows: its, columns: [
      {label: t("effects.change"), value: (d) => `${d.from} → ${d.to}`, head: true},
      {label: t("effects.sides"), value: (d) => d.a_configuration_id === d.b_configuration_id ? configuration(d, d.a_configuration_id) : html`${configuration(d, d.a_configuration_id)} → ${configuration(d, d.b_configuration_id)}`},
      {label: t("column.load"), value: (d) => html`${loadText(d.load, t)}<small>${basisText(d.basis, t)}</small>`},
      {label: t("effects.rate_from"), value: (d) => iops(d.rates[0]), num: true}, {label: t("effects.rate_to"), value: (d) => iops(d.rates[1]), num: true},
      {label: t("effects.effect"), value: (d) => d.value == null ? t("effects.one_side") : quotient(d.value), sort: (d) => d.value, num: true},
      ...(its.some((d) => d.throughput != null) ? [{label: t("effects.throughput"), value: (d) => quotient(d.throughput), num: true}] : []),
      ...(its.some((d) => d.elasticity_ratio != null) ? [{label: t("effects.elasticity"), value: (d) => d.elasticity_ratio == null ? null : quotient(d.elasticity_ratio), num: true}] : []),
      ...(its.some((d) => d.changed_fields) ? [{label: t("effects.along"), value: (d) => d.changed_fields ? d.changed_fields.replaceAll("_", " ") : t("effects.nothing_else")}] : []),
      ...(its.some((d) => d.unknown_field_count != null) ? [{label: t("effects.unknown"), value: (d) => t("effects.fields", {count: d.unknown_field_count}), num: true}] : [])
    ]
  });
}

function effects(data, {width, t}) {
  return rowChart({
    width, label: t("effects.label", {count: data.length}), behind: ([x], top, bottom) => line(x(1), top, x(1), bottom, {stroke: "var(--ink-3)", width: 1.5}),
    axes: [{scale: (range) => logScale([0.8, 1.25, ...data.map((d) => d.value)], range), words: (tick) => t("tick.times", {n: String(tick)}), title: t("effects.axis")}],
    groups: [{rows: Array.from(Map.groupBy(data, (d) => d.row), ([name, its]) => ({name, marks: (y, [x]) => its.map((d) => mark(d, x(d.value), y))}))}]
  });
}

function mark(d, x, y) {
  const [color, shape] = d.series === "sequential" ? ["var(--m-ssd_sas)", symbolSquare] : ["var(--accent)", symbolCircle];
  return linkMark({href: d.href, lines: [d.words], x, y}, svg`<path transform=${`translate(${round(x)},${round(y)})`} d=${symbol(shape, 64)()} fill=${d.hollow ? "var(--surface)" : color} stroke=${color} stroke-width="1.75"/>`);
}

function effectsAnswer(data, {t}) {
  if (!data.length) return [t("effects.none")];
  const most = data.reduce((far, d) => Math.abs(Math.log(d.value)) > Math.abs(Math.log(far.value)) ? d : far);
  return [t("effects.answer", {count: data.length, faster: data.filter((d) => d.value > 1.05).length, slower: data.filter((d) => d.value < 1 / 1.05).length, most: quotient(most.value), row: most.row})];
}
