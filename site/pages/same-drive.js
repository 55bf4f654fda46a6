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
import {count, interval, iops, latency, percent, quotient} from "../components/format.js";
import {basisWords} from "../components/compare.js";
import {verdictOf} from "../components/conditions.js";
import {byLoad, loadText} from "../components/loads.js";
import {configurationLink} from "../components/records.js";
import {folded} from "../components/table.js";

const FIRST = "4 KiB random read";

export default async function page({rows, part, parts, t, state, link, number}) {
  const [all, groups] = await Promise.all([rows("same-drive-benches"), parts("same-drive")]);
  const loads = [...new Set(all.filter((d) => d.set_count > 1).sort(byLoad).map((d) => d.load_profile))];
  const first = loads.includes(FIRST) ? FIRST : loads[0];
  const load = state.choice("load", loads, first);
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
        ${state.select({name: "load", label: t("load.load_profile"), options: loads.map((value) => ({value, label: loadText(value, t)})), fallback: first})}</div>`,
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
    ${options.length > 1 ? state.select({name: "submission", label: t("table.submission"), options, fallback: options[0].value}) : null}
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


const loadColumn = (t) => ({id: "load", label: t("load.load_profile"), value: (d) => loadText(d.load_profile, t), sort: (d) => d.load_profile});
function repeatColumns({t, link}) {
  const format = (d) => d.metric === "operations_per_second" ? (value) => `${iops(value)} IOPS` : latency;
  const cell = (id, label, key) => ({id, label, num: true, value: (d) => d[key] == null ? null : format(d)(d[key]), sort: (d) => d[key] ?? null});
  return [
    {id: "device", label: t("ladder.column.device"), head: true, value: (d) => d.device ?? d.configuration_id, sort: (d) => d.device ?? d.configuration_id},
    loadColumn(t), {id: "depth", label: t("axis.queue_depth"), num: true, value: (d) => d.queue_depth == null ? null : count(d.queue_depth), sort: (d) => d.queue_depth ?? null},
    {id: "runs", label: t("table.runs"), num: true, value: (d) => count(d.run_count), sort: (d) => d.run_count},
    cell("lowest", t("repeat.lowest"), "lowest_value"), cell("mean", t("repeat.mean"), "geomean_value"), cell("highest", t("repeat.highest"), "highest_value"),
    {id: "variation", label: t("repeat.variation"), num: true, value: (d) => percent(d.variation_ratio), sort: (d) => d.variation_ratio ?? null},
    {id: "interval", label: t("mark.interval"), num: true, value: (d) => d.interval_low == null ? null : interval(d.interval_low, d.interval_high, d.metric === "operations_per_second" ? iops : latency)},
    {id: "submission", label: t("device.configuration"), value: (d) => configurationLink(d, d.title, link), sort: (d) => d.title ?? d.configuration_id}
  ];
}

function intervalColumns({t}) {
  const end = (ratio) => ratio ? quotient(ratio) : t("sure.open");
  return [
    {id: "a", label: "A", head: true, value: (d) => d.a_device, sort: (d) => d.a_device},
    {id: "b", label: "B", value: (d) => d.b_device, sort: (d) => d.b_device},
    loadColumn(t), {id: "basis", label: t("sure.at"), value: (d) => basisWords(d, t), sort: (d) => d.queue_depth},
    {id: "metric", label: t("sure.metric"), value: (d) => t(`metric.${d.metric}`), sort: (d) => d.metric},
    {id: "ratio", label: t("axis.quotient"), num: true, value: (d) => quotient(d.ratio), sort: (d) => d.ratio},
    {id: "interval", label: t("mark.interval"), num: true, value: (d) => `${end(d.ratio_low)}–${end(d.ratio_high)}`},
    {id: "verdict", label: t("sure.verdict"), value: (d) => verdictOf(d, t).words, sort: (d) => d.verdict},
    {id: "runs", label: t("table.runs"), num: true, value: (d) => t("sure.runs", {a: d.a_run_count, b: d.b_run_count})},
    {id: "sessions", label: t("sure.sessions"), num: true, value: (d) => t("sure.runs", {a: d.a_session_count, b: d.b_session_count})}
  ];
}

function steadyColumns({t, link}) {
  return [
    {id: "configuration", label: t("steady.configuration"), head: true, value: (d) => html`<a href=${link(`submissions/${d.submission_id}`, {hash: d.configuration_id ?? ""})}>${d.title ?? d.configuration_id ?? d.submission_id}</a>`, sort: (d) => d.title ?? ""},
    {id: "log", label: t("steady.log"), value: (d) => d.source_path, sort: (d) => d.source_path},
    {id: "range", label: t("steady.range"), num: true, value: (d) => percent(d.range_ratio), sort: (d) => d.range_ratio ?? null},
    {id: "drift", label: t("steady.drift"), num: true, value: (d) => percent(d.excursion_ratio), sort: (d) => d.excursion_ratio ?? null},
    {id: "steady", label: t("steady.column"), value: (d) => t(d.is_steady == null ? "steady.unknown" : d.is_steady ? "steady.yes" : "steady.no"), sort: (d) => String(d.is_steady)}
  ];
}
