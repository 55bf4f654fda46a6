// The page of a peak: the highest rate of a sweep over queue depths, or the one that a source states.
import {count, full} from "../components/format.js";
import {queryOf} from "../components/sql/numbers.js";
import {card, en, h, ja, markup, say, sentence, sentences, terms, unknown, word} from "./html.js";
import {bench, buttons, chips, citing, knownShare, number, page, rests} from "./page.js";
import {certain, divided} from "./point.js";
import {alsoAt} from "./same.js";
import {exact, heading, markOf, metrics, short, unitOf} from "./values.js";

export function peakPage(context, row) {
  const {metric, peak_value: value} = row;
  const load = context.load(row), device = context.device(row);
  const mark = markOf(row);
  const shown = `${mark}${metrics[metric].shown(value)} ${metrics[metric].unit(value)}`;
  const title = `${shown}: peak, ${load(en)}${row.queue_depth == null ? "" : `, at depth ${row.queue_depth}`}, ${device}`;
  const query = queryOf("k", row.id);
  const values = {load, device, depth: row.queue_depth ?? ""};
  const body = h`<section class=top>${heading(metric, value, {sign: mark})}${[en, ja].map((t) => h`<p${t.language === "ja" && markup(" lang=ja")}>${sentences(t, [sentence(t, row.queue_depth == null ? "number.told_peak_stated" : "number.told_peak", values), certain(t, {...row, metric}), row.is_peak_at_edge && sentence(t, "number.at_edge")])}`)}${chips([
    row.other && second(row.other), say(row.peak_origin === "stated" ? "number.stated" : "number.depths", {count: row.depth_count ?? 0}), row.n && word("number.runs_in_it", {count: row.n}), knownShare(context, row)
  ])}${buttons(context, {kind: "k", id: row.id, compare: `${row.submission_id}/${row.configuration_id}`})}</section>
<div class=cards>${asked(context, row)}${bench(context, row)}${computed(context, row)}${stands(context, row)}</div>${rests([...divided(context, row), ...shares(row), ...alsoAt(context, "k", row.other, row.other && [...divided(context, row.other), ...shares(row.other)])])}${citing(context, {kind: "k", id: row.id, title, brief: `${shown}, ${device}`, query, also: row.other && queryOf("k", row.other.id), row})}`;
  return {html: page(context, {kind: "k", id: row.id, title, about: `Peak of a sweep, ${row.submission_id}: every depth and the knee.`, row, body, value, unit: unitOf(metric)}), json: data(context, row)};
}

const asked = (context, row) => card("number.asked", terms([
  [say("number.depths_tried"), row.queue_depths ? h`${row.queue_depths}` : row.queue_depth_high != null ? h`${count(row.queue_depth_low ?? 1)}–${count(row.queue_depth_high)}` : unknown(word("number.not_stated"))],
  [say("number.section"), h`${row.section}`]
]));

// The same peak in the other metric (same.js).
const second = (row) => h`${markOf(row)}<data value=${row.peak_value}>${metrics[row.metric].shown(row.peak_value)}</data> ${metrics[row.metric].unit(row.peak_value)}`;

function computed(context, row) {
  const {metric, other} = row;
  const values = new Map((other?.steps ?? []).map((step) => [step.id, step.value]));
  const both = (value, id) => h`${exact(metric, value)}${values.get(id) != null && ` · ${exact(other.metric, values.get(id))}`}`;
  const steps = (row.steps ?? []).filter((step) => step.value != null);
  const knee = row.queue_depth_knee != null ? h`${row.queue_depth_before == null ? null : h`${row.queue_depth_before}–`}${row.queue_depth_knee}` : h`${(row.knee_verdict ?? "").replaceAll("_", " ") || unknown(say("state.unknown"))}`;
  return card("number.computed", terms([
    ...(row.peak_origin === "stated" ? [] : steps.map((step) => [say("number.depth_n", {n: step.depth}), number(context, "p", step.id, step.depth === row.queue_depth ? h`<b>${both(step.value, step.id)}</b>` : both(step.value, step.id))])),
    [say("point.peak"), row.peak_origin === "stated" ? h`${word("number.peak_as_stated")}: ${exact(metric, row.peak_value)}` : h`${word(row.n >= 3 ? "number.peak_folded" : "number.peak_highest", {count: steps.length})} ${exact(metric, row.peak_value)}${other && ` · ${exact(other.metric, other.peak_value)}`}`],
    row.plateau_count > 1 && [say("number.plateau"), h`${exact(metric, row.plateau_value)}${other?.plateau_value != null && ` · ${exact(other.metric, other.plateau_value)}`} (${word("number.plateau_of", {count: row.plateau_count})})`],
    row.peak_origin !== "stated" && [say("number.knee"), knee]
  ]));
}

const stands = (context, row) => card("number.place", row.results?.length
  ? markup(`<ul>${row.results.map((each) => h`<li>${number(context, "r", each.id, h`<q lang=mul>${each.text ?? each.unit}</q>`)}: ${each.file}, ${each.at}`.text).join("")}</ul>`)
  : h`<p>${say("number.in_points")}</p>`);

// What one drive, one gigabyte, one watt or one unit of money has of the peak.
const shares = (row) => (row.shares ?? []).filter((share) => share.divisor !== 1 || share.per !== "drive").map((share) => h`${say("number.per", {per: share.per.replaceAll("_", " ")})}: ${exact(row.metric, row.peak_value)} ÷ ${full(share.divisor)} = <b>${short(row.metric, share.value)}</b>${share.currency && h` (${share.currency}, ${share.date ?? "–"})`}${share.why && h` (${share.why})`}`);

const KEPT = ["submission_id", "configuration_id", "section", "workload_id", "load_profile", "load_basis", "metric", "peak_value", "low", "high", "kind", "n", "queue_depth", "peak_origin", "is_peak_at_edge", "knee_verdict", "queue_depth_before", "queue_depth_knee", "value_kind"];
const data = (context, row) => ({peak_id: row.id, release_id: context.release, ...Object.fromEntries(KEPT.map((name) => [name, row[name]])), points: (row.steps ?? []).filter((step) => step.value != null).map((step) => [step.id, step.depth, step.value]), result_ids: row.results?.map((each) => each.id)});
