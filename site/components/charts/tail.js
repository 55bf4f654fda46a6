// How long the slowest wait: the share of operations that take longer than a latency, both axes logarithmic. A tool's
// percentiles are symbols joined by steps, as nothing between them is known; bins are steps from edge to edge.
import {html, svg} from "htl";
import {scaleLog} from "d3";
import {latency, latencyTick, oneIn, percent} from "../format.js";
import {loadText} from "../loads.js";
import {drawn, linked, reasons} from "../marks.js";
import {byMedium, media, medium, mediumName} from "../media.js";
import {line, logTicks, round, surface, text, widthOf} from "./draw.js";
import {cut, sentences} from "./plane.js";

const ASKED = 0.999;

const slower = (row) => 1 - row.percentile_ratio;
const seriesOf = (rows) => Array.from(Map.groupBy(rows, (row) => `${row.device_id} ${row.point_id}`).values(), (of) => of.toSorted((a, b) => a.percentile_ratio - b.percentile_ratio)).toSorted((a, b) => byMedium(a[0], b[0]) || a[0].device.localeCompare(b[0].device));

// Of more drives of one medium than this only the one with the shortest and the one with the longest tail are in colour.
const MOST = 2;
const slowest = (of) => Math.max(...of.filter((row) => row.percentile_ratio <= 0.99).map((row) => row.latency_seconds));

const named = (row) => row.is_press ? `${row.device} †` : row.device;
const kindOf = (row) => `${row.media_class} ${Boolean(row.is_press)}`;
const addressOf = (row, {number, link}) => row.is_press ? link("source", {search: row.source}) : number("p", row.point_id);

// One half: from percentiles, a curve per drive; what a magazine printed is dotted, hollow and always named.
export function percentiles(rows, {width, t, number, link}) {
  const series = seriesOf(rows);
  const frame = frameOf(rows.map((row) => row.latency_seconds), rows.map(slower), width, t);
  const {x, y} = frame;
  const labels = [];
  const ofKind = Map.groupBy(series, ([first]) => kindOf(first));
  const curves = series.map((of) => {
    const [{media_class: id, is_press: isPress}] = of;
    const device = named(of[0]);
    const same = ofKind.get(kindOf(of[0])).toSorted((a, b) => slowest(a) - slowest(b));
    // on a phone there is room for one name of a medium, that of the longest tail; the others are in the table and its tips
    const isNamed = frame.narrow ? !isPress && of === same.at(-1) : isPress || same.length <= MOST || of === same[0] || of === same.at(-1);
    const color = isNamed ? medium(id).color : "var(--line-strong)";
    const dash = isPress ? "1 4" : [null, "6 3", "2 3"][(isNamed && same.length > MOST ? [same[0], same.at(-1)] : same).indexOf(of)] ?? null;
    const path = of.map((row, i) => i ? isPress ? `L${round(x(row.latency_seconds))},${round(y(slower(row)))}` : `H${round(x(row.latency_seconds))}V${round(y(slower(row)))}` : `M${round(x(row.latency_seconds))},${round(y(slower(row)))}`).join("");
    const last = of.at(-1);
    const place = isNamed && label({x: x(last.latency_seconds), y: y(slower(last))}, of[0], labels, frame);
    const nodes = [
      svg`<path d=${path} fill="none" stroke=${color} stroke-width=${isNamed ? 1.75 : 1.25} stroke-dasharray=${dash} />`,
      of.filter((row) => [0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999].includes(row.percentile_ratio) || row === last).map((row) => {
        const at = {x: x(row.latency_seconds), y: y(slower(row))};
        return linked({href: addressOf(row, {number, link}), lines: [device, t("tail.tip", {share: oneIn(slower(row), t), latency: latency(row.latency_seconds)}), t(isPress ? "mark.press" : "tail.kind_completion"), reasons(row, t), t("mark.open_number")], ...at, width: 16, height: 16}, drawn({...at, media_class: id, area: isNamed ? 40 : 24, color, hollow: Boolean(isPress)}));
      }),
      place ? text(place.words, {x: place.x, y: place.y, anchor: place.anchor, size: 12.5, weight: 600, fill: color, halo: true}) : null
    ];
    return {isNamed, nodes};
  });
  return surface({width, height: frame.height, label: t("tail.label", {count: series.length})}, ...[axes(frame, t), curves.toSorted((a, b) => a.isNamed - b.isNamed).map(({nodes}) => nodes)].flat(Infinity).filter(Boolean));
}

