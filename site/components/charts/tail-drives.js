// Percentiles of every drive at queue depth 1: open symbol p50, tick p99, filled symbol p99.9, pale tick p99.99.
import {latency, latencyTick, span, times} from "../format.js";
import {byMedium, drawn, linked, medium, mediumName} from "../marks.js";
import {line, logScale, rowChart} from "./draw.js";

const NAMES = [["p50_seconds", "p50"], ["p99_seconds", "p99"], ["p999_seconds", "p99.9"], ["p9999_seconds", "p99.99"]];
const toldOf = (row) => NAMES.filter(([name]) => row[name] > 0);

export function tailDrives(rows, {width, t, number, link}) {
  const list = rows.toSorted((a, b) => (a.p999_seconds ?? Infinity) - (b.p999_seconds ?? Infinity) || byMedium(a, b) || (a.p99_seconds ?? a.p50_seconds ?? 0) - (b.p99_seconds ?? b.p50_seconds ?? 0) || (a.device_id < b.device_id ? -1 : 1));
  const all = list.flatMap((row) => toldOf(row).map(([name]) => row[name]));
  if (!all.length) return null;
  const isKey = (label) => label === "p99.9";
  return rowChart({
    width, label: t("tail.drives_label"), axes: [{scale: (range) => logScale(all, range), words: latencyTick, title: t("tail.drives_axis")}],
    columns: [...NAMES.map(([, label]) => ({label, isStrong: isKey(label)})), {label: "p99.9 ÷ p50"}],
    groups: [{rows: list.map((d) => {
      const told = toldOf(d);
      const [name, label] = told.findLast(([, each]) => each !== "p99.99");
      return {
        name: `${d.short_name}${d.interface_protocol === "USB" ? " (USB)" : ""}`, href: link(`devices/${d.device_id}`), short: `${label} ${latency(d[name])}`,
        texts: [...NAMES.map(([each]) => d[each] > 0 ? latency(d[each]) : "–"), d.p999_seconds > 0 && d.p50_seconds > 0 ? times(d.p999_seconds / d.p50_seconds) : "–"],
        marks: (y, [x]) => marks(d, told, {x, y, t, number})
      };
    })}]
  });
}

function marks(d, told, {x, y, t, number}) {
  const {color} = medium(d.media_class);
  const places = told.map(([name]) => x(d[name]));
  const [from, to] = [Math.min(...places), Math.max(...places)];
  const lines = [d.short_name, ...told.map(([name, label]) => `${label}: ${latency(d[name])}`), d.p999_seconds == null ? t("tail.operations", {count: d.operation_count}) : null];
  return [
    line(from, y, to, y, {stroke: color, width: 2, opacity: 0.35}),
    linked({href: number("p", d.point_id), lines, x: (from + to) / 2, y, width: Math.max(24, to - from + 16)}, told.map(([name, label], i) => label === "p50" || label === "p99.9"
      ? drawn({x: places[i], y, media_class: d.media_class, area: 46, hollow: label === "p50"})
      : line(places[i], y - 6, places[i], y + 6, {stroke: color, width: 2, opacity: label === "p99" ? 1 : 0.45})))
  ];
}

// "One read in 1,000 takes 89.6 µs on the Samsung 980 PRO and 116 µs to 399 µs on SATA NAND SSDs; 1.89 ms through USB."
export function tailDrivesAnswer(rows, {t, operation}) {
  const told = rows.filter((d) => d.p999_seconds > 0);
  if (!told.length) return t("tail.drives_none");
  const [usb, direct] = [told.filter((d) => d.interface_protocol === "USB"), told.filter((d) => d.interface_protocol !== "USB")];
  const range = (list) => span(list.map((d) => d.p999_seconds), latency, t);
  const best = (direct.length ? direct : told).toSorted((a, b) => a.p999_seconds - b.p999_seconds)[0];
  const others = Array.from(Map.groupBy(direct.filter((d) => d !== best).toSorted(byMedium), (d) => d.media_class), ([id, its]) => t("tail.drives_medium", {medium: mediumName(id, t), range: range(its)}));
  return t("tail.drives_answer", {operation: t(`tail.one_${operation}`), best: latency(best.p999_seconds), drive: best.short_name, others: others.length ? `${t("list.comma")}${others.join(t("list.comma"))}` : "", usb: usb.length ? t("tail.drives_usb", {range: range(usb)}) : ""});
}
