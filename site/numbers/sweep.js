// The page of a sweep (one setup, one workload): a row with an anchor for each point (p), result (r), peak (k) and scaling factor (s).
import {group} from "d3";
import {factorCaveats} from "../components/conditions.js";
import {count, depth, full, interval, latency, percent} from "../components/format.js";
import {isExcluded, status} from "../components/marks.js";
import {queryOf} from "../components/sql/numbers.js";
import {agreement, between, boundOf, card, escapeHtml, exact, h, headline, joinParts, markup, metrics, metricsOf, others, ratio, say, sentence, sentences, short, sign, t, terms, unitOf, unknown} from "./html.js";
import {bench, buttons, checks, chips, citation, citing, deviceLink, hashRow, jsonOf, knownShare, number, origin, page, placeRow, quoteLines, rawFile, rests, submissionLink, when} from "./page.js";

// {id, submission_id, configuration_id, workload_id, load_profile, points, results, peaks, factors} -> the page as HTML.
export function sweepPage(context, sweep) {
  const [one] = [...sweep.points, ...sweep.results];
  const entries = entriesOf(context, sweep);
  const device = context.device(sweep), load = context.load({...sweep, ...one && {operation: one.operation, access_pattern: one.access_pattern, block_size_bytes: one.block_size_bytes}});
  const isSingle = entries.length === 1;
  const [first] = entries;
  const title = isSingle ? titleOf(first, {load, device}) : `${device}: ${load}`;
  const address = `m/${sweep.id}`;
  const crumbs = joinParts([deviceLink(context, context.configuration(sweep).device_id, device), submissionLink(context, sweep.submission_id, context.submission(sweep).title.split(": ")[0]), h`<a href="${context.home}submissions/${sweep.submission_id}#${sweep.configuration_id}">${context.configuration(sweep).title?.split("; folder")[0] ?? sweep.configuration_id}</a>`, h`${load}`], " › ");
  const query = first ? queryOf(first.kind, first.row.id, first.metric ?? "printed_value") : queryOf(sweep.peaks.length ? "k" : "s", (sweep.peaks[0] ?? sweep.factors[0]).id);
  const body = [
    h`<section class=top${isSingle && h` id="${anchor(first)}"`}>${isSingle && first.kind === "p" && first.result && h`<span id="r-${first.result.id}"></span>`}${isSingle ? single(first, {device, load}) : h`<h1 class=words>${summary(entries, device)}</h1><p>${load} · ${context.submission(sweep).title}`}${chips(isSingle ? chipsOf(context, first) : [say("number.numbers_here", {count: entries.length}), knownShare(context, sweep)])}${buttons(context, {kind: first?.kind ?? "k", id: first?.row.id ?? sweep.peaks[0]?.id ?? sweep.factors[0].id, metric: first?.metric ?? undefined, raw: isSingle && first.result && rawFile(context, sweep.submission_id, first.result.source_path), compare: `${sweep.submission_id}/${sweep.configuration_id}`})}</section>`,
    isSingle ? whole(context, first) : h`<div class=cards>${workloadCard(context, sweep, entries, load)}${bench(context, sweep, {measured: span(entries)})}</div>${curve(context, entries, {device, load})}`,
    isSingle ? partsOf(context, first, {load, device}) : table(context, entries, {load, device}),
    sweep.peaks.length > 0 && peaksOf(context, sweep.peaks, {load, device}),
    sweep.factors.length > 0 && factorsOf(context, sweep.factors),
    citing(context, {title: isSingle ? title : `${summary(entries, device)} ${load}`, address, query, row: sweep})
  ];
  const seen = entries.filter(({kind, metric}) => kind === "p" && metric).map((entry) => observation(entry, isSingle ? `: ${load}, ${device}` : ""));
  const observed = isSingle ? seen[0] ?? {"@type": "Observation", name: title} : {"@type": "Dataset", name: title, description: `${title}, ${sweep.submission_id}`, hasPart: seen};
  return page(context, {title, description: `${device}: ${load}. ${t("number.numbers_here", {count: entries.length})}.`.slice(0, 300), crumbs, body: joinParts(body, ""), json: first && `${first.kind}/${jsonOf(first.kind, first.row.id)}`, observed});
}

const measures = (context, row) => metricsOf(row, context.workload(row).access_pattern ?? row.access_pattern);
const anchor = ({kind, row}) => `${kind}-${row.id}`;
const titleOf = ({row, metric}, {load, device}) => `${metric ? headline(row, metric) : printedOnly(row)}: ${load}${row.queue_depth == null ? "" : `, ${t("number.at_depth", {depth: row.queue_depth})}`}, ${device}`;

