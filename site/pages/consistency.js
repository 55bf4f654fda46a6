/*---
title: consistency.title
description: consistency.description
nav: {section: trust, order: 430, name: consistency.nav}
queries: [consistency-strips, consistency-little, consistency-limits, consistency-mix, consistency-transactions]
parts: submissions
keywords: consistency little's law mix limit transaction check plausibility residual
---*/
import {html} from "htl";
import {strips, stripsAnswer} from "../components/charts/strips.js";
import {figure, heading} from "../components/figure.js";
import {count, iops, latency, percent, throughput} from "../components/format.js";
import {byLoad, loadText} from "../components/loads.js";
import {verdictText} from "../components/marks.js";
import {table} from "../components/table.js";

const QUERIES = ["consistency-little", "consistency-limits", "consistency-mix", "consistency-transactions"];
const NEAR = 0.05;
const MOST_BYTES = 12_000;
const total = (rows, name) => rows.reduce((sum, d) => sum + d[name], 0);
const signed = (ratio, digits = 1) => `${ratio > 0 ? "+" : ""}${(ratio * 100).toFixed(digits)}`.replace("-", "−");

// Where a number comes from: the configuration, and below it its conditions and the part of the publication.
const source = (d, {link}) => html`<a href=${link(`submissions/${d.submission_id}`, {hash: d.configuration_id})}>${d.title ?? d.configuration_id}</a><small lang="en">${[d.conditions, d.section].filter(Boolean).join("; ")}</small>`;

// Whether the numbers of one source fit each other: rate, latency and depth; limits; the mix; transactions.
export default async function consistency(context) {
  const {parts, part, rows, t, state} = context;
  const [listed, all] = [await parts("consistency"), await rows("consistency-strips")];
  const told = stripsAnswer(all, {t});
  // the first source shown is the one that can be checked most, as far as a page may weigh
  const fallback = listed.filter((d) => d.bytes <= MOST_BYTES).toSorted((a, b) => b.bytes - a.bytes)[0]?.part ?? listed[0]?.part;
  const chosen = state.choice("part", listed.map((d) => d.part), fallback);
  const [laws, limits, mixes, transactions] = await part("consistency", chosen, QUERIES);
  const stat = (found, all, key) => all === 0 ? null : html`<div><b>${t("consistency.of", {found: count(found), all: count(all)})}</b><span>${t(key)}</span></div>`;
  return html`<div class="answers">
    ${heading({question: t("consistency.title"), answer: told.heading, sub: told.sub})}
    ${all.length ? figure({...context, id: "strips", question: t("strips.question"), note: t("strips.note"), query: "consistency-strips", draw: (width) => strips(all, {width, t, link: context.link, chosen})}) : null}
    <p class="note">${t.rich("consistency.compared")}</p>
    ${listed.length > 1 ? state.select({name: "part", label: t("column.submission"), options: listed.map((d) => ({value: d.part, label: d.label})), fallback}) : null}
    <div class="stats">
      ${stat(laws.filter((d) => Math.abs(d.residual_ratio) <= NEAR).length, laws.length, "consistency.keep_law")}
      ${stat(total(limits, "point_count") - total(limits, "beyond_count"), total(limits, "point_count"), "consistency.within")}
      ${stat(total(mixes, "point_count") - total(mixes, "different_count"), total(mixes, "point_count"), "consistency.mixed")}
      ${stat(transactions.filter((d) => d.is_stable).length, transactions.length, "consistency.stable")}
    </div>
    ${law(laws, context)}${limit(limits, context)}${mix(mixes, context)}${transaction(transactions, context)}
  </div>`;
}

// The results of the chosen submission that are off, by setup and workload.
function law(laws, context) {
  const {t, state} = context;
  const off = laws.filter((d) => Math.abs(d.residual_ratio) > NEAR);
  const rows = Array.from(Map.groupBy([...off].sort(byLoad), (d) => [d.load_profile, d.submission_id, d.configuration_id, d.section, d.verdict].join("\n")).values(), (its) => ({
    ...its[0], runs: its.length, depths: [...new Set(its.map((d) => d.queue_depth))].join(", "), lowest: Math.min(...its.map((d) => d.residual_ratio)), highest: Math.max(...its.map((d) => d.residual_ratio))
  }));
  return html`<h2 id="law">${t("consistency.law")}</h2><p>${t("consistency.law_words")}</p>
    ${rows.length ? table(rows, [
      {label: t("column.load"), value: (d) => loadText(d.load_profile, t), head: true}, {label: t("checks.outcome"), value: (d) => html`${verdictText([d.verdict], t)}<small lang="en">${d.reasons?.join("; ")}</small>`},
      {label: t("column.runs"), value: (d) => d.runs, num: true}, {label: t("consistency.depths"), value: (d) => d.depths}, {label: t("consistency.off"), value: (d) => d.runs > 1 ? t("consistency.range", {low: signed(d.lowest), high: signed(d.highest)}) : signed(d.lowest), num: true},
      {label: t("consistency.latency"), value: (d) => d.latency_kind ?? t("consistency.span_unknown")}, {label: t("device.configuration"), value: (d) => source(d, context)}
    ], {caption: t("consistency.law_off", {count: off.length, all: laws.length}), t, state, id: "law-table", first: 12}) : html`<p class="note">${t(laws.length ? "consistency.law_all" : "consistency.law_empty")}</p>`}`;
}

