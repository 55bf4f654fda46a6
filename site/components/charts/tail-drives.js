// Percentiles of every drive at queue depth 1: open symbol p50, tick p99, filled symbol p99.9, pale tick p99.99.
import {svg} from "htl";
import {scaleLog} from "d3";
import {latency, latencyTick, times} from "../format.js";
import {drawn, linked} from "../marks.js";
import {byMedium, medium, mediumName} from "../media.js";
import {axisBelow, isNarrow, line, surface, text, widthOf} from "./draw.js";
import {cut} from "./plane.js";

const NAMES = [["p50_seconds", "p50"], ["p99_seconds", "p99"], ["p999_seconds", "p99.9"], ["p9999_seconds", "p99.99"]];
const COLUMNS = [850, 930, 1010, 1090, 1180];
const ROW = 25;
const values = (row) => NAMES.map(([name]) => row[name]).filter((value) => value > 0);

export function tailDrives(rows, {width, t, number, link}) {
  const list = rows.toSorted((a, b) => (a.p999_seconds ?? Infinity) - (b.p999_seconds ?? Infinity) || byMedium(a, b) || (a.p99_seconds ?? a.p50_seconds ?? 0) - (b.p99_seconds ?? b.p50_seconds ?? 0) || (a.device_id < b.device_id ? -1 : 1));
  const all = list.flatMap(values);
  if (!all.length) return null;
  const narrow = isNarrow(width);
  const x = scaleLog([Math.min(...all) / 1.2, Math.max(...all) * 1.2], narrow ? [8, width - 8] : [250, 780]);
  const top = narrow ? 14 : 34, row = narrow ? 44 : ROW;
  const bottom = top + list.length * row;
  const marks = list.flatMap((d, i) => {
    const y = top + i * row + (narrow ? 26 : 8);
    const {color} = medium(d.media_class);
    const told = values(d);
    const [shown, value] = NAMES.map(([name, label]) => [label, d[name]]).slice(0, 3).findLast(([, value]) => value > 0);
    const short = `${shown} ${latency(value)}`;
    const room = narrow ? width - 22 - 1.08 * widthOf(short, 12.5) : x.range()[0] - 30;
    const words = `${d.short_name}${d.interface_protocol === "USB" ? " (USB)" : ""}`;
    const mark = (name, hollow) => drawn({x: x(d[name]), y, media_class: d.media_class, area: 46, hollow});
    const tick = (name, opacity) => svg`<g opacity=${opacity}>${line(x(d[name]), y - 6, x(d[name]), y + 6, {stroke: color, width: 2})}</g>`;
    const lines = [d.short_name, ...NAMES.filter(([name]) => d[name] > 0).map(([name, label]) => `${label}: ${latency(d[name])}`), d.p999_seconds == null ? t("tail.operations", {count: d.operation_count}) : null];
    return [
      svg`<a class="name" href=${link(`devices/${d.device_id}`)}>${text(cut(words, room, 13), {x: narrow ? 8 : 22, y: narrow ? y - 12 : y + 4, size: 13})}</a>`,
      line(x(Math.min(...told)), y, x(Math.max(...told)), y, {stroke: color, width: 2, opacity: 0.35}),
      linked({href: number("p", d.point_id), lines, x: (x(Math.min(...told)) + x(Math.max(...told))) / 2, y, width: Math.max(24, x(Math.max(...told)) - x(Math.min(...told)) + 16), height: 24}, [
        d.p50_seconds > 0 ? mark("p50_seconds", true) : null, d.p99_seconds > 0 ? tick("p99_seconds", 1) : null, d.p999_seconds > 0 ? mark("p999_seconds", false) : null, d.p9999_seconds > 0 ? tick("p9999_seconds", 0.45) : null
      ].filter(Boolean)),
      ...narrow ? [text(short, {x: width - 6, y: y - 12, anchor: "end", size: 12.5, weight: 600})] : [
        ...NAMES.map(([name], k) => text(d[name] > 0 ? latency(d[name]) : "–", {x: COLUMNS[k], y: y + 4, anchor: "end", size: 13, weight: k === 2 ? 600 : 400, fill: k === 2 ? "var(--ink)" : "var(--ink-2)"})),
        text(d.p999_seconds > 0 && d.p50_seconds > 0 ? times(d.p999_seconds / d.p50_seconds) : "–", {x: COLUMNS[4], y: y + 4, anchor: "end", size: 13, fill: "var(--ink-3)"})
      ]
    ];
  });
  return surface({width, height: bottom + 42, label: t("tail.drives_label")},
    axisBelow(x, {top: top - 6, bottom, words: latencyTick, title: t("tail.drives_axis")}),
    narrow ? [] : [...NAMES.map(([, label]) => label), "p99.9 ÷ p50"].map((label, k) => text(label, {x: COLUMNS[k], y: 16, anchor: "end", size: 12.5, weight: k === 2 ? 600 : 400, fill: "var(--ink-3)"})),
    marks);
}

// "One read in 1,000 takes 89.6 µs on the Samsung 980 PRO and 116 µs to 399 µs on SATA NAND SSDs; 1.89 ms through USB."
export function tailDrivesAnswer(rows, {t, operation}) {
  const told = rows.filter((d) => d.p999_seconds > 0);
  if (!told.length) return t("tail.drives_none");
  const [usb, direct] = [told.filter((d) => d.interface_protocol === "USB"), told.filter((d) => d.interface_protocol !== "USB")];
  const range = (list) => { const [low, high] = [Math.min, Math.max].map((of) => latency(of(...list.map((d) => d.p999_seconds)))); return low === high ? low : t("span", {from: low, to: high}); };
  const best = (direct.length ? direct : told).toSorted((a, b) => a.p999_seconds - b.p999_seconds)[0];
  const others = [...new Set(direct.filter((d) => d !== best).toSorted(byMedium).map((d) => d.media_class))].map((id) => t("tail.drives_medium", {medium: mediumName(id, t), range: range(direct.filter((d) => d !== best && d.media_class === id))}));
  return t("tail.drives_answer", {operation: t(`tail.one_${operation}`), best: latency(best.p999_seconds), drive: best.short_name, others: others.length ? `${t("list.comma")}${others.join(t("list.comma"))}` : "", usb: usb.length ? t("tail.drives_usb", {range: range(usb)}) : ""});
}
