// Own results beside published drives: the same workload by all of its members, at the same queue depth.
import {blockSize, iops, quotient} from "../format.js";
import {status, withBound} from "../marks.js";

// Own results by workload and depth, most published drives first: [{load_profile, queue_depth, own, drives}].
export function cases(result, published) {
  const workloads = new Map(published.workloads.map((workload) => [key(MEMBERS.map((name) => workload[name] ?? null)), workload]));
  const groups = new Map();
  for (const row of result.rows) {
    const members = result.workloads[row.result_id];
    if (!members || row.operations_per_second == null || row.queue_depth == null || (row.load_basis ?? "outstanding") !== "outstanding") continue;
    const id = `${key(members)}/${row.queue_depth}`;
    if (!groups.has(id)) groups.set(id, {members, workload: workloads.get(key(members)), queue_depth: row.queue_depth, own: []});
    const {own} = groups.get(id);
    const other = own.findIndex((each) => each.repetition_id === row.repetition_id && each.operation !== row.operation);
    if (other < 0) own.push(row);
    else own[other] = together(own[other], row);
  }
  return [...groups.values()].map(({members, workload, queue_depth, own}) => ({
    members, queue_depth, load_profile: workload?.load_profile ?? wordsOf(members),
    own: own.toSorted((a, b) => b.operations_per_second - a.operations_per_second),
    drives: workload ? published.points.filter((point) => point.workload_id === workload.workload_id && point.queue_depth === queue_depth) : []
  })).sort((a, b) => b.drives.length - a.drives.length);
}

function together(a, b) {
  const rate = a.operations_per_second + b.operations_per_second;
  const isKnown = a.latency_mean_seconds != null && b.latency_mean_seconds != null && a.latency_kind === b.latency_kind;
  const latency = isKnown ? (a.latency_mean_seconds * a.operations_per_second + b.latency_mean_seconds * b.operations_per_second) / rate : null;
  return {...b, operation: "mixed", operations_per_second: rate, latency_mean_seconds: latency};
}

const TURNED = {at_least: "at_most", at_most: "at_least"};
export const ratio = (value, drive) => `${withBound(quotient(value / drive.operations_per_second), {bound: TURNED[status(drive).bound]})} ×`;

const MEMBERS = ["access_pattern", "random_ratio", "read_ratio", "block_size_min_bytes", "block_size_max_bytes", "block_directions", "load_options", "stream_count"];
const key = (members) => JSON.stringify(members);

function wordsOf([pattern, random, reads, low, high, directions, options, streams]) {
  const size = low === high ? blockSize(low) : `${blockSize(low)} to ${blockSize(high)}`;
  const access = random == null ? pattern : `${Number((100 * random).toFixed(2))} % random`;
  const share = reads === 1 ? " read" : reads === 0 ? " write" : `, ${Number((100 * reads).toFixed(2))} % read`;
  const further = [directions, ...Object.entries(JSON.parse(options ?? "{}")).map(([name, value]) => `${name}=${typeof value === "object" ? JSON.stringify(value) : value}`), streams && `${streams} streams`].filter(Boolean);
  return [`${size} ${access}${share}`, ...further].join(", ");
}

export function nearest({members: [pattern, , reads, low]}, {workloads, points}, most = 3) {
  const away = (workload) => 10 * Math.abs(workload.read_ratio - reads) + Math.abs(Math.log2(workload.block_size_min_bytes / low)) + (workload.load_options ? 1 : 0);
  const has = new Set(points.map((point) => point.workload_id));
  return workloads.filter((workload) => workload.access_pattern === pattern && has.has(workload.workload_id)).toSorted((a, b) => away(a) - away(b)).slice(0, most);
}

export function ownAnswer({own, drives}, {t}) {
  const [best] = own;
  const value = best.operations_per_second;
  const below = drives.filter((drive) => drive.operations_per_second < value);
  const times = (drive) => ratio(value, drive);
  const facts = {value: iops(value), count: drives.length, below: below.length};
  if (!drives.length) return t.rich("own.answer.none", facts);
  if (!below.length) return t.rich("own.answer.lowest", {...facts, times: times(drives.at(-1)), drive: drives.at(-1).device});
  if (below.length === drives.length) return t.rich("own.answer.highest", {...facts, times: times(drives[0]), drive: drives[0].device});
  const above = drives[drives.length - below.length - 1];
  return t.rich("own.answer.between", {...facts, times: times(below[0]), drive: below[0].device, above_times: times(above), above: above.device});
}
