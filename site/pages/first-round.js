/*---
title: first_round.title
description: first_round.description
nav: {section: load, order: 250, name: nav.first_round}
queries: [first-round, first-round-setups, specimens, specimens-of-model]
keywords: first round steady state preconditioning warm-up SNIA PTS rounds window specimen two drives of one model
---*/
import {html} from "htl";
import {firstRound, firstRoundAnswer, firstRoundColumns, setupColumns} from "../components/charts/first-round.js";
import {figure, heading} from "../components/figure.js";
import {interval, quotient} from "../components/format.js";
import {cells as columns, folded} from "../components/table.js";

export default async function page({rows, t, state, link}) {
  const [cells, setups, specimens, models] = await Promise.all(["first-round", "first-round-setups", "specimens", "specimens-of-model"].map(rows));
  const random = cells.filter((row) => row.access_pattern === "random");
  return html`<div class="answers">
    ${heading({question: t("first_round.title"), answer: random.length ? firstRoundAnswer(cells, {t}) : t("first_round.none"), sub: t("first_round.lede")})}
    ${random.length ? figure({
      id: "first-round", question: t("first_round.question"), load: t("first_round.load"), note: t("first_round.note"),
      query: "first-round", t, state, link, rows: cells, columns: firstRoundColumns({t}), draw: (width) => firstRound(random, {width, t})
    }) : null}
    ${setups.length ? html`<section class="card"><h2 id="setups">${t("first_round.setups")}</h2><p>${t("first_round.setups_text")}</p>${folded("setups-table", setups, setupColumns({t, link}), t("first_round.setups"), {t, state})}</section>` : null}
    ${specimens.length ? twoCapacities(specimens, {t, state, link}) : null}
    ${models.length ? oneModel(models, specimens, {t, state, link}) : null}
  </div>`;
}

// What three hosts or more say of two specimens; never of their models.
function twoCapacities(specimens, {t, state, link}) {
  const pairs = Map.groupBy(specimens, (row) => [row.a_device_id, row.a_specimen, row.b_device_id, row.b_specimen].join(" "));
  return html`<section class="card"><h2 id="specimens">${t("specimens.title")}</h2>
    ${[...pairs.values()].map((found) => html`<p class="answer">${t.rich("specimens.answer", {
      a: t("specimens.name", {device: found[0].a_device, specimen: found[0].a_specimen}), b: t("specimens.name", {device: found[0].b_device, specimen: found[0].b_specimen}),
      equal: found.filter((row) => row.verdict === "equal").length, count: found.length, hosts: Math.max(...found.map((row) => row.host_count)),
      different: found.filter((row) => /faster/.test(row.verdict)).length, undecided: found.filter((row) => row.verdict === "undecided").length
    })}</p>`)}
    <p class="note">${t("specimens.note")}</p>
    ${folded("specimens-table", specimens, specimenColumns({t, link}), t("specimens.title"), {t, state})}
  </section>`;
}

// What one host says of two specimens of one model: of each pair the setups between which most workloads differ.
function oneModel(rows, capacities, {t, state, link}) {
  const pairs = [...Map.groupBy(rows, (row) => [row.device_id, row.a_specimen, row.b_specimen].join(" ")).values()].map((found) => found.toSorted((a, b) => decided(b) - decided(a))[0]);
  const furthest = (found) => Math.max(0, ...found.flatMap((row) => [row.ratio_low, row.ratio_high]).map((ratio) => Math.abs(Math.log(ratio))));
  const isMore = capacities.length && furthest(pairs) > Math.max(0, ...capacities.map(({ratio}) => Math.abs(Math.log(ratio))));
  return html`<section class="card"><h2 id="specimens-of-model">${t("specimens.model_title")}</h2>
    ${isMore ? html`<p class="answer">${t.rich("specimens.model_more")}</p>` : null}
    ${pairs.map((row) => html`<p class="answer">${t.rich("specimens.model_answer", {device: row.device, a: row.a_specimen, b: row.b_specimen, slower: row.slower_count, faster: row.faster_count, count: row.workload_count, ratio: quotient(row.ratio), low: quotient(row.ratio_low), high: quotient(row.ratio_high)})}</p>
      ${row.doubt ? html`<p class="note">${t.rich("specimens.model_doubt", {doubt: html`<q lang="en">${row.doubt}</q>`})}</p>` : null}`)}
    ${folded("specimens-model-table", rows, modelColumns({t, link}), t("specimens.model_title"), {t, state})}
  </section>`;
}
const decided = (row) => row.slower_count + row.faster_count;

const modelColumns = (page) => {
  const {t} = page, {num, ...c} = columns(page);
  return [
    c.configuration({id: "a", label: "A", side: "a_", head: true}), c.configuration({id: "b", label: "B", side: "b_"}), num("count", t("specimens.workloads"), "workload_count"), num("slower", t("specimens.b_slower"), "slower_count"),
    num("faster", t("specimens.b_faster"), "faster_count"), num("ratio", t("specimens.model_ratio"), "ratio", (value, row) => html`${quotient(value)} <small>${interval(row.ratio_low, row.ratio_high)}</small>`)
  ];
};

const specimenColumns = (page) => {
  const {t} = page, {text, num, ...c} = columns(page);
  const side = (id) => c.device({id, label: id.toUpperCase(), side: `${id}_`, head: false, name: (row) => t("specimens.name", {device: row[`${id}_device`], specimen: row[`${id}_specimen`]})});
  return [
    c.load({head: true}), c.depth({label: t("column.depth")}), side("a"), side("b"), num("hosts", t("specimens.hosts"), "host_count"),
    num("ratio", t("specimens.ratio"), "ratio", (value, row) => html`${quotient(value)} <small>${interval(row.ratio_low, row.ratio_high)}</small>`), text("verdict", t("column.verdict"), "verdict", {value: (row) => t(`specimens.verdict.${row.verdict.replaceAll(" ", "_")}`)})
  ];
};
