/*---
words: source
nav: none
keywords: source.keywords
---*/
import {html} from "htl";
import {cells, locate} from "../components/locate.js";
import {ENDING, unzip} from "../components/packed.js";

const AROUND = 750;
const KNOWN = /^raw\/[\w.-]+(\/[\w .+@,=!()#-]+)+$/;

export default async function page({t, state, link, base}) {
  const file = state.text("file", ""), at = state.text("at", "");
  const head = html`<h1>${t("source.title")}</h1>`;
  if (!file) return html`<div>${head}<p class="lede">${t.rich("source.follow")}</p></div>`;
  const isKnown = KNOWN.test(file) && !file.split("/").includes("..");
  const [address, response] = isKnown ? await fetchSource(`${base}/${file.split("/").map(encodeURIComponent).join("/")}`) : [];
  if (!response?.ok) return html`<div>${head}<p class="note">${t("source.missing")} ${t.rich("source.follow")}</p></div>`;
  const text = await (await unzip(response)).text();
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  const [, submission, ...path] = file.split("/");
  const line = locate(text, at);
  const from = line == null ? 0 : Math.max(0, line - 1 - AROUND);
  const shown = lines.slice(from, from + 2 * AROUND);
  const row = line > 1 && /\.csv(\.gz)?$/.test(file) ? [...cells(lines[0], lines[line - 1] ?? "")] : [];
  const list = html`<ol start=${from + 1}>${shown.map((content, i) => html`<li id=${`line-${from + i + 1}`} class=${from + i + 1 === line ? "here" : null}>${content || " "}</li>`)}</ol>`;
  const box = html`<div class="source" tabindex="0" role="region" aria-label=${t("source.content")}>${list}</div>`;
  if (line != null) setTimeout(() => {
    const here = list.querySelector(".here");
    if (here) box.scrollTop = here.offsetTop - box.offsetTop - 120;
  });
  return html`<div>
    <p class="eyebrow"><a href=${link(`submissions/${submission}`)}>${submission}</a></p>
    <h1 style="overflow-wrap: anywhere">${path.join("/").replace(/\.gz$/, "").replace(/(\.[^.]+)\.txt$/, "$1")}</h1>
    <p class="lede">${line == null ? t("source.whole") : t("source.at_line", {n: line, total: lines.length})} <a href=${address} download=${address.split("/").map(decodeURIComponent).at(-1)}>${t("source.download")}</a></p>
    ${row.length ? html`<details class="card"><summary>${t("source.cells")} (${row.length})</summary><dl class="facts">${row.map(([name, cell]) => html`<div><dt>${name}</dt><dd>${cell}</dd></div>`)}</dl></details>` : null}
    ${box}
    ${shown.length < lines.length ? html`<p class="small muted">${t("source.part", {from: from + 1, to: from + shown.length, total: lines.length})}</p>` : null}
  </div>`;
}

async function fetchSource(address) {
  const response = await fetch(address);
  if (response.ok || address.endsWith(ENDING)) return [address, response];
  return [address + ENDING, await fetch(address + ENDING)];
}
