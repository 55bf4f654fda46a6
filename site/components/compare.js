import {byLoad, loadParts, profileOf} from "./loads.js";

export const keyOf = (row, side = "") => `${row[`${side}submission_id`]}/${row[`${side}configuration_id`]}`;

export const partnersOf = (rows, own) => new Map(rows.flatMap((row) => {
  const [a, b] = [keyOf(row, "a_"), keyOf(row, "b_")];
  return a === own ? [[b, row]] : b === own ? [[a, row]] : [];
}));

export const firstOf = (configurations, partners) => configurations.toSorted((one, other) =>
  partners.has(keyOf(other)) - partners.has(keyOf(one)) || (other.partner_count ?? 0) - (one.partner_count ?? 0))[0];

export const devicesOf = (names) => Array.from(
  Map.groupBy(names, (row) => row.device_id ?? keyOf(row)),
  ([id, configurations]) => ({id, name: configurations[0].device_id ? configurations[0].device ?? id : configurations[0].title, media_class: configurations[0].media_class, configurations})
);

const over = (ratio) => ratio ? 1 / ratio : null;
const oppositeOf = {"A faster": "B faster", "B faster": "A faster"};

export function other(row) {
  const sides = Object.fromEntries(Object.entries(row).filter(([name]) => /^[ab]_/.test(name)).map(([name, value]) => [`${name[0] === "a" ? "b" : "a"}${name.slice(1)}`, value]));
  return {
    ...row, ...sides, ratio: over(row.ratio), ratio_low: over(row.ratio_high), ratio_high: over(row.ratio_low), verdict: oppositeOf[row.verdict] ?? row.verdict,
    choice_ratio_low: over(row.choice_ratio_high), choice_ratio_high: over(row.choice_ratio_low)
  };
}

// What is shown of the comparisons of a pair. `usual` is what most readers ask: one I/O at a time, and all that it gives.
export const views = ["usual", "every", "latency"];

export function rowsOfView(rows, view) {
  const isLatency = (row) => row.metric === "latency_mean_seconds";
  if (view === "latency") return sortRows(rows.filter(isLatency));
  const rates = rows.filter((row) => !isLatency(row));
  if (view === "every") return sortRows(rates);
  return sortRows(Array.from(Map.groupBy(rates, (row) => row.workload_id).values()).flatMap((of) => {
    const found = of.filter((row) => row.queue_depth == null || row.queue_depth === 1);
    return found.length ? found : of;
  }));
}

const depthOf = (row) => row.queue_depth ?? Infinity;
const sortRows = (rows) => rows.toSorted((one, two) => byLoad(one, two) || String(one.a_section).localeCompare(String(two.a_section), "en", {numeric: true}) || depthOf(one) - depthOf(two));

export function labelRows(rows, t) {
  const several = new Set(rows.map((row) => `${row.a_section}\n${row.b_section}`)).size > 1;
  return rows.map((row) => {
    const {name, definition} = loadParts(row.load_profile, t);
    const section = several ? sectionWords(row) : null;
    return {...row, name: name ? t("load.named", {name, definition}) : definition, detail: [basisWords(row, t), section].filter(Boolean).join(", ")};
  });
}

export const basisWords = ({queue_depth: n}, t) => n == null ? t("compare.basis.peak") : t("compare.basis.depth", {n});

const short = (section) => String(section ?? "").replace(/^tool output(, )?/, "");
function sectionWords(row) {
  const [a, b] = [short(row.a_section), short(row.b_section)];
  return a === b ? a || null : `${a || "–"} | ${b || "–"}`;
}

// The comparisons in the file of a pair (q/<pair_id>.json) as rows of `quotients`, A first. `loads`: rows of compare-loads; `a`: key of A.
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

export const differencesOf = (file, a) => (file?.differences ?? []).map((row) => a === file.a ? row : {...row, a: row.b, b: row.a});
