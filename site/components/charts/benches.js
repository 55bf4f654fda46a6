// One drive on several test benches, a row per set of runs: mean latency at queue depth 1, IOPS at 32; below it other drives for scale.
import {html} from "htl";
import {cells} from "../table.js";
import {interval, iops, joinSentences, latency, latencyTick, quotient, tick} from "../format.js";
import {loadText} from "../loads.js";
import {title} from "../records.js";
import {deviceName, drawSymbol, linkMark, mediumName, reasons, status, withBound} from "../marks.js";
import {isNarrow, logScale, rowChart} from "./draw.js";

const deep = (d) => ({...d, reservations: d.deep_reservations, exclusions: d.deep_exclusions});
const isStruck = (d) => status(d).struck;

export const choices = (rows) => Array.from(Map.groupBy(rows.filter((row) => row.set_count > 1), (row) => row.device_id), ([device_id, its]) =>
  ({device_id, name: deviceName(its[0]), sets: its.length, benches: new Set(its.map((row) => row.bench_key ?? row.submission_id)).size}))
  .sort((a, b) => b.benches - a.benches || b.sets - a.sets || (a.device_id < b.device_id ? -1 : 1));

export function selectSets(rows, device) {
  const sets = rows.filter((d) => d.device_id === device).sort((a, b) => a.latency_mean_seconds - b.latency_mean_seconds);
  const bench = (d) => d.bench_key ? `${d.bench_key} ${d.controller_model ?? ""}` : null;
  const beside = [...new Set(sets.filter((d) => !isStruck(d)).map(bench).filter(Boolean))]
    .map((key) => ({key, others: rows.filter((d) => d.device_id !== device && d.media_class === sets[0].media_class && bench(d) === key && !isStruck(d))}))
    .sort((a, b) => new Set(b.others.map((d) => d.device_id)).size - new Set(a.others.map((d) => d.device_id)).size)[0];
  const others = Array.from(Map.groupBy(beside?.others ?? [], (d) => d.device_id).values(), ([d]) => d).sort((a, b) => a.latency_mean_seconds - b.latency_mean_seconds);
  return {sets, others, place: others.length ? benchName(sets.find((d) => bench(d) === beside.key)) : null};
}

export const benchOf = (d) => title([d.system_model ?? d.bench_key?.split("/").at(-1), d.controller_model?.replace(/\s*\([^)]*\)/g, "")].filter(Boolean).join(", "));
const benchName = (d) => benchOf(d) || d.configuration_id;
export function endOf(d) {
  const [said, folder = ""] = (d.title ?? "").split(/[:;] folder /);
  return said.split(": ").slice(1).join(": ") || folder.split("/").at(-1).toLowerCase().replace(/^test\d+_(?=.)/, "").replaceAll("_", " ") || d.configuration_id;
}
function detail(d, sets, t) {
  const seconds = d.run_time_seconds == null ? null : t("benches.seconds", {n: d.run_time_seconds});
  const same = sets.filter((other) => benchName(other) === benchName(d) && other.run_time_seconds === d.run_time_seconds);
  if (same.length < 2) return seconds ?? "";
  return [endOf(d), seconds].filter(Boolean).join(", ");
}

export const onlyBench = (sets) => sets.length > 1 && sets.every((d) => benchName(d) === benchName(sets[0])) ? benchName(sets[0]) : null;

export function benches({sets, others, place}, {width, t, number}) {
  if (!sets.length) return html`<p class="note">${t("benches.nothing")}</p>`;
  const narrow = isNarrow(width);
  const all = [...sets, ...others];
  const rates = all.map((d) => d.operations_per_second).filter((v) => v > 0);
  const axis = (values, words, name, title) => ({scale: (range) => logScale(values, range), words, name, title});
  const row = (d, more) => ({...more, texts: [latency(d.latency_mean_seconds), d.operations_per_second ? withBound(iops(d.operations_per_second), {...status(deep(d)), approximate: false}) : null], marks: (y, xs) => marks(d, y, xs, {t, number, isFaint: more.isFaint})});
  return rowChart({
    width, label: t("benches.label", {device: sets[0].device, load: loadText(sets[0].load_profile, t)}), columns: [{isStrong: true}, ...rates.length ? [{isStrong: true}] : []],
    axes: [
      axis(all.map((d) => d.latency_mean_seconds), latencyTick, t(narrow ? "benches.depth_1_short" : "benches.depth_1"), t(narrow ? "axis.better_left" : "benches.axis_latency")),
      ...rates.length ? [axis(rates, tick, t("benches.depth_32"), t(narrow ? "axis.better_right" : "benches.axis_iops"))] : []
    ],
    groups: [
      {rows: sets.map((d) => row(d, onlyBench(sets) ? {name: endOf(d)} : {name: benchName(d), note: detail(d, sets, t)}))},
      ...others.length ? [{heading: {words: t("benches.scale", {medium: mediumName(others[0].media_class, t), place})}, rows: others.map((d) => row(d, {name: deviceName(d), isFaint: true}))}] : []
    ]
  });
}