// Points with their results, and results without a point: {kind, row, metric, result, results}. Bounds and exclusions of a point hold for its
// results.
function entriesOf(context, {points, results}) {
  const byPoint = group(results.filter(({point}) => point), ({point}) => point.id);
  const of = (row) => measures(context, row)[0];
  const like = (point, result) => ({...result, exclusions: point.exclusions, reservations: point.reservations, ...Object.fromEntries(Object.values(metrics).map(({kind}) => [kind, point[kind]]))});
  const found = points.filter(of).map((row) => {
    const its = (byPoint.get(row.id) ?? []).map((result) => like(row, result));
    byPoint.delete(row.id);
    return {kind: "p", row, metric: of(row), result: its.length === 1 ? its[0] : null, results: its.length === 1 ? [] : its};
  });
  const lone = [...results.filter(({point}) => !point), ...[...byPoint.values()].flat()].map((row) => ({kind: "r", row, metric: of(row), result: row, results: []}));
  return [...found, ...lone].sort((a, b) => (a.row.section < b.row.section ? -1 : a.row.section > b.row.section ? 1 : 0) || (a.row.queue_depth ?? 0) - (b.row.queue_depth ?? 0) || (a.row.id < b.row.id ? -1 : 1));
}

function single({row, metric, result}, {device, load}) {
  const value = metric && row[metric];
  const heading = metric
    ? h`<h1>${sign(row, metric)}<data value=${Number(value)}>${metrics[metric].shown(value)}</data> <small>${metrics[metric].unit(value)}</small></h1>`
    : h`<h1><q lang=mul>${printedOnly(row)}</q> <small>${row.printed_unit}</small></h1>`;
  return h`${heading}<p>${sentences([sentence(row.queue_depth == null ? "number.told_load" : "number.told", {device, load, depth: row.queue_depth ?? ""}), runs(row, metric, result)])}`;
}
const runs = (row, metric, result) => result?.figure && result.source_format === "figures" ? sentence("number.told_figure") : (row.run_count ?? 1) > 1 ? certainty(row, metric) : result?.duration_seconds == null ? sentence("number.told_run") : sentence("number.told_run_of", {time: full(result.duration_seconds)});

// How sure a value is: an interval and where it comes from, or that there is none and why.
function certainty(row, metric) {
  const {ends: [low, high], kind, unit} = metrics[metric];
  if (row[low] == null && row[high] == null) return sentence("number.without_interval");
  const key = /repetitions|sessions/.test(row[kind]) ? "number.interval" : /bound/.test(row[kind]) ? "number.interval_bound" : "number.interval_rounding";
  return sentence(key, {ends: `${between(metric, row[low], row[high])} ${unit(row[high] ?? row[low])}`, count: row.run_count ?? 1});
}

// Of several: the lowest and the highest depth of what is not excluded, in a sentence.
function summary(entries, device) {
  const sound = entries.filter(({metric, row}) => metric && !isExcluded(row));
  const its = (sound.length ? sound : entries).filter(({metric}) => metric);
  if (!its.length) return t("number.sweep_printed", {device, count: entries.length});
  const metric = its[0].metric;
  const said = ({row}) => `${sign(row, metric)}${short(metric, row[metric])}`;
  const same = its.filter((each) => each.metric === metric && each.row.queue_depth != null).sort((a, b) => a.row.queue_depth - b.row.queue_depth);
  const unit = metric === "operations_per_second" ? " IOPS" : "";
  const [low] = same;
  const high = same.reduce((best, each) => best == null || (each.row[metric] - best.row[metric]) * (metric === "latency_mean_seconds" ? -1 : 1) > 0 ? each : best, null);
  if (!low || low.row.queue_depth === high.row.queue_depth) {
    const all = its.filter((each) => each.metric === metric).map(({row}) => row[metric]);
    return t("number.sweep_values", {device, low: short(metric, Math.min(...all)), high: `${short(metric, Math.max(...all))}${unit}`, count: all.length});
  }
  return t("number.sweep", {device, low: `${said(low)}${unit}`, at: low.row.queue_depth, high: `${said(high)}${unit}`, depth: high.row.queue_depth});
}

// Red: left out; amber: a bound or a caveat; green: passed; plain: facts.
function chipsOf(context, {row, metric, result}) {
  const its = status({exclusions: row.exclusions, reservations: row.reservations});
  const bound = metric && boundOf(row, metric);
  const words = (text) => escapeHtml(text);
  const checked = [...new Map([...(row.checks ?? []), ...(result?.checks ?? [])].map((check) => [check.name, check])).values()];
  const passed = checked.filter((check) => !check.effect || check.effect === "none").length;
  return [
    isExcluded(row) && {kind: "bad", words: words(`× ${t("number.excluded_from", {why: headlineNotes(row)})}`)},
    bound && {kind: "warn", words: words(`${bound === "lower" ? "≥" : "≤"} ${t(`number.bound_${bound}`)}`)},
    ...its.reasons.filter((key) => !isExcluded(row) && t.has(key)).map((key) => ({kind: "warn", words: words(t(key))})),
    row.unsteady_range_ratio != null && {kind: "warn", words: words(unsteady(row))},
    row.run_count != null && say("number.runs_in_it", {count: row.run_count}),
    row.session_count > 1 && say("number.sessions", {count: row.session_count}),
    row.outlier_count ? say("number.outliers", {count: row.outlier_count}) : null,
    knownShare(context, row),
    result && !result.point && (result.is_bound ? {kind: "warn", words: say("number.bound")} : !result.is_comparable && say("number.not_compared")),
    checked.length > 0 && {kind: "good", words: words(t("number.checks_passed", {count: passed, all: checked.length}))}
  ];
}
const unsteady = (row) => t("number.not_steady", {range: percent(row.unsteady_range_ratio)});
const headlineNotes = (row) => status({exclusions: row.exclusions}).reasons.map((key) => t.has(key) ? t(key) : key.replace("reason.", "").replaceAll("_", " ")).join("; ");

