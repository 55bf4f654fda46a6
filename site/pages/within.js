/*---
title: within.title
description: within.description
nav: {section: load, order: 215, name: nav.within}
queries: [within]
parts: loads
keywords: iops latency limit objective slo within p99 p99.9 100k 50k
---*/
import {html} from "htl";
import {cells} from "../components/table.js";
import {answersWithin, amountOf, STATISTICS, stepCurves} from "../components/charts/within.js";
import {figure, heading} from "../components/figure.js";
import {iops, latency, latencyTick, tick} from "../components/format.js";
import {FIRST, byLoad, loadText} from "../components/loads.js";
import {partName} from "../components/points.js";

const slug = (text) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

export default async function page({part, parts, t, state, link, number}) {
  const groups = (await parts("within")).map((each) => ({...each, value: slug(each.label)}));
  const usual = (groups.find(({label}) => label === FIRST) ?? groups[0])?.value;
  const group = state.choice("w", groups.map(({value}) => value), usual);
  const [all] = await part("within", groups.find(({value}) => value === group)?.part, ["within"]);
  // a set has several loads, which one source presents together
  const loads = [...new Set(all.toSorted(byLoad).map((row) => row.load_profile))];
  const own = state.choice("load", loads.map(slug), loads[0] && slug(loads[0]));
  const load = loads.find((each) => slug(each) === own);
  const asked = {iops: state.text("iops", "50k"), within: state.text("within", "1ms")};
  const rate = amountOf(asked.iops) ?? 50_000, limit = amountOf(asked.within, "s") ?? 0.001;
  const by = state.choice("by", STATISTICS.map(({id}) => id), "mean");
  const statistic = STATISTICS.find(({id}) => id === by);
  const points = all.filter((row) => row.load_profile === load);
  const found = answersWithin(points, {rate, limit, by});
  const words = {rate: tick(rate), limit: latencyTick(limit), by: t(`within.by_${by}`)};
  return html`<div class="answers">
    ${heading({question: t("within.question", words), answer: answer(found, words, t), sub: t("within.sub", {load: load ? loadText(load, t) : ""})})}
    <div class="controls">
      ${slider({name: "iops", label: t("within.rate"), value: asked.iops, amount: rate, from: 100, to: 1e6, write: iops, state})}
      ${slider({name: "within", label: t("within.limit"), value: asked.within, amount: limit, from: 2e-5, to: 0.1, write: latency, state})}
      ${state.buttons({name: "by", label: t("within.statistic"), options: STATISTICS.map(({id, name}) => ({value: id, label: name ?? t("within.mean")})), fallback: "mean"})}
      ${groups.length > 1 ? state.select({name: "w", label: t("column.load"), options: groups.map((each) => ({value: each.value, label: partName(each, t)})), fallback: usual}) : null}
      ${loads.length > 1 ? state.select({name: "load", label: t("column.load"), options: loads.map((each) => ({value: slug(each), label: loadText(each, t)})), fallback: slug(loads[0])}) : null}
    </div>
    ${found.length ? figure({
      id: "within", question: t("within.figure", words), load: loadText(load, t), note: t("within.note"), query: "within", t, state, link,
      draw: (width) => stepCurves(points, {width, t, number, rate, limit, by, found}),
      rows: found, columns: columns({t, number, link, statistic, words})
    }) : html`<p class="note">${t("within.none")}</p>`}
  </div>`;
}

function answer(found, words, t) {
  const yes = found.filter((row) => row.answer === "yes");
  if (!found.length) return t("within.none");
  if (!yes.length) {
    const best = found.filter((row) => row.best).toSorted((a, b) => b.best.operations_per_second - a.best.operations_per_second)[0];
    return best ? t("within.answer_none", {...words, drive: best.short_name, best: iops(best.best.operations_per_second)}) : t("within.answer_nothing", words);
  }
  return t.rich("within.answer", {...words, count: found.length, yes: html`<b class="key">${t("within.of", {yes: yes.length, count: found.length})}</b>`, unknown: found.filter((row) => row.answer === "unknown").length});
}

// A field for an amount ("50k", "1ms") with a slider on a log scale beside it.
const STEPS = 200;
function slider({name, label, value, amount, from, to, write, state}) {
  const at = Math.round(Math.log(amount / from) / Math.log(to / from) * STEPS);
  const field = html`<input type="text" id=${`state-${name}`} name=${name} value=${value} autocomplete="off" spellcheck="false">`;
  field.onchange = () => state.set({[name]: field.value}, {push: false});
  const range = html`<input type="range" id=${`range-${name}`} aria-label=${label} min="0" max=${STEPS} value=${Math.min(STEPS, Math.max(0, at))}>`;
  range.onchange = () => state.set({[name]: write(from * (to / from) ** (range.value / STEPS), {digits: 2}).replaceAll(/\s/g, "").replace("µ", "u")}, {push: false});
  return html`<label class="control scripted amount"><span>${label}</span>${field}${range}</label>`;
}

const columns = ({statistic, words, ...page}) => {
  const {t} = page, {text, num, ...c} = cells(page);
  const best = (id, label, key, format, more) => num(id, label, (row) => row.best?.[key], format, more);
  return [
    c.drive(), text("answer", t("within.question", words), (row) => ["yes", "unknown", "no"].indexOf(row.answer), {value: (row) => t(`within.${row.answer}`)}),
    best("rate", t("within.highest"), "operations_per_second", (value, {best: its}) => html`<a href=${page.number("p", its.point_id)}>${its.is_bound ? "≥ " : ""}${iops(value)}</a>`, {unit: "IOPS"}),
    best("depth", t("axis.queue_depth"), "queue_depth"), best("mean", t("axis.latency_mean"), "latency_mean_seconds", latency), best("p999", "p99.9", "p999_seconds", latency),
    {id: "why", label: t("column.reason"), value: (row) => row.best?.engine ?? (row.answer === "unknown" ? t(`within.why_${row.why}`, {statistic: statistic.name ?? t("within.mean")}) : null)}
  ];
};
