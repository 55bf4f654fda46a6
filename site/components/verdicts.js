import {html} from "npm:htl";
import * as Plot from "npm:@observablehq/plot";
import {frame} from "./figure.js";

// What the disclosed data can say about a claim, from agreement to silence. No verdict says that a claim is wrong.
export const verdicts = [
  {id: "follows", label: "Follows", badge: "A", color: "var(--good)", meaning: "The printed numbers give the claim as it is worded."},
  {id: "consistent", label: "Consistent", badge: "A", color: "var(--good)", meaning: "The claim lies inside what the printed numbers allow, without being what they give."},
  {id: "follows_if", label: "Follows if", badge: "B", color: "var(--accent)", meaning: "The printed numbers give the claim under one named assumption."},
  {id: "follows_in_part", label: "Follows in part", badge: "B", color: "var(--accent)", meaning: "The printed numbers give one end of the claim, and nothing printed bounds the other."},
  {id: "close", label: "Close", badge: "B", color: "var(--accent)", meaning: "The claim is off by at most 5 %, more or less than the printed numbers give."},
  {id: "conflicts", label: "Conflicts", badge: "C", color: "var(--warn)", meaning: "The same publication prints the same quantity otherwise elsewhere."},
  {id: "does_not_follow", label: "Does not follow", badge: "C", color: "var(--warn)", meaning: "The printed numbers give another value."},
  {id: "not_testable", label: "Not testable", badge: "quiet", color: "var(--ink-3)", meaning: "The numbers that the claim rests on are not printed, or it names no limit; it may well hold."},
  {id: "circular", label: "Circular", badge: "quiet", color: "var(--ink-3)", meaning: "The claim is its own operand."}
];

// What a reader should know before the verdicts, and below them.
export const fairness = "A verdict is about arithmetic on disclosed data, not about the product or the author. Nothing is compared across publications. Every publisher has a right of reply, which is shown word for word beside the verdict.";
export const interval = "Below a recomputed value: the interval that the printed numbers allow.";

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
