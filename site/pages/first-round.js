/*---
words: first_round
nav: {section: load, order: 250, name: nav.first_round}
queries: [first-round, first-round-setups, specimens, specimens-of-model]
keywords: first round steady state preconditioning warm-up SNIA PTS rounds window specimen two drives of one model
---*/
import {html} from "htl";
import {isNarrow, surface, text, widthOf} from "../components/charts/draw.js";
import {TOP, cells} from "../components/charts/heat.js";
import {figure, further, heading} from "../components/figure.js";
import {blockSize, count, percent, quotient, sentences, span} from "../components/format.js";
import {cells as columns, foldTable} from "../components/table.js";

export default async function page({rows, t, state, link}) {
  const [cells, setups, specimens, models] = await Promise.all(["first-round", "first-round-setups", "specimens", "specimens-of-model"].map(rows));
  const random = cells.filter((row) => row.access_pattern === "random");
  return html`<div class="answers">
    ${heading({question: t("first_round.title"), answer: random.length ? firstRoundAnswer(cells, {t}) : t("first_round.none"), sub: t("first_round.lede")})}
    ${random.length ? figure({
      id: "first-round", question: t("first_round.question"), load: t("first_round.load"), note: t("first_round.note"),
      query: "first-round", t, state, link, rows: cells, columns: firstRoundColumns({t}), draw: (width) => firstRound(random, {width, t})
    }) : null}
    ${setups.length ? html`<section class="card"><h2 id="setups">${t("first_round.setups")}</h2><p>${t("first_round.setups_text")}</p>${foldTable("setups-table", setups, setupColumns({t, link}), t("first_round.setups"), {t, state})}</section>` : null}
    ${specimens.length ? twoCapacities(specimens, t) : null}
    ${models.length ? oneModel(models, specimens, t) : null}
    ${further(["specimens", "specimens-of-model"], {t, link})}
  </div>`;
}

function twoCapacities(specimens, t) {
  const pairs = Map.groupBy(specimens, (row) => [row.a_device_id, row.a_specimen, row.b_device_id, row.b_specimen].join(" "));
  return html`<section class="card"><h2 id="specimens">${t("specimens.title")}</h2>
    ${[...pairs.values()].map((found) => html`<p class="answer">${t.rich("specimens.answer", {
      a: t("specimens.name", {device: found[0].a_device, specimen: found[0].a_specimen}), b: t("specimens.name", {device: found[0].b_device, specimen: found[0].b_specimen}),
      equal: found.filter((row) => row.verdict === "equal").length, count: found.length, hosts: Math.max(...found.map((row) => row.host_count)),
      different: found.filter((row) => /faster/.test(row.verdict)).length, undecided: found.filter((row) => row.verdict === "undecided").length
    })}</p>`)}
    <p class="note">${t("specimens.note")}</p>
  </section>`;
}

function oneModel(rows, capacities, t) {
  const pairs = [...Map.groupBy(rows, (row) => [row.device_id, row.a_specimen, row.b_specimen].join(" ")).values()].map((found) => found.toSorted((a, b) => countDecided(b) - countDecided(a))[0]);
  const furthest = (found) => Math.max(0, ...found.flatMap((row) => [row.ratio_low, row.ratio_high]).map((ratio) => Math.abs(Math.log(ratio))));
  const isMore = capacities.length && furthest(pairs) > Math.max(0, ...capacities.map(({ratio}) => Math.abs(Math.log(ratio))));
  return html`<section class="card"><h2 id="specimens-of-model">${t("specimens.model_title")}</h2>
    ${isMore ? html`<p class="answer">${t.rich("specimens.model_more")}</p>` : null}
    ${pairs.map((row) => html`<p class="answer">${t.rich("specimens.model_answer", {device: row.device, a: row.a_specimen, b: row.b_specimen, slower: row.slower_count, faster: row.faster_count, count: row.workload_count, ratio: quotient(row.ratio), low: quotient(row.ratio_low), high: quotient(row.ratio_high)})}</p>
      ${row.doubt ? html`<p class="note">${t.rich("specimens.model_doubt", {doubt: html`<q lang="en">${row.doubt}</q>`})}</p>` : null}`)}
  </section>`;
}
const countDecided = (row) => row.slower_count + row.faster_count;

const whole = (share) => `${Math.round(100 * share)}\u00a0%`;
const inOrder = (values) => [...new Set(values)].toSorted((a, b) => a - b);
const sum = (rows, name) => rows.reduce((total, row) => total + row[name], 0);
// 60 % and less is darkest. From 80 % down white text is readable; no cell has a tone on which neither black nor white is.
function darkness(ratio) {
  const share = Math.min(1, Math.max(0, (1 - ratio) / 0.4));
  return share < 0.5 ? 0.9 * share : 0.6 + 0.4 * share;
}

function firstRound(rows, {width, t}) {
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

function firstRoundAnswer(rows, {t}) {
  const [off, all, low] = ["off_count", "series_count", "low_count"].map((name) => sum(rows, name));
  const medians = rows.map((row) => row.steady_round).filter((round) => round != null);
  return sentences([
    ...(medians.length ? [t.rich("first_round.answer_until", {rounds: span(medians, String, t), most: Math.max(...rows.map((row) => row.most_steady_round ?? 0))})] : []),
    t.rich("first_round.answer", {off: count(off), count: count(all), low: count(low)}),
    t.rich("first_round.answer_steady", {steady: count(sum(rows, "steady_count")), count: count(all)})
  ], t);
}

const firstRoundColumns = (page) => {
  const {t} = page, {text, num, ...c} = columns(page);
  return [
    text("pattern", t("first_round.pattern"), "access_pattern", {value: (row) => t(`load.access_${row.access_pattern}`)}), c.depth({label: t("column.depth")}), num("block", t("load.block_size"), "block_size_bytes", blockSize, {head: true}),
    num("reads", t("first_round.axis"), "read_ratio", whole), num("series", t("first_round.series"), "series_count"), num("first", t("first_round.first"), "first_ratio", percent), num("off", t("first_round.off"), "off_count"),
    num("steady", t("first_round.steady"), "steady_count"), num("round", t("first_round.steady_round"), "steady_round", (median, row) => t("first_round.rounds_most", {median: String(median), most: String(row.most_steady_round)}))
  ];
};

export const setupColumns = (page) => {
  const {t} = page, {text, num, ...c} = columns(page);
  return [
    c.configuration({id: "setup", head: true}), c.device({head: false}), text("specimen", t("specimens.specimen"), "drive_specimen"), num("series", t("first_round.series"), "series_count"),
    num("rounds", t("first_round.rounds"), "round_count", (median, row) => t("first_round.rounds_most", {median: String(median), most: String(row.most_rounds)})), num("off", t("first_round.off"), "off_count"),
    num("steady", t("first_round.steady"), "steady_count"), num("unsteady", t("first_round.unsteady"), (row) => row.unsteady_count + row.broken_count)
  ];
};
