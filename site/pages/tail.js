/*---
title: tail.title
description: tail.description
nav: {section: load, order: 230, name: nav.latency}
queries: [tail, tail-bins, tail-drives, tail-controllers]
parts: loads
keywords: tail latency percentile p99 p99.9 slowest exceedance bins
---*/
import {html} from "htl";
import {bins, percentiles, tailColumns, tailSeries, usualDrives} from "../components/charts/tail.js";
import {tailDrives, tailDrivesAnswer} from "../components/charts/tail-drives.js";
import {figure, heading, isNarrow} from "../components/figure.js";
import {count, latency} from "../components/format.js";
import {byLoad, loadText} from "../components/loads.js";
import {glyph} from "../components/media.js";
import {ENDING} from "../components/packed.js";
import {partName} from "../components/points.js";
import {folded} from "../components/table.js";

const FIRST = "4 KiB random read";
// More curves than these cover each other.
const MOST = 4;

export default async function page({rows, part, parts, t, state, link, number, base}) {
  const list = await parts("tail");
  const fallback = (list.find((each) => each.label === FIRST) ?? list[0])?.part;
  const of = state.choice("load", list.map((each) => each.part), fallback);
  const [found] = of ? await part("tail", of, ["tail"]) : [[]];
  const [whole, drives, controllers] = await Promise.all([rows("tail-bins"), rows("tail-drives"), rows("tail-controllers")]);
  const loads = [...new Set(drives.filter((row) => row.p999_seconds > 0).toSorted(byLoad).map((row) => row.load_profile))];
  const usual = loads.includes(FIRST) ? FIRST : loads[0];
  const of1 = state.choice("w", loads, usual);
  const first = drives.filter((row) => row.load_profile === of1);
  const kinds = [...new Set(found.map((row) => `${row.load_profile}|${row.operation}`))];
  const kind = state.choice("operation", kinds, kinds[0]);
  const own = found.filter((row) => `${row.load_profile}|${row.operation}` === kind);
  const depths = [...new Set(own.map((row) => row.queue_depth))].toSorted((a, b) => a - b);
  const depth = Number(state.choice("depth", depths.map(String), String(depths[0])));
  const here = own.filter((row) => row.queue_depth === depth);
  const drawnFirst = usualDrives(here, MOST);
  const picked = state.list("d", tailSeries(here).map(([row]) => row.device_id), drawnFirst);
  const shown = here.filter((row) => picked.includes(row.device_id));
  return html`<div class="answers">
    ${heading({question: t("q.tail"), answer: tailDrivesAnswer(first, {t, operation: /write/.test(of1 ?? "") ? "write" : "read"}), sub: t("tail.lede")})}
    ${first.length ? figure({
      id: "drives", question: t("tail.drives_question"), load: t("tail.drives_load", {load: loadText(of1, t)}), note: t("tail.drives_note"), query: "tail-drives", t, state, link,
      controls: loads.length > 1 ? html`<div class="controls">${state.select({name: "w", label: t("load.load_profile"), options: loads.map((value) => ({value, label: loadText(value, t)})), fallback: usual})}</div>` : null,
      draw: (width) => tailDrives(first, {width, t, number, link}), rows: first, columns: driveColumns({t, number, link})
    }) : null}
    ${controllers.length ? html`<section class="card" id="controllers"><h2>${t("tail.controllers")}</h2><p>${controllerAnswer(controllers, t)}</p>
      ${folded("controllers-table", controllers, controllerColumns(t), t("tail.controllers_caption"), {t, state})}</section>` : null}
    ${state.details({name: "distribution", className: "card fold", summary: t("tail.distribution"), body: html`<div>${list.length ? figure({
      id: "tail", question: t("tail.question"),
      load: shown.length ? t("tail.load", {load: loadText(shown[0].load_profile, t), operation: t(`tail.operation.${shown[0].operation}`), depth: String(depth)}) : null,
      note: [t("tail.note"), shown.some((row) => row.is_press) ? t("tail.note_press") : null].filter(Boolean).join(t("sentence.space")), query: "tail", t, state, link, most: 30, machine: `${base}/parts/tail/${of}.json${ENDING}`, rows: here, columns: tailColumns({t, number, link}),
      controls: html`<div class="controls">
        ${state.select({name: "load", label: t("load.load_profile"), options: list.map((each) => ({value: each.part, label: partName(each, t)})), fallback})}
        ${kinds.length > 1 ? state.select({name: "operation", label: t("tail.operation"), options: kinds.map((value) => ({value, label: `${loadText(value.split("|")[0], t)} · ${t(`tail.operation.${value.split("|")[1]}`)}`})), fallback: kinds[0]}) : null}
        ${depths.length > 1 ? state.buttons({name: "depth", label: t("column.depth"), options: depths.map((value) => ({value: String(value), label: String(value)})), fallback: String(depths[0])}) : null}
        ${state.checks({name: "d", label: t("tail.drawn", {most: MOST}), options: tailSeries(here).map(([row]) => ({value: row.device_id, label: row.device})), fallback: drawnFirst, most: MOST})}
      </div>`,
      draw: (width) => percentiles(shown, {width: isNarrow(width) ? width : 1150, t, number, link})
    }) : html`<p class="note">${t("tail.answer.none")}</p>`}
    ${whole.length ? figure({
      id: "bins", question: t("tail.bins"), answer: t("tail.bins_answer", {load: loadText(whole[0].load_profile, t), operation: t(`tail.operation.${whole[0].operation}`), device: whole[0].device}),
      load: t("tail.bins_load"), note: t("tail.bins_note"), t, state, link, draw: (width) => bins(whole, {width: isNarrow(width) ? width : 1150, t, number})
    }) : null}</div>`})}
  </div>`;
}

