/*---
title: queue_depth.title
description: queue_depth.description
nav: {section: load, order: 210, name: nav.queue_depth}
queries: [queue-depth-curves, queue-depth-applications, queue-depth-knees]
parts: loads
keywords: queue depth iodepth outstanding knee saturation latency little
---*/
import {html} from "htl";
import {curveColumns, curves, depthAnswer, sweeps} from "../components/charts/curves.js";
import {figure, heading} from "../components/figure.js";
import {count} from "../components/format.js";
import {FIRST, loadChosen, loadText} from "../components/loads.js";
import {ENDING} from "../components/packed.js";
import {rate} from "../components/records.js";
import {cells, folded} from "../components/table.js";

// Rows of each table that are on the page before a reader asks for the others.
const MOST = 30;

const LATENCIES = {mean: "latency_mean_seconds", p999: "p999_seconds"};

export default async function page({rows, part, parts, t, state, link, number, base}) {
  const [found, bands, groups] = await Promise.all([rows("queue-depth-curves"), rows("queue-depth-applications"), parts("queue-depth")]);
  // a sweep past the kernel is a curve of its own, beside the one through it
  const all = found.map((d) => d.engine ? {...d, device_id: `${d.device_id}-${d.engine}`, page_id: d.device_id, short_name: `${d.short_name}, ${d.engine.toUpperCase()}`} : d);
  const {load, control} = loadChosen(all, {t, state});
  const shown = all.filter((d) => d.load_profile === load);
  const drives = sweeps(shown);
  const chosen = state.choice("drive", ["", ...drives.map((d) => d.device_id)], "");
  const [band] = bands;
  const by = state.choice("by", Object.keys(LATENCIES), "mean");
  const answer = depthAnswer(shown, {t});
  return html`<div class="answers">
    ${heading({question: t("queue_depth.title"), answer: answer.head, sub: answer.sub})}
    ${shown.length ? figure({
      id: "curves", question: t("q.depth"),
      load: t("curve.load", {load: loadText(load, t)}),
      controls: html`<div class="controls">${control}
        ${state.select({name: "drive", label: t("curve.in_color"), options: [{value: "", label: t("curve.in_color_auto")}, ...drives.map((d) => ({value: d.device_id, label: d.short_name ?? d.device}))], fallback: ""})}
        ${shown.some((d) => d.p999_seconds != null) ? state.buttons({name: "by", label: t("within.statistic"), options: [{value: "mean", label: t("within.mean")}, {value: "p999", label: "p99.9"}], fallback: "mean"}) : null}</div>`,
      draw: (width) => curves(shown, {width, t, number, by: LATENCIES[by], chosen: chosen ? [chosen] : [], band: band ? {low: band.depth_low, high: band.depth_high} : null}),
      rows: shown, columns: curveColumns({t, number, link}),
      note: [...(band ? t.rich("curve.note_band", {low: band.depth_low, high: band.depth_high, publisher: band.publisher, where: html`<a href=${link("source", {search: band.href.replace(/^source/, "")})}>${t("curve.note_where")}</a>`}) : []), ...t.rich("curve.note")],
      query: "queue-depth-curves", t, state, link, most: MOST, machine: `${base}/data/queue-depth-curves.json`
    }) : html`<p class="note">${t("curve.nothing")}</p>`}
    ${await knees({groups, part, t, state, link, number, base})}
  </div>`;
}

// A table of every sweep of a group of loads: where the knee is.
async function knees({groups, part, t, state, link, number, base}) {
  if (!groups.length) return null;
  const options = groups.map((d) => ({value: d.part, label: groupLabel(d, t)}));
  const fallback = groups.find((d) => d.label === FIRST)?.part ?? groups[0].part;
  const group = state.choice("knees", options.map((d) => d.value), fallback);
  const [sweeps] = await part("queue-depth", group, ["queue-depth-knees"]);
  const turned = sweeps.filter((d) => d.knee_verdict === "saturated").length;
  return html`<section class="card">
    <h2 id="knees">${t("knee.title")}</h2>
    <p>${t("knee.text")}</p>
    ${state.select({name: "knees", label: t("column.load"), options, fallback})}
    ${sweeps.length ? html`<p class="answer">${t("knee.answer", {count: sweeps.length, turned})}</p>${folded("knee-table", sweeps, kneeColumns({t, link, number}, sweeps), t("knee.caption"), {t, state, most: MOST, machine: `${base}/parts/queue-depth/${group}.json${ENDING}`})}` : html`<p class="note">${t("knee.none")}</p>`}
    <p class="small"><a href=${link("sql", {search: "?query=queue-depth-knees"})}>${t("action.sql")}</a></p>
  </section>`;
}

const groupLabel = (d, t) => d.part === "rest" ? t("load.rest") : loadText(d.label, t);

function kneeColumns(page, sweeps) {
  const {t} = page, {num, ...c} = cells(page);
  // the load has a column only where there are several
  const isMixed = new Set(sweeps.map((d) => d.load_profile)).size > 1;
  return [
    c.drive({name: (d) => d.device ?? "", label: t("ladder.column.device")}), ...isMixed ? [c.load()] : [], num("drives", t("table.drives"), "drive_count"), num("processes", t("cond.processes"), "process_count"),
    num("knee", t("knee.column"), "queue_depth_knee", count, {value: (d) => d.queue_depth_knee == null ? html`<span class="muted">${t("knee.not_reached", {depth: d.queue_depth_high})}</span>` : d.queue_depth_before == null ? `≤ ${count(d.queue_depth_knee)}` : t("knee.between", {before: d.queue_depth_before, knee: d.queue_depth_knee})}),
    num("peak", t("table.peak"), "peak_value", (value, d) => rate(d.metric, value, t), {at: ["k", "peak_id"]}), num("at", t("table.at_depth"), "queue_depth_peak"), num("depths", t("knee.depths"), "depth_count", (n, d) => t("knee.depths_of", {n, low: d.queue_depth_low, high: d.queue_depth_high})),
    {id: "falls", label: t("knee.falls"), value: (d) => d.queue_depths_falling?.join(", ") ?? null}, c.runs(), c.configuration()
  ];
}
