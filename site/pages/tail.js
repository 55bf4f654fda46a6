/*---
title: tail.title
description: tail.description
nav: {section: load, order: 230, name: nav.latency}
queries: [tail, tail-bins]
parts: loads
keywords: tail latency percentile p99 p99.9 slowest exceedance bins
---*/
import {html} from "htl";
import {bins, percentiles, tailAnswer, tailColumns} from "../components/charts/tail.js";
import {figure, isNarrow} from "../components/figure.js";
import {loadText} from "../components/loads.js";
import {partName} from "../components/points.js";

const FIRST = "4 KiB random read";

export default async function page({rows, part, parts, t, state, link, number}) {
  const list = await parts("tail");
  const fallback = (list.find((each) => each.label === FIRST) ?? list[0])?.part;
  const of = state.choice("load", list.map((each) => each.part), fallback);
  const [found] = of ? await part("tail", of, ["tail"]) : [[]];
  const whole = await rows("tail-bins");
  const kinds = [...new Set(found.map((row) => `${row.load_profile}|${row.operation}`))];
  const kind = state.choice("operation", kinds, kinds[0]);
  const own = found.filter((row) => `${row.load_profile}|${row.operation}` === kind);
  const depths = [...new Set(own.map((row) => row.queue_depth))].toSorted((a, b) => a - b);
  const depth = Number(state.choice("depth", depths.map(String), String(depths[0])));
  const shown = own.filter((row) => row.queue_depth === depth);
  return html`<div>
    <h1>${t("q.tail")}</h1>
    <p class="lede">${t("tail.lede")}</p>
    ${list.length ? figure({
      id: "tail", question: t("tail.question"), answer: tailAnswer(shown, {t}),
      load: shown.length ? t("tail.load", {load: loadText(shown[0].load_profile, t), operation: t(`tail.operation.${shown[0].operation}`), depth: String(depth)}) : null,
      note: [t("tail.note"), shown.some((row) => row.is_press) ? t("tail.note_press") : null].filter(Boolean).join(t("sentence.space")), query: "tail", t, state, link, rows: shown, columns: tailColumns({t, number, link}),
      controls: html`<div class="controls">
        ${state.select({name: "load", label: t("load.load_profile"), options: list.map((each) => ({value: each.part, label: partName(each, t)})), fallback})}
        ${kinds.length > 1 ? state.select({name: "operation", label: t("tail.operation"), options: kinds.map((value) => ({value, label: `${loadText(value.split("|")[0], t)} · ${t(`tail.operation.${value.split("|")[1]}`)}`})), fallback: kinds[0]}) : null}
        ${depths.length > 1 ? state.buttons({name: "depth", label: t("column.depth"), options: depths.map((value) => ({value: String(value), label: String(value)})), fallback: String(depths[0])}) : null}
      </div>`,
      draw: (width) => percentiles(shown, {width: isNarrow(width) ? width : 1150, t, number, link})
    }) : html`<p class="note">${t("tail.answer.none")}</p>`}
    ${whole.length ? figure({
      id: "bins", question: t("tail.bins"), answer: t("tail.bins_answer", {load: loadText(whole[0].load_profile, t), operation: t(`tail.operation.${whole[0].operation}`), device: whole[0].device}),
      load: t("tail.bins_load"), note: t("tail.bins_note"), t, state, link, draw: (width) => bins(whole, {width: isNarrow(width) ? width : 1150, t, number})
    }) : null}
  </div>`;
}
