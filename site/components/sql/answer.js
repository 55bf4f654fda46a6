import {html} from "htl";

const SHOWN = 1000;

// From five digits on whole parts are grouped: a year stays as it is.
const wholeNumber = new Intl.NumberFormat("en-US", {useGrouping: "min2"});
export function cellText(text, type) {
  if (text == null) return "null";
  if (/INT(EGER)?$|^(DECIMAL|FLOAT|DOUBLE)/.test(type)) return text.replace(/\d+/, (whole) => wholeNumber.format(BigInt(whole)));
  return /^TIMESTAMP WITH TIME ZONE$/.test(type) ? text.replace(/\+00(:00)?$/, " UTC") : text;
}

export function answerTable(answer, t) {
  const rows = answer.rows.slice(0, SHOWN);
  const caption = rows.length < answer.rows.length ? t("sql.rows.first", {shown: rows.length, count: answer.rows.length}) : t("sql.rows.all", {count: answer.rows.length});
  return html`<div class="card answer"><div class="table tall" id="answer-rows" tabindex="0" role="region" aria-label=${caption}><table>
    <caption><span>${caption}</span></caption>
    <thead><tr>${answer.columns.map(({name, type, isNumber}) => html`<th scope="col" class=${isNumber ? "num" : ""}><span title=${type}>${name}</span></th>`)}</tr></thead>
    <tbody>${rows.map((cells) => html`<tr>${cells.map((value, i) => cell(value, answer.columns[i]))}</tr>`)}</tbody>
  </table></div></div>`;
}

function cell(value, {type, isNumber}) {
  const text = cellText(value, type);
  return html`<td class=${[isNumber && "num", value == null && "none"].filter(Boolean).join(" ")} title=${value == null || text === value ? null : value}>${text}</td>`;
}

const quoteCell = (text) => text == null ? "" : /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
export const csv = ({columns, rows}) => [columns.map(({name}) => name), ...rows].map((cells) => `${cells.map(quoteCell).join(",") || '""'}\n`).join("");
