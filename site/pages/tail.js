/*---
words: tail
nav: {section: load, order: 230, name: nav.latency}
queries: [tail, tail-drives, tail-controllers]
parts: loads
keywords: tail latency percentile p99 p99.9 slowest exceedance
---*/
import {scaleLog} from "d3";
import {html, svg} from "htl";
import {axisBelow, axisLeft, cutText, isNarrow, line, logScale, logTicks, path, rowChart, surface, text, widthOf} from "../components/charts/draw.js";
import {figure, heading} from "../components/figure.js";
import {latency, latencyTick, oneIn, percent, span, times} from "../components/format.js";
import {chooseLoad, FIRST, loadText} from "../components/loads.js";
import {byMedium, drawSymbol, linkMark, medium, mediumName, reasons} from "../components/marks.js";
import {ENDING} from "../components/packed.js";
import {partName} from "../components/points.js";
import {cells, foldTable} from "../components/table.js";

const MOST = 4;

export default async function page({rows, part, parts, t, state, link, number, base}) {
  const list = await parts("tail");
  const fallback = (list.find((each) => each.label === FIRST) ?? list[0])?.part;
  const of = state.choice("load", list.map((each) => each.part), fallback);
  const [found] = of ? await part("tail", of, ["tail"]) : [[]];
  const [drives, controllers] = await Promise.all([rows("tail-drives"), rows("tail-controllers")]);
  const {load, control} = chooseLoad(drives.filter((row) => row.p999_seconds > 0), {t, state, name: "w"});
  const first = drives.filter((row) => row.load_profile === load);
  const kinds = [...new Set(found.map((row) => `${row.load_profile}|${row.operation}`))];
  const kind = state.choice("operation", kinds, kinds[0]);
  const own = found.filter((row) => `${row.load_profile}|${row.operation}` === kind);
  const depths = [...new Set(own.map((row) => row.queue_depth))].toSorted((a, b) => a - b);
  const depth = Number(state.choice("depth", depths.map(String), String(depths[0])));
  const here = own.filter((row) => row.queue_depth === depth);
  const drawnFirst = usualDrives(here, MOST);
  const picked = state.list("d", tailSeries(here).map(([row]) => row.device_id), drawnFirst);
  const shown = here.filter((row) => picked.includes(row.device_id));
  return html`<div class="answers">
    ${heading({question: t("q.tail"), answer: tailDrivesAnswer(first, {t, operation: /write/.test(load ?? "") ? "write" : "read"}), sub: t("tail.lede")})}
    ${first.length ? figure({
      id: "drives", question: t("tail.drives_question"), load: t("tail.drives_load", {load: loadText(load, t)}), note: t("tail.drives_note"), query: "tail-drives", t, state, link,
      controls: control,
      draw: (width) => tailDrives(first, {width, t, number, link}), rows: first, columns: driveColumns({t, number, link})
    }) : null}
    ${controllers.length ? html`<section class="card" id="controllers"><h2>${t("tail.controllers")}</h2><p>${controllerAnswer(controllers, t)}</p>
      ${foldTable("controllers-table", controllers, controllerColumns({t}), t("tail.controllers_caption"), {t, state})}</section>` : null}
    ${state.details({name: "distribution", className: "card fold", summary: t("tail.distribution"), body: html`<div>${list.length ? figure({
      id: "tail", question: t("tail.question"),
      load: shown.length ? t("tail.load", {load: loadText(shown[0].load_profile, t), operation: t(`tail.operation.${shown[0].operation}`), depth: String(depth)}) : null,
      note: [t("tail.note"), shown.some((row) => row.is_press) ? t("tail.note_press") : null].filter(Boolean).join(t("sentence.space")), query: "tail", t, state, link, most: 30, machine: `${base}/parts/tail/${of}.json${ENDING}`, rows: here, columns: tailColumns({t, number, link}),
      controls: html`<div class="controls">
        ${state.select({name: "load", label: t("column.load"), options: list.map((each) => ({value: each.part, label: partName(each, t)})), fallback})}
        ${kinds.length > 1 ? state.select({name: "operation", label: t("tail.operation"), options: kinds.map((value) => ({value, label: `${loadText(value.split("|")[0], t)} · ${t(`tail.operation.${value.split("|")[1]}`)}`})), fallback: kinds[0]}) : null}
        ${depths.length > 1 ? state.buttons({name: "depth", label: t("column.depth"), options: depths.map((value) => ({value: String(value), label: String(value)})), fallback: String(depths[0])}) : null}
        ${state.buttons({name: "d", label: t("tail.drawn", {most: MOST}), options: tailSeries(here).map(([row]) => ({value: row.device_id, label: row.device})), fallback: drawnFirst, most: MOST})}
      </div>`,
      draw: (width) => percentiles(shown, {width: isNarrow(width) ? width : 1150, t, number, link})
    }) : html`<p class="note">${t("tail.answer.none")}</p>`}</div>`})}
  </div>`;
}

