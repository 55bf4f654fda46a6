/*---
words: device
nav: none
keywords: device drive model
---*/
import {html} from "htl";
import {curves, foremost, hasPanel, ofConfigurations, ownAnswer, ownColumns} from "../../components/charts/curves.js";
import {ladder, ladderAnswer} from "../../components/charts/ladder.js";
import {valueText} from "../../components/charts/forest.js";
import {basisWords, keyOf} from "../../components/compare.js";
import {conditionsWords, refusal, verdictOf} from "../../components/conditions.js";
import {figure} from "../../components/figure.js";
import {capacity, interval} from "../../components/format.js";
import {FIRST, byLoad, chooseLoad, loadText} from "../../components/loads.js";
import {byMedium, glyph, mediumName, status, withBound} from "../../components/marks.js";
import {choosePart, numbersTable} from "../../components/points.js";
import {deviceName, facts, nameless, rate, title, topologyOf} from "../../components/records.js";
import {cells, table} from "../../components/table.js";
import {setupColumns} from "../first-round.js";

const FEW = 3;

const firstPart = (loads) => (loads.find((each) => each.label.startsWith(FIRST)) ?? loads[0])?.part;

export default async function page(context) {
  const {content, t, state, link, number, part, id} = context;
  const found = await content();
  const {device, configurations = [], peaks = [], compared = [], refused = [], loads = [], curves: sweeps = [], ladder: rungs = [], rounds = []} = found;
  const titles = new Map(configurations.map((row) => [`${row.submission_id}/${row.configuration_id}`, row.title]));
  const titleOf = (row) => titles.get(`${row.submission_id}/${row.configuration_id}`);
  const chosen = choosePart(loads, {t, state, first: firstPart(loads), nameOf: (key) => titles.get(key) ?? key});
  const [points] = loads.length ? await part(`devices/${id}`, chosen.name, ["sweeps"]) : [[]];
  const machine = `${context.base}/content/devices/${id}.json`;
  return html`<div>
    <p class="eyebrow"><a href=${link("devices/")}>${t("nav.devices")}</a></p>
    <h1>${deviceName(device)}</h1>
    <p class="lede medium-name">${glyph(device.media_class, 18)} ${mediumName(device.media_class, t)}${nameless(device, t) ? html`<small>${nameless(device, t)}</small>` : null}</p>
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
  return html`<div class="card">${facts([
    [t("device.maker"), device.vendor], [t("device.model"), device.model, device.part_number],
    [t("devices.capacity"), device.capacity_bytes ? capacity(device.capacity_bytes) : null],
    [t("devices.interface"), device.interface_protocol, [device.interface_generation, device.interface_lane_count ? t("device.lanes", {count: device.interface_lane_count}) : null].filter(Boolean).join(", ")],
    [t("device.form_factor"), device.form_factor],
    [title(t("condition.firmware")), device.firmwares?.join("; ")],
    device.nand_type ? [t("device.nand"), device.nand_type] : null,
    device.rotation_hertz ? [t("device.spindle"), t("device.rotation", {rpm: String(Math.round(device.rotation_hertz * 60).toLocaleString("en-US"))})] : null,
    device.endurance ? [t("device.endurance"), device.endurance] : null
  ], t)}</div>`;
}

function among(device, all, {t, state, link, number}) {
  const own = all.filter((row) => row.device_id === device.device_id);
  if (!own.length) return html`<p class="note">${t.rich("device.no_rung", {medium: mediumName(device.media_class, t)})}</p>`;
  const {load, control} = chooseLoad(own, {t, state, name: "rung"});
  const shown = all.filter((row) => row.load_profile === load);
  return figure({
    id: "ladder", question: t("device.among", {medium: mediumName(device.media_class, t)}), answer: ladderAnswer(shown, {t}), load: loadText(load, t), note: t("ladder.note"), query: "media-ladder", t, state, link,
    controls: control,
    draw: (width) => ladder(shown, {width, t, number, link, highlight: device.device_id})
  });
}

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
    controls: loads.length > 1 ? html`<div class="controls">${state.select({name: "curve", label: t("column.load"), options: loads.map((each) => ({value: each.part, label: loadText(each.label, t)})), fallback})}</div>` : null,
    draw: (width) => curves(shown, {width, t, number, isOneDevice: true, band: null}),
    rows, columns: ownColumns({t, number, link}), most: FEW, machine: `${base}/parts/curves/${id}/${load}.json`
  });
}

const fewest = (rows) => Math.min(...rows.map((row) => row.differing_count));

function comparisons({device, compared, refused, t, state, link, number, machine}) {
  const others = Array.from(Map.groupBy(compared, (row) => row.b_device_id).values()).map((of) => of.toSorted(byLoad)).toSorted((one, two) => fewest(one) - fewest(two) || byMedium({media_class: one[0].b_media_class}, {media_class: two[0].b_media_class}));
  const shown = others.flat();
  const page = {t, link, number}, {text, num, ...c} = cells(page);
  const against = (more) => c.device({id: "against", side: "b_", label: t("device.against"), more});
  return html`<section class="card" id="compared"><h2>${t("device.compared")}</h2>
    ${shown.length ? table(shown, [
      against((row) => html`<small>${mediumName(row.b_media_class, t)}</small>`), c.load({small: (row) => basisWords(row, t)}),
      ...["a", "b"].map((side, i) => num(["this", "other"][i], t(`device.${["this", "other"][i]}`), `${side}_value`, (value, row) => rate(row.metric, value, t), {sort: null})),
      num("quotient", t("axis.quotient"), (row) => row.ratio ?? row.ratio_low ?? row.ratio_high, (_, row) => html`<a href=${number("q", `${row.pair_id}#${row.comparison_id.slice(0, 8)}`)}>${valueText(row)}</a>`),
      {id: "interval", label: t("mark.interval"), num: true, className: "minor", value: (row) => row.verdict == null || row.ratio_low == null || row.ratio_high == null ? null : interval(row.ratio_low, row.ratio_high)},
      {id: "verdict", label: t("column.verdict"), value: (row) => verdictOf(row, t).words}, text("conditions", t("column.conditions"), "differing_count", {value: (row) => conditionsWords(row, t, 2)}),
      {id: "all", label: t("device.all_loads"), value: (row) => html`<a href=${link("compare", {search: {a: keyOf(row, "a_"), b: keyOf(row, "b_")}})} class="nowrap">${t("device.compare")}</a>`}
    ], {caption: t("device.compared_caption"), t, state, id: "compared-table", most: FEW, machine}) : html`<p>${t("device.compared_none")}</p>`}
    ${refused.length ? html`<h3>${t("device.refused")}</h3>${table(refused, [against(), c.medium("b_media_class"), text("reason", t("column.reason"), (row) => refusal(row, t))], {t, state, id: "refused-table", most: FEW, machine})}` : null}
    <p>${t.rich(shown.length || refused.length ? "device.rest" : "device.nothing_asked", {medium: mediumName(device.media_class, t)})} <a href=${link("devices/", {search: {medium: device.media_class}})}>${t("device.same_medium")}</a></p>
  </section>`;
}

function benches({configurations, t, state, link, machine}) {
  const {num, ...c} = cells({t, link});
  const unknown = html`<i class="unknown">${t("state.unknown")}</i>`;
  return html`<section class="card" id="benches"><h2>${t("device.benches")}</h2>
    ${configurations.length ? table(configurations, [
      c.configuration({id: "configuration", small: (row) => row.submission_title, head: true}), {id: "topology", label: title(t("condition.storage_topology")), value: (row) => html`${topologyOf(row, t)}${row.drive_count > 1 ? html`<small>${t("device.drives", {count: row.drive_count})}</small>` : null}`},
      {id: "system", label: title(t("condition.system_model")), value: (row) => [row.system_vendor, row.system_model].filter((each) => each && each !== "unknown").join(" ") || unknown.cloneNode(true)},
      {id: "conditions", label: t("column.conditions"), value: (row) => row.conditions ?? unknown.cloneNode(true)}, num("results", t("devices.results"), (row) => row.result_count ?? 0)
    ], {t, state, id: "benches-table", most: FEW, machine}) : html`<p>${t("device.no_bench")}</p>`}
  </section>`;
}

const depthOf = (row) => row.queue_depth == null ? row.queue_depth_low == null && row.queue_depth_high == null ? null : `${row.queue_depth_low ?? "?"}–${row.queue_depth_high ?? "?"}` : String(row.queue_depth);

function peakTable(peaks, {t, state, link, number, machine, titleOf}) {
  const {text, num, ...c} = cells({t, link, number});
  const format = (value, row) => rate(row.metric, value, t);
  return table(peaks.toSorted(byLoad), [
    c.load({head: true}), num("peak", t("point.peak"), "peak_value", (value, row) => withBound(format(value, row), status(row)), {at: ["k", "peak_id"]}),
    {id: "interval", label: t("mark.interval"), className: "minor", value: (row) => row.independent_run_count > 1 && row.peak_value_low != null && row.peak_value_high != null ? interval(row.peak_value_low, row.peak_value_high, (value) => format(value, row)) : null},
    num("runs", t("column.runs"), "independent_run_count", undefined, {className: "minor"}), c.depth({value: (row) => depthOf(row)}), text("drives", t("axis.drives"), "drive_count", {value: (row) => row.drive_count > 1 ? `${row.drive_count}, ${topologyOf(row, t)}` : String(row.drive_count ?? "–")}),
    c.configuration({title: titleOf, small: (row) => row.section})
  ], {t, state, id: "peaks-table", most: FEW, machine});
}
