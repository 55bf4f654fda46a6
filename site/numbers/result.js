// The page of one result: a row of a tool's output, of an excerpt, or a figure of a publication.
import {count, depth, full, percent} from "../components/format.js";
import {queryOf} from "../components/sql/numbers.js";
import {card, en, h, joined, markup, say, sentence, sentences, ja, terms, unknown, word} from "./html.js";
import {bench, buttons, checks, chips, citing, hashed, jsonLabel, jsonOf, knownShare, number, origin, page, placeRow, quoted, rawFile, rests, when} from "./page.js";
import {perDrive, resting as restingOnPoint} from "./point.js";
import {agreement, exact, heading, metrics, metricsOf, others, sign, unitOf} from "./values.js";

// Of a figure that is no rate and no latency, what the source prints.
const printedOnly = (row) => `${row.printed_text ?? full(row.printed_value)}`;

export function resultPage(context, row) {
  const found = metricsOf(row, row.access_pattern);
  const [metric] = found;
  const value = metric && row[metric];
  const shown = metric ? `${sign(row)}${metrics[metric].shown(value)} ${metrics[metric].unit(value)}` : printedOnly(row);
  const load = context.load(row), device = context.device(row);
  const title = `${shown}: ${load(en)}${row.queue_depth == null ? "" : `, depth ${row.queue_depth}`}, ${device}`;
  const about = metric ?? "printed_value";
  const query = queryOf("r", row.id, about);
  const place = stood(context, row, metric);
  const isFigure = row.figure != null;
  const body = h`<section class=top>${metric ? heading(metric, value, {sign: sign(row)}) : h`<h1>${shown}</h1>`}${[en, ja].map((t) => told(t, context, row, metric))}${chips([
    say(isFigure && row.origin_path == null ? "source.publication" : row.origin_path == null ? "source.measured" : "source.excerpt"),
    row.operation && row.parts ? say("number.part_of", {operation: (t) => t.has(`load.${row.operation}`) ? t(`load.${row.operation}`) : row.operation}) : null,
    knownShare(context, row),
    row.is_comparable ? null : row.is_bound ? say("number.bound") : say("number.not_compared")
  ])}${buttons(context, {kind: "r", id: row.id, metric: about, raw: rawFile(context, row.submission_id, row.source_path), compare: `${row.submission_id}/${row.configuration_id}`})}</section>
<div class=cards>${asked(context, row)}${bench(context, row, {measured: when(row), processor: busy(row), kernel: counted(row)})}${computed(context, row, found, place)}${stands(context, row, place)}</div>${checks(row.checks)}${rests(resting(context, row))}${citing(context, {kind: "r", id: row.id, title, brief: `${shown}, ${device}`, query, also: row.same && queryOf("p", row.same.id, metric), row})}`;
  return {html: page(context, {kind: "r", id: row.id, title, about: `One result of ${row.submission_id}, down to its raw line.`, row, body, value: value ?? row.printed_value, unit: metric ? unitOf(metric) : row.printed_unit}), json: data(context, row, place)};
}

function told(t, context, row, metric) {
  const load = context.load(row)(t);
  const values = {load, device: context.device(row), depth: row.queue_depth ?? ""};
  const first = sentence(t, row.queue_depth == null ? "number.told_load" : "number.told", values);
  const run = row.figure && row.source_format === "figures" ? sentence(t, "number.told_figure") : row.duration_seconds == null ? sentence(t, "number.told_run") : sentence(t, "number.told_run_of", {time: full(row.duration_seconds)});
  const [low, high] = metric === "throughput_bytes_per_second" ? [row.throughput_sample_min_bytes_per_second, row.throughput_sample_max_bytes_per_second] : metric === "operations_per_second" ? [row.operations_sample_min_per_second, row.operations_sample_max_per_second] : [row.latency_min_seconds, row.latency_max_seconds];
  const key = metric === "latency_mean_seconds" ? "number.told_spread" : row.process_count > 1 ? "number.told_samples_each" : "number.told_samples";
  // samples are those of one process at a time; where those of the only one do not hold its mean, they are of something else
  const holds = key === "number.told_samples_each" || low <= row[metric] && row[metric] <= high;
  const within = metric && low != null && high != null && holds ? sentence(t, key, {n: row.sample_count ?? "", processes: row.process_count ?? "", low: metrics[metric].shown(low), high: `${metrics[metric].shown(high)} ${metrics[metric].unit(high)}`}) : null;
  return h`<p${t.language === "ja" && markup(" lang=ja")}>${sentences(t, [first, run, within])}`;
}

