// How long the slowest wait: the share of operations that take longer than a latency, both axes logarithmic. A tool's
// percentiles are symbols joined by steps, as nothing between them is known; bins are steps from edge to edge.
import {html, svg} from "htl";
import {scaleLog} from "d3";
import {latency, latencyTick, oneIn, percent} from "../format.js";
import {loadText} from "../loads.js";
import {drawn, linked, reasons} from "../marks.js";
import {byMedium, media, medium, mediumName} from "../media.js";
import {line, logTicks, round, surface, text, widthOf} from "./draw.js";
import {placer} from "./labels.js";
import {cut, sentences} from "./plane.js";

const ASKED = 0.999;

const slower = (row) => 1 - row.percentile_ratio;
const seriesOf = (rows) => Array.from(Map.groupBy(rows, (row) => `${row.device_id} ${row.point_id}`).values(), (of) => of.toSorted((a, b) => a.percentile_ratio - b.percentile_ratio)).toSorted((a, b) => byMedium(a[0], b[0]) || a[0].device.localeCompare(b[0].device));

// Of more drives of one medium than this only the one with the shortest and the one with the longest tail are in colour.
const MOST = 2;
const slowest = (of) => Math.max(...of.filter((row) => row.percentile_ratio <= 0.99).map((row) => row.latency_seconds));

// The size of a name, about how wide its bold letters are, and the weight of a symbol or name under it: it may cover a
// little of lines, or more where there is no better place, and never a symbol.
const [SIZE, BOLD, MARK] = [12.5, 13.2, 1000];
const COVERED = {little: 70, some: 170, lines: 900};

const named = (row) => row.is_press ? `${row.device} †` : row.device;
const kindOf = (row) => `${row.media_class} ${Boolean(row.is_press)}`;
const addressOf = (row, {number, link}) => row.is_press ? link("source", {search: row.source}) : number("p", row.point_id);

