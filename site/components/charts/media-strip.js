// One row per medium: an open symbol for each drive at queue depth 1, a filled one at its highest rate, on a log axis of IOPS.
import {iops, tick} from "../format.js";
import {drawn, linked, status, written} from "../marks.js";
import {byMedium, medium, mediumName} from "../media.js";
import {span} from "../prose.js";
import {logScale} from "./draw.js";
import {drives} from "./ladder.js";
import {rowChart} from "./rows.js";

// The two values of a drive, each with the names of its columns.
const ENDS = {
  low: {value: "operations_per_second", kind: "value_kind", letter: "p", id: "point_id", words: "point.depth_1", its: (d) => status({...d, is_peak_at_edge: false})},
  high: {value: "peak_value", kind: "peak_kind", letter: "k", id: "peak_id", words: "point.peak", its: (d) => status({value_kind: d.peak_kind, reservations: d.peak_reservations, exclusions: d.peak_exclusions})}
};

export function mediaStrip(rows, {width, t, number}) {
  const list = drives(rows).filter((d) => d.origin === "measured" && d.media_class !== "other" && d.media_class !== "virtual").toSorted(byMedium).reverse();
  const values = list.flatMap((d) => [d.operations_per_second, d.peak_value]).filter((value) => value > 0);
  if (!values.length) return null;
  // a drive behind USB, and a doubtful printed figure, have a grey symbol and are in no range
  const isApart = (d, {kind}) => d.interface_protocol === "USB" || d[kind] === "approximate";
  const symbol = (d, end, {x, y}) => {
    const [at, its] = [x(d[end.value]), end.its(d)];
    return linked({
      href: d[end.id] ? number(end.letter, d[end.id]) : null, x: at, y, width: 14, height: 16,
      lines: [d.short_name ?? d.device, `${t(end.words)}${t("limit.colon")}${written(iops(d[end.value]), its)} IOPS`]
    }, drawn({x: at, y, media_class: d.media_class, area: 46, hollow: end === ENDS.low || its.struck, struck: its.struck, color: isApart(d, end) ? "var(--line-strong)" : undefined}));
  };
  return rowChart({
    width, label: t("strip.label"), columns: [{label: t("strip.depth_1"), isStrong: true}, {label: t("strip.highest")}],
    axes: [{scale: (range) => logScale(values, range, {below: 1.3}), words: tick, title: t("strip.axis")}],
    groups: [{rows: Array.from(Map.groupBy(list, (d) => d.media_class), ([id, its]) => {
      const [low, high] = Object.values(ENDS).map((end) => ({end, of: its.filter((d) => d[end.value] > 0)}));
      const texts = [low, high].map(({end, of}) => { const told = of.filter((d) => !isApart(d, end)).map((d) => d[end.value]); return told.length ? span(told, (value) => iops(value), t) : "–"; });
      return {
        name: mediumName(id, t), isStrong: true, color: medium(id).color, note: t("strip.counts", {low: low.of.length, high: high.of.length}), texts, height: 42,
        marks: (y, [x]) => [low, high].flatMap(({end, of}, i) => of.map((d) => symbol(d, end, {x, y: y + (i ? 8 : -8)})))
      };
    })}]
  });
}
