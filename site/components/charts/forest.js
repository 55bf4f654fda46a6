// Two sides divided by each other, load by load: the quotient with its interval on a log axis, and its verdict.
import {html, svg} from "htl";
import {quotient, interval} from "../format.js";
import {shortReasons, verdictOf} from "../conditions.js";
import {linked} from "../marks.js";
import {grade} from "../table.js";
import {isNarrow, line, round, surface, text, widthOf} from "./draw.js";
import {cut, logarithmic, sentences} from "./plane.js";

// A side that was run once or twice has no interval of its own: its symbol is hollow and none is drawn.
const isMeasured = (row) => row.verdict_basis === "measured" || row.verdict_basis === "bound";
const isOpen = (row) => row.quotient_ratio == null;
const ends = (row) => isOpen(row) ? [row.low_ratio, row.high_ratio] : isMeasured(row) ? [row.low_ratio, row.high_ratio, row.quotient_ratio] : [row.quotient_ratio];

// The quotient as text; where only an end is known, that end.
export const valueText = (row) => isOpen(row) ? row.low_ratio == null && row.high_ratio == null ? "–" : interval(row.low_ratio, row.high_ratio) : quotient(row.quotient_ratio);
const intervalText = (row) => !isOpen(row) && isMeasured(row) && row.low_ratio != null && row.high_ratio != null ? interval(row.low_ratio, row.high_ratio) : "";

const pairsOf = (rows) => Array.from(Map.groupBy(rows, (row) => row.pair_id ?? `${row.a_device} ${row.b_device}`).values());
const runs = ({a_repetition_count: a, b_repetition_count: b}, t) => a === b ? t("compare.runs_each", {count: a ?? 1}) : t("compare.runs_both", {a: a ?? 1, b: b ?? 1});

// Rows of `quotients`, of one pair or of several, each with `name` and perhaps `detail`: what was asked of both.
export function forest(rows, {width, t, number}) {
  const narrow = isNarrow(width);
  const [left, right] = narrow ? [16, width - 18] : [392, 944];
  const margin = Math.max(1.0001, ...rows.map((row) => row.margin_ratio ?? 1.05));
  const {scale, ticks} = logarithmic([1, margin, 1 / margin, ...rows.flatMap(ends)], [left, right], {room: narrow ? 40 : 66});
  // on a phone a name that would lose what tells it from its neighbours has a line of its own
  const isDouble = narrow && rows.some((row) => !fits(row, roomBeside(row, width, t), 12.5));
  const step = narrow ? isDouble ? 56 : 40 : 25;
  const top = narrow ? 26 : 32;
  let y = top;
  const placed = pairsOf(rows).map((pair) => {
    const head = y;
    y += narrow ? 28 : 33;
    const its = pair.map((row) => ({row, y: (y += step) - step}));
    y += narrow ? 8 : 6;
    return {head, pair, its};
  });
  const bottom = y - 2;
  return surface({width, height: bottom + 46, label: t("forest.label", {count: rows.length})}, ...[
    svg`<rect x=${round(scale(1 / margin))} y=${top - 12} width=${round(scale(margin) - scale(1 / margin))} height=${bottom - top + 12} fill="var(--accent)" fill-opacity="0.09"/>`,
    ticks.filter((tick) => Math.abs(scale(tick) - scale(1)) > 34).map((tick) => [line(scale(tick), top - 12, scale(tick), bottom), text(t("tick.times", {n: String(tick)}), {x: scale(tick), y: bottom + 17, anchor: "middle", size: 12.5, fill: "var(--ink-2)"})]),
    line(scale(1), top - 12, scale(1), bottom, {stroke: "var(--ink-3)", width: 1.5}),
    text(t("tick.equal"), {x: scale(1), y: bottom + 17, anchor: "middle", size: 12.5, fill: "var(--ink-2)"}),
    sides(scale(1), {narrow, left, right, t}),
    text(t("forest.axis"), {x: (left + right) / 2, y: bottom + 38, anchor: "middle", size: 12.5, weight: 600, fill: "var(--ink-2)"}),
    placed.map(({head, pair, its}) => [heading({...pair[0], comparability_grade: worst(pair)}, head, {narrow, width, t}), its.map((each) => mark(each, {scale, left, right, narrow, width, t, number, isDouble}))])
  ].flat(Infinity));
}

// Which way is faster, beside the line of equal sides, where there is room.
function sides(x, {narrow, left, right, t}) {
  const [b, a] = [t("forest.b_faster"), t("forest.a_faster")];
  const minor = {y: 12, size: 12, fill: "var(--ink-3)"};
  return [
    x - widthOf(b, 12) - 8 > (narrow ? 0 : left - 90) ? text(b, {...minor, x: x - 6, anchor: "end"}) : null,
    x + widthOf(a, 12) + 8 < right + 14 ? text(a, {...minor, x: x + 6}) : null
  ];
}

