/*---
words: claims
nav: {section: trust, order: 410, name: nav.claims}
queries: [claims]
keywords: claims ledger verdict recomputed statement percent times faster reply
---*/
import {html} from "htl";
import {claims, claimsAnswer, claimsColumns} from "../components/charts/claims.js";
import {failing, verdicts} from "../components/claims.js";
import {figure, heading} from "../components/figure.js";
import {table} from "../components/table.js";

export default async function page({rows, t, state, link, number}) {
  const found = await rows("claims");
  const columns = claimsColumns({t, number});
  return html`<div class="answers">
    ${heading({question: t("q.claims"), answer: claimsAnswer(found, {t}), sub: t("claims.lede")})}
    ${found.length ? figure({
      id: "claims", question: t("claims.question"), load: t("claims.load"), note: t("claims.note"), query: "claims", t, state, link,
      draw: (width) => claims(found, {width, t, number})
    }) : null}
    ${found.length ? ledger(found, columns, {t, state}) : null}
    <section class="card" id="reply"><h2>${t("claims.reply.title")}</h2><p>${t.rich("claims.reply.text")}</p></section>
  </div>`;
}

function ledger(found, columns, {t, state}) {
  const publications = Array.from(Map.groupBy(found, (row) => row.submission_id), ([value, of]) => ({value, label: t("claims.publication", {title: of[0].title, n: String(of.length)})}));
  const shown = verdicts.filter(({id}) => found.some((row) => row.verdict === id));
  const publication = state.choice("of", publications.map(({value}) => value), "");
  const verdict = state.choice("verdict", shown.map(({id}) => id), "");
  const words = state.text("q").toLowerCase().split(/\s+/).filter(Boolean);
  const order = ({verdict}) => failing.includes(verdict) ? 0 : 1;
  const rows = found.toSorted((a, b) => order(a) - order(b)).filter((row) => (!publication || row.submission_id === publication) && (!verdict || row.verdict === verdict) && words.every((word) => `${row.statement} ${row.claim_id} ${row.title}`.toLowerCase().includes(word)));
  return html`<section class="card" id="ledger"><h2>${t("claims.ledger")}</h2>${state.details({name: "statements", summary: t("claims.caption", {count: found.length}), body: html`<div>
    <div class="controls">
      ${state.select({name: "of", label: t("submission.publication"), options: [{value: "", label: t("claims.all_publications")}, ...publications], fallback: ""})}
      ${state.select({name: "verdict", label: t("column.verdict"), options: [{value: "", label: t("claims.all_verdicts")}, ...shown.map(({id}) => ({value: id, label: t(`claim.${id}`)}))], fallback: ""})}
      ${state.field({name: "q", label: t("claims.search")})}
    </div>
    ${rows.length ? table(rows, columns, {caption: t("claims.caption", {count: rows.length}), t, state, id: "ledger-table", isShort: true}) : html`<p>${t("claims.no_match")}</p>`}</div>`})}
  </section>`;
}
