/*---
words: devices
nav: {section: records, order: 310, name: nav.devices}
queries: [devices, devices-ratios]
keywords: devices drives models list iops latency sequential compare
---*/
import {scaleLog} from "d3";
import {html, svg} from "htl";
import {joinMarks, line, logTicks, text} from "../../components/charts/draw.js";
import {heading} from "../../components/figure.js";
import {capacity, count, interval, iops, latency, normalizeName, percent, quotient, throughput, tick} from "../../components/format.js";
import {byMedium, glyph, mediumName, reasons, status, withBound} from "../../components/marks.js";
import {codeWords, deviceName, nameless} from "../../components/records.js";
import {cells, table} from "../../components/table.js";

const REFERENCE = "samsung-860-pro";
const FOLDS = ["data_sheet", "arrays", "virtual", "other"];
const briefName = (row) => row && (row.short_name ?? row.device).replace(`${row.vendor} `, "");
const splitList = (text) => text?.split(", ") ?? [];
const end = (which) => (row) => row[which] == null ? null : status({value_kind: row[`${which}_kind`], reservations: row[`${which}_reservations`], exclusions: row[`${which}_exclusions`]});
const ends = {lowest: end("lowest"), highest: end("highest")};

export default async function page({rows, t, state, link, number, base}) {
  const [all, ratios] = await Promise.all([rows("devices"), rows("devices-ratios")]);
  const measured = all.filter((row) => !row.fold);
  const names = new Map(all.map((row) => [row.device_id, row.short_name ?? row.device]));
  const references = [...new Set(ratios.map((row) => row.reference_id))].filter((id) => names.has(id)).sort((a, b) => names.get(a).localeCompare(names.get(b)));
  const filters = {
    medium: {label: t("column.medium"), values: [...new Set(measured.toSorted(byMedium).map((row) => row.media_class))], words: (value) => mediumName(value, t), holds: (row, value) => row.media_class === value},
    tool: {label: t("devices.tool"), values: [...new Set(measured.flatMap((row) => splitList(row.tools)))].sort(), words: (value) => codeWords("devices.tool", value, t), holds: (row, value) => splitList(row.tools).includes(value)},
    evidence: {label: t("devices.evidence"), values: [...new Set(measured.flatMap((row) => splitList(row.sources)))].sort(), words: (value) => codeWords("source_type", value, t), holds: (row, value) => splitList(row.sources).includes(value)}
  };
  const chosen = Object.entries(filters).map(([name, its]) => ({name, ...its, value: state.choice(name, its.values, "")})).filter(({value}) => value);
  const words = state.text("q");
  const shown = measured.filter((row) => chosen.every(({holds, value}) => holds(row, value)) && normalizeName(`${row.device} ${row.short_name} ${row.device_id}`).includes(normalizeName(words)));
  const reference = references.length ? state.choice("ref", references, references.includes(REFERENCE) ? REFERENCE : references[0]) : null;
  const name = briefName(all.find((row) => row.device_id === reference));
  const times = new Map(ratios.filter((row) => row.reference_id === reference).map((row) => [row.device_id, row]));
  return html`<div class="answers devices">
    ${heading({question: t("devices.question"), answer: answer(measured, t), sub: t(reference ? "devices.sub" : "devices.sub_alone", {count: measured.length, reference: name ?? ""})})}
    <div class="controls">
      ${Object.entries(filters).map(([name, {label, values, words}]) => state.select({name, label, options: [{value: "", label: t("devices.any")}, ...values.map((value) => ({value, label: words(value)}))], fallback: ""}))}
      ${reference ? state.select({name: "ref", label: t("devices.reference"), options: references.map((value) => ({value, label: names.get(value)})), fallback: references.includes(REFERENCE) ? REFERENCE : references[0]}) : null}
      ${state.field({name: "q", label: t("devices.search")})}
    </div>
    ${shown.length ? html`<div class="card">${table(shown, columns({measured, reference, name, times, t, link, number}), {caption: t("devices.caption", {count: shown.length}), t, state, id: "devices", most: 36, machine: `${base}/data/devices.json`})}
      <p class="reading">${t("devices.note")}</p></div>` : noMatch(chosen, words, {t, state})}
    ${FOLDS.map((fold) => [fold, all.filter((row) => row.fold === fold)]).filter(([, its]) => its.length).map(([fold, its]) => state.details({name: `fold-${fold}`, className: "card fold", summary: t(`devices.fold.${fold}`, {count: its.length}), body: html`<ul class="plain">${its.toSorted((a, b) => byMedium(a, b) || deviceName(a).localeCompare(deviceName(b))).map((row) => html`<li>${glyph(row.media_class)} <a href=${link(`devices/${row.device_id}`)}>${deviceName(row)}</a> <small>${[mediumName(row.media_class, t), row.capacity_bytes ? capacity(row.capacity_bytes) : null].filter(Boolean).join(t("list.comma"))}</small></li>`)}</ul>`}))}
  </div>`;
}

