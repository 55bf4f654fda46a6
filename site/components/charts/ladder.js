import {html} from "htl";
import {depth, interval, iops, joinSentences, latency, printedDigits, span, tick, times} from "../format.js";
import {byLoad, loadText} from "../loads.js";
import {byMedium, deviceName, drawSymbol, linkMark, media, medium, mediumName, reasons, status, withBound} from "../marks.js";
import {cells} from "../table.js";
import {joinMarks, line, logScale, rowChart, text} from "./draw.js";

const isSound = (end) => end != null && !status(end).struck;

// The two ends of a row as rows of their own, at depth 1 and at the highest rate, so that one rule tells the status of both; null where
// there is none. A row of depth 1 knows nothing of the edge of its sweep.
const endsOf = (d) => [
  d.operations_per_second == null ? null : {...d, is_peak_at_edge: false, words: "point.depth_1", value: d.operations_per_second, from: d.low_per_second, to: d.high_per_second, at: ["p", d.point_id]},
  d.peak_value == null ? null : {
    ...d, value_kind: d.peak_kind, reservations: d.peak_reservations, exclusions: d.peak_exclusions, run_count: d.peak_count, queue_depth: d.peak_depth, process_count: d.peak_process_count,
    words: "point.peak", value: d.peak_value, from: d.peak_low, to: d.peak_high, at: ["k", d.peak_id]
  }
];
const [lowOf, highOf] = [0, 1].map((i) => (d) => endsOf(d)[i]);

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

export function absent(all, load) {
  return media.filter((id) => !all.some((d) => d.media_class === id && d.load_profile === load) && all.some((d) => d.media_class === id))
    .map((id) => ({media_class: id, elsewhere: all.filter((d) => d.media_class === id).sort(byLoad)[0].load_profile}));
}

// rows: of one workload; missing: of `absent`; blockBytes: for interface limits; highlight: the one drive in colour.
export function ladder(rows, {width, t, number, link, missing = [], blockBytes = 4096, highlight = null}) {
  const list = drives(rows);
  const limitOf = (d) => d.half_rotation_hertz ?? (d.interface_limit_bytes_per_second ? d.interface_limit_bytes_per_second / blockBytes : null);
  const values = list.flatMap((d) => [d.operations_per_second, d.peak_value, limitOf(d), ...d.stated.map((s) => s.operations_per_second)]).filter((v) => v > 0);
  if (!values.length) return html`<p class="note">${t("ladder.nothing")}</p>`;
  const load = rows[0].load_profile;
  const frame = {t, number, link, limitOf, load, highlight};
  const groups = [...new Set([...list, ...missing].sort(byMedium).map((d) => d.media_class))].map((id) => {
    const its = list.filter((d) => d.media_class === id);
    const elsewhere = missing.find((d) => d.media_class === id)?.elsewhere;
    return {
      heading: {words: mediumName(id, t), color: medium(id).color, media_class: id, marks: (y, [x]) => limitLabels(its, {x, limitOf, t}, y)},
      rows: its.length ? its.map((d) => row(d, its, frame)) : [{isWords: true, name: t("ladder.empty", {load: loadText(elsewhere, t)}), href: link("media", {search: {load: elsewhere}})}]
    };
  });
  return rowChart({
    groups, width, label: t("ladder.label", {load: loadText(load, t)}), axes: [{scale: (range) => logScale(values, range, {below: 1.35}), words: tick, title: t("ladder.axis")}],
    columns: ["depth1", "latency", "peak", "at", "gain"].map((name) => ({label: t(`ladder.column.${name}`), isStrong: !["latency", "at"].includes(name)}))
  });
}

function row(d, its, frame) {
  const rotation = its.find((other) => other.half_rotation_hertz)?.half_rotation_hertz;
  const [depth1, seconds, peak] = numbers(d);
  const short = d.origin !== "measured" || peak === "–" ? depth1 === "–" ? seconds : depth1 : depth1 === "–" ? `→ ${peak}` : `${depth1} → ${peak}`;
  return {
    name: `${deviceName(d)}${d.source_type === "press" ? " †" : ""}`, href: frame.link(`devices/${d.device_id}`), isStrong: d.device_id === frame.highlight,
    texts: numbers(d), short, isFaint: d.origin !== "measured",
    marks: (y, [x]) => [symbols(d, y, x, frame), d.half_rotation_hertz && d.half_rotation_hertz !== rotation ? text(iops(d.half_rotation_hertz), {x: x(d.half_rotation_hertz) + 9, y: y + 4, size: 11.5, fill: "var(--ink-3)"}) : null]
  };
}

