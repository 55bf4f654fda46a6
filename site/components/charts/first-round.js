// A heat map of first rounds: block size by share of reads, each cell the median of first round over the mean of the last five.
import {html, svg} from "htl";
import {blockSize, count, percent} from "../format.js";
import {linked} from "../marks.js";
import {configurationLink} from "../records.js";
import {isNarrow, surface, text, widthOf} from "./draw.js";
import {ground, words} from "./heat.js";
import {sentences} from "./plane.js";

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
  const [left, top, size] = [narrow ? 62 : Math.max(90, widthOf(t("first_round.off"), 12.5) + 16), 46, narrow ? 11.5 : 12.5];
  const cell = {width: Math.min(narrow ? 35 : 96, (width - left) / shares.length), height: narrow ? 31 : 34};
  const at = new Map(rows.map((row) => [`${row.block_size_bytes} ${row.read_ratio}`, row]));
  const middle = (i) => left + (i + 0.5) * cell.width;
  const foot = top + blocks.length * cell.height;
  return surface({width, height: foot + 30, label: t("first_round.label", {blocks: blocks.length, shares: shares.length})},
    text(t("first_round.axis"), {x: left + shares.length * cell.width / 2, y: 13, anchor: "middle", size: 12.5, weight: 600, fill: "var(--ink-2)"}),
    shares.map((share, i) => text(whole(share), {x: middle(i), y: 36, anchor: "middle", size, fill: "var(--ink-2)"})),
    blocks.map((block, j) => [
      text(blockSize(block), {x: left - 8, y: top + (j + 0.5) * cell.height + 4.5, anchor: "end", size, fill: "var(--ink-2)"}),
      shares.map((share, i) => {
        const row = at.get(`${block} ${share}`);
        if (!row) return null;
        const [x, y, dark] = [left + i * cell.width, top + j * cell.height, darkness(row.first_ratio)];
        const lines = [`${blockSize(block)}, ${t("first_round.reads", {share: whole(share)})}`, t("first_round.cell", {ratio: percent(row.first_ratio), off: row.off_count, count: row.series_count})];
        return linked({lines, x: middle(i), y: y + cell.height / 2, width: cell.width - 2.5, height: cell.height - 2.5}, [
          svg`<rect x=${x.toFixed(1)} y=${y.toFixed(1)} width=${(cell.width - 2.5).toFixed(1)} height=${cell.height - 2.5} rx="2" style=${ground(dark)} />`,
          svg`<text x=${(middle(i) - 1.25).toFixed(1)} y=${(y + cell.height / 2 + 3.5).toFixed(1)} text-anchor="middle" font-size=${size} font-weight=${2 * row.off_count > row.series_count ? 640 : 400} style=${words(dark)}>${narrow ? String(Math.round(100 * row.first_ratio)) : whole(row.first_ratio)}</text>`
        ]);
      })
    ]),
    narrow ? null : text(t("first_round.off"), {x: left - 8, y: foot + 18, anchor: "end", size, weight: 600, fill: "var(--ink-2)"}),
    narrow ? null : shares.map((share, i) => {
      const of = rows.filter((row) => row.read_ratio === share);
      return text(`${sum(of, "off_count")} / ${sum(of, "series_count")}`, {x: middle(i), y: foot + 18, anchor: "middle", size, fill: "var(--ink-2)"});
    })
  );
}

export function firstRoundAnswer(rows, {t}) {
  const [off, all, low] = ["off_count", "series_count", "low_count"].map((name) => sum(rows, name));
  const medians = rows.map((row) => row.steady_round).filter((round) => round != null);
  const [least, most] = [Math.min(...medians), Math.max(...medians)].map(String);
  return sentences([
    ...(medians.length ? [t.rich("first_round.answer_until", {rounds: least === most ? least : t("span", {from: least, to: most}), most: Math.max(...rows.map((row) => row.most_steady_round ?? 0))})] : []),
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
