import {html} from "npm:htl";

// A table of rows inside a box that scrolls by itself. Columns: {label, value: row => text or node, num, head}.
// Rows that are read one by one (records) stand below each other on a narrow screen, every cell with its label; the
// roles say what it still is, because cells that are laid out as blocks lose theirs in some browsers.
export function table(rows, columns, {caption, tall = false, records = false} = {}) {
  const role = (name) => records ? name : null;
  return html`<div class=${["table", tall && "tall", records && "records"].filter(Boolean).join(" ")} tabindex="0" role="region" aria-label=${caption ?? "Table"}><table role=${role("table")}>
    ${caption ? html`<caption><span>${caption}</span></caption>` : null}
    <thead role=${role("rowgroup")}><tr role=${role("row")}>${columns.map(({label, num}) => html`<th scope="col" role=${role("columnheader")} class=${num ? "num" : ""}>${label}</th>`)}</tr></thead>
    <tbody role=${role("rowgroup")}>${rows.map((row) => html`<tr role=${role("row")}>${columns.map((column) => (records ? labelled : cell)(row, column))}</tr>`)}</tbody>
  </table></div>`;
}

const cell = (row, {value, num, head}) => head
  ? html`<th scope="row">${value(row)}</th>`
  : html`<td class=${num ? "num" : ""}>${value(row) ?? "–"}</td>`;

const labelled = (row, {label, value, num, head}) => head
  ? html`<th scope="row" role="rowheader">${value(row)}</th>`
  : html`<td role="cell" class=${num ? "num" : ""} data-label=${label}><div>${value(row) ?? "–"}</div></td>`;

// How comparable two results are: the letter says it, the title says what differs or is unknown.
export const grade = (letter, reasons) => html`<span class=${`badge badge-${letter}`} title=${reasons ?? ""}>${letter}</span>`;

// How comparable two results are, with what differs or is unknown written out below the letter.
export const graded = (letter, reasons) => html`${grade(letter)}${because(reasons)}`;

// Why a grade is what it is: what differs or is unknown.
export const because = (reasons) => html`<small class="reasons">${reasons || "nothing differs or is unknown"}</small>`;

// Where a number comes from: the configuration, and below it the conditions and the part of the publication.
export const source = (d, base = ".") => html`<a href=${`${base}/submissions/${d.submission_id}#${d.configuration_id}`}>${d.title ?? d.configuration_id}</a><small class=${d.conditions ? "reasons" : ""}>${[d.conditions, d.section].filter(Boolean).join("; ")}</small>`;
