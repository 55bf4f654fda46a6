/*---
words: within
nav: {section: load, order: 215, name: nav.within}
queries: [within]
parts: loads
keywords: iops latency limit objective slo within p99 p99.9 100k 50k
---*/
import {html, svg} from "htl";
import {axisBelow, axisLeft, isNarrow, line, logScale, path, round, surface, text} from "../components/charts/draw.js";
import {figure, heading} from "../components/figure.js";
import {iops, latency, latencyTick, tick} from "../components/format.js";
import {FIRST, byLoad, loadText} from "../components/loads.js";
import {drawSymbol, linkMark, medium} from "../components/marks.js";
import {partName} from "../components/points.js";
import {cells} from "../components/table.js";

const slug = (text) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

export default async function page({part, parts, t, state, link, number}) {
  const groups = (await parts("within")).map((each) => ({...each, value: slug(each.label)}));
  const usual = (groups.find(({label}) => label === FIRST) ?? groups[0])?.value;
  const group = state.choice("w", groups.map(({value}) => value), usual);
  const [all] = await part("within", groups.find(({value}) => value === group)?.part, ["within"]);
  // a set has several loads, which one source presents together
  const loads = [...new Set(all.toSorted(byLoad).map((row) => row.load_profile))];
  const own = state.choice("load", loads.map(slug), loads[0] && slug(loads[0]));
  const load = loads.find((each) => slug(each) === own);
  const asked = {iops: state.text("iops", "50k"), within: state.text("within", "1ms")};
  const rate = amountOf(asked.iops) ?? 50_000, limit = amountOf(asked.within, "s") ?? 0.001;
  const by = state.choice("by", STATISTICS.map(({id}) => id), "mean");
  const statistic = STATISTICS.find(({id}) => id === by);
  const points = all.filter((row) => row.load_profile === load);
  const found = answersWithin(points, {rate, limit, by});
  const words = {rate: tick(rate), limit: latencyTick(limit), by: t(`within.by_${by}`)};
  return html`<div class="answers">
    ${heading({question: t("within.question", words), answer: answer(found, words, t), sub: t("within.sub", {load: load ? loadText(load, t) : ""})})}
    <div class="controls">
      ${slider({name: "iops", label: t("within.rate"), value: asked.iops, amount: rate, from: 100, to: 1e6, write: iops, state})}
      ${slider({name: "within", label: t("within.limit"), value: asked.within, amount: limit, from: 2e-5, to: 0.1, write: latency, state})}
      ${state.buttons({name: "by", label: t("within.statistic"), options: STATISTICS.map(({id, name}) => ({value: id, label: name ?? t("within.mean")})), fallback: "mean"})}
      ${groups.length > 1 ? state.select({name: "w", label: t("column.load"), options: groups.map((each) => ({value: each.value, label: partName(each, t)})), fallback: usual}) : null}
      ${loads.length > 1 ? state.select({name: "load", label: t("column.load"), options: loads.map((each) => ({value: slug(each), label: loadText(each, t)})), fallback: slug(loads[0])}) : null}
    </div>
    ${found.length ? figure({
      id: "within", question: t("within.figure", words), load: loadText(load, t), note: t("within.note"), query: "within", t, state, link,
      draw: (width) => stepCurves(points, {width, t, number, rate, limit, by, found}),
      rows: found, columns: columns({t, number, link, statistic, words})
    }) : html`<p class="note">${t("within.none")}</p>`}
  </div>`;
}

function answer(found, words, t) {
  const yes = found.filter((row) => row.answer === "yes");
  if (!found.length) return t("within.none");
  if (!yes.length) {
    const best = found.filter((row) => row.best).toSorted((a, b) => b.best.operations_per_second - a.best.operations_per_second)[0];
    return best ? t("within.answer_none", {...words, drive: best.short_name, best: iops(best.best.operations_per_second)}) : t("within.answer_nothing", words);
  }
  return t.rich("within.answer", {...words, count: found.length, yes: html`<b class="key">${t("within.of", {yes: yes.length, count: found.length})}</b>`, unknown: found.filter((row) => row.answer === "unknown").length});
}

const STEPS = 200;
function slider({name, label, value, amount, from, to, write, state}) {
  const at = Math.round(Math.log(amount / from) / Math.log(to / from) * STEPS);
  const field = html`<input type="text" id=${`state-${name}`} name=${name} value=${value} autocomplete="off" spellcheck="false">`;
  field.onchange = () => state.set({[name]: field.value}, {push: false});
  const range = html`<input type="range" id=${`range-${name}`} aria-label=${label} min="0" max=${STEPS} value=${Math.min(STEPS, Math.max(0, at))}>`;
  range.onchange = () => state.set({[name]: write(from * (to / from) ** (range.value / STEPS), {digits: 2}).replaceAll(/\s/g, "").replace("µ", "u")}, {push: false});
  return html`<label class="control scripted amount"><span>${label}</span>${field}${range}</label>`;
}

const columns = ({statistic, words, ...page}) => {
  const {t} = page, {text, num, ...c} = cells(page);
  const best = (id, label, key, format, more) => num(id, label, (row) => row.best?.[key], format, more);
  return [
    c.drive(), text("answer", t("within.question", words), (row) => ["yes", "unknown", "no"].indexOf(row.answer), {value: (row) => t(`within.${row.answer}`)}),
    best("rate", t("within.highest"), "operations_per_second", (value, {best: its}) => html`<a href=${page.number("p", its.point_id)}>${its.is_bound ? "≥ " : ""}${iops(value)}</a>`, {unit: "IOPS"}),
    best("depth", t("axis.queue_depth"), "queue_depth"), best("mean", t("axis.latency_mean"), "latency_mean_seconds", latency), best("p999", "p99.9", "p999_seconds", latency),
    {id: "why", label: t("column.reason"), value: (row) => row.best?.engine ?? (row.answer === "unknown" ? t(`within.why_${row.why}`, {statistic: statistic.name ?? t("within.mean")}) : null)}
  ];
};

