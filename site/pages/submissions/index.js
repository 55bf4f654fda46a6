/*---
title: submissions.title
description: submissions.description
nav: {section: records, order: 320, name: nav.submissions}
queries: [submissions]
keywords: submissions sources papers raw files list newest
---*/
import {html} from "htl";
import {count, percent} from "../../components/format.js";
import {sourceOf, statusOf} from "../../components/records.js";
import {table} from "../../components/table.js";

export default async function page({rows, t, state, link}) {
  const all = await rows("submissions");
  return html`<div>
    <h1>${t("submissions.title")}</h1>
    <p class="lede">${t("submissions.lede")}</p>
    <div class="card">${all.length ? table(all, [
      {id: "submission", label: t("column.submission"), value: (row) => html`<a href=${link(`submissions/${row.submission_id}`)}>${row.title}</a>${row.status === "active" ? null : html` <span class="badge badge-C">${statusOf(row, t)}</span>`}`, sort: (row) => row.title, head: true},
      {id: "source", label: t("submissions.source"), value: (row) => html`${sourceOf(row, t)}<small>${row.origin_measured_by ?? (row.citation_publisher === "unknown" ? null : row.citation_publisher) ?? row.submitted_by}</small>`, sort: (row) => row.source_type},
      {id: "added", label: t("submissions.added"), value: (row) => html`<span class="nowrap">${row.submitted_on}</span>`, sort: (row) => row.submitted_on},
      {id: "results", label: t("devices.results"), value: (row) => count(row.result_count), sort: (row) => row.result_count, num: true},
      {id: "figures", label: t("submissions.figures"), value: (row) => count(row.figure_count), sort: (row) => row.figure_count, num: true},
      {id: "claims", label: t("submissions.claims"), value: (row) => count(row.claim_count), sort: (row) => row.claim_count, num: true},
      {id: "contradictions", label: t("submissions.contradictions"), value: (row) => count(row.contradiction_count), sort: (row) => row.contradiction_count, num: true},
      {id: "known", label: t("submissions.known"), value: (row) => percent(row.completeness_ratio), sort: (row) => row.completeness_ratio, num: true}
    ], {caption: t("submissions.caption"), t, state, id: "submissions"}) : html`<p>${t("submissions.none")}</p>`}</div>
    <p><a href=${link("coverage")}>${t("q.coverage")}</a></p>
  </div>`;
}