const marks = (d, y, [x, x32], {t, number, isFaint}) => [[x, d.latency_mean_seconds, d.point_id, status(d), 1], [x32, d.operations_per_second, d.deep_point_id, status(deep(d)), 32]].map(([scale, value, id, {hollow, struck}, at]) =>
  scale && value ? linkMark({href: id ? number("p", id) : null, lines: tip(d, at, t), x: scale(value), y}, drawSymbol({x: scale(value), y, media_class: d.media_class, area: isFaint ? 36 : 72, hollow, struck, color: isFaint ? "var(--ink-3)" : undefined})) : null);

const tip = (d, at, t) => {
  const its = at === 1 ? d : deep(d);
  const [low, high] = at === 1 ? [d.latency_low_seconds, d.latency_high_seconds] : [d.low_per_second, d.high_per_second];
  const format = at === 1 ? latency : iops;
  return [
    d.device, benchName(d), endOf(d), loadText(d.load_profile, t),
    `${t("axis.queue_depth")}${t("limit.colon")}${at}`,
    `${at === 1 ? latency(d.latency_mean_seconds) : `${withBound(iops(d.operations_per_second), {...status(its), approximate: false})} IOPS`}${low == null || high == null || low === high ? "" : ` (${interval(low, high, format)})`}, ${d.run_count > 1 ? t("mark.runs", {n: d.run_count}) : t("mark.single_run")}`,
    reasons(its, t), t("mark.open_number")
  ];
};

const apart = (list) => Math.max(...list.map((d) => d.latency_mean_seconds)) / Math.min(...list.map((d) => d.latency_mean_seconds));

export function benchesAnswer({sets}, {t}) {
  if (sets.length < 2) return t.rich("benches.answer.none");
  const sound = sets.filter((d) => !isStruck(d));
  const struck = sets.length - sound.length;
  const said = [t.rich("benches.answer.all", {count: sets.length, device: sets[0].device, ratio: quotient(apart(sets))})];
  const which = sound.length > 1 ? "sound" : sound.length ? "one_sound" : "all_struck";
  if (struck) said.push(t.rich(`benches.answer.${which}`, {count: struck, ratio: sound.length ? quotient(apart(sound)) : ""}));
  return joinSentences(said, t);
}

export function benchColumns(page) {
  const {t} = page, {text, num, ...c} = cells(page);
  const known = (key) => ({value: (d) => d[key] ?? html`<em class="unknown">${t("state.unknown")}</em>`});
  return [
    c.device({label: t("ladder.column.device")}), text("bench", t("benches.bench"), benchName),
    c.latency("latency_mean_seconds", {label: t("benches.depth_1"), at: ["p", "point_id"]}), c.interval("latency_low_seconds", "latency_high_seconds", latency, {id: "latencyinterval"}),
    num("iops", t("benches.depth_32"), "operations_per_second", (value, d) => withBound(iops(value), {...status(deep(d)), approximate: false}), {at: ["p", "deep_point_id"]}), c.interval("low_per_second", "high_per_second", iops, {unit: "IOPS"}),
    c.runs(), text("scheduler", t("cond.scheduler"), "io_scheduler", known("io_scheduler")), text("kernel", t("cond.kernel"), "kernel", known("kernel")), text("firmware", t("cond.firmware"), "drive_firmware", known("drive_firmware")),
    num("seconds", t("cond.run_time"), "run_time_seconds", (n) => t("benches.seconds", {n})), c.kind(), c.configuration({id: "submission"})
  ];
}
