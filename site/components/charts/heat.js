// Two heat maps, block size by queue depth: IOPS left, throughput right. On a phone one, with every second depth if there are more than eight.
import {html, svg} from "htl";
import {blockSize, iops, throughput} from "../format.js";
import {isLimited, linked, reasons, status} from "../marks.js";
import {isNarrow, surface, text} from "./draw.js";
import {sentences} from "./plane.js";

export const quantities = {
  iops: {value: (row) => row.operations_per_second, write: (value) => iops(value, {tight: true}), title: "axis.iops"},
  throughput: {value: (row) => row.throughput_bytes_per_second, write: throughput, title: "axis.throughput_10"}
};

export const blocksOf = (rows) => [...new Set(rows.map((row) => row.block_size_bytes))].toSorted((a, b) => a - b);
export const depthsOf = (rows) => [...new Set(rows.map((row) => row.queue_depth))].toSorted((a, b) => a - b);

// Probably not, or not always, read from the medium: such a cell has a corner, and enters no answer.
export const isDoubtful = (row) => Boolean(row.is_quick) || status(row).struck || status(row).excluded;
const reasonsOf = (row, t) => [row.is_quick ? t("heat.quick") : null, reasons(row, t)].filter(Boolean).join("; ") || null;

export function heat(rows, {width, t, number, quantity = "iops"}) {
  const narrow = isNarrow(width);
  const depths = depthsOf(rows);
  const columns = narrow && depths.length > 8 ? depths.filter((_, i) => i % 2 === 0) : depths;
  const shown = narrow ? [quantity] : ["iops", "throughput"];
  const left = narrow ? 46 : 64;
  const room = narrow ? width : 583;
  const gap = 2.5;
  const cellWidth = Math.min(narrow ? 51 : 57, (room - left) / columns.length);
  const cellHeight = narrow ? 33 : 36;
  const blocks = blocksOf(rows);
  const top = 46;
  const height = top + blocks.length * cellHeight + 32;
  return surface({width, height, label: t("heat.label", {blocks: blocks.length, depths: columns.length})}, ...shown.flatMap((name, half) => {
    const {value, write, title} = quantities[name];
    const known = rows.map(value).filter((each) => each > 0);
    const [low, high] = [Math.log(Math.min(...known)), Math.log(Math.max(...known))];
    const level = (each) => high === low ? 1 : (Math.log(each) - low) / (high - low);
    const origin = half * 604;
    const at = new Map(rows.map((row) => [`${row.block_size_bytes} ${row.queue_depth}`, row]));
    return [
      text(t(title), {x: origin, y: 13, size: 14, weight: 640}),
      columns.map((depth, i) => text(String(depth), {x: origin + left + (i + 0.5) * cellWidth, y: 37, anchor: "middle", size: narrow ? 11.5 : 12.5, fill: "var(--ink-2)"})),
      blocks.map((block, j) => [
        text(blockSize(block), {x: origin + left - 8, y: top + (j + 0.5) * cellHeight + 4.5, anchor: "end", size: narrow ? 11.5 : 12.5, fill: "var(--ink-2)"}),
        columns.map((depth, i) => {
          const row = at.get(`${block} ${depth}`);
          if (!row || !(value(row) > 0)) return null;
          const share = level(value(row));
          const [x, y] = [origin + left + i * cellWidth, top + j * cellHeight];
          const [w, h] = [cellWidth - gap, cellHeight - gap];
          const lines = [`${blockSize(block)}, ${t("compare.basis.depth", {n: String(depth)})}`, `${iops(row.operations_per_second)} IOPS, ${throughput(row.throughput_bytes_per_second)} MB/s`, reasonsOf(row, t), t(row.run_count > 1 ? "mark.runs" : "mark.single_run", {n: row.run_count ?? 1}), t("mark.open_number")];
          return linked({href: number("p", row.point_id), lines, x: x + w / 2, y: y + h / 2, width: w, height: h}, [
            svg`<rect x=${x.toFixed(1)} y=${y.toFixed(1)} width=${w.toFixed(1)} height=${h.toFixed(1)} rx="2" style=${ground(share)} />`,
            svg`<text x=${(x + w / 2).toFixed(1)} y=${(y + h / 2 + 4.5).toFixed(1)} text-anchor="middle" font-size=${narrow ? 11.5 : 12.5} font-weight="500" style=${words(share)}>${narrow ? short(value(row), name) : write(value(row))}</text>`,
            isDoubtful(row) ? svg`<path d=${`M${(x + w - 11).toFixed(1)} ${y.toFixed(1)}h11v11z`} fill="var(--ink)" />` : null
          ].filter(Boolean));
        })
      ]),
      text(t("axis.queue_depth"), {x: origin + left + (columns.length * cellWidth) / 2, y: top + blocks.length * cellHeight + 22, anchor: "middle", size: 12.5, weight: 600, fill: "var(--ink-2)"})
    ];
  }).flat(Infinity).filter(Boolean));
}

