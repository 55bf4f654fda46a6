/*---
words: columns
nav: {section: method, order: 620, name: columns.nav}
documents: [columns]
keywords: schema tables fields units types
---*/
import {html} from "htl";
import {count} from "../components/format.js";
import {table} from "../components/table.js";

export default (page) => columnsOf(page, "columns", {title: "columns.title", lede: "columns.lede", other: "columns.other", to: "sources"});

// Every column of some tables, filtered by what is typed; with a filter the tables stand open. `to`: the page of the others.
export async function columnsOf({rows, t, state, link}, name, {title, lede, other, to}) {
  const tables = (await rows(name)).map((d) => ({
    ...d, columns: d.columns.map(([name, type, unit, nullable, description, values]) => ({name, type, unit: unit || null, nullable: nullable === 1, description, values}))
  }));
  const asked = state.text("q", "").toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (d, text) => asked.every((word) => `${d.name} ${text}`.toLowerCase().includes(word));
  const shown = tables.map((d) => ({...d, columns: d.columns.filter((column) => matches(d, `${column.name} ${column.description}`))})).filter((d) => d.columns.length);
  return html`<div>
    <h1>${t(title)}</h1>
    <p class="lede">${t(lede)} <a href=${link(to)}>${t(other)}</a></p>
    ${state.field({name: "q", label: t("columns.search")})}
    <p class="small muted" role="status">${t("columns.found", {columns: count(shown.reduce((sum, d) => sum + d.columns.length, 0)), tables: shown.length})}</p>
    ${shown.map((d) => html`<details class="card fold" id=${`${d.kind}-${d.name}`} open=${asked.length > 0}>
      <summary><h2>${d.name} <span class="badge badge-quiet">${t(`columns.kind_${d.kind}`)}</span></h2><p>${d.description}</p></summary>
      ${table(d.columns, shape(d, t), {caption: t("columns.caption", {table: d.name, key: d.key.join(", ")}), t})}
    </details>`)}
  </div>`;
}

const shape = (d, t) => [
  {label: t("columns.column"), value: (column) => html`<code>${column.name}</code>${d.key.includes(column.name) ? html`<small>${t("columns.key")}</small>` : null}`, head: true},
  {label: t("columns.type"), value: (column) => html`${column.type}<small>${column.nullable ? t("columns.nullable") : ""}</small>`},
  {label: t("columns.unit"), value: (column) => column.unit ?? ""},
  {label: t("columns.meaning"), value: (column) => html`${column.description}${column.values ? html`<small>${t("columns.values", {values: column.values.join(", ")})}</small>` : null}`}
];
