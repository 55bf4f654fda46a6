// The ladder: a row per drive, grouped by medium, from queue depth 1 (open) to the peak (filled), on a log axis of IOPS.
import {html, svg} from "htl";
import {scaleLog} from "d3";
import {count, interval, iops, latency, printedDigits, tick, times} from "../format.js";
import {byLoad, loadText} from "../loads.js";
import {drawn, linked, reasons, status, written} from "../marks.js";
import {byMedium, glyph, media, medium, mediumName, symbolPath} from "../media.js";
import {axisBelow, isNarrow, line, surface, text, widthOf} from "./draw.js";

const cachedOut = (row) => row != null && !status(row).struck;
const named = (d) => d.short_name ?? d.device;

// The two ends of a row as rows of their own, so that one rule tells the status of both.
const low = (d) => d.operations_per_second == null ? null : d;
const high = (d) => d.peak_value == null ? null : {
  ...d, value_kind: d.peak_kind, reservations: d.peak_reservations, exclusions: d.peak_exclusions, run_count: d.peak_count,
  queue_depth: d.peak_depth, process_count: d.peak_process_count
};
// A row of depth 1 knows nothing of the edge of its sweep.
const statusOf = (d, end) => end === "peak" ? status(high(d)) : status({...d, is_peak_at_edge: false});

// One entry per drive: its measured row, with what its maker states or its mechanics allow in `stated`.
export function drives(rows) {
  const found = new Map();
  for (const row of rows) {
    const its = found.get(row.device_id) ?? {device_id: row.device_id, media_class: row.media_class, stated: []};
    found.set(row.device_id, row.origin === "measured" ? {...its, ...row, stated: its.stated} : {...row, ...its, operations_per_second: its.operations_per_second, stated: [...its.stated, row]});
  }
  const rung = (d) => d.operations_per_second != null ? 0 : d.peak_value != null ? 1 : d.latency_mean_seconds != null ? 2 : 3;
  const at = (d) => d.operations_per_second ?? d.peak_value ?? (d.latency_mean_seconds ? 1 / d.latency_mean_seconds : null) ?? d.stated[0]?.operations_per_second ?? 0;
  return [...found.values()].sort((a, b) => byMedium(a, b) || rung(a) - rung(b) || at(a) - at(b) || (a.device_id < b.device_id ? -1 : 1));
}

// Media that have drives, but none under this load, each with a load under which it has one.
export function absent(all, load) {
  return media.filter((id) => !all.some((d) => d.media_class === id && d.load_profile === load) && all.some((d) => d.media_class === id))
    .map((id) => ({media_class: id, elsewhere: all.filter((d) => d.media_class === id).sort(byLoad)[0].load_profile}));
}

// rows: of one workload; missing: of `absent`; blockBytes: for interface limits; highlight: the one drive in colour.
export function ladder(rows, {width, t, number, link, missing = [], blockBytes = 4096, highlight = null}) {
  const list = drives(rows);
  const narrow = isNarrow(width);
  const groups = [...new Set([...list, ...missing].sort(byMedium).map((d) => d.media_class))]
    .map((id) => ({id, drives: list.filter((d) => d.media_class === id), missing: missing.find((d) => d.media_class === id)}));
  const limitOf = (d) => d.half_rotation_hertz ?? (d.interface_limit_bytes_per_second ? d.interface_limit_bytes_per_second / blockBytes : null);
  const values = list.flatMap((d) => [d.operations_per_second, d.peak_value, limitOf(d), ...d.stated.map((s) => s.operations_per_second)]).filter((v) => v > 0);
  if (!values.length) return html`<p class="note">${t("ladder.nothing")}</p>`;
  const load = rows[0].load_profile;
  const frame = {width, t, number, link, limitOf, load, highlight, x: scale(values, narrow ? [8, width - 24] : [252, 850])};
  return (narrow ? phone : desk)(groups, frame);
}

const scale = (values, range) => scaleLog([Math.min(...values) / 1.35, Math.max(...values) * 1.15], range);

