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
import {byLoad, loadText} from "../components/loads.js";
import {configurationLink} from "../components/records.js";
import {folded} from "../components/table.js";

export default async function page({rows, t, state, link, number}) {
  const [all, loads] = await Promise.all([rows("scaling"), rows("scaling-loads")]);
  const devices = [...new Set(all.map((row) => row.device))];
  const device = state.choice("of", devices, "");
  const shown = device ? all.filter((row) => row.device === device).toSorted(byLoad) : devices.flatMap((name) => oneLoad(all.filter((row) => row.device === name)));
  return html`<div class="answers">
    ${heading({question: t("q.scaling"), answer: scalingFinding(shown, {t}), sub: scalingAnswer(shown, {t})})}
    ${all.length ? figure({
      id: "scaling", question: t("scaling.question"), load: t("scaling.load"), note: t("scaling.note"), query: "scaling", t, state, link,
      controls: state.select({name: "of", label: t("column.device"), options: [{value: "", label: t("scaling.all_devices")}, ...devices.map((value) => ({value, label: value}))], fallback: ""}),
      rows: shown, columns: scalingColumns({t, number, link}), draw: (width) => scaling(shown, {width, t, number})
    }) : html`<p class="note">${t("scaling.answer.none")}</p>`}
    ${loads.length ? html`<section class="card" id="loads"><h2>${t("scaling.loads")}</h2><p>${t("scaling.loads_words")}</p>${folded("loads-table", loads.toSorted(byLoad), [
      {id: "load", label: t("column.load"), value: (row) => loadText(row.load_profile, t), sort: (row) => row.load_profile, head: true},
      {id: "array", label: t("scaling.column.array"), value: (row) => html`${row.drive_count} × ${row.device ?? "–"}<small>${[t.has(`topology.${row.topology}`) ? t(`topology.${row.topology}`) : row.topology, row.array_section].join(", ")}</small>`, sort: (row) => row.drive_count},
      {id: "lowest", label: t("scaling.column.lowest"), value: (row) => html`<a href=${number("s", row.lowest_scaling_id)}>${quotient(row.lowest_factor_ratio)}</a><small>${t("compare.basis.depth", {n: String(row.lowest_queue_depth)})}</small>`, sort: (row) => row.lowest_factor_ratio, num: true},
      {id: "highest", label: t("scaling.column.highest"), value: (row) => html`<a href=${number("s", row.highest_scaling_id)}>${quotient(row.highest_factor_ratio)}</a><small>${t("compare.basis.depth", {n: String(row.highest_queue_depth)})}</small>`, sort: (row) => row.highest_factor_ratio, num: true},
      {id: "spread", label: t("scaling.column.spread"), value: (row) => t("tick.times", {n: quotient(row.highest_factor_ratio / row.lowest_factor_ratio)}), sort: (row) => row.highest_factor_ratio / row.lowest_factor_ratio, num: true},
      {id: "where", label: t("device.configuration"), value: (row) => configurationLink({...row, configuration_id: row.array_configuration_id}, row.title, link), sort: (row) => row.title ?? row.array_configuration_id}
    ], t("scaling.loads"), {t, state})}</section>` : null}
  </div>`;
}

// Of one device the load with the most arrays; a reader who wants all loads of a device chooses it.
const oneLoad = (rows) => panelsOf(rows.toSorted(byLoad)).toSorted((a, b) => b.length - a.length)[0];
