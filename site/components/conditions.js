// Conditions of a measurement, checks of its validity, and verdicts: words of the tables as words of a reader's language.

const slug = (words) => words.trim().toLowerCase().replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_|_$/g, "");

export function condition(name, t) {
  const key = `condition.${slug(name)}`;
  return t.has(key) ? t(key) : name.replaceAll("_", " ");
}

// The value of a condition: numbers sorted, bytes as GiB or GB. Any other number may be a version and stays as it is.
const SIZES = {memory: [2 ** 30, "GiB"], memory_bytes: [2 ** 30, "GiB"], capacity: [1e9, "GB"], capacity_bytes: [1e9, "GB"]};
export function conditionValue(value, label) {
  if (/^\d+(; \d+)+$/.test(value)) return value.split("; ").map(Number).toSorted((a, b) => a - b).join(", ");
  const [size, unit] = SIZES[label] ?? [];
  return size && /^\d{5,}$/.test(value) ? `${Number((value / size).toPrecision(4))} ${unit}` : value;
}

export const joinWords = (words, t) => words.join(t("list.separator"));

// "2 of 36 conditions known to be equal; differ: kernel; unknown: write cache, 31 more", from columns of `pairs`; `most` names of each kind.
export function conditionsWords({equal_count: equal, condition_count: count, differing_columns: differing, unknown_keys: keys, unknown_count: unknown}, t, most = 6) {
  const names = (columns, total) => {
    const shown = columns.slice(0, most).map((name) => condition(name, t));
    return joinWords(total > shown.length ? [...shown, t("compare.more", {count: total - shown.length})] : shown, t);
  };
  const [differ, open] = [differing ?? [], keys ?? []];
  return [
    t("compare.equal", {equal, count}),
    differ.length ? t("compare.names_differ", {names: names(differ, differ.length)}) : null,
    unknown ? t("compare.names_unknown", {names: names(open, unknown)}) : null
  ].filter(Boolean).join("; ");
}

export const factorCaveats = ({condition_columns: conditions, reasons}, t) => [
  ...(reasons ?? []),
  conditions?.length && t("scaling.conditions", {names: joinWords(conditions.map((name) => condition(name.slice(0, -2), t)), t)})
].filter(Boolean).join("; ") || null;

export const isTested = ({verdict, reason}) => verdict != null && reason !== "bounds on both sides";

// How far runs may spread for the sign of a difference to hold, rounded down to two digits; null where that is not asked.
export function spreadWords(spread, t, isShort = false) {
  if (spread == null) return null;
  const said = (name, values) => t(`spread.${isShort ? "short." : ""}${name}`, values);
  if (spread === 0) return said("none");
  if (spread > 0.5) return said("any");
  const scale = 10 ** (1 - Math.floor(Math.log10(100 * spread)));
  return said("most", {percent: String(Math.floor(100 * spread * scale) / scale)});
}

// A verdict as {who: "a" | "b" | "equal" | null, words, short}; with fewer than three runs {ahead, spread} say which direction holds.
export function verdictOf({verdict, reason, ratio, ratio_low: low, ratio_high: high, tolerated_spread_ratio: spread, a_run_count: a, b_run_count: b}, t) {
  const who = {"A faster": "a", "B faster": "b", equal: "equal"}[verdict] ?? null;
  const decided = who === "equal" ? "verdict.equal" : who ? `verdict.${who}_faster` : reason === "no value" ? "verdict.no_value"
    : verdict !== "undecided" ? null : reason === "bounds on both sides" ? "verdict.undecided_bounds" : "verdict.undecided";
  if (decided) return {who, words: t(decided), short: t(decided)};
  const runs = t((a ?? 1) === 1 && (b ?? 1) === 1 ? "verdict.single" : "verdict.few");
  const ahead = !spread ? null : (ratio ?? low ?? 0) > 1 ? "a" : (ratio ?? high ?? 2) < 1 ? "b" : null;
  const margin = spreadWords(spread, t);
  return {who, ahead, spread, words: margin ? t("verdict.held", {runs, held: margin}) : runs, short: spreadWords(spread, t, true) ?? t("verdict.none")};
}

export function refusal({reasons, deciding}, t) {
  const names = (deciding ?? []).map((name) => condition(name, t));
  if (names.length) return t("state.refused", {reason: reasons.includes("key_differs") ? t("compare.names_differ", {names: joinWords(names, t)}) : joinWords(names, t)});
  const first = ["invalid", "no_common_load", "processes_differ", "unit_unknown", "workload_incomplete", "not_admitted"].find((reason) => reasons.includes(reason));
  return t("state.refused", {reason: t(`compare.reason.${first ?? "other"}`)});
}
