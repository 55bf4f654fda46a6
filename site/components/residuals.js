import * as Plot from "npm:@observablehq/plot";
import {html} from "npm:htl";
import {frame, hint} from "./figure.js";
import {byProfile, colorScale, medium, profileLabel} from "./media.js";

const percent = (d) => d.residual_ratio * 100;
export const signed = (ratio) => `${ratio > 0 ? "+" : ""}${(ratio * 100).toFixed(1)} %`.replace("-", "−");

// Small multiples, one per load profile: rate times latency over queue depth, minus one. Shaded: within 5 %, and within 20 %.
export function residuals(data, {width} = {}) {
  const shown = [...data].sort(byProfile);
  const low = Math.min(-25, ...shown.map(percent)) - 3;
  const high = Math.max(25, ...shown.map(percent)) + 3;
  const columns = Math.max(1, Math.floor((width + 24) / 285));
  const each = Math.floor((width - (columns - 1) * 24) / columns);
  return html`<div class="facets" style=${`grid-template-columns: repeat(${columns}, minmax(0, 1fr))`}>${
    Array.from(Map.groupBy(shown, (d) => d.load_profile), ([profile, points]) => html`<figure>
      <figcaption>${profileLabel(profile)}</figcaption>${panel(points, {width: each, domain: [low, high], deepest: 1.1 * Math.max(512, ...shown.map((d) => d.queue_depth)), profile})}</figure>`)}</div>`;
}

const panel = (points, {width, domain, deepest, profile}) => Plot.plot(frame({
  width, height: 220, marginLeft: 48, marginRight: 16, marginBottom: 40, marginTop: 26,
  label: `${profileLabel(profile)}: difference in percent between rate times latency and queue depth, by queue depth`,
  x: {type: "log", base: 2, domain: [0.85, deepest], ticks: [1, 8, 64, 512, 4096, 32768].filter((depth) => depth <= deepest), tickFormat: (d) => `${d}`, label: "Queue depth (outstanding I/Os)", labelAnchor: "center", labelArrow: "none"},
  y: {domain, ticks: 5, grid: true, label: "Off by (%)", labelArrow: "none", tickFormat: (d) => `${d}`.replace("-", "−")},
  color: colorScale,
  marks: [
    Plot.rect([20, 5], {x1: 0.85, x2: deepest, y1: (d) => -d, y2: (d) => d, fill: "var(--accent)", fillOpacity: 0.08}),
    Plot.ruleY([0], {stroke: "var(--ink-3)"}),
    Plot.dot(points, {x: "queue_depth", y: percent, symbol: "media_class", r: 4, stroke: (d) => medium(d.media_class).color, strokeWidth: 1.5, fill: (d) => Math.abs(d.residual_ratio) <= 0.05 ? medium(d.media_class).color : "var(--surface)",
      ariaLabel: (d) => `Queue depth ${d.queue_depth}: ${signed(d.residual_ratio)}`}),
    hint(points, {x: "queue_depth", y: percent, title: (d) => `Queue depth ${d.queue_depth}, run ${d.repetition_index ?? 1}: ${signed(d.residual_ratio)}\n${d.configuration_id}`})
  ]
}));
