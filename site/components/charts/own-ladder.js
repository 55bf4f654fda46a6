// Own results among published drives: a row each, the fastest first, on a log axis of IOPS; own rows are highlighted.
import {svg} from "htl";
import {scaleLog} from "d3";
import {iops, latency, tick} from "../format.js";
import {drawn, linked, reasons, status, written} from "../marks.js";
import {mediumName, symbolPath, medium} from "../media.js";
import {ratio as ratioTo} from "../own/compare.js";
import {axisBelow, isNarrow, surface, text, widthOf} from "./draw.js";
import {cut} from "./plane.js";

// More own results than these are not drawn: the table has them.
const MOST = 12;
const ROW = {wide: 25, narrow: 38};

// {own, drives} as of components/own/compare.js, the fastest first.
export function ownLadder({own, drives}, {width, t, number, link}) {
  const narrow = isNarrow(width);
  const rows = [...own.slice(0, MOST).map((row) => ({...row, isOwn: true})), ...drives].sort((a, b) => b.operations_per_second - a.operations_per_second);
  const values = rows.map((row) => row.operations_per_second);
  const x = scaleLog([Math.min(...values) / 1.35, Math.max(...values) * 1.2], narrow ? [10, width - 14] : [300, 850]);
  const step = narrow ? ROW.narrow : ROW.wide;
  const top = 30;
  const bottom = top + rows.length * step;
  const frame = {x, t, number, link, narrow, width, best: own[0].operations_per_second};
  return surface({width, height: bottom + 40, label: t("own.chart")},
    axisBelow(x, {top: top - 4, bottom, words: tick, title: t("axis.iops")}),
    narrow ? text(`IOPS · ${t("own.ratio")}`, {x: width - 4, y: 14, anchor: "end", size: 12.5, fill: "var(--ink-3)"}) : [["IOPS", 948], [t("axis.latency_mean"), 1070], [t("own.ratio"), 1184]].map(([words, at]) => text(words, {x: at, y: 14, anchor: "end", size: 12.5, fill: "var(--ink-3)"})),
    rows.map((row, i) => drawnRow(row, top + i * step, step, frame)));
}

function drawnRow(row, y, step, {x, t, number, link, narrow, width, best}) {
  const middle = narrow ? y + 27 : y + step / 2;
  const base = narrow ? y + 15 : middle + 4.5;
  const {bound, struck, hollow, approximate} = status(row);
  const value = written(iops(row.operations_per_second), {bound, approximate});
  const ratio = row.isOwn ? null : ratioTo(best, row);
  const name = row.isOwn ? t("own.row", {name: row.source_path.split("/").at(-1)}) : row.device;
  const color = row.isOwn ? "var(--accent)" : medium(row.media_class).color;
  const place = x(row.operations_per_second);
  const lines = [name, ...(row.isOwn ? [row.test_name] : [mediumName(row.media_class, t)]), `${value} IOPS`, row.latency_mean_seconds == null ? null : `${t("axis.latency_mean")}${t("limit.colon")}${latency(row.latency_mean_seconds)}`, row.isOwn ? null : reasons(row, t), row.isOwn ? null : t("mark.open_number")];
  const words = (content, at, more = {}) => text(content, {x: at, y: base, size: 13, weight: row.isOwn ? 640 : 400, fill: row.isOwn ? "var(--accent)" : "var(--ink)", halo: !row.isOwn, ...more});
  const figures = [value, ratio].filter(Boolean).join(" · ");
  const shown = cut(name, narrow ? width - widthOf(figures, 12.5) - 16 : 262);
  return [
    row.isOwn ? svg`<rect x="0" y=${y + 1} width=${width} height=${step - 2} rx="5" fill="var(--accent-soft)"/>` : null,
    row.isOwn ? words(shown, narrow ? 4 : 24) : svg`<a class="name" href=${link(`devices/${row.device_id}`)}><rect x=${narrow ? 0 : 20} y=${base - 17} width=${Math.max(24, widthOf(shown))} height="24" fill="none" pointer-events="all"/>${words(shown, narrow ? 4 : 24)}</a>`,
    narrow || row.isOwn ? null : svg`<path d=${symbolPath(row.media_class, 56)} transform=${`translate(10,${middle})`} fill=${color} />`,
    linked({href: row.isOwn ? null : number("p", row.point_id), lines, x: place, y: middle, height: step - 1}, row.isOwn
      ? svg`<path d="M0-6.5L6.5 0L0 6.5L-6.5 0Z" transform=${`translate(${place.toFixed(1)},${middle})`} fill=${color} />`
      : drawn({x: place, y: middle, media_class: row.media_class, hollow, struck, bound, color})),
    narrow
      ? words(figures, width - 4, {anchor: "end", size: 12.5})
      : [words(value, 948, {anchor: "end"}), words(row.latency_mean_seconds == null ? "–" : latency(row.latency_mean_seconds), 1070, {anchor: "end", weight: 400}), words(ratio ?? "–", 1184, {anchor: "end", weight: 400})]
  ];
}