const ROW = 25;
const GAP = 22;
const COLUMNS = [["depth1", 928, 600], ["latency", 1006, 400], ["peak", 1078, 600], ["at", 1126, 400], ["gain", 1188, 600]];

function desk(groups, frame) {
  const {width, t, x, load} = frame;
  const top = 40;
  const marks = [];
  let y = top;
  for (const group of groups) {
    const labels = limitLabels(group, frame);
    if (labels.length > 1) y += 13 * (labels.length - 1);
    marks.push(...heading(group, {y, size: 14, x: 22, symbol: 8, frame}));
    if (!group.drives.length) {
      marks.push(emptyText(group, {x: x.range()[0], y, frame}));
    }
    labels.forEach(({words, at}, i) => marks.push(text(words, {x: Math.min(at, x.range()[1] + 40), y: y - 1 - 13 * (labels.length - 1 - i), anchor: "middle", size: 11.5, fill: "var(--ink-3)", halo: true})));
    y += ROW;
    for (const d of group.drives) {
      marks.push(...row(d, {y, frame, group}));
      y += ROW;
    }
    y += GAP - 6;
  }
  const bottom = y - 8;
  return surface({width, height: bottom + 46, label: t("ladder.label", {load: loadText(load, t)})},
    axisBelow(x, {top: top - 14, bottom, words: tick, title: t("ladder.axis")}),
    COLUMNS.map(([name, at, weight]) => text(t(`ladder.column.${name}`), {x: at, y: 16, anchor: "end", weight, size: widthOf(t(`ladder.column.${name}`), 12.5) > 66 ? 11.5 : 12.5, fill: weight === 600 ? "var(--ink)" : "var(--ink-3)"})),
    marks);
}

// How much wider than others the numbers are, which are bold.
const BOLD = 1.1;

function phone(groups, frame) {
  const {width, t, x, load} = frame;
  const marks = [];
  let y = 30;
  for (const group of groups) {
    marks.push(...heading(group, {y, size: 14, x: 20, symbol: 8, frame}));
    if (!group.drives.length) {
      const beside = 28 + widthOf(mediumName(group.id, t), 14) * 1.12;
      const fits = beside + widthOf(t("state.empty"), 11.5) <= width;
      if (!fits) y += 18;
      marks.push(text(t("state.empty"), {x: fits ? beside : 20, y, size: 11.5, italic: true, fill: "var(--ink-3)"}));
    }
    y += 24;
    for (const d of group.drives) {
      const room = width - 24 - widthOf(shortNumbers(d), 12.5) * BOLD;
      marks.push(name(d, {x: 8, y, frame, size: widthOf(nameOf(d), 13) > room ? 11 : 13}), text(shortNumbers(d), {x: width - 6, y, anchor: "end", weight: 600, size: 12.5, fill: d.origin === "measured" ? "var(--ink)" : "var(--ink-3)", halo: true}), ...symbols(d, {y: y + 14, frame, tall: 6}));
      y += 40;
    }
    y += group.drives.length ? 10 : 2;
  }
  const bottom = y - 12;
  return surface({width, height: bottom + 42, label: t("ladder.label", {load: loadText(load, t)})}, axisBelow(x, {top: 8, bottom, words: tick, title: t("ladder.axis")}), marks);
}

const heading = (group, {y, size, x, symbol, frame: {t}}) => [
  svg`<path d=${symbolPath(group.id, 80)} fill=${medium(group.id).color} transform=${`translate(${symbol},${y - 5})`} />`,
  text(mediumName(group.id, t), {x, y, size, weight: 640, fill: medium(group.id).color, halo: true})
];

function emptyText({missing}, {x, y, frame: {t, link}}) {
  const words = t("ladder.empty", {load: loadText(missing.elsewhere, t)});
  return svg`<a class="name" href=${link("media", {search: {load: missing.elsewhere}})}><rect x=${x} y=${y - 17} width=${widthOf(words, 13)} height="24" fill="none" pointer-events="all"/>${text(words, {x, y, italic: true, fill: "var(--ink-3)", halo: true})}</a>`;
}

