import * as Plot from "npm:@observablehq/plot";
import {html} from "npm:htl";
import {latency, microseconds, quantities, tick} from "./format.js";
import {decades, frame, hint} from "./figure.js";
import {byProfile, colorScale, medium, profileLabel} from "./media.js";
import {numberLink} from "./number.js";

const series = (d) => `${d.submission_id} ${d.configuration_id} ${d.section}`;
const named = new Set([1, 4, 16, 64, 256]);

// Small multiples, one per load profile, with one scale for all: rate against mean latency, joined by queue depth. A
// hollow point costs latency for nothing.
export function tradeoffs(data, {width, quantity = "operations_per_second"} = {}) {
  const {value} = quantities[quantity];
  const shown = data.filter((d) => value(d) > 0).sort(byProfile);
  const scales = {x: decades(shown.map((d) => microseconds(d.latency_mean_seconds))), y: decades(shown.map(value))};
  const columns = Math.max(1, Math.floor((width + 24) / 285));
  const each = Math.floor((width - (columns - 1) * 24) / columns);
  return html`<div class="facets" style=${`grid-template-columns: repeat(${columns}, minmax(0, 1fr))`}>${
    Array.from(Map.groupBy(shown, (d) => d.load_profile), ([profile, points]) => html`<figure>
      <figcaption>${profileLabel(profile)}</figcaption>${panel(points, {width: each, quantity, profile, ...scales})}</figure>`)}</div>`;
}

function panel(points, {width, quantity, profile, x, y}) {
  const {label, value, text} = quantities[quantity];
  const color = (d) => medium(d.media_class).color;
  const at = {x: (d) => microseconds(d.latency_mean_seconds), y: value};
  return Plot.plot(frame({
    width, height: 250, marginLeft: 48, marginRight: 18, marginBottom: 40, marginTop: 26,
    label: `${profileLabel(profile)}: ${label} against mean latency in microseconds`,
    x: {...x, ticks: x.ticks.filter((d) => Math.log10(d) % 1 === 0), label: "Mean latency (µs)", labelAnchor: "center", labelArrow: "none", grid: true, tickFormat: tick},
    y: {...y, grid: true, tickFormat: tick, label, labelArrow: "none"},
    color: colorScale,
    marks: [
      Plot.line(points, {...at, z: series, stroke: "media_class", strokeWidth: 1.5, strokeOpacity: 0.6}),
      Plot.dot(points, {...at, symbol: "media_class", stroke: color, strokeWidth: 1.75, r: 4.5, fill: (d) => d.is_efficient ? color(d) : "var(--surface)", href: (d) => numberLink(d, quantity),
        ariaLabel: (d) => `${d.device}, queue depth ${d.queue_depth}: ${text(value(d))} at ${latency(d.latency_mean_seconds)}`}),
      Plot.text(points.filter((d) => named.has(d.queue_depth)), {...at, text: "queue_depth", dy: 13, dx: 6, fill: "var(--ink-3)", fontSize: 11}),
      hint(points, {...at, title: (d) => `${d.device} (${d.configuration_id})\nQueue depth ${d.queue_depth}: ${text(value(d))} at ${latency(d.latency_mean_seconds)}\n${d.is_efficient ? `${Math.round(d.share_of_peak_ratio * 100)} % of the peak` : "another depth gives as much with less latency"}`})
    ]
  }));
}
