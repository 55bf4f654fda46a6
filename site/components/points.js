import {html} from "htl";
import {iops, throughput} from "./format.js";
import {loadText} from "./loads.js";
import {reasons} from "./marks.js";
import {cells, table} from "./table.js";

export function numbersTable(points, {t, state, link, number, id, machine, titleOf}) {
  if (!points.length) return html`<p>${t("state.empty")}</p>`;
  const {num, ...c} = cells({t, link, number});
  const several = new Set(points.map((row) => row.load_profile)).size > 1;
  const hasRate = (row) => row.operations_per_second != null;
  return table(points, [
    ...several ? [c.load({head: true})] : [], c.depth({label: t("column.depth"), head: !several}), c.iops("operations_per_second", {at: ["p", "point_id"]}),
    c.interval("operations_per_second_low", "operations_per_second_high", iops, {className: "minor"}),
    num("throughput", t("column.throughput"), "throughput_bytes_per_second", (value, row) => hasRate(row) ? throughput(value) : html`<a href=${number("p", row.point_id)}>${throughput(value)}</a>`), c.latency(),
    num("runs", t("column.runs"), (row) => row.run_count ?? 1, undefined, {className: "minor"}), {id: "marks", label: t("column.reason"), value: (row) => reasons(row, t)}, c.configuration({title: titleOf, small: (row) => row.section})
  ], {t, state, id, most: 4, machine});
}

export const partName = ({part, label, is_one: isOne}, t) => !isOne && t.has(`load.set.${part}`) ? t(`load.set.${part}`) : loadText(label, t);

export function choosePart(loads, {t, state, first = loads[0]?.part, nameOf = (key) => key}) {
  const load = state.choice("load", loads.map((each) => each.part), first);
  const of = loads.find((each) => each.part === load)?.of ?? [];
  const piece = state.choice("of", of, of[0]);
  const options = loads.map((each) => ({value: each.part, label: partName(each, t)}));
  return {
    name: of.length ? `${load}/${piece}` : load,
    controls: () => html`<div class="controls">${state.select({name: "load", label: t("column.load"), options, fallback: first})}
      ${of.length > 1 ? state.select({name: "of", label: t("device.configuration"), options: of.map((value) => ({value, label: nameOf(value)})), fallback: of[0]}) : null}</div>`
  };
}
