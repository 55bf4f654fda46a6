import * as Plot from "@observablehq/plot";
import {html} from "htl";
import {count} from "../format.js";
import {byLoad, loadText} from "../loads.js";
import {medium} from "../media.js";

const NEAR = 0.05;
const percent = (d) => d.residual_ratio * 100;
const signed = (value) => `${value > 0 ? "+" : ""}${value.toFixed(1)} %`.replace("-", "−");

// Small multiples, one per load: rate times latency over queue depth, minus one. Shaded: within 5 %, and within 20 %.
export function residuals(data, {width, t}) {
  const shown = [...data].sort(byLoad);
  const domain = [Math.min(-25, ...shown.map(percent)) - 3, Math.max(25, ...shown.map(percent)) + 3];
  const columns = Math.max(1, Math.floor((width + 24) / 285));
  const each = Math.floor((width - (columns - 1) * 24) / columns);
  const deepest = 1.1 * Math.max(512, ...shown.map((d) => d.queue_depth));
  return html`<div class="facets" style=${`grid-template-columns: repeat(${columns}, minmax(0, 1fr))`}>${
    Array.from(Map.groupBy(shown, (d) => d.load_profile), ([profile, points]) => html`<div><p class="facet">${loadText(profile, t)}</p>${panel(points, {width: each, domain, deepest, profile, t})}</div>`)}</div>`;
}

// One picture with one name: what its parts are called says nothing to a reader.
function named(drawn) {
  drawn.setAttribute("role", "img");
  for (const part of drawn.querySelectorAll("g[aria-label]")) part.removeAttribute("aria-label");
  return drawn;
}

const panel = (points, {width, domain, deepest, profile, t}) => named(Plot.plot({
  width, height: 220, marginLeft: 48, marginRight: 16, marginBottom: 46, marginTop: 28, style: {background: "none", fontSize: "12px", fontFamily: "inherit"},
  ariaLabel: t("residuals.label", {load: loadText(profile, t)}),
  x: {type: "log", base: 2, domain: [0.85, deepest], ticks: [1, 8, 64, 512, 4096, 32768].filter((depth) => depth <= deepest), tickFormat: (d) => `${d}`, label: t("residuals.depth"), labelAnchor: "center", labelArrow: "none", labelOffset: 38},
  y: {domain, ticks: 5, grid: true, label: t("residuals.off"), labelArrow: "none", tickFormat: (d) => `${d}`.replace("-", "−")},
  marks: [
    Plot.rect([20, 5], {x1: 0.85, x2: deepest, y1: (d) => -d, y2: (d) => d, fill: "var(--accent)", fillOpacity: 0.08}),
    Plot.ruleY([0], {stroke: "var(--ink-3)"}),
    Plot.dot(points, {
      x: "queue_depth", y: percent, symbol: (d) => medium(d.media_class).type, r: 4, stroke: (d) => medium(d.media_class).color, strokeWidth: 1.5,
      fill: (d) => Math.abs(d.residual_ratio) <= NEAR ? medium(d.media_class).color : "var(--surface)",
      title: (d) => t("residuals.point", {depth: d.queue_depth, run: d.repetition_index ?? 1, off: signed(percent(d)), configuration: d.configuration_id})
    })
  ],
  symbol: {type: "identity"}
}));

// How many runs keep the law, and how far the furthest is off.
export function residualsAnswer(data, {t}) {
  if (!data.length) return [t("residuals.none")];
  const near = data.filter((d) => Math.abs(d.residual_ratio) <= NEAR).length;
  const furthest = data.reduce((most, d) => Math.abs(d.residual_ratio) > Math.abs(most.residual_ratio) ? d : most);
  return [t("residuals.answer", {near: count(near), all: count(data.length), off: signed(percent(furthest)), load: loadText(furthest.load_profile, t), depth: furthest.queue_depth})];
}
