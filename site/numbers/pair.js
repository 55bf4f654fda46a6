// The page of two configurations: every comparison of them, their conditions, and what cannot be compared, with the reason.
import {condition, conditionValue, conditionsWords, isTested, verdictOf} from "../components/conditions.js";
import {count, interval, quotient} from "../components/format.js";
import {loadText, profileOf} from "../components/loads.js";
import {queryOf} from "../components/sql/numbers.js";
import {card, escapeHtml, h, joinParts, markup, metrics, say, sentence, t, terms, unknown} from "./html.js";
import {chips, citing, deviceLink, jsonOf, number, page, sqlAddress, submissionLink} from "./page.js";

export function pairPage(context, row) {
  const [a, b] = [row.a, row.b].map((name) => side(context, name));
  const same = a.device === b.device;
  const [first, second] = same ? distinguishTitles(a, b) : [a.device, b.device];
  const title = same ? `${a.device}: ${first} ÷ ${second}` : `${first} ÷ ${second}`;
  const query = queryOf("q", row.id);
  const trail = joinParts([deviceLink(context, a.device_id, a.device), deviceLink(context, b.device_id, b.device)], " ÷ ");
  const comparisons = row.comparisons;
  const tested = comparisons.filter(isTested).length;
  const body = h`<section class=top><h1 class=words>${same && h`${a.device}<br>`}A: ${first}<br>B: ${second}</h1><p>${sentence("number.told_pair", {count: comparisons.length})}${tested > 0 && h`${t("sentence.space")}${sentence("compare.tested", {count: tested})}`}</p>${chips(
    [...new Set(row.conditions.map(({evidence}) => evidence))].map((evidence) => h`${evidence}`)
  )}<p class=buttons><a class=main href="${context.home}compare?a=${encodeURIComponent(row.a)}&b=${encodeURIComponent(row.b)}">${say("number.compare_pair")}</a> <a href="${sqlAddress(context, "q", row.id)}">${say("number.sql")}</a></section>
<div class=cards>${[a, b].map((one, i) => h`<section><h2>${"AB"[i]}</h2>${terms([[say("cond.device"), deviceLink(context, one.device_id, one.device)], [say("number.configuration"), h`${one.title ?? one.configuration}`], [say("number.publication"), submissionLink(context, one.submission)]])}</section>`)}</div>
${differing(row)}<section><h2>${say("number.quotients")}</h2><div class=table tabindex=0 role=region aria-label="${t("number.quotients")}">${table(context, row, comparisons)}</div></section>${refusedSection(row)}${citing(context, {title, address: `q/${row.id}`, query, row: {submission_id: a.submission}})}`;
  return page(context, {title, description: `${title}: ${t("compare.pair_page", {count: comparisons.length})}.`.slice(0, 300), crumbs: trail, body, json: `q/${jsonOf("q", row.id)}`, observed: {"@type": "Dataset", name: title}});
}

function side(context, name) {
  const [submission, configuration] = name.split("/");
  const known = context.configurations[name] ?? {};
  return {submission, configuration, title: known.title, device: known.device ?? configuration, device_id: known.device_id};
}

// Two configurations of one device by their titles as far as these differ: by their words, or by the ends of their folders.
function distinguishTitles(a, b) {
  const [one, two] = [a, b].map(({title, configuration}) => (title ?? configuration).split(/[:;] folder /));
  if (one[0] !== two[0] || one.length < 2 || two.length < 2) return [one[0], two[0]];
  const [steps, others] = [one, two].map(([, folder]) => folder.split("/"));
  const from = Math.max(0, steps.findIndex((step, i) => step !== others[i]));
  return [steps, others].map((each) => each.slice(from).join("/") || each.at(-1));
}

const valueOrUnknown = (value, label) => value == null ? unknown(t("state.unknown")) : conditionValue(value, label);

function differing(row) {
  const differs = row.differences ?? [];
  return card("number.conditions", row.conditions.map((each) => h`<p>${t(`compare.conditions_${each.operation}`, {conditions: conditionsWords(each, t)})}`),
    differs.length > 0 && terms(differs.map((each) => [h`${condition(each.label, t)}`, h`${valueOrUnknown(each.a, each.label)} / ${valueOrUnknown(each.b, each.label)}`])));
}

// The place of a comparison on its page: eight digits of its id, which tell a few hundred apart.
const placeOf = (id) => id.slice(0, 8);

