// One row per medium: an open symbol for each drive at queue depth 1, a filled one at its highest rate, on a log axis of IOPS.
import {scaleLog} from "d3";
import {iops, tick} from "../format.js";
import {drawn, linked, status, written} from "../marks.js";
import {byMedium, medium, mediumName} from "../media.js";
import {axisBelow, isNarrow, surface, text} from "./draw.js";
import {drives} from "./ladder.js";

const ROW = 46;

export function mediaStrip(rows, {width, t, number}) {
  const list = drives(rows).filter((d) => d.origin === "measured" && d.media_class !== "other" && d.media_class !== "virtual");
  const ends = list.flatMap((d) => [d.operations_per_second, d.peak_value]).filter((value) => value > 0);
  if (!ends.length) return null;
  const narrow = isNarrow(width);
  const x = scaleLog([Math.min(...ends) / 1.3, Math.max(...ends) * 1.2], narrow ? [8, width - 8] : [230, 960]);
  const media = [...new Set(list.toSorted(byMedium).map((d) => d.media_class))].reverse();
  const top = narrow ? 8 : 24, row = narrow ? 66 : ROW;
  const bottom = top + media.length * row;
  // a drive behind USB, and a doubtful printed figure, have a grey symbol and are in no range
  const isApart = (d, kind) => d.interface_protocol === "USB" || d[kind] === "approximate";
  const range = (its, key, kind) => {
    const values = its.filter((d) => !isApart(d, kind)).map((d) => d[key]);
    const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => iops(value));
    return values.length ? low === high ? low : t("span", {from: low, to: high}) : "–";
  };
  const marks = media.flatMap((id, i) => {
    const its = list.filter((d) => d.media_class === id);
    const y = top + i * row + (narrow ? 20 : 6);
    const [low, high] = [its.filter((d) => d.operations_per_second > 0), its.filter((d) => d.peak_value > 0)];
    const symbol = (d, value, letter, key, its, at, hollow) => linked({
      href: d[key] ? number(letter, d[key]) : null, x: x(value), y: at, width: 14, height: 16,
      lines: [d.short_name ?? d.device, `${t(letter === "p" ? "point.depth_1" : "point.peak")}${t("limit.colon")}${written(iops(value), its)} IOPS`]
    }, drawn({x: x(value), y: at, media_class: id, area: 46, hollow: hollow || its.struck, struck: its.struck, bound: null, color: isApart(d, hollow ? "value_kind" : "peak_kind") ? "var(--line-strong)" : undefined}));
    return [
      text(mediumName(id, t), {x: narrow ? 8 : 28, y: y + (narrow ? -8 : 6), size: 14.5, weight: 640, fill: medium(id).color}),
      text(t("strip.counts", {low: low.length, high: high.length}), {x: narrow ? width - 8 : 28, y: y + (narrow ? -8 : 23), anchor: narrow ? "end" : "start", size: 12, fill: "var(--ink-3)"}),
      ...low.map((d) => symbol(d, d.operations_per_second, "p", "point_id", status({...d, is_peak_at_edge: false}), y + 4, true)),
      ...high.map((d) => symbol(d, d.peak_value, "k", "peak_id", status({value_kind: d.peak_kind, reservations: d.peak_reservations, exclusions: d.peak_exclusions}), y + 20, false)),
      ...narrow ? [text(`${range(low, "operations_per_second", "value_kind")} · ${range(high, "peak_value", "peak_kind")}`, {x: width - 8, y: y + 38, anchor: "end", size: 12, fill: "var(--ink-2)"})] : [
        text(range(low, "operations_per_second", "value_kind"), {x: 1180, y: y + 8, anchor: "end", size: 13.5, weight: 600}),
        text(range(high, "peak_value", "peak_kind"), {x: 1180, y: y + 25, anchor: "end", size: 13.5, fill: "var(--ink-2)"})
      ]
    ];
  });
  return surface({width, height: bottom + 40, label: t("strip.label")},
    axisBelow(x, {top: top - 8, bottom, words: tick, title: t("strip.axis")}),
    narrow ? [] : [text(t("strip.ends"), {x: 1180, y: 10, anchor: "end", size: 12.5, fill: "var(--ink-3)"})],
    marks);
}
