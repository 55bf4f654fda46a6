/*---
title: device.title
description: device.description
nav: none
keywords: device drive model
---*/
import {html} from "htl";
import {curves, hasPanel} from "../../components/charts/curves.js";
import {setupColumns} from "../../components/charts/first-round.js";
import {foremost, ofConfigurations, ownAnswer, ownColumns} from "../../components/charts/own-curves.js";
import {ladder, ladderAnswer} from "../../components/charts/ladder.js";
import {valueText} from "../../components/charts/forest.js";
import {basisWords} from "../../components/compare.js";
import {conditionsWords, refusal, verdictOf} from "../../components/conditions.js";
import {figure} from "../../components/figure.js";
import {capacity, interval} from "../../components/format.js";
import {byLoad, loadText} from "../../components/loads.js";
import {byMedium, glyph, medium, mediumName} from "../../components/media.js";
import {written, status} from "../../components/marks.js";
import {numbersTable, partChosen} from "../../components/points.js";
import {configurationLink, deviceName, facts, nameless, rate, title, topologyOf} from "../../components/records.js";
import {table} from "../../components/table.js";

const FIRST = "4 KiB random read";
// Rows of each table that are on the page before a reader asks for the others.
const FEW = 3;

// The load that every part of the page begins with, so that its numbers are those of its charts.
const firstPart = (loads) => (loads.find((each) => each.label.startsWith(FIRST)) ?? loads[0])?.part;

export default async function page(context) {
  const {content, t, state, link, number, part, id} = context;
  const found = await content();
  const {device, configurations = [], peaks = [], compared = [], refused = [], loads = [], curves: sweeps = [], ladder: rungs = [], rounds = []} = found;
  const titles = new Map(configurations.map((row) => [`${row.submission_id}/${row.configuration_id}`, row.title]));
  const titleOf = (row) => titles.get(`${row.submission_id}/${row.configuration_id}`);
  const chosen = partChosen(loads, {t, state, first: firstPart(loads), nameOf: (key) => titles.get(key) ?? key});
  const [points] = loads.length ? await part(`devices/${id}`, chosen.name, ["sweeps"]) : [[]];
  // Files that have every row of a table, for readers without scripts.
  const machine = `${context.base}/content/devices/${id}.json`;
  return html`<div>
    <p class="eyebrow"><a href=${link("devices/")}>${t("nav.devices")}</a></p>
    <h1>${deviceName(device)}</h1>
    <p class="lede medium-name" style=${`color: ${medium(device.media_class).color}`}>${glyph(device.media_class, 18)} ${mediumName(device.media_class, t)}${nameless(device, t) ? html`<small>${nameless(device, t)}</small>` : null}</p>
    ${about(device, t)}
    ${among(device, rungs, {t, state, link, number})}
    ${await operating(context, device, sweeps)}
    ${comparisons({device, compared, refused, t, state, link, number, machine})}
    ${rounds.length ? html`<section class="card" id="rounds"><h2>${t("device.rounds")}</h2><p>${t.rich("device.rounds_text")}</p>${table(rounds, setupColumns({t, link}).filter(({id}) => id !== "device"), {t, state, id: "rounds-table", most: FEW, machine})}</section>` : null}
    ${benches({configurations, t, state, link, machine})}
    ${peaks.length ? html`<section class="card" id="peaks"><h2>${t("device.peaks")}</h2>${peakTable(peaks, {t, state, link, number, machine, titleOf})}</section>` : null}
    ${loads.length ? html`<section class="card" id="numbers"><h2>${t("device.numbers")}</h2>
      ${chosen.controls()}
      ${numbersTable(points, {t, state, link, number, id: "numbers-table", titleOf, machine: `${context.base}/parts/devices/${id}/${chosen.name}.json`})}</section>` : null}
  </div>`;
}

function about(device, t) {
  const rotation = device.rotation_hertz ? t("device.rotation", {rpm: String(Math.round(device.rotation_hertz * 60).toLocaleString("en-US"))}) : null;
  return html`<div class="card">${facts([
    [t("device.maker"), device.vendor], [t("device.model"), device.model, device.part_number],
    [t("devices.capacity"), device.capacity_bytes ? capacity(device.capacity_bytes) : null],
    [t("devices.interface"), device.interface_protocol, [device.interface_generation, device.interface_lane_count ? t("device.lanes", {count: device.interface_lane_count}) : null].filter(Boolean).join(", ")],
    [t("device.form_factor"), device.form_factor],
    [title(t("condition.firmware")), device.firmwares?.join("; ")],
    device.nand_type ? [t("device.nand"), device.nand_type] : null,
    rotation ? [t("device.spindle"), rotation] : null,
    device.endurance ? [t("device.endurance"), device.endurance] : null
  ], t)}</div>`;
}