const driveColumns = (page) => {
  const {t} = page, {num, ...c} = cells(page);
  const percentile = (label) => { const key = `${label.replace(".", "")}_seconds`; return num(key, label, key, latency, {at: ["p", "point_id"]}); };
  return [c.drive(), ...["p50", "p99", "p99.9", "p99.99"].map(percentile), num("operations", t("tail.column_operations"), "operation_count")];
};

const plainName = (name) => name.replace(/ \(.*\)$/, "");
function controllerAnswer(rows, t) {
  const own = rows.filter((row) => row.controller !== "USB");
  const worst = own.find((row) => row.slow_count > 0), best = own.filter((row) => row.slow_count === 0).toSorted((a, b) => b.point_count - a.point_count)[0];
  return worst && best ? t("tail.controllers_answer", {worst: plainName(worst.controller), slow: worst.slow_count, of: worst.point_count, best: plainName(best.controller), count: best.point_count}) : t("tail.controllers_caption");
}

const controllerColumns = (page) => {
  const {t} = page, {text, num} = cells(page);
  return [
    text("controller", t("tail.controller"), "controller", {head: true}), num("slow", t("tail.controller_slow"), (row) => row.slow_count / row.point_count, (_, row) => t("tail.controller_of", {slow: row.slow_count, count: row.point_count})),
    num("drives", t("axis.drives"), "device_count"), num("low", t("tail.controller_low"), "low_seconds", latency), num("high", t("tail.controller_high"), "high_seconds", latency)
  ];
};

const slower = (row) => 1 - row.percentile_ratio;
const rowName = (row) => row.is_press ? `${row.device} †` : row.device;
const addressOf = (row, {number, link}) => row.is_press ? link("source", {search: row.source}) : number("p", row.point_id);
const MARKED = [0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999];
const DASHES = [null, "6 3", "2 3", "8 3 2 3"];

function tailSeries(rows) {
  const at = (of) => (of.findLast((row) => row.percentile_ratio <= 0.99) ?? of[0]).latency_seconds;
  return [...Map.groupBy(rows, (row) => row.device_id).values()].map((of) => of.toSorted((a, b) => a.percentile_ratio - b.percentile_ratio)).sort((a, b) => byMedium(a[0], b[0]) || at(a) - at(b));
}

export const usualDrives = (rows, most = 4) => [...Map.groupBy(tailSeries(rows), ([row]) => row.media_class).values()].map(([[row]]) => row.device_id).slice(0, most);

export function percentiles(rows, {width, t, number, link}) {
  const series = tailSeries(rows);
  const frame = frameOf(rows.map((row) => [row.latency_seconds, slower(row)]), width, t, series.length);
  const curves = series.map((of, i) => {
    const [{media_class: id, is_press: isPress}] = of;
    const color = medium(id).color;
    const dash = isPress ? "1 4" : DASHES[series.slice(0, i).filter(([row]) => row.media_class === id && !row.is_press).length % DASHES.length];
    const at = (row) => [frame.x(row.latency_seconds), frame.y(slower(row))];
    const symbol = (x, y, area) => drawSymbol({x, y, media_class: id, area, hollow: Boolean(isPress)});
    return [
      svg`<path d=${path(of.map(at), !isPress)} fill="none" stroke=${color} stroke-width="1.75" stroke-dasharray=${dash} />`,
      of.filter((row) => MARKED.includes(row.percentile_ratio) || row === of.at(-1)).map((row) => {
        const [x, y] = at(row);
        return linkMark({href: addressOf(row, {number, link}), lines: [rowName(row), t("tail.tip", {share: oneIn(slower(row), t), latency: latency(row.latency_seconds)}), t(isPress ? "mark.press" : "tail.kind_completion"), reasons(row, t), t("mark.open_number")], x, y, width: 16, height: 16}, symbol(x, y, 40));
      }),
      line(frame.left, 6 + i * 17, frame.left + 28, 6 + i * 17, {stroke: color, width: 2, dash}), symbol(frame.left + 14, 6 + i * 17, 36),
      text(cutText(rowName(of[0]), width - frame.left - 44, 12.5), {x: frame.left + 36, y: 10 + i * 17, size: 12.5, weight: 600, fill: color})
    ];
  });
  return surface({width, height: frame.height, label: t("tail.label", {count: series.length})}, axes(frame, t), curves);
}

function frameOf(places, width, t, named) {
  const narrow = width < 400;
  const least = Math.min(0.01, ...places.map(([, share]) => share).filter((share) => share > 0));
  const rarest = 10 ** Math.round(Math.log10(least));
  const words = Math.max(widthOf(oneIn(rarest, t), 12.5), widthOf(quantile(rarest, t), 11.5));
  const top = 12 + named * 17;
  const [left, right, height] = [Math.max(narrow ? 66 : 76, words + 12), width - (narrow ? 14 : 26), top + (narrow ? 308 : 418)];
  return {
    left, right, top, height, bottom: height - 52, x: logScale(places.map(([value]) => value), [left, right], {below: 1.25, above: 1.5}),
    y: scaleLog([1, least * (narrow ? 0.55 : 0.85)], [top, height - 52]) // room for the name of the last share beside the first tick
  };
}

const quantile = (share, t) => t("tick.percentile", {n: String(Number((100 * (1 - share)).toPrecision(8)))});

