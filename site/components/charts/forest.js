// Two sides compared, workload by workload: the ratio with its interval on a log axis, and the verdict.
import {html, svg} from "htl";
import {quotient, interval} from "../format.js";
import {conditionsWords, spreadWords, verdictOf} from "../conditions.js";
import {linked} from "../marks.js";
import {isNarrow, line, round, surface, text, widthOf, wrapped} from "./draw.js";
import {cut, logarithmic, sentences} from "./plane.js";

// An interval is drawn where it has the spread of both sides in it; of single runs the symbol is hollow.
const isMeasured = (row) => row.verdict != null;
const isOpen = (row) => row.ratio == null;
const ends = (row) => isOpen(row) ? [row.ratio_low, row.ratio_high] : isMeasured(row) ? [row.ratio_low, row.ratio_high, row.ratio] : [row.ratio];

// The ratio as text; where only an end is known, that end.
export const valueText = (row) => isOpen(row) ? row.ratio_low == null && row.ratio_high == null ? "–" : interval(row.ratio_low, row.ratio_high) : quotient(row.ratio);
const intervalText = (row) => !isOpen(row) && isMeasured(row) && row.ratio_low != null && row.ratio_high != null ? interval(row.ratio_low, row.ratio_high) : "";

const pairsOf = (rows) => Array.from(Map.groupBy(rows, (row) => row.pair_id ?? `${row.a_device} ${row.b_device}`).values());
const runs = ({a_run_count: a, b_run_count: b}, t) => a === b ? t("compare.runs_each", {count: a ?? 1}) : t("compare.runs_both", {a: a ?? 1, b: b ?? 1});

// Where the verdicts begin; longer ones begin further left, and with them all that stands at the right.
const VERDICT = 1064;

