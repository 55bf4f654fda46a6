import {symbol, symbolCircle, symbolSquare} from "d3";
import {svg} from "htl";
import {quotient} from "../format.js";
import {linked} from "../marks.js";
import {line, logScale, round, rowChart} from "./draw.js";

const SERIES = {
  random: ["var(--accent)", symbolCircle], sequential: ["var(--m-ssd_sas)", symbolSquare], operations: ["var(--accent)", symbolCircle]
};

// A row per changed setting, a symbol per measurement {row, value, series, hollow, words, href}, on a log axis of ratios.
export function effects(data, {width, t}) {
  return rowChart({
    width, label: t("effects.label", {count: data.length}), behind: ([x], top, bottom) => line(x(1), top, x(1), bottom, {stroke: "var(--ink-3)", width: 1.5}),
    axes: [{scale: (range) => logScale([0.8, 1.25, ...data.map((d) => d.value)], range), words: (tick) => t("tick.times", {n: String(tick)}), title: t("effects.axis")}],
    groups: [{rows: Array.from(Map.groupBy(data, (d) => d.row), ([name, its]) => ({name, marks: (y, [x]) => its.map((d) => mark(d, x(d.value), y))}))}]
  });
}

function mark(d, x, y) {
  const [color, shape] = SERIES[d.series] ?? ["var(--ink-2)", symbolCircle];
  return linked({href: d.href, lines: [d.words], x, y}, svg`<path transform=${`translate(${round(x)},${round(y)})`} d=${symbol(shape, 64)()} fill=${d.hollow ? "var(--surface)" : color} stroke=${color} stroke-width="1.75"/>`);
}

// How many of the changes made it faster, how many slower, and the largest.
export function effectsAnswer(data, {t}) {
  if (!data.length) return [t("effects.none")];
  const most = data.reduce((far, d) => Math.abs(Math.log(d.value)) > Math.abs(Math.log(far.value)) ? d : far);
  return [t("effects.answer", {count: data.length, faster: data.filter((d) => d.value > 1.05).length, slower: data.filter((d) => d.value < 1 / 1.05).length, most: quotient(most.value), row: most.row})];
}
