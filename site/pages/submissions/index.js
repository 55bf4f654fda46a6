/*---
words: submissions
nav: {section: records, order: 320, name: nav.submissions}
queries: [submissions]
keywords: submissions sources papers raw files list newest
---*/
import {html} from "htl";
import {percent} from "../../components/format.js";
import {codeWords} from "../../components/records.js";
import {cells, table} from "../../components/table.js";

export default async function page({rows, t, state, link}) {
  const all = await rows("submissions"), {text, num} = cells({t, link});
  return html`<div>
    <h1>${t("submissions.title")}</h1>
    <p class="lede">${t("submissions.lede")}</p>
    <div class="card">${all.length ? table(all, [
      {id: "submission", label: t("column.submission"), value: (row) => html`<a href=${link(`submissions/${row.submission_id}`)}>${row.title}</a>${row.status === "active" ? null : html` <span class="badge badge-C">${codeWords("status", row.status, t)}</span>`}`, sort: (row) => row.title, head: true},
      {id: "source", label: t("submissions.source"), value: (row) => html`${codeWords("source_type", row.source_type, t)}<small>${row.origin_measured_by ?? (row.citation_publisher === "unknown" ? null : row.citation_publisher) ?? row.submitted_by}</small>`, sort: (row) => row.source_type},
      text("added", t("submissions.added"), "submitted_on", {value: (row) => html`<span class="nowrap">${row.submitted_on}</span>`}), num("results", t("devices.results"), "result_count"),
      ...["figures", "claims", "contradictions"].map((id) => num(id, t(`submissions.${id}`), `${id.slice(0, -1)}_count`)), num("known", t("submissions.known"), "completeness_ratio", percent)
    ], {caption: t("submissions.caption"), t, state, id: "submissions"}) : html`<p>${t("submissions.none")}</p>`}</div>
    <p><a href=${link("coverage")}>${t("q.coverage")}</a></p>
  </div>`;
}
