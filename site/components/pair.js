// The quotients of a pair as its file beside the number page holds them, as rows with the columns of the table `quotients`, A first.
import {keyOf, other} from "./compare.js";
import {profileOf} from "./loads.js";

// `file`: q/<pair_id>.json; `pair`: the row of compare-pairs, which knows the runs; `loads`: rows of compare-loads.
export function quotientsOf(file, pair, loads, a) {
  if (!file) return [];
  const [one, two] = [file.a, file.b].map((key) => ({submission_id: key.split("/")[0], configuration_id: key.split("/").slice(1).join("/")}));
  const profiles = new Map(loads.map((row) => [row.workload_id, profileOf(row, [one.submission_id, two.submission_id])]));
  const runs = {[keyOf(pair, "a_")]: pair.a_repetition_count, [keyOf(pair, "b_")]: pair.b_repetition_count};
  const whole = {
    pair_id: file.pair_id, comparability_grade: file.comparability_grade,
    a_submission_id: one.submission_id, a_configuration_id: one.configuration_id, a_repetition_count: runs[file.a],
    b_submission_id: two.submission_id, b_configuration_id: two.configuration_id, b_repetition_count: runs[file.b]
  };
  const rows = file.loads.flatMap(([workload_id, metric, a_section, b_section, quotients]) => quotients.map((values) => {
    const {end_ratio: end, ...row} = bounded(Object.fromEntries(file.columns.map((name, i) => [name, values[i]])));
    return {
      ...whole, ...row, ...(end == null ? {} : openAt(end, file.verdicts[row.verdict])), metric: file.metrics[metric], load_profile: profiles.get(workload_id) ?? workload_id, a_section: file.sections[a_section] ?? "tool output", b_section: file.sections[b_section] ?? "tool output",
      basis: file.bases[row.basis], verdict: file.verdicts[row.verdict], verdict_basis: basisOf(row, whole)
    };
  }));
  const isTurned = a !== file.a;
  const reasons = reasonsText(file, isTurned);
  return rows.map((row) => ({...(isTurned ? other(row) : row), comparability_reasons: reasons}));
}

// A low end of 0 says no more than that rates are not negative: the end is open, on whichever side it falls.
export const bounded = (row) => row.low_ratio === 0 ? {...row, low_ratio: null} : row;

// Where one side is a bound and neither has an interval, the quotient of both values is itself an end: a side that is called
// faster is so by at least that much. A rate only, as of a latency the lower one is ahead. Null where no such end is known.
export function endOf({metric, verdict, quotient_ratio: ratio, low_ratio: low, high_ratio: high, a_value: a, b_value: b}) {
  const isOpen = ratio == null && low == null && high == null;
  return isOpen && metric !== "latency_mean_seconds" && /^[AB] faster/.test(verdict ?? "") && a > 0 && b > 0 ? a / b : null;
}

// The same as the open interval that it is, on the side of the one that is faster.
export const openAt = (end, verdict) => verdict.startsWith("A") ? {low_ratio: end, high_ratio: null} : {low_ratio: null, high_ratio: end};

// Three runs a side are needed for an interval of their own; a side that is a bound gives an end only.
const basisOf = (row, {a_repetition_count: a, b_repetition_count: b}) => row.quotient_ratio == null ? "bound" : Math.min(a ?? 1, b ?? 1) >= 3 ? "measured" : "assumed";

// What differs and what is unknown, in the words of the table.
const reasonsText = ({differences = [], unknown = []}, isTurned) => [
  ...differences.map(({label, a, b}) => `${label} differs: ${(isTurned ? b : a) ?? "unknown"} against ${(isTurned ? a : b) ?? "unknown"}`),
  ...unknown.map((label) => `${label} unknown`)
].join("; ");
