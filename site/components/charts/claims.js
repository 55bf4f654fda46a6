// Statements of publications by verdict: those that hold are dots of a strip, the others have a row each.
import {html, svg} from "htl";
import {claimedText, claimId, computedText, failing, recomputedShare, shareEnds, verdicts} from "../claims.js";
import {linked} from "../marks.js";
import {difference} from "../format.js";
import {isNarrow, line, round, surface, text, widthOf} from "./draw.js";
import {cut, dodged, percentages, sentences} from "./plane.js";

const TICKS = [-90, -50, -20, -10, -5, -2, 0, 2, 5, 10, 20, 50, 100, 200, 500];

export function claims(rows, {width, t, number}) {
  const narrow = isNarrow(width);
  const [left, right] = narrow ? [12, width - 12] : [515, 1160];
  const shares = rows.flatMap((row) => [recomputedShare(row), ...shareEnds(row)]).filter((share) => share != null).map((share) => share * 100);
  const scale = percentages(shares, [left, right]);
  const [low, high] = scale.domain();
  const ticks = TICKS.filter((tick) => tick > low && tick < high && (!narrow || [-50, -10, 0, 10, 100].includes(tick)));
  const top = 30;
  let y = top;
  const blocks = verdicts.map((verdict) => ({...verdict, rows: rows.filter((row) => row.verdict === verdict.id)})).filter((block) => block.rows.length).map((block) => {
    const drawn = {strip, rows: named, line: silent}[block.drawn](block, y, {scale, narrow, left, right, width, t, number});
    y += drawn.height;
    return [...drawn.nodes, line(0, y, width, y)];
  });
  return surface({width, height: y + 6, label: t("claims.label", {count: rows.length})}, ...[
    ticks.map((tick) => [
      line(scale(tick), top - 8, scale(tick), y, tick === 0 ? {stroke: "var(--ink-3)", width: 1.25} : {}),
      text(tick === 0 ? t("tick.as_claimed") : `${tick < 0 ? "−" : "+"}${Math.abs(tick)} %`, {x: scale(tick), y: 14, anchor: "middle", size: 12.5, fill: "var(--ink-2)"})
    ]),
    blocks
  ].flat(Infinity));
}

// The count and the word of a verdict.
function heading({id, rows, color}, y, {narrow, t}) {
  return narrow
    ? [svg`<text x="0" y=${y + 18} font-size="13" font-weight="640" fill=${color} class="halo">${rows.length} ${t(`claim.${id}`)}</text>`]
    : [text(String(rows.length), {x: 26, y: y + 5, anchor: "end", size: 14.5, weight: 640}), text(t(`claim.${id}`), {x: 36, y: y + 5, size: 14.5, weight: 640, fill: color})];
}

const lines = (row, t) => [row.statement, t("claims.tip", {claimed: claimedText(row, t), computed: computedText(row) ?? t("state.unknown")}), t(`claim.${row.verdict}`), row.claim_id, t("mark.open_number")];
const link = (row, t, number, place, content) => linked({href: number("c", claimId(row)), lines: lines(row, t), width: 12, height: 12, ...place}, content);

function strip(block, y, {scale, narrow, left, right, width, t, number}) {
  const known = block.rows.filter((row) => recomputedShare(row) != null);
  const without = block.rows.length - known.length;
  const radius = narrow ? 3.5 : 4.25;
  const places = known.map((row) => scale(recomputedShare(row) * 100));
  const offsets = dodged(places, radius + 0.5);
  const above = Math.max(8, ...offsets.map((offset) => -offset)) + 12;
  const below = Math.max(8, ...offsets) + 12;
  const middle = y + above + (narrow ? 20 : 4);
  const far = known.map((row, i) => ({row, x: places[i], y: middle + offsets[i]})).filter(({row}) => Math.abs(recomputedShare(row)) > 0.11);
  return {
    height: above + below + (narrow ? 20 : 8),
    nodes: [
      heading(block, narrow ? y : middle, {narrow, t}),
      without ? text(t("claims.without", {count: without}), narrow ? {x: width, y: y + 18, anchor: "end", size: 11.5, fill: "var(--ink-3)", italic: true} : {x: 36 + widthOf(t(`claim.${block.id}`), 14.5) + 14, y: middle + 5, size: 12, fill: "var(--ink-3)", italic: true}) : null,
      known.map((row, i) => link(row, t, number, {x: places[i], y: middle + offsets[i]}, svg`<circle cx=${round(places[i])} cy=${round(middle + offsets[i])} r=${radius} fill=${block.color} stroke="var(--surface)" stroke-width="1"/>`)),
      narrow ? null : far.map((each) => beside(each, places, {left, right}))
    ]
  };
}

// The number of a claim that is far off, with its qualifier, right or left of its dot, where it covers no other one.
function beside({row, x, y}, places, {left, right}) {
  const words = [...(row.qualifier ? [`${row.claim_id} (${row.qualifier})`] : []), row.claim_id];
  for (const said of words) {
    const wide = widthOf(said, 12) + 12;
    for (const side of [1, -1]) {
      const span = side > 0 ? [x + 6, x + wide] : [x - wide, x - 6];
      if (span[0] < left - 90 || span[1] > right + 40 || places.some((place) => place > span[0] - 5 && place < span[1] + 5)) continue;
      return text(said, {x: x + side * 9, y: y + 4, anchor: side > 0 ? "start" : "end", size: 12, fill: "var(--ink-3)", halo: true});
    }
  }
  return null;
}

