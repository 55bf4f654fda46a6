// The share of operations slower than a latency, both axes logarithmic. Percentiles are joined by steps; bins go from edge to edge.
import {html, svg} from "htl";
import {scaleLog} from "d3";
import {cells} from "../table.js";
import {latency, latencyTick, oneIn, percent} from "../format.js";
import {byMedium, drawn, linked, medium, mediumName, reasons} from "../marks.js";
import {axisBelow, axisLeft, cut, line, logScale, logTicks, path, surface, text, widthOf} from "./draw.js";

const slower = (row) => 1 - row.percentile_ratio;
const named = (row) => row.is_press ? `${row.device} †` : row.device;
const addressOf = (row, {number, link}) => row.is_press ? link("source", {search: row.source}) : number("p", row.point_id);
const MARKED = [0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999];
const DASHES = [null, "6 3", "2 3", "8 3 2 3"];

// One entry per drive with its rows by percentile, by medium and then the shortest p99 first.
export function tailSeries(rows) {
  const at = (of) => (of.findLast((row) => row.percentile_ratio <= 0.99) ?? of[0]).latency_seconds;
  return [...Map.groupBy(rows, (row) => row.device_id).values()].map((of) => of.toSorted((a, b) => a.percentile_ratio - b.percentile_ratio)).sort((a, b) => byMedium(a[0], b[0]) || at(a) - at(b));
}

// The drives that are drawn until a reader chooses others: of each medium the one with the shortest tail, at most `most`.
export const usualDrives = (rows, most = 4) => [...Map.groupBy(tailSeries(rows), ([row]) => row.media_class).values()].map(([[row]]) => row.device_id).slice(0, most);

// A curve per drive from its percentiles; what a magazine printed is dotted and hollow.
export function percentiles(rows, {width, t, number, link}) {
  const series = tailSeries(rows);
  const frame = frameOf(rows.map((row) => [row.latency_seconds, slower(row)]), width, t, series.length);
  const curves = series.map((of, i) => {
    const [{media_class: id, is_press: isPress}] = of;
    const color = medium(id).color;
    const dash = isPress ? "1 4" : DASHES[series.slice(0, i).filter(([row]) => row.media_class === id && !row.is_press).length % DASHES.length];
    const at = (row) => [frame.x(row.latency_seconds), frame.y(slower(row))];
    const symbol = (x, y, area) => drawn({x, y, media_class: id, area, hollow: Boolean(isPress)});
    return [
      svg`<path d=${path(of.map(at), !isPress)} fill="none" stroke=${color} stroke-width="1.75" stroke-dasharray=${dash} />`,
      of.filter((row) => MARKED.includes(row.percentile_ratio) || row === of.at(-1)).map((row) => {
        const [x, y] = at(row);
        return linked({href: addressOf(row, {number, link}), lines: [named(row), t("tail.tip", {share: oneIn(slower(row), t), latency: latency(row.latency_seconds)}), t(isPress ? "mark.press" : "tail.kind_completion"), reasons(row, t), t("mark.open_number")], x, y, width: 16, height: 16}, symbol(x, y, 40));
      }),
      legend(i, {words: named(of[0]), color, dash, symbol: symbol(frame.left + 14, frame.legend(i) - 4, 36)}, frame)
    ];
  });
  return surface({width, height: frame.height, label: t("tail.label", {count: series.length})}, axes(frame, t), curves);
}

