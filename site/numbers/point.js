// The page of a point: one load, one configuration, the geometric mean of its runs.
import {depth, interval} from "../components/format.js";
import {queryOf} from "../components/sql/numbers.js";
import {card, en, h, ja, joined, markup, say, sentence, sentences, terms, unknown, word} from "./html.js";
import {bench, buttons, checks, chips, citing, knownShare, number, page, placeRow, rawFile, rests} from "./page.js";
import {between, digits, exact, heading, metrics, metricsOf, others, ratio, short, sign, unitOf} from "./values.js";

const PART = {operations_per_second: "operations", throughput_bytes_per_second: "throughput", latency_mean_seconds: "latency"};

export function pointPage(context, row) {
  const measured = metricsOf(row, context.workload(row).access_pattern);
  const [metric] = measured;
  if (!metric) return null;
  const value = row[metric];
  const load = context.load(row), device = context.device(row);
  const shown = `${sign(row)}${metrics[metric].shown(value)} ${metrics[metric].unit(value)}`;
  const title = `${shown}: ${load(en)}, depth ${row.queue_depth}, ${device}`;
  const query = queryOf("p", row.id, metric);
  const [run] = row.runs ?? [];
  const first = run?.parts?.[0];
  const body = h`<section class=top>${heading(metric, value, {sign: sign(row)})}${[en, ja].map((t) => h`<p${t.language === "ja" && markup(" lang=ja")}>${sentences(t, [sentence(t, "number.told", {load: load(t), device, depth: row.queue_depth}), certainty(t, row, metric)])}`)}${chips([
    say("number.runs_in_it", {count: row.repetition_count}), row.session_count > 1 && say("number.sessions", {count: row.session_count}),
    row.outlier_count ? say("number.outliers", {count: row.outlier_count}) : null, knownShare(context, row)
  ])}${buttons(context, {kind: "p", id: row.id, metric, raw: first && rawFile(context, row.submission_id, first.file), compare: `${row.submission_id}/${row.configuration_id}`})}</section>
<div class=cards>${asked(context, row)}${bench(context, row, {measured: row.first_started_at && h`${row.first_started_at.replace(/\.\d+$/, "")}${row.last_started_at !== row.first_started_at && h` – ${row.last_started_at.replace(/\.\d+$/, "")}`}`})}${computed(context, row, measured)}${stands(context, row)}</div>${checks(row.checks)}${rests(resting(context, row))}${citing(context, {kind: "p", id: row.id, title, brief: `${shown}, ${device}`, query, row})}`;
  return {html: page(context, {kind: "p", id: row.id, title, about: `One load, one depth, ${row.submission_id}: every run behind the mean.`, row, body, value, unit: unitOf(metric)}), json: data(context, row)};
}

// How sure the value is: an interval and where it comes from, or that there is none and why.
export function certainty(t, row, metric) {
  const {ends: [low, high], kind} = metrics[metric];
  return certain(t, {low: row[low], high: row[high], kind: row[kind], n: row.repetition_count, metric, least: row[low.replace(/_(low)_/, "_min_")], most: row[high.replace(/_(high)_/, "_max_")]});
}
export function certain(t, {low, high, kind, n, metric, least, most}) {
  const unit = metrics[metric].unit(high ?? low ?? 1);
  if (low != null || high != null) {
    const key = /repetitions|sessions/.test(kind) ? "number.interval" : /bound/.test(kind) ? "number.interval_bound" : "number.interval_rounding";
    const ends = {ends: `${between(metric, low, high)} ${unit}`, count: n ?? 1};
    return key !== "number.interval_rounding" || n > 1 ? sentence(t, key, ends) : sentences(t, [sentence(t, "number.without_interval"), sentence(t, key, ends)]);
  }
  if (n > 1 && least != null && most !== least) return sentence(t, "number.few_runs", {count: n, ends: `${between(metric, least, most)} ${metrics[metric].unit(most)}`});
  return sentence(t, "number.without_interval");
}

export const perDrive = (row) => row.drive_count > 1 && [say("number.depth_per_drive"), row.queue_depth_per_drive == null ? unknown(word("number.not_stated")) : h`${ratio(row.queue_depth_per_drive)}`];

// Its load stands above.
const asked = (context, row) => card("number.asked", terms([
  [say("number.depth"), h`${depth(row, en)}${row.load_basis !== "outstanding" && h` (${row.load_basis.replaceAll("_", " ")})`}`],
  perDrive(row),
  [say("cond.tool"), joined([row.engine, row.is_direct == null ? null : row.is_direct ? "direct" : "buffered", row.section], ", ")]
]));

