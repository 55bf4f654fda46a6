/*---
title: coverage.title
description: coverage.description
nav: {section: trust, order: 420, name: nav.coverage}
queries: [coverage]
keywords: coverage unknown conditions firmware preconditioning steady state known
---*/
import {html} from "htl";
import {bySubmission, coverage, coverageAnswer, coverageColumns, fieldsOf, shareOf} from "../components/charts/coverage.js";
import {condition} from "../components/conditions.js";
import {figure, heading} from "../components/figure.js";
import {percent} from "../components/format.js";
import {title} from "../components/records.js";
import {cells, folded} from "../components/table.js";

export default async function page({rows, t, state, link}) {
  const found = await rows("coverage");
  const submissions = bySubmission(found);
  const fields = fieldsOf(found);
  const {text, num} = cells({t, link});
  return html`<div class="answers">
    ${heading({question: t("q.coverage"), answer: coverageAnswer(found, {t}), sub: t("coverage.lede")})}
    ${found.length ? figure({
      id: "coverage", question: t("coverage.question"), load: t("coverage.load"), note: t("coverage.note"), query: "coverage", t, state, link,
      rows: submissions, columns: coverageColumns({t, fields, link, html}), draw: (width) => coverage(found, {width, t, link})
    }) : null}
    ${found.length ? html`<section class="card" id="fields"><h2>${t("coverage.by_field")}</h2>${folded("fields-table", fields.map((field) => of(field, submissions)).toSorted((a, b) => a.share - b.share), [
      text("field", t("compare.column.condition"), (row) => condition(row.field, t), {value: (row) => title(condition(row.field, t)), head: true}), text("section", t("coverage.section"), "component", {value: (row) => t(`coverage.section.${row.component}`)}),
      num("known", t("known.share"), "share", percent), num("missing", t("coverage.missing"), "missing", (missing, row) => `${missing} / ${row.asked}`)
    ], t("coverage.by_field"), {t, state})}</section>` : null}
  </div>`;
}

function of(field, submissions) {
  const cells = submissions.map((each) => shareOf(each.cells.get(field.field))).filter(({kind}) => kind !== "not_asked");
  return {...field, asked: cells.length, missing: cells.filter(({share}) => share === 0).length, share: cells.length ? cells.reduce((sum, cell) => sum + cell.share, 0) / cells.length : 0};
}
