// A heat map of first rounds: block size by share of reads, each cell the median of first round over the mean of the last five.
import {cells as columns} from "../table.js";
import {blockSize, count, percent, sentences, span} from "../format.js";
import {isNarrow, surface, text, widthOf} from "./draw.js";
import {TOP, cells} from "./heat.js";

const whole = (share) => `${Math.round(100 * share)}\u00a0%`;
const inOrder = (values) => [...new Set(values)].toSorted((a, b) => a - b);
const sum = (rows, name) => rows.reduce((total, row) => total + row[name], 0);
// 60 % and less is darkest. From 80 % down white text is readable; no cell has a tone on which neither black nor white is.
function darkness(ratio) {
  const share = Math.min(1, Math.max(0, (1 - ratio) / 0.4));
  return share < 0.5 ? 0.9 * share : 0.6 + 0.4 * share;
}

export function firstRound(rows, {width, t}) {
  const narrow = isNarrow(width);
  const [blocks, shares] = [inOrder(rows.map((row) => row.block_size_bytes)), inOrder(rows.map((row) => row.read_ratio))];
  const left = narrow ? 62 : Math.max(90, widthOf(t("first_round.off"), 12.5) + 16);
  const cell = {width: Math.min(narrow ? 35 : 96, (width - left) / shares.length), height: narrow ? 31 : 34};
  const found = new Map(rows.map((row) => [`${row.block_size_bytes} ${row.read_ratio}`, row]));
  const foot = TOP + blocks.length * cell.height + 18;
  return surface({width, height: foot + 12, label: t("first_round.label", {blocks: blocks.length, shares: shares.length})},
    text(t("first_round.axis"), {x: left + shares.length * cell.width / 2, y: 13, anchor: "middle", size: 12.5, weight: 600, fill: "var(--ink-2)"}),
    cells({
      left, cell, narrow, rows: blocks.map(blockSize), columns: shares.map(whole), at: (j, i) => {
        const row = found.get(`${blocks[j]} ${shares[i]}`);
        return row ? {
          share: darkness(row.first_ratio), words: narrow ? String(Math.round(100 * row.first_ratio)) : whole(row.first_ratio), weight: 2 * row.off_count > row.series_count ? 640 : 400,
          lines: [`${blockSize(blocks[j])}, ${t("first_round.reads", {share: whole(shares[i])})}`, t("first_round.cell", {ratio: percent(row.first_ratio), off: row.off_count, count: row.series_count})]
        } : null;
      }
    }),
    narrow ? null : [text(t("first_round.off"), {x: left - 8, y: foot, anchor: "end", size: 12.5, weight: 600, fill: "var(--ink-2)"}), shares.map((share, i) => {
      const of = rows.filter((row) => row.read_ratio === share);
      return text(`${sum(of, "off_count")} / ${sum(of, "series_count")}`, {x: left + (i + 0.5) * cell.width, y: foot, anchor: "middle", size: 12.5, fill: "var(--ink-2)"});
    })]
  );
}

export function firstRoundAnswer(rows, {t}) {
  const [off, all, low] = ["off_count", "series_count", "low_count"].map((name) => sum(rows, name));
  const medians = rows.map((row) => row.steady_round).filter((round) => round != null);
  return sentences([
    ...(medians.length ? [t.rich("first_round.answer_until", {rounds: span(medians, String, t), most: Math.max(...rows.map((row) => row.most_steady_round ?? 0))})] : []),
    t.rich("first_round.answer", {off: count(off), count: count(all), low: count(low)}),
    t.rich("first_round.answer_steady", {steady: count(sum(rows, "steady_count")), count: count(all)})
  ], t);
}

export const firstRoundColumns = (page) => {
  const {t} = page, {text, num, ...c} = columns(page);
  return [
    text("pattern", t("first_round.pattern"), "access_pattern", {value: (row) => t(`load.access_${row.access_pattern}`)}), c.depth({label: t("column.depth")}), num("block", t("load.block_size"), "block_size_bytes", blockSize, {head: true}),
    num("reads", t("first_round.axis"), "read_ratio", whole), num("series", t("first_round.series"), "series_count"), num("first", t("first_round.first"), "first_ratio", percent), num("off", t("first_round.off"), "off_count"),
    num("steady", t("first_round.steady"), "steady_count"), num("round", t("first_round.steady_round"), "steady_round", (median, row) => t("first_round.rounds_most", {median: String(median), most: String(row.most_steady_round)}))
  ];
};

// Every setup whose runs were rounds: its specimen, its rounds and what became of its windows.
export const setupColumns = (page) => {
  const {t} = page, {text, num, ...c} = columns(page);
  return [
    c.configuration({id: "setup", head: true}), c.device({head: false}), text("specimen", t("specimens.specimen"), "drive_specimen"), num("series", t("first_round.series"), "series_count"),
    num("rounds", t("first_round.rounds"), "round_count", (median, row) => t("first_round.rounds_most", {median: String(median), most: String(row.most_rounds)})), num("off", t("first_round.off"), "off_count"),
    num("steady", t("first_round.steady"), "steady_count"), num("unsteady", t("first_round.unsteady"), (row) => row.unsteady_count + row.broken_count)
  ];
};