function limit(limits, context) {
  const {t, base} = context;
  const shown = (d, value) => d.check_name === "stated limit" ? throughput(value) : latency(value);
  return html`<h2 id="limits">${t("consistency.limits")}</h2><p>${t("consistency.limits_words")}</p>
    ${limits.length ? table(limits, [
      {label: t("device.configuration"), value: (d) => source(d, context), head: true}, {label: t("column.load"), value: (d) => loadText(d.load_profile, t)},
      {label: t("consistency.highest"), value: (d) => shown(d, d.checked_value), num: true},
      {label: t("consistency.limit"), value: (d) => html`${shown(d, d.limit_value)}<small>${d.href ? html`<a href=${`${base}/${d.href}`}>${d.printed_text}</a> ${t("consistency.per_drive")}` : t("consistency.half_rotation")}</small>`, num: true},
      {label: t("consistency.share"), value: (d) => percent(d.share_ratio), num: true},
      {label: t("consistency.values"), value: (d) => html`${d.point_count}<small>${d.beyond_count ? t("consistency.beyond", {count: d.beyond_count}) : t("consistency.all_within")}</small>`, num: true}
    ], {caption: t("consistency.limits_caption"), t}) : html`<p class="note">${t("consistency.limits_empty")}</p>`}`;
}

function mix(mixes, context) {
  const {t} = context;
  return html`<h2 id="mix">${t("consistency.mix")}</h2>
    ${mixes.length ? table(mixes, [
      {label: t("column.load"), value: (d) => loadText(d.load_profile, t), head: true}, {label: t("consistency.asked"), value: (d) => percent(d.read_ratio), num: true},
      {label: t("consistency.furthest"), value: (d) => html`${t("consistency.range", {low: signed(d.lowest_ratio, 2), high: signed(d.highest_ratio, 2)})}<small>${t("consistency.percentage_points")}</small>`, num: true},
      {label: t("column.runs"), value: (d) => html`${d.point_count}<small>${d.different_count ? t("consistency.different", {count: d.different_count}) : t("consistency.all_near")}</small>`, num: true},
      {label: t("device.configuration"), value: (d) => source(d, context)}
    ], {caption: t("consistency.mix_caption"), t}) : html`<p class="note">${t("consistency.mix_empty")}</p>`}`;
}

function transaction(transactions, context) {
  const {t} = context;
  const spread = 1.25 * Math.max(...transactions.map((d) => d.operations_per_transaction_ratio / d.operations_per_transaction_limit));
  return html`<h2 id="transactions">${t("consistency.transactions")}</h2><p>${t("consistency.transactions_words")}</p>
    ${transactions.length ? html`${table(transactions, [
      {label: t("device.configuration"), value: (d) => source(d, context), head: true},
      {label: t("consistency.per_second"), value: (d) => html`${iops(d.transactions_per_second)}<small>${t("consistency.each_drive", {value: iops(d.transactions_per_drive_per_second)})}</small>`, num: true},
      {label: "IOPS", value: (d) => iops(d.operations_per_second), num: true},
      {label: t("consistency.per_transaction"), value: (d) => html`${iops(d.operations_per_transaction_ratio)}<small>${t(d.is_stable == null ? "consistency.cannot_tell" : d.is_stable ? "consistency.is_stable" : "consistency.not_stable")}</small>`, num: true},
      {label: t("consistency.response"), value: (d) => latency(d.latency_mean_seconds), num: true},
      {label: t("consistency.under_way"), value: (d) => html`${d.concurrency_value == null ? "–" : d.concurrency_value.toFixed(1)}<small>${d.process_count ? t("consistency.users", {count: d.process_count}) : t("consistency.no_users")}</small>`, num: true}
    ], {caption: t("consistency.transactions_caption"), t})}<p class="small muted">${t("consistency.transactions_note", {spread: spread.toFixed(2)})}</p>` : html`<p class="note">${t("consistency.transactions_empty")}</p>`}`;
}
