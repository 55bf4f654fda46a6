// Statements of publications by verdict: those that hold are dots of a strip, the others have a row each.
import {html, svg} from "htl";
import {scaleSymlog} from "d3";
import {claimedText, claimId, computedText, failing, recomputedShare, shareEnds, verdicts} from "../claims.js";
import {linkMark} from "../marks.js";
import {difference, sentences} from "../format.js";
import {isNarrow, line, round, rowChart, text, widthOf} from "./draw.js";

const TICKS = [-90, -50, -20, -10, -5, -2, 0, 2, 5, 10, 20, 50, 100, 200, 500];
const RADIUS = 4;

export function claims(rows, {width, t, number}) {
  const shares = rows.flatMap((row) => [recomputedShare(row), ...shareEnds(row)]).filter((share) => share != null);
  const blocks = verdicts.map((verdict) => ({...verdict, of: rows.filter((row) => row.verdict === verdict.id)})).filter(({of}) => of.length);
  const mark = (row, place, content) => linkMark({href: number("c", claimId(row)), lines: linesOf(row, t), width: 12, height: 12, ...place}, content);
  const heading = ({id, color, of}) => ({words: `${of.length} ${t(`claim.${id}`)}`, color});
  const drawn = {
    strip(block) {
      const known = block.of.filter((row) => recomputedShare(row) != null);
      const offsets = (x) => dodgeMarks(known.map((row) => x(recomputedShare(row))), RADIUS + 0.5);
      const without = block.of.length - known.length;
      return {rows: [{
        ...headingRow(heading(block)), note: without ? t("claims.without", {count: without}) : null, height: ([x]) => 24 + 2 * Math.max(8, ...offsets(x).map(Math.abs)),
        marks: (y, [x]) => known.map((row, i) => ({row, x: x(recomputedShare(row)), y: y + offsets(x)[i]})).map(({row, ...at}, i, all) => [
          mark(row, at, svg`<circle cx=${round(at.x)} cy=${round(at.y)} r=${RADIUS} fill=${block.color} stroke="var(--surface)" stroke-width="1"/>`),
          isNarrow(width) || Math.abs(recomputedShare(row)) <= 0.11 ? null : beside(row, at, all, x.range())
        ])
      }]};
    },
    rows: (block) => ({heading: heading(block), rows: block.of.map((row) => {
      const share = recomputedShare(row);
      return {
        name: `${row.claim_id} ${row.statement}`, texts: [share == null ? t("claims.no_number") : t("claims.pair", {claimed: claimedText(row, t), computed: computedText(row)})], link: {href: number("c", claimId(row)), lines: linesOf(row, t)},
        marks: (y, [x]) => share == null ? null : [ends(row, x, y, block.color), svg`<circle cx=${round(x(share))} cy=${y} r="4.75" fill=${block.color} />`]
      };
    })}),
    line: (block) => ({rows: [{...headingRow(heading(block)), note: t(`claims.silent.${block.id}`), marks: () => null}]})
  };
  return rowChart({
    width, label: t("claims.label", {count: rows.length}), columns: [{}], behind: ([x], top, bottom) => line(x(0), top, x(0), bottom, {stroke: "var(--ink-3)", width: 1.25}),
    axes: [{scale: (range) => percentages(shares, range), title: t("claims.column.difference"), words: (share) => share ? difference(share) : t("tick.as_claimed"), ticks: (x) => TICKS.map((tick) => tick / 100).filter((tick) => tick > x.domain()[0] && tick < x.domain()[1])}],
    groups: blocks.map((block) => drawn[block.drawn](block))
  });
}

const headingRow = ({words, color}) => ({name: words, color, isStrong: true});
const linesOf = (row, t) => [row.statement, t("claims.tip", {claimed: claimedText(row, t), computed: computedText(row) ?? t("state.unknown")}), t(`claim.${row.verdict}`), row.claim_id, t("mark.open_number")];
function ends(row, x, y, color) {
  const [low, high] = shareEnds(row);
  return low != null && high != null ? line(x(low), y, x(high), y, {stroke: color, width: 2.5}) : null;
}

function percentages(shares, range) {
  const furthest = (sign) => Math.max(0.02, ...shares.map((share) => sign * share)) * 1.15;
  return scaleSymlog([-furthest(-1), furthest(1)], range).constant(0.01);
}

export function dodgeMarks(places, radius) {
  const set = [];
  const offsets = Array(places.length).fill(0);
  for (const {x, i} of places.map((x, i) => ({x, i})).sort((a, b) => a.x - b.x || a.i - b.i)) {
    const near = set.filter((each) => x - each.x < 2 * radius);
    const free = (y) => near.every((each) => (x - each.x) ** 2 + (y - each.y) ** 2 >= 4 * radius * radius - 1e-6);
    for (let step = 1; !free(offsets[i]); step++) offsets[i] = (step % 2 ? 1 : -1) * Math.ceil(step / 2) * radius;
    set.push({x, y: offsets[i]});
  }
  return offsets;
}

function beside(row, {x, y}, all, [left, right]) {
  const wide = widthOf(row.claim_id, 12) + 12;
  const side = [1, -1].find((sign) => {
    const span = sign > 0 ? [x + 6, x + wide] : [x - wide, x - 6];
    return span[0] >= left && span[1] <= right && !all.some((other) => other.x > span[0] - 5 && other.x < span[1] + 5);
  });
  return side ? text(row.claim_id, {x: x + side * 9, y: y + 4, anchor: side > 0 ? "start" : "end", size: 12, fill: "var(--ink-3)", halo: true}) : null;
}

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
  {id: "statement", label: t("claims.column.statement"), value: (row) => html`<a href=${number("c", claimId(row))}>${row.statement}</a><small>${row.locator ?? row.title}, ${row.claim_id}</small>`, sort: (row) => `${row.submission_id} ${row.claim_id}`, head: true},
  {id: "claimed", label: t("claim.claimed"), value: (row) => html`${claimedText(row, t)}<small>${row.claimed_unit && t.has(`claims.unit.${row.claimed_unit}`) ? t(`claims.unit.${row.claimed_unit}`) : row.claimed_unit ?? ""}</small>`},
  {id: "computed", label: t("claim.computed"), value: (row) => html`${computedText(row)}${isRange(row) ? html`<small class="nowrap">${computedText({recomputed_low: row.recomputed_low, recomputed_high: row.recomputed_high})}</small>` : null}`},
  {id: "difference", label: t("claims.column.difference"), value: (row) => difference(recomputedShare(row)), sort: recomputedShare, num: true},
  {id: "verdict", label: t("column.verdict"), value: (row) => html`<b style=${`color: ${verdicts.find(({id}) => id === row.verdict)?.color}`}>${t(`claim.${row.verdict}`)}</b><small>${row.verdict_reason}</small>`, sort: (row) => verdicts.findIndex(({id}) => id === row.verdict)},
  {id: "reply", label: t("claim.reply"), value: (row) => row.reply ? html`<q>${row.reply}</q><small>${row.replied_by}, ${row.replied_on}</small>` : null}
];