const axes = ({x, y, left, right, top, bottom}, t) => [
  axisLeft(y, {left, right, words: (share) => oneIn(share, t)}), axisBelow(x, {top, bottom, words: latencyTick, title: t("tail.axis")}),
  logTicks(y.domain().toReversed()).map((share) => share < 1 ? text(quantile(share, t), {x: left - 7, y: y(share) + 18, anchor: "end", size: 11.5, fill: "var(--ink-3)", halo: true}) : null)
];

const tailColumns = (page) => {
  const {t} = page, {num, ...c} = cells(page);
  return [
    c.device({name: rowName, more: (row) => html`<small>${mediumName(row.media_class, t)}</small>`}), num("share", t("axis.share_slower"), slower, (share) => share > 0.5 ? percent(share) : html`${oneIn(share, t)}<small>${quantile(share, t)}</small>`),
    num("latency", t("axis.latency_completion"), "latency_seconds", (value, row) => html`<a href=${addressOf(row, page)}>${latency(value)}</a>`), c.load({small: (row) => t("compare.basis.depth", {n: String(row.queue_depth)}), sort: null}), c.runs(), c.submission({hash: null})
  ];
};

const NAMES = [["p50_seconds", "p50"], ["p99_seconds", "p99"], ["p999_seconds", "p99.9"], ["p9999_seconds", "p99.99"]];
const percentilesOf = (row) => NAMES.filter(([name]) => row[name] > 0);

function tailDrives(rows, {width, t, number, link}) {
  const list = rows.toSorted((a, b) => (a.p999_seconds ?? Infinity) - (b.p999_seconds ?? Infinity) || byMedium(a, b) || (a.p99_seconds ?? a.p50_seconds ?? 0) - (b.p99_seconds ?? b.p50_seconds ?? 0) || (a.device_id < b.device_id ? -1 : 1));
  const all = list.flatMap((row) => percentilesOf(row).map(([name]) => row[name]));
  if (!all.length) return null;
  const isKey = (label) => label === "p99.9";
  return rowChart({
    width, label: t("tail.drives_label"), axes: [{scale: (range) => logScale(all, range), words: latencyTick, title: t("tail.drives_axis")}],
    columns: [...NAMES.map(([, label]) => ({label, isStrong: isKey(label)})), {label: "p99.9 ÷ p50"}],
    groups: [{rows: list.map((d) => {
      const percentiles = percentilesOf(d);
      const [name, label] = percentiles.findLast(([, each]) => each !== "p99.99");
      return {
        name: `${d.short_name}${d.interface_protocol === "USB" ? " (USB)" : ""}`, href: link(`devices/${d.device_id}`), short: `${label} ${latency(d[name])}`,
        texts: [...NAMES.map(([each]) => d[each] > 0 ? latency(d[each]) : "–"), d.p999_seconds > 0 && d.p50_seconds > 0 ? times(d.p999_seconds / d.p50_seconds) : "–"],
        marks: (y, [x]) => marks(d, percentiles, {x, y, t, number})
      };
    })}]
  });
}

function marks(d, percentiles, {x, y, t, number}) {
  const {color} = medium(d.media_class);
  const places = percentiles.map(([name]) => x(d[name]));
  const [from, to] = [Math.min(...places), Math.max(...places)];
  const lines = [d.short_name, ...percentiles.map(([name, label]) => `${label}: ${latency(d[name])}`), d.p999_seconds == null ? t("tail.operations", {count: d.operation_count}) : null];
  return [
    line(from, y, to, y, {stroke: color, width: 2, opacity: 0.35}),
    linkMark({href: number("p", d.point_id), lines, x: (from + to) / 2, y, width: Math.max(24, to - from + 16)}, percentiles.map(([name, label], i) => label === "p50" || label === "p99.9"
      ? drawSymbol({x: places[i], y, media_class: d.media_class, area: 46, hollow: label === "p50"})
      : line(places[i], y - 6, places[i], y + 6, {stroke: color, width: 2, opacity: label === "p99" ? 1 : 0.45})))
  ];
}

function tailDrivesAnswer(rows, {t, operation}) {
  const withTail = rows.filter((d) => d.p999_seconds > 0);
  if (!withTail.length) return t("tail.drives_none");
  const [usb, direct] = [withTail.filter((d) => d.interface_protocol === "USB"), withTail.filter((d) => d.interface_protocol !== "USB")];
  const range = (list) => span(list.map((d) => d.p999_seconds), latency, t);
  const best = (direct.length ? direct : withTail).toSorted((a, b) => a.p999_seconds - b.p999_seconds)[0];
  const others = Array.from(Map.groupBy(direct.filter((d) => d !== best).toSorted(byMedium), (d) => d.media_class), ([id, its]) => t("tail.drives_medium", {medium: mediumName(id, t), range: range(its)}));
  return t("tail.drives_answer", {operation: t(`tail.one_${operation}`), best: latency(best.p999_seconds), drive: best.short_name, others: others.length ? `${t("list.comma")}${others.join(t("list.comma"))}` : "", usb: usb.length ? t("tail.drives_usb", {range: range(usb)}) : ""});
}
