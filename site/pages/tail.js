/*---
title: tail.title
description: tail.description
nav: {section: load, order: 230, name: nav.latency}
queries: [tail, tail-bins, tail-drives, tail-controllers]
parts: loads
keywords: tail latency percentile p99 p99.9 slowest exceedance bins
---*/
import {html} from "htl";
import {bins, percentiles, tailColumns, tailDrives, tailDrivesAnswer, tailSeries, usualDrives} from "../components/charts/tail.js";
import {figure, heading, isNarrow} from "../components/figure.js";
import {latency} from "../components/format.js";
import {FIRST, loadChosen, loadText} from "../components/loads.js";
import {ENDING} from "../components/packed.js";
import {partName} from "../components/points.js";
import {cells, folded} from "../components/table.js";

// More curves than these cover each other.
const MOST = 4;

export default async function page({rows, part, parts, t, state, link, number, base}) {
  const list = await parts("tail");
  const fallback = (list.find((each) => each.label === FIRST) ?? list[0])?.part;
  const of = state.choice("load", list.map((each) => each.part), fallback);
  const [found] = of ? await part("tail", of, ["tail"]) : [[]];
  const [whole, drives, controllers] = await Promise.all([rows("tail-bins"), rows("tail-drives"), rows("tail-controllers")]);
  const {load, control} = loadChosen(drives.filter((row) => row.p999_seconds > 0), {t, state, name: "w"});
  const first = drives.filter((row) => row.load_profile === load);
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
    ${heading({question: t("q.tail"), answer: tailDrivesAnswer(first, {t, operation: /write/.test(load ?? "") ? "write" : "read"}), sub: t("tail.lede")})}
    ${first.length ? figure({
      id: "drives", question: t("tail.drives_question"), load: t("tail.drives_load", {load: loadText(load, t)}), note: t("tail.drives_note"), query: "tail-drives", t, state, link,
      controls: control,
      draw: (width) => tailDrives(first, {width, t, number, link}), rows: first, columns: driveColumns({t, number, link})
    }) : null}
    ${controllers.length ? html`<section class="card" id="controllers"><h2>${t("tail.controllers")}</h2><p>${controllerAnswer(controllers, t)}</p>
      ${folded("controllers-table", controllers, controllerColumns({t}), t("tail.controllers_caption"), {t, state})}</section>` : null}
    ${state.details({name: "distribution", className: "card fold", summary: t("tail.distribution"), body: html`<div>${list.length ? figure({
      id: "tail", question: t("tail.question"),
      load: shown.length ? t("tail.load", {load: loadText(shown[0].load_profile, t), operation: t(`tail.operation.${shown[0].operation}`), depth: String(depth)}) : null,
      note: [t("tail.note"), shown.some((row) => row.is_press) ? t("tail.note_press") : null].filter(Boolean).join(t("sentence.space")), query: "tail", t, state, link, most: 30, machine: `${base}/parts/tail/${of}.json${ENDING}`, rows: here, columns: tailColumns({t, number, link}),
      controls: html`<div class="controls">
        ${state.select({name: "load", label: t("column.load"), options: list.map((each) => ({value: each.part, label: partName(each, t)})), fallback})}
        ${kinds.length > 1 ? state.select({name: "operation", label: t("tail.operation"), options: kinds.map((value) => ({value, label: `${loadText(value.split("|")[0], t)} · ${t(`tail.operation.${value.split("|")[1]}`)}`})), fallback: kinds[0]}) : null}
        ${depths.length > 1 ? state.buttons({name: "depth", label: t("column.depth"), options: depths.map((value) => ({value: String(value), label: String(value)})), fallback: String(depths[0])}) : null}
        ${state.buttons({name: "d", label: t("tail.drawn", {most: MOST}), options: tailSeries(here).map(([row]) => ({value: row.device_id, label: row.device})), fallback: drawnFirst, most: MOST})}
      </div>`,
      draw: (width) => percentiles(shown, {width: isNarrow(width) ? width : 1150, t, number, link})
    }) : html`<p class="note">${t("tail.answer.none")}</p>`}
    ${whole.length ? figure({
      id: "bins", question: t("tail.bins"), answer: t("tail.bins_answer", {load: loadText(whole[0].load_profile, t), operation: t(`tail.operation.${whole[0].operation}`), device: whole[0].device}),
      load: t("tail.bins_load"), note: t("tail.bins_note"), t, state, link, draw: (width) => bins(whole, {width: isNarrow(width) ? width : 1150, t, number})
    }) : null}</div>`})}
  </div>`;
}

const driveColumns = (page) => {
  const {t} = page, {num, ...c} = cells(page);
  const percentile = (label) => { const key = `${label.replace(".", "")}_seconds`; return num(key, label, key, latency, {at: ["p", "point_id"]}); };
  return [c.drive(), ...["p50", "p99", "p99.9", "p99.99"].map(percentile), num("operations", t("tail.column_operations"), "operation_count")];
};

// "Behind IBM ServeRAID M1015, 16 of 28 points have a p99.9 above 20 ms; behind HP Smart Array P420i, 0 of 45."
const plainName = (name) => name.replace(/ \(.*\)$/, "");
function controllerAnswer(rows, t) {
  const own = rows.filter((row) => row.controller !== "USB");
  const worst = own.find((row) => row.slow_count > 0), best = own.filter((row) => row.slow_count === 0).toSorted((a, b) => b.point_count - a.point_count)[0];
  return worst && best ? t("tail.controllers_answer", {worst: plainName(worst.controller), slow: worst.slow_count, of: worst.point_count, best: plainName(best.controller), count: best.point_count}) : t("tail.controllers_caption");
}

const controllerColumns = (page) => {
  const {t} = page, {text, num} = cells(page);
  return [
    text("controller", t("tail.controller"), "controller", {head: true}), num("slow", t("tail.controller_slow"), (row) => row.slow_count / row.point_count, (_, row) => t("tail.controller_of", {slow: row.slow_count, count: row.point_count})),
    num("drives", t("axis.drives"), "device_count"), num("low", t("tail.controller_low"), "low_seconds", latency), num("high", t("tail.controller_high"), "high_seconds", latency)
  ];
};