// The grade of several quotients is that of the worst: C comes after A.
const worst = (pair) => pair.map((row) => row.comparability_grade).toSorted().at(-1);

const gradeColor = {A: "var(--good)", B: "var(--accent)", C: "var(--warn)"};

function heading(row, y, {narrow, width, t}) {
  const names = `${row.a_short ?? row.a_device} ÷ ${row.b_short ?? row.b_device}`;
  const all = `${names} (${row.comparability_grade}, ${runs(row, t)})`;
  if (narrow) return text(cut(widthOf(all, 13) > width ? `${names} (${row.comparability_grade})` : all, width, 13), {x: 0, y: y + 10, weight: 640});
  const size = widthOf(names, 14.5) > 600 ? 13 : 14.5;
  const start = Math.max(465, Math.min(widthOf(names, size) + 28, 620));
  const color = gradeColor[row.comparability_grade] ?? "var(--ink-3)";
  return [
    text(cut(names, 610, size), {x: 0, y: y + 12, size, weight: 640}),
    text(cut(shortReasons(row.comparability_reasons, t, 2), 1010 - start, 12.5), {x: start, y: y + 12, size: 12.5, fill: "var(--ink-3)", halo: true}),
    svg`<rect x="1033" y=${y - 2.5} width="20" height="19" rx="4" fill="var(--surface)" stroke=${color} stroke-width="1.5"/>`,
    text(row.comparability_grade, {x: 1043, y: y + 12, anchor: "middle", weight: 640, fill: color}),
    text(runs(row, t), {x: 1064, y: y + 12, size: 12.5, fill: "var(--ink-3)"})
  ];
}

function mark({row, y}, {scale, left, right, narrow, width, t, number, isDouble}) {
  const verdict = verdictOf(row, t);
  const color = verdict.who === "a" ? "var(--accent)" : verdict.who === "b" ? "var(--warn)" : "var(--ink-3)";
  const value = valueText(row);
  const name = row.detail ? `${row.name} · ${row.detail}` : row.name;
  const lines = [name, `${row.a_device} ÷ ${row.b_device}: ${[value, intervalText(row)].filter(Boolean).join(", ")}`, verdict.words, runs(row, t), t("mark.open_number")];
  const words = narrow ? [
    text(shortened(row, isDouble ? width - 4 : roomBeside(row, width, t), 12.5), {x: 4, y: y + 10, size: 12.5, halo: true}),
    svg`<text x=${width} y=${y + (isDouble ? 26 : 10)} text-anchor="end" font-size="12.5" font-weight="600" fill="var(--ink)" class="halo">${value}<tspan dx="5" fill=${color}>${verdict.short}</tspan></text>`
  ] : [
    text(shortened(row, left - 34, fitting(row, left - 34)), {x: 16, y: y + 12, size: fitting(row, left - 34)}),
    text(value, {x: 984, y: y + 12, anchor: "end", weight: 640}),
    text(intervalText(row), {x: 1056, y: y + 12, anchor: "end", size: 12.5, fill: "var(--ink-3)"}),
    text(verdict.short, {x: 1064, y: y + 12, weight: 600, fill: color})
  ];
  const href = row.pair_id && row.quotient_id ? number("q", `${row.pair_id}#${row.quotient_id.slice(0, 8)}`) : null;
  return linked({href, lines: href ? lines : lines.slice(0, -1), x: width / 2, y: y + (isDouble ? 24 : narrow ? 16 : 8), width, height: isDouble ? 56 : narrow ? 40 : 25}, [words, symbol(row, scale, isDouble ? y + 40 : narrow ? y + 24 : y + 8, color, [left, right])].flat(Infinity));
}

const fits = ({name, detail}, room, size) => widthOf([name, detail].filter(Boolean).join(" · "), size) <= room;
const fitting = (row, room) => fits(row, room, 13) ? 13 : 11.5;
const roomBeside = (row, width, t) => width - widthOf(`${valueText(row)}  ${verdictOf(row, t).short}`, 13) - 12;

// The name of a row where there is room for a part of it: what tells it from its neighbours, the depth, is kept.
function shortened({name, detail}, room, size = 12.5) {
  if (!detail) return cut(name, room, size);
  const whole = `${name} · ${detail}`;
  return widthOf(whole, size) <= room ? whole : `${cut(name, room - widthOf(` · ${detail}`, size), size)} · ${detail}`;
}

