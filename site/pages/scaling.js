/*---
words: scaling
nav: {section: compare, order: 150, name: nav.scaling}
queries: [scaling]
keywords: scaling factor raid0 raid1 independent drives efficiency array
---*/
import {scaleLog} from "d3";
import {html, svg} from "htl";
import {axisBelow, axisLeft, cutText, isNarrow, line, path, round, surface, text, widthOf} from "../components/charts/draw.js";
import {factorCaveats} from "../components/conditions.js";
import {figure, further, heading} from "../components/figure.js";
import {quotient, sentences, span} from "../components/format.js";
import {byLoad, loadParts, loadText} from "../components/loads.js";
import {drawSymbol, linkMark, medium} from "../components/marks.js";
import {codeWords, rate} from "../components/records.js";
import {cells} from "../components/table.js";

export default async function page({rows, t, state, link, number}) {
  const all = await rows("scaling");
  const devices = [...new Set(all.map((row) => row.device))];
  const device = state.choice("of", devices, "");
  const shown = device ? all.filter((row) => row.device === device).toSorted(byLoad) : devices.flatMap((name) => oneLoad(all.filter((row) => row.device === name)));
  return html`<div class="answers">
    ${heading({question: t("q.scaling"), answer: scalingFinding(shown, {t}), sub: scalingAnswer(shown, {t})})}
    ${all.length ? figure({
      id: "scaling", question: t("scaling.question"), load: t("scaling.load"), note: t("scaling.note"), query: "scaling", t, state, link,
      controls: state.select({name: "of", label: t("column.device"), options: [{value: "", label: t("scaling.all_devices")}, ...devices.map((value) => ({value, label: value}))], fallback: ""}),
      rows: shown, columns: scalingColumns({t, number, link}), draw: (width) => scaling(shown, {width, t, number})
    }) : html`<p class="note">${t("scaling.answer.none")}</p>`}
    ${further(["scaling-loads"], {t, link})}
  </div>`;
}

const oneLoad = (rows) => panelsOf(rows.toSorted(byLoad)).toSorted((a, b) => b.length - a.length)[0];

const dashes = {raid0: "6 3", raid1: "2 3", raid10: "8 3 2 3"};

// Topologies count on a mirror's ideal only where it is known; n times for drives that can all be busy.
const idealOf = (row) => row.ideal_ratio ?? (["independent", "raid0"].includes(row.topology) ? row.drive_count : null);
const isHollow = (row) => row.reasons?.includes("approximate figures");
const engineOf = ({engine}) => engine === "spdk" ? "SPDK" : engine;
const topologyOf = ({topology}, t) => codeWords("topology", topology, t);

const panelsOf = (rows) => Array.from(Map.groupBy(rows, (row) => `${row.load_profile}\n${row.device_id ?? row.device}`).values());

export function scaling(rows, {width, t, number}) {
  const narrow = isNarrow(width);
  const panels = panelsOf(rows);
  const columns = narrow ? 1 : Math.min(3, panels.length);
  const each = narrow ? width : 380;
  const tall = narrow ? 262 : 352;
  const most = Math.max(2, ...rows.flatMap((row) => [row.drive_count, row.factor_ratio, idealOf(row) ?? 1]));
  const least = Math.min(1, ...rows.map((row) => row.factor_ratio));
  return surface({width, height: Math.ceil(panels.length / columns) * (tall + 26), label: t("scaling.label", {count: rows.length})},
    panels.map((panel, i) => svg`<g transform=${`translate(${narrow ? 0 : (i % columns) * 405},${Math.floor(i / columns) * (tall + 26)})`}>${drawPanel(panel, {each, tall, most, least, narrow, isFirst: i === 0, t, number}).flat(Infinity).filter(Boolean)}</g>`));
}