// Words for the limits of a group, once each: above its first row.
function limitLabels(group, {x, limitOf, t}) {
  const found = new Map();
  for (const d of group.drives) {
    const limit = limitOf(d);
    if (limit == null) continue;
    const words = d.half_rotation_hertz ? t("limit.rotation") : d.interface_limit;
    const key = d.half_rotation_hertz ? words : `${words} ${limit}`;
    if (!found.has(key)) found.set(key, {words: `${words}${t("limit.colon")}${iops(limit)}`, at: x(limit), limit});
  }
  return [...found.values()].sort((a, b) => b.limit - a.limit).map((label) => ({...label, at: label.at}));
}

function row(d, {y, frame, group}) {
  const {x, limitOf} = frame;
  const first = group.drives.find((other) => other.half_rotation_hertz);
  const beside = d.half_rotation_hertz && first && d.half_rotation_hertz !== first.half_rotation_hertz;
  return [
    name(d, {x: 22, y, frame}),
    ...symbols(d, {y: y - 4.5, frame, tall: 7}),
    beside ? text(iops(d.half_rotation_hertz), {x: x(limitOf(d)) + 9, y: y - 0.5, size: 11.5, fill: "var(--ink-3)"}) : null,
    ...numbers(d).map((words, i) => {
      const [, at, weight] = COLUMNS[i];
      return words ? text(words, {x: at, y, anchor: "end", size: 13, weight, fill: weight === 600 && d.origin === "measured" ? "var(--ink)" : "var(--ink-3)"}) : null;
    })
  ].filter(Boolean);
}

const nameOf = (d) => `${named(d)}${d.source_type === "press" ? " †" : ""}`;
const name = (d, {x, y, size = 13, frame: {link, highlight}}) => {
  const words = nameOf(d);
  return svg`<a class="name" href=${link(`devices/${d.device_id}`)}><rect x=${x} y=${y - 17} width=${Math.max(24, widthOf(words))} height="24" fill="none" pointer-events="all"/>${text(words, {x, y, size, halo: true, weight: d.device_id === highlight ? 640 : 400})}</a>`;
};

const digitsOf = (d, value) => d.source_type === "press" || d.source_type === "datasheet" ? {digits: printedDigits(value)} : {};

// depth 1, latency, peak, at, gain: as text, null where there is nothing
function numbers(d) {
  if (d.origin !== "measured") {
    const [stated] = d.stated;
    return [written(iops(stated.operations_per_second, digitsOf(stated, stated.operations_per_second)), status(stated)), null, null, null, null];
  }
  const atLow = low(d) ? statusOf(d, "depth1") : null;
  const atHigh = high(d) ? statusOf(d, "peak") : null;
  const gain = atLow && atHigh ? d.peak_value / d.operations_per_second : null;
  return [
    atLow ? written(iops(d.operations_per_second, digitsOf(d, d.operations_per_second)), atLow) : "–",
    d.latency_mean_seconds == null ? "–" : written(latency(d.latency_mean_seconds, digitsOf(d, d.latency_mean_seconds)), {approximate: d.value_kind === "approximate" && !atLow}),
    atHigh ? written(iops(d.peak_value, digitsOf(d, d.peak_value)), atHigh) : "–",
    d.peak_depth == null ? null : String(d.peak_depth),
    gain == null ? null : `${atHigh.bound === "at_least" ? "≥ " : ""}${times(gain)}`
  ];
}

function shortNumbers(d) {
  const [depth1, seconds, peak] = numbers(d);
  if (d.origin !== "measured" || peak === "–") return depth1 === "–" ? seconds : depth1;
  return depth1 === "–" ? `→ ${peak}` : `${depth1} → ${peak}`;
}

