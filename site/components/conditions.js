// Conditions of a measurement, checks of its validity, and verdicts: words of the tables as words of a reader's language.

const slug = (words) => words.trim().toLowerCase().replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_|_$/g, "");

// The name of a condition, from a column ("cpu_nominal_hertz") or from the words of a reason ("processor clock").
export function condition(name, t) {
  const key = `condition.${slug(name)}`;
  return t.has(key) ? t(key) : name.replaceAll("_", " ");
}

// The reasons behind a grade as {kind: "differs" | "unknown" | "further" | "other", name, a, b, count}, in their order.
export function reasonsOf(text) {
  return (text || "").split("; ").filter(Boolean).map((reason) => {
    const differs = /^(.+?) differs: (.*) against (.*)$/s.exec(reason);
    if (differs) return {kind: "differs", name: differs[1], a: differs[2], b: differs[3]};
    const further = /^(\d+) further conditions? unknown$/.exec(reason);
    if (further) return {kind: "further", count: Number(further[1])};
    const unknown = /^(.+) unknown$/.exec(reason);
    return unknown ? {kind: "unknown", name: unknown[1]} : {kind: "other", name: reason};
  });
}

// One reason in words: "kernel differs: 6.0 against 5.18".
export function reasonWords(reason, t) {
  if (reason.kind === "further") return t("compare.further", {count: reason.count});
  const name = condition(reason.name, t);
  if (reason.kind === "differs") return t("compare.differs_from", {name, a: reason.a, b: reason.b});
  return reason.kind === "unknown" ? t("compare.unknown", {name}) : name;
}

export const listed = (words, t) => words.join(t("list.separator"));

// What differs and what is unknown, each as one short phrase; for a heading.
export function shortReasons(text, t, most = 3) {
  const reasons = reasonsOf(text);
  const named = (kind) => [...new Set(reasons.filter((each) => each.kind === kind).map((each) => condition(each.name, t)))];
  const phrase = (key, names) => {
    if (!names.length) return null;
    const more = names.length - most;
    return t(key, {names: listed(more > 0 ? [...names.slice(0, most), t("compare.more", {count: more})] : names, t)});
  };
  return [phrase("compare.names_differ", named("differs")), phrase("compare.names_unknown", named("unknown"))].filter(Boolean).join("; ");
}

// A verdict as {who: "a" | "b" | "equal" | null, spread, margin, words, short}; `short` has a star for a condition.
export function verdictOf({verdict, verdict_basis: basis, quotient_ratio: ratio, low_ratio: low, high_ratio: high}, t) {
  const spread = /if runs spread by ([\d.]+) %/.exec(verdict)?.[1] ?? null;
  const who = /^A faster/.test(verdict) ? "a" : /^B faster/.test(verdict) ? "b" : /^equal/.test(verdict) ? "equal" : null;
  if (who === "equal") {
    const margin = /([\d.]+) %/.exec(verdict)?.[1] ?? "5";
    return {who, spread, words: t("verdict.equal", {margin}), short: t("verdict.equal", {margin})};
  }
  if (!who) {
    const isUnbound = ratio == null && low == null && high == null;
    const words = t(isUnbound ? "verdict.undecided_bounds" : basis === "assumed" ? "verdict.undecided_few_runs" : "verdict.undecided");
    return {who, spread, words, short: words};
  }
  const plain = t(`verdict.${who}_faster`);
  return spread ? {who, spread, words: t(`verdict.${who}_faster_if`, {spread}), short: t("verdict.conditional", {verdict: plain})} : {who, spread, words: plain, short: plain};
}

// Why two configurations are not divided: the conditions that differ, or the reason of another kind.
export function refusal({reasons, deciding}, t) {
  const names = (deciding ?? "").split(", ").filter(Boolean).map((name) => condition(name, t));
  if (/key_differs/.test(reasons) && names.length) return t("state.refused", {reason: t("compare.names_differ", {names: listed(names, t)})});
  if (names.length) return t("state.refused", {reason: listed(names, t)});
  const first = ["invalid", "no_common_load", "unit_unknown", "basis_differs", "workload_incomplete", "not_admitted"].find((reason) => reasons.split(", ").includes(reason));
  return t("state.refused", {reason: t(`compare.reason.${first ?? "other"}`)});
}