// Every run with its parts, and the mean written out.
function computed(context, row, [metric, ...rest]) {
  const name = PART[metric];
  const all = (row.runs ?? []).filter((run) => run[name] != null);
  const runs = all.some((run) => !run.bound) ? all.filter((run) => !run.bound) : all;
  const whole = (run) => h`${exact(metric, run[name])}`;
  const list = runs.map((run, i) => {
    const parts = (run.parts ?? []).filter((part) => part[name] != null);
    const links = joined(parts.map((part) => number(context, "r", part.id, parts.length > 1 ? h`${part.operation} ${short(metric, part[name])}` : whole(run))), metric === "latency_mean_seconds" ? " · " : " + ");
    return [h`${say("number.run")} ${run.run ?? i + 1}`, parts.length > 1 ? h`${links} = ${whole(run)}${metric === "latency_mean_seconds" && h` (${word("number.weighed")})`}` : parts.length ? links : whole(run)];
  });
  const origin = row[metric === "operations_per_second" ? "operations_origin" : "throughput_origin"];
  const other = others(row, rest);
  return card("number.computed", terms([
    ...list,
    [say("number.mean"), runs.length > 1 ? h`${runs.length > 5 ? null : h`(${joined(runs.map((run) => h`${digits(run[name])}`), " × ")})<sup>1/${runs.length}</sup> = `}${exact(metric, row[metric])}` : h`${word("number.of_one")}: ${exact(metric, row[metric])}`],
    metric !== "latency_mean_seconds" && origin === "derived" && [say("number.derived"), word("number.derived_how")],
    other && [say("number.others"), other]
  ]));
}

// Where the runs stand: each result has its page, which quotes the line.
function stands(context, row) {
  const parts = (row.runs ?? []).flatMap((run) => run.parts ?? []);
  const list = parts.slice(0, 6).map((part) => {
    const file = context.file(row.submission_id, part.file);
    const n = file?.line(part.at);
    return h`<li>${number(context, "r", part.id, h`${part.file}`)}: ${n != null ? word("number.line", {n, total: file.lines.length}) : part.at}`;
  });
  return card("number.place", parts.length === 1 ? terms([placeRow(parts[0].file, parts[0].at, context.file(row.submission_id, parts[0].file)?.line(parts[0].at), context.file(row.submission_id, parts[0].file)?.lines.length), [say("number.result"), number(context, "r", parts[0].id, word("number.with_lines"))]]) : [markup(`<ul>${list.map((each) => each.text).join("")}</ul>`), parts.length > 6 && h`<p>${word("number.more", {count: parts.length - 6})}</p>`]);
}

// A quotient in passing; where a side is a bound, the end that is known, or that none is.
const factorText = ({ratio: value, low, high}) => value == null && low == null && high == null ? say("number.no_quotient") : h`<b>${value == null ? interval(low, high) : ratio(value, 3)} ×</b>`;

// The comparisons and factors of a point or a peak: the best of each other device, and how many there are.
export const divided = (context, row) => [
  ...(row.quotients ?? []).map((each) => h`÷ ${number(context, "q", `${each.pair}#${each.id.slice(0, 8)}`, each.other)}: ${factorText(each)}${each.measured === "latency_mean_seconds" && h` (${say("number.latency")})`}`),
  row.quotient_count > (row.quotients?.length ?? 0) && h`${say("number.quotients_in_all", {count: row.quotient_count})}`,
  ...(row.factors ?? []).map((each) => number(context, "s", each.id, h`${say("number.factor_of", {drives: each.drives, factor: ratio(each.factor, 3)})}`)),
  row.factor_count > 4 && h`${word("number.more", {count: row.factor_count - 4})}`
];

// What rests on a point.
export const resting = (context, row) => [
  ...(row.peaks ?? []).map((peak) => h`${number(context, "k", peak.id, h`${say("point.peak")}, ${say(metrics[peak.metric].name)}`)}${peak.at === row.queue_depth && h` (${word("number.this_depth")})`}${peak.knee === row.queue_depth && h` (${word("number.knee_here", {before: peak.before ?? "–", knee: peak.knee})})`}`),
  ...divided(context, row)
];

const KEPT = ["submission_id", "configuration_id", "section", "load_profile", "workload_id", "load_basis", "queue_depth", "process_count", "repetition_count", "session_count", ...Object.values(metrics).flatMap(({column, ends, kind}) => [column, ...ends, kind]), "latency_kind", "reservations", "exclusions"];
const data = (context, row) => ({point_id: row.id, release_id: context.release, ...Object.fromEntries(KEPT.map((name) => [name, row[name] === "none" ? null : row[name]])), result_ids: (row.runs ?? []).flatMap((run) => (run.parts ?? []).map((part) => part.id))});