function asked(context, row) {
  const {read_ratio: read} = row;
  const access = row.access_pattern && ["random", "sequential"].includes(row.access_pattern) ? h`${en(`load.access_${row.access_pattern}`)}` : row.access_pattern && h`${row.access_pattern}`;
  const load = joined([row.block_size_bytes != null && h`${count(row.block_size_bytes)} B`, access, read != null && h`${en("number.share_read", {share: percent(read)})}`], ", ");
  const range = row.queue_depth_high == null ? null : h`${count(row.queue_depth_low ?? 1)}–${count(row.queue_depth_high)}`;
  const total = row.queue_depth != null ? h`${depth(row, en)}` : range ?? unknown(word("number.not_stated"));
  return card("number.asked", terms([
    [say("number.load"), load.text ? load : unknown(word("number.not_stated"))],
    [say("number.depth"), h`${total}${row.load_basis && row.load_basis !== "outstanding" && h` (${row.load_basis.replaceAll("_", " ")})`}`],
    [say("number.run"), row.duration_seconds == null ? unknown(word("number.not_stated")) : h`${full(row.duration_seconds)} s${row.ramp_seconds ? h`, ${word("number.after_ramp", {time: full(row.ramp_seconds)})}` : null}`],
    [say("cond.tool"), joined([row.tool_version ?? row.tool, row.engine, row.is_direct == null ? null : row.is_direct ? "direct" : "buffered", row.test_name && h`“${row.test_name}”`], ", ")],
    row.same && perDrive(row.same),
    row.qualifier && [say("number.qualifier"), h`${row.qualifier}`]
  ]));
}

// How busy the processor of the load generator was.
const busy = (row) => row.cpu_user_ratio == null && row.cpu_system_ratio == null ? null : word("number.core_busy", {share: percent((row.cpu_user_ratio ?? 0) + (row.cpu_system_ratio ?? 0))});

// What the kernel counted on the disks meanwhile, beside what the tool did; of several jobs nobody can tell them apart.
const FEW_DISKS = 3;
function counted({kernel, operation}) {
  const [seen, own] = {read: [kernel?.reads, kernel?.tool_reads], write: [kernel?.writes, kernel?.tool_writes]}[operation] ?? [];
  if (seen == null) return null;
  const {disks, jobs, busy: share} = kernel;
  const named = disks.length > FEW_DISKS ? en("number.kernel_disks", {n: disks.length}) : disks.join(", ");
  return h`${word(`number.kernel_${operation}`, {n: count(seen), disks: named})}${own != null && h` (fio ${count(own)})`}${jobs > 1 && h` ${word("number.kernel_jobs", {n: jobs})}`}${share != null && h`; ${word("number.kernel_busy", {share: percent(share)})}`}`;
}

