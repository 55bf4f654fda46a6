// Which drives reach a rate within a latency, by the mean, p99 or p99.9.
export const STATISTICS = [{id: "mean", column: "latency_mean_seconds"}, {id: "p99", name: "p99", column: "p99_seconds"}, {id: "p999", name: "p99.9", column: "p999_seconds"}];

// "50k", "1.5 M" -> a number; with a unit "1ms", "200us" -> seconds; null where it is no amount above zero.
const SIZES = {"": 1, k: 1e3, m: 1e6, g: 1e9}, PARTS = {s: 1, ms: 1e3, us: 1e6, "µs": 1e6};
export function amountOf(text, unit = null) {
  const [, digits, suffix] = /^\s*(\d+(?:[.,]\d+)?)\s*([a-zµ]*)\s*$/.exec(String(text).toLowerCase().replace("μ", "µ")) ?? [];
  const size = (unit ? PARTS : SIZES)[suffix ?? ""];
  const amount = digits == null || size == null ? null : unit ? Number(digits.replace(",", ".")) / size : Number(digits.replace(",", ".")) * size;
  return amount > 0 ? amount : null;
}

// A row per drive: the highest IOPS within the limit as `best`, and an answer; "unknown" if not reported, only at depth 1, or host-limited below.
export function answersWithin(points, {rate, limit, by}) {
  const {column} = STATISTICS.find(({id}) => id === by);
  const drives = new Map();
  for (const row of points) drives.set(row.device_id, [...drives.get(row.device_id) ?? [], row]);
  const order = {yes: 0, unknown: 1, no: 2};
  return [...drives.values()].map((of) => {
    const told = of.filter((row) => row[column] != null);
    const inside = told.filter((row) => row[column] <= limit);
    const best = inside.reduce((most, row) => most == null || row.operations_per_second > most.operations_per_second ? row : most, null);
    const why = !told.length ? "statistic" : of.every((row) => row.queue_depth === 1) ? "depth" : best?.is_bound ? "bound" : null;
    const {device_id, short_name, media_class, interface_protocol} = of[0];
    return {device_id, short_name, media_class, interface_protocol, best, why, answer: best?.operations_per_second >= rate ? "yes" : why && (best || why === "statistic") ? "unknown" : "no"};
  }).sort((a, b) => order[a.answer] - order[b.answer] || (b.best?.operations_per_second ?? 0) - (a.best?.operations_per_second ?? 0) || (a.device_id < b.device_id ? -1 : 1));
}