function answer(rows, t) {
  const sound = rows.filter((row) => { const its = ends.lowest(row); return its && !its.struck && !its.approximate && !its.bound && row.interface_protocol !== "USB"; });
  const media = [...Map.groupBy(sound, (row) => row.media_class)].filter(([, its]) => its.length > 1)
    .map(([id, its]) => ({id, from: Math.min(...its.map((row) => row.lowest)), to: Math.max(...its.map((row) => row.lowest))})).sort((a, b) => b.to - a.to);
  const three = media.length > 3 ? [...media.slice(0, 2), media.at(-1)] : media;
  if (!three.length) return t("devices.answer_none");
  return three.flatMap(({id, from, to}, i) => [...i ? [t("list.comma")] : [], ...t.rich(i ? "devices.answer_next" : "devices.answer", {medium: t(`devices.plural.${id}`), range: html`<b class="key">${t("span", {from: iops(from), to: iops(to)})}</b>`})]).concat(t("list.stop"));
}

function noMatch(chosen, words, {t, state}) {
  const without = [...chosen.map(({name, label, value, words: named}) => ({name, text: `${label}: ${named(value)}`})), ...words ? [{name: "q", text: words}] : []];
  return html`<p class="note">${t("devices.no_match")} ${without.map(({name, text}) => html`<a class="chip" href=${state.search({[name]: ""})} onclick=${(event) => { event.preventDefault(); state.set({[name]: ""}); }}>${text} ×</a> `)}</p>`;
}

function columns({measured, reference, name, times, t, link, number}) {
  const {text, num} = cells({t, link, number});
  const known = (key) => t("devices.known", {known: measured.filter((row) => row[key] != null).length, all: measured.length});
  const linked = (letter, id, words, why) => id ? html`<a href=${number(letter, id)} title=${why}>${words}</a>` : words;
  const rate = (row, which, letter, id) => linked(letter, row[id], withBound(iops(row[which]), ends[which](row)), reasons({value_kind: row[`${which}_kind`], reservations: row[`${which}_reservations`], exclusions: row[`${which}_exclusions`]}, t));
  const stream = (way) => num(way, t(`devices.${way}`), `${way}_bytes_per_second`, (value, row) => withBound(throughput(value), status({value_kind: row[`${way}_kind`]})), {note: `MB/s · ${known(`${way}_bytes_per_second`)}`, at: ["k", `${way}_peak_id`], className: "minor"});
  const scale = dumbbellAxis(measured);
  return [
    {id: "device", label: t("column.device"), value: (row) => html`<span class="device-name">${glyph(row.media_class)}<a href=${link(`devices/${row.device_id}`)}>${row.short_name ?? deviceName(row)}</a>${/press/.test(row.sources ?? "") ? " †" : ""}${nameless(row, t) ? html`<small>${nameless(row, t)}</small>` : null}</span>`, sort: (row) => deviceName(row), head: true},
    text("interface", t("devices.interface"), "interface_protocol", {className: "minor", value: (row) => row.interface_protocol ? [row.interface_protocol, row.interface_generation?.replace(/^PCIe /, "").replace(/ Gb\/s$/, "G")].filter(Boolean).join(" ") : null}),
    text("year", t("devices.tested"), "year", {className: "minor"}), {id: "range", label: t("devices.range"), axis: scale.axis, value: (row) => dumbbell(row, {scale, ends, t, number})},
    num("lowest", t("devices.depth_1"), "lowest", (_, row) => rate(row, "lowest", "p", "lowest_point_id"), {note: known("lowest")}), num("mean", t("axis.latency_mean"), "latency_mean_seconds", latency, {note: known("latency_mean_seconds"), at: ["p", "latency_point_id"]}),
    num("p999", "p99.9", "latency_p999_seconds", latency, {note: known("latency_p999_seconds"), at: ["p", "p999_point_id"]}),
    num("highest", t("devices.highest"), "highest", (_, row) => html`${rate(row, "highest", "k", "highest_peak_id")}${row.highest_depth == null ? null : html` <small class="at">@ ${row.highest_depth}</small>`}`, {note: known("highest"), className: "whole"}), stream("read"), stream("write"),
    ...reference ? [{id: "times", label: `× ${name}`, note: t("devices.times_at"), num: true, value: (row) => against(row, {reference, times, t, link}), sort: (row) => times.get(row.device_id)?.high, className: "whole"}] : [],
    num("evidence", t("devices.results"), "result_count", (value, row) => html`${count(value)} <small>· ${percent(row.known_ratio)}</small>`, {note: t("devices.conditions"), className: "minor"})
  ];
}

