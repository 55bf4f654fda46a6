// Every figure: question, workload, chart, reading note, table, links. It is drawn wide and narrow at build; the style sheet shows one.
import {html} from "htl";
import {NARROW, WIDE} from "./charts/draw.js";
import {save} from "./export.js";
import {table} from "./table.js";
import {listen} from "./tips.js";

const MANY = 12;

// id: unique on the page; query: name of the saved query; rows, columns: the table; draw(width) -> SVG or HTML.
export function figure({id, question, answer, load, note, query, rows = [], columns, draw, t, state, link, source, controls, most, machine}) {
  if (typeof window !== "undefined" && typeof document !== "undefined") listen(document);
  const opened = `${id}-table`;
  const body = columns && rows.length ? table(rows, columns, {caption: question, t, state, id, most, machine}) : null;
  const wide = html`<div class="wide">${draw(WIDE)}</div>`;
  const narrow = html`<div class="narrow">${draw(NARROW)}</div>`;
  // marks lead to numbers that the table has too, so that the keyboard need not go through them
  const marks = [wide, narrow].map((box) => [...box.querySelectorAll("a.mark")]);
  if (body) for (const mark of marks.flat()) mark.setAttribute("tabindex", "-1");
  const store = (kind) => (event) => save(event.currentTarget.closest("figure"), kind, {name: id, title: plain(question), answer: plain(answer), load: plain(load), source: source ?? sources(rows, t), query, root: rootOf(link, t), t});
  return html`<figure class="card figure" id=${id}>
    <h2 class="question">${question}</h2>
    ${answer ? html`<p class="answer">${answer}</p>` : null}
    ${load ? html`<p class="load">${load}</p>` : null}
    ${controls ?? null}
    ${body && marks[0].length > MANY ? html`<a class="skip" href=${`#${opened}`} onclick=${open}>${t("figure.skip")}</a>` : null}
    ${wide}${narrow}
    <figcaption class="figure-foot">
      ${note ? html`<p class="reading">${note}</p>` : null}
      <p class="ways">${[
        body ? html`<a href=${`#${opened}`} onclick=${open}>${t("action.table")}</a>` : null,
        query && link ? html`<a href=${link("sql", {search: `?query=${query}`})} title=${t("action.sql")}>SQL</a>` : null,
        html`<button type="button" class="way scripted" onclick=${store("png")}>${t("action.png")}</button>`,
        html`<button type="button" class="way scripted" onclick=${store("svg")}>${t("action.svg")}</button>`
      ].filter(Boolean)}</p>
    </figcaption>
    ${body ? html`<div class="data">${state.details({name: opened, summary: t("action.table_of", {n: rows.length, count: rows.length}), body})}</div>` : null}
  </figure>`;
}

export const further = (queries, {t, link}) => html`<section class="card" id="further"><h2>${t("figure.further")}</h2>
  <ul>${queries.map((query) => html`<li><a href=${link("sql", {search: {query}})}>${t(`query.${query}`)}</a></li>`)}</ul></section>`;

export const heading = ({question, answer, sub}) => html.fragment`<p class="eyebrow">${question}</p>
    <h1>${answer}</h1>
    ${sub ? html`<p class="sub">${sub}</p>` : null}`;

function sources(rows, t) {
  const found = [...new Set(rows.map((d) => d.submission_id).filter(Boolean))].sort();
  return found.length ? t("export.source", {list: found.length > 4 ? t("export.submissions", {count: found.length}) : found.join(t("list.comma"))}) : null;
}

const rootOf = (link, t) => link ? (t.language === "en" ? link("") : link("").replace(new RegExp(`${t.language}/$`), "")) : null;

// The link to the table opens it and goes there, without another step in the history; without a script the browser goes there.
const open = (event) => {
  const box = event.currentTarget.closest("figure").querySelector(".data details"), head = box.querySelector("summary");
  event.preventDefault();
  if (!box.open) head.click();
  head.focus({preventScroll: true});
  box.scrollIntoView({block: "nearest"});
};

const plain = (content) => [content ?? ""].flat(Infinity).map((each) => each?.textContent ?? String(each)).join("");
