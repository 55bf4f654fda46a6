// Operating curves: latency over IOPS, a panel per family of media. A decade is equally long in all but that of hard disks.
import {html, svg} from "htl";
import {scaleLog} from "d3";
import {depth, interval, iops, joinSentences, latency, latencyTick, percent, sentences, span, tick} from "../format.js";
import {loadText} from "../loads.js";
import {byMedium, deviceName, drawSymbol, isLimited, linkMark, medium, mediumName, reasons, status, withBound} from "../marks.js";
import {cells} from "../table.js";
import {benchOf, endOf} from "./benches.js";
import {axisBelow, axisLeft, cutText, isNarrow, line, path, round, surface, text} from "./draw.js";

const FAMILIES = [["hdd"], ["ssd_sas", "ssd_sata"], ["ssd_pcie", "ssd_nvme", "ssd_optane"], ["virtual"]];
const IN_COLOR = 3;
const GREY = "var(--line-strong)";
const MEAN = "latency_mean_seconds";

export const hasPanel = (id) => FAMILIES.some((family) => family.includes(id));
export const isStruck = (d) => status(d).struck;

export const sweeps = (rows) => Array.from(Map.groupBy(rows, (row) => row.device_id).values(), (of) => ({...of[0], points: of.toSorted((a, b) => a.queue_depth - b.queue_depth)}))
  .sort((a, b) => byMedium(a, b) || peakOf(b) - peakOf(a) || (a.device_id < b.device_id ? -1 : 1));
const peakOf = ({points}) => Math.max(...points.map((d) => d.operations_per_second));

export function selectColored(list, chosen = []) {
  if (list.length <= IN_COLOR) return new Set(list.map((d) => d.device_id));
  const order = (d) => [!chosen.includes(d.device_id), isStruck(d.points[0]), -peakOf(d)].map(Number);
  const best = (its) => its.toSorted((a, b) => { const [of, other] = [order(a), order(b)]; return of.map((n, i) => n - other[i]).find(Boolean) ?? 0; })[0];
  return new Set([...Map.groupBy(list, (d) => d.media_class).values()].flatMap((its) => [best(its), ...its.filter((d) => chosen.includes(d.device_id))]).map((d) => d.device_id));
}

// rows: of one load. by: the column of the latency. isOneDevice: the curves are those of the configurations of one drive, in one wide panel.
// chosen: ids of drives that the reader wants in colour. band: {low, high} in outstanding I/Os, which only the mean latency gives.
export function curves(rows, {width, t, number, by = MEAN, chosen = [], isOneDevice = false, band = {low: 1, high: 9}}) {
  const list = sweeps(rows.filter((row) => row[by] != null));
  if (!list.length) return html`<p class="note">${t("curve.nothing")}</p>`;
  const narrow = isNarrow(width);
  const panels = FAMILIES.map((family) => ({family, list: list.filter((d) => family.includes(d.media_class))})).filter((panel) => panel.list.length).map((panel) => {
    const color = selectColored(panel.list, chosen);
    const shown = panel.list.filter((d) => color.has(d.device_id));
    return {...panel, shown, named: isOneDevice && panel.list.length === 1 ? [] : shown, isOwn: panel.family.includes("hdd"), rates: domain([panel], "operations_per_second")};
  });
  const shared = panels.filter((panel) => !panel.isOwn);
  const legend = Math.max(...panels.map((panel) => panel.named.length)) * LEGEND;
  const height = (narrow ? 260 : 392) + legend;
  const perDecade = (width - GAP * (panels.length - 1) - panels.reduce((sum, {isOwn}) => sum + (isOwn ? OWN : LEFT + RIGHT), 0)) / shared.reduce((sum, {rates}) => sum + decades(rates), 0);
  const widthOf = ({isOwn, rates}) => narrow || isOneDevice ? width : isOwn ? OWN : LEFT + RIGHT + Math.min(perDecade * decades(rates), width / 2);
  const load = rows[0].load_profile;
  let at = 0;
  const drawn = panels.map((panel, i) => {
    const x = scaleLog(panel.rates, [LEFT, widthOf(panel) - RIGHT]);
    const y = scaleLog(domain(panel.isOwn ? [panel] : shared, by), [height - 40, (narrow ? 44 : 42) + legend]);
    const place = narrow ? [0, i * (height + 24)] : [at, 0];
    at += widthOf(panel) + GAP;
    return svg`<g transform=${`translate(${place.map(round)})`}>${drawPanel(panel, {x, y, t, number, by, band, load, isOneDevice, id: `curve-${width}-${i}`})}</g>`;
  });
  return surface({width, height: (narrow ? panels.length : 1) * (height + 24), label: t("curve.label", {load: loadText(load, t)})}, drawn);
}

