import {html, svg} from "htl";
import {cells} from "../table.js";
import {interval, quotient, sentences} from "../format.js";
import {conditionsWords, spreadWords, verdictOf} from "../conditions.js";
import {isNarrow, line, logScale, round, rowChart, text} from "./draw.js";

// An interval is drawn where it has the spread of both sides in it; of single runs the symbol is hollow.
const isMeasured = (row) => row.verdict != null;
const isOpen = (row) => row.ratio == null;
const ends = (row) => isOpen(row) ? [row.ratio_low, row.ratio_high] : isMeasured(row) ? [row.ratio_low, row.ratio_high, row.ratio] : [row.ratio];

export const valueText = (row) => isOpen(row) ? row.ratio_low == null && row.ratio_high == null ? "–" : interval(row.ratio_low, row.ratio_high) : quotient(row.ratio);
const intervalText = (row) => !isOpen(row) && isMeasured(row) && row.ratio_low != null && row.ratio_high != null ? interval(row.ratio_low, row.ratio_high) : "";

const runs = ({a_run_count: a, b_run_count: b}, t) => a === b ? t("compare.runs_each", {count: a ?? 1}) : t("compare.runs_both", {a: a ?? 1, b: b ?? 1});
const colors = {a: "var(--accent)", b: "var(--warn)"};
const MARGIN = 1.05;

export function forest(rows, {width, t, number}) {
  const [first] = rows;
  return rowChart({
    width, label: t("forest.label", {count: rows.length}), columns: [{label: t("axis.quotient"), isStrong: true}, {label: t("mark.interval")}, {label: t("column.verdict"), isStrong: true, isStart: true, color: (row) => row.verdictColor}],
    axes: [{scale: (range) => logScale([1, MARGIN, 1 / MARGIN, ...rows.flatMap(ends)], range), words: (tick) => tick === 1 ? t("tick.equal") : t("tick.times", {n: String(tick)}), title: t("forest.axis")}],
    behind: ([x], top, bottom) => [
      svg`<rect x=${round(x(1 / MARGIN))} y=${top} width=${round(x(MARGIN) - x(1 / MARGIN))} height=${round(bottom - top)} fill="var(--accent)" fill-opacity="0.09"/>`, line(x(1), top, x(1), bottom, {stroke: "var(--ink-3)", width: 1.5}),
      isNarrow(width) ? null : [[t("forest.b_faster"), -6, "end"], [t("forest.a_faster"), 6, "start"]].map(([words, away, anchor]) => text(words, {x: x(1) + away, y: 14, anchor, size: 12, fill: "var(--ink-3)", halo: true}))
    ],
    groups: [{
      heading: {words: `${first.a_short ?? first.a_device} ÷ ${first.b_short ?? first.b_device}`, facts: [first.condition_count == null ? null : conditionsWords(first, t, 2), runs(first, t)].filter(Boolean).join("; ")},
      rows: rows.map((row) => drawRow(row, {t, number}))
    }]
  });
}

function drawRow(row, {t, number}) {
  const verdict = verdictOf(row, t);
  const color = colors[verdict.who] ?? "var(--ink-3)";
  const href = address(row, number);
  const name = row.detail ? `${row.name} · ${row.detail}` : row.name;
  const lines = [name, `${row.a_device} ÷ ${row.b_device}: ${[valueText(row), intervalText(row)].filter(Boolean).join(", ")}`, verdict.words, runs(row, t), ...href ? [t("mark.open_number")] : []];
  return {
    name: row.name, note: row.detail, texts: [valueText(row), intervalText(row), verdict.short], short: `${valueText(row)}  ${verdict.short}`, verdictColor: color,
    link: {href, lines}, marks: (y, [x]) => symbol(row, x, y, color)
  };
}