function whole(context, entry) {
  const {row, metric, result} = entry;
  const run = result ?? entry.results[0];
  const place = run && locateNumber(context, run, metric);
  return h`<div class=cards>${run ? card("number.asked", workloadTerms(context, run)) : null}${bench(context, row, {measured: run && when(run), processor: run && busy(run), kernel: run && kernelTerms(run)})}${percentiles(row)}${why(context, row)}${run ? card("number.computed", computationTerms(context, run, measures(context, run), place)) : null}${run ? card("number.place", stands(context, run, place)) : null}</div>${checks([...(row.checks ?? []), ...(run?.checks ?? [])])}${rests(resting(context, entry))}`;
}

const nameOf = ({percentile}) => `p${Number((100 * percentile).toPrecision(8))}`;
function percentiles(row) {
  const its = row.tails ?? [];
  if (!its.length) return null;
  const several = new Set(its.map(({operation}) => operation)).size > 1;
  return card("number.percentiles", terms([
    row.latency_mean_seconds != null && [say("axis.latency_mean"), latency(row.latency_mean_seconds)],
    ...its.map((each) => [h`<span id="${nameOf(each).replaceAll(".", "")}${several && each.operation !== its[0].operation && `-${each.operation}`}">${nameOf(each)}${several && ` ${each.operation}`}</span>`, each.latency == null ? unknown(say("number.too_few_operations")) : latency(each.latency)])
  ]));
}

// What stands instead of a number that is not used: the same workload, depth and model on setups that count.
const why = (context, row) => row.sound?.length ? card("number.sound_instead", h`<p>${say("number.sound_how", {count: row.sound.length})} ${joinParts(row.sound.map((each) => number(context, "p", each.id, short("operations_per_second", each.value))), ", ")} IOPS`) : null;

