/*---
title: same_drive.title
description: same_drive.description
nav: {section: load, order: 240, name: nav.benches}
queries: [same-drive-benches, same-drive-repetitions, same-drive-intervals, same-drive-steady]
parts: submissions
keywords: repeatability repetition variation bench confidence interval spread steady state snia randrepeat
---*/
import {html} from "htl";
import {benchColumns, benches, benchesAnswer, choices, compared, onlyBench} from "../components/charts/benches.js";
import {figure, heading} from "../components/figure.js";
import {interval, iops, latency, percent, quotient} from "../components/format.js";
import {basisWords} from "../components/compare.js";
import {verdictOf} from "../components/conditions.js";
import {loadChosen, loadText} from "../components/loads.js";
import {cells, folded} from "../components/table.js";

export default async function page({rows, part, parts, t, state, link, number}) {
  const [all, groups] = await Promise.all([rows("same-drive-benches"), parts("same-drive")]);
  const {load, control} = loadChosen(all.filter((d) => d.set_count > 1), {t, state});
  const shown = all.filter((d) => d.load_profile === load);
  const drives = choices(shown);
  const device = state.choice("drive", drives.map((d) => d.device_id), drives[0]?.device_id);
  const found = compared(shown, device);
  return html`<div class="answers">
    ${heading({question: t("q.benches"), answer: drives.length ? benchesAnswer(found, {t}) : t("same_drive.title"), sub: t("same_drive.lede")})}
    ${drives.length ? figure({
      id: "benches", question: t("benches.question"),
      load: t("benches.load", {load: loadText(load, t), runs: t(found.sets.some((d) => d.run_count > 1) ? "ladder.several_runs" : "ladder.one_run")}),
      controls: html`<div class="controls">${state.select({name: "drive", label: t("ladder.column.device"), options: drives.map((d) => ({value: d.device_id, label: t("benches.choice", {name: d.name, count: d.sets})})), fallback: drives[0].device_id})}
        ${control}</div>`,
      draw: (width) => benches(found, {width, t, number}),
      rows: [...found.sets, ...found.others], columns: benchColumns({t, number, link}), note: benchesNote(found, t), query: "same-drive-benches", t, state, link
    }) : html`<p class="note">${t("benches.nothing")}</p>`}
    ${await repetitions({groups, part, t, state, link})}
  </div>`;
}

const benchesNote = ({sets, others}, t) => [
  onlyBench(sets) ? t("benches.one_bench", {bench: onlyBench(sets)}) : null,
  t([...sets, ...others].some((d) => d.operations_per_second > 0) ? "benches.note" : "benches.note_depth_1"), t("benches.note_marks")
].filter(Boolean).join(t("sentence.space"));

// What was measured again on the same bench: scatter, intervals of quotients, steady state; of one submission at a time.
async function repetitions({groups, part, t, state, link}) {
  const options = groups.map((d) => ({value: d.part, label: d.part === "all" ? t("repeat.all_submissions") : d.part}));
  const chosen = options.length ? state.choice("submission", options.map((d) => d.value), options[0].value) : null;
  const [repeats, intervals, states] = await part("same-drive", chosen, ["same-drive-repetitions", "same-drive-intervals", "same-drive-steady"]);
  return html`<section class="card">
    <h2 id="repetitions">${t("repeat.title")}</h2>
    <p>${t("repeat.text")}</p>
    ${options.length > 1 ? state.select({name: "submission", label: t("column.submission"), options, fallback: options[0].value}) : null}
    ${repeats.length ? folded("repeat-table", repeats, repeatColumns({t, link}), t("repeat.caption"), {t, state}) : html`<p class="note">${t("repeat.none")}</p>`}
    <h2 id="intervals">${t("sure.title")}</h2>
    <p>${t("sure.text")}</p>
    ${intervals.length ? folded("sure-table", intervals, intervalColumns({t}), t("sure.caption"), {t, state}) : html`<p class="note">${t("sure.none")}</p>`}
    <h2 id="steady">${t("steady.title")}</h2>
    <p>${t("steady.text")}</p>
    ${states.length ? folded("steady-table", states, steadyColumns({t, link}), t("steady.caption"), {t, state}) : html`<p class="note">${t.rich("steady.none")}</p>`}
    <p class="small">${["same-drive-repetitions", "same-drive-intervals", "same-drive-steady"].map((query, i) => [i ? " · " : "", html`<a href=${link("sql", {search: `?query=${query}`})}>${t(`query.${query}`)}</a>`]).flat()}</p>
  </section>`;
}

function repeatColumns(page) {
  const {t} = page, {text, num, ...c} = cells(page);
  const isRate = (d) => d.metric === "operations_per_second";
  const value = (id, key) => num(id, t(`repeat.${id}`), key, (amount, d) => isRate(d) ? `${iops(amount)} IOPS` : latency(amount));
  return [
    text("device", t("ladder.column.device"), (d) => d.device ?? d.configuration_id, {head: true}), c.load(), c.depth(), c.runs(), value("lowest", "lowest_value"), value("mean", "geomean_value"), value("highest", "highest_value"),
    num("variation", t("repeat.variation"), "variation_ratio", percent), {id: "interval", label: t("mark.interval"), num: true, value: (d) => d.interval_low == null ? null : interval(d.interval_low, d.interval_high, isRate(d) ? iops : latency)},
    c.configuration({id: "submission"})
  ];
}

function intervalColumns(page) {
  const {t} = page, {text, num, ...c} = cells(page);
  const end = (ratio) => ratio ? quotient(ratio) : t("sure.open");
  const both = (id, label, of) => ({id, label, num: true, value: (d) => t("sure.runs", {a: d[`a_${of}`], b: d[`b_${of}`]})});
  return [
    text("a", "A", "a_device", {head: true}), text("b", "B", "b_device"), c.load(), text("basis", t("sure.at"), "queue_depth", {value: (d) => basisWords(d, t)}), text("metric", t("sure.metric"), "metric", {value: (d) => t(`metric.${d.metric}`)}),
    num("ratio", t("axis.quotient"), "ratio", quotient), {id: "interval", label: t("mark.interval"), num: true, value: (d) => `${end(d.ratio_low)}–${end(d.ratio_high)}`},
    text("verdict", t("column.verdict"), "verdict", {value: (d) => verdictOf(d, t).words}), both("runs", t("column.runs"), "run_count"), both("sessions", t("sure.sessions"), "session_count")
  ];
}

function steadyColumns(page) {
  const {t} = page, {text, num, ...c} = cells(page);
  return [
    c.configuration({id: "configuration", label: t("device.configuration"), head: true}), text("log", t("steady.log"), "source_path"), num("range", t("steady.range"), "range_ratio", percent), num("drift", t("steady.drift"), "excursion_ratio", percent),
    text("steady", t("steady.column"), (d) => String(d.is_steady), {value: (d) => t(d.is_steady == null ? "steady.unknown" : d.is_steady ? "steady.yes" : "steady.no")})
  ];
}
