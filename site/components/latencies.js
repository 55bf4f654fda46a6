import * as Plot from "npm:@observablehq/plot";
import {latency, microseconds, tick} from "./format.js";
import {decades, frame, hint} from "./figure.js";
import {byMedium, colorScale, medium} from "./media.js";

const isBound = (d) => d.value_kind === "upper_bound" || d.value_kind === "lower_bound";

// One row per device on a log axis of microseconds: filled for reads, hollow for writes, an arrow for a bound.
export function latencies(data, {width} = {}) {
  const shown = [...data].sort(byMedium);
  const devices = [...new Set(shown.map((d) => d.device))];
  const narrow = width < 560;
  const fill = (d) => d.operation === "write" ? "var(--surface)" : medium(d.media_class).color;
  const x = (d) => microseconds(d.latency_seconds);
  return Plot.plot(frame({
    width, height: devices.length * (narrow ? 52 : 36) + 60, marginLeft: narrow ? 12 : 200, marginRight: 28, marginTop: narrow ? 28 : 16, marginBottom: 42,
    label: "Dot plot: stated latency of each device in microseconds, log axis",
    x: {...decades(shown.map(x)), label: "Latency (µs)", labelAnchor: "center", labelArrow: "none", grid: true, tickFormat: tick},
    y: {type: "point", domain: devices, label: null, axis: narrow ? null : "left", tickSize: 0, padding: 0.6},
    color: colorScale,
    marks: [
      Plot.ruleY(devices, {y: (d) => d, stroke: "var(--line)"}),
      narrow ? Plot.text(devices, {y: (d) => d, text: (d) => d, frameAnchor: "left", dy: -16, fill: "var(--ink-2)"}) : null,
      Plot.dot(shown.filter((d) => !isBound(d)), {x, y: "device", fill, stroke: (d) => medium(d.media_class).color, strokeWidth: 2, symbol: "media_class", r: 6, href: "href", ariaLabel: say}),
      Plot.text(shown.filter(isBound), {x, y: "device", text: (d) => d.value_kind === "upper_bound" ? "◀" : "▶", fill: (d) => medium(d.media_class).color, fontSize: 15, href: "href", ariaLabel: say}),
      hint(shown, {x, y: "device", title: say})
    ]
  }));
}

const bound = {upper_bound: "at most ", lower_bound: "at least ", approximate: "about "};
const say = (d) => [d.device, `${d.operation}: ${bound[d.value_kind] ?? ""}${latency(d.latency_seconds)}`, d.queue_depth ? `queue depth ${d.queue_depth}` : null, d.qualifier].filter(Boolean).join("\n");
