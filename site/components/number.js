import {html} from "npm:htl";
import {place} from "./facts.js";
import {blockSize, capacity, count, factor, iops, latency, quantities, throughput} from "./format.js";
import {originPlace} from "./imported.js";
import {profileLabel} from "./media.js";
import {table} from "./table.js";

// The address of the number that a symbol or a cell shows: that of its place, and which of the numbers there. Where a row
// lacks the metric, the first one that it has.
const metrics = ["operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds"];
export const numberLink = (d, metric) => d.href && `${d.href}-${[metric, ...metrics].find((name) => d[name] != null)}`;

// A number in the words of the charts.
const text = ({metric, number_value: value, number_kind: kind}) => {
  if (kind === "quotient") return `${factor(value)} times`;
  const quantity = quantities[metric];
  return quantity.text(quantity.value({[metric]: value}));
};
const bounds = {approximate: "about ", lower_bound: "more than ", upper_bound: "less than "};
const words = (d) => `${bounds[d.value_kind] ?? ""}${text(d)}`;
const unit = (metric) => metric.endsWith("_ratio") ? "times" : metric.replace(/^(throughput|latency_mean)_/, "").replaceAll("_", " ").replace("gigabyte", "gigabyte of 10⁹ bytes");
const load = (d) => [profileLabel(d.load_profile), d.queue_depth == null ? null : `queue depth ${d.queue_depth}`, d.configuration_id, d.section].filter(Boolean).join(", ");

// How a number is made of others, or of its runs.
function making(d, a, b, runs) {
  if (d.number_kind === "quotient") return `${text(a)} of several drives over ${text(b)} of one.`;
  if (d.number_kind === "per_drive") return `${text(a)} over ${count(d.drive_count)} ${d.drive_count === 1 ? "drive" : "drives"}.`;
  if (d.number_kind === "per_gigabyte") return `${text(a)} over ${capacity(d.capacity_bytes)}, counted in 10⁹ bytes.`;
  if (d.number_kind === "peak") {
    const highest = a.number_kind === "stated" ? "The peak that the source states" : `The peak over the queue depths ${d.queue_depths}: each third of the repetitions taken at the depth that the others choose, or the highest point where a depth has fewer than three`;
    const converted = d.number_origin === "measured" ? "" : `: ${text(a)}, ${d.metric === "operations_per_second" ? "divided by" : "times"} the block size of ${blockSize(d.block_size_bytes)}, because this rate itself was not measured`;
    return `${highest}${converted}.`;
  }
  const whole = d.metric === "latency_mean_seconds" ? "the mean of its parts, weighed by their operations" : "the sum of its parts";
  const halves = runs.some(({result_ids: parts}) => parts.length > 1);
  const many = runs.length > 1 ? `The geometric mean of ${runs.length} runs${halves ? `, each ${whole}` : ""}` : `One ${halves ? `run, ${whole}` : "result"}; no repetition of it is known`;
  return `${many}${d.number_origin === "measured" ? "" : `. It is ${d.metric === "operations_per_second" ? "throughput over the block size" : "IOPS times the block size"}, because this rate itself was not measured`}.`;
}

// The number that the address names, with everything it is made of; each result with its own row, file and place.
export function numberCard(id, {numbers, runs, results}, served, submission) {
  const byId = new Map(numbers.map((d) => [d.number_id, d]));
  const byResult = new Map(results.map((d) => [d.result_id, d]));
  const runsOf = Map.groupBy(runs, (d) => d.number_id);
  const chosen = byId.get(id);
  if (!chosen) return html`<section class="card number" id=${`n-${id}`}><h2>The number</h2><p class="note flag">This submission has no number of this name. The link may come from another version of the site; the results below are all there are.</p></section>`;
  const made = (d, level) => {
    const [a, b] = [d.a_number_id, d.b_number_id].map((name) => byId.get(name));
    const own = runsOf.get(d.number_id) ?? [];
    return html`<p class=${level ? "step" : "what"}><strong>${words(d)}</strong> <span>${load(d)}</span></p>
      <p class="small">${making(d, a, b, own)}</p>
      ${own.length ? operandTable(d, own, byResult, served, submission) : null}
      ${[a, b].filter(Boolean).map((each) => html`<div class="made">${made(each, level + 1)}</div>`)}`;
  };
  return html`<section class="card number" id=${`n-${id}`} aria-label="The number that the symbol shows"><h2>The number</h2>${made(chosen, 0)}
    <p class="small muted">In full: <span class="full">${chosen.number_value}</span> ${unit(chosen.metric)}.</p></section>`;
}

const operandTable = (d, runs, byResult, served, submission) => table(runs.flatMap(({point_value: value, result_ids: ids}, i) => ids.map((id, part) => ({...byResult.get(id), run: i + 1, value, isFirst: part === 0, parts: ids.length}))), [
  {label: "Run", value: (row) => html`${row.repetition_index ?? row.run}<small>${row.isFirst ? text({...d, number_kind: "run", number_value: row.value}) : "the same run"}</small>`, head: true},
  {label: "Part", value: (row) => row.operation},
  {label: "IOPS", value: (row) => iops(row.operations_per_second), num: true}, {label: "Throughput (base 2)", value: (row) => throughput(row.throughput_bytes_per_second), num: true}, {label: "Latency", value: (row) => latency(row.latency_mean_seconds), num: true},
  {label: "As printed", value: (row) => row.printed_text},
  {label: "Place", value: (row) => html`<a href=${place(served.get(row.source_path), row.source_pointer)}>${row.source_path}<small>${row.source_pointer}</small></a><small><a href=${`#r-${row.result_id}`}>among the results</a></small>${originPlace(submission, row)}`}
], {caption: `Every result behind ${text(d)}`, tall: true, records: true});
