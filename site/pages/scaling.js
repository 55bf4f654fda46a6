/*---
title: scaling.title
description: scaling.description
nav: {section: compare, order: 150, name: nav.scaling}
queries: [scaling, scaling-loads]
keywords: scaling factor raid0 raid1 independent drives efficiency array
---*/
import {html} from "htl";
import {panelsOf, scaling, scalingAnswer, scalingColumns, scalingFinding} from "../components/charts/scaling.js";
import {figure, heading} from "../components/figure.js";
import {quotient} from "../components/format.js";
import {byLoad} from "../components/loads.js";
import {worded} from "../components/records.js";
import {cells, folded} from "../components/table.js";

export default async function page({rows, t, state, link, number}) {
  const [all, loads] = await Promise.all([rows("scaling"), rows("scaling-loads")]);
  const devices = [...new Set(all.map((row) => row.device))];
  const device = state.choice("of", devices, "");
  const shown = device ? all.filter((row) => row.device === device).toSorted(byLoad) : devices.flatMap((name) => oneLoad(all.filter((row) => row.device === name)));
  const {num, ...c} = cells({t, link, number});
  const end = (id) => num(id, t(`scaling.column.${id}`), `${id}_factor_ratio`, (value, row) => html`<a href=${number("s", row[`${id}_scaling_id`])}>${quotient(value)}</a><small>${t("compare.basis.depth", {n: String(row[`${id}_queue_depth`])})}</small>`);
  return html`<div class="answers">
    ${heading({question: t("q.scaling"), answer: scalingFinding(shown, {t}), sub: scalingAnswer(shown, {t})})}
    ${all.length ? figure({
      id: "scaling", question: t("scaling.question"), load: t("scaling.load"), note: t("scaling.note"), query: "scaling", t, state, link,
      controls: state.select({name: "of", label: t("column.device"), options: [{value: "", label: t("scaling.all_devices")}, ...devices.map((value) => ({value, label: value}))], fallback: ""}),
      rows: shown, columns: scalingColumns({t, number, link}), draw: (width) => scaling(shown, {width, t, number})
    }) : html`<p class="note">${t("scaling.answer.none")}</p>`}
    ${loads.length ? html`<section class="card" id="loads"><h2>${t("scaling.loads")}</h2><p>${t("scaling.loads_words")}</p>${folded("loads-table", loads.toSorted(byLoad), [
      c.load({head: true}), num("array", t("scaling.column.array"), "drive_count", (value, row) => html`${value} × ${row.device ?? "–"}<small>${[worded("topology", row.topology, t), row.array_section].join(", ")}</small>`, {num: false}),
      end("lowest"), end("highest"), num("spread", t("scaling.column.spread"), (row) => row.highest_factor_ratio / row.lowest_factor_ratio, (value) => t("tick.times", {n: quotient(value)})),
      c.configuration({side: "array_", title: (row) => row.title})
    ], t("scaling.loads"), {t, state})}</section>` : null}
  </div>`;
}

// Of one device the load with the most arrays; a reader who wants all loads of a device chooses it.
const oneLoad = (rows) => panelsOf(rows.toSorted(byLoad)).toSorted((a, b) => b.length - a.length)[0];
