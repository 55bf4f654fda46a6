import {html} from "htl";
import {messages} from "./messages.js";
import {table} from "./table.js";

// A document of docs/ as nodes: the blocks of site/data/documents.py in the reader's language, which is that of `t`.
export async function chapter({rows, t, link}, name) {
  const blocks = await rows(name);
  const rich = (text) => messages(t.language, {link: (path) => place(path, link), of: {[t.language]: {text: within(text)}}}).rich("text");
  let heading = "";
  const captions = new Set();
  return html`<div>${blocks.filter((block) => block.language === t.language).map((block, i) => {
    if (block.kind === "h1" || block.kind === "h2") heading = block.text;
    // a second table below a heading says what its rows are, so that no two have the same name
    const caption = block.kind === "table" && captions.has(heading) ? `${heading}${t("limit.colon")}${block.rows[0][0]}` : heading;
    if (block.kind === "table") captions.add(caption);
    return DRAWN[block.kind](block, rich, {t, caption, id: `table-${i}`});
  })}</div>`;
}

const list = (rows, rich) => rows.map((row) => html`<li>${rich(row)}</li>`);
const DRAWN = {
  h1: ({text}) => html`<h1>${text}</h1>`,
  h2: ({text, anchor}) => html`<h2 id=${anchor}>${text}</h2>`,
  p: ({text}, rich) => html`<p>${rich(text)}</p>`,
  ul: ({rows}, rich) => html`<ul>${list(rows, rich)}</ul>`,
  ol: ({rows}, rich) => html`<ol>${list(rows, rich)}</ol>`,
  pre: ({text}, rich, {caption}) => html`<pre tabindex="0" aria-label=${caption}><code>${text}</code></pre>`,
  table: ({rows: [head, ...rows]}, rich, options) => table(rows, head.map((label, i) => ({label: rich(label), value: (row) => rich(row[i]), head: i === 0})), options)
};

// Links to other chapters of the site stay links; of all others only the words do.
const CHAPTER = /\[([^\]]+)\]\((?!(?:\.\.\/)?(?:statistics|gate)\.md)[^)]*\)/g;
const within = (text) => text.replaceAll(CHAPTER, "$1");
function place(path, link) {
  const [, name, anchor] = /([\w-]+)\.md(#.*)?$/.exec(path);
  return `${link(name)}${anchor ?? ""}`;
}