// Whole curves from bins, one per run, dashed by depth.
export function bins(all, {width, t, number}) {
  const rows = all.filter((row) => row.share_slower < 0.995);
  const depths = [...new Set(rows.map((row) => row.queue_depth))].toSorted((a, b) => a - b);
  const frame = frameOf(rows.map((row) => [row.latency_seconds, row.share_slower]), width, t, depths.length);
  const {x, y} = frame;
  const runs = Array.from(Map.groupBy(rows, (row) => row.result_id).values());
  const color = "var(--m-virtual)";
  const dashOf = (depth) => DASHES[depths.indexOf(depth) % DASHES.length];
  const depthWords = (depth) => t("compare.basis.depth", {n: String(depth)});
  const curves = runs.map((of) => {
    const [{queue_depth: depth, repetition_index: run, result_id: id}] = of;
    const middle = of[Math.floor(of.length / 2)];
    const places = [[x(of[0].latency_seconds), y(1)], ...of.map((row) => [x(row.latency_seconds), y(row.share_slower)])];
    return linked({href: number("r", id), lines: [depthWords(depth), run == null ? null : t("tail.run", {n: String(run)}), t("mark.open_number")], x: x(middle.latency_seconds), y: y(middle.share_slower)}, svg`<path d=${path(places, true)} fill="none" stroke=${color} stroke-width="1.5" stroke-dasharray=${dashOf(depth)} />`);
  });
  return surface({width, height: frame.height, label: t("tail.label_bins", {count: runs.length})}, axes(frame, t), curves, depths.map((depth, i) => legend(i, {words: depthWords(depth), color, dash: dashOf(depth)}, frame)));
}

// A line of the legend above the curves: the stroke of a curve, its symbol, its name.
const legend = (i, {words, color, dash, symbol = null}, {left, legend: at, width}) => [line(left, at(i) - 4, left + 28, at(i) - 4, {stroke: color, width: 2, dash}), symbol, text(cut(words, width - left - 44, 12.5), {x: left + 36, y: at(i), size: 12.5, weight: 600, fill: color})];

function frameOf(places, width, t, named) {
  const narrow = width < 400;
  const least = Math.min(0.01, ...places.map(([, share]) => share).filter((share) => share > 0));
  // as wide as the longest word of the axis
  const rarest = 10 ** Math.round(Math.log10(least));
  const words = Math.max(widthOf(oneIn(rarest, t), 12.5), widthOf(quantile(rarest, t), 11.5));
  const top = 12 + named * 17;
  const [left, right, height] = [Math.max(narrow ? 66 : 76, words + 12), width - (narrow ? 14 : 26), top + (narrow ? 308 : 418)];
  return {
    left, right, top, height, bottom: height - 52, width, legend: (i) => 10 + i * 17, x: logScale(places.map(([value]) => value), [left, right], {below: 1.25, above: 1.5}),
    y: scaleLog([1, least * (narrow ? 0.55 : 0.85)], [top, height - 52]) // room for the name of the last share beside the first tick
  };
}

// The percentile that a share is the rest of, as tools and data sheets call it: p99.9.
const quantile = (share, t) => t("tick.percentile", {n: String(Number((100 * (1 - share)).toPrecision(8)))});

const axes = ({x, y, left, right, top, bottom}, t) => [
  axisLeft(y, {left, right, words: (share) => oneIn(share, t)}), axisBelow(x, {top, bottom, words: latencyTick, title: t("tail.axis")}),
  logTicks(y.domain().toReversed()).map((share) => share < 1 ? text(quantile(share, t), {x: left - 7, y: y(share) + 18, anchor: "end", size: 11.5, fill: "var(--ink-3)", halo: true}) : null)
];

export const tailColumns = (page) => {
  const {t} = page, {num, ...c} = cells(page);
  return [
    c.device({name: named, more: (row) => html`<small>${mediumName(row.media_class, t)}</small>`}), num("share", t("axis.share_slower"), slower, (share) => share > 0.5 ? percent(share) : html`${oneIn(share, t)}<small>${quantile(share, t)}</small>`),
    num("latency", t("axis.latency_completion"), "latency_seconds", (value, row) => html`<a href=${addressOf(row, page)}>${latency(value)}</a>`), c.load({small: (row) => t("compare.basis.depth", {n: String(row.queue_depth)}), sort: null}), c.runs(), c.submission({hash: null})
  ];
};
