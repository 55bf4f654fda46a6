// What a sweep says of one result: where it is in its file, how the value comes from what is counted there, and what was asked.
import {count, depth, full, percent} from "../components/format.js";
import {h, joined, say, t, terms, unknown} from "./html.js";
import {hashed, origin, placeRow, quoted, rawFile} from "./page.js";
import {agreement, exact, metrics, metricsOf, others} from "./values.js";

// Of a figure that is no rate and no latency, what the source prints.
export const printedOnly = (row) => `${row.printed_text ?? full(row.printed_value)}`;
export function asked(context, row) {
  const {read_ratio: read} = row;
  const access = row.access_pattern && ["random", "sequential"].includes(row.access_pattern) ? h`${t(`load.access_${row.access_pattern}`)}` : row.access_pattern && h`${row.access_pattern}`;
  const load = joined([row.block_size_bytes != null && h`${count(row.block_size_bytes)} B`, access, read != null && h`${t("number.share_read", {share: percent(read)})}`], ", ");
  const range = row.queue_depth_high == null ? null : h`${count(row.queue_depth_low ?? 1)}–${count(row.queue_depth_high)}`;
  const total = row.queue_depth != null ? h`${depth(row, t)}` : range ?? unknown(say("number.not_stated"));
  return terms([
    [say("number.load"), load.text ? load : unknown(say("number.not_stated"))],
    [say("number.depth"), h`${total}${row.load_basis && row.load_basis !== "outstanding" && h` (${row.load_basis.replaceAll("_", " ")})`}`],
    [say("number.run"), row.duration_seconds == null ? unknown(say("number.not_stated")) : h`${full(row.duration_seconds)} s${row.ramp_seconds ? h`, ${say("number.after_ramp", {time: full(row.ramp_seconds)})}` : null}`],
    [say("cond.tool"), joined([row.tool_version ?? row.tool, row.engine, row.is_direct == null ? null : row.is_direct ? "direct" : "buffered", row.test_name && h`“${row.test_name}”`], ", ")],
    row.qualifier && [say("number.qualifier"), h`${row.qualifier}`]
  ]);
}

// How busy the processor of the load generator was.
export const busy = (row) => row.cpu_user_ratio == null && row.cpu_system_ratio == null ? null : say("number.core_busy", {share: percent((row.cpu_user_ratio ?? 0) + (row.cpu_system_ratio ?? 0))});

// What the kernel counted on the disks meanwhile, beside what the tool did; of several jobs nobody can tell them apart.
const FEW_DISKS = 3;
export function counted({kernel, operation}) {
  const [seen, own] = {read: [kernel?.reads, kernel?.tool_reads], write: [kernel?.writes, kernel?.tool_writes]}[operation] ?? [];
  if (seen == null) return null;
  const {disks, jobs, busy: share} = kernel;
  const named = disks.length > FEW_DISKS ? t("number.kernel_disks", {n: disks.length}) : disks.join(", ");
  return h`${say(`number.kernel_${operation}`, {n: count(seen), disks: named})}${own != null && h` (fio ${count(own)})`}${jobs > 1 && h` ${say("number.kernel_jobs", {n: jobs})}`}${share != null && h`; ${say("number.kernel_busy", {share: percent(share)})}`}`;
}

