const METRICS = {i: "operations_per_second", b: "throughput_bytes_per_second", l: "latency_mean_seconds", v: "printed_value"};
const USUAL = "i";
const text = (words) => `'${words.replaceAll("'", "''")}'`;
const QUERIES = {
  r: (id, metric) => `select ${metric}, source_path, source_pointer from results where result_id = ${text(id)}`,
  p: (id, metric) => `select ${metric}, run_count from points where point_id = ${text(id)}`,
  k: (id) => `select peak_value, peak_value_low, peak_value_high, queue_depth from peaks where peak_id = ${text(id)}`,
  s: (id) => `select factor_ratio, ideal_ratio, efficiency_ratio from scaling where scaling_id = ${text(id)}`,
  c: (submission, claim) => `select claimed_value, recomputed_value, recomputed_low, recomputed_high, verdict, verdict_reason\nfrom claims where submission_id = ${text(submission)} and claim_id = ${text(claim)}`,
  q: (id) => `select load_profile, metric, queue_depth, ratio, ratio_low, ratio_high, verdict, tolerated_spread_ratio\nfrom quotients where pair_id = ${text(id)} and not is_mirrored`
};

// `names` are what follows the kind in the address of the page, and for a result or a point the metric that it is about.
export const queryOf = (kind, ...names) => QUERIES[kind](...names);

// What stands behind `#`: "r/<result_id>@<release>", where the metric is not the usual one "r.b/…".
export function numberHash(kind, id, release, metric = METRICS[USUAL]) {
  const letter = Object.keys(METRICS).find((name) => METRICS[name] === metric);
  return `#${kind}${letter === USUAL ? "" : `.${letter}`}/${id.split("/").map(encodeURIComponent).join("/")}@${release}`;
}

// {query, r} of what stands behind `#`, null where it names no number. Never throws.
export function numberOf(hash) {
  const [, kind, letter = USUAL, id, r] = /^#?([rpkscq])(?:\.([iblv]))?\/([^@]+)@(\w+)$/.exec(hash) ?? [];
  if (!kind) return null;
  try {
    const names = id.split("/").map(decodeURIComponent);
    if (names.length !== (kind === "c" ? 2 : 1)) return null;
    return {query: queryOf(kind, ...names, ...("rp".includes(kind) ? [METRICS[letter]] : [])), r};
  } catch {
    return null;
  }
}