// Limits, what is stated, the line from depth 1 to the peak, and both symbols, each a link to its number.
function symbols(d, {y, frame, tall}) {
  const {x, t, number, link, limitOf, load, highlight} = frame;
  const color = highlight && d.device_id !== highlight ? "var(--ink-3)" : medium(d.media_class).color;
  const out = [];
  const limit = limitOf(d);
  if (limit != null) out.push(svg`<g>${line(x(limit), y - tall, x(limit), y + tall, {stroke: "var(--ink-3)", width: 1.75})}</g>`);
  for (const stated of d.stated) {
    const at = x(stated.operations_per_second);
    out.push(linked({href: link(`submissions/${stated.submission_id}`), lines: [named(d), t(stated.origin === "stated" ? "mark.specification" : "mark.mechanics"), `${written(iops(stated.operations_per_second), status(stated))} IOPS`], x: at, y},
      line(at, y - 4.5, at, y + 4.5, {stroke: "var(--ink-3)", width: 1.25})));
  }
  // neither target lies on the other symbol
  const room = low(d) && high(d) ? Math.max(6, Math.min(24, Math.abs(x(d.peak_value) - x(d.operations_per_second)))) : 24;
  if (low(d) && high(d)) out.push(line(x(d.operations_per_second), y, x(d.peak_value), y, {stroke: color, width: 2, opacity: 0.45}));
  if (low(d)) {
    const its = statusOf(d, "depth1");
    out.push(linked({href: d.point_id ? number("p", d.point_id) : null, lines: tip(d, "depth1", {t, load}), x: x(d.operations_per_second), y, width: room}, drawn({x: x(d.operations_per_second), y, media_class: d.media_class, hollow: true, struck: its.struck, bound: its.bound, color})));
  }
  if (high(d)) {
    const its = statusOf(d, "peak");
    out.push(linked({href: d.peak_id ? number("k", d.peak_id) : null, lines: tip(d, "peak", {t, load}), x: x(d.peak_value), y, width: room}, drawn({x: x(d.peak_value), y, media_class: d.media_class, area: 72, hollow: its.struck, struck: its.struck, bound: its.bound, color})));
  }
  return out;
}

function tip(d, end, {t, load}) {
  const isPeak = end === "peak";
  const its = isPeak ? high(d) : d;
  const value = isPeak ? d.peak_value : d.operations_per_second;
  const [from, to] = isPeak ? [d.peak_low, d.peak_high] : [d.low_per_second, d.high_per_second];
  return [
    d.device, loadText(load, t),
    `${t(isPeak ? "point.peak" : "point.depth_1")}${t("limit.colon")}${written(iops(value, digitsOf(d, value)), statusOf(d, end))} IOPS${from != null && to != null ? ` (${interval(from, to, iops)})` : ""}, ${its.run_count > 1 ? t("mark.runs", {n: its.run_count}) : t("mark.single_run")}`,
    isPeak && d.peak_depth != null ? `${t("axis.queue_depth")}${t("limit.colon")}${d.peak_process_count > 1 && d.peak_depth % d.peak_process_count === 0 ? t("format.depth_in_all", {total: d.peak_depth, processes: d.peak_process_count, each: d.peak_depth / d.peak_process_count}) : d.peak_depth}` : null,
    !isPeak && d.latency_mean_seconds != null ? `${t("axis.latency_mean")}${t("limit.colon")}${latency(d.latency_mean_seconds, digitsOf(d, d.latency_mean_seconds))}` : null,
    reasons(isPeak ? its : {...its, is_peak_at_edge: false}, t),
    t("mark.open_number")
  ];
}

