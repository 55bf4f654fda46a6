import {html} from "npm:htl";
import {exact, quotient} from "./format.js";
import {byProfile, medium, profileLabel} from "./media.js";
import {grade} from "./table.js";

const geometricMean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

// Pairs of configurations from quotient rows: their cells by load profile, complete or not, widest gap first.
export function pairs(data) {
  const profiles = [...new Set([...data].sort(byProfile).map((d) => d.load_profile))];
  const groups = Map.groupBy(data, (d) => `${d.a_configuration_id} / ${d.b_configuration_id}`);
  const found = Array.from(groups.values(), (cells) => {
    const ratios = cells.map((d) => d.quotient_ratio);
    const complete = profiles.every((profile) => cells.some((d) => d.load_profile === profile));
    const worst = cells.reduce((a, b) => a.comparability_grade >= b.comparability_grade ? a : b);
    return {...worst, cells: new Map(cells.map((d) => [d.load_profile, d])), complete, mean: geometricMean(ratios), low: Math.min(...ratios), high: Math.max(...ratios)};
  });
  return {profiles, pairs: found.sort((a, b) => b.mean - a.mean)};
}

// Blue for faster, orange for slower, as deep as the logarithm says; at 256 times the colour is full.
function shade(ratio) {
  const depth = Math.min(1, Math.abs(Math.log2(ratio)) / 8);
  return `--shade: color-mix(in oklab, var(${ratio >= 1 ? "--better" : "--worse"}) ${(8 + depth * 50).toFixed(0)}%, var(--surface))`;
}

const cell = (d) => d
  ? html`<td class="q" style=${shade(d.quotient_ratio)} title=${`${exact(d.a_value)} / ${exact(d.b_value)} = ${exact(d.quotient_ratio)}`}>${quotient(d.quotient_ratio)}</td>`
  : html`<td class="none">–</td>`;
const summary = (ratio) => html`<td class="q" style=${shade(ratio)}>${quotient(ratio)}</td>`;

const name = (device, mediaClass) => html`<span class="medium" style=${`--c: ${medium(mediaClass).color}`}>${device}</span>`;

// The quotient table. Summaries stand only where every load profile has a quotient.
export function quotientTable(data, {caption} = {}) {
  const {profiles, pairs: found} = pairs(data);
  return html`<div class="table" tabindex="0" role="region" aria-label=${caption}><table class="quotients"><caption><span>${caption}</span></caption>
    <thead><tr><th scope="col">A against B, with grade</th>${profiles.map((profile) => html`<th scope="col" class="num">${profileLabel(profile)}</th>`)}
      <th scope="col" class="num">Smallest</th><th scope="col" class="num">Geometric<br>mean</th><th scope="col" class="num">Largest</th></tr></thead>
    <tbody>${found.map((pair) => html`<tr><th scope="row">${name(pair.a_device, pair.a_media_class)}<small>against ${pair.b_device} ${grade(pair.comparability_grade, pair.comparability_reasons)}</small></th>
      ${profiles.map((profile) => cell(pair.cells.get(profile)))}
      ${pair.complete ? [pair.low, pair.mean, pair.high].map(summary) : html`<td class="none" colspan="3">not for all load profiles</td>`}</tr>`)}</tbody>
  </table></div>`;
}
