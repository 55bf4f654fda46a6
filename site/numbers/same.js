// Numbers that say the same have one page. A point of one run that is one result says what the result says: the page is that
// of the result, and has what rests on the point. IOPS and throughput of one sweep have one peak, and one factor. Every address
// stays, and leads to the page.
import {bare, en, h, say} from "./html.js";
import {jsonLabel, jsonOf} from "./page.js";
import {factorHeading, heading, markOf, metrics, metricsOf, sign} from "./values.js";

// The only result of a point, null where there are several.
export const onlyResult = (point) => point.runs?.length === 1 && point.runs[0].parts?.length === 1 ? point.runs[0].parts[0].id : null;

const checked = ({checks}) => new Set((checks ?? []).map(({name, verdict, effect}) => `${name} ${verdict} ${effect}`));
const alike = (one, other) => one.size === other.size && [...one].every((each) => other.has(each));

// Whether everything that the page of a point says stands on that of its result, too: the same metrics with the same values,
// load, depth and checks, and no interval of the first metric, of which alone it is shown.
export function saysTheSame(context, point, result) {
  const [its, own] = [metricsOf(point, context.workload(point).access_pattern), metricsOf(result, result.access_pattern)];
  if (!its.length || its.join() !== own.join() || its.some((metric) => point[metric] !== result[metric])) return false;
  if (metrics[its[0]].ends.some((end) => point[end] != null) || point.outlier_count) return false;
  const equal = ["submission_id", "configuration_id", "queue_depth"].every((name) => point[name] === result[name]);
  return equal && sign(point) === sign(result) && context.load(point)(en) === context.load(result)(en) && alike(checked(point), checked(result));
}

// What tells the peaks, or the factors, of one sweep apart is their metric alone: at one block size IOPS and throughput rise
// together. `AGREE` has to be the same in both, `NEAR` to a billionth; what is an interval is of one metric, and has to be none.
const AGREE = {
  k: ["submission_id", "configuration_id", "section", "workload_id", "load_profile", "load_basis", "process_count", "queue_depth", "queue_depths", "queue_depth_before", "queue_depth_knee", "knee_verdict", "depth_count", "plateau_count", "is_peak_at_edge", "value_kind", "n"],
  s: ["submission_id", "workload_id", "load_profile", "basis", "topology", "drive_count", "queue_depth", "base_queue_depth", "array_configuration_id", "array_section", "base_configuration_id", "base_section", "is_comparable", "reasons", "claim_id", "is_superlinear", "is_depth_assumed"]
};
const NEAR = {k: [], s: ["factor_ratio", "factor_low_ratio", "factor_high_ratio", "ideal_ratio", "efficiency_ratio"]};
const NONE = {k: ["low", "high"], s: ["stated_factor_text", "implied_base_value"]};
const isNear = (a, b) => a === b || (a != null && b != null && Math.abs(a - b) <= 1e-9 * Math.abs(b));
const steps = ({steps: list}) => (list ?? []).map(({id, depth, value}) => `${id} ${depth} ${value != null}`).join();

// The rows of a kind whose page has a second metric, by the id of that: {id of the other: row}. Each gets it as `other`; the
// metric that its load is measured by first has the page.
export function pairsOf(context, kind, rows) {
  const groups = new Map();
  for (const row of rows) {
    if (kind === "k" && row.peak_origin !== "computed") continue;
    const key = JSON.stringify(AGREE[kind].map((name) => row[name] ?? null));
    groups.set(key, [...groups.get(key) ?? [], row]);
  }
  const found = new Map();
  for (const [one, second, third] of groups.values()) {
    if (!second || third || one.metric === second.metric || steps(one) !== steps(second)) continue;
    if (!NEAR[kind].every((name) => isNear(one[name], second[name])) || NONE[kind].some((name) => one[name] != null || second[name] != null)) continue;
    const [first] = metricsOf({[one.metric]: 1, [second.metric]: 1}, context.workload(one).access_pattern);
    const [row, other] = one.metric === first ? [one, second] : [second, one];
    row.other = other;
    found.set(other.id, row);
  }
  return found;
}

// What rests on the second metric of a page: its own address, its JSON, and what it leads to.
export const alsoAt = (context, kind, other, ...list) => other ? [h`${say(metrics[other.metric].name)}: <code>${kind}/${other.id}</code>, <a href="${context.root}${kind}/${jsonOf(kind, other.id)}">${jsonLabel(jsonOf(kind, other.id))}</a>`, ...list.flat()] : [];

// A small page at the address of a number that has its page elsewhere: `to` is the kind and the id of that. A browser goes on
// by itself, with or without scripts.
function onward(context, to, title, head, words) {
  const address = `${context.root}${to}`;
  const canonical = context.address ? `${context.address.replace(/\/$/, "")}/${to}` : address;
  return bare(h`<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width"><title>${title} | ioledger</title><meta http-equiv=refresh content="0;url=${address}"><link rel=canonical href="${canonical}"><link rel=stylesheet href="${context.root}style.css${context.style ?? ""}"><body class=number-page><main><section>${head}<p><a href="${address}">${words}</a></section></main>`.text);
}

const headings = {
  p: (context, row) => { const [metric] = metricsOf(row, context.workload(row).access_pattern); return heading(metric, row[metric], {sign: sign(row)}); },
  k: (context, row) => heading(row.metric, row.peak_value, {sign: markOf(row)}),
  s: (context, row) => factorHeading(row)
};
// `row` is the number, `own` the one whose page it has.
export const forward = (context, kind, row, own) => onward(context, kind === "p" ? `r/${own.id}` : `${kind}/${own.id}`, `${context.load(row)(en)}, ${context.device({...row, configuration_id: row.configuration_id ?? row.array_configuration_id})}`, headings[kind](context, row), say(kind === "p" ? "number.one_page" : "number.both_metrics"));