const driveColumns = ({t, number, link}) => {
  const num = (name, label) => ({id: name, label, num: true, value: (row) => row[name] == null ? null : html`<a href=${number("p", row.point_id)}>${latency(row[name])}</a>`, sort: (row) => row[name]});
  return [
    {id: "device", label: t("column.device"), head: true, value: (row) => html`<span class="device-name">${glyph(row.media_class)}<a href=${link(`devices/${row.device_id}`)}>${row.short_name}</a></span>`, sort: (row) => row.short_name},
    num("p50_seconds", "p50"), num("p99_seconds", "p99"), num("p999_seconds", "p99.9"), num("p9999_seconds", "p99.99"),
    {id: "operations", label: t("tail.column_operations"), num: true, value: (row) => count(row.operation_count), sort: (row) => row.operation_count}
  ];
};

// "Behind IBM ServeRAID M1015, 16 of 28 points have a p99.9 above 20 ms; behind HP Smart Array P420i, 0 of 45."
const plainName = (name) => name.replace(/ \(.*\)$/, "");
function controllerAnswer(rows, t) {
  const own = rows.filter((row) => row.controller !== "USB");
  const worst = own.find((row) => row.slow_count > 0), best = own.filter((row) => row.slow_count === 0).toSorted((a, b) => b.point_count - a.point_count)[0];
  return worst && best ? t("tail.controllers_answer", {worst: plainName(worst.controller), slow: worst.slow_count, of: worst.point_count, best: plainName(best.controller), count: best.point_count}) : t("tail.controllers_caption");
}

const controllerColumns = (t) => [
  {id: "controller", label: t("tail.controller"), head: true, value: (row) => row.controller, sort: (row) => row.controller},
  {id: "slow", label: t("tail.controller_slow"), num: true, value: (row) => t("tail.controller_of", {slow: row.slow_count, count: row.point_count}), sort: (row) => row.slow_count / row.point_count},
  {id: "drives", label: t("axis.drives"), num: true, value: (row) => count(row.device_count), sort: (row) => row.device_count},
  {id: "low", label: t("tail.controller_low"), num: true, value: (row) => latency(row.low_seconds), sort: (row) => row.low_seconds},
  {id: "high", label: t("tail.controller_high"), num: true, value: (row) => latency(row.high_seconds), sort: (row) => row.high_seconds}
];