const STATISTICS = [{id: "mean", column: "latency_mean_seconds"}, {id: "p99", name: "p99", column: "p99_seconds"}, {id: "p999", name: "p99.9", column: "p999_seconds"}];

// "50k", "1.5 M" -> a number; with a unit "1ms", "200us" -> seconds; null where it is no amount above zero.
const SIZES = {"": 1, k: 1e3, m: 1e6, g: 1e9}, PARTS = {s: 1, ms: 1e3, us: 1e6, "µs": 1e6};
function amountOf(text, unit = null) {
  const [, digits, suffix] = /^\s*(\d+(?:[.,]\d+)?)\s*([a-zµ]*)\s*$/.exec(String(text).toLowerCase().replace("μ", "µ")) ?? [];
  const size = (unit ? PARTS : SIZES)[suffix ?? ""];
  const amount = digits == null || size == null ? null : unit ? Number(digits.replace(",", ".")) / size : Number(digits.replace(",", ".")) * size;
  return amount > 0 ? amount : null;
}

// A row per drive: the highest IOPS within the limit as `best`, and an answer; "unknown" if not reported, only at depth 1, or host-limited below.
function answersWithin(points, {rate, limit, by}) {
  const {column} = STATISTICS.find(({id}) => id === by);
  const order = {yes: 0, unknown: 1, no: 2};
  return Array.from(Map.groupBy(points, (row) => row.device_id).values(), (of) => {
    const withValue = of.filter((row) => row[column] != null);
    const inside = withValue.filter((row) => row[column] <= limit);
    const best = inside.reduce((most, row) => most == null || row.operations_per_second > most.operations_per_second ? row : most, null);
    const why = !withValue.length ? "statistic" : of.every((row) => row.queue_depth === 1) ? "depth" : best?.is_bound ? "bound" : null;
    const {device_id, short_name, media_class, interface_protocol} = of[0];
    return {device_id, short_name, media_class, interface_protocol, best, why, answer: best?.operations_per_second >= rate ? "yes" : why && (best || why === "statistic") ? "unknown" : "no"};
  }).sort((a, b) => order[a.answer] - order[b.answer] || (b.best?.operations_per_second ?? 0) - (a.best?.operations_per_second ?? 0) || (a.device_id < b.device_id ? -1 : 1));
}

function stepCurves(points, {width, t, number, rate, limit, by, found}) {
  const {column, name} = STATISTICS.find(({id}) => id === by);
  const narrow = isNarrow(width);
  const withValue = points.filter((row) => row[column] != null);
  if (!withValue.length) return svg`<svg class="chart" width="0" height="0"></svg>`;
  const [left, right, top, bottom] = narrow ? [44, width - 10, 12, 300] : [64, width - 190, 16, 440];
  const x = logScale([limit, ...withValue.map((row) => row[column])], [left, right], {below: 1.3});
  const y = logScale([rate, ...withValue.map((row) => row.operations_per_second)], [bottom, top], {below: 1.5, above: 1.3});
  const taken = [];
  const curves = found.map(({device_id, answer, short_name, media_class}) => {
    const steps = [];
    for (const row of withValue.filter((each) => each.device_id === device_id).toSorted((a, b) => a[column] - b[column] || a.operations_per_second - b.operations_per_second)) if (!steps.length || row.operations_per_second > steps.at(-1).operations_per_second) steps.push(row);
    if (!steps.length) return null;
    const isYes = answer === "yes";
    const color = isYes ? medium(media_class).color : "var(--ink-3)";
    const at = (row) => [x(row[column]), y(row.operations_per_second)];
    const best = steps.filter((row) => row[column] <= limit).at(-1);
    const end = y(steps.at(-1).operations_per_second);
    const isNamed = !narrow && isYes && taken.length < NAMED && taken.every((other) => Math.abs(other - end) >= 14);
    if (isNamed) taken.push(end);
    return [
      svg`<path d=${`${path(steps.map(at), true)}H${right}`} fill="none" stroke=${color} stroke-width=${isYes ? 1.75 : 1} stroke-opacity=${isYes ? 0.8 : 0.5} />`,
      isNamed ? text(short_name, {x: right + 8, y: end + 4, size: 12, fill: color}) : null,
      best ? linkMark({href: number("p", best.point_id), x: at(best)[0], y: at(best)[1], width: 16, height: 16, lines: [short_name, `${best.is_bound ? "≥ " : ""}${iops(best.operations_per_second)} IOPS, ${latency(best[column])}`]}, drawSymbol({x: at(best)[0], y: at(best)[1], media_class, area: 44, color})) : null
    ];
  });
  const dashed = {stroke: "var(--accent)", width: 1.25, dash: "4 3"};
  return surface({width, height: bottom + 46, label: t("within.label")},
    svg`<rect x=${left} y=${top} width=${Math.max(0, round(x(limit) - left))} height=${Math.max(0, round(y(rate) - top))} fill="var(--accent-soft)" />`,
    axisBelow(x, {top, bottom, words: latencyTick, title: t("within.axis", {statistic: name ?? t("within.mean")})}), axisLeft(y, {left, right, words: tick}),
    line(x(limit), top, x(limit), bottom, dashed), line(left, y(rate), right, y(rate), dashed),
    curves);
}
const NAMED = 14;