function symbol(row, scale, y, color) {
  const [left, right] = scale.range();
  const ray = (x1, x2) => line(x1, y, x2, y, {stroke: color, width: 2.5});
  const cap = (x) => line(x, y - 5, x, y + 5, {stroke: color, width: 2});
  const dot = (x, hollow) => svg`<circle cx=${round(x)} cy=${y} r=${hollow ? 4.5 : 5.5} fill=${hollow ? "var(--surface)" : color} stroke=${color} stroke-width=${hollow ? 1.75 : 0} />`;
  const arrow = (x, sign) => svg`<path d=${`M${round(x)},${y}h${sign * 16}m${-4 * sign},-4l${4 * sign},4l${-4 * sign},4`} fill="none" stroke=${color} stroke-width="1.75"/>`;
  const [low, high] = [row.ratio_low, row.ratio_high].map((end) => end == null ? null : scale(end));
  if (!isOpen(row) && !isMeasured(row)) return dot(scale(row.ratio), true);
  if (isOpen(row) && low == null && high == null) return null;
  if (isOpen(row) && (low == null || high == null)) return [arrow(low ?? high, low == null ? -1 : 1), dot(low ?? high, true)];
  return [ray(low ?? left, high ?? right), ...[low, high].filter((end) => end != null).map(cap), isOpen(row) ? null : dot(scale(row.ratio), false)];
}

export function forestAnswer(pair, {t}) {
  if (!pair.length) return [t("forest.answer.none")];
  const [a, b] = [pair[0].a_short ?? pair[0].a_device, pair[0].b_short ?? pair[0].b_device];
  const withVerdict = pair.map((row) => ({row, ...verdictOf(row, t)}));
  const sentence = (found, faster, slower, key) => {
    if (!found.length) return [];
    const ratios = found.map(({row}) => row.ratio).filter((ratio) => ratio != null).map((ratio) => ratio < 1 ? 1 / ratio : ratio);
    const values = {faster, slower, count: found.length, total: pair.length, held: spreadWords(Math.min(...found.map((each) => each.spread ?? Infinity)), t)};
    if (!ratios.length) return t.rich(`${key}.open`, values);
    const [low, high] = [quotient(Math.min(...ratios)), quotient(Math.max(...ratios))];
    return low === high ? t.rich(`${key}.by_one`, {...values, low}) : t.rich(`${key}.by`, {...values, low, high});
  };
  const decided = (who) => withVerdict.filter((each) => each.who === who);
  const ahead = (who) => withVerdict.filter((each) => each.ahead === who);
  const parts = [
    sentence(decided("a"), a, b, "forest.answer.faster"), sentence(decided("b"), b, a, "forest.answer.faster"),
    sentence(ahead("a"), a, b, "forest.answer.ahead"), sentence(ahead("b"), b, a, ahead("a").length ? "forest.answer.behind" : "forest.answer.ahead")
  ].filter((part) => part.length);
  const equal = decided("equal").length;
  const open = withVerdict.filter((each) => each.who == null && each.ahead == null);
  if (equal) parts.push(t.rich("forest.answer.equal", {count: equal, total: pair.length}));
  if (open.length) parts.push(t.rich(open.length === pair.length ? "forest.answer.undecided_all" : "forest.answer.undecided", {a, b, count: open.length, total: pair.length}));
  return sentences(parts, t);
}

const address = (row, number) => row.pair_id && row.comparison_id ? number("q", `${row.pair_id}#${row.comparison_id.slice(0, 8)}`) : null;

export const forestColumns = (page) => {
  const {t, number} = page, {text, num} = cells(page);
  return [
    text("load", t("column.load"), "name", {value: (row) => row.detail ? `${row.name} · ${row.detail}` : row.name, head: true}),
    num("quotient", t("axis.quotient"), (row) => row.ratio ?? row.ratio_low ?? row.ratio_high, (_, row) => address(row, number) ? html`<a href=${address(row, number)}>${valueText(row)}</a>` : valueText(row)),
    num("low", t("column.low"), "ratio_low", quotient), num("high", t("column.high"), "ratio_high", quotient), text("verdict", t("column.verdict"), (row) => row.verdict ?? "", {value: (row) => verdictOf(row, t).words}),
    {id: "runs", label: t("column.runs"), value: (row) => `${row.a_run_count ?? 1}, ${row.b_run_count ?? 1}`},
    text("choices", t("column.choices"), "choice_count", {value: (row) => row.choice_ratio_high / row.choice_ratio_low > 1.1 ? t("compare.choices", {count: row.choice_count, range: interval(row.choice_ratio_low, row.choice_ratio_high)}) : null}),
    {id: "place", label: t("column.section"), value: (row) => row.a_section === row.b_section ? row.a_section : `A: ${row.a_section}; B: ${row.b_section}`}
  ];
};
