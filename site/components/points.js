// Load steps as a table: every rate with its depth, latency, runs and reservations, each a link to its number.
import {html} from "htl";
import {interval, iops, latency, throughput} from "./format.js";
import {loadText} from "./loads.js";
import {reasons, status, written} from "./marks.js";
import {configurationLink} from "./records.js";
import {table} from "./table.js";

// More rows than this make a page heavy; the others come when a reader asks.
const MOST = 4;

const firstOf = (row) => row.operations_per_second != null ? "iops" : "throughput";

export function numbersTable(points, {t, state, link, number, id, machine, titleOf}) {
  if (!points.length) return html`<p>${t("state.empty")}</p>`;
  const several = new Set(points.map((row) => row.load_profile)).size > 1;
  const address = (row, text) => html`<a href=${number("p", row.point_id)}>${text}</a>`;
  return table(points, [
    several ? {id: "load", label: t("column.load"), value: (row) => loadText(row.load_profile, t), sort: (row) => row.load_profile, head: true} : null,
    {id: "depth", label: t("column.depth"), value: (row) => row.queue_depth == null ? "–" : String(row.queue_depth), sort: (row) => row.queue_depth, num: true, head: !several},
    {id: "iops", label: "IOPS", value: (row) => row.operations_per_second == null ? null : firstOf(row) === "iops" ? address(row, written(iops(row.operations_per_second), status(row))) : iops(row.operations_per_second), sort: (row) => row.operations_per_second, num: true},
    {id: "interval", label: t("mark.interval"), value: (row) => row.run_count > 1 && row.operations_per_second_low != null && row.operations_per_second_high != null ? interval(row.operations_per_second_low, row.operations_per_second_high, iops) : null, num: true},
    {id: "throughput", label: t("column.throughput"), value: (row) => row.throughput_bytes_per_second == null ? null : firstOf(row) === "throughput" ? address(row, throughput(row.throughput_bytes_per_second)) : throughput(row.throughput_bytes_per_second), sort: (row) => row.throughput_bytes_per_second, num: true},
    {id: "latency", label: t("axis.latency_mean"), value: (row) => latency(row.latency_mean_seconds), sort: (row) => row.latency_mean_seconds, num: true},
    {id: "runs", label: t("column.runs"), value: (row) => String(row.run_count ?? 1), sort: (row) => row.run_count ?? 1, num: true},
    {id: "marks", label: t("column.reason"), value: (row) => reasons(row, t)},
    {id: "where", label: t("device.configuration"), value: (row) => html`${configurationLink(row, titleOf(row), link)}<small>${row.section}</small>`, sort: (row) => `${row.configuration_id} ${row.section}`}
  ].filter(Boolean), {t, state, id, most: MOST, machine});
}

// A group of loads as a choice: a set of a report, one load, or those that are not stated in full.
export const partName = ({part, label, is_one: isOne}, t) => !isOne && t.has(`load.set.${part}`) ? t(`load.set.${part}`) : loadText(label, t);

// What is shown of parts: two choices, the load, and the configuration where a load has too many steps for one page. {name, of, controls}
export function partChosen(loads, {t, state, first = loads[0]?.part, nameOf = (key) => key}) {
  const load = state.choice("load", loads.map((each) => each.part), first);
  const of = loads.find((each) => each.part === load)?.of ?? [];
  const piece = state.choice("of", of, of[0]);
  const options = loads.map((each) => ({value: each.part, label: partName(each, t)}));
  return {
    name: of.length ? `${load}/${piece}` : load,
    controls: () => html`<div class="controls">${state.select({name: "load", label: t("load.load_profile"), options, fallback: first})}
      ${of.length > 1 ? state.select({name: "of", label: t("device.configuration"), options: of.map((value) => ({value, label: nameOf(value)})), fallback: of[0]}) : null}</div>`
  };
}
