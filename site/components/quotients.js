import {html} from "npm:htl";
import {exact, quotient} from "./format.js";
import {byProfile, medium, profileLabel} from "./media.js";
import {because, grade} from "./table.js";

// Pairs of configurations from quotient rows, in their order: the cells of each by load profile. The summary of a pair
// comes from the mart of summaries, which has a geometric mean only for a complete set of load profiles.
export function pairs(data) {
  const profiles = [...new Set([...data].sort(byProfile).map((d) => d.load_profile))];
  const groups = Map.groupBy(data, (d) => `${d.a_configuration_id} / ${d.b_configuration_id}`);
  const found = Array.from(groups.values(), (cells) => ({...cells[0], cells: new Map(cells.map((d) => [d.load_profile, d]))}));
  return {profiles, pairs: found};
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
    <tbody>${found.map((pair) => html`<tr><th scope="row">${name(pair.a_device, pair.a_media_class)}<small>against ${pair.b_device} ${grade(pair.summary_grade ?? pair.comparability_grade)}</small>
        <details class="why"><summary>why</summary>${pair.summary_grade ? because(pair.summary_reasons) : because(pair.comparability_reasons)}</details></th>
      ${profiles.map((profile) => cell(pair.cells.get(profile)))}
      ${pair.geomean_ratio != null ? [pair.lowest_ratio, pair.geomean_ratio, pair.highest_ratio].map(summary) : html`<td class="none" colspan="3">not for all load profiles</td>`}</tr>`)}</tbody>
  </table></div>`;
}