// The ratio of media on one test bench, the range of hard disks, the gain of depth, and the number of excluded drives.
export function ladderAnswer(rows, {t, hasFinding = false}) {
  const list = drives(rows).filter((d) => d.origin === "measured" && d.interface_protocol !== "USB");
  const used = list.filter((d) => low(d) && cachedOut(d));
  const peaks = list.filter((d) => high(d) && cachedOut(high(d)));
  const struck = list.filter((d) => low(d) && !cachedOut(d)).length;
  const out = [];
  const pairs = quickestPairs(rows);
  const disks = used.filter((d) => d.media_class === "hdd");
  if (pairs.length && hasFinding) {
    out.push(t.rich("ladder.answer.bench", {...sidesOf(pairs[0]), count: pairs.length}));
  } else if (pairs.length) {
    const {a, b} = pairs[0];
    const [least, most] = ratiosOf(pairs);
    out.push(t.rich("ladder.answer.pairs", {...sidesOf(pairs[0]), a: mediumName(a.media_class, t), b: mediumName(b.media_class, t), least, most, count: pairs.length}));
  } else if (used.some((d) => d.media_class !== "hdd")) {
    out.push(t.rich("ladder.answer.ranges", {list: ranges(used.filter((d) => d.media_class !== "hdd"), t)}));
  }
  if (disks.length) out.push(t.rich("ladder.answer.disks", {range: span(disks.map((d) => d.operations_per_second), iops, t), count: disks.length}));
  const flash = peaks.filter((d) => d.media_class !== "hdd" && media.includes(d.media_class) && low(d));
  if (flash.length) {
    const held = flash.filter((d) => statusOf(d, "peak").bound === "at_least").length;
    const gains = flash.map((d) => d.peak_value / d.operations_per_second);
    out.push(t.rich(disks.length && flash.length > 1 ? "ladder.answer.peaks_apart" : "ladder.answer.peaks", {gain: span(gains, (v) => times(v).replace(" ×", ""), t), count: flash.length}));
    if (held) out.push(t.rich("ladder.answer.held", {held, count: flash.length}));
  }
  if (struck) out.push(t.rich("ladder.answer.struck", {count: struck}));
  if (!out.length) out.push(t.rich("ladder.answer.none"));
  return out.flatMap((nodes, i) => i ? [t("sentence.space"), ...nodes] : nodes);
}

// The fastest medium over the next one, on the same test bench; null where no two media share one.
export function ladderFinding(pairs, t) {
  if (!pairs.length) return null;
  const [{a, b}] = pairs;
  const [least, most] = ratiosOf(pairs);
  return t.rich("home.finding", {a: mediumName(a.media_class, t), b: mediumName(b.media_class, t), ratio: html`<b class="key">${least === most ? t("home.times_one", {ratio: least}) : t("home.times", {least, most})}</b>`});
}

// The least and the most, each as that of a pair: "6.5 to 7.5" would read as an interval of one.
function ratiosOf(pairs) {
  const ratios = pairs.map(({a, b}) => a.operations_per_second / b.operations_per_second);
  return [Math.min(...ratios), Math.max(...ratios)].map((ratio) => times(ratio).replace(" ×", ""));
}

// The drives of the fastest medium and of the next one that were measured on one test bench, as pairs; none behind USB.
export const quickestPairs = (rows) => sameBench(drives(rows).filter((d) => d.origin === "measured" && d.interface_protocol !== "USB" && low(d) && cachedOut(d)));

// The address of two drives in the comparison: submission and configuration of each.
const sidesOf = ({a, b}) => Object.fromEntries(Object.entries({a_side: a, b_side: b}).map(([name, d]) => [name, encodeURIComponent(`${d.submission_id}/${d.configuration_id}`)]));

// The quickest pair of media that stood on one bench: every pair of their drives there.
function sameBench(list) {
  const pairs = [];
  for (const a of list) {
    for (const b of list) {
      if (a.bench_key && a.bench_key === b.bench_key && medium(a.media_class).rank > medium(b.media_class).rank && a.media_class in known && b.media_class in known) pairs.push({a, b});
    }
  }
  const rank = ({a, b}) => medium(a.media_class).rank * 10 + medium(b.media_class).rank;
  const best = Math.max(...pairs.map(rank));
  return pairs.filter((pair) => rank(pair) === best);
}
const known = Object.fromEntries(media.filter((id) => id !== "virtual").map((id) => [id, true]));

const span = (values, format, t) => {
  const [from, to] = [format(Math.min(...values)), format(Math.max(...values))];
  return from === to ? from : t("span", {from, to});
};

