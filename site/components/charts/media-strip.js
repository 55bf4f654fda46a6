// One row per medium: an open symbol for each drive at queue depth 1, a filled one at its highest rate, on a log axis of IOPS.
import {iops, span, tick} from "../format.js";
import {byMedium, drawn, linked, medium, mediumName, status, written} from "../marks.js";
import {logScale, rowChart} from "./draw.js";
import {drives, endsOf} from "./ladder.js";

export function mediaStrip(rows, {width, t, number}) {
  const list = drives(rows).filter((d) => d.origin === "measured" && d.media_class !== "other" && d.media_class !== "virtual").toSorted(byMedium).reverse();
  const values = list.flatMap((d) => [d.operations_per_second, d.peak_value]).filter((value) => value > 0);
  if (!values.length) return null;
  // a drive behind USB, and a doubtful printed figure, have a grey symbol and are in no range
  const isApart = (end) => end.interface_protocol === "USB" || end.value_kind === "approximate";
  const symbol = (end, isLow, {x, y}) => {
    const [[letter, id], its, at] = [end.at, status(end), x(end.value)];
    return linked({
      href: id ? number(letter, id) : null, x: at, y, width: 14, height: 16, lines: [end.short_name ?? end.device, `${t(end.words)}${t("limit.colon")}${written(iops(end.value), its)} IOPS`]
    }, drawn({x: at, y, media_class: end.media_class, area: 46, hollow: isLow || its.struck, struck: its.struck, color: isApart(end) ? "var(--line-strong)" : undefined}));
  };
  return rowChart({
    width, label: t("strip.label"), columns: [{label: t("strip.depth_1"), isStrong: true}, {label: t("strip.highest")}],
    axes: [{scale: (range) => logScale(values, range, {below: 1.3}), words: tick, title: t("strip.axis")}],
    groups: [{rows: Array.from(Map.groupBy(list, (d) => d.media_class), ([id, its]) => {
      const ends = [0, 1].map((i) => its.map((d) => endsOf(d)[i]).filter((end) => end?.value > 0));
      const texts = ends.map((of) => { const told = of.filter((end) => !isApart(end)).map((end) => end.value); return told.length ? span(told, (value) => iops(value), t) : "–"; });
      return {
        name: mediumName(id, t), isStrong: true, color: medium(id).color, note: t("strip.counts", {low: ends[0].length, high: ends[1].length}), texts, height: 42,
        marks: (y, [x]) => ends.flatMap((of, i) => of.map((end) => symbol(end, i === 0, {x, y: y + (i ? 8 : -8)})))
      };
    })}]
  });
}