// The ladder of its medium: this drive in colour, those next to it in grey.
function among(device, all, {t, state, link, number}) {
  const own = [...new Set(all.filter((row) => row.device_id === device.device_id).toSorted(byLoad).map((row) => row.load_profile))];
  if (!own.length) return html`<p class="note">${t.rich("device.no_rung", {medium: mediumName(device.media_class, t)})}</p>`;
  const fallback = own.includes(FIRST) ? FIRST : own[0];
  const load = state.choice("rung", own, fallback);
  const shown = all.filter((row) => row.load_profile === load);
  return figure({
    id: "ladder", question: t("device.among", {medium: mediumName(device.media_class, t)}), answer: ladderAnswer(shown, {t}), load: loadText(load, t), note: t("ladder.note"), query: "media-ladder", t, state, link,
    controls: own.length > 1 ? state.select({name: "rung", label: t("load.load_profile"), options: own.map((value) => ({value, label: loadText(value, t)})), fallback}) : null,
    draw: (width) => ladder(shown, {width, t, number, link, highlight: device.device_id})
  });
}

// Its operating curves: one for each configuration that measured several depths under a load.
async function operating({part, id, t, state, link, number, base}, device, loads) {
  if (!loads.length || !hasPanel(device.media_class)) return null;
  const fallback = firstPart(loads);
  const load = state.choice("curve", loads.map((each) => each.part), fallback);
  const [found] = await part(`curves/${id}`, load, ["curves"]);
  const rows = ofConfigurations(found, device);
  const shown = foremost(rows);
  const counts = [rows, shown].map((some) => new Set(some.map((row) => row.device_id)).size);
  return figure({
    id: "curves", question: t("device.curves"), answer: ownAnswer(rows, {t}), load: [t("curve.load_one", {load: loadText(rows[0]?.load_profile, t)}), counts[0] > counts[1] ? `${t("sentence.space")}${t("curve.foremost", {shown: counts[1], count: counts[0]})}` : ""], note: t("curve.note_one"), t, state, link,
    controls: loads.length > 1 ? html`<div class="controls">${state.select({name: "curve", label: t("load.load_profile"), options: loads.map((each) => ({value: each.part, label: loadText(each.label, t)})), fallback})}</div>` : null,
    draw: (width) => curves(shown, {width, t, number, isOneDevice: true, band: null}),
    rows, columns: ownColumns({t, number, link}), most: FEW, machine: `${base}/parts/curves/${id}/${load}.json`
  });
}

const fewest = (rows) => Math.min(...rows.map((row) => row.differing_count));
const side = (row, value, t) => value == null ? null : rate(row.metric, value, t);

// What it can be compared with, that with the fewest differing conditions first, and what it cannot and why.
function comparisons({device, compared, refused, t, state, link, number, machine}) {
  const others = Array.from(Map.groupBy(compared, (row) => row.b_device_id).values()).map((of) => of.toSorted(byLoad)).toSorted((one, two) => fewest(one) - fewest(two) || byMedium({media_class: one[0].b_media_class}, {media_class: two[0].b_media_class}));
  const shown = others.flat();
  return html`<section class="card" id="compared"><h2>${t("device.compared")}</h2>
    ${shown.length ? table(shown, [
      {id: "against", label: t("device.against"), value: (row) => html`<a href=${link(`devices/${row.b_device_id}`)}>${row.b_device}</a><small>${mediumName(row.b_media_class, t)}</small>`, sort: (row) => row.b_device, head: true},
      {id: "load", label: t("column.load"), value: (row) => html`${loadText(row.load_profile, t)}<small>${basisWords(row, t)}</small>`, sort: (row) => row.load_profile},
      {id: "this", label: t("device.this"), value: (row) => side(row, row.a_value, t), num: true},
      {id: "other", label: t("device.other"), value: (row) => side(row, row.b_value, t), num: true},
      {id: "quotient", label: t("axis.quotient"), value: (row) => html`<a href=${number("q", `${row.pair_id}#${row.comparison_id.slice(0, 8)}`)}>${valueText(row)}</a>`, sort: (row) => row.ratio ?? row.ratio_low ?? row.ratio_high, num: true},
      {id: "interval", label: t("mark.interval"), value: (row) => row.verdict == null || row.ratio_low == null || row.ratio_high == null ? null : interval(row.ratio_low, row.ratio_high), num: true},
      {id: "verdict", label: t("column.verdict"), value: (row) => verdictOf(row, t).words},
      {id: "conditions", label: t("column.conditions"), value: (row) => conditionsWords(row, t, 2), sort: (row) => row.differing_count},
      {id: "all", label: t("device.all_loads"), value: (row) => html`<a href=${link("compare", {search: {a: `${row.a_submission_id}/${row.a_configuration_id}`, b: `${row.b_submission_id}/${row.b_configuration_id}`}})} class="nowrap">${t("device.compare")}</a>`}
    ], {caption: t("device.compared_caption"), t, state, id: "compared-table", most: FEW, machine}) : html`<p>${t("device.compared_none")}</p>`}
    ${refused.length ? html`<h3>${t("device.refused")}</h3>${table(refused, [
      {id: "against", label: t("device.against"), value: (row) => html`<a href=${link(`devices/${row.b_device_id}`)}>${row.b_device}</a>`, sort: (row) => row.b_device, head: true},
      {id: "medium", label: t("column.medium"), value: (row) => mediumName(row.b_media_class, t), sort: (row) => medium(row.b_media_class).rank},
      {id: "reason", label: t("column.reason"), value: (row) => refusal(row, t), sort: (row) => refusal(row, t)}
    ], {t, state, id: "refused-table", most: FEW, machine})}` : null}
    <p>${t.rich(shown.length || refused.length ? "device.rest" : "device.nothing_asked", {medium: mediumName(device.media_class, t)})} <a href=${link("devices/", {search: {medium: device.media_class}})}>${t("device.same_medium")}</a></p>
  </section>`;
}

