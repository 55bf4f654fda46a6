// A heat map of first rounds: block size by share of reads, each cell the median of first round over the mean of the last five.
import {html} from "htl";
import {blockSize, count, percent} from "../format.js";
import {sentences, span} from "../prose.js";
import {configurationLink} from "../records.js";
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

export const firstRoundColumns = ({t}) => [
  {id: "pattern", label: t("first_round.pattern"), value: (row) => t(`load.access_${row.access_pattern}`), sort: (row) => row.access_pattern},
  {id: "depth", label: t("column.depth"), value: (row) => String(row.queue_depth), sort: (row) => row.queue_depth, num: true},
  {id: "block", label: t("load.block_size"), value: (row) => blockSize(row.block_size_bytes), sort: (row) => row.block_size_bytes, head: true, num: true},
  {id: "reads", label: t("first_round.axis"), value: (row) => whole(row.read_ratio), sort: (row) => row.read_ratio, num: true},
  {id: "series", label: t("first_round.series"), value: (row) => count(row.series_count), sort: (row) => row.series_count, num: true},
  {id: "first", label: t("first_round.first"), value: (row) => percent(row.first_ratio), sort: (row) => row.first_ratio, num: true},
  {id: "off", label: t("first_round.off"), value: (row) => count(row.off_count), sort: (row) => row.off_count, num: true},
  {id: "steady", label: t("first_round.steady"), value: (row) => count(row.steady_count), sort: (row) => row.steady_count, num: true},
  {id: "round", label: t("first_round.steady_round"), value: (row) => row.steady_round == null ? null : t("first_round.rounds_most", {median: String(row.steady_round), most: String(row.most_steady_round)}), sort: (row) => row.steady_round, num: true}
];

// Every setup whose runs were rounds: its specimen, its rounds and what became of its windows.
export const setupColumns = ({t, link}) => [
  {id: "setup", label: t("device.configuration"), value: (row) => configurationLink(row, row.title, link), sort: (row) => row.title, head: true},
  {id: "device", label: t("column.device"), value: (row) => html`<a href=${link(`devices/${row.device_id}`)}>${row.device}</a>`, sort: (row) => row.device},
  {id: "specimen", label: t("specimens.specimen"), value: (row) => row.drive_specimen, sort: (row) => row.drive_specimen},
  {id: "series", label: t("first_round.series"), value: (row) => count(row.series_count), sort: (row) => row.series_count, num: true},
  {id: "rounds", label: t("first_round.rounds"), value: (row) => t("first_round.rounds_most", {median: String(row.round_count), most: String(row.most_rounds)}), sort: (row) => row.round_count, num: true},
  {id: "off", label: t("first_round.off"), value: (row) => count(row.off_count), sort: (row) => row.off_count, num: true},
  {id: "steady", label: t("first_round.steady"), value: (row) => count(row.steady_count), sort: (row) => row.steady_count, num: true},
  {id: "unsteady", label: t("first_round.unsteady"), value: (row) => count(row.unsteady_count + row.broken_count), sort: (row) => row.unsteady_count + row.broken_count, num: true}
];