// The other half: whole curves from bins, one per run, dashed by depth.
export function bins(all, {width, t, number}) {
  const rows = all.filter((row) => row.share_slower < 0.995);
  const frame = frameOf(rows.map((row) => row.latency_seconds), rows.map((row) => row.share_slower), width, t);
  const {x, y} = frame;
  const runs = Array.from(Map.groupBy(rows, (row) => row.result_id).values());
  const depths = [...new Set(rows.map((row) => row.queue_depth))].toSorted((a, b) => a - b);
  const dashes = [null, "6 4", "2 3"];
  const color = "var(--m-virtual)";
  const curves = runs.map((of) => {
    const [{queue_depth: depth, repetition_index: run, result_id: id}] = of;
    const path = of.map((row, i) => i ? `H${round(x(row.latency_seconds))}V${round(y(row.share_slower))}` : `M${round(x(row.latency_seconds))},${round(y(1))}V${round(y(row.share_slower))}`).join("");
    const middle = of[Math.floor(of.length / 2)];
    return linked({href: number("r", id), lines: [t("compare.basis.depth", {n: String(depth)}), run == null ? null : t("tail.run", {n: String(run)}), t("mark.open_number")], x: x(middle.latency_seconds), y: y(middle.share_slower)}, svg`<path d=${path} fill="none" stroke=${color} stroke-width="1.5" stroke-dasharray=${dashes[depths.indexOf(depth) % dashes.length]} />`);
  });
  const names = depths.map((depth, i) => {
    const of = runs.find(([row]) => row.queue_depth === depth);
    // on a phone the number alone, above the starts, where the curves have not crossed yet; the sentence above names the depths
    if (frame.narrow) return text(String(depth), {x: x(of[0].latency_seconds), y: frame.top - 3, anchor: "middle", size: 12, weight: 600, fill: "var(--ink-2)", halo: true});
    const at = of.find((row) => row.share_slower <= 10 ** (-1.3 - 0.25 * i)) ?? of.at(-1);
    const words = t("compare.basis.depth", {n: String(depth)});
    const isLeft = x(at.latency_seconds) - widthOf(words, 12.5) - 12 > frame.left && i < 2;
    return text(words, {x: x(at.latency_seconds) + (isLeft ? -10 : 12), y: y(at.share_slower), anchor: isLeft ? "end" : "start", size: 12.5, weight: 600, fill: "var(--ink-2)", halo: true});
  });
  return surface({width, height: frame.height, label: t("tail.label_bins", {count: runs.length})}, ...[axes(frame, t), curves, names].flat(Infinity).filter(Boolean));
}

function frameOf(latencies, shares, width, t) {
  const narrow = width < 400;
  const known = latencies.filter((value) => value > 0);
  const least = Math.min(0.01, ...shares.filter((share) => share > 0));
  // as wide as the longest word of the axis
  const rarest = 10 ** Math.round(Math.log10(least));
  const words = Math.max(widthOf(oneIn(rarest, t), narrow ? 11.5 : 12.5), widthOf(quantile(rarest, t), 11.5));
  const [left, right, top, height] = [Math.max(narrow ? 66 : 76, words + 12), width - (narrow ? 14 : 26), 12, narrow ? 320 : 430];
  const [low, high] = known.length ? [Math.min(...known), Math.max(...known)] : [1e-5, 1e-2];
  return {
    left, right, top, height, narrow, bottom: height - 52, width,
    x: scaleLog([low / 1.25, Math.max(high * 1.5, low * 20)], [left, right]),
    y: scaleLog([1, least * (narrow ? 0.55 : 0.85)], [top, height - 52]) // room for the name of the last share beside the first tick
  };
}

// The percentile that a share is the rest of, as tools and data sheets call it: p99.9.
const quantile = (share, t) => t("tick.percentile", {n: String(Number((100 * (1 - share)).toPrecision(8)))});

function axes({x, y, left, right, top, bottom, narrow}, t) {
  const shares = logTicks(y.domain().toReversed());
  const all = logTicks(x.domain());
  const ticks = narrow && all.length > 4 ? all.filter((_, i) => i % 2 === 0) : all;
  return [
    shares.map((share) => [
      line(left, y(share), right, y(share)), text(oneIn(share, t), {x: left - 7, y: y(share) + 4, anchor: "end", size: narrow ? 11.5 : 12.5, fill: "var(--ink-2)"}),
      share < 1 ? text(quantile(share, t), {x: left - 7, y: y(share) + 18, anchor: "end", size: 11.5, fill: "var(--ink-3)", halo: true}) : null
    ]),
    ticks.map((value) => [line(x(value), top, x(value), bottom), text(latencyTick(value), {x: x(value), y: bottom + 18, anchor: "middle", size: 12.5, fill: "var(--ink-2)"})]),
    text(t("tail.axis"), {x: (left + right) / 2, y: bottom + 40, anchor: "middle", size: 12.5, weight: 600, fill: "var(--ink-2)"})
  ];
}

