/*---
words: coverage
nav: {section: trust, order: 420, name: nav.coverage}
queries: [coverage]
keywords: coverage unknown conditions firmware preconditioning steady state known
---*/
import {html} from "htl";
import {bySubmission, coverage, coverageAnswer, coverageColumns, fieldsOf} from "../components/charts/coverage.js";
import {figure, further, heading} from "../components/figure.js";

export default async function page({rows, t, state, link}) {
  const found = await rows("coverage");
  const submissions = bySubmission(found);
  const fields = fieldsOf(found);
  return html`<div class="answers">
    ${heading({question: t("q.coverage"), answer: coverageAnswer(found, {t}), sub: t("coverage.lede")})}
    ${found.length ? figure({
      id: "coverage", question: t("coverage.question"), load: t("coverage.load"), note: t("coverage.note"), query: "coverage", t, state, link,
      rows: submissions, columns: coverageColumns({t, fields, link}), draw: (width) => coverage(found, {width, t, link})
    }) : null}
    ${further(["unknown-conditions"], {t, link})}
  </div>`;
}