const benches = ({configurations, t, state, link, machine}) => html`<section class="card" id="benches"><h2>${t("device.benches")}</h2>
  ${configurations.length ? table(configurations, [
    {id: "configuration", label: t("device.configuration"), value: (row) => html`<a href=${link(`submissions/${row.submission_id}`, {hash: row.configuration_id})}>${row.title}</a><small>${row.submission_title}</small>`, sort: (row) => row.title, head: true},
    {id: "topology", label: title(t("condition.storage_topology")), value: (row) => html`${topologyOf(row, t)}${row.drive_count > 1 ? html`<small>${t("device.drives", {count: row.drive_count})}</small>` : null}`},
    {id: "system", label: title(t("condition.system_model")), value: (row) => [row.system_vendor, row.system_model].filter((each) => each && each !== "unknown").join(" ") || html`<i class="unknown">${t("state.unknown")}</i>`},
    {id: "conditions", label: t("device.conditions"), value: (row) => row.conditions ?? html`<i class="unknown">${t("state.unknown")}</i>`},
    {id: "results", label: t("devices.results"), value: (row) => String(row.result_count ?? 0), sort: (row) => row.result_count ?? 0, num: true}
  ], {t, state, id: "benches-table", most: FEW, machine}) : html`<p>${t("device.no_bench")}</p>`}
</section>`;

const depthOf = (row) => row.queue_depth ?? (row.queue_depth_low == null && row.queue_depth_high == null ? null : `${row.queue_depth_low ?? "?"}–${row.queue_depth_high ?? "?"}`);

const peakTable = (peaks, {t, state, link, number, machine, titleOf}) => table(peaks.toSorted(byLoad), [
  {id: "load", label: t("column.load"), value: (row) => loadText(row.load_profile, t), sort: (row) => row.load_profile, head: true},
  {id: "peak", label: t("point.peak"), value: (row) => html`<a href=${number("k", row.peak_id)}>${written(rate(row.metric, row.peak_value, t), status(row))}</a>`, sort: (row) => row.peak_value, num: true},
  {id: "interval", label: t("mark.interval"), value: (row) => row.independent_run_count > 1 && row.peak_value_low != null && row.peak_value_high != null ? interval(row.peak_value_low, row.peak_value_high, (value) => rate(row.metric, value, t)) : null},
  {id: "runs", label: t("column.runs"), value: (row) => row.independent_run_count == null ? null : String(row.independent_run_count), sort: (row) => row.independent_run_count, num: true},
  {id: "depth", label: t("axis.queue_depth"), value: (row) => depthOf(row) == null ? null : String(depthOf(row)), sort: (row) => row.queue_depth, num: true},
  {id: "drives", label: t("axis.drives"), value: (row) => row.drive_count > 1 ? `${row.drive_count}, ${topologyOf(row, t)}` : String(row.drive_count ?? "–"), sort: (row) => row.drive_count},
  {id: "where", label: t("device.configuration"), value: (row) => html`${configurationLink(row, titleOf(row), link)}<small>${row.section}</small>`, sort: (row) => row.configuration_id}
], {t, state, id: "peaks-table", most: FEW, machine});