function drawPanel(panel, {each, tall, most, least, narrow, isFirst, t, number}) {
  const {name, definition} = loadParts(panel[0].load_profile, t);
  const [left, top, bottom] = [34, 62, tall - 46];
  const x = scaleLog([0.9, most * 1.15], [left, each - (narrow ? 18 : 30)]).base(2);
  const y = scaleLog([Math.min(0.8, least * 0.72), most * 1.06], [bottom, top]).base(2);
  const ticks = [1, 2, 4, 8, 16, 32].filter((n) => n <= most * 1.1);
  const engines = new Set(panel.map((row) => row.engine)).size;
  const series = Array.from(Map.groupBy(panel, (row) => `${row.topology} ${row.engine ?? ""}`).values(), (of) => of.toSorted((a, b) => a.drive_count - b.drive_count));
  const at = (row) => [x(row.drive_count) + ({raid0: -4, raid1: 4}[row.topology] ?? 0), y(row.factor_ratio)];
  const labels = [];
  return [
    text(cutText(name ?? definition, each, 14), {x: 0, y: 14, size: 14, weight: 640}),
    text(cutText([name ? definition : null, panel[0].device].filter(Boolean).join(" · "), each, 12.5), {x: 0, y: 31, size: 12.5, fill: "var(--ink-3)"}),
    text(t("axis.factor"), {x: left, y: 52, size: 12, weight: 600, fill: "var(--ink-2)"}),
    axisLeft(y, {left, right: each - 10, words: String, ticks}), axisBelow(x, {top: bottom, bottom, words: String, ticks, title: t("axis.drives")}),
    line(x(1), y(1), x(most), y(most), {stroke: "var(--ink-3)", dash: "3 3"}),
    narrow || !isFirst ? null : text(t("scale.ideal"), {x: (x(1) + x(2)) / 2, y: (y(1) + y(2)) / 2 - 6, size: 11.5, fill: "var(--ink-3)", halo: true, rotate: (Math.atan2(y(2) - y(1), x(2) - x(1)) * 180) / Math.PI, anchor: "middle"}),
    svg`<circle cx=${round(x(1))} cy=${round(y(1))} r="4" fill="var(--ink-3)" />`,
    text(t("scale.one_drive"), {x: x(1) - 2, y: y(1) + 17, size: 11.5, fill: "var(--ink-3)", halo: true}),
    series.map((of) => svg`<path d=${path(of.map(at))} fill="none" stroke=${medium(of[0].media_class).color} stroke-width="1.5" stroke-opacity="0.6" stroke-dasharray=${dashes[of[0].topology]} />`),
    series.flatMap((of) => of.filter((row) => idealOf(row) != null && (of.length < 3 || row === of.at(-1)))).map((row) => {
      const {color} = medium(row.media_class);
      const [[px, py], ideal] = [at(row), y(idealOf(row))];
      return [line(px, py, px, ideal, {stroke: color, width: 1.25, opacity: 0.55}), idealOf(row) === row.drive_count ? null : line(px - 9, ideal, px + 9, ideal, {stroke: color, width: 2})];
    }),
    series.flatMap((of) => of.map((row) => {
      const [px, py] = at(row);
      const said = `${engines > 1 && row.engine ? engineOf(row) : topologyOf(row, t)} ${quotient(row.factor_ratio)}`;
      const lines = [said, loadText(row.load_profile, t), t("scaling.tip", {drives: String(row.drive_count), device: row.device ?? "", array: rate(row.metric, row.array_value, t), one: rate(row.metric, row.base_value, t)}), isHollow(row) ? t("mark.approximate") : null, t("mark.open_number")];
      return linkMark({href: number("s", row.scaling_id), lines, x: px, y: py}, [
        drawSymbol({x: px, y: py, media_class: row.media_class, area: 84, hollow: isHollow(row)}),
        ...row === of.at(-1) ? [text(said, {...beside(px, py, widthOf(said, 12.5) * 1.06, each, labels, of.length > 2), size: 12.5, weight: 600, fill: medium(row.media_class).color, halo: true})] : []
      ]);
    }))
  ];
}

