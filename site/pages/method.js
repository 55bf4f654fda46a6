/*---
words: method
nav: {section: method, order: 610, name: method.nav}
documents: [method, limits, methodsql]
keywords: derivation formula model lineage limit sql dbt
---*/
import {html} from "htl";
import {prose} from "../components/records.js";
import {full} from "../components/format.js";
import {table} from "../components/table.js";

const CHAPTERS = ["statistics", "gate"];
const LAYERS = ["marts", "intermediate", "raw"];

export default async function method({rows, t, base, link, state, fragment}) {
  const limits = await rows("limits");
  const models = await rows("method");
  const names = new Set(models.map((d) => d.name));
  const opened = models.filter((d) => state.isOpen(anchorOf(d)));
  const sql = new Map(opened.length ? (await rows("methodsql")).map((d) => [d.name, d.sql]) : []);
  return html`<div>
    <h1>${t("method.title")}</h1>
    <p class="lede">${t("method.lede")}</p>
    <p>${t.rich("method.way", {lineage: html`<a href=${`${base}/lineage/`}>${t("method.lineage")}</a>`})}</p>
    <ul>${CHAPTERS.map((name) => html`<li><a href=${link(name)}>${t(`${name}.title`)}</a>: ${t(`${name}.description`)}</li>`)}</ul>
    <h2 id="limits">${t("method.limits")}</h2><p>${t.rich("method.limits_words")}</p>
    <details class="data"><summary>${t("method.all_limits", {count: limits.length})}</summary>${limitTable(limits, t)}</details>
    ${LAYERS.map((layer) => html`<h2 id=${layer}>${t(`method.layer_${layer}`)}</h2>
      ${models.filter((d) => d.layer === layer).map((d) => model(d, names, sql, {t, state, fragment}))}`)}
  </div>`;
}

const UNITLESS = new Set(["ratio", "count", "log"]);
const limitTable = (limits, t) => table(limits, [
  {label: t("method.limit"), value: (d) => d.limit_id.replaceAll("_", " "), head: true},
  {label: t("submission.value"), value: (d) => `${d.limit_text || full(+d.limit_value)} ${UNITLESS.has(d.unit) ? "" : d.unit}`, num: true},
  {label: t("column.reason"), value: (d) => html`<span lang="en">${d.reason}</span>`}, {label: t("method.from"), value: (d) => html`<span lang="en">${d.source}</span>`}
], {caption: t("method.limits_caption"), t});

const anchorOf = (d) => `sql-${d.name}`;

function model(d, names, sql, {t, state, fragment}) {
  const reads = d.reads.filter((name) => names.has(name));
  const [first] = /^.*?(?:\.(?=\s|$)|。|$)/s.exec(d.description ?? "");
  return html`<details class="card fold" open=${fragment() === d.name || state.isOpen(anchorOf(d))}><summary><h3><code>${d.name}</code></h3>${prose(first)}</summary><div id=${d.name}>${prose((d.description ?? "").slice(first.length))}
    ${reads.length ? html`<p class="small muted">${t("method.reads")} ${reads.map((name, i) => html`${i ? ", " : ""}<a href=${`#${name}`}>${name}</a>`)}</p>` : null}
    ${d.tests.length ? html`<details class="data"><summary>${t("method.tests", {count: d.tests.length})}</summary><ul class="small" lang="en">${d.tests.map((said) => html`<li>${said}</li>`)}</ul></details>` : null}
    ${d.layer === "raw" ? null : html`<div class="scripted">${state.details({name: anchorOf(d), summary: t("method.sql"), body: () => html`<pre tabindex="0" aria-label=${t("method.sql_of", {model: d.name})}><code>${sql.get(d.name) ?? ""}</code></pre>`})}</div>`}
  </div></details>`;
}
