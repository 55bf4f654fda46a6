import {full} from "./format.js";

export const verdicts = [
  {id: "follows", color: "var(--good)", drawn: "strip"}, {id: "consistent", color: "var(--good)", drawn: "strip"},
  {id: "close", color: "var(--accent)", drawn: "strip"}, {id: "follows_in_part", color: "var(--accent)", drawn: "strip"},
  {id: "follows_if", color: "var(--warn)", drawn: "strip"}, {id: "conflicts", color: "var(--bad)", drawn: "rows"},
  {id: "does_not_follow", color: "var(--bad)", drawn: "rows"}, {id: "not_testable", color: "var(--ink-3)", drawn: "line"},
  {id: "circular", color: "var(--ink-3)", drawn: "line"}
];

export const failing = ["conflicts", "does_not_follow"];

const digits = (value) => full(Number(value.toPrecision(4)));

// The recomputed value against the claimed one: +1 is twice as much as claimed. Null where there is nothing to divide.
export const recomputedShare = ({difference_ratio: ratio}) => ratio != null && ratio > -1 ? 1 / (1 + ratio) - 1 : null;

// Between what ends the rounding of the printed operands lets it lie, in the same terms.
export function shareEnds(row) {
  const share = recomputedShare(row);
  if (share == null || !row.recomputed_value) return [null, null];
  const end = (value) => value == null ? null : (1 + share) * value / row.recomputed_value - 1;
  return [end(row.recomputed_low), end(row.recomputed_high)].toSorted((a, b) => (a ?? -Infinity) - (b ?? Infinity));
}

const qualifierOf = ({qualifier}, t) => qualifier && t?.has?.(`claims.qualifier.${qualifier}`) ? t(`claims.qualifier.${qualifier}`) : qualifier;
export const claimedText = (row, t) => [qualifierOf(row, t), row.claimed_text ?? (row.claimed_value != null ? digits(row.claimed_value) : row.claimed_low != null ? `${digits(row.claimed_low)} … ${digits(row.claimed_high)}` : "–")].filter(Boolean).join(" ");

export function computedText(row) {
  if (row.recomputed_value != null) return digits(row.recomputed_value);
  if (row.recomputed_low == null && row.recomputed_high == null) return null;
  return row.recomputed_high == null ? `≥ ${digits(row.recomputed_low)}` : row.recomputed_low == null ? `≤ ${digits(row.recomputed_high)}` : `${digits(row.recomputed_low)} … ${digits(row.recomputed_high)}`;
}

export const claimId = (row) => `${row.submission_id}/${row.claim_id}`;