// Where the result stands: the file, the line, and for a tool's JSON the lines of its operands.
const OPERANDS = {operations_per_second: ["iops", "total_ios"], throughput_bytes_per_second: ["bw_bytes", "io_bytes"]};
function stood(context, row, metric) {
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
const lineAt = (line) => line == null ? null : h` <em>${word("number.at_line", {n: line})}</em>`;
// What stands on a line of JSON behind its key: "iops" : 79516.982767,
const valueOn = (file, line) => /:\s*"?(-?[\d.eE+]+)"?,?\s*$/.exec(file?.lines[line - 1] ?? "")?.[1] ?? null;

function computed(context, row, found, place) {
  const [metric, ...rest] = found;
  const other = others(row, rest);
  const head = metric && metrics[metric];
  if (!metric) return card("number.computed", terms([[say("number.printed"), h`<q lang=mul>${printedOnly(row)}</q> ${row.printed_unit}`], [say("number.value"), unknown(word("number.no_conversion"))]]));
  if (row.figure) return card("number.computed", terms([...converted(row, metric), other && [say("number.others"), other]]));
  const amount = head.counted && row[head.counted];
  if (amount == null || !row.duration_seconds) return card("number.computed", terms([
    [say("number.value"), h`${exact(metric, row[metric])}`], [say("number.quotient"), h`${word("number.read_as_is")}${lineAt(place.printed)}`], other && [say("number.others"), other]
  ]));
  const quotient = amount / row.duration_seconds;
  return card("number.computed", terms([
    place.counted && [say(metric === "operations_per_second" ? "number.operations" : "number.bytes"), h`${count(amount)}${lineAt(place.counted)}`],
    place.time && [say("number.time"), h`${full(row.duration_seconds)} s${lineAt(place.time)}`],
    [say("number.quotient"), h`${count(amount)}${!place.counted && ` ${metric === "operations_per_second" ? "I/Os" : "B"}`} ÷ ${full(row.duration_seconds)} s = ${exact(metric, quotient)}${Math.abs(quotient / row[metric] - 1) > 1e-9 && h`; ${word("number.kept", {value: exact(metric, row[metric])})}`}`],
    [say("number.prints"), prints(row, metric, place, quotient)],
    other && [say("number.others"), h`${other}${row.latency_kind && row.latency_mean_seconds != null && ` (${row.latency_kind} latency)`}`]
  ]));
}

// What the file itself prints, and whether it agrees with the quotient.
function prints(row, metric, place, quotient) {
  const text = place.printed && valueOn(place.file, place.printed);
  if (text != null) return h`${full(Number(text))}${lineAt(place.printed)}, ${agreement(quotient, Number(text), text)}`;
  if (row.printed_value == null) return unknown(word("number.not_stated"));
  const size = {"B/s": 1, "KiB/s": 1024, "kB/s": 1000, "MiB/s": 2 ** 20, "MB/s": 1e6, "IOPS": null, "IO/s": null}[row.printed_unit];
  const own = size ? row.throughput_bytes_per_second / size : size === null ? row.operations_per_second : null;
  return h`${full(row.printed_value)} ${row.printed_unit}${own != null && Number.isFinite(own) && h`, ${agreement(own, row.printed_value)}`}`;
}

// A printed figure and how it became SI.
function converted(row, metric) {
  const {figure} = row;
  const ends = figure.low != null || figure.high != null ? h`${figure.low == null ? h`≤ ${full(figure.high)}` : figure.high == null ? h`≥ ${full(figure.low)}` : h`${full(figure.low)}–${full(figure.high)}`} (${figure.kind ?? "rounding"})` : null;
  return [
    [say("number.printed"), h`<q lang=mul>${printedOnly(row)}</q>${row.printed_unit && !printedOnly(row).includes(row.printed_unit) && h` ${row.printed_unit}`}`],
    [say("number.quotient"), row.printed_value == null ? exact(metric, row[metric]) : row.printed_value === row[metric] ? h`${exact(metric, row[metric])}` : h`${full(row.printed_value)} × ${full(Number((row[metric] / row.printed_value).toPrecision(15)))} = ${exact(metric, row[metric])}`],
    [say("number.unit_base"), row.unit_basis ? h`${row.unit_basis.replaceAll("_", " ")}` : unknown(word("number.not_stated"))],
    ends && [say("number.allows"), ends]
  ];
}

function stands(context, row, place) {
  const {file, line} = place;
  const total = file?.lines.length;
  const rows = [placeRow(row.source_path, row.source_pointer, line, total), hashed(rawFile(context, row.submission_id, row.source_path), row.source_sha256)];
  if (row.figure && row.origin_path == null) rows.push([say("number.printed_place"), joined([row.figure.section, row.figure.line && (/^\d/.test(row.figure.line) ? word("number.printed_line", {n: row.figure.line}) : row.figure.line), row.figure.other], "; ")]);
  if (row.origin_path != null) rows.push(...origin(context, row));
  if (row.reader_version != null) rows.push([say("number.read_with"), versions(row)]);
  return card("number.place", terms(rows), excerpt(row, place));
}

// What read the row, what its manifest was written for, and what drafted that.
const versions = (row) => joined([
  word("number.reader", {version: row.reader_version}), row.edition != null && word("number.edition", {n: row.edition}), row.collector_version != null && word("number.collector", {version: row.collector_version})
], ", ");

// Four lines of the raw file; of a table with many columns four of its cells.
const CELLS = {operations_per_second: ["operation_count", "duration_seconds", "operations_per_second", "latency_mean_seconds"], throughput_bytes_per_second: ["transferred_bytes", "duration_seconds", "throughput_bytes_per_second", "latency_mean_seconds"], latency_mean_seconds: ["latency_mean_seconds", "latency_min_seconds", "latency_max_seconds", "latency_kind"]};
const PRINTED = ["figure_id", "section", "printed_text", "printed_unit"];
function excerpt(row, {file, line}) {
  if (!file || line == null) return h`<p>${word("number.no_lines")}</p>`;
  if (/\.csv$/.test(row.source_path) && line > 1) {
    const told = file.cells(line);
    const [metric] = metricsOf(row, row.access_pattern);
    const names = (row.figure ? PRINTED : CELLS[metric] ?? PRINTED).filter((name) => told.has(name));
    if (names.length) return quoted(names.map((name) => `${name}: ${told.get(name)}`), names.indexOf(row.figure ? "printed_text" : metric));
  }
  const from = Math.max(0, Math.min(line - 2, file.lines.length - 4));
  return quoted(file.lines.slice(from, from + 4).map((text) => text.length > 160 ? `${text.slice(0, 159)}…` : text), line - 1 - from);
}

// The point that says the same (same.js), by its own address, and what rests on it.
const asPoint = (context, point) => [h`${say("number.point_of", {depth: point.queue_depth})}: <code>p/${point.id}</code>, ${point.section}, ${word("number.runs_in_it", {count: 1})}, <a href="${context.root}p/${jsonOf("p", point.id)}">${jsonLabel(jsonOf("p", point.id))}</a>`, ...restingOnPoint(context, point)];

const resting = (context, row) => [
  ...(row.same ? asPoint(context, row.same) : [row.point && h`${number(context, "p", row.point.id, say("number.point_of", {depth: row.point.depth}))}: ${word("number.runs_in_it", {count: row.point.runs})}`]),
  ...(row.peaks ?? []).map((peak) => number(context, "k", peak.id, h`${say("number.peak_stated")}, ${say(metrics[peak.metric].name)}`)),
  row.parts && h`${say("number.parts")}: ${joined(row.parts.filter((part) => part.id !== row.id).slice(0, 4).map((part) => number(context, "r", part.id, part.operation ?? part.id)), ", ")}`,
  ...(row.claims ?? []).map((claim) => h`${number(context, "c", `${row.submission_id}/${claim.id}`, h`${say("number.claim")} ${claim.id}`)}: ${(claim.verdict ?? "").replaceAll("_", " ")}`)
];

const KEPT = ["submission_id", "configuration_id", "load_profile", "workload_id", "operation", "queue_depth", "process_count", "operation_count", "duration_seconds", "operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds", "latency_kind", "value_kind", "figure_id", "printed_text", "source_path", "source_pointer", "source_sha256", "origin_path", "origin_line", "reader_version", "collector_version", "edition"];
const data = (context, row, {line}) => ({result_id: row.id, release_id: context.release, ...Object.fromEntries(KEPT.map((name) => [name, row[name]])), source_line: /^line/.test(row.source_pointer) ? null : line, point_id: row.point?.id});
