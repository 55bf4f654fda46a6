/*---
words: search
nav: none
queries: [search-answers, devices-ratios]
---*/
import {html} from "htl";
import {answers, finder, idIn} from "../components/finder.js";

const MOST = 30;
const kindOf = (address) => address.split("#")[1][0];
const idOf = (address) => address.split("#")[1].slice(2);

let known = {pages: null, find: null};
const finderOf = (pages) => (known.pages === pages ? known : known = {pages, find: finder(pages)}).find;

export default async function page({file, language, link, number, rows, state, t}) {
  const query = state.text("q").trim();
  const pages = state.isStatic ? [] : await file(`search/${language}.json`) ?? [];
  return html`<div>
    <h1>${t("search.title")}</h1>
    <p class="lede">${t("search.description")}</p>
    <search>${state.field({name: "q", label: t("search.label"), placeholder: t("search.placeholder")})}</search>
    <p class="note unscripted">${t.rich("search.unscripted")}</p>
    ${query ? await results(query) : html`<p class="small scripted">${t("search.examples")} ${["optane vs nand", "980 PRO vs 990 PRO", "p99.9 980 PRO", "kyber"].flatMap((each, i) => [i ? " · " : "", html`<a href=${state.search({q: each})} onclick=${(event) => { event.preventDefault(); state.set({q: each}); }}>${each}</a>`])}</p>`}
  </div>`;

  async function results(asked) {
    const id = idIn(asked);
    const numbers = id ? (await file(`search/ids/${id.file}.json`) ?? []).filter((name) => idOf(name).startsWith(id.id)) : [];
    const found = finderOf(pages)(asked);
    const count = found.length + numbers.length;
    const drives = pages.filter(({kind}) => kind === "devices").map(({path, title}) => ({id: path.split("/")[1], title}));
    const figures = answers(asked, {rows: await rows("search-answers"), ratios: await rows("devices-ratios"), drives}, t);
    return html`<section aria-live="polite">
      ${figures.length ? html`<div class="card" id="answer">${figures.map(({text, path, search, address}) => html`<p><a href=${address ? number("p", address) : link(path, {search: search ?? ""})}>${text}</a></p>`)}</div>` : null}
      <h2>${t("search.found", {count})}</h2>
      ${found.isPartly && !numbers.length ? html`<p class="note">${t("search.partly")}</p>` : null}
      <ol class="found">${numbers.slice(0, MOST).map((name) => html`<li><a href=${number(kindOf(name), name)}>${idOf(name)}</a><small>${t(`search.kind.${kindOf(name)}`)}</small></li>`)}
      ${found.slice(0, MOST).map((each) => html`<li><a href=${link(each.path.replace(/(^|\/)index$/, "$1"))}>${each.title}</a><small>${t(`search.kind.${each.kind ?? "page"}`)}</small><p>${each.text}</p></li>`)}</ol>
      ${count > MOST ? html`<p class="muted small">${t("search.more", {count: MOST})}</p>` : null}
      ${count ? null : html`<p>${t.rich("search.none")}</p>`}
    </section>`;
  }
}