// At one block size IOPS and throughput have one ratio, and one row, which has the places of both.
const loadOf = ({workload_id: load, queue_depth: depth, a_section: a, b_section: b}) => [load, depth, a, b].join("/");
const near = (a, b) => a == null || b == null ? a == b : Math.abs(a - b) <= 1e-6 * Math.abs(b);
function twins(comparisons) {
  const rates = new Map(comparisons.filter(({metric}) => metric === "operations_per_second").map((each) => [loadOf(each), each]));
  return new Map(comparisons.filter(({metric}) => metric === "throughput_bytes_per_second").flatMap((each) => {
    const its = rates.get(loadOf(each));
    return its && ["ratio", "ratio_low", "ratio_high"].every((name) => near(each[name], its[name])) && its.verdict === each.verdict ? [[its.comparison_id, each]] : [];
  }));
}

// Comparisons of one workload and section are below one heading.
function table(context, row, comparisons) {
  const owners = [row.a, row.b].map((name) => name.split("/")[0]);
  let text = `<table class=full><thead><tr><th>${say("number.depth")}<th>${say("number.metric")}<th>A<th>B<th>A ÷ B<th class=verdict>${say("number.word")}<tbody>`;
  const twin = twins(comparisons), hidden = new Set(twin.values());
  let heading = null;
  for (const each of comparisons.filter((one) => !hidden.has(one))) {
    const sections = each.a_section === each.b_section ? each.a_section : `${each.a_section ?? "–"} / ${each.b_section ?? "–"}`;
    const its = escapeHtml([loadText(profileOf(context.workloads[each.workload_id] ?? {}, owners), t), sections].filter(Boolean).join("; "));
    const isFirst = its !== heading;
    if (isFirst) text += `<tr><th colspan=6>${heading = its}`;
    const {shown, unit, name} = metrics[each.metric];
    const kind = each.queue_depth == null ? "k" : "p";
    const value = (id, of) => of == null ? "–" : number(context, kind, id, `${shown(of)} ${unit(of)}`);
    const verdict = verdictOf(each, t).words;
    const choices = each.choice_ratio_high / each.choice_ratio_low > 1.1 ? `<br><small>${escapeHtml(t("compare.choices", {count: each.choice_count, range: interval(each.choice_ratio_low, each.choice_ratio_high)}))}</small>` : "";
    text += `<tr id=${placeOf(each.comparison_id)}><td>${each.queue_depth ?? t("point.peak")}<td>${t(name)}${twin.has(each.comparison_id) ? `<span id=${placeOf(twin.get(each.comparison_id).comparison_id)}>, ${t(metrics.throughput_bytes_per_second.name)}</span>` : ""}<td>${value(each.a_point_id, each.a_value)}<td>${value(each.b_point_id, each.b_value)}<td>${ratioText(each)}<td>${escapeHtml(verdict)}${each.verdict ? ` <small>(n = ${each.a_run_count ?? 1}, ${each.b_run_count ?? 1})</small>` : ""}${choices}`;
  }
  return markup(`${text}</table>`);
}

// The ratio with its interval; where a side is a bound, the end that is known.
function ratioText({ratio, ratio_low: low, ratio_high: high, verdict}) {
  if (ratio == null) return interval(low || null, high);
  return verdict && low != null && high != null ? `${quotient(ratio)} <small>[${interval(low, high)}]</small>` : quotient(ratio);
}

const SHOWN = 20;
function refusedSection(row) {
  const list = row.refused ?? [];
  if (!list.length) return null;
  return h`<section id=refused><h2>${say("number.refused")}</h2><ul>${list.slice(0, SHOWN).map((each) => h`<li><b>${say(`refused.${each.reason}`)}</b>${each.columns.length > 0 && h`: ${each.columns.join(", ").replaceAll("_", " ")}`} <small>${each.load}${each.count > 1 && h`, ${count(each.count)}`}</small>`)}</ul>${list.length > SHOWN && h`<p>${say("number.more", {count: list.length - SHOWN})}`}</section>`;
}

// Everything of the pair for programs: comparisons as lists of values below the names of their columns.
export function pairData(context, row) {
  const digits = (value) => typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(12)) : value ?? null;
  return {pair_id: row.id, release_id: context.release, a: row.a, b: row.b, conditions: row.conditions, differences: row.differences ?? [], excluded: row.refused ?? [], columns: Object.keys(row.comparisons[0]), comparisons: row.comparisons.map((each) => Object.values(each).map(digits))};
}