// What a number is used in: comparisons, factors, peaks, claims.
const factorText = ({ratio: value, low, high}) => value == null && low == null && high == null ? say("number.no_quotient") : h`<b>${value == null ? interval(low, high) : ratio(value, 3)} ×</b>`;
const ratiosOf = (context, row) => [
  ...(row.quotients ?? []).map((each) => h`÷ ${number(context, "q", `${each.pair}#${each.id.slice(0, 8)}`, each.other)}: ${factorText(each)}${each.measured === "latency_mean_seconds" && h` (${say("number.latency")})`}`),
  row.quotient_count > (row.quotients?.length ?? 0) && say("number.quotients_in_all", {count: row.quotient_count}),
  ...(row.factors ?? []).map((each) => number(context, "s", each.id, say("number.factor_of", {drives: each.drives, factor: ratio(each.factor, 3)}))),
  row.factor_count > 4 && say("number.more", {count: row.factor_count - 4})
];
const resting = (context, {row, result}) => [
  ...(row.peaks ?? []).filter((peak) => peak.at === row.queue_depth).map((peak) => number(context, "k", peak.id, h`${say("point.peak")}, ${say(metrics[peak.metric].name)}`)),
  ...ratiosOf(context, row),
  ...(result?.claims ?? []).map((claim) => h`${number(context, "c", `${row.submission_id}/${claim.id}`, h`${say("number.claim")} ${claim.id}`)}: ${(claim.verdict ?? "").replaceAll("_", " ")}`)
];

const distinct = (entries, value) => [...new Set(entries.map(value).filter((each) => each != null))];
const workloadCard = (context, sweep, entries, load) => card("number.asked", terms([
  [say("number.load"), h`${load}`],
  [say("number.depths_tried"), h`${distinct(entries, ({row}) => row.queue_depth).sort((a, b) => a - b).join(", ") || t("number.not_stated")}`],
  [say("cond.tool"), h`${distinct(entries, ({row, result}) => row.engine ?? result?.engine).concat(distinct(entries, ({result}) => result?.tool_version ?? result?.tool)).join(", ")}`],
  [say("number.section"), h`${distinct(entries, ({row}) => row.section).join("; ")}`],
  entries.some(({result, results}) => [result, ...results].some((each) => each?.origin_path != null)) && [say("number.origin"), h`<em>${say("number.not_verified")}</em>`]
]));
const span = (entries) => { const times = distinct(entries, ({row, result}) => row.first_started_at ?? result?.started_at).sort(); return times.length ? h`${times[0].replace(/\.\d+$/, "")}${times.length > 1 && ` – ${times.at(-1).replace(/\.\d+$/, "")}`}` : null; };

// The rates of a sweep against the queue depth, both on log axes, one line per section; each symbol leads to its row.
function curve(context, entries, {device, load}) {
  const points = entries.filter(({kind, metric, row}) => kind === "p" && metric === entries[0].metric && row.queue_depth > 0 && row[metric] > 0);
  if (new Set(points.map(({row}) => row.queue_depth)).size < 3) return null;
  const metric = points[0].metric;
  const [xs, ys] = [points.map(({row}) => Math.log2(row.queue_depth)), points.map(({row}) => Math.log10(row[metric]))];
  const scale = (values, from, to) => { const [low, high] = [Math.min(...values), Math.max(...values)]; return (value) => (from + (value - low) / (high - low || 1) * (to - from)).toFixed(1); };
  const x = scale(xs, 52, 670), y = scale(ys, 150, 14);
  const at = ({row}) => `${x(Math.log2(row.queue_depth))},${y(Math.log10(row[metric]))}`;
  const lines = [...group(points, ({row}) => `${row.section} ${row.process_count} ${row.engine}`).values()].map((of) => `<polyline points="${of.map(at).join(" ")}" fill="none" stroke="currentColor" stroke-opacity="0.4"/>`);
  const marks = points.map((entry) => { const [cx, cy] = at(entry).split(","); return `<a href="#${anchor(entry)}"><circle cx=${cx} cy=${cy} r=4${isExcluded(entry.row) ? ' fill="none" stroke="currentColor"' : ' fill="currentColor"'}><title>${escapeHtml(`${entry.row.queue_depth}: ${headline(entry.row, metric)}`)}</title></circle></a>`; });
  const depths = [...new Set(points.map(({row}) => row.queue_depth))].sort((a, b) => a - b);
  const ticks = depths.filter((_, i) => i % Math.ceil(depths.length / 10) === 0).map((value) => `<text x=${x(Math.log2(value))} y=172 text-anchor=middle>${value}</text>`);
  const ends = [Math.min(...ys), Math.max(...ys)].map((value) => `<text x=46 y=${Number(y(value)) + 4} text-anchor=end>${escapeHtml(short(metric, 10 ** value))}</text>`);
  return h`<section><h2>${say("number.curve")}</h2><svg class=curve viewBox="0 0 700 180" role=group aria-label="${t("number.curve_of", {device, load})}">${markup([...lines, ...marks, ...ticks, ...ends].join(""))}</svg></section>`;
}

// A row per number; behind it what is shown when the address names it.
const COLUMNS = 10;
const TAILS = [["p50", 0.5], ["p99", 0.99], ["p99.9", 0.999], ["p99.99", 0.9999]];
function table(context, entries, of) {
  let section = null;
  return lines("number.numbers", entries.flatMap((entry) => {
    const heading = entry.row.section !== section ? h`<tr><th colspan=${COLUMNS}>${section = entry.row.section}` : null;
    return [heading, line(context, entry, of), ...parts(context, entry, of)];
  }));
}
// A result may lack what its point is computed to, such as the rate where a tool prints the throughput alone.
const parts = (context, {metric, results}, of) => results.map((result) => line(context, {kind: "r", row: result, metric: result[metric] == null ? measures(context, result)[0] : metric, result, results: [], isPart: true}, of));
// Of a number alone the results behind it, where there are several.
const partsOf = (context, entry, of) => entry.results.length > 0 && lines("number.runs", parts(context, entry, of));

function lines(title, rows) {
  const head = [say("number.depth"), say("number.value"), say("axis.latency_mean"), ...TAILS.map(([name]) => name), say("number.runs"), say("number.caveats"), say("number.source_line")];
  return h`<section><h2>${say(title)}</h2><p>${say("number.row_how")}</p><div class=table tabindex=0 role=region aria-label="${t(title)}"><table class="sweep runs"><thead><tr>${head.map((each) => h`<th>${each}`)}<tbody>${rows}</table></div></section>`;
}

const inAddress = (text) => encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%20", "+");

function line(context, entry, of) {
  const {kind, row, metric, result, isPart} = entry;
  const tails = new Map((row.tails ?? []).filter(({operation}, _, all) => operation === all[0].operation).map((each) => [each.percentile, each.latency]));
  const tail = (percentile) => tails.get(percentile) == null ? "–" : latency(tails.get(percentile));
  const value = metric ? h`${sign(row, metric)}${metrics[metric].shown(row[metric])} ${metrics[metric].unit(row[metric])}` : h`<q lang=mul>${printedOnly(row)}</q>`;
  const caveats = [row.unsteady_range_ratio != null && h`${unsteady(row)}`, isExcluded(row) && h`<b class=bad>× ${headlineNotes(row)}</b>`, metric && boundOf(row, metric) && h`${t(`number.bound_${boundOf(row, metric)}`)}`, !isExcluded(row) && row.reservations?.length > 0 && h`${status({reservations: row.reservations}).reasons.map((key) => t.has(key) ? t(key) : key).join("; ")}`];
  const at = result && (metric ? locateNumber(context, result, metric).line : context.file(row.submission_id, result.source_path)?.line(result.source_pointer));
  const raw = result && rawFile(context, row.submission_id, result.source_path);
  const source = result ? h`${raw ? h`<a href="${context.home}source?file=${inAddress(raw.slice(context.root.length))}&at=${inAddress(result.source_pointer ?? "")}">` : null}${result.source_path.split("/").at(-1)}${at != null && `:${at}`}${raw ? markup("</a>") : null}` : say("number.results_below", {count: entry.results.length});
  return h`<tr id="${anchor(entry)}"${isPart && markup(" class=part")}><td><a href="#${anchor(entry)}">${row.queue_depth == null ? "–" : depth(row, t)}</a>${kind === "p" && result && h`<span id="r-${result.id}"></span>`}<td${isExcluded(row) && markup(" class=out")}>${value}${metric && row.run_count > 1 && h`<small> ${between(metric, row[metrics[metric].ends[0]], row[metrics[metric].ends[1]])}</small>`}<td data-label="${t("within.mean")}">${latency(row.latency_mean_seconds)}${TAILS.map(([name, percentile]) => h`<td data-label=${name}>${tail(percentile)}`)}<td>${row.run_count ?? (result ? row.operation ?? "" : "")}<td>${joinParts(caveats, "; ")}<td>${source}<tr class=detail><td colspan=${COLUMNS}>${detail(context, entry, of)}`;
}

function detail(context, entry, of) {
  const {row, metric, result} = entry;
  const place = result && locateNumber(context, result, metric);
  const used = resting(context, entry).filter(Boolean);
  const tails = (row.tails ?? []).filter((each, _, [first]) => each.latency != null && each.operation === first.operation);
  const details = result ? `${computationTerms(context, result, measures(context, result), place)}${stands(context, result, place, false)[0] || ""}`.replace("</dl><dl>", "") : "";
  return h`<pre>${citation(context, {title: titleOf(entry, of), address: context.addressOf(entry.kind, row.id), row})}</pre>${markup(details)}${tails.length > 0 && h`<p>${say("number.percentiles")}: ${tails.map((each) => `${nameOf(each)} ${latency(each.latency)}`).join(", ")}`}${used.length > 0 && h`<p>${say("number.rests")}: ${joinParts(used, "; ")}`}`;
}

function peaksOf(context, peaks, {load, device}) {
  const rows = peaks.map((row) => {
    const title = `${headline(row, row.metric, row.peak_value)}: ${t("number.peak_of", {load})}, ${device}`;
    const knee = row.queue_depth_knee != null ? `${row.queue_depth_before == null ? "" : `${row.queue_depth_before}–`}${row.queue_depth_knee}` : (row.knee_verdict ?? "").replaceAll("_", " ");
    const used = [...ratiosOf(context, row), ...shares(row)].filter(Boolean);
    return h`<tr id="k-${row.id}"><td><a href="#k-${row.id}">${row.queue_depth ?? "–"}</a><td>${sign(row, row.metric)}<b>${metrics[row.metric].shown(row.peak_value)}</b> ${metrics[row.metric].unit(row.peak_value)}<td>${row.low != null || row.high != null ? between(row.metric, row.low, row.high) : "–"}<td>${row.queue_depths?.join(", ") ?? (row.queue_depth_high == null ? "–" : `${row.queue_depth_low ?? 1}–${row.queue_depth_high}`)}<td>${knee || "–"}<td>${row.peak_origin === "stated" ? say("number.stated") : row.is_peak_at_edge ? say("number.at_edge") : ""}<tr class=detail><td colspan=6><pre>${citation(context, {title, address: context.addressOf("k", row.id), row})}</pre>${row.results?.length > 0 && h`<p>${say("number.place")}: ${joinParts(row.results.map((each) => number(context, "r", each.id, h`<q lang=mul>${each.text ?? each.unit}</q>`)), ", ")}`}${used.length > 0 && h`<p>${say("number.rests")}: ${joinParts(used, "; ")}`}`;
  });
  return h`<section><h2>${say("number.peaks")}</h2><div class=table tabindex=0 role=region aria-label="${t("number.peaks")}"><table class=sweep><thead><tr>${["number.depth", "number.value", "mark.interval", "number.depths_tried", "number.knee", "number.caveats"].map((key) => h`<th>${say(key)}`)}<tbody>${rows}</table></div></section>`;
}
// What one drive, one gigabyte, one watt or one unit of money has of the peak.
const shares = (row) => (row.shares ?? []).filter((share) => share.divisor !== 1 || share.per !== "drive").map((share) => h`${say("number.per", {per: share.per.replaceAll("_", " ")})}: ${exact(row.metric, row.peak_value)} ÷ ${full(share.divisor)} = <b>${short(row.metric, share.value)}</b>${share.currency && ` (${share.currency}, ${share.date ?? "–"})`}`);

function factorsOf(context, factors) {
  const side = (id, metric, value) => id ? number(context, "p", id, exact(metric, value)) : exact(metric, value);
  const rows = factors.map((row) => h`<tr id="s-${row.id}"><td><a href="#s-${row.id}">${row.drive_count}</a><td><b>${ratio(row.factor_ratio, 4)}</b> ×${(row.factor_low_ratio != null || row.factor_high_ratio != null) && h` <small>${interval(row.factor_low_ratio, row.factor_high_ratio)}</small>`}<td>${side(row.array_id, row.metric, row.array_value)} ÷ ${side(row.base_id, row.metric, row.base_value)}<td>${row.basis.replaceAll("_", " ").replace("=", " ")}<td>${row.ideal_ratio == null ? say("number.no_ideal") : ratio(row.ideal_ratio)}<td>${percent(row.efficiency_ratio)}<tr class=detail><td colspan=6><pre>${citation(context, {title: `${t("number.factor_of", {drives: row.drive_count, factor: ratio(row.factor_ratio, 4)})}, ${context.load(row)}, ${context.device({...row, configuration_id: row.array_configuration_id})}`, address: context.addressOf("s", row.id), row})}</pre>${factorCaveats(row, t) && h`<p>${say("number.reasons")}: ${factorCaveats(row, t)}`}${row.claim_id && h`<p>${number(context, "c", `${row.submission_id}/${row.claim_id}`, h`${say("number.claim")} ${row.claim_id}`)}`}`);
  return h`<section><h2>${say("number.factors")}</h2><div class=table tabindex=0 role=region aria-label="${t("number.factors")}"><table class=sweep><thead><tr>${["axis.drives", "number.quotient", "number.computed", "number.basis", "number.ideal", "number.efficiency"].map((key) => h`<th>${say(key)}`)}<tbody>${rows}</table></div></section>`;
}

// What JSON-LD says of a point: the headline, and a bound as such.
function observation({row, metric, kind}, of) {
  const bound = boundOf(row, metric);
  const key = {lower: "minValue", upper: "maxValue"}[bound] ?? "value";
  return {"@type": "Observation", "@id": `#${kind}-${row.id}`, name: `${headline(row, metric)}${of}`, [key]: row[metric], unitText: unitOf(metric)};
}

const KEPT = {
  p: ["submission_id", "configuration_id", "section", "load_profile", "workload_id", "load_basis", "queue_depth", "process_count", "run_count", "session_count", ...Object.values(metrics).flatMap(({column, ends, kind}) => [column, ...ends, kind]), "latency_kind", "reservations", "exclusions"],
  k: ["submission_id", "configuration_id", "section", "workload_id", "load_profile", "load_basis", "metric", "peak_value", "low", "high", "kind", "n", "queue_depth", "peak_origin", "is_peak_at_edge", "knee_verdict", "queue_depth_before", "queue_depth_knee", "value_kind"],
  s: ["submission_id", "workload_id", "load_profile", "metric", "topology", "drive_count", "basis", "queue_depth", "base_queue_depth", "array_configuration_id", "array_section", "base_configuration_id", "base_section", "array_value", "base_value", "factor_ratio", "factor_low_ratio", "factor_high_ratio", "ideal_ratio", "efficiency_ratio", "claim_id", "array_id", "base_id"]
};
const ID = {p: "point_id", k: "peak_id", s: "scaling_id", r: "result_id"};
export function dataOf(context, kind, row) {
  const [metric] = kind === "k" ? [row.metric] : measures(context, row);
  const own = kind === "r" ? resultData(row, locateNumber(context, row, metric)) : Object.fromEntries(KEPT[kind].map((name) => [name, row[name] === "none" ? null : row[name]]));
  const said = kind === "s" || !metric ? null : headline(row, metric, kind === "k" ? row.peak_value : row[metric]);
  return {[ID[kind]]: row.id, release_id: context.release, page: context.addressOf(kind, row.id), ...said && {headline: said}, ...own, ...kind === "p" && {result_ids: row.result_ids ?? []}, ...kind === "k" && {points: (row.steps ?? []).filter((step) => step.value != null).map((step) => [step.id, step.depth, step.value]), result_ids: row.results?.map((each) => each.id)}};
}

// Of a figure that is no rate and no latency, what the source prints.
const printedOnly = (row) => `${row.printed_text ?? full(row.printed_value)}`;
function workloadTerms(context, row) {
  const {read_ratio: read} = row;
  const access = row.access_pattern && ["random", "sequential"].includes(row.access_pattern) ? h`${t(`load.access_${row.access_pattern}`)}` : row.access_pattern && h`${row.access_pattern}`;
  const load = joinParts([row.block_size_bytes != null && h`${count(row.block_size_bytes)} B`, access, read != null && h`${t("number.share_read", {share: percent(read)})}`], ", ");
  const range = row.queue_depth_high == null ? null : h`${count(row.queue_depth_low ?? 1)}–${count(row.queue_depth_high)}`;
  const total = row.queue_depth != null ? h`${depth(row, t)}` : range ?? unknown(say("number.not_stated"));
  return terms([
    [say("number.load"), load.text ? load : unknown(say("number.not_stated"))],
    [say("number.depth"), h`${total}${row.load_basis && row.load_basis !== "outstanding" && h` (${row.load_basis.replaceAll("_", " ")})`}`],
    [say("number.run"), row.duration_seconds == null ? unknown(say("number.not_stated")) : h`${full(row.duration_seconds)} s${row.ramp_seconds ? h`, ${say("number.after_ramp", {time: full(row.ramp_seconds)})}` : null}`],
    [say("cond.tool"), joinParts([row.tool_version ?? row.tool, row.engine, row.is_direct == null ? null : row.is_direct ? "direct" : "buffered", row.test_name && h`“${row.test_name}”`], ", ")],
    row.qualifier && [say("number.qualifier"), h`${row.qualifier}`]
  ]);
}

const busy = (row) => row.cpu_user_ratio == null && row.cpu_system_ratio == null ? null : say("number.core_busy", {share: percent((row.cpu_user_ratio ?? 0) + (row.cpu_system_ratio ?? 0))});

// What the kernel counted on the disks meanwhile, beside what the tool did; of several jobs nobody can tell them apart.
const FEW_DISKS = 3;
function kernelTerms({kernel, operation}) {
  const [seen, own] = {read: [kernel?.reads, kernel?.tool_reads], write: [kernel?.writes, kernel?.tool_writes]}[operation] ?? [];
  if (seen == null) return null;
  const {disks, jobs, busy: share} = kernel;
  const named = disks.length > FEW_DISKS ? t("number.kernel_disks", {n: disks.length}) : disks.join(", ");
  return h`${say(`number.kernel_${operation}`, {n: count(seen), disks: named})}${own != null && h` (fio ${count(own)})`}${jobs > 1 && h` ${say("number.kernel_jobs", {n: jobs})}`}${share != null && h`; ${say("number.kernel_busy", {share: percent(share)})}`}`;
}

// Where the result stands: the file, the line, and for a tool's JSON the lines of its operands.
const OPERANDS = {operations_per_second: ["iops", "total_ios"], throughput_bytes_per_second: ["bw_bytes", "io_bytes"]};
function locateNumber(context, row, metric) {
  const file = context.file(row.submission_id, row.source_path);
  if (!file) return {file: null};
  const own = (...keys) => keys.map((key) => file.line(`${row.source_pointer}/${key}`)).find((line) => line != null) ?? null;
  const line = file.line(row.source_pointer);
  if (!/^\d+#/.test(row.source_pointer ?? "")) return {file, line};
  const [printed, counted] = OPERANDS[metric] ?? [];
  const mean = ["lat_ns", "lat", "clat_ns"].map((key) => file.line(`${row.source_pointer}/${key}/mean`)).find((each) => each != null);
  const value = printed ? own(printed) : mean ?? null;
  return {file, line: value ?? line, printed: value, counted: counted ? own(counted) : null, time: own("runtime")};
}
const lineAt = (line) => line == null ? null : h` <em>${say("number.at_line", {n: line})}</em>`;
// What stands on a line of JSON behind its key: "iops" : 79516.982767,
const valueOn = (file, line) => /:\s*"?(-?[\d.eE+]+)"?,?\s*$/.exec(file?.lines[line - 1] ?? "")?.[1] ?? null;

function computationTerms(context, row, found, place) {
  const [metric, ...rest] = found;
  const other = others(row, rest);
  const head = metric && metrics[metric];
  if (!metric) return terms([[say("number.printed"), h`<q lang=mul>${printedOnly(row)}</q> ${row.printed_unit}`], [say("number.value"), unknown(say("number.no_conversion"))]]);
  if (row.figure) return terms([...conversionRows(row, metric), other && [say("number.others"), other]]);
  const amount = head.counted && row[head.counted];
  if (amount == null || !row.duration_seconds) return terms([
    [say("number.value"), h`${exact(metric, row[metric])}`], [say("number.quotient"), h`${say("number.read_as_is")}${lineAt(place.printed)}`], other && [say("number.others"), other]
  ]);
  const quotient = amount / row.duration_seconds;
  return terms([
    place.counted && [say(metric === "operations_per_second" ? "number.operations" : "number.bytes"), h`${count(amount)}${lineAt(place.counted)}`],
    place.time && [say("number.time"), h`${full(row.duration_seconds)} s${lineAt(place.time)}`],
    [say("number.quotient"), h`${count(amount)}${!place.counted && ` ${metric === "operations_per_second" ? "I/Os" : "B"}`} ÷ ${full(row.duration_seconds)} s = ${exact(metric, quotient)}${Math.abs(quotient / row[metric] - 1) > 1e-9 && h`; ${say("number.kept", {value: exact(metric, row[metric])})}`}`],
    [say("number.prints"), prints(row, metric, place, quotient)],
    other && [say("number.others"), h`${other}${row.latency_kind && row.latency_mean_seconds != null && ` (${row.latency_kind} latency)`}`]
  ]);
}

function prints(row, metric, place, quotient) {
  const text = place.printed && valueOn(place.file, place.printed);
  if (text != null) return h`${full(Number(text))}${lineAt(place.printed)}, ${agreement(quotient, Number(text), text)}`;
  if (row.printed_value == null) return unknown(say("number.not_stated"));
  const size = {"B/s": 1, "KiB/s": 1024, "kB/s": 1000, "MiB/s": 2 ** 20, "MB/s": 1e6, "IOPS": null, "IO/s": null}[row.printed_unit];
  const own = size ? row.throughput_bytes_per_second / size : size === null ? row.operations_per_second : null;
  return h`${full(row.printed_value)} ${row.printed_unit}${own != null && Number.isFinite(own) && h`, ${agreement(own, row.printed_value)}`}`;
}

function conversionRows(row, metric) {
  const {figure} = row;
  const ends = figure.low != null || figure.high != null ? h`${figure.low == null ? h`≤ ${full(figure.high)}` : figure.high == null ? h`≥ ${full(figure.low)}` : h`${full(figure.low)}–${full(figure.high)}`} (${figure.kind ?? "rounding"})` : null;
  return [
    [say("number.printed"), h`<q lang=mul>${printedOnly(row)}</q>${row.printed_unit && !printedOnly(row).includes(row.printed_unit) && h` ${row.printed_unit}`}`],
    [say("number.quotient"), row.printed_value == null ? exact(metric, row[metric]) : row.printed_value === row[metric] ? h`${exact(metric, row[metric])}` : h`${full(row.printed_value)} × ${full(Number((row[metric] / row.printed_value).toPrecision(15)))} = ${exact(metric, row[metric])}`],
    [say("number.unit_base"), row.unit_basis ? h`${row.unit_basis.replaceAll("_", " ")}` : unknown(say("number.not_stated"))],
    ends && [say("number.allows"), ends]
  ];
}

// The file and the line; of a number alone also hashes, what read it, and the lines themselves.
function stands(context, row, place, isAlone = true) {
  const {file, line} = place;
  // the row of one of several names the file and the line itself
  const rows = isAlone ? [placeRow(row.source_path, row.source_pointer, line, file?.lines.length, rawFile(context, row.submission_id, row.source_path))] : [];
  if (isAlone) rows.push(hashRow(rawFile(context, row.submission_id, row.source_path), row.source_sha256));
  if (row.figure && row.origin_path == null) rows.push([say("number.printed_place"), joinParts([row.figure.section, row.figure.line && (/^\d/.test(row.figure.line) ? say("number.printed_line", {n: row.figure.line}) : row.figure.line), row.figure.other], "; ")]);
  if (row.origin_path != null) rows.push(...origin(context, row, isAlone));
  if (isAlone && row.reader_version != null) rows.push([say("number.read_with"), versions(row)]);
  return [rows.length > 0 && terms(rows), isAlone && excerpt(row, place)];
}

const versions = (row) => joinParts([
  say("number.reader", {version: row.reader_version}), row.edition != null && say("number.edition", {n: row.edition}), row.collector_version != null && say("number.collector", {version: row.collector_version})
], ", ");

// Four lines of the raw file; of a table with many columns four of its cells.
const CELLS = {operations_per_second: ["operation_count", "duration_seconds", "operations_per_second", "latency_mean_seconds"], throughput_bytes_per_second: ["transferred_bytes", "duration_seconds", "throughput_bytes_per_second", "latency_mean_seconds"], latency_mean_seconds: ["latency_mean_seconds", "latency_min_seconds", "latency_max_seconds", "latency_kind"]};
const PRINTED = ["figure_id", "section", "printed_text", "printed_unit"];
function excerpt(row, {file, line}) {
  if (!file || line == null) return h`<p>${say("number.no_lines")}</p>`;
  if (/\.csv$/.test(row.source_path) && line > 1) {
    const cells = file.cells(line);
    const [metric] = metricsOf(row, row.access_pattern);
    const names = (row.figure ? PRINTED : CELLS[metric] ?? PRINTED).filter((name) => cells.has(name));
    if (names.length) return quoteLines(names.map((name) => `${name}: ${cells.get(name)}`), names.indexOf(row.figure ? "printed_text" : metric));
  }
  const from = Math.max(0, Math.min(line - 2, file.lines.length - 4));
  return quoteLines(file.lines.slice(from, from + 4).map((text) => text.length > 160 ? `${text.slice(0, 159)}…` : text), line - 1 - from);
}

const RESULT = ["submission_id", "configuration_id", "load_profile", "workload_id", "operation", "queue_depth", "process_count", "operation_count", "duration_seconds", "operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds", "latency_kind", "value_kind", "figure_id", "printed_text", "source_path", "source_pointer", "source_sha256", "origin_path", "origin_line", "reader_version", "collector_version", "edition"];
const resultData = (row, {line}) => ({...Object.fromEntries(RESULT.map((name) => [name, row[name]])), source_line: /^line/.test(row.source_pointer) ? null : line, point_id: row.point?.id});
