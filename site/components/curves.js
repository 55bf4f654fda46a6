import * as Plot from "npm:@observablehq/plot";
import {frame, hint} from "./figure.js";
import {quantities, tick} from "./format.js";
import {medium} from "./media.js";

export const colors = {fit: "var(--accent)", law: "var(--m-ssd_sas)"};
export const names = {fit: "three-number curve", law: "scalability law"};

// The rate at depth N by the three numbers, X(N) = 1 / ((r / N)^s + (1 / c)^s)^(1/s) with slope 1 / r and ceiling c.
const fitAt = (d, depth) => ((d.slope_value * depth) ** -d.sharpness_value + d.ceiling_value ** -d.sharpness_value) ** (-1 / d.sharpness_value);
// By the universal scalability law, X(N) = g N / (1 + a (N - 1) + b N (N - 1)).
const lawAt = (d, depth) => d.rate_at_one_value * depth / (1 + d.contention_ratio * (depth - 1) + d.coherency_ratio * depth * (depth - 1));

// The curves of a sweep that can be drawn, each with the rate it gives at a depth.
export const curvesOf = (d) => [
  d.slope_value != null && d.ceiling_value != null ? {id: "fit", at: (depth) => fitAt(d, depth)} : null,
  d.law_verdict === "fitted" ? {id: "law", at: (depth) => lawAt(d, depth)} : null
].filter(Boolean);

// How far a curve lies from what was measured at a depth, as a share of the latter.
export const missOf = (d, curve) => curve.at(d.queue_depth) / d.rate_value - 1;
export const signed = (ratio) => `${ratio < 0 ? "−" : "+"}${(Math.abs(ratio) * 100).toFixed(1)} %`;

// One sweep: its points with a bar from the smallest to the largest repetition, the curves through them, between which
// depths the knee lies, and 95 % of the peak.
export function curves(points, {width} = {}) {
  const [first] = points;
  const {label, value, text} = quantities[first.metric];
  const scaled = (rate) => value({[first.metric]: rate});
  const drawn = curvesOf(first);
  const depths = points.map((d) => d.queue_depth);
  const [low, high] = [Math.min(...depths), Math.max(...depths)];
  const steps = [...new Set([...depths, ...Array.from({length: 97}, (_, i) => low * (high / low) ** (i / 96))])].sort((a, b) => a - b);
  const y = (d) => scaled(d.rate_value);
  const threshold = first.knee_verdict === "sweep_too_short" ? [] : [scaled(first.peak_value) * 0.95];
  const knee = first.queue_depth_knee == null ? [] : [first];
  const {color} = medium(first.media_class);
  const narrow = width < 520;
  return Plot.plot(frame({
    width, height: narrow ? 300 : 380, marginLeft: 52, marginRight: 20, marginTop: 30, marginBottom: 42,
    label: `${first.load_profile}: ${label} by queue depth, measured and by the fitted curves`,
    x: {type: "log", base: 2, domain: [low, high], ticks: narrow ? depths.filter((_, i) => i % 3 === 0) : depths, tickFormat: (d) => `${d}`, label: "Queue depth (outstanding I/Os)", labelAnchor: "center", labelArrow: "none"},
    y: {domain: [0, Math.max(...points.map((d) => scaled(d.rate_max_value ?? d.rate_value)), ...drawn.flatMap(({at}) => steps.map((depth) => scaled(at(depth)))))], nice: true, grid: true, ticks: 6, tickFormat: tick, label, labelArrow: "none"},
    marks: [
      Plot.rect(knee, {x1: (d) => d.queue_depth_before ?? low, x2: "queue_depth_knee", fill: "var(--accent)", fillOpacity: 0.12}),
      Plot.ruleY([0], {stroke: "var(--line-strong)"}),
      Plot.ruleY(threshold, {stroke: "var(--ink-3)", strokeDasharray: "5 3", strokeWidth: 1.5}),
      Plot.ruleX(points, {x: "queue_depth", y1: (d) => scaled(d.rate_min_value ?? d.rate_value), y2: (d) => scaled(d.rate_max_value ?? d.rate_value), stroke: color, strokeOpacity: 0.45, strokeWidth: 4}),
      ...drawn.map(({id, at}) => Plot.lineY(steps, {x: (depth) => depth, y: (depth) => scaled(at(depth)), stroke: colors[id], strokeWidth: 2, strokeDasharray: id === "law" ? "7 3" : null, ariaLabel: () => names[id]})),
      Plot.dot(points, {x: "queue_depth", y, r: 4.5, symbol: "media_class", fill: color, stroke: color, strokeWidth: 1.75, href: (d) => `${d.href}-${d.metric}`, ariaLabel: (d) => `queue depth ${d.queue_depth}: ${text(y(d))} measured`}),
      hint(points, {x: "queue_depth", y, title: (d) => [`Queue depth ${d.queue_depth}: ${text(y(d))}`, d.repetition_count > 1 ? `geometric mean of ${d.repetition_count} repetitions` : d.section,
        ...drawn.map((curve) => `${names[curve.id]}: ${text(scaled(curve.at(d.queue_depth)))}, ${signed(missOf(d, curve))}`)].join("\n")})
    ]
  }));
}
