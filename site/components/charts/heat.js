// Two heat maps, block size by queue depth: IOPS left, throughput right. On a phone one, with every second depth if there are more than eight.
import {svg} from "htl";
import {extent, scaleLog} from "d3";
import {cells as columns} from "../table.js";
import {blockSize, iops, sentences, throughput} from "../format.js";
import {isLimited, linkMark, reasons, status} from "../marks.js";
import {isNarrow, round, surface, text} from "./draw.js";

const columnOf = {iops: "operations_per_second", throughput: "throughput_bytes_per_second"};
const quantities = {iops: (value, digits = 3) => iops(value, {tight: true, digits}), throughput: (value, digits = 3) => throughput(value, {digits})};

const blocksOf = (rows) => [...new Set(rows.map((row) => row.block_size_bytes))].toSorted((a, b) => a - b);
export const depthsOf = (rows) => [...new Set(rows.map((row) => row.queue_depth))].toSorted((a, b) => a - b);

// Probably not, or not always, read from the medium: such a cell has a corner, and enters no answer.
export const isDoubtful = (row) => Boolean(row.is_quick) || status(row).struck || status(row).excluded;
const reasonsOf = (row, t) => [row.is_quick ? t("heat.quick") : null, reasons(row, t)].filter(Boolean).join("; ") || null;

export function heat(rows, {width, t, number, quantity = "iops"}) {
  const narrow = isNarrow(width);
  const depths = depthsOf(rows);
  const columns = narrow && depths.length > 8 ? depths.filter((_, i) => i % 2 === 0) : depths;
  const blocks = blocksOf(rows);
  const left = narrow ? 46 : 64;
  const cell = {width: Math.min(narrow ? 51 : 57, ((narrow ? width : 583) - left) / columns.length), height: narrow ? 33 : 36};
  const found = new Map(rows.map((row) => [`${row.block_size_bytes} ${row.queue_depth}`, row]));
  return surface({width, height: TOP + blocks.length * cell.height + 32, label: t("heat.label", {blocks: blocks.length, depths: columns.length})}, (narrow ? [quantity] : Object.keys(quantities)).map((name, half) => {
    const value = (row) => row[columnOf[name]];
    const level = scaleLog(extent(rows.map(value).filter((each) => each > 0)), [0, 1]);
    const x = half * 604;
    return [
      text(t(name === "iops" ? "axis.iops" : "axis.throughput_10"), {x, y: 13, size: 14, weight: 640}),
      cells({
        x, left, cell, narrow, rows: blocks.map(blockSize), columns: columns.map(String), at: (j, i) => {
          const row = found.get(`${blocks[j]} ${columns[i]}`);
          return row && value(row) > 0 ? {
            href: number("p", row.point_id), share: level.domain()[0] === level.domain()[1] ? 1 : level(value(row)), words: narrow ? short(value(row), name) : quantities[name](value(row)), weight: 500, hasCorner: isDoubtful(row),
            lines: [`${blockSize(row.block_size_bytes)}, ${t("compare.basis.depth", {n: String(row.queue_depth)})}`, `${iops(row.operations_per_second)} IOPS, ${throughput(row.throughput_bytes_per_second)} MB/s`, reasonsOf(row, t), t(row.run_count > 1 ? "mark.runs" : "mark.single_run", {n: row.run_count ?? 1}), t("mark.open_number")]
          } : null;
        }
      }),
      text(t("axis.queue_depth"), {x: x + left + (columns.length * cell.width) / 2, y: TOP + blocks.length * cell.height + 22, anchor: "middle", size: 12.5, weight: 600, fill: "var(--ink-2)"})
    ];
  }));
}

export const TOP = 46;
const BETWEEN = 2.5;