// Where the result stands: the file, the line, and for a tool's JSON the lines of its operands.
const OPERANDS = {operations_per_second: ["iops", "total_ios"], throughput_bytes_per_second: ["bw_bytes", "io_bytes"]};
export function stood(context, row, metric) {
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

export function computed(context, row, found, place) {
  const [metric, ...rest] = found;
  const other = others(row, rest);
  const head = metric && metrics[metric];
  if (!metric) return terms([[say("number.printed"), h`<q lang=mul>${printedOnly(row)}</q> ${row.printed_unit}`], [say("number.value"), unknown(say("number.no_conversion"))]]);
  if (row.figure) return terms([...converted(row, metric), other && [say("number.others"), other]]);
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

// What the file itself prints, and whether it agrees with the quotient.
function prints(row, metric, place, quotient) {
  const text = place.printed && valueOn(place.file, place.printed);
  if (text != null) return h`${full(Number(text))}${lineAt(place.printed)}, ${agreement(quotient, Number(text), text)}`;
  if (row.printed_value == null) return unknown(say("number.not_stated"));
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
    [say("number.unit_base"), row.unit_basis ? h`${row.unit_basis.replaceAll("_", " ")}` : unknown(say("number.not_stated"))],
    ends && [say("number.allows"), ends]
  ];
}

// The file and the line; of a number alone also hashes, what read it, and the lines themselves.
export function stands(context, row, place, isAlone = true) {
  const {file, line} = place;
  // the row of one of several names the file and the line itself
  const rows = isAlone ? [placeRow(row.source_path, row.source_pointer, line, file?.lines.length, rawFile(context, row.submission_id, row.source_path))] : [];
  if (isAlone) rows.push(hashed(rawFile(context, row.submission_id, row.source_path), row.source_sha256));
  if (row.figure && row.origin_path == null) rows.push([say("number.printed_place"), joined([row.figure.section, row.figure.line && (/^\d/.test(row.figure.line) ? say("number.printed_line", {n: row.figure.line}) : row.figure.line), row.figure.other], "; ")]);
  if (row.origin_path != null) rows.push(...origin(context, row, isAlone));
  if (isAlone && row.reader_version != null) rows.push([say("number.read_with"), versions(row)]);
  return [rows.length > 0 && terms(rows), isAlone && excerpt(row, place)];
}

// What read the row, what its manifest was written for, and what drafted that.
const versions = (row) => joined([
  say("number.reader", {version: row.reader_version}), row.edition != null && say("number.edition", {n: row.edition}), row.collector_version != null && say("number.collector", {version: row.collector_version})
], ", ");

// Four lines of the raw file; of a table with many columns four of its cells.
const CELLS = {operations_per_second: ["operation_count", "duration_seconds", "operations_per_second", "latency_mean_seconds"], throughput_bytes_per_second: ["transferred_bytes", "duration_seconds", "throughput_bytes_per_second", "latency_mean_seconds"], latency_mean_seconds: ["latency_mean_seconds", "latency_min_seconds", "latency_max_seconds", "latency_kind"]};
const PRINTED = ["figure_id", "section", "printed_text", "printed_unit"];
function excerpt(row, {file, line}) {
  if (!file || line == null) return h`<p>${say("number.no_lines")}</p>`;
  if (/\.csv$/.test(row.source_path) && line > 1) {
    const told = file.cells(line);
    const [metric] = metricsOf(row, row.access_pattern);
    const names = (row.figure ? PRINTED : CELLS[metric] ?? PRINTED).filter((name) => told.has(name));
    if (names.length) return quoted(names.map((name) => `${name}: ${told.get(name)}`), names.indexOf(row.figure ? "printed_text" : metric));
  }
  const from = Math.max(0, Math.min(line - 2, file.lines.length - 4));
  return quoted(file.lines.slice(from, from + 4).map((text) => text.length > 160 ? `${text.slice(0, 159)}…` : text), line - 1 - from);
}

const KEPT = ["submission_id", "configuration_id", "load_profile", "workload_id", "operation", "queue_depth", "process_count", "operation_count", "duration_seconds", "operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds", "latency_kind", "value_kind", "figure_id", "printed_text", "source_path", "source_pointer", "source_sha256", "origin_path", "origin_line", "reader_version", "collector_version", "edition"];
export const resultData = (row, {line}) => ({...Object.fromEntries(KEPT.map((name) => [name, row[name]])), source_line: /^line/.test(row.source_pointer) ? null : line, point_id: row.point?.id});