// The interval as a line with caps, the quotient as a dot; an end that is not known is an arrow.
function symbol(row, scale, y, color, [left, right]) {
  const ray = (x1, x2) => line(x1, y, x2, y, {stroke: color, width: 2.5});
  const cap = (x) => line(x, y - 5, x, y + 5, {stroke: color, width: 2});
  const dot = (x, hollow) => svg`<circle cx=${round(x)} cy=${y} r=${hollow ? 4.5 : 5.5} fill=${hollow ? "var(--surface)" : color} stroke=${color} stroke-width=${hollow ? 1.75 : 0} />`;
  const arrow = (x, sign) => svg`<path d=${`M${round(x)},${y}h${sign * 16}m${-4 * sign},-4l${4 * sign},4l${-4 * sign},4`} fill="none" stroke=${color} stroke-width="1.75"/>`;
  const {low_ratio: low, high_ratio: high} = row;
  if (isOpen(row)) {
    if (low == null && high == null) return null;
    if (low != null && high != null) return [ray(scale(low), scale(high)), cap(scale(low)), cap(scale(high))];
    return [arrow(scale(low ?? high), low == null ? -1 : 1), dot(scale(low ?? high), true)];
  }
  const x = scale(row.quotient_ratio);
  if (!isMeasured(row)) return dot(x, true);
  return [ray(low == null ? left : scale(low), high == null ? right : scale(high)), low == null ? null : cap(scale(low)), high == null ? null : cap(scale(high)), dot(x, false)];
}

// What the rows say, in one or two sentences. Nothing is averaged over the loads.
export function forestAnswer(rows, {t}) {
  if (!rows.length) return [t("forest.answer.none")];
  return pairsOf(rows).flatMap((pair, i) => i ? [t("sentence.space"), ...pairAnswer(pair, t)] : pairAnswer(pair, t));
}

function pairAnswer(pair, t) {
  const [a, b] = [pair[0].a_short ?? pair[0].a_device, pair[0].b_short ?? pair[0].b_device];
  const told = pair.map((row) => ({row, ...verdictOf(row, t)}));
  const sure = (who) => told.filter((each) => each.who === who && each.spread == null);
  const conditional = (who) => told.filter((each) => each.who === who && each.spread != null);
  const sentence = (found, faster, slower, key) => {
    if (!found.length) return [];
    const ratios = found.map(({row}) => row.quotient_ratio).filter((ratio) => ratio != null).map((ratio) => ratio < 1 ? 1 / ratio : ratio);
    const values = {faster, slower, count: found.length, total: pair.length};
    if (!ratios.length) return t.rich(`${key}.open`, values);
    const [low, high] = [quotient(Math.min(...ratios)), quotient(Math.max(...ratios))];
    return low === high ? t.rich(`${key}.by_one`, {...values, low}) : t.rich(`${key}.by`, {...values, low, high});
  };
  const parts = [
    sentence(sure("a"), a, b, "forest.answer.faster"), sentence(sure("b"), b, a, "forest.answer.faster"),
    sentence(conditional("a"), a, b, "forest.answer.faster_if"), sentence(conditional("b"), b, a, "forest.answer.faster_if")
  ].filter((part) => part.length);
  const equal = told.filter((each) => each.who === "equal").length;
  const open = told.filter((each) => each.who == null);
  if (equal) parts.push(t.rich("forest.answer.equal", {count: equal, total: pair.length}));
  if (open.length) parts.push(t.rich(open.length === pair.length ? "forest.answer.undecided_all" : "forest.answer.undecided", {a, b, count: open.length, total: pair.length}));
  return sentences(parts, t);
}

export const forestColumns = ({t, number}) => [
  {id: "load", label: t("column.load"), value: (row) => row.detail ? `${row.name} · ${row.detail}` : row.name, sort: (row) => row.name, head: true},
  {id: "quotient", label: t("axis.quotient"), value: (row) => row.pair_id && row.quotient_id ? html`<a href=${number("q", `${row.pair_id}#${row.quotient_id.slice(0, 8)}`)}>${valueText(row)}</a>` : valueText(row), sort: (row) => row.quotient_ratio ?? row.low_ratio ?? row.high_ratio, num: true},
  {id: "low", label: t("column.low"), value: (row) => row.low_ratio == null ? null : quotient(row.low_ratio), sort: (row) => row.low_ratio, num: true},
  {id: "high", label: t("column.high"), value: (row) => row.high_ratio == null ? null : quotient(row.high_ratio), sort: (row) => row.high_ratio, num: true},
  {id: "verdict", label: t("column.verdict"), value: (row) => verdictOf(row, t).words, sort: (row) => row.verdict},
  {id: "grade", label: t("column.grade"), value: (row) => grade(row.comparability_grade, t), sort: (row) => row.comparability_grade},
  {id: "runs", label: t("column.runs"), value: (row) => `${row.a_repetition_count ?? 1}, ${row.b_repetition_count ?? 1}`},
  {id: "place", label: t("column.section"), value: (row) => row.a_section === row.b_section ? row.a_section : `A: ${row.a_section}; B: ${row.b_section}`}
];
