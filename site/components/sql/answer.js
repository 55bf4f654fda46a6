// The answer to a query: its table, which a click on a heading sorts, and its rows as CSV.
import {html} from "htl";

const SHOWN = 1000;

// Compares two texts that DuckDB gave for values of a type: numbers by exact value, all else as text.
function compared(type) {
  if (/INT(EGER)?$/.test(type)) return (a, b) => order(BigInt(a), BigInt(b));
  if (/^DECIMAL/.test(type)) return (a, b) => order(scaled(a), scaled(b));
  if (/^(FLOAT|DOUBLE)$/.test(type)) return (a, b) => order(numeric(a), numeric(b));
  return order;
}

const order = (a, b) => a < b ? -1 : a > b ? 1 : 0;

function numeric(text) {
  const word = {inf: Infinity, "-inf": -Infinity, nan: NaN}[text];
  return word === undefined ? Number(text) : Number.isNaN(word) ? Infinity : word;
}

// A decimal without its point; all of one column have as many digits behind it.
const scaled = (text) => BigInt(text.replace(".", ""));

// Rows in the order of a column; nulls last, equal ones in the order they came. `sort` is {column, isDown} or null.
export function sorted({columns, rows}, sort) {
  if (!sort || !columns[sort.column]) return rows;
  const {column, isDown} = sort;
  const compare = compared(columns[column].type);
  return rows.map((row, i) => [row, i]).sort(([a, i], [b, j]) => {
    if (a[column] == null || b[column] == null) return (a[column] == null) - (b[column] == null) || i - j;
    return (isDown ? -1 : 1) * compare(a[column], b[column]) || i - j;
  }).map(([row]) => row);
}

export const next = (sort, column) => sort?.column !== column ? {column, isDown: false} : sort.isDown ? null : {column, isDown: true};

export function written(text, type) {
  if (text == null) return "null";
  if (/INT(EGER)?$|^(DECIMAL|FLOAT|DOUBLE)/.test(type)) return grouped(text);
  return /^TIMESTAMP WITH TIME ZONE$/.test(type) ? text.replace(/\+00(:00)?$/, " UTC") : text;
}

// From five digits on: a year stays as it is.
function grouped(text) {
  const [, sign, whole, rest] = /^(-?)(\d+)(\..*|e.*)?$/.exec(text) ?? [];
  return whole?.length > 4 ? `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${rest ?? ""}` : text;
}

export function answerTable(answer, {sort, t, onSort}) {
  const rows = sorted(answer, sort).slice(0, SHOWN);
  const caption = rows.length < answer.rows.length ? t("sql.rows.first", {shown: rows.length, count: answer.rows.length}) : t("sql.rows.all", {count: answer.rows.length});
  const heading = ({name, type, isNumber}, i) => {
    const state = sort?.column === i ? (sort.isDown ? "descending" : "ascending") : null;
    return html`<th scope="col" class=${isNumber ? "num" : ""} aria-sort=${state}><button type="button" id=${`sort-${i}`} title=${type} onclick=${() => onSort(i)}>${name}</button></th>`;
  };
  return html`<div class="card answer"><div class="table tall" id="answer-rows" tabindex="0" role="region" aria-label=${caption}><table>
    <caption><span>${caption}</span></caption>
    <thead><tr>${answer.columns.map(heading)}</tr></thead>
    <tbody>${rows.map((cells) => html`<tr>${cells.map((value, i) => cell(value, answer.columns[i]))}</tr>`)}</tbody>
  </table></div></div>`;
}

function cell(value, {type, isNumber}) {
  const text = written(value, type);
  return html`<td class=${[isNumber && "num", value == null && "none"].filter(Boolean).join(" ")} title=${value == null || text === value ? null : value}>${text}</td>`;
}

const quoted = (text) => text == null ? "" : /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
export const csv = ({columns, rows}) => [columns.map(({name}) => name), ...rows].map((cells) => `${cells.map(quoted).join(",") || '""'}\n`).join("");
