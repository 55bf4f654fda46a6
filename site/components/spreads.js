import * as Plot from "npm:@observablehq/plot";
import {frame, hint} from "./figure.js";
import {profileLabel} from "./media.js";

// Variation of the repetitions by queue depth, one panel per load profile, all on the same scales.
export function spreads(data, {width} = {}) {
  const shown = data.filter((d) => d.variation_ratio != null);
  const profiles = [...new Set(shown.map((d) => d.load_profile))];
  const value = (d) => d.variation_ratio * 100;
  const depths = [...new Set(shown.map((d) => d.queue_depth))].sort((a, b) => a - b);
  return Plot.plot(frame({
    width, height: profiles.length * 96 + 60, marginLeft: 48, marginRight: 16, marginTop: 24, marginBottom: 42,
    label: "Dot plot: variation of repetitions in percent by queue depth, one panel per load profile",
    x: {type: "log", base: 2, label: "Queue depth (outstanding I/Os)", labelAnchor: "center", labelArrow: "none", ticks: width < 520 ? depths.filter((_, i) => i % 3 === 0) : depths, tickFormat: "d"},
    y: {label: "Variation (%)", labelArrow: "none", ticks: 3, grid: true, zero: true, nice: true},
    fy: {domain: profiles, axis: null, padding: 0.3},
    marks: [
      Plot.ruleX(shown, {x: "queue_depth", y: value, fy: "load_profile", stroke: "var(--accent)", strokeWidth: 2}),
      Plot.dot(shown, {x: "queue_depth", y: value, fy: "load_profile", fill: "var(--accent)", stroke: "var(--surface)", r: 4.5}),
      Plot.text(profiles, {fy: (d) => d, text: profileLabel, frameAnchor: "top-right", dy: -14, fill: "var(--ink)", fontWeight: 600}),
      hint(shown, {x: "queue_depth", y: value, title: (d) => `${profileLabel(d.load_profile)}, depth ${d.queue_depth}\n${value(d).toFixed(1)} % over ${d.repetition_count} runs`}),
      Plot.ruleY([0])
    ]
  }));
}
