import * as Plot from "npm:@observablehq/plot";
import {frame, hint} from "./figure.js";
import {profileLabel} from "./media.js";

const rowOf = (d) => `${profileLabel(d.load_profile)}: ${d.title}`;
const words = (d) => [rowOf(d), d.verdict === "not_saturated" ? `no knee up to depth ${d.queue_depth_high}` : d.queue_depth_before == null ? `knee at depth ${d.queue_depth_knee} or below` : `knee above depth ${d.queue_depth_before}, at most ${d.queue_depth_knee}`, `peak at depth ${d.queue_depth_peak}`, d.section].join("\n");

// One row per sweep on an axis of queue depths: the depths that were measured, where the knee lies between, the peak.
export function knees(data, {width} = {}) {
  const rows = data.map((d) => ({...d, row: `${rowOf(d)}\u200b${d.section}\u200b${d.configuration_id}`}));
  const deepest = Math.max(512, ...rows.map((d) => d.queue_depth_high));
  const narrow = width < 640;
  const found = rows.filter((d) => d.verdict !== "not_saturated");
  const name = (row) => row.split("\u200b")[0];
  return Plot.plot(frame({
    width, height: rows.length * (narrow ? 60 : 38) + 62, marginLeft: narrow ? 14 : 290, marginRight: 24, marginTop: narrow ? 36 : 12, marginBottom: 42,
    label: "Range plot: queue depth of the knee and of the peak of each sweep, log axis",
    x: {type: "log", base: 2, domain: [0.9, deepest * 1.1], ticks: Array.from({length: Math.floor(Math.log2(deepest)) + 1}, (_, i) => 2 ** i).filter((_, i) => !narrow || i % 3 === 0), tickFormat: (d) => `${d}`, grid: true, label: "Queue depth (outstanding I/Os)", labelAnchor: "center", labelArrow: "none"},
    y: {type: "point", domain: rows.map((d) => d.row), axis: null, padding: 0.6},
    marks: [
      narrow
        ? Plot.text(rows, {y: "row", text: (d) => name(d.row), frameAnchor: "left", lineAnchor: "bottom", dy: -13, lineWidth: width / 13, fill: "var(--ink-2)", stroke: "var(--surface)", strokeWidth: 4})
        : Plot.axisY({tickSize: 0, label: null, tickFormat: name, lineWidth: 23, fill: "var(--ink-2)"}),
      Plot.ruleY(rows, {y: "row", x1: "queue_depth_low", x2: "queue_depth_high", stroke: "var(--line-strong)", strokeWidth: 1.5}),
      Plot.ruleY(found, {y: "row", x1: (d) => d.queue_depth_before ?? d.queue_depth_low, x2: "queue_depth_knee", stroke: "var(--accent)", strokeWidth: 7, strokeOpacity: 0.55, strokeLinecap: "round"}),
      Plot.dot(found, {x: "queue_depth_knee", y: "row", r: 5.5, fill: "var(--accent)", stroke: "var(--surface)", ariaLabel: words}),
      Plot.dot(rows, {x: "queue_depth_peak", y: "row", r: 6, symbol: "diamond", stroke: "var(--m-ssd_sas)", strokeWidth: 2, ariaLabel: (d) => `${rowOf(d)}: peak at depth ${d.queue_depth_peak}`}),
      hint(rows, {x: (d) => d.queue_depth_knee ?? d.queue_depth_peak, y: "row", title: words})
    ]
  }));
}