// On a phone two digits where three need a point: 2,480 -> 2480, 18.8k -> 19k.
function short(value, name) {
  const words = quantities[name].write(value);
  if (!words.includes(".")) return words.replace(",", "");
  return name === "iops" ? iops(value, {tight: true, digits: 2}) : throughput(value, {digits: 2});
}

const LIGHT = [[238, 244, 250], [11, 90, 151]];
const DARK = [[27, 39, 52], [124, 192, 245]];
const mixed = ([from, to], share) => `rgb(${from.map((channel, i) => Math.round(channel + (to[i] - channel) * share)).join(" ")})`;
const channels = (color) => color.match(/\d+/g).map(Number);
export const luminance = (color) => {
  const [r, g, b] = channels(color).map((channel) => channel / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
// Dark or white, whichever can be read better on the cell; black where both are too weak.
export function ink(color) {
  const [dark, white] = ["rgb(19 28 40)", "rgb(255 255 255)"].map((text) => contrast(luminance(color), luminance(text)));
  if (Math.max(dark, white) < 4.5) return "#000000";
  return dark >= white ? "#131c28" : "#ffffff";
}

// The styles of a cell and of the words on it, by how dark it is from 0 to 1.
export const ground = (share) => `fill: light-dark(${mixed(LIGHT, share)}, ${mixed(DARK, share)})`;
export const words = (share) => `fill: light-dark(${ink(mixed(LIGHT, share))}, ${ink(mixed(DARK, share))})`;

// Where the rate ends, where the throughput ends, and how far apart the cells lie; only cells that count.
export function heatAnswer(rows, {t}) {
  const counted = rows.filter((row) => !isDoubtful(row));
  const left = rows.length - counted.length;
  if (!counted.length) return [t(rows.length ? "heat.answer.refused" : "heat.answer.none")];
  const top = (value) => counted.toSorted((a, b) => value(b) - value(a))[0];
  const fastest = top((row) => row.operations_per_second);
  const widest = top((row) => row.throughput_bytes_per_second);
  const low = counted.toSorted((a, b) => a.throughput_bytes_per_second - b.throughput_bytes_per_second)[0];
  const held = counted.filter((row) => isLimited(row)).length;
  const where = (row) => t("heat.cell", {block: blockSize(row.block_size_bytes), depth: String(row.queue_depth)});
  // blocks whose own best rate lies within 5 % of the best of all
  const flat = blocksOf(counted).filter((block) => Math.max(...counted.filter((row) => row.block_size_bytes === block).map((row) => row.operations_per_second)) >= 0.95 * fastest.operations_per_second);
  const parts = [
    flat.length > 1 ? t.rich("heat.answer.flat", {block: blockSize(flat.at(-1)), rate: iops(fastest.operations_per_second)}) : t.rich("heat.answer.rate", {rate: iops(fastest.operations_per_second), where: where(fastest)}),
    t.rich("heat.answer.throughput", {throughput: throughput(widest.throughput_bytes_per_second), where: where(widest), low: throughput(low.throughput_bytes_per_second)}),
    ...(held ? [t.rich("heat.answer.held", {held, count: counted.length})] : []),
    ...(left ? [t.rich("heat.answer.left_out", {count: left})] : [])
  ];
  return sentences(parts, t);
}

export const heatColumns = ({t, number}) => [
  {id: "block", label: t("load.block_size"), value: (row) => blockSize(row.block_size_bytes), sort: (row) => row.block_size_bytes, head: true, num: true},
  {id: "depth", label: t("column.depth"), value: (row) => String(row.queue_depth), sort: (row) => row.queue_depth, num: true},
  {id: "iops", label: "IOPS", value: (row) => html`<a href=${number("p", row.point_id)}>${iops(row.operations_per_second)}</a>`, sort: (row) => row.operations_per_second, num: true},
  {id: "throughput", label: t("column.throughput"), value: (row) => throughput(row.throughput_bytes_per_second), sort: (row) => row.throughput_bytes_per_second, num: true},
  {id: "runs", label: t("column.runs"), value: (row) => String(row.run_count ?? 1), sort: (row) => row.run_count, num: true},
  {id: "marks", label: t("column.reason"), value: (row) => reasonsOf(row, t)}
];
