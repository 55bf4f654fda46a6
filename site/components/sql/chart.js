// A quick look at an answer: two of its columns against each other, as dots or a line. It loads what draws when it is first asked for.
import {html} from "htl";
import {numeric} from "./answer.js";

const MOST = 5000;
const isTime = ({type}) => /^(DATE|TIMESTAMP)/.test(type);

// The default chart: the first number along, the next number or time up, else the first words; null without a number.
export function usual({columns}) {
  const x = columns.findIndex(({isNumber}) => isNumber);
  if (x < 0) return null;
  const up = columns.findIndex((column, i) => i !== x && (column.isNumber || isTime(column)));
  return {x, y: up >= 0 ? up : Math.max(0, columns.findIndex(({isNumber}) => !isNumber)), isLogX: false, isLogY: false};
}

// A chart in the address, "x,y" with "l" for a log scale, and back; null where it does not fit the answer.
export const written = ({x, y, isLogX, isLogY}) => `${x}${isLogX ? "l" : ""},${y}${isLogY ? "l" : ""}`;
export function read(text, {columns}) {
  const [, x, logX, y, logY] = /^(\d+)(l?),(\d+)(l?)(?:,\w+)?$/.exec(text ?? "") ?? [];
  return columns[x] && columns[y] ? {x: Number(x), y: Number(y), isLogX: logX === "l", isLogY: logY === "l"} : null;
}

// The controls and the drawing; `onChange(chart)` is called for another choice.
export async function chart(answer, chosen, {t, width, onChange}) {
  const {columns} = answer;
  const axis = (name, log) => {
    const field = html`<select id=${`chart-${name}`}>${columns.map((column, i) => html`<option value=${i} selected=${i === chosen[name]}>${column.name}</option>`)}</select>`;
    field.onchange = () => onChange({...chosen, [name]: Number(field.value)});
    const box = html`<input type="checkbox" id=${`chart-${log}`} checked=${chosen[log]} disabled=${!columns[chosen[name]].isNumber}>`;
    box.onchange = () => onChange({...chosen, [log]: box.checked});
    return html.fragment`<label class="control"><span>${t(`sql.chart.${name}`)}</span>${field}</label><label class="check">${box}<span>${t("sql.chart.log")}</span></label>`;
  };
  return html`<div class="card"><div class="actions">${axis("x", "isLogX")}${axis("y", "isLogY")}</div>${await drawn(answer, chosen, {t, width})}</div>`;
}

async function drawn({columns, rows}, {x, y, isLogX, isLogY}, {t, width}) {
  const Plot = await import("@observablehq/plot");
  const value = ({isNumber, type}, i) => (row) => {
    const text = row[i];
    if (text == null || isNumber) return text == null ? null : numeric(text);
    return isTime({type}) ? new Date(`${text.replace(" ", "T")}${text.length > 10 ? "Z" : ""}`) : text;
  };
  const [along, up] = [x, y].map((i) => value(columns[i], i));
  const isDrawn = (isLog, of) => (row) => of(row) != null && (!isLog || of(row) > 0);
  const data = rows.filter(isDrawn(isLogX, along)).filter(isDrawn(isLogY, up)).slice(0, MOST);
  const scale = (column, isLog) => ({label: column.name, grid: column.isNumber, ...(column.isNumber && {type: isLog ? "log" : "linear", tickFormat: "~s"})});
  const words = columns[y].isNumber || isTime(columns[y]) ? [] : data.map(up);
  const picture = Plot.auto(data, {x: along, y: up, color: "var(--accent)"}).plot({
    width, style: {fontSize: "13px", "--plot-background": "var(--surface)"}, marginLeft: words.length ? Math.min(240, 30 + 7 * Math.max(...words.map((word) => `${word}`.length))) : 60, marginBottom: 48, ariaLabel: t("sql.chart.label", {x: columns[x].name, y: columns[y].name}),
    ...(words.length && {height: Math.min(2400, 60 + 24 * new Set(words).size)}), x: scale(columns[x], isLogX), y: scale(columns[y], isLogY)
  });
  picture.setAttribute("role", "img");
  const less = data.length < rows.length ? html`<p class="small muted">${t("sql.chart.less", {shown: data.length, count: rows.length})}</p>` : "";
  return html`<div>${picture}${less}</div>`;
}