// Rows of `quotients`, of one pair or of several, each with `name` and perhaps `detail`: what was asked of both.
export function forest(rows, {width, t, number}) {
  const narrow = isNarrow(width);
  const verdicts = narrow ? 0 : Math.max(...rows.map((row) => Math.max(widthOf(verdictOf(row, t).short, 13) * 1.08, widthOf(runs(row, t), 12.5))));
  const shift = Math.max(0, VERDICT + verdicts - width);
  const [left, right] = narrow ? [16, width - 18] : [392, 944 - shift];
  const margin = 1.05;
  const {scale, ticks} = logarithmic([1, margin, 1 / margin, ...rows.flatMap(ends)], [left, right], {room: narrow ? 40 : 66});
  const layout = rowsOf(rows, {narrow, width, left, t});
  const top = narrow ? 26 : 32;
  let y = top;
  const placed = pairsOf(rows).map((pair) => {
    const head = y;
    y += narrow ? 12 + 16 * headingLines(pair[0], width, t).length : 33;
    const its = pair.map((row) => ({row, y: (y += layout.step) - layout.step}));
    y += narrow ? 8 : 6;
    return {head, pair, its};
  });
  const bottom = y - 2;
  return surface({width, height: bottom + 46, label: t("forest.label", {count: rows.length})}, ...[
    svg`<rect x=${round(scale(1 / margin))} y=${top - 12} width=${round(scale(margin) - scale(1 / margin))} height=${bottom - top + 12} fill="var(--accent)" fill-opacity="0.09"/>`,
    ticks.filter((tick) => Math.abs(scale(tick) - scale(1)) > 34).map((tick) => [line(scale(tick), top - 12, scale(tick), bottom), text(t("tick.times", {n: String(tick)}), {x: scale(tick), y: bottom + 17, anchor: "middle", size: 12.5, fill: "var(--ink-2)"})]),
    narrow ? placed.flatMap(({its}) => its.map((each) => line(scale(1), each.y + layout.step - 27, scale(1), each.y + layout.step - 4, {stroke: "var(--ink-3)", width: 1.5}))) : line(scale(1), top - 12, scale(1), bottom, {stroke: "var(--ink-3)", width: 1.5}),
    text(t("tick.equal"), {x: scale(1), y: bottom + 17, anchor: "middle", size: 12.5, fill: "var(--ink-2)"}),
    sides(scale(1), {narrow, left, right, t}),
    text(t("forest.axis"), {x: (left + right) / 2, y: bottom + 38, anchor: "middle", size: 12.5, weight: 600, fill: "var(--ink-2)"}),
    placed.map(({head, pair, its}) => [heading(pair[0], head, {narrow, width, t, shift}), its.map((each) => mark(each, {scale, left, right, narrow, width, t, number, layout, shift}))])
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

const namesOf = (row) => `${row.a_short ?? row.a_device} ÷ ${row.b_short ?? row.b_device}`;
const headingLines = (row, width, t) => wrapped(`${namesOf(row)} (${runs(row, t)})`, width / 1.06, 13);

function heading(row, y, {narrow, width, t, shift}) {
  if (narrow) return headingLines(row, width, t).map((words, i) => text(words, {x: 0, y: y + 10 + 16 * i, weight: 640, halo: true}));
  const names = namesOf(row);
  const size = widthOf(names, 14.5) > 600 ? 13 : 14.5;
  const start = Math.max(465, Math.min(widthOf(names, size) + 28, 620));
  return [
    text(cut(names, 610, size), {x: 0, y: y + 12, size, weight: 640}),
    row.condition_count == null ? null : text(cut(conditionsWords(row, t, 2), VERDICT - 16 - shift - start, 12.5), {x: start, y: y + 12, size: 12.5, fill: "var(--ink-3)", halo: true}),
    text(runs(row, t), {x: VERDICT - shift, y: y + 12, size: 12.5, fill: "var(--ink-3)"})
  ];
}

// Where the name of a row stands: beside the chart; if too long for that, on lines of its own. On a phone it is above the mark.
function rowsOf(rows, {narrow, width, left, t}) {
  const room = narrow ? width - 4 : left - 34;
  const size = narrow ? 12 : rows.every((row) => widthOf(row.name, 12.5) <= room) ? 12.5 : 11.5;
  const whole = (row) => [row.name, row.detail].filter(Boolean).join(" · ");
  const isOne = rows.every((row) => widthOf(whole(row), narrow ? 12.5 : 13) <= (narrow ? roomBeside(row, width, t) : room));
  if (isOne) return {step: narrow ? 40 : 25, size: narrow ? 12.5 : 13, below: 0, lines: (row) => [whole(row)]};
  const lines = (row) => [...wrapped(row.name, room, size), ...(row.detail ? [cut(row.detail, narrow ? roomBeside(row, width, t) : room, 11.5)] : [])];
  const most = Math.max(...rows.map((row) => lines(row).length));
  return {step: narrow ? 14 * most + 28 : Math.max(25, 15 * most + 8), size, below: most - 1, lines};
}

const roomBeside = (row, width, t) => width - widthOf(`${valueText(row)}  ${verdictOf(row, t).short}`, 13) - 12;

function mark({row, y}, {scale, left, right, narrow, width, t, number, layout, shift}) {
  const verdict = verdictOf(row, t);
  const color = verdict.who === "a" ? "var(--accent)" : verdict.who === "b" ? "var(--warn)" : "var(--ink-3)";
  const value = valueText(row);
  const name = row.detail ? `${row.name} · ${row.detail}` : row.name;
  const lines = [name, `${row.a_device} ÷ ${row.b_device}: ${[value, intervalText(row)].filter(Boolean).join(", ")}`, verdict.words, runs(row, t), t("mark.open_number")];
  const {step, size, below} = layout;
  const middle = narrow ? step - 16 : step / 2 - 4.5;
  const written = layout.lines(row);
  const named = written.map((words, i) => {
    const isDetail = i > 0 && i === written.length - 1 && Boolean(row.detail);
    return text(words, {x: narrow ? 4 : 16, y: narrow ? y + 10 + 14 * i : y + middle + 4.5 + 15 * (i - (written.length - 1) / 2), size: isDetail ? 11.5 : size, fill: isDetail ? "var(--ink-3)" : undefined, halo: narrow});
  });
  const words = narrow ? [
    named, svg`<text x=${width} y=${y + 10 + 14 * below} text-anchor="end" font-size="12.5" font-weight="600" fill="var(--ink)" class="halo">${value}<tspan dx="5" fill=${color}>${verdict.short}</tspan></text>`
  ] : [
    named,
    text(value, {x: 984 - shift, y: y + middle + 4, anchor: "end", weight: 640}),
    text(intervalText(row), {x: 1056 - shift, y: y + middle + 4, anchor: "end", size: 12.5, fill: "var(--ink-3)"}),
    text(verdict.short, {x: VERDICT - shift, y: y + middle + 4, weight: 600, fill: color})
  ];
  const href = address(row, number);
  return linked({href, lines: href ? lines : lines.slice(0, -1), x: width / 2, y: y + step / 2 - 4, width, height: step}, [words, symbol(row, scale, y + middle, color, [left, right])].flat(Infinity));
}

// The interval as a line with caps, the quotient as a dot; an end that is not known is an arrow.
function symbol(row, scale, y, color, [left, right]) {
  const ray = (x1, x2) => line(x1, y, x2, y, {stroke: color, width: 2.5});
  const cap = (x) => line(x, y - 5, x, y + 5, {stroke: color, width: 2});
  const dot = (x, hollow) => svg`<circle cx=${round(x)} cy=${y} r=${hollow ? 4.5 : 5.5} fill=${hollow ? "var(--surface)" : color} stroke=${color} stroke-width=${hollow ? 1.75 : 0} />`;
  const arrow = (x, sign) => svg`<path d=${`M${round(x)},${y}h${sign * 16}m${-4 * sign},-4l${4 * sign},4l${-4 * sign},4`} fill="none" stroke=${color} stroke-width="1.75"/>`;
  const {ratio_low: low, ratio_high: high} = row;
  if (isOpen(row)) {
    if (low == null && high == null) return null;
    if (low != null && high != null) return [ray(scale(low), scale(high)), cap(scale(low)), cap(scale(high))];
    return [arrow(scale(low ?? high), low == null ? -1 : 1), dot(scale(low ?? high), true)];
  }
  const x = scale(row.ratio);
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
  const sentence = (found, faster, slower, key) => {
    if (!found.length) return [];
    const ratios = found.map(({row}) => row.ratio).filter((ratio) => ratio != null).map((ratio) => ratio < 1 ? 1 / ratio : ratio);
    const values = {faster, slower, count: found.length, total: pair.length, held: spreadWords(Math.min(...found.map((each) => each.spread ?? Infinity)), t)};
    if (!ratios.length) return t.rich(`${key}.open`, values);
    const [low, high] = [quotient(Math.min(...ratios)), quotient(Math.max(...ratios))];
    return low === high ? t.rich(`${key}.by_one`, {...values, low}) : t.rich(`${key}.by`, {...values, low, high});
  };
  const decided = (who) => told.filter((each) => each.who === who);
  const ahead = (who) => told.filter((each) => each.ahead === who);
  const parts = [
    sentence(decided("a"), a, b, "forest.answer.faster"), sentence(decided("b"), b, a, "forest.answer.faster"),
    sentence(ahead("a"), a, b, "forest.answer.ahead"), sentence(ahead("b"), b, a, ahead("a").length ? "forest.answer.behind" : "forest.answer.ahead")
  ].filter((part) => part.length);
  const equal = decided("equal").length;
  const open = told.filter((each) => each.who == null && each.ahead == null);
  if (equal) parts.push(t.rich("forest.answer.equal", {count: equal, total: pair.length}));
  if (open.length) parts.push(t.rich(open.length === pair.length ? "forest.answer.undecided_all" : "forest.answer.undecided", {a, b, count: open.length, total: pair.length}));
  return sentences(parts, t);
}

const address = (row, number) => row.pair_id && row.comparison_id ? number("q", `${row.pair_id}#${row.comparison_id.slice(0, 8)}`) : null;

export const forestColumns = ({t, number}) => [
  {id: "load", label: t("column.load"), value: (row) => row.detail ? `${row.name} · ${row.detail}` : row.name, sort: (row) => row.name, head: true},
  {id: "quotient", label: t("axis.quotient"), value: (row) => address(row, number) ? html`<a href=${address(row, number)}>${valueText(row)}</a>` : valueText(row), sort: (row) => row.ratio ?? row.ratio_low ?? row.ratio_high, num: true},
  {id: "low", label: t("column.low"), value: (row) => row.ratio_low == null ? null : quotient(row.ratio_low), sort: (row) => row.ratio_low, num: true},
  {id: "high", label: t("column.high"), value: (row) => row.ratio_high == null ? null : quotient(row.ratio_high), sort: (row) => row.ratio_high, num: true},
  {id: "verdict", label: t("column.verdict"), value: (row) => verdictOf(row, t).words, sort: (row) => row.verdict ?? ""},
  {id: "runs", label: t("column.runs"), value: (row) => `${row.a_run_count ?? 1}, ${row.b_run_count ?? 1}`},
  {id: "choices", label: t("column.choices"), value: (row) => row.choice_ratio_high / row.choice_ratio_low > 1.1 ? t("compare.choices", {count: row.choice_count, range: interval(row.choice_ratio_low, row.choice_ratio_high)}) : null, sort: (row) => row.choice_count},
  {id: "place", label: t("column.section"), value: (row) => row.a_section === row.b_section ? row.a_section : `A: ${row.a_section}; B: ${row.b_section}`}
];