function beside(px, py, wide, each, taken, below) {
  const isRight = !below && px + 12 + wide <= each + 8;
  const x = below ? px + 8 : isRight ? px + 12 : px - 12;
  const span = isRight ? [x, x + wide] : [x - wide, x];
  const isFree = (y) => taken.every((other) => Math.abs(other.y - y) >= 15 || other.span[1] < span[0] || other.span[0] > span[1]);
  const y = py + (below ? 22 : 4);
  const place = below ? y : [0, 16, -16, 32, -32].map((shift) => y + shift).find(isFree) ?? y;
  taken.push({y: place, span});
  return {x, y: place, anchor: isRight ? "start" : "end"};
}

export function scalingFinding(rows, {t}) {
  const withFactor = rows.filter((row) => row.factor_ratio > 0);
  if (!withFactor.length) return t("scaling.answer.none");
  const counts = (of) => new Set(of.map((row) => row.drive_count)).size;
  const its = panelsOf(withFactor).toSorted((a, b) => counts(b) - counts(a))[0];
  const usual = [2, 4, 8].filter((n) => its.some((row) => row.drive_count === n));
  const list = (usual.length ? usual : [its[0].drive_count]).flatMap((drives, i) => {
    const ratios = its.filter((row) => row.drive_count === drives).map((row) => row.factor_ratio);
    return [...i ? [t("list.comma")] : [], ...t.rich("scaling.finding_item", {drives, factor: html`<b class="key">${span(ratios, quotient, t)}</b>`})];
  });
  return t.rich("scaling.finding", {list, device: its[0].device ?? "", load: loadText(its[0].load_profile, t)});
}

export function scalingAnswer(rows, {t}) {
  const withFactor = rows.filter((row) => idealOf(row) != null && row.factor_ratio != null);
  if (!withFactor.length) return [t("scaling.answer.none")];
  const share = (row) => row.factor_ratio / idealOf(row);
  const words = (row) => t("scaling.array", {drives: String(row.drive_count), device: row.device ?? "", topology: [topologyOf(row, t), engineOf(row)].filter(Boolean).join(t("list.comma")), load: loadText(row.load_profile, t)});
  const [best, worst] = [-1, 1].map((sign) => withFactor.toSorted((a, b) => sign * (share(a) - share(b)) || b.drive_count - a.drive_count)[0]);
  const good = withFactor.filter((row) => share(row) >= 0.9).length;
  const parts = [t.rich("scaling.answer.reach", {count: good, total: withFactor.length})];
  if (good < withFactor.length) parts.push(t.rich(worst.factor_ratio < 1.1 ? "scaling.answer.no_more" : "scaling.answer.least", {array: words(worst), factor: quotient(worst.factor_ratio), ideal: quotient(idealOf(worst))}));
  if (best !== worst && good) parts.push(t.rich("scaling.answer.best", {array: words(best), factor: quotient(best.factor_ratio)}));
  return sentences(parts, t);
}

const scalingColumns = (page) => {
  const {t} = page, {text, num, ...c} = cells(page);
  return [
    c.load({head: true}), num("drives", t("axis.drives"), "drive_count", (value, row) => html`${value}<small>${row.device ?? ""}</small>`),
    text("topology", t("scaling.column.topology"), "topology", {value: (row) => html`${topologyOf(row, t)}${row.engine ? html`<small>${engineOf(row)}</small>` : null}`}),
    num("factor", t("axis.factor"), "factor_ratio", quotient, {at: ["s", "scaling_id"]}), c.interval("factor_ratio_low", "factor_ratio_high", quotient, {label: t("scaling.column.interval")}), num("ideal", t("scaling.column.ideal"), idealOf, quotient),
    {id: "stated", label: t("scaling.column.stated"), value: (row) => row.stated_factor_text ?? null}, num("array", t("scaling.column.array"), "array_value", (value, row) => rate(row.metric, value, t)), num("one", t("scale.one_drive"), "base_value", (value, row) => rate(row.metric, value, t)),
    {id: "depth", label: t("column.depth"), value: (row) => row.queue_depth == null ? t("point.peak") : t("scaling.depths", {array: String(row.queue_depth), one: String(row.base_queue_depth ?? row.queue_depth)})},
    {id: "conditions", label: t("column.conditions"), value: (row) => factorCaveats(row, t)}, c.submission({hash: "array_configuration_id", name: (row) => row.title ?? row.submission_id})
  ];
};
