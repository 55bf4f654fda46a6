/*---
words: checks
nav: {section: method, order: 640, name: checks.nav}
documents: [checks]
keywords: expectations great expectations plausibility validation quality
---*/
import {html} from "htl";
import {count, full} from "../components/format.js";
import {table} from "../components/table.js";

export default async function checks({rows, t, fragment}) {
  const found = await rows("checks");
  const asked = fragment();
  const stat = (number, key) => html`<div><b>${count(number)}</b><span>${t(key)}</span></div>`;
  return html`<div>
    <h1>${t("checks.title")}</h1>
    <p class="lede">${t("checks.lede")}</p>
    <div class="stats">${stat(found.length, "checks.count")}${stat(found.reduce((sum, d) => sum + (d.row_count ?? 0) - (d.missing_count ?? 0), 0), "checks.values")}${stat(found.filter((d) => !d.success).length, "checks.unmet")}</div>
    ${Array.from(Map.groupBy(found, (d) => d.suite), ([suite, its]) => html`<details class="card fold" id=${suite} open=${suite === asked}>
      <summary><h2><code>${suite}</code></h2><p>${its[0].description ?? ""}</p>${foldedWords(its, t)}</summary>
      ${table(its, shape(t), {caption: t("checks.caption", {count: its.length, table: suite === its[0].table ? suite : `${its[0].table} (${suite})`}), t})}</details>`)}
  </div>`;
}

function foldedWords(its, t) {
  const unmet = its.filter((d) => !d.success).length;
  return html`<span class=${unmet ? "flag" : "muted"}>${t(unmet ? "checks.folded_unmet" : "checks.folded", {count: its.length, unmet})}</span>`;
}

const shape = (t) => [
  {label: t("checks.expectation"), value: (d) => html`${expectationName(d, t)}<small>${bounds(d, t)}</small>`, head: true},
  {label: t("checks.columns"), value: (d) => (d.columns ?? []).map((name) => html`<code>${name}</code> `)},
  {label: t("checks.why"), value: (d) => d.reason ?? ""},
  {label: t("checks.rows"), value: (d) => count(d.row_count), num: true}, {label: t("checks.empty"), value: (d) => count(d.missing_count), num: true},
  {label: t("checks.outcome"), value: (d) => d.success ? html`<span class="nowrap">${t("checks.met")}</span>` : html`<span class="flag">${t("checks.not_met", {count: d.unexpected_count})}</span>${d.severity === "warn" ? html`<small>${t("checks.warned")}</small>` : null}`}
];

const expectationName = ({expectation}, t) => t.has(`checks.${expectation}`) ? t(`checks.${expectation}`) : html`<span lang="en">${expectation.replaceAll("_", " ")}</span>`;

const text = (value) => typeof value === "number" ? (Number.isInteger(value) ? count : full)(value) : typeof value === "object" ? JSON.stringify(value) : `${value}`;
const bounds = ({kwargs = {}}, t) => [
  kwargs.min_value == null ? null : t(kwargs.strict_min ? "checks.more_than" : "checks.from", {value: text(kwargs.min_value)}),
  kwargs.max_value == null ? null : t(kwargs.strict_max ? "checks.less_than" : "checks.to", {value: text(kwargs.max_value)}),
  ...Object.entries(kwargs).filter(([key, value]) => !/^(column|strict|min_value|max_value|ignore_row_if|or_equal|row_condition|condition_parser)/.test(key) && value != null).map(([key, value]) => `${key.replaceAll("_", " ")} ${text(value)}`)
].filter(Boolean).join(" ");
