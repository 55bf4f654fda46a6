/*---
words: sql
nav: {section: data, order: 520, name: nav.sql}
documents: [queries]
keywords: query database duckdb select tables
---*/
import {html} from "htl";
import {sqlConsole} from "../components/sql/console.js";

const places = {merged: "raw.", "": ""};
let made = null;

export default async function page({file, t, state, link, base}) {
  const saved = (await file("data/queries.json")).filter(({name}) => t.has(`query.${name}`));
  const [release, tables] = await Promise.all([file("data/release.json"), file("data/tables.json")]);
  // A table whose place a mart of its name has taken is not in the database.
  const queryTables = tables.filter(({name, published}) => published !== "files" && (published || !name.startsWith("raw."))).map((table) => ({...table, key: table.name, name: `${places[table.published]}${table.name.replace(/^raw\./, "")}`}));
  const columns = async () => { const found = await file("data/completion.json"); return queryTables.map((table) => ({...table, columns: found[table.key]})); };
  const make = () => drawPage({saved, release, tables: queryTables, columns, t, link, isLive: !state.isStatic, url: state.isStatic ? "" : new URL(`${base}/${release.database.path}?r=${release.release_id.slice(0, 12)}`, location).href});
  return state.isStatic ? make() : made ??= make();
}

function drawPage({saved, release, tables, columns, t, link, isLive, url}) {
  const {root, insert} = sqlConsole({saved, release, tables: columns, url, t, isLive});
  return html`<div>
    <h1>${t("sql.heading")}</h1>
    <p class="lede">${t("sql.lede")}</p>
    ${root}
    <h2 id="tables">${t("sql.tables")}</h2>
    <p>${t.rich("sql.tables.note")}</p>
    <div class="tables">${tables.map((table) => describeTable(table, {t, insert, columns, isLive}))}</div>
    <h2 id="saved-queries">${t("sql.saved.all")}</h2>
    <div class="queries">${saved.map(({name, sql}) => html`<details class="data" id=${`query-${name}`}><summary>${t(`query.${name}`)}</summary><pre tabindex="0"><code>${sql}</code></pre><p class="small"><a href=${link("sql", {search: {query: name}})}>${t("sql.open")}</a></p></details>`)}</div>
    <p class="small muted">${t.rich("sql.elsewhere")}</p>
  </div>`;
}

function describeTable({name, description, question, rows}, {t, insert, columns, isLive}) {
  const put = (text) => {
    const button = html`<button type="button" class="plain name" title=${t("sql.insert")}><code>${text}</code></button>`;
    button.onclick = () => insert(text);
    return button;
  };
  const list = html`<dl class="columns"></dl>`;
  const box = html`<details class="data" id=${`table-${name}`}><summary><code>${name}</code> <span class="muted">${t("sql.table.rows", {count: rows})}</span><small>${question || description.split(". ")[0]}</small></summary>
    <p class="small">${description}</p>
    ${isLive ? html`<p>${put(name)}</p>` : ""}${list}
  </details>`;
  box.ontoggle = async () => {
    if (!box.open || list.childElementCount) return;
    const its = (await columns()).find((table) => table.name === name);
    list.replaceChildren(...its.columns.map(([column, type, unit, words]) => html`<div><dt>${put(column)} <small>${unit || type}</small></dt><dd>${words}</dd></div>`));
  };
  return box;
}