// How many times the reference, from the comparisons alone: two cells of this table may come from unlike setups.
function against(row, {reference, times, t, link}) {
  if (row.device_id === reference) return html`<b>${t("devices.is_reference")}</b>`;
  if (row.lowest == null) return null;
  const its = times.get(row.device_id);
  const compare = link("compare", {search: {a: row.device_id, b: reference}});
  return its ? html`<a href=${compare}>${its.high < 0.1 ? `1/${Math.round(1 / its.high)}${its.low === its.high ? "" : `–1/${Math.round(1 / its.low)}`}` : its.low === its.high ? quotient(its.low) : interval(its.low, its.high)} ×</a>` : html`<a href=${compare}>${t("devices.why_not")}</a>`;
}

const WIDTH = 156;
const HEIGHT = 22;

function dumbbellAxis(rows) {
  const values = rows.flatMap((row) => [row.lowest, row.highest]).filter((value) => value > 0);
  if (!values.length) return {x: null, powers: [], axis: null};
  const x = scaleLog([Math.min(...values), Math.max(...values)], [8, WIDTH - 14]);
  const powers = logTicks(x.domain());
  return {x, powers, axis: svg`<svg class="dumbbell" viewBox=${`0 0 ${WIDTH} 14`} width=${WIDTH} height="14" aria-hidden="true">${powers.map((value) => text(tick(value), {x: x(value), y: 11, anchor: "middle", size: 10.5, fill: "var(--ink-3)"}))}</svg>`};
}

function dumbbell(row, {scale: {x, powers}, ends, t, number}) {
  const [low, high] = [ends.lowest(row), ends.highest(row)];
  if (!low && !high) return null;
  const mark = (which, letter, its, look) => ({
    value: row[which], href: row[`${which}_${letter === "p" ? "point" : "peak"}_id`] ? number(letter, row[`${which}_${letter === "p" ? "point" : "peak"}_id`]) : null,
    lines: [row.short_name, `${t(which === "lowest" ? "point.depth_1" : "point.peak")}${t("limit.colon")}${withBound(iops(row[which]), its)} IOPS`], area: 44, struck: its.struck, hollow: its.hollow, ...look
  });
  return svg`<svg class="chart dumbbell" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} width=${WIDTH} height=${HEIGHT} role="group" aria-label=${t("devices.range")}>
    ${powers.map((value) => line(x(value), 0, x(value), HEIGHT))}
    ${joinMarks([low && mark("lowest", "p", low, {hollow: true}), high && mark("highest", "k", high, {bound: high.bound})], {x, y: HEIGHT / 2, media_class: row.media_class, dash: row.is_of_two_setups ? "2 3" : null}).flat()}
  </svg>`;
}
