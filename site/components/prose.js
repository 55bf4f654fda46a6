import {html} from "htl";

// Text with paragraphs and `names`, as nodes.
export const prose = (text) => String(text ?? "").split(/\n{2,}/).filter((paragraph) => paragraph.trim()).map((paragraph) =>
  html`<p>${paragraph.split("`").map((piece, i) => i % 2 ? html`<code>${piece}</code>` : piece)}</p>`);