const ranges = (list, t) => [...new Set([...list].sort((a, b) => byMedium(b, a)).map((d) => d.media_class))]
  .map((id) => t("ladder.answer.range", {medium: mediumName(id, t), range: span(list.filter((d) => d.media_class === id).map((d) => d.operations_per_second), iops, t)})).join(t("list.comma"));

// The table behind the ladder: a row per drive, with everything that is drawn.
export function ladderColumns({t, number, link}) {
  const num = (id, label, value, sort, unit) => ({id, label, unit, num: true, value, sort});
  const at = (key) => (d) => d[key] ?? null;
  return [
    {id: "device", label: t("ladder.column.device"), head: true, value: (d) => html`<a href=${link(`devices/${d.device_id}`)}>${d.device}</a>`, sort: (d) => d.device},
    {id: "medium", label: t("ladder.column.medium"), value: (d) => html`<span class="name">${glyph(d.media_class)}${mediumName(d.media_class, t)}</span>`, sort: (d) => medium(d.media_class).rank},
    num("depth1", t("table.depth1"), (d) => low(d) ? linkTo(number, "p", d.point_id, written(iops(d.operations_per_second, digitsOf(d, d.operations_per_second)), statusOf(d, "depth1"))) : d.stated.length && d.origin !== "measured" ? html`<span class="muted">${numbers(d)[0]}</span>` : null, (d) => low(d) ? d.operations_per_second : d.stated[0]?.operations_per_second ?? null, "IOPS"),
    num("interval", t("mark.interval"), (d) => d.low_per_second == null ? null : interval(d.low_per_second, d.high_per_second, iops), null, "IOPS"),
    num("runs", t("table.runs"), (d) => d.run_count == null ? null : count(d.run_count), at("run_count")),
    num("latency", t("axis.latency_mean"), (d) => d.latency_mean_seconds == null ? null : latency(d.latency_mean_seconds, digitsOf(d, d.latency_mean_seconds)), at("latency_mean_seconds")),
    num("peak", t("table.peak"), (d) => high(d) ? linkTo(number, "k", d.peak_id, written(iops(d.peak_value, digitsOf(d, d.peak_value)), statusOf(d, "peak"))) : null, at("peak_value"), "IOPS"),
    num("peakinterval", t("ladder.column.peak_interval"), (d) => d.peak_low == null ? null : interval(d.peak_low, d.peak_high, iops), null, "IOPS"),
    num("peakdepth", t("ladder.column.peak_depth"), (d) => d.peak_depth == null ? null : d.peak_process_count > 1 && d.peak_depth % d.peak_process_count === 0 ? t("format.depth_in_all", {total: d.peak_depth, processes: d.peak_process_count, each: d.peak_depth / d.peak_process_count}) : count(d.peak_depth), at("peak_depth")),
    {id: "kind", label: t("table.kind"), value: (d) => kinds(d, t)},
    {id: "conditions", label: t("table.bench"), value: (d) => html`${d.conditions ?? t("state.unknown")}<small>${d.bench_count > 1 ? html`<a href=${link("same-drive")}>${t("ladder.benches", {n: d.bench_count})}</a>` : null}</small>`},
    {id: "submission", label: t("table.submission"), value: (d) => html`<a href=${link(`submissions/${d.submission_id}`, {hash: d.configuration_id})}>${d.submission_id}</a>`, sort: (d) => d.submission_id}
  ];
}

const linkTo = (number, letter, id, words) => id ? html`<a href=${number(letter, id)}>${words}</a>` : words;

const kinds = (d, t) => {
  if (d.origin !== "measured") return t(d.origin === "stated" ? "mark.specification" : "mark.mechanics");
  const why = [low(d) && reasons({...d, is_peak_at_edge: false}, t), high(d) && reasons(high(d), t)];
  const said = [...new Set(why.filter(Boolean).flatMap((words) => words.split("; ")))];
  return [d.source_type === "press" ? null : t("mark.measured"), ...said].filter(Boolean).join("; ");
};
