import {html} from "npm:htl";
import * as Plot from "npm:@observablehq/plot";
import {frame} from "./figure.js";

// What the disclosed data can say about a claim, from agreement to silence. No verdict says that a claim is wrong.
export const verdicts = [
  {id: "follows", label: "Follows", badge: "A", color: "var(--good)", meaning: "The printed numbers give the claim within their rounding."},
  {id: "follows_if", label: "Follows if", badge: "B", color: "var(--accent)", meaning: "The printed numbers give the claim under a stated assumption."},
  {id: "close", label: "Close", badge: "B", color: "var(--accent)", meaning: "The printed numbers come near the claim, outside their rounding."},
  {id: "does_not_follow", label: "Does not follow", badge: "C", color: "var(--warn)", meaning: "The printed numbers give another value."},
  {id: "circular", label: "Circular", badge: "C", color: "var(--warn)", meaning: "The claim is its own operand."},
  {id: "not_derivable", label: "Not derivable from the disclosed data", badge: "quiet", color: "var(--ink-3)", meaning: "The numbers that the claim rests on are not printed."},
  {id: "qualitative", label: "Qualitative", badge: "quiet", color: "var(--ink-3)", meaning: "The claim states no number."}
];
const known = new Map(verdicts.map((d) => [d.id, d]));

// A verdict as a badge; the words carry the meaning, the colour repeats it.
export const verdict = (id) => html`<span class=${`badge badge-${known.get(id)?.badge ?? "quiet"}`} style="white-space: normal; line-height: 1.25" title=${known.get(id)?.meaning ?? ""}>${known.get(id)?.label ?? id}</span>`;

// One bar per verdict: {label, count, color}.
export function verdictBars(data, {width} = {}) {
  const narrow = width < 520;
  return Plot.plot(frame({
    width, height: data.length * 44 + 24, marginLeft: narrow ? 128 : 260, marginRight: 40, marginTop: 4, marginBottom: 16,
    label: `Bar chart: number of claims per verdict; ${data.map((d) => `${d.label} ${d.count}`).join(", ")}`,
    x: {axis: null}, y: {domain: data.map((d) => d.label), label: null, tickSize: 0, padding: 0.3},
    marks: [
      Plot.axisY({tickSize: 0, label: null, lineWidth: narrow ? 10 : 22}),
      Plot.barX(data, {x: "count", y: "label", fill: "color", rx: 3}),
      Plot.text(data, {x: "count", y: "label", text: (d) => `${d.count}`, dx: 8, textAnchor: "start", fill: "var(--ink)"})
    ]
  }));
}
