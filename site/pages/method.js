/*---
title: method.title
description: method.description
nav: {section: method, order: 610, name: method.nav}
documents: [method, limits, methodsql]
keywords: derivation formula model lineage quotient scaling peak grade evidence verdict uncertainty interval limit comparability dbt
---*/
import {html} from "htl";
import {full} from "../components/format.js";
import {prose} from "../components/prose.js";
import {grade, table} from "../components/table.js";

const LAYERS = ["marts", "intermediate", "raw"];
const IDEALS = [
  ["independent_raid0", "p"], ["raid1", "1 / (r/p + w)"], ["raid10", "1 / (r/p + w / min(n/2, P))"],
  ["raid5", "1 / (r/p + w · max(4/n, 2 / min(n/2, P)))"], ["raid6", "1 / (r/p + w · max(6/n, 2 / min(n/3, P)))"]
];

// How the numbers are derived: the rules in words, then every model with its description, tests and SQL.
export default async function method({rows, t, base, state}) {
  const limits = await rows("limits");
  const models = await rows("method");
  const names = new Set(models.map((d) => d.name));
  const words = values(limits);
  const opened = models.filter((d) => state.isOpen(named(d)));
  const sql = new Map(opened.length ? (await rows("methodsql")).map((d) => [d.name, d.sql]) : []);
  const say = (key) => t.rich(`method.${key}`, words);
  const paragraph = (key) => html`<p>${say(key)}</p>`;
  return html`<div>
    <h1>${t("method.title")}</h1>
    <p class="lede">${t("method.lede")}</p>
    <p>${t.rich("method.way", {lineage: html`<a href=${`${base}/lineage/`}>${t("method.lineage")}</a>`})}</p>
    <h2>${t("method.compared")}</h2>${paragraph("three")}
    <h3 id="grade">${t("method.grade")}</h3>
    ${listed(t, "method.grades", ["A", "B", "C", "X"].map((letter) => [grade(letter, t), t(`method.grade_${letter}`)]), ["method.grade", "method.means"])}
    ${paragraph("roles")}
    <h3 id="evidence">${t("method.evidence")}</h3>${paragraph("evidences")}
    <h3 id="uncertainty">${t("method.sure")}</h3>${paragraph("interval")}${paragraph("repetitions")}
    <pre class="formula" tabindex="0" aria-label=${t("method.formula")}>${t("method.formula_text")}</pre>${paragraph("sessions")}
    <h3 id="verdict">${t("method.verdict")}</h3>
    ${listed(t, "method.verdicts", ["equal", "faster", "undecided", "assumed"].map((name) => [say(`verdict_${name}`), say(`when_${name}`)]), ["method.verdict", "method.when"])}
    ${paragraph("together")}
    <h3 id="peaks">${t("method.peaks")}</h3>${paragraph("peaks_words")}
    <h3 id="scaling">${t("method.scaling")}</h3>${paragraph("scaling_words")}
    ${listed(t, "method.times_one", IDEALS.map(([name, ideal]) => [t(`method.array_${name}`), ideal]), ["method.array", "method.ideal"])}
    ${paragraph("scaling_more")}
    <h3 id="what-was-considered-and-not-compared">${t("method.excluded")}</h3>${paragraph("excluded_words")}
    <h3 id="limits">${t("method.limits")}</h3>${paragraph("limits_words")}
    <details class="data"><summary>${t("method.all_limits", {count: limits.length})}</summary>${limitTable(limits, t)}</details>
    ${LAYERS.map((layer) => html`<h2 id=${layer}>${t(`method.layer_${layer}`)}</h2>
      ${models.filter((d) => d.layer === layer).map((d) => model(d, names, sql, {t, state}))}`)}
  </div>`;
}

// The numbers that the sentences name, as the table of limits has them.
function values(limits) {
  const limit = (id) => +limits.find((d) => d.limit_id === id).limit_value;
  const share = (id) => `${full(limit(id) * 100)} %`;
  return {
    runs: limit("least_repetitions"), certain: `${full(100 - limit("significance") * 100)} %`, significance: share("significance"),
    session: limit("session_spread"), minutes: limit("session_gap") / 60, outlier: limit("outlier_score"), margin: limit("margin"),
    spread: share("assumed_spread"), factor: full(+Math.exp(1.96 * Math.SQRT2 * limit("assumed_spread")).toPrecision(3)),
    plateau: share("plateau_share"), superlinear: limit("superlinear")
  };
}

const listed = (t, caption, entries, [first, second]) => table(entries, [
  {label: t(first), value: ([name]) => name, head: true}, {label: t(second), value: ([, text]) => text}
], {caption: t(caption), t});

const UNITLESS = new Set(["ratio", "count", "log"]);
const limitTable = (limits, t) => table(limits, [
  {label: t("method.limit"), value: (d) => d.limit_id.replaceAll("_", " "), head: true},
  {label: t("method.value"), value: (d) => `${d.limit_text || full(+d.limit_value)} ${UNITLESS.has(d.unit) ? "" : d.unit}`, num: true},
  {label: t("method.why"), value: (d) => html`<span lang="en">${d.reason}</span>`}, {label: t("method.from"), value: (d) => html`<span lang="en">${d.source}</span>`}
], {caption: t("method.limits_caption"), t});

const named = (d) => `sql-${d.name}`;

// One model: what it says of itself, what it reads, its unit tests, and its SQL, which is asked for when it is opened.
function model(d, names, sql, {t, state}) {
  const reads = d.reads.filter((name) => names.has(name));
  return html`<section class="card" id=${d.name}><h3><code>${d.name}</code></h3><div>${prose(d.description)}</div>
    ${reads.length ? html`<p class="small muted">${t("method.reads")} ${reads.map((name, i) => html`${i ? ", " : ""}<a href=${`#${name}`}>${name}</a>`)}</p>` : null}
    ${d.tests.length ? html`<details class="data"><summary>${t("method.tests", {count: d.tests.length})}</summary><ul class="small" lang="en">${d.tests.map((said) => html`<li>${said}</li>`)}</ul></details>` : null}
    ${d.layer === "raw" ? null : html`<div class="scripted">${state.details({name: named(d), summary: t("method.sql"), body: () => html`<pre tabindex="0" aria-label=${t("method.sql_of", {model: d.name})}><code>${sql.get(d.name) ?? ""}</code></pre>`})}</div>`}
  </section>`;
}
