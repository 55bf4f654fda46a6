import * as Plot from "npm:@observablehq/plot";
import {decades, frame, hint} from "./figure.js";

export const seriesColor = {random: "var(--accent)", sequential: "var(--m-ssd_sas)", IOPS: "var(--accent)", throughput: "var(--m-ssd_sas)"};
export const seriesSymbol = {random: "circle", sequential: "square", IOPS: "circle", throughput: "square"};

// Where a quotient is labelled: at 1, 2 and 5, and closer where all of them lie within a factor of four.
function scale(values) {
  const axis = decades(values);
  const [low, high] = axis.domain;
  if (high / low > 4) return axis;
  const ticks = [0.1, 1, 10, 100].flatMap((decade) => [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9].map((n) => +(n * decade).toPrecision(2)));
  return {...axis, ticks: ticks.filter((tick) => tick >= low && tick <= high)};
}

// One row per thing that was changed, one symbol per measurement, on a log axis of quotients with 1 in it: nothing
// changed. Rows of data: {row, value, series, hollow, words}. A hollow symbol is a low load.
export function effects(data, {width, label, axis} = {}) {
  const rows = [...new Set(data.map((d) => d.row))];
  const narrow = width < 640;
  const color = (d) => seriesColor[d.series] ?? "var(--ink-2)";
  return Plot.plot(frame({
    width, height: rows.length * (narrow ? 58 : 42) + 68, marginLeft: narrow ? 12 : 290, marginRight: 24, marginTop: narrow ? 30 : 14, marginBottom: 44,
    label: `Dot plot: ${label}, log axis`,
    x: {...scale([1, ...data.map((d) => d.value)]), label: axis, labelAnchor: "center", labelArrow: "none", grid: true, tickFormat: (d) => `${d}×`},
    y: {type: "point", domain: rows, axis: null, padding: 0.6},
    symbol: {domain: Object.keys(seriesSymbol), range: Object.values(seriesSymbol)},
    marks: [
      Plot.ruleX([1], {stroke: "var(--ink-3)", strokeWidth: 1.5}),
      Plot.ruleY(rows, {y: (d) => d, stroke: "var(--line)"}),
      narrow
        ? Plot.text(rows, {y: (d) => d, text: (d) => d, frameAnchor: "left", dy: -18, lineWidth: width / 13, textOverflow: "ellipsis", fill: "var(--ink-2)", stroke: "var(--surface)", strokeWidth: 4})
        : Plot.axisY({tickSize: 0, label: null, lineWidth: 22, fill: "var(--ink-2)"}),
      Plot.dot(data, {
        x: "value", y: "row", r: 5.5, symbol: "series", stroke: color, strokeWidth: 1.75,
        fill: (d) => d.hollow ? "var(--surface)" : color(d), fillOpacity: (d) => d.hollow ? 1 : 0.75, ariaLabel: "words"
      }),
      hint(data, {x: "value", y: "row", title: "words"})
    ]
  }));
}
