import {html, svg} from "npm:htl";
import * as Plot from "npm:@observablehq/plot";
import {symbolScale} from "./media.js";

// A chart in its card: what it asks, the chart, its conditions, the same numbers as a table, and the query behind both.
export function figure({title, legend, chart, note, table, query, base = "."}) {
  return html`<figure class="card figure">
    <div class="figure-head"><h3>${title}</h3></div>
    ${legend ?? null}
    ${chart}
    ${table ? html`<details class="data"><summary>Show the numbers as a table</summary>${table}</details>` : null}
    <figcaption class="figure-foot">${note ? html`<p>${note}</p>` : null}${query ? html`<a href=${`${base}/sql?query=${query}`}>SQL of this figure</a>` : null}</figcaption>
  </figure>`;
}

// What the symbols of a chart mean. Entries: {label, color, symbol, hollow}.
export const legend = (entries) => html`<div class="legend">${entries.map(({label, color, symbol, hollow}) =>
  html`<span>${glyph(symbol, color, hollow)}${label}</span>`)}</div>`;

export const mediumLegend = (media) => legend(media.map(({label, color, symbol}) => ({label, color, symbol})));

function glyph(symbol, color, hollow) {
  if (symbol === "dash") return svg`<svg viewBox="-7 -7 14 14" aria-hidden="true"><path d="M-7 0H7" stroke=${color} stroke-width="2" stroke-dasharray="3 2"/></svg>`;
  if (symbol === "bold") return svg`<svg viewBox="-7 -7 14 14" aria-hidden="true"><path d="M-7 0H7" stroke=${color} stroke-width="3.5"/></svg>`;
  if (symbol === "line") return svg`<svg viewBox="-7 -7 14 14" aria-hidden="true"><path d="M-7 0H7" stroke=${color} stroke-width="2"/></svg>`;
  if (symbol === "tick") return svg`<svg viewBox="-7 -7 14 14" aria-hidden="true"><path d="M0 -6V6" stroke=${color} stroke-width="2.5"/></svg>`;
  const drawn = Plot.dot([0], {x: [0], y: [0], symbol, r: 5, fill: hollow ? "none" : color, stroke: color, strokeWidth: 1.75})
    .plot({width: 14, height: 14, margin: 7, axis: null, x: {domain: [-1, 1]}, y: {domain: [-1, 1]}});
  drawn.setAttribute("aria-hidden", "true");
  return drawn;
}

// Options every chart shares: room for labels, a quiet grid, the symbols of the media.
export const frame = ({width, height, label, ...rest}) => ({
  width, height, ariaLabel: label, style: {background: "none"}, symbol: {...symbolScale, legend: false}, ...rest
});

// What a chart says about the mark nearest to the pointer, in lines short enough for the narrowest panel.
export const hint = (data, {x, y, title}) => Plot.tip(data, Plot.pointer({x, y, title, fill: "var(--surface)", stroke: "var(--line-strong)", lineWidth: 14, lineHeight: 1.35, textPadding: 10}));

// A choice of one out of few, as buttons large enough for a thumb. Use with view().
export function choices(label, options, chosen = options[0].value) {
  const name = `choice-${label.replaceAll(/\W+/g, "-").toLowerCase()}`;
  const form = html`<form><fieldset class="choices"><legend>${label}</legend>${options.map(({value, label}) =>
    html`<label><input type="radio" name=${name} value=${value} checked=${value === chosen}>${label}</label>`)}</fieldset></form>`;
  form.value = chosen;
  form.oninput = () => { form.value = new FormData(form).get(name); };
  return form;
}

// The axis of queue depths from 1 to the largest, labelled at every third power of two.
export const depthAxis = (depths) => {
  const high = Math.max(512, ...depths);
  return {type: "log", base: 2, domain: [1, high], ticks: [1, 8, 64, 512, 4096, 32768].filter((depth) => depth <= high), tickFormat: (d) => `${d}`, label: "Queue depth (outstanding I/Os)", labelAnchor: "center", labelArrow: "none"};
};

// A logarithmic axis that starts and ends at 1, 2 or 5 of a decade and is labelled there, so that the grid stays quiet:
// at every power of ten when those are more than five.
export function decades(values) {
  const step = (value, round) => {
    const decade = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].map((n) => n * decade)[round === "down" ? "findLast" : "find"]((edge) => round === "down" ? edge <= value * 1.0001 : edge >= value * 0.9999);
  };
  const domain = [step(Math.min(...values), "down"), step(Math.max(...values), "up")];
  const all = [];
  for (let decade = 10 ** Math.floor(Math.log10(domain[0])); decade <= domain[1]; decade *= 10) all.push(decade, 2 * decade, 5 * decade);
  const inside = all.filter((tick) => tick >= domain[0] && tick <= domain[1]);
  return {type: "log", domain, ticks: inside.length > 5 ? inside.filter((tick) => Math.log10(tick) % 1 === 0) : inside};
}