function limitLabels(list, {x, limitOf, t}, y) {
  const words = (d) => `${d.half_rotation_hertz ? t("limit.rotation") : d.interface_limit}${t("limit.colon")}${iops(limitOf(d))}`;
  const limited = list.filter((d) => limitOf(d) != null).map((d) => ({key: d.half_rotation_hertz ? "rotation" : words(d), words: words(d), limit: limitOf(d)}));
  return Array.from(Map.groupBy(limited, ({key}) => key).values(), ([first]) => first).sort((a, b) => a.limit - b.limit)
    .map(({words, limit}, i) => text(words, {x: Math.min(x(limit), x.range()[1] + 40), y: y + 2 - 13 * i, anchor: "middle", size: 11.5, fill: "var(--ink-3)", halo: true}));
}

const digitsOf = (d, value) => d.source_type === "press" || d.source_type === "datasheet" ? {digits: printedDigits(value)} : {};
const rateText = (end) => withBound(iops(end.value, digitsOf(end, end.value)), status(end));

function numbers(d) {
  if (d.origin !== "measured") return [rateText({...d.stated[0], value: d.stated[0].operations_per_second}), null, null, null, null];
  const [low, high] = endsOf(d);
  return [
    low ? rateText(low) : "–",
    d.latency_mean_seconds == null ? "–" : withBound(latency(d.latency_mean_seconds, digitsOf(d, d.latency_mean_seconds)), {approximate: d.value_kind === "approximate" && !low}),
    high ? rateText(high) : "–",
    d.peak_depth == null ? null : String(d.peak_depth),
    low && high ? `${status(high).bound === "at_least" ? "≥ " : ""}${times(high.value / low.value)}` : null
  ];
}

function symbols(d, y, x, {t, number, link, limitOf, load, highlight}) {
  const color = highlight && d.device_id !== highlight ? "var(--ink-3)" : medium(d.media_class).color;
  const limit = limitOf(d);
  const mark = (end, look) => {
    const [[letter, id], {struck, bound}] = [end.at, status(end)];
    return {value: end.value, href: id ? number(letter, id) : null, lines: tip(end, {t, load}), struck, bound, hollow: struck, ...look};
  };
  const [low, high] = endsOf(d);
  return [
    limit == null ? null : line(x(limit), y - 7, x(limit), y + 7, {stroke: "var(--ink-3)", width: 1.75}),
    d.stated.map((stated) => {
      const at = x(stated.operations_per_second);
      return linkMark({href: link(`submissions/${stated.submission_id}`), lines: [deviceName(d), t(stated.origin === "stated" ? "mark.specification" : "mark.mechanics"), `${withBound(iops(stated.operations_per_second), status(stated))} IOPS`], x: at, y}, line(at, y - 4.5, at, y + 4.5, {stroke: "var(--ink-3)", width: 1.25}));
    }),
    joinMarks([low && mark(low, {hollow: true}), high && mark(high, {area: 72})], {x, y, media_class: d.media_class, color})
  ];
}

const tip = (end, {t, load}) => [
  end.device, loadText(load, t),
  `${t(end.words)}${t("limit.colon")}${rateText(end)} IOPS${end.from != null && end.to != null ? ` (${interval(end.from, end.to, iops)})` : ""}, ${end.run_count > 1 ? t("mark.runs", {n: end.run_count}) : t("mark.single_run")}`,
  end.words === "point.peak" ? end.queue_depth != null && `${t("axis.queue_depth")}${t("limit.colon")}${depth(end, t)}` : end.latency_mean_seconds != null && `${t("axis.latency_mean")}${t("limit.colon")}${numbers(end)[1]}`,
  reasons(end, t), t("mark.open_number")
];

export function ladderAnswer(rows, {t, hasFinding = false}) {
  const list = drives(rows).filter((d) => d.origin === "measured" && d.interface_protocol !== "USB");
  const used = list.filter((d) => isSound(lowOf(d)));
  const struck = list.filter((d) => lowOf(d) && !isSound(lowOf(d))).length;
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
  if (struck) out.push(t.rich("ladder.answer.struck", {count: struck}));
  if (!out.length) out.push(t.rich("ladder.answer.none"));
  return joinSentences(out, t);
}

export function ladderFinding(pairs, t) {
  if (!pairs.length) return null;
  const [{a, b}] = pairs;
  const [least, most] = ratiosOf(pairs);
  return t.rich("home.finding", {a: mediumName(a.media_class, t), b: mediumName(b.media_class, t), ratio: html`<b class="key">${least === most ? t("home.times_one", {ratio: least}) : t("home.times", {least, most})}</b>`});
}

// The least and the most, each as that of a pair: "6.5 to 7.5" would read as an interval of one.
const bare = (ratio) => times(ratio).replace(" ×", "");
function ratiosOf(pairs) {
  const ratios = pairs.map(({a, b}) => a.operations_per_second / b.operations_per_second);
  return [bare(Math.min(...ratios)), bare(Math.max(...ratios))];
}

