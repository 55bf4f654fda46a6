import * as Plot from "npm:@observablehq/plot";
import {html} from "npm:htl";
import {latency, microseconds, tick} from "./format.js";
import {decades, depthAxis, frame, hint} from "./figure.js";
import {byProfile, medium, profileLabel} from "./media.js";

// The percentiles that are drawn, with their strokes.
export const styles = [{ratio: 0.5, strokeWidth: 3}, {ratio: 0.99, strokeWidth: 1.75}, {ratio: 0.999, strokeWidth: 1.75, strokeDasharray: "4 3"}];
export const name = (ratio) => `p${+(ratio * 100).toFixed(3)}`;

const series = (d) => `${d.submission_id} ${d.configuration_id} ${d.section}`;
const color = (d) => medium(d.media_class).color;

// Small multiples of latency percentiles by queue depth, of one configuration each: a line through the medians, a bar over the repetitions.
export function percentiles(data, {width} = {}) {
  const shown = [...data].sort(byProfile);
  const y = decades(shown.flatMap((d) => [d.latency_min_seconds, d.latency_max_seconds].map(microseconds)));
  const x = depthAxis(shown.map((d) => d.queue_depth));
  const columns = Math.max(1, Math.floor((width + 24) / 285));
  const each = Math.floor((width - (columns - 1) * 24) / columns);
  return html`<div class="facets" style=${`grid-template-columns: repeat(${columns}, minmax(0, 1fr))`}>${
    Array.from(Map.groupBy(shown, (d) => `${profileLabel(d.load_profile)}, ${d.operation}s`), ([title, points]) => html`<figure>
      <figcaption>${title}</figcaption>${panel(points, {width: each, x, y, title})}</figure>`)}</div>`;
}

const panel = (points, {width, x, y, title}) => Plot.plot(frame({
  width, height: 220, marginLeft: 48, marginRight: 16, marginBottom: 40, marginTop: 26,
  label: `${title}: latency percentiles in microseconds by queue depth`,
  x,
  y: {...y, grid: true, tickFormat: tick, label: "Completion latency (µs)", labelArrow: "none"},
  marks: [
    Plot.ruleX(points, {x: "queue_depth", y1: (d) => microseconds(d.latency_min_seconds), y2: (d) => microseconds(d.latency_max_seconds), stroke: color, strokeOpacity: 0.35, strokeWidth: 4}),
    ...styles.map(({ratio, ...style}) => Plot.lineY(points.filter((d) => d.percentile_ratio === ratio), {x: "queue_depth", y: (d) => microseconds(d.latency_seconds), z: series, stroke: color, strokeOpacity: 0.8, ...style})),
    hint(points, {x: "queue_depth", y: (d) => microseconds(d.latency_seconds),
      title: (d) => `${d.device} (${d.configuration_id})\n${name(d.percentile_ratio)} at queue depth ${d.queue_depth}: ${latency(d.latency_seconds)}\n${latency(d.latency_min_seconds)} to ${latency(d.latency_max_seconds)} over ${d.repetition_count} repetitions`})
  ]
}));
