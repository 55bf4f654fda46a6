// The comparisons of a pair as its file beside the number page holds them, as rows with the columns of `quotients`, A first.
import {other} from "./compare.js";
import {profileOf} from "./loads.js";

// `file`: q/<pair_id>.json; `loads`: rows of compare-loads; `a`: submission/configuration of A.
export function comparisonsOf(file, loads, a) {
  if (!file) return [];
  const [one, two] = [file.a, file.b].map((key) => ({submission_id: key.split("/")[0], configuration_id: key.split("/").slice(1).join("/")}));
  const profiles = new Map(loads.map((row) => [row.workload_id, profileOf(row, [one.submission_id, two.submission_id])]));
  const whole = {pair_id: file.pair_id, a_submission_id: one.submission_id, a_configuration_id: one.configuration_id, b_submission_id: two.submission_id, b_configuration_id: two.configuration_id};
  return file.comparisons.map((values) => {
    const row = Object.fromEntries(file.columns.map((name, i) => [name, values[i]]));
    const its = {...whole, ...row, load_profile: profiles.get(row.workload_id) ?? row.workload_id, a_section: row.a_section ?? "tool output", b_section: row.b_section ?? "tool output"};
    return a === file.a ? its : other(its);
  });
}

// Conditions that differ, of A and of B.
export const differencesOf = (file, a) => (file?.differences ?? []).map((row) => a === file.a ? row : {...row, a: row.b, b: row.a});