// One half: from percentiles, a curve per drive; what a magazine printed is dotted, hollow and always named.
export function percentiles(rows, {width, t, number, link}) {
  const series = seriesOf(rows);
  const frame = frameOf(rows.map((row) => row.latency_seconds), rows.map(slower), width, t);
  const {x, y} = frame;
  const labels = placer({left: frame.left, right: frame.edge, top: frame.top, bottom: frame.bottom - 2}, MARK);
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
    const marked = of.filter((row) => [0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999].includes(row.percentile_ratio) || row === of.at(-1)).map((row) => ({row, x: x(row.latency_seconds), y: y(slower(row))}));
    const corners = of.flatMap((row, i) => [...i && !isPress ? [[x(row.latency_seconds), y(slower(of[i - 1]))]] : [], [x(row.latency_seconds), y(slower(row))]]);
    corners.slice(1).forEach((corner, i) => labels.takeLine(corners[i], corner, isNamed ? 1.2 : 0.15));
    for (const at of marked) labels.take(at.x, at.y, isNamed ? 6 : 4.5, MARK);
    const nodes = [
      svg`<path d=${path} fill="none" stroke=${color} stroke-width=${isNamed ? 1.75 : 1.25} stroke-dasharray=${dash} />`,
      marked.map(({row, ...at}) => linked({href: addressOf(row, {number, link}), lines: [device, t("tail.tip", {share: oneIn(slower(row), t), latency: latency(row.latency_seconds)}), t(isPress ? "mark.press" : "tail.kind_completion"), reasons(row, t), t("mark.open_number")], ...at, width: 16, height: 16}, drawn({...at, media_class: id, area: isNamed ? 40 : 24, color, hollow: Boolean(isPress)})))
    ];
    return {isNamed, nodes, row: of[0], marked, color};
  });
  // names come last: every mark is known by then, and none lies over a name
  const names = curves.filter((curve) => curve.isNamed).map((curve) => ({...curve, name: nameOf(curve.row, curve.marked, labels, frame)}))
    .map(({name, color, marked}) => name && [name.way ? line(name.x, name.y - 4, marked.at(-1).x, marked.at(-1).y, {stroke: color, opacity: 0.6}) : null, text(name.words, {...name, size: SIZE, weight: 600, fill: color, halo: true})]);
  return surface({width, height: frame.height, label: t("tail.label", {count: series.length})}, ...[axes(frame, t), curves.toSorted((a, b) => a.isNamed - b.isNamed).map(({nodes}) => nodes), names].flat(Infinity).filter(Boolean));
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
  const labels = placer({left: frame.left, right: frame.edge, top: frame.top, bottom: frame.bottom - 2}, MARK);
  const corners = (of) => of.flatMap((row, i) => [[x(row.latency_seconds), y(i ? of[i - 1].share_slower : 1)], [x(row.latency_seconds), y(row.share_slower)]]);
  for (const of of runs) corners(of).forEach((corner, i, all) => i && labels.takeLine(all[i - 1], corner, 1.2));
  const names = depths.map((depth) => {
    const its = runs.filter(([row]) => row.queue_depth === depth);
    const style = {weight: 600, fill: "var(--ink-2)", halo: true};
    // on a phone the number alone, above the starts, where the curves have not crossed yet; the sentence above names the depths
    if (frame.narrow) return text(String(depth), {x: x(its[0][0].latency_seconds), y: frame.top - 3, anchor: "middle", size: 12, ...style});
    // beside the upper part of a curve, which those of another depth cross least
    const upper = its.flat().filter((row) => row.share_slower > 0.01).map((row) => ({x: x(row.latency_seconds), y: y(row.share_slower)}));
    const words = t("compare.basis.depth", {n: String(depth)});
    const place = labels.place(words, upper.flatMap((at) => [{x: at.x - 10, y: at.y + 4, anchor: "end"}, {x: at.x + 12, y: at.y - 4}]), BOLD, COVERED.lines);
    return place && text(words, {...place, size: SIZE, ...style});
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
    left, right, edge: right + (narrow ? 12 : 22), top, height, narrow, bottom: height - 52, width,
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

// Where the name of a curve may stand: beside its end, above or below that, and beside its other symbols from the last to the
// first.
function around(points, {edge}) {
  const [end, ...others] = points.toReversed();
  const beside = (at, shift, gap = 9) => [1, -1].map((side) => ({x: at.x + side * gap, y: at.y + shift, anchor: side > 0 ? "start" : "end"}));
  return [
    ...[4, 18, -10, 32, -24].flatMap((shift) => beside(end, shift)), ...[20, -12].map((shift) => ({x: end.x, y: end.y + shift, anchor: "middle"})),
    ...edge - end.x < 60 ? [20, -12].map((shift) => ({x: edge, y: end.y + shift, anchor: "end"})) : [],
    ...others.flatMap((at) => [4, 16, -8].flatMap((shift) => beside(at, shift)))
  ];
}

// Where it may stand farther off, led to the end of the curve by a line: the nearest first.
function apart(end, {left, bottom, top, width}) {
  const places = [];
  for (let y = top + 12; y < bottom - 4; y += 7) for (let x = left + 2; x < width; x += 8) for (const anchor of ["start", "end"]) places.push({x, y, anchor, way: Math.hypot(x - end.x, y - 4 - end.y)});
  return places.filter(({way, x, anchor}) => way > 14 && way < 110 && (anchor === "start") === x > end.x).toSorted((a, b) => a.way - b.way);
}

// The name of a curve where it covers no mark: beside the curve, else farther off with a line, else as much of it as has a
// place; null where not even its beginning has one.
function nameOf(row, points, labels, frame) {
  const [near, far] = [around(points, frame), apart(points.at(-1), frame)];
  for (const [most, places, covered] of [[Infinity, near, "little"], [Infinity, far, "little"], [Infinity, near, "some"], [120, near, "little"], [120, far, "little"], [84, [...near, ...far], "lines"]]) {
    const words = most === Infinity ? named(row) : cut(row.device, most, SIZE) + (row.is_press ? " †" : "");
    const place = labels.place(words, places, BOLD, COVERED[covered]);
    if (place) return {...place, words};
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
