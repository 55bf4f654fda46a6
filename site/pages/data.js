/*---
words: data
nav: {section: data, order: 510, name: nav.downloads}
keywords: parquet duckdb csv arrow croissant datapackage json schema api feed licence download
---*/
import {html} from "htl";
import {examples} from "../components/sql/examples.js";
import {table} from "../components/table.js";

const SHORT = 12;
const MACHINES = [["api", "api/v2/index.json"], ["feed", "feed.xml"], ["croissant", "croissant.json"], ["datapackage", "datapackage.json"], ["schemas", "schemas/marts/results.schema.json"], ["sitemap", "sitemap.xml"]];

export default async function page({file, t, state, base}) {
  const [release, files] = await Promise.all([file("data/release.json"), file("data/files.json")]);
  const size = (bytes) => bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  const download = ({path, size_bytes: bytes}) => html`<a href=${`${base}/${path}`} download title=${t("data.bytes", {count: bytes})}>${size(bytes)}</a>`;
  const column = (form) => ({id: form, label: t(`data.column.${form}`), value: (d) => d.files[form] ? download(d.files[form]) : "–", sort: (d) => d.files[form]?.size_bytes, num: true});
  const all = [release.database, ...files.flatMap((d) => Object.values(d.files))].filter(({sha256}) => sha256);
  return html`<div>
    <h1>${t("data.heading")}</h1>
    <p class="lede">${t.rich("data.lede", {release: html`<code title=${release.release_id}>${release.release_id.slice(0, SHORT)}</code>`, day: release.day})}</p>
    <div class="card">
      <h2>${t("data.database")}</h2>
      <p>${t("data.database.note")}</p>
      <p><a class="button" href=${`${base}/${release.database.path}`} download>${t("data.database.file")}</a> <span class="small muted nowrap">${size(release.database.size_bytes)}</span></p>
      <p class="small">${t.rich("data.ask")}</p>
    </div>
    <h2 id="use">${t("data.use")}</h2>
    <p>${t("data.use.note")}</p>
    <div class="uses">${examples.map(({form, code}) => html`<div class="card"><h3>${t(`data.use.${form}`)}</h3><pre tabindex="0"><code>${code}</code></pre></div>`)}</div>
    <h2 id="tables">${t("data.tables")}</h2>
    <p>${t("data.tables.note")}</p>
    <div class="card">${table(files, [
      {id: "name", label: t("data.column.table"), value: (d) => html`<code>${d.name}</code> <small class="muted">${t(`data.kind.${d.kind}`)}</small>`, sort: (d) => d.name, head: true},
      {id: "rows", label: t("data.column.rows"), value: (d) => d.rows.toLocaleString("en-US"), sort: (d) => d.rows, num: true},
      column("parquet"), column("arrow"), column("csv"),
      {id: "sha256", label: t("data.column.sha256"), value: (d) => html`<code class="hash" title=${d.content_sha256}>${d.content_sha256.slice(0, 16)}…</code>`}
    ], {caption: t("data.caption", {release: release.release_id.slice(0, SHORT), count: files.length}), t, state, id: "files"})}</div>
    ${state.details({name: "hashes", summary: t("data.hashes"), body: html`<div><p class="small">${t.rich("data.hashes.note")}</p><pre class="tall" tabindex="0"><code>${all.map((each) => `${each.sha256}  ${each.path}\n`).join("")}</code></pre></div>`})}
    <h2 id="programs">${t("data.machines")}</h2>
    <p>${t("data.machines.note")}</p>
    <ul>${MACHINES.filter(([name]) => name !== "sitemap" || release.address).map(([name, path]) => html`<li><a href=${`${base}/${path}`}><code>${path}</code></a> <span class="muted">${t(`data.machine.${name}`)}</span></li>`)}</ul>
    <h2 id="licence">${t("data.licence")}</h2>
    <p>${t.rich("data.licence.text")}</p>
    <p class="small muted">${t("data.written", {programs: Object.entries(release.written_with).map(([name, version]) => `${name} ${version}`).join(", ")})}</p>
  </div>`;
}
