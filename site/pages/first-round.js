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
import {count, interval, quotient} from "../components/format.js";
import {loadText} from "../components/loads.js";
import {configurationLink} from "../components/records.js";
import {folded} from "../components/table.js";

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

const modelColumns = ({t, link}) => [
  {id: "a", label: "A", value: (row) => configurationLink({...row, configuration_id: row.a_configuration_id}, row.a_title, link), sort: (row) => row.a_title, head: true},
  {id: "b", label: "B", value: (row) => configurationLink({...row, configuration_id: row.b_configuration_id}, row.b_title, link), sort: (row) => row.b_title},
  {id: "count", label: t("specimens.workloads"), value: (row) => count(row.workload_count), sort: (row) => row.workload_count, num: true},
  {id: "slower", label: t("specimens.b_slower"), value: (row) => count(row.slower_count), sort: (row) => row.slower_count, num: true},
  {id: "faster", label: t("specimens.b_faster"), value: (row) => count(row.faster_count), sort: (row) => row.faster_count, num: true},
  {id: "ratio", label: t("specimens.model_ratio"), value: (row) => html`${quotient(row.ratio)} <small>${interval(row.ratio_low, row.ratio_high)}</small>`, sort: (row) => row.ratio, num: true}
];

const specimenColumns = ({t, link}) => [
  {id: "load", label: t("load.load_profile"), value: (row) => loadText(row.load_profile, t), sort: (row) => row.load_profile, head: true},
  {id: "depth", label: t("column.depth"), value: (row) => String(row.queue_depth), sort: (row) => row.queue_depth, num: true},
  {id: "a", label: "A", value: (row) => html`<a href=${link(`devices/${row.a_device_id}`)}>${t("specimens.name", {device: row.a_device, specimen: row.a_specimen})}</a>`, sort: (row) => row.a_device},
  {id: "b", label: "B", value: (row) => html`<a href=${link(`devices/${row.b_device_id}`)}>${t("specimens.name", {device: row.b_device, specimen: row.b_specimen})}</a>`, sort: (row) => row.b_device},
  {id: "hosts", label: t("specimens.hosts"), value: (row) => String(row.host_count), sort: (row) => row.host_count, num: true},
  {id: "ratio", label: t("specimens.ratio"), value: (row) => html`${quotient(row.ratio)} <small>${interval(row.ratio_low, row.ratio_high)}</small>`, sort: (row) => row.ratio, num: true},
  {id: "verdict", label: t("specimens.verdict"), value: (row) => t(`specimens.verdict.${row.verdict.replaceAll(" ", "_")}`), sort: (row) => row.verdict}
];