// The name at the end of a curve: right, left, or a line lower; cut where there is no place for all of it, and null where
// there is none at all.
const label = (end, row, taken, frame) => placed(end, row, taken, frame, 176) ?? (frame.narrow ? placed(end, row, taken, frame, 120) : null);

function placed(end, row, taken, {left, right, top, bottom}, most) {
  const shown = cut(row.device, most, 12.5) + (row.is_press ? " †" : "");
  const wide = widthOf(shown, 12.5) * 1.05;
  for (const shift of [4, 18, -10, 32, -24, 46, -38, 60]) {
    for (const side of [1, -1]) {
      const x = end.x + side * 9;
      const span = side > 0 ? [x, x + wide] : [x - wide, x];
      if (span[0] < left || span[1] > right + 22) continue;
      const y = end.y + shift;
      if (y < top + 8 || y > bottom - 3) continue;
      if (taken.some((other) => Math.abs(other.y - y) < 14 && other.span[0] < span[1] && span[0] < other.span[1])) continue;
      taken.push({y, span});
      return {x, y, anchor: side > 0 ? "start" : "end", words: shown};
    }
  }
  return null;
}

// What one operation in ten thousand waits, per medium that has a name; or the rarest share that three media have.
export function tailAnswer(all, {t}) {
  const rows = all.filter((row) => media.includes(row.media_class));
  if (!rows.length) return [t("tail.answer.none")];
  const mediaAt = (ratio) => new Set(rows.filter((row) => row.percentile_ratio === ratio).map((row) => row.media_class)).size;
  const enough = Math.min(3, new Set(rows.map((row) => row.media_class)).size);
  const ratio = [0.9999, 0.999, 0.99, 0.95, 0.9, 0.5].find((each) => mediaAt(each) >= enough);
  if (!ratio) return [t("tail.answer.none")];
  const at = rows.filter((row) => row.percentile_ratio === ratio);
  const share = t("tail.share", {share: oneIn(1 - ratio, t), percentile: quantile(1 - ratio, t)});
  const parts = Array.from(Map.groupBy(at.toSorted(byMedium), (row) => row.media_class).values(), (of) => {
    const sorted = of.toSorted((a, b) => a.latency_seconds - b.latency_seconds);
    const values = {medium: mediumName(of[0].media_class, t), low: printed(sorted[0]), high: printed(sorted.at(-1))};
    return t.rich(sorted.length > 1 ? "tail.answer.range" : "tail.answer.one", values);
  });
  return [t("tail.answer.head", {share}), ...sentences(parts, t), t("sentence.space"), ...beyond(rows, ratio, t), t("tail.answer.mean")];
}

// What buyers ask for is one in a thousand: where only some media have it, whose is not known.
function beyond(rows, ratio, t) {
  const of = (kept) => new Set(rows.filter(kept).map((row) => row.media_class));
  const known = of((row) => row.percentile_ratio === ASKED);
  const without = [...of(() => true)].filter((each) => !known.has(each)).toSorted((a, b) => byMedium({media_class: a}, {media_class: b}));
  if (ratio >= ASKED || !known.size || !without.length) return [];
  const share = t("tail.share", {share: oneIn(1 - ASKED, t), percentile: quantile(1 - ASKED, t)});
  return [t("tail.answer.unknown", {share, media: without.map((each) => mediumName(each, t)).join(t("list.comma"))}), t("sentence.space")];
}

// A value as it stands in the sentence, with the dagger of what a magazine printed.
const printed = (row) => `${latency(row.latency_seconds)}${row.is_press ? " †" : ""}`;

export const tailColumns = ({t, number, link}) => [
  {id: "device", label: t("column.device"), value: (row) => html`<a href=${link(`devices/${row.device_id}`)}>${named(row)}</a><small>${mediumName(row.media_class, t)}</small>`, sort: (row) => row.device, head: true},
  {id: "share", label: t("axis.share_slower"), value: (row) => slower(row) > 0.5 ? percent(slower(row)) : html`${oneIn(slower(row), t)}<small>${quantile(slower(row), t)}</small>`, sort: slower, num: true},
  {id: "latency", label: t("axis.latency_completion"), value: (row) => html`<a href=${addressOf(row, {number, link})}>${latency(row.latency_seconds)}</a>`, sort: (row) => row.latency_seconds, num: true},
  {id: "load", label: t("column.load"), value: (row) => html`${loadText(row.load_profile, t)}<small>${t("compare.basis.depth", {n: String(row.queue_depth)})}</small>`},
  {id: "runs", label: t("column.runs"), value: (row) => row.repetition_count == null ? null : String(row.repetition_count), sort: (row) => row.repetition_count, num: true},
  {id: "submission", label: t("column.submission"), value: (row) => html`<a href=${link(`submissions/${row.submission_id}`)}>${row.submission_id}</a>`, sort: (row) => row.submission_id}
];
