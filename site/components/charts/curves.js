// Operating curves: mean latency over IOPS, both on log axes that all panels share, a panel per family of media. Depth runs
// along the curve; diagonals join equal numbers of outstanding I/Os.
import {html, svg} from "htl";
import {scaleLog} from "d3";
import {count, depth, interval, iops, latency, latencyTick, tick} from "../format.js";
import {loadText} from "../loads.js";
import {drawn, linked, reasons, status, written} from "../marks.js";
import {byMedium, glyph, medium, mediumName} from "../media.js";
import {isNarrow, line, logTicks, round, surface, text} from "./draw.js";
import {placer} from "./labels.js";
import {cut} from "./plane.js";

const FAMILIES = [["hdd"], ["ssd_sas", "ssd_sata"], ["ssd_pcie", "ssd_nvme", "ssd_optane"], ["virtual"]];
const IN_COLOR = 3;
const GREY = "var(--line-strong)";
// What a name or number that stands weighs to those after it: more than a line, so that none lies over another.
const NAME = 12;

export const hasPanel = (id) => FAMILIES.some((family) => family.includes(id));
const named = (d) => d.short_name ?? d.device;
export const isStruck = (d) => status(d).struck;
const held = (d) => /generator bound|host limited/.test(d.reservations ?? "");

// One entry per drive: {…its first point, points by depth}.
export function sweeps(rows) {
  const found = new Map();
  for (const row of rows) {
    if (!found.has(row.device_id)) found.set(row.device_id, {...row, points: []});
    found.get(row.device_id).points.push(row);
  }
  for (const its of found.values()) its.points.sort((a, b) => a.queue_depth - b.queue_depth);
  return [...found.values()].sort((a, b) => byMedium(a, b) || peakOf(b) - peakOf(a) || (a.device_id < b.device_id ? -1 : 1));
}
export const peakOf = ({points}) => Math.max(...points.map((d) => d.operations_per_second));

// The curves in colour: all while a panel has at most four, else one per medium, and the one that the reader chose: by
// itself that whose bench most media of the panel share, then the one with the highest rate.
export function highlighted(list, chosen = []) {
  if (list.length <= IN_COLOR) return new Set(list.map((d) => d.device_id));
  const shared = (d) => d.bench_key ? new Set(list.filter((other) => other.bench_key === d.bench_key).map((other) => other.media_class)).size : 0;
  const out = new Set(list.filter((d) => chosen.includes(d.device_id)).map((d) => d.device_id));
  for (const id of new Set(list.map((d) => d.media_class))) {
    const its = list.filter((d) => d.media_class === id);
    if (its.some((d) => out.has(d.device_id))) continue;
    const best = [...its].sort((a, b) => isStruck(a.points[0]) - isStruck(b.points[0]) || shared(b) - shared(a) || peakOf(b) - peakOf(a))[0];
    out.add(best.device_id);
    // a second one, to the other end, where there is room for two names
    const other = its.length > 2 && new Set(list.map((d) => d.media_class)).size === 1 ? [...its].filter((d) => d.device_id !== best.device_id && d.bench_key === best.bench_key).at(-1) : null;
    if (other) out.add(other.device_id);
  }
  return out;
}

// rows: of one load. isOneDevice: the curves are those of the configurations of one drive, in one wide panel. chosen: ids of drives that the reader wants in colour. band: {low, high} in outstanding I/Os.
export function curves(rows, {width, t, number, chosen = [], isOneDevice = false, band = {low: 1, high: 9}}) {
  const list = sweeps(rows);
  if (!list.length) return html`<p class="note">${t("curve.nothing")}</p>`;
  const narrow = isNarrow(width);
  const across = narrow || isOneDevice ? 1 : 3;
  const panels = FAMILIES.map((family) => ({family, list: list.filter((d) => family.includes(d.media_class))})).filter((panel) => panel.list.length);
  const size = narrow ? {width, height: 260, left: 54, bottom: 40, top: 44} : {width: isOneDevice ? width : 386, height: 392, left: 52, bottom: 40, top: 42};
  const values = (key) => rows.map((d) => d[key]);
  const x = scaleLog([Math.min(...values("operations_per_second")) / 1.7, Math.max(...values("operations_per_second")) * 2], [size.left, size.width - 14]);
  const y = scaleLog([Math.min(...values("latency_mean_seconds")) / 2, Math.max(...values("latency_mean_seconds")) * 2.2], [size.height - size.bottom, size.top]);
  const gap = narrow ? 22 : (width - across * size.width) / Math.max(1, across - 1);
  const rowsOf = Math.ceil(panels.length / across);
  const load = rows[0].load_profile;
  return surface({width, height: rowsOf * (size.height + 24), label: t("curve.label", {load: loadText(load, t)})},
    panels.map((panel, i) => svg`<g transform=${`translate(${round((i % across) * (size.width + gap))},${Math.floor(i / across) * (size.height + 24)})`}>${drawPanel(panel, {x, y, size, t, number, chosen, band, load, isOneDevice, id: `curve-${width}-${i}`, first: i === 0})}</g>`));
}

