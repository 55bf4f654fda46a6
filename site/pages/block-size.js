/*---
words: block
nav: {section: load, order: 220, name: nav.block_size}
queries: [block-size]
parts: submissions
keywords: block size depth heat map throughput iops
---*/
import {html} from "htl";
import {depthsOf, heat, heatAnswer, heatColumns} from "../components/charts/heat.js";
import {figure, heading} from "../components/figure.js";

export default async function page({part, parts, t, state, link, number}) {
  const list = await parts("block-size");
  const of = state.choice("of", list.map((each) => each.part), list[0]?.part);
  const [cells] = of ? await part("block-size", of, ["block-size"]) : [[]];
  const series = Array.from(Map.groupBy(cells, (row) => String(row.series_number)), ([value, rows]) => ({value, rows, label: seriesName(rows[0], t)}));
  const chosen = state.choice("series", series.map(({value}) => value), series[0]?.value);
  const rows = series.find(({value}) => value === chosen)?.rows ?? [];
  const quantity = state.choice("quantity", ["iops", "throughput"], "iops");
  return html`<div class="answers">
    ${heading({question: t("q.block"), answer: heatAnswer(rows, {t}), sub: rows.length ? loadLine(rows, t) : t("block.lede")})}
    ${rows.length ? figure({
      id: "heat", question: t("block.question"),
      note: [t("heat.note"), depthsOf(rows).length > 8 ? html`<span class="only-narrow"> ${t("heat.every_second")}</span>` : ""], query: "block-size", t, state, link, rows, columns: heatColumns({t, number}),
      controls: html`<div class="controls">
        ${list.length > 1 ? state.select({name: "of", label: t("column.submission"), options: list.map((each) => ({value: each.part, label: each.label})), fallback: list[0].part}) : null}
        ${state.select({name: "series", label: t("block.series"), options: series.map(({value, label}) => ({value, label})), fallback: series[0].value})}
        <div class="only-narrow">${state.buttons({name: "quantity", label: t("compare.show"), options: [{value: "iops", label: "IOPS"}, {value: "throughput", label: "MB/s"}], fallback: "iops"})}</div>
      </div>`,
      draw: (width) => heat(rows, {width, t, number, quantity})
    }) : null}
  </div>`;
}

const access = (row, t) => t("load.generic", {block: "", access: t(`load.access_${row.access_pattern}`), read: String(Math.round((row.read_ratio ?? 0) * 100))}).trim();
const seriesName = (row, t) => [row.device, access(row, t), [row.engine, row.process_count > 1 ? t("block.processes", {count: row.process_count}) : null].filter(Boolean).join(", ")].filter(Boolean).join(" · ");

function loadLine(rows, t) {
  const tools = [...new Set(rows.map((row) => row.tool_version).filter(Boolean))];
  const single = rows.every((row) => !(row.run_count > 1));
  return [seriesName(rows[0], t), tools.length === 1 ? tools[0] : null, t(single ? "block.one_run" : "block.several_runs")].filter(Boolean).join(" · ");
}
