// The page of a claim: what a publication says, what its own figures give, and the verdict on the arithmetic.
import {recomputedShare} from "../components/claims.js";
import {difference, full, interval} from "../components/format.js";
import {queryOf} from "../components/sql/numbers.js";
import {card, h, joinParts, markup, ratio, say, t, terms, unknown} from "./html.js";
import {buttons, chips, citing, hashRow, number, page, placeRow, quoteLines, rawFile, rests, submissionLink} from "./page.js";

const words = (verdict) => t.has(`claim.${verdict}`) ? t(`claim.${verdict}`) : String(verdict ?? "").replaceAll("_", " ");

export function claimPage(context, row) {
  const claimed = row.claimed_text ?? (row.claimed_value == null ? "" : full(row.claimed_value));
  const inOwn = (name) => t.language === "ja" && row[`${name}_ja`] || row[name];
  const title = `${inOwn("statement")} (${t("number.claim")} ${row.claim_id})`;
  const address = `c/${row.submission_id}/${row.claim_id}`;
  const query = queryOf("c", row.submission_id, row.claim_id);
  const body = h`<section class=top><h1 class=words>${inOwn("statement")}</h1><p>${inOwn("verdict_reason")}</p>${chips([h`<b>${say("number.verdict", {verdict: words(row.verdict)})}</b>`, row.reply_count ? say("number.replies", {count: row.reply_count}) : null])}${buttons(context, {raw: row.source_path && rawFile(context, row.submission_id, row.source_path), kind: "c", id: `${row.submission_id}/${row.claim_id}`})}</section>
<div class=cards>${card("number.claimed", terms([
    [say("claim.claimed"), claimed ? h`<q lang=mul>${row.qualifier && h`${row.qualifier} `}${claimed}</q> ${row.claimed_unit}` : unknown(say("number.in_words"))],
    [say("number.printed_place"), h`${row.locator ?? ""}`], row.note && [say("number.note"), h`${row.note}`]
  ]))}${recomputedCard(context, row)}${stands(context, row)}${card("number.source", terms([
    [say("number.publication"), submissionLink(context, row.submission_id)], [say("number.reply"), row.reply ? h`${row.reply} <small>${row.replied_by}, ${row.replied_on}</small>` : unknown(say("number.no_reply"))]
  ]))}</div>${rests((row.factors ?? []).map((id) => number(context, "s", id, say("axis.factor"))))}${citing(context, {title, address, query, row})}`;
  return page(context, {title, description: `${title}: ${words(row.verdict)}. ${inOwn("verdict_reason") ?? ""}`.slice(0, 300), crumbs: submissionLink(context, row.submission_id), body, json: `${address}.json`, observed: {"@type": "Claim", name: title, ...row.recomputed_value != null && {value: row.recomputed_value, unitText: row.claimed_unit}}});
}

function recomputedCard(context, row) {
  const figures = (side) => (row.figures ?? []).filter((each) => each.side === side).map((each) => h`${each.result ? number(context, "r", each.result, h`<q lang=mul>${each.text}</q>`) : h`<q lang=mul>${each.text}</q>`} <small>${joinParts([each.section, each.line], ", ")}</small>`);
  const side = (key, n, text) => figures(n).length ? [say(key), joinParts(figures(n), "; ")] : text ? [say(key), h`${text}`] : null;
  const low = row.recomputed_low, high = row.recomputed_high;
  return card("number.computed", terms([
    side("number.numerator", 1, row.numerator), side("number.denominator", 2, row.denominator),
    [say("number.quotient"), row.operands ? h`${row.operands}${row.recomputed_value != null && h` = <data value=${row.recomputed_value}>${full(row.recomputed_value)}</data>`}` : unknown(say("number.no_operands"))],
    (low != null || high != null) && low !== high && [say("number.allows"), h`${interval(low, high, (end) => ratio(end))}`],
    recomputedShare(row) != null && [say("number.difference"), h`${difference(recomputedShare(row))}`],
    row.assumption && [say("number.assumption"), h`${row.assumption}`]
  ]));
}

function stands(context, row) {
  const file = row.source_path && context.file(row.submission_id, row.source_path);
  const line = file?.line(row.source_pointer);
  const cells = line > 1 ? file.cells(line) : null;
  const names = cells ? ["claim_id", "statement", "claimed_text", "locator"].filter((name) => cells.has(name)) : [];
  return card("number.place", terms([row.source_path && placeRow(row.source_path, row.source_pointer, line, file?.lines.length), hashRow(row.source_path && rawFile(context, row.submission_id, row.source_path), row.source_sha256)]), names.length ? quoteLines(names.map((name) => `${name}: ${cells.get(name)}`), names.indexOf("claimed_text")) : markup(""));
}

const KEPT = ["submission_id", "claim_id", "statement", "locator", "claimed_value", "claimed_low", "claimed_high", "claimed_text", "claimed_unit", "qualifier", "formula", "numerator", "denominator", "operands", "recomputed_value", "recomputed_low", "recomputed_high", "difference_ratio", "verdict", "assumption", "verdict_reason", "reply", "replied_by", "replied_on", "source_path", "source_pointer"];
export const claimData = (context, row) => ({release_id: context.release, ...Object.fromEntries(KEPT.map((name) => [name, row[name]])), result_ids: row.figures?.map((each) => each.result).filter(Boolean)});