const [LEGEND, LEFT, RIGHT, GAP, OWN] = [17, 54, 14, 24, 330];
const decades = ([low, high]) => Math.log10(high / low);
function domain(panels, key) {
  const values = panels.flatMap(({list}) => list.flatMap(({points}) => points.map((d) => d[key])));
  return [Math.min(...values) / 1.6, Math.max(...values) * 2];
}

function drawPanel({family, list, shown, named: legend}, frame) {
  const {x, y, t, id, by, isOneDevice} = frame;
  const [[left, right], [bottom, top]] = [x.range(), y.range()];
  const isSmall = right < 310;
  const media = family.filter((each) => list.some((d) => d.media_class === each)).map((each) => mediumName(each, t)).join(t("list.and"));
  return [
    text(isOneDevice ? t("curve.configurations", {count: list.length}) : media, {x: 0, y: 12, size: 14, weight: 640}),
    text(panelFacts(list, frame), {x: 0, y: 29, size: 12, fill: "var(--ink-3)"}),
    legend.map((d, i) => {
      const at = 29 + LEGEND * (i + 1), ink = medium(d.media_class).color;
      return [line(0, at - 4, 26, at - 4, {stroke: ink, width: 2, dash: dashOf(d, shown)}), drawSymbol({x: 13, y: at - 4, media_class: d.media_class, area: 34}), text(cutText(deviceName(d), right - 20, 12.5), {x: 34, y: at, size: 12.5, weight: 600, fill: ink})];
    }),
    axisBelow(x, {top, bottom, words: tick, title: t("axis.iops")}), axisLeft(y, {left, right, words: latencyTick}),
    svg`<clipPath id=${id}><rect x=${round(left)} y=${round(top)} width=${round(right - left)} height=${round(bottom - top)} /></clipPath>`,
    by === MEAN ? svg`<g clip-path=${`url(#${id})`}>${diagonals(frame).flat().filter(Boolean)}</g>` : null,
    text(by === MEAN ? t("axis.latency_mean") : "p99.9", {x: left + 5, y: top + 6, size: 12, weight: 600, fill: "var(--ink-2)", halo: true}),
    by === MEAN ? diagonalWords(frame) : null,
    list.filter((d) => !shown.includes(d)).map((d) => curve(d, {...frame, ink: GREY, area: isSmall ? 9 : 16})),
    shown.map((d) => curve(d, {...frame, ink: medium(d.media_class).color, area: isSmall ? 20 : 34, dash: dashOf(d, shown)})),
    shown.map((d) => depthsOf(d, frame))
  ].flat(Infinity).filter(Boolean);
}

const panelFacts = (list, {t, isOneDevice}) => {
  const benches = new Set(list.map((d) => d.bench_key ?? d.submission_id)).size;
  const seconds = [...new Set(list.map((d) => d.run_time_seconds).filter(Boolean))];
  return [...isOneDevice ? [] : [t("curve.drives", {count: list.length}), t("curve.benches", {count: benches})], seconds.length === 1 ? t("curve.seconds", {n: seconds[0]}) : null].filter(Boolean).join(t("list.comma"));
};
const dashOf = (d, shown) => ["", "5 3", "2 3", "8 3 2 3"][shown.filter((other) => other.media_class === d.media_class).indexOf(d)] || null;

function curve({points, ...d}, {x, y, by, t, number, load, ink, area, dash}) {
  const at = (point) => [x(point.operations_per_second), y(point[by])];
  const inColor = ink !== GREY;
  const knee = points.filter((point) => point.queue_depth >= (d.queue_depth_before ?? Infinity) && point.queue_depth <= (d.queue_depth_knee ?? -Infinity));
  return [
    inColor && knee.length > 1 ? svg`<path d=${path(knee.map(at))} fill="none" stroke=${ink} stroke-width="9" stroke-opacity="0.28" stroke-linecap="round"/>` : null,
    points.length > 1 ? svg`<path d=${path(points.map(at))} fill="none" stroke=${ink} stroke-width=${inColor ? 2 : 1.25} stroke-dasharray=${inColor ? dash : null} stroke-linejoin="round"/>` : null,
    points.map((point) => {
      const [px, py] = at(point);
      const its = status(point);
      return linkMark({href: point.point_id ? number("p", point.point_id) : null, lines: tip(point, {t, load}), x: px, y: py, width: 12, height: 12},
        drawSymbol({x: px, y: py, media_class: d.media_class, area: point.queue_depth === 1 ? area * 1.7 : area, hollow: its.hollow, struck: its.struck, color: inColor ? undefined : GREY}));
    })
  ];
}

const tip = (d, {t, load}) => [
  d.device, loadText(load, t),
  `${t("axis.queue_depth")}${t("limit.colon")}${depth(d, t)}`,
  `${withBound(iops(d.operations_per_second), {...status(d), bound: null})} IOPS${d.low_per_second != null && d.high_per_second != null ? ` (${interval(d.low_per_second, d.high_per_second, iops)})` : ""}, ${latency(d.latency_mean_seconds)}${d.p999_seconds == null ? "" : `, p99.9 ${latency(d.p999_seconds)}`}, ${d.run_count > 1 ? t("mark.runs", {n: d.run_count}) : t("mark.single_run")}`,
  reasons(d, t), t("mark.open_number")
];

function depthsOf({points, ...d}, {x, y, by, t}) {
  const at = (point, dx, dy) => ({x: x(point.operations_per_second) + dx, y: y(point[by]) + dy, halo: true});
  const full = points.find(isLimited);
  return [
    ...points.filter((point) => point === points.at(-1) || [1, 4, 16, 64, 256].includes(point.queue_depth)).map((point) => text(String(point.queue_depth), {...at(point, 5, 15), size: 11.5, weight: 600, fill: medium(d.media_class).color})),
    full ? text(t("curve.host_full"), {...at(full, -9, 4), anchor: "end", size: 11.5, fill: "var(--ink-3)"}) : null
  ];
}

const OUTSTANDING = [1, 16, 256, 4096];

function diagonals({x, y, band}) {
  const [low, high] = x.domain();
  const at = (n, rate) => [round(x(rate)), round(y(n / rate))].join(" ");
  return [
    band ? svg`<path d=${`M${at(band.low, low)}L${at(band.low, high)}L${at(band.high, high)}L${at(band.high, low)}Z`} fill="var(--accent)" fill-opacity="0.09"/>` : null,
    OUTSTANDING.map((n) => svg`<path d=${`M${at(n, low)}L${at(n, high)}`} fill="none" stroke="var(--line-strong)" stroke-width="1" stroke-dasharray=${n === 1 ? null : "2 4"} />`)
  ];
}

function diagonalWords({x, y, t}) {
  const [left, right] = x.range();
  const [bottom, top] = y.range();
  const [low, high] = x.domain();
  const angle = Math.atan2(y(1) - y(10), x(10) - x(1)) * 180 / Math.PI;
  return OUTSTANDING.map((n) => {
    const place = [0.8, 0.68, 0.56, 0.44, 0.32, 0.2].map((share) => low * (high / low) ** share).map((rate) => ({x: x(rate), y: y(n / rate)}))
      .find((each) => each.x > left + 40 && each.x < right - 40 && each.y > top + 34 && each.y < bottom - 30);
    return place ? text(t("curve.outstanding", {n}), {x: place.x, y: place.y - 4, anchor: "middle", size: 11.5, fill: "var(--ink-3)", halo: true, rotate: round(angle)}) : null;
  });
}

// A sweep whose highest rates were those of the load generator or the host: its highest rate is not that of the drive.
const isHeld = ({points}) => points.some((d) => d.operations_per_second >= 0.95 * peakOf({points}) && isLimited(d));
const REACHED = 0.9;
const near = (d) => d.points.find((point) => point.operations_per_second >= REACHED * peakOf(d));
export function depthAnswer(rows, {t}) {
  const all = sweeps(rows).filter((d) => d.points.length > 1 && d.interface_protocol !== "USB");
  const list = all.filter((d) => !d.points.some(isStruck));
  const own = list.filter((d) => d.media_class !== "hdd" && !isHeld(d)).toSorted((a, b) => peakOf(b) - peakOf(a));
  const heldBack = list.filter((d) => isHeld(d) && !own.some((other) => other.media_class === d.media_class));
  const disks = list.filter((d) => d.media_class === "hdd");
  const parts = [];
  if (own.length) {
    const [lead] = own;
    const point = near(lead);
    const others = [...Map.groupBy(own.filter((d) => d.media_class !== lead.media_class), (d) => d.media_class)].sort(([a], [b]) => byMedium({media_class: b}, {media_class: a}));
    parts.push([...t.rich("curve.answer.lead", {drive: deviceName(lead), share: percent(point.operations_per_second / peakOf(lead)), depth: point.queue_depth}),
      ...others.flatMap(([id, its]) => [t("list.comma"), ...t.rich("curve.answer.medium", {medium: mediumName(id, t), range: span(its.map((d) => near(d).queue_depth), String, t)})])]);
  }
  if (disks.length) {
    const last = disks.map((d) => d.points.at(-1));
    const deepest = Math.max(...last.map((point) => point.queue_depth));
    parts.push(t.rich("curve.answer.disks", {rates: span(last.map((d) => d.operations_per_second), iops, t), depth: deepest, wait: span(last.map((d) => d.latency_mean_seconds), latency, t)}));
  }
  const struck = all.length - list.length;
  const sub = [
    parts.length ? t("curve.answer.beyond") : null,
    heldBack.length ? t("curve.answer.held", {list: heldBack.map((d) => t("curve.answer.from", {drive: deviceName(d), depth: d.points.find(isLimited).queue_depth})).join(t("list.comma"))}) : null,
    struck ? t("curve.answer.struck", {count: struck}) : null
  ].filter(Boolean).join(t("sentence.space"));
  return {head: parts.length ? sentences(parts, t) : [t("curve.answer.none")], sub};
}

export function curveColumns(page) {
  const {t} = page, c = cells(page);
  return [
    c.drive({name: deviceName, label: t("ladder.column.device")}), c.medium(), c.depth({value: (d) => depth(d, t)}), c.iops("operations_per_second", {at: ["p", "point_id"]}),
    c.interval("low_per_second", "high_per_second", iops, {unit: "IOPS"}), c.latency(), c.latency("p999_seconds", {id: "p999", label: "p99.9"}), {id: "latencykind", label: t("table.latency_kind"), value: (d) => d.latency_kind == null ? null : t(`axis.latency_${d.latency_kind}`)},
    c.runs(), c.kind(), c.submission()
  ];
}

export function ofConfigurations(rows, device) {
  const key = (row) => `${row.submission_id}/${row.configuration_id}`;
  const benches = Map.groupBy(rows, (row) => benchOf(row));
  const isAlone = (row) => benchOf(row) && new Set(benches.get(benchOf(row)).map(key)).size === 1;
  const name = (row) => isAlone(row) ? benchOf(row) : [benchOf(row), endOf(row)].filter(Boolean).join(", ");
  return rows.map((row) => ({...row, media_class: device.media_class, device_id: key(row), device: row.title ?? row.configuration_id, short_name: name(row)}));
}

// More curves than these cover each other: the rows of those with the highest rates.
const MOST = 6;
export function foremost(rows) {
  const foremostIds = new Set(sweeps(rows).toSorted((a, b) => peakOf(b) - peakOf(a)).slice(0, MOST).map((d) => d.device_id));
  return rows.filter((row) => foremostIds.has(row.device_id));
}

export function ownAnswer(rows, {t}) {
  const all = sweeps(rows);
  const list = all.filter((d) => d.points.length > 1 && !d.points.some(isStruck));
  const struck = all.filter((d) => d.points.some(isStruck)).length;
  const out = [];
  if (list.length) {
    const best = list.reduce((a, b) => peakOf(b) > peakOf(a) ? b : a);
    const top = best.points.find((point) => point.operations_per_second === peakOf(best));
    const gain = Number((top.operations_per_second / best.points[0].operations_per_second).toPrecision(2));
    out.push(t.rich("curve.answer.one_peak", {rate: iops(top.operations_per_second), depth: top.queue_depth, gain, first: best.points[0].queue_depth}));
    const knees = list.filter((d) => d.queue_depth_knee > 1).map((d) => d.queue_depth_knee);
    const [low, high] = [Math.min(...knees), Math.max(...knees)];
    out.push(t.rich(!knees.length ? "curve.answer.one_turns_not" : low === high ? "curve.answer.one_turns" : "curve.answer.one_turns_between", knees.length ? {low, high, count: knees.length, all: list.length} : {}));
  } else {
    out.push(t.rich("curve.answer.none"));
  }
  if (struck) out.push(t.rich("curve.answer.struck", {count: struck}));
  return joinSentences(out, t);
}

export const ownColumns = (page) => [
  cells(page).configuration({id: "configuration", head: true}),
  ...curveColumns(page).filter(({id}) => !["device", "medium", "submission", "p999"].includes(id))
];
