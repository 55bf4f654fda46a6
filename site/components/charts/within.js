// Step curves: the highest rate measured within each latency, both on log axes; the corner that was asked for is shaded.
import {svg} from "htl";
import {iops, latency, latencyTick, tick} from "../format.js";
import {drawn, linked, medium} from "../marks.js";
import {axisBelow, axisLeft, isNarrow, line, logScale, path, round, surface, text} from "./draw.js";

// Which drives reach a rate within a latency, by the mean, p99 or p99.9.
export const STATISTICS = [{id: "mean", column: "latency_mean_seconds"}, {id: "p99", name: "p99", column: "p99_seconds"}, {id: "p999", name: "p99.9", column: "p999_seconds"}];

// "50k", "1.5 M" -> a number; with a unit "1ms", "200us" -> seconds; null where it is no amount above zero.
const SIZES = {"": 1, k: 1e3, m: 1e6, g: 1e9}, PARTS = {s: 1, ms: 1e3, us: 1e6, "µs": 1e6};
export function amountOf(text, unit = null) {
  const [, digits, suffix] = /^\s*(\d+(?:[.,]\d+)?)\s*([a-zµ]*)\s*$/.exec(String(text).toLowerCase().replace("μ", "µ")) ?? [];
  const size = (unit ? PARTS : SIZES)[suffix ?? ""];
  const amount = digits == null || size == null ? null : unit ? Number(digits.replace(",", ".")) / size : Number(digits.replace(",", ".")) * size;
  return amount > 0 ? amount : null;
}

// A row per drive: the highest IOPS within the limit as `best`, and an answer; "unknown" if not reported, only at depth 1, or host-limited below.
export function answersWithin(points, {rate, limit, by}) {
  const {column} = STATISTICS.find(({id}) => id === by);
  const order = {yes: 0, unknown: 1, no: 2};
  return Array.from(Map.groupBy(points, (row) => row.device_id).values(), (of) => {
    const told = of.filter((row) => row[column] != null);
    const inside = told.filter((row) => row[column] <= limit);
    const best = inside.reduce((most, row) => most == null || row.operations_per_second > most.operations_per_second ? row : most, null);
    const why = !told.length ? "statistic" : of.every((row) => row.queue_depth === 1) ? "depth" : best?.is_bound ? "bound" : null;
    const {device_id, short_name, media_class, interface_protocol} = of[0];
    return {device_id, short_name, media_class, interface_protocol, best, why, answer: best?.operations_per_second >= rate ? "yes" : why && (best || why === "statistic") ? "unknown" : "no"};
  }).sort((a, b) => order[a.answer] - order[b.answer] || (b.best?.operations_per_second ?? 0) - (a.best?.operations_per_second ?? 0) || (a.device_id < b.device_id ? -1 : 1));
}

export function stepCurves(points, {width, t, number, rate, limit, by, found}) {
  const {column, name} = STATISTICS.find(({id}) => id === by);
  const narrow = isNarrow(width);
  const told = points.filter((row) => row[column] != null);
  if (!told.length) return svg`<svg class="chart" width="0" height="0"></svg>`;
  const [left, right, top, bottom] = narrow ? [44, width - 10, 12, 300] : [64, width - 190, 16, 440];
  const x = logScale([limit, ...told.map((row) => row[column])], [left, right], {below: 1.3});
  const y = logScale([rate, ...told.map((row) => row.operations_per_second)], [bottom, top], {below: 1.5, above: 1.3});
  const taken = [];
  const curves = found.map(({device_id, answer, short_name, media_class}) => {
    const steps = [];
    for (const row of told.filter((each) => each.device_id === device_id).toSorted((a, b) => a[column] - b[column] || a.operations_per_second - b.operations_per_second)) if (!steps.length || row.operations_per_second > steps.at(-1).operations_per_second) steps.push(row);
    if (!steps.length) return null;
    const isYes = answer === "yes";
    const color = isYes ? medium(media_class).color : "var(--ink-3)";
    const at = (row) => [x(row[column]), y(row.operations_per_second)];
    const best = steps.filter((row) => row[column] <= limit).at(-1);
    const end = y(steps.at(-1).operations_per_second);
    const isNamed = !narrow && isYes && taken.length < NAMED && taken.every((other) => Math.abs(other - end) >= 14);
    if (isNamed) taken.push(end);
    return [
      svg`<path d=${`${path(steps.map(at), true)}H${right}`} fill="none" stroke=${color} stroke-width=${isYes ? 1.75 : 1} stroke-opacity=${isYes ? 0.8 : 0.5} />`,
      isNamed ? text(short_name, {x: right + 8, y: end + 4, size: 12, fill: color}) : null,
      best ? linked({href: number("p", best.point_id), x: at(best)[0], y: at(best)[1], width: 16, height: 16, lines: [short_name, `${best.is_bound ? "≥ " : ""}${iops(best.operations_per_second)} IOPS, ${latency(best[column])}`]}, drawn({x: at(best)[0], y: at(best)[1], media_class, area: 44, color})) : null
    ];
  });
  const dashed = {stroke: "var(--accent)", width: 1.25, dash: "4 3"};
  return surface({width, height: bottom + 46, label: t("within.label")},
    svg`<rect x=${left} y=${top} width=${Math.max(0, round(x(limit) - left))} height=${Math.max(0, round(y(rate) - top))} fill="var(--accent-soft)" />`,
    axisBelow(x, {top, bottom, words: latencyTick, title: t("within.axis", {statistic: name ?? t("within.mean")})}), axisLeft(y, {left, right, words: tick}),
    line(x(limit), top, x(limit), bottom, dashed), line(left, y(rate), right, y(rate), dashed),
    curves);
}
const NAMED = 14;
