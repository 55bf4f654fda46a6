import * as Plot from "npm:@observablehq/plot";
import {html} from "npm:htl";
import {quantities, rangeOf, tick} from "./format.js";
import {decades, depthAxis, frame, hint} from "./figure.js";
import {byProfile, colorScale, medium, profileLabel} from "./media.js";
import {numberLink} from "./number.js";

const series = (d) => `${d.submission_id} ${d.configuration_id} ${d.section}`;
const isBound = (d) => d.value_kind === "upper_bound" || d.value_kind === "lower_bound";

// Small multiples, one per load profile, with one scale for all: a line where the depths are many, dots where a
// publication prints a few, a band from the smallest to the largest repetition, an arrow for a bound. `band` shades a range of depths.
export function sweep(data, {width, quantity = "operations_per_second", band} = {}) {
  const {value} = quantities[quantity];
  const shown = data.filter((d) => value(d) > 0).sort(byProfile);
  const values = shown.flatMap((d) => [value(d), ...rangeOf(d, quantity)].filter((v) => v > 0));
  const y = decades(values);
  const x = depthAxis(shown.map((d) => d.queue_depth));
  const columns = Math.max(1, Math.floor((width + 24) / 285));
  const each = Math.floor((width - (columns - 1) * 24) / columns);
  return html`<div class="facets" style=${`grid-template-columns: repeat(${columns}, minmax(0, 1fr))`}>${
    Array.from(Map.groupBy(shown, (d) => d.load_profile), ([profile, points]) => html`<figure>
      <figcaption>${profileLabel(profile)}</figcaption>${panel(points, {width: each, quantity, x, y, profile, band})}</figure>`)}</div>`;
}

function panel(points, {width, quantity, x, y, profile, band}) {
  const {label, value, text} = quantities[quantity];
  const long = new Set(Array.from(Map.groupBy(points, series)).filter(([, group]) => group.length >= 5).map(([key]) => key));
  const lines = points.filter((d) => long.has(series(d)) && !isBound(d));
  const exact = points.filter((d) => !isBound(d));
  const color = (d) => medium(d.media_class).color;
  return Plot.plot(frame({
    width, height: 240, marginLeft: 48, marginRight: 16, marginBottom: 40, marginTop: 26,
    label: `${profileLabel(profile)}: ${label} by queue depth`,
    x,
    y: {...y, grid: true, tickFormat: tick, label, labelArrow: "none"},
    color: colorScale,
    marks: [
      band ? Plot.rect([band], {x1: "depth_low", x2: "depth_high", y1: y.domain[0], y2: y.domain[1], fill: "var(--accent)", fillOpacity: 0.09}) : null,
      Plot.areaY(lines, {x: "queue_depth", y1: (d) => rangeOf(d, quantity)[0], y2: (d) => rangeOf(d, quantity)[1], z: series, fill: "media_class", fillOpacity: 0.18}),
      Plot.lineY(lines, {x: "queue_depth", y: value, z: series, stroke: "media_class", strokeWidth: 2}),
      Plot.dot(exact, {x: "queue_depth", y: value, symbol: "media_class", stroke: color, strokeWidth: 1.75, r: 4.5, href: (d) => numberLink(d, quantity),
        fill: (d) => d.value_kind === "approximate" ? "var(--surface)" : color(d),
        ariaLabel: (d) => `${d.device}, queue depth ${d.queue_depth}: ${text(value(d))}`}),
      Plot.text(points.filter(isBound), {x: "queue_depth", y: value, text: (d) => d.value_kind === "lower_bound" ? "▲" : "▼", fill: color, fontSize: 14, href: (d) => numberLink(d, quantity),
        ariaLabel: (d) => `${d.device}, queue depth ${d.queue_depth}: ${bound[d.value_kind]}${text(value(d))}`}),
      hint(points, {x: "queue_depth", y: value, title: (d) => tipText(d, text(value(d)))})
    ]
  }));
}

const bound = {lower_bound: "more than ", upper_bound: "less than ", approximate: "about "};
const tipText = (d, value) => `${d.device} (${d.configuration_id})\nQueue depth ${d.queue_depth}: ${bound[d.value_kind] ?? ""}${value}\n${d.repetition_count > 1 ? `geometric mean of ${d.repetition_count} repetitions` : d.section}`;