export function quickestPairs(rows) {
  const list = drives(rows).filter((d) => d.origin === "measured" && d.interface_protocol !== "USB" && d.bench_key && d.media_class !== "virtual" && media.includes(d.media_class) && isSound(lowOf(d)));
  const pairs = list.flatMap((a) => list.filter((b) => a.bench_key === b.bench_key && medium(a.media_class).rank > medium(b.media_class).rank).map((b) => ({a, b})));
  const rank = ({a, b}) => medium(a.media_class).rank * 10 + medium(b.media_class).rank;
  const best = Math.max(...pairs.map(rank));
  return pairs.filter((pair) => rank(pair) === best);
}

const sidesOf = ({a, b}) => Object.fromEntries(Object.entries({a_side: a, b_side: b}).map(([name, d]) => [name, encodeURIComponent(`${d.submission_id}/${d.configuration_id}`)]));

const ranges = (list, t) => [...new Set([...list].sort((a, b) => byMedium(b, a)).map((d) => d.media_class))]
  .map((id) => t("ladder.answer.range", {medium: mediumName(id, t), range: span(list.filter((d) => d.media_class === id).map((d) => d.operations_per_second), iops, t)})).join(t("list.comma"));

export function ladderColumns(page) {
  const {t, link} = page, {num, ...c} = cells(page);
  return [
    c.device({label: t("ladder.column.device")}), c.medium(),
    num("depth1", t("table.depth1"), (d) => d.operations_per_second ?? d.stated[0]?.operations_per_second, (_, d) => numbers(d)[0], {unit: "IOPS", at: ["p", "point_id"]}),
    c.interval("low_per_second", "high_per_second", iops, {unit: "IOPS"}), c.runs(), num("latency", t("axis.latency_mean"), "latency_mean_seconds", (_, d) => numbers(d)[1]),
    num("peak", t("table.peak"), "peak_value", (_, d) => numbers(d)[2], {unit: "IOPS", at: ["k", "peak_id"]}),
    c.interval("peak_low", "peak_high", iops, {id: "peakinterval", label: t("ladder.column.peak_interval"), unit: "IOPS"}), num("peakdepth", t("ladder.column.peak_depth"), "peak_depth", (_, d) => depth(highOf(d) ?? d, t)),
    c.kind({value: (d) => kinds(d, t)}),
    {id: "conditions", label: t("table.bench"), value: (d) => html`${d.conditions ?? t("state.unknown")}<small>${d.bench_count > 1 ? html`<a href=${link("same-drive")}>${t("ladder.benches", {n: d.bench_count})}</a>` : null}</small>`},
    c.submission()
  ];
}

const kinds = (d, t) => {
  if (d.origin !== "measured") return t(d.origin === "stated" ? "mark.specification" : "mark.mechanics");
  const why = endsOf(d).map((end) => end && reasons(end, t));
  const said = [...new Set(why.filter(Boolean).flatMap((words) => words.split("; ")))];
  return [d.source_type === "press" ? null : t("mark.measured"), ...said].filter(Boolean).join("; ");
};

export function mediaStrip(rows, {width, t, number}) {
  const list = drives(rows).filter((d) => d.origin === "measured" && d.media_class !== "other" && d.media_class !== "virtual").toSorted(byMedium).reverse();
  const values = list.flatMap((d) => [d.operations_per_second, d.peak_value]).filter((value) => value > 0);
  if (!values.length) return null;
  // a drive behind USB, and a doubtful printed figure, have a grey symbol and are in no range
  const isApart = (end) => end.interface_protocol === "USB" || end.value_kind === "approximate";
  const symbol = (end, isLow, {x, y}) => {
    const [[letter, id], its, at] = [end.at, status(end), x(end.value)];
    return linkMark({
      href: id ? number(letter, id) : null, x: at, y, width: 14, height: 16, lines: [end.short_name ?? end.device, `${t(end.words)}${t("limit.colon")}${withBound(iops(end.value), its)} IOPS`]
    }, drawSymbol({x: at, y, media_class: end.media_class, area: 46, hollow: isLow || its.struck, struck: its.struck, color: isApart(end) ? "var(--line-strong)" : undefined}));
  };
  return rowChart({
    width, label: t("strip.label"), columns: [{label: t("strip.depth_1"), isStrong: true}, {label: t("strip.highest")}],
    axes: [{scale: (range) => logScale(values, range, {below: 1.3}), words: tick, title: t("strip.axis")}],
    groups: [{rows: Array.from(Map.groupBy(list, (d) => d.media_class), ([id, its]) => {
      const ends = [0, 1].map((i) => its.map((d) => endsOf(d)[i]).filter((end) => end?.value > 0));
      const texts = ends.map((of) => { const usualValues = of.filter((end) => !isApart(end)).map((end) => end.value); return usualValues.length ? span(usualValues, (value) => iops(value), t) : "–"; });
      return {
        name: mediumName(id, t), isStrong: true, color: medium(id).color, note: t("strip.counts", {low: ends[0].length, high: ends[1].length}), texts, height: 42,
        marks: (y, [x]) => ends.flatMap((of, i) => of.map((end) => symbol(end, i === 0, {x, y: y + (i ? 8 : -8)})))
      };
    })}]
  });
}