function drawPanel({family, list}, frame) {
  const {x, y, size, t, id} = frame;
  const [left, right] = x.range();
  const [bottom, top] = y.range();
  const color = highlighted(list, frame.chosen);
  const labels = placer({left: left + 2, right: size.width, top: top - 2, bottom: bottom - 2}, NAME);
  labels.takeLine([left + 6, top + 2], [left + 80, top + 2], 2);
  for (const d of list) {
    d.points.forEach((point, i) => {
      const at = [x(point.operations_per_second), y(point.latency_mean_seconds)];
      labels.take(...at, color.has(d.device_id) ? 6 : 3, color.has(d.device_id) ? 6 : 0.5);
      if (i) labels.takeLine([x(d.points[i - 1].operations_per_second), y(d.points[i - 1].latency_mean_seconds)], at, color.has(d.device_id) ? 0.8 : 0.2);
    });
  }
  const shown = list.filter((d) => color.has(d.device_id));
  const targets = targetsOf(list, frame);
  // the only curve of a device needs no name; names come before numbers, as they are wider
  const isAlone = frame.isOneDevice && list.length === 1;
  const words = [...isAlone ? [] : shown.map((d, i) => nameOf(d, shown.length === 2 ? shown.slice(0, i) : [], frame, labels)), ...shown.flatMap((d) => numbersOf(d, frame, labels))];
  return [
    text(frame.isOneDevice ? t("curve.configurations", {count: list.length}) : panelTitle(list, family, t), {x: 0, y: 12, size: 14, weight: 640}),
    text(panelFacts(list, frame), {x: 0, y: 29, size: 12, fill: "var(--ink-3)"}),
    svg`<clipPath id=${id}><rect x=${round(left)} y=${round(top)} width=${round(right - left)} height=${round(bottom - top)} /></clipPath>`,
    svg`<g clip-path=${`url(#${id})`}>${diagonals(frame).flat().filter(Boolean)}</g>`,
    line(left, bottom, right, bottom, {stroke: "var(--line-strong)"}), line(left, top, left, bottom, {stroke: "var(--line-strong)"}),
    logTicks(y.domain()).map((v) => [line(left - 4, y(v), left, y(v), {stroke: "var(--line-strong)"}), text(latencyTick(v), {x: left - 7, y: y(v) + 4, anchor: "end", size: 12, fill: "var(--ink-2)"})]),
    logTicks(x.domain()).map((v) => [line(x(v), bottom, x(v), bottom + 4, {stroke: "var(--line-strong)"}), text(tick(v), {x: x(v), y: bottom + 17, anchor: "middle", size: 12, fill: "var(--ink-2)"})]),
    text(t("axis.iops"), {x: (left + right) / 2, y: bottom + 36, anchor: "middle", size: 12, weight: 600, fill: "var(--ink-2)"}),
    text(t("axis.latency_mean"), {x: left + 5, y: top + 6, size: 12, weight: 600, fill: "var(--ink-2)", halo: true}),
    diagonalWords(frame, labels),
    list.filter((d) => !color.has(d.device_id)).map((d) => curve(d, {...frame, targets, ink: GREY, area: size.width < 320 ? 9 : 16})),
    shown.map((d) => curve(d, {...frame, targets, ink: medium(d.media_class).color, area: size.width < 320 ? 20 : 34, dash: dashOf(d, shown)})),
    words
  ].flat(Infinity).filter(Boolean);
}

const panelTitle = (list, family, t) => family.filter((id) => list.some((d) => d.media_class === id)).map((id) => mediumName(id, t)).join(t("list.and"));
const panelFacts = (list, {t, isOneDevice}) => {
  const benches = new Set(list.map((d) => d.bench_key ?? d.submission_id)).size;
  const seconds = [...new Set(list.map((d) => d.run_time_seconds).filter(Boolean))];
  return [...isOneDevice ? [] : [t("curve.drives", {count: list.length}), t("curve.benches", {count: benches})], seconds.length === 1 ? t("curve.seconds", {n: seconds[0]}) : null].filter(Boolean).join(t("list.comma"));
};
const dashOf = (d, shown) => ["", "5 3", "2 3", "8 3 2 3"][shown.filter((other) => other.media_class === d.media_class).indexOf(d)] || null;

// How large the target of each point may be, at most 24 px: as far as its neighbour, so that each can be reached.
function targetsOf(list, {x, y}) {
  const all = list.flatMap((d) => d.points).map((point) => ({point, at: [x(point.operations_per_second), y(point.latency_mean_seconds)]}));
  const apart = (a, b) => Math.max(Math.abs(a.at[0] - b.at[0]), Math.abs(a.at[1] - b.at[1]));
  return new Map(all.map((a) => [a.point, Math.min(24, ...all.filter((b) => b !== a).map((b) => Math.max(5, apart(a, b))))]));
}

// A curve with its knee bracket; each point a link to its number.
function curve({points, ...d}, {x, y, t, number, load, targets, ink, area, dash}) {
  const at = (point) => [x(point.operations_per_second), y(point.latency_mean_seconds)];
  const path = (list) => `M${list.map((point) => at(point).map(round).join(" ")).join("L")}`;
  const inColor = ink !== GREY;
  const knee = points.filter((point) => point.queue_depth >= (d.queue_depth_before ?? Infinity) && point.queue_depth <= (d.queue_depth_knee ?? -Infinity));
  return [
    inColor && knee.length > 1 ? svg`<path d=${path(knee)} fill="none" stroke=${ink} stroke-width="9" stroke-opacity="0.28" stroke-linecap="round"/>` : null,
    points.length > 1 ? svg`<path d=${path(points)} fill="none" stroke=${ink} stroke-width=${inColor ? 2 : 1.25} stroke-dasharray=${inColor ? dash : null} stroke-linejoin="round"/>` : null,
    points.map((point) => {
      const [px, py] = at(point);
      const its = status(point);
      return linked({href: point.point_id ? number("p", point.point_id) : null, lines: tip(point, {t, load}), x: px, y: py, width: targets.get(point), height: targets.get(point)},
        drawn({x: px, y: py, media_class: d.media_class, area: point.queue_depth === 1 ? area * 1.7 : area, hollow: its.hollow, struck: its.struck, color: inColor ? undefined : GREY}));
    })
  ];
}

const tip = (d, {t, load}) => [
  d.device, loadText(load, t),
  `${t("axis.queue_depth")}${t("limit.colon")}${depth(d, t)}`,
  `${written(iops(d.operations_per_second), {...status(d), bound: null})} IOPS${d.low_per_second != null && d.high_per_second != null ? ` (${interval(d.low_per_second, d.high_per_second, iops)})` : ""}, ${latency(d.latency_mean_seconds)}, ${d.repetition_count > 1 ? t("mark.runs", {n: d.repetition_count}) : t("mark.single_run")}`,
  reasons(d, t), t("mark.open_number")
];

// The name of a curve in colour, beside its start or its end, or near another point; a long one is cut to what a panel holds.
function nameOf({points, ...d}, before, {x, y, size: {width}}, labels) {
  const at = (point) => [x(point.operations_per_second), y(point.latency_mean_seconds)];
  const [[x0, y0], [x1, y1]] = [at(points[0]), at(points.at(-1))];
  const words = cut(named(d), width * 0.62, 12.5);
  const around = ([px, py], rises) => rises.flatMap((rise) => [14, 26].flatMap((gap) => [{x: px + gap, y: py + rise}, {x: px - gap, y: py + rise, anchor: "end"}]));
  // where a curve begins beside the only other one, which has its name there, the end tells them apart
  const isBeside = before.some((other) => Math.hypot(at(other.points[0])[0] - x0, at(other.points[0])[1] - y0) < 24);
  const start = (places) => isBeside ? places.map((place) => ({...place, worse: 45})) : places;
  const found = labels.place(words, [
    ...start([{x: x0 - 22, y: y0 + 4.5, anchor: "end"}, {x: x0, y: y0 + 24, anchor: "middle"}, {x: x0, y: y0 - 16, anchor: "middle"}, {x: x0 - 4, y: y0 + 30}]),
    {x: x1 - 12, y: y1 + 4.5, anchor: "end"}, {x: x1 + 12, y: y1 + 4.5}, {x: x1, y: y1 - 12, anchor: "middle"},
    ...start([{x: x0 + 16, y: y0 + 20}, {x: x0 - 30, y: y0 - 18}]), {x: x1 - 14, y: y1 + 22, anchor: "end"}, {x: x1 - 14, y: y1 - 14, anchor: "end"}, ...start([{x: x0 + 22, y: y0 - 14}]),
    ...points.map(at).flatMap(([px, py]) => [{x: px + 26, y: py + 4.5}, {x: px - 26, y: py + 4.5, anchor: "end"}]),
    ...start(around([x0, y0], [-22, 36, 44])), ...around([x1, y1], [-24, 32, 40])
  ], 13.2);
  return text(words, {...found, size: 12.5, weight: 600, fill: medium(d.media_class).color, halo: true});
}

// Depths along a curve in colour: 1, the knee, the last, and others that fit; and where the host was full.
function numbersOf({points, ...d}, {x, y, t}, labels) {
  const ink = medium(d.media_class).color;
  const at = (point) => [x(point.operations_per_second), y(point.latency_mean_seconds)];
  const out = [];
  const around = ([px, py], gap) => [{x: px + gap, y: py + 4.5}, {x: px - gap, y: py + 4.5, anchor: "end"}, {x: px, y: py + gap + 8, anchor: "middle"}, {x: px, y: py - gap, anchor: "middle"}];
  const place = (words, places, style, limit) => {
    const found = labels.place(words, places, style.size, limit);
    if (found) out.push(text(words, {...found, ...style, halo: true}));
  };
  const wall = points.filter(held);
  const must = new Set([points[0], points.at(-1), points.find((point) => point.queue_depth === d.queue_depth_knee)].filter(Boolean));
  for (const point of must) place(String(point.queue_depth), around(at(point), 9), {size: 12, weight: 600, fill: ink}, point === points[0] ? 400 : 90);
  for (const point of points.filter((each) => !must.has(each) && [4, 16, 64, 256].includes(each.queue_depth))) place(String(point.queue_depth), around(at(point), 8), {size: 11.5, weight: 500, fill: ink}, 30);
  if (wall.length) {
    const places = wall.map(at).flatMap(([px, py], i) => {
      const next = at(wall[Math.min(i + 1, wall.length - 1)])[1];
      return [py, (py + next) / 2].flatMap((middle) => [{x: px + 10, y: middle + 4}, {x: px + 34, y: middle + 4}, {x: px - 12, y: middle + 4, anchor: "end"}]);
    });
    place(t("curve.host_full"), places, {size: 11.5, fill: "var(--ink-3)"}, 40);
  }
  return out;
}

const OUTSTANDING = [1, 16, 256, 4096];

// Equal numbers of outstanding I/Os: latency = number ÷ rate. The band lies between two of them.
function diagonals({x, y, band}) {
  const [low, high] = x.domain();
  const at = (n, rate) => [round(x(rate)), round(y(n / rate))].join(" ");
  return [
    band ? svg`<path d=${`M${at(band.low, low)}L${at(band.low, high)}L${at(band.high, high)}L${at(band.high, low)}Z`} fill="var(--accent)" fill-opacity="0.09"/>` : null,
    OUTSTANDING.map((n) => svg`<path d=${`M${at(n, low)}L${at(n, high)}`} fill="none" stroke="var(--line-strong)" stroke-width="1" stroke-dasharray=${n === 1 ? null : "2 4"} />`)
  ];
}

function diagonalWords({x, y, size, t}, labels) {
  const [left, right] = x.range();
  const [bottom, top] = y.range();
  const [low, high] = x.domain();
  const decade = x(10) - x(1);
  const angle = Math.atan2(y(1) - y(10), decade) * 180 / Math.PI;
  return OUTSTANDING.map((n) => {
    const words = t("curve.outstanding", {n});
    // along the diagonal, where it lies in the panel and covers least
    const places = [0.2, 0.32, 0.44, 0.56, 0.68, 0.8].map((share) => low * (high / low) ** share)
      .map((rate) => ({rate, x: x(rate), y: y(n / rate)}))
      .filter((place) => place.x > left + 40 && place.x < right - 40 && place.y > top + 34 && place.y < bottom - 30);
    if (!places.length) return null;
    const found = labels.place(words.slice(0, 6), places.map((place) => ({...place, anchor: "middle"})), size.width < 320 ? 34 : 40, 420);
    return found ? text(words, {x: found.x + 6, y: found.y - 4, anchor: "middle", size: 11.5, fill: "var(--ink-3)", halo: true, rotate: round(angle)}) : null;
  });
}

// A sweep whose highest rates were those of the load generator or the host: its knee is not that of the drive.
const isHeld = ({points}) => { const peak = peakOf({points}); return points.some((d) => d.operations_per_second >= 0.95 * peak && held(d)); };

// The depths at which each medium turns, as a list; null where none does.
function knees(list, t) {
  const turning = Array.from(Map.groupBy(list, (d) => d.media_class), ([id, its]) => ({id, low: Math.min(...its.map((d) => d.queue_depth_knee)), high: Math.max(...its.map((d) => d.queue_depth_knee))}));
  return turning.sort((a, b) => a.low - b.low || a.high - b.high).map(({id, low, high}) => t(low === high ? "home.q.knee" : "home.q.knees", {medium: mediumName(id, t), low, high})).join(t("list.comma")) || null;
}

// What the curves say: at which depth each medium turns, which gains least, which waits longest; how many are left out.
export function curvesAnswer(rows, {t}) {
  const list = sweeps(rows).filter((d) => d.points.length > 1 && !d.points.some(isStruck));
  const struck = sweeps(rows).filter((d) => d.points.some(isStruck)).length;
  const out = [];
  if (list.length) {
    out.push(t.rich("curve.answer.shape"));
    const turned = list.filter((d) => d.queue_depth_knee > 1);
    const [own, held] = [turned.filter((d) => !isHeld(d)), turned.filter(isHeld)].map((its) => knees(its, t));
    if (own) out.push(t.rich("curve.answer.turns", {list: own}));
    if (held) out.push(t.rich("curve.answer.held", {list: held}));
    const media = [...new Set(list.map((d) => d.media_class))];
    if (media.length > 1) {
      const gain = (id) => Math.max(...list.filter((d) => d.media_class === id).map((d) => peakOf(d) / d.points[0].operations_per_second));
      const wait = (id) => Math.max(...list.filter((d) => d.media_class === id).flatMap((d) => d.points.map((point) => point.latency_mean_seconds)));
      const least = media.reduce((a, b) => gain(b) < gain(a) ? b : a);
      const longest = media.reduce((a, b) => wait(b) > wait(a) ? b : a);
      // what the host held back may gain more: of that nothing is said
      const isKnown = !list.some((d) => d.media_class === least && isHeld(d));
      if (isKnown) out.push(t.rich(least === longest ? "curve.answer.both" : "curve.answer.each", {least: mediumName(least, t), gain: Number(gain(least).toPrecision(2)), longest: mediumName(longest, t), wait: latency(wait(longest))}));
    }
  } else {
    out.push(t.rich("curve.answer.none"));
  }
  if (struck) out.push(t.rich("curve.answer.struck", {count: struck}));
  return out.flatMap((nodes, i) => i ? [t("sentence.space"), ...nodes] : nodes);
}

export function curveColumns({t, number, link}) {
  return [
    {id: "device", label: t("ladder.column.device"), head: true, value: (d) => html`<a href=${link(`devices/${d.device_id}`)}>${d.device}</a>`, sort: (d) => d.device},
    {id: "medium", label: t("ladder.column.medium"), value: (d) => html`<span class="name">${glyph(d.media_class)}${mediumName(d.media_class, t)}</span>`, sort: (d) => medium(d.media_class).rank},
    {id: "depth", label: t("axis.queue_depth"), num: true, value: (d) => depth(d, t), sort: (d) => d.queue_depth},
    {id: "iops", label: "IOPS", num: true, value: (d) => d.point_id ? html`<a href=${number("p", d.point_id)}>${written(iops(d.operations_per_second), status(d))}</a>` : written(iops(d.operations_per_second), status(d)), sort: (d) => d.operations_per_second},
    {id: "interval", label: t("mark.interval"), unit: "IOPS", num: true, value: (d) => d.low_per_second == null ? null : interval(d.low_per_second, d.high_per_second, iops)},
    {id: "latency", label: t("axis.latency_mean"), num: true, value: (d) => latency(d.latency_mean_seconds), sort: (d) => d.latency_mean_seconds},
    {id: "latencykind", label: t("table.latency_kind"), value: (d) => d.latency_kind == null ? null : t(`axis.latency_${d.latency_kind}`)},
    {id: "runs", label: t("table.runs"), num: true, value: (d) => d.repetition_count == null ? null : count(d.repetition_count), sort: (d) => d.repetition_count ?? null},
    {id: "kind", label: t("table.kind"), value: (d) => reasons(d, t) ?? t("mark.measured")},
    {id: "submission", label: t("table.submission"), value: (d) => html`<a href=${link(`submissions/${d.submission_id}`, {hash: d.configuration_id})}>${d.submission_id}</a>`, sort: (d) => d.submission_id}
  ];
}