function named(block, y, {scale, narrow, left, right, width, t, number}) {
  const step = narrow ? 44 : 23;
  const top = narrow ? 28 : 30;
  const nodes = block.rows.map((row, i) => {
    const at = y + top + i * step;
    const share = recomputedShare(row);
    const cy = narrow ? at + 26 : at + 5;
    const said = share == null ? t("claims.no_number") : t("claims.pair", {claimed: claimedText(row, t), computed: computedText(row)});
    const words = narrow
      ? [text(cut(`${row.claim_id} ${row.statement}`, width, 12.5), {x: 0, y: at + 10, size: 12.5, halo: true})]
      : [text(row.claim_id, {x: 36, y: at + 9, size: 12.5, weight: 600, fill: "var(--ink-3)"}), text(cut(row.statement, left - 96, 12.5), {x: 78, y: at + 9, size: 12.5})];
    const size = narrow ? 11.5 : 12;
    if (share == null) return link(row, t, number, {x: width / 2, y: at + step / 2 - 4, width, height: step}, [...words, text(said, {x: left, y: narrow ? cy + 4 : at + 9, size, italic: true, fill: "var(--ink-3)"})]);
    const x = scale(share * 100);
    const [low, high] = shareEnds(row).map((end) => end == null ? null : scale(end * 100));
    const edge = Math.max(x, high ?? x) + 11;
    const behind = edge + widthOf(said, size) < (narrow ? width : right + 30);
    return link(row, t, number, {x: width / 2, y: at + step / 2 - 4, width, height: step}, [
      ...words,
      low != null && high != null ? line(low, cy, high, cy, {stroke: block.color, width: 2.5}) : null,
      svg`<circle cx=${round(x)} cy=${cy} r=${narrow ? 4 : 4.75} fill=${block.color} />`,
      text(said, {x: behind ? edge : Math.min(x, low ?? x) - 11, y: cy + 4, anchor: behind ? "start" : "end", size, fill: "var(--ink-2)", halo: true})
    ].filter(Boolean));
  });
  return {height: top + block.rows.length * step + 4, nodes: [heading(block, narrow ? y : y + 14, {narrow, t}), nodes]};
}

function silent(block, y, {narrow, left, width, t}) {
  const said = cut(t(`claims.silent.${block.id}`), narrow ? width : width - left, 12);
  return {height: narrow ? 48 : 30, nodes: [heading(block, narrow ? y : y + 14, {narrow, t}), text(said, narrow ? {x: 0, y: y + 36, size: 12, italic: true, fill: "var(--ink-3)"} : {x: left, y: y + 19, size: 12.5, italic: true, fill: "var(--ink-3)"})]};
}

// How many follow, and how many do not, in the words of the verdicts.
export function claimsAnswer(rows, {t}) {
  if (!rows.length) return [t("claims.answer.none")];
  const count = (...ids) => rows.filter((row) => ids.includes(row.verdict)).length;
  const publications = new Set(rows.map((row) => row.submission_id)).size;
  const checked = rows.length - count("not_testable", "circular");
  if (!checked) return t.rich("claims.answer.unchecked", {count: rows.length, publications: t("claims.publications", {count: publications})});
  const parts = [
    t.rich("claims.answer.follow", {total: rows.length, publications: t("claims.publications", {count: publications}), count: count("follows", "consistent")}),
    ...[["close", "follows_in_part"], ["follows_if"]].flatMap(([...ids]) => count(...ids) ? [t.rich(`claims.answer.${ids[0]}`, {count: count(...ids)})] : []),
    t.rich(count(...failing) ? "claims.answer.fail" : "claims.answer.none_fails", {count: count(...failing)}),
    ...(rows.length > checked ? [t.rich("claims.answer.silent", {count: rows.length - checked})] : [])
  ];
  return sentences(parts, t);
}

// An interval that is narrower than the digits shown says nothing.
const isRange = ({recomputed_low: low, recomputed_high: high}) => low != null && high != null && computedText({recomputed_value: low}) !== computedText({recomputed_value: high});

export const claimsColumns = ({t, number}) => [
  {id: "statement", label: t("claims.column.statement"), value: (row) => html`<a href=${number("c", claimId(row))}>${row.statement}</a><small>${row.title}, ${row.claim_id}</small>`, sort: (row) => `${row.submission_id} ${row.claim_id}`, head: true},
  {id: "claimed", label: t("claim.claimed"), value: (row) => html`${claimedText(row, t)}<small>${row.claimed_unit && t.has(`claims.unit.${row.claimed_unit}`) ? t(`claims.unit.${row.claimed_unit}`) : row.claimed_unit ?? ""}</small>`},
  {id: "computed", label: t("claim.computed"), value: (row) => html`${computedText(row)}${isRange(row) ? html`<small class="nowrap">${computedText({recomputed_low: row.recomputed_low, recomputed_high: row.recomputed_high})}</small>` : null}`},
  {id: "difference", label: t("claims.column.difference"), value: (row) => difference(recomputedShare(row)), sort: recomputedShare, num: true},
  {id: "verdict", label: t("column.verdict"), value: (row) => html`<b class=${`claim claim-${row.verdict}`}>${t(`claim.${row.verdict}`)}</b><small>${row.verdict_reason}</small>`, sort: (row) => verdicts.findIndex(({id}) => id === row.verdict)},
  {id: "reply", label: t("claim.reply"), value: (row) => row.reply ? html`<q>${row.reply}</q><small>${row.replied_by}, ${row.replied_on}</small>` : null}
];
