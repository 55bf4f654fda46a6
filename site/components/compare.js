// What the page of two configurations works with: which two are meant, their quotients, and what stands between them.
import {byLoad, loadParts} from "./loads.js";

export const keyOf = (row, side = "") => `${row[`${side}submission_id`]}/${row[`${side}configuration_id`]}`;

// Rows of compare-pairs or compare-refused that name a configuration, by the other one: Map of key -> row.
export function partnersOf(rows, own) {
  const found = new Map();
  for (const row of rows) {
    const [a, b] = [keyOf(row, "a_"), keyOf(row, "b_")];
    if (a === own) found.set(b, row);
    else if (b === own) found.set(a, row);
  }
  return found;
}

// The configuration of a device that is best to begin with: one that the other side is divided by, else the one with the
// most partners.
export const firstOf = (configurations, partners) => configurations.toSorted((one, other) =>
  partners.has(keyOf(other)) - partners.has(keyOf(one)) || (other.partner_count ?? 0) - (one.partner_count ?? 0))[0];

// Devices in the order of the names, each with its configurations. A configuration over several drives is known by its title.
export const devicesOf = (names) => Array.from(
  Map.groupBy(names, (row) => row.device_id ?? keyOf(row)),
  ([id, configurations]) => ({id, name: configurations[0].device_id ? configurations[0].device ?? id : configurations[0].title, media_class: configurations[0].media_class, configurations})
);

const over = (ratio) => ratio == null ? null : 1 / ratio;
const swapped = {"A faster": "B faster", "B faster": "A faster"};

// One quotient the other way round.
export function other(row) {
  const sides = Object.fromEntries(Object.entries(row).filter(([name]) => /^[ab]_/.test(name)).map(([name, value]) => [`${name[0] === "a" ? "b" : "a"}${name.slice(1)}`, value]));
  return {
    ...row, ...sides,     quotient_ratio: over(row.quotient_ratio), low_ratio: over(row.high_ratio), high_ratio: over(row.low_ratio),
    verdict: row.verdict.replace(/^[AB] faster/, (words) => swapped[words])
  };
}

// What is shown of the quotients of a pair. Random loads are compared by IOPS, sequential ones by throughput: of the same run the
// two say the same. `usual` is what most readers ask: one I/O at a time, and all that it gives.
export const views = ["usual", "every", "latency"];
const usualMetric = (row) => /sequential/.test(row.load_profile) || ["streaming", "restore"].includes(row.load_profile.toLowerCase()) ? "throughput_bytes_per_second" : "operations_per_second";

export function viewed(rows, view) {
  if (view === "latency") return ordered(rows.filter((row) => row.metric === "latency_mean_seconds"));
  const metrics = Map.groupBy(rows.filter((row) => row.metric !== "latency_mean_seconds"), (row) => `${row.load_profile} ${row.basis} ${row.a_section} ${row.b_section}`);
  const rates = Array.from(metrics.values(), (same) => same.find((row) => row.metric === usualMetric(row)) ?? same[0]);
  if (view === "every") return ordered(rates);
  const byLoads = Map.groupBy(rates, (row) => row.load_profile);
  return ordered(Array.from(byLoads.values()).flatMap((of) => {
    const found = of.filter((row) => row.basis === "peak" || row.basis === "queue_depth=1");
    return found.length ? found : of;
  }));
}

const depthOf = ({basis}) => basis === "peak" ? Infinity : basis === "low_depth" ? 0 : Number(/=(\d+)$/.exec(basis)?.[1] ?? 0);
const ordered = (rows) => rows.toSorted((one, two) => byLoad(one, two) || String(one.a_section).localeCompare(String(two.a_section), "en", {numeric: true}) || depthOf(one) - depthOf(two));

// What a row is called: the load, and beside it the depth and the parts of the sources where there are several.
export function named(rows, t) {
  const several = new Set(rows.map((row) => `${row.a_section}\n${row.b_section}`)).size > 1;
  return rows.map((row) => {
    const {name, definition} = loadParts(row.load_profile, t);
    const section = several ? sectionWords(row) : null;
    return {...row, name: name ? t("load.named", {name, definition}) : definition, detail: [basisWords(row, t), section].filter(Boolean).join(", ")};
  });
}

export function basisWords({basis}, t) {
  if (basis === "peak" || basis === "low_depth") return t(`compare.basis.${basis}`);
  const [, kind, n] = /^(.*)=(.*)$/.exec(basis) ?? [null, basis, ""];
  return kind === "queue_depth" ? t("compare.basis.depth", {n}) : t("compare.basis.other", {n, kind: kind.replaceAll("_", " ")});
}

const short = (section) => String(section ?? "").replace(/^tool output(, )?/, "");
function sectionWords(row) {
  const [a, b] = [short(row.a_section), short(row.b_section)];
  return a === b ? a || null : `${a || "–"} | ${b || "–"}`;
}
