import * as Plot from "npm:@observablehq/plot";
import {html} from "npm:htl";
import {factor} from "./format.js";
import {frame, hint} from "./figure.js";
import {byProfile, profileLabel} from "./media.js";

export const topologies = {independent: "Independent drives", raid0: "RAID 0", raid1: "RAID 1", raid10: "RAID 10"};
const symbols = {independent: "circle", raid0: "square", raid1: "triangle", raid10: "diamond"};
export const topologySymbol = (topology) => symbols[topology] ?? "circle";
const offsets = {raid1: -0.16, raid0: 0, independent: 0.16, raid10: 0.3};
const at = (d) => d.drive_count + (offsets[d.topology] ?? 0);

// The load behind a factor, in words.
export const loadOf = (d) => d.queue_depth_per_drive != null
  ? `${+d.queue_depth_per_drive.toFixed(2)} outstanding I/O${d.queue_depth_per_drive === 1 ? "" : "s"} per drive`
  : d.basis === "stated" ? "as stated" : d.basis.replace("queue_depth=", "queue depth ").replace("peak", "peak of each");
const isLow = (d) => d.queue_depth_per_drive != null && d.queue_depth_per_drive <= 1;

// Small multiples, one per load profile: factor against the number of drives. The dashed line is n drives for n times
// the rate; a short line is the ideal of a mirror, a vertical tick what the source states.
export function scaling(data, {width} = {}) {
  const shown = [...data].sort(byProfile);
  const most = Math.max(4, ...shown.map((d) => d.drive_count));
  const top = Math.max(4.4, ...shown.map((d) => d.factor_ratio)) * 1.04;
  const columns = Math.max(1, Math.floor((width + 24) / 285));
  const each = Math.floor((width - (columns - 1) * 24) / columns);
  return html`<div class="facets" style=${`grid-template-columns: repeat(${columns}, minmax(0, 1fr))`}>${
    Array.from(Map.groupBy(shown, (d) => d.load_profile), ([profile, rows]) => html`<figure>
      <figcaption>${profileLabel(profile)}</figcaption>${panel(rows, {width: each, top, most, profile})}</figure>`)}</div>`;
}

function panel(rows, {width, top, most, profile}) {
  const mirrored = rows.filter((d) => d.ideal_ratio != null && d.ideal_ratio !== d.drive_count);
  const color = "var(--m-ssd_nvme)";
  return Plot.plot(frame({
    width, height: 260, marginLeft: 40, marginRight: 16, marginBottom: 40, marginTop: 26,
    label: `${profileLabel(profile)}: scaling factor by number of drives, with the ideal line`,
    symbol: {domain: Object.keys(symbols), range: Object.values(symbols)},
    x: {domain: [0.8, most + 0.5], ticks: Array.from({length: most}, (_, i) => i + 1), tickFormat: "d", label: "Drives", labelAnchor: "center", labelArrow: "none"},
    y: {domain: [0, top], grid: true, ticks: 5, label: "Rate, times one drive", labelArrow: "none"},
    marks: [
      Plot.ruleY([0], {stroke: "var(--line-strong)"}),
      Plot.line([[1, 1], [most + 0.25, most + 0.25]], {stroke: "var(--ink-3)", strokeDasharray: "4 3", strokeWidth: 1.5}),
      Plot.ruleY(mirrored, {y: "ideal_ratio", x1: (d) => at(d) - 0.14, x2: (d) => at(d) + 0.14, stroke: "var(--ink-3)", strokeWidth: 2}),
      Plot.dot(rows, {x: at, y: "factor_ratio", symbol: "topology", r: 5, stroke: color, strokeWidth: 1.75, href: "href",
        fill: (d) => isLow(d) ? "var(--surface)" : color, ariaLabel: (d) => `${topologies[d.topology]}, ${d.drive_count} drives, ${loadOf(d)}: ${factor(d.factor_ratio)}`}),
      Plot.ruleY(rows.filter((d) => d.stated_factor_ratio != null), {y: "stated_factor_ratio", x1: (d) => at(d) + 0.08, x2: (d) => at(d) + 0.26, stroke: "var(--warn)", strokeWidth: 2.5}),
      hint(rows, {x: at, y: "factor_ratio", title: (d) => tipText(d)})
    ]
  }));
}

const tipText = (d) => [`${topologies[d.topology]}, ${d.drive_count} drives`, `${loadOf(d)}: ${factor(d.factor_ratio)}`,
  d.ideal_ratio == null ? null : `ideal ${factor(d.ideal_ratio)}`, d.stated_factor_text == null ? null : `stated ${d.stated_factor_text}`].filter(Boolean).join("\n");