// Cells in rows and columns, with the names of both. at(row, column): {href, lines, share (how dark, 0 to 1), words, weight, hasCorner}, or null.
export function cells({x: origin = 0, left, cell, narrow, rows, columns, at}) {
  const [w, h] = [cell.width - BETWEEN, cell.height - BETWEEN];
  const size = narrow ? 11.5 : 12.5;
  return [
    columns.map((name, i) => text(name, {x: origin + left + (i + 0.5) * cell.width, y: TOP - 9, anchor: "middle", size, fill: "var(--ink-2)"})),
    rows.map((name, j) => [
      text(name, {x: origin + left - 8, y: TOP + (j + 0.5) * cell.height + 4.5, anchor: "end", size, fill: "var(--ink-2)"}),
      columns.map((_, i) => {
        const its = at(j, i);
        if (!its) return null;
        const [x, y] = [origin + left + i * cell.width, TOP + j * cell.height];
        return linkMark({href: its.href, lines: its.lines, x: x + w / 2, y: y + h / 2, width: w, height: h}, [
          svg`<rect x=${round(x)} y=${round(y)} width=${round(w)} height=${round(h)} rx="2" style=${ground(its.share)} />`,
          svg`<text x=${round(x + w / 2)} y=${round(y + h / 2 + 4.5)} text-anchor="middle" font-size=${size} font-weight=${its.weight} style=${words(its.share)}>${its.words}</text>`,
          ...its.hasCorner ? [svg`<path d=${`M${round(x + w - 11)} ${round(y)}h11v11z`} fill="var(--ink)" />`] : []
        ]);
      })
    ])
  ];
}

function short(value, name) {
  const said = quantities[name](value);
  return said.includes(".") ? quantities[name](value, 2) : said.replace(",", "");
}

// The styles of a cell and of the words on it, by how dark it is from 0 to 1: black or white words, with a contrast of at least 4.5.
const ground = (share) => `fill: color-mix(in srgb, var(--heat-most) ${round(100 * share)}%, var(--heat-least))`;
const words = (share) => `fill: light-dark(${share < 0.77 ? "#000" : "#fff"}, ${share < 0.54 ? "#fff" : "#000"})`;

export function heatAnswer(rows, {t}) {
  const counted = rows.filter((row) => !isDoubtful(row));
  const left = rows.length - counted.length;
  if (!counted.length) return [t(rows.length ? "heat.answer.refused" : "heat.answer.none")];
  const most = (value) => counted.toSorted((a, b) => value(b) - value(a))[0];
  const [fastest, widest, low] = [most((row) => row.operations_per_second), most((row) => row.throughput_bytes_per_second), most((row) => -row.throughput_bytes_per_second)];
  const limitedCount = counted.filter((row) => isLimited(row)).length;
  const where = (row) => t("heat.cell", {block: blockSize(row.block_size_bytes), depth: String(row.queue_depth)});
  const flat = blocksOf(counted).filter((block) => Math.max(...counted.filter((row) => row.block_size_bytes === block).map((row) => row.operations_per_second)) >= 0.95 * fastest.operations_per_second);
  const parts = [
    flat.length > 1 ? t.rich("heat.answer.flat", {block: blockSize(flat.at(-1)), rate: iops(fastest.operations_per_second)}) : t.rich("heat.answer.rate", {rate: iops(fastest.operations_per_second), where: where(fastest)}),
    t.rich("heat.answer.throughput", {throughput: throughput(widest.throughput_bytes_per_second), where: where(widest), low: throughput(low.throughput_bytes_per_second)}),
    ...(limitedCount ? [t.rich("heat.answer.held", {held: limitedCount, count: counted.length})] : []),
    ...(left ? [t.rich("heat.answer.left_out", {count: left})] : [])
  ];
  return sentences(parts, t);
}

export const heatColumns = (page) => {
  const {t} = page, {num, ...c} = columns(page);
  return [
    num("block", t("load.block_size"), "block_size_bytes", blockSize, {head: true}), c.depth({label: t("column.depth")}), c.iops("operations_per_second", {at: ["p", "point_id"]}), num("throughput", t("column.throughput"), "throughput_bytes_per_second", throughput),
    c.runs(), {id: "marks", label: t("column.reason"), value: (row) => reasonsOf(row, t)}
  ];
};
