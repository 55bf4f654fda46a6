// A quick look at an answer: two of its columns against each other. It loads what draws when it is first asked for.
import {html} from "htl";
import {numeric} from "./answer.js";

const MOST = 5000;
export const KINDS = ["dots", "line", "bars"];
const isTime = ({type}) => /^(DATE|TIMESTAMP)/.test(type);

// The default chart: the first column that is no number along, the first number up; null without a number.
export function usual({columns}) {
  const up = columns.findIndex(({isNumber}) => isNumber);
  if (up < 0) return null;
  const along = columns.findIndex((column, i) => i !== up && (column.isNumber || isTime(column)));
  if (along >= 0) return {x: up, y: along, kind: "dots", isLogX: false, isLogY: false};
  return {x: up, y: Math.max(0, columns.findIndex(({isNumber}) => !isNumber)), kind: "bars", isLogX: false, isLogY: false};
}

// A chart in the address, "x,y,kind" with "l" for a log scale, and back; null where it does not fit the answer.
export const written = ({x, y, kind, isLogX, isLogY}) => `${x}${isLogX ? "l" : ""},${y}${isLogY ? "l" : ""},${kind}`;
export function read(text, {columns}) {
  const [, x, logX, y, logY, kind] = /^(\d+)(l?),(\d+)(l?),(\w+)$/.exec(text ?? "") ?? [];
  if (!KINDS.includes(kind) || !columns[x] || !columns[y]) return null;
  return {x: Number(x), y: Number(y), kind, isLogX: logX === "l", isLogY: logY === "l"};
}

// The controls and the drawing; `onChange(chart)` is called for another choice.
export async function chart(answer, chosen, {t, width, onChange}) {
  const {columns} = answer;
  const select = (name, value, options) => {
    const field = html`<select id=${`chart-${name}`}>${options.map(([key, label]) => html`<option value=${key} selected=${`${key}` === `${value}`}>${label}</option>`)}</select>`;
    field.onchange = () => onChange({...chosen, [name]: name === "kind" ? field.value : Number(field.value)});
    return html`<label class="control"><span>${t(`sql.chart.${name}`)}</span>${field}</label>`;
  };
  const check = (name, of) => {
    const box = html`<input type="checkbox" id=${`chart-${name}`} checked=${chosen[name]} disabled=${!columns[chosen[of]].isNumber}>`;
    box.onchange = () => onChange({...chosen, [name]: box.checked});
    return html`<label class="check">${box}<span>${t(`sql.chart.${name}`)}</span></label>`;
  };
  const names = columns.map(({name}, i) => [i, name]);
  const controls = html`<div class="actions">${select("x", chosen.x, names)}${check("isLogX", "x")}${select("y", chosen.y, names)}${check("isLogY", "y")}${select("kind", chosen.kind, KINDS.map((kind) => [kind, t(`sql.chart.kind.${kind}`)]))}</div>`;
  return html`<div class="card">${controls}${await drawn(answer, chosen, {t, width})}</div>`;
}

async function drawn({columns, rows}, {x, y, kind, isLogX, isLogY}, {t, width}) {
  const Plot = await import("@observablehq/plot");
  const value = (column) => {
    const {isNumber} = columns[column];
    return (row) => row[column] == null ? null : isNumber ? numeric(row[column]) : isTime(columns[column]) ? new Date(`${row[column].replace(" ", "T")}${row[column].length > 10 ? "Z" : ""}`) : row[column];
  };
  const along = value(x);
  const up = value(y);
  const isDrawn = (isLog, of) => (row) => of(row) != null && (!isLog || of(row) > 0);
  const left = rows.filter(isDrawn(isLogX, along)).filter(isDrawn(isLogY, up));
  const data = left.slice(0, MOST);
  const scale = (column, isLog) => ({label: columns[column].name, grid: columns[column].isNumber, ...(columns[column].isNumber && {type: isLog ? "log" : "linear", tickFormat: "~s"})});
  const words = columns[y].isNumber || isTime(columns[y]) ? [] : data.map(up);
  const given = {x: along, y: up};
  const marks = {
    dots: () => [Plot.dot(data, {...given, fill: "var(--accent)", fillOpacity: 0.6, r: 3.5})],
    line: () => [Plot.line(data, {...given, stroke: "var(--accent)"}), Plot.dot(data, {...given, fill: "var(--accent)", r: 2.5})],
    bars: () => [columns[y].isNumber || isTime(columns[y]) ? Plot.ruleX(data, {x: along, y: up, stroke: "var(--accent)", strokeWidth: 4}) : Plot.barX(data, {...given, fill: "var(--accent)", insetTop: 2, insetBottom: 2})]
  };
  const picture = Plot.plot({
    width, style: {fontSize: "13px"}, marginLeft: words.length ? Math.min(240, 30 + 7 * Math.max(...words.map((word) => `${word}`.length))) : 60, marginBottom: 48, ariaLabel: t("sql.chart.label", {x: columns[x].name, y: columns[y].name}),
    ...(words.length && {height: Math.min(2400, 60 + 24 * new Set(words).size)}), x: scale(x, isLogX), y: scale(y, isLogY), marks: marks[kind]()
  });
  picture.setAttribute("role", "img");
  const less = data.length < rows.length ? html`<p class="small muted">${t("sql.chart.less", {shown: data.length, count: rows.length})}</p>` : "";
  return html`<div>${picture}${less}</div>`;
}
