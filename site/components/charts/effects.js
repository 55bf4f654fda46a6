import {symbol, symbolCircle, symbolSquare} from "d3";
import {svg} from "htl";
import {quotient} from "../format.js";
import {linked} from "../marks.js";
import {isNarrow, line, surface, text} from "./draw.js";
import {cut, logarithmic} from "./plane.js";

const SERIES = {
  random: ["var(--accent)", symbolCircle], sequential: ["var(--m-ssd_sas)", symbolSquare], operations: ["var(--accent)", symbolCircle]
};
const NAMES = 330;

// A row per changed setting, a symbol per measurement {row, value, series, hollow, words, href}, on a log axis of ratios.
export function effects(data, {width, t}) {
  const rows = [...new Set(data.map((d) => d.row))];
  const narrow = isNarrow(width);
  const [left, each, top] = narrow ? [4, 44, 12] : [NAMES, 28, 8];
  const bottom = top + rows.length * each;
  const {scale: x, ticks} = logarithmic([0.8, 1.25, ...data.map((d) => d.value)], [left + 12, width - 16]);
  const y = (row) => top + (rows.indexOf(row) + (narrow ? 0.68 : 0.5)) * each;
  return surface({width, height: bottom + 44, label: t("effects.label", {count: data.length})},
    ticks.map((tick) => [
      line(x(tick), top, x(tick), bottom, {stroke: tick === 1 ? "var(--ink-3)" : "var(--line)", width: tick === 1 ? 1.5 : 1}),
      text(`${tick} ×`, {x: x(tick), y: bottom + 16, anchor: "middle", size: 12.5, fill: "var(--ink-2)"})
    ]),
    text(t("effects.axis"), {x: (left + width) / 2, y: bottom + 36, anchor: "middle", size: 12.5, weight: 600, fill: "var(--ink-2)"}),
    rows.map((row) => narrow
      ? text(cut(row, width - 8), {x: 4, y: y(row) - 16, halo: true})
      : text(cut(row, NAMES - 20), {x: NAMES - 12, y: y(row) + 4.5, anchor: "end"})),
    data.map((d) => mark(d, x(d.value), y(d.row))));
}

function mark(d, x, y) {
  const [color, shape] = SERIES[d.series] ?? ["var(--ink-2)", symbolCircle];
  return linked({href: d.href, lines: [d.words], x, y}, svg`<path transform=${`translate(${x.toFixed(1)},${y.toFixed(1)})`} d=${symbol(shape, 64)()} fill=${d.hollow ? "var(--surface)" : color} stroke=${color} stroke-width="1.75"/>`);
}

// How many of the changes made it faster, how many slower, and the largest.
export function effectsAnswer(data, {t}) {
  if (!data.length) return [t("effects.none")];
  const most = data.reduce((far, d) => Math.abs(Math.log(d.value)) > Math.abs(Math.log(far.value)) ? d : far);
  return [t("effects.answer", {count: data.length, faster: data.filter((d) => d.value > 1.05).length, slower: data.filter((d) => d.value < 1 / 1.05).length, most: quotient(most.value), row: most.row})];
}
