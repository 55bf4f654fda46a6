// Answers in words: parts of a sentence, each a list of nodes, put together.
import {html} from "htl";

// Text with paragraphs and `names`, as nodes.
export const prose = (text) => String(text ?? "").split(/\n{2,}/).filter((paragraph) => paragraph.trim()).map((paragraph) =>
  html`<p>${paragraph.split("`").map((piece, i) => i % 2 ? html`<code>${piece}</code>` : piece)}</p>`);

// Parts as one sentence with its full stop. The first letter is a capital.
export function sentences(parts, t) {
  if (!parts.length) return [];
  const nodes = [...parts.flatMap((part, i) => i ? [t("list.sentences"), ...part] : part), t("list.stop")];
  const [first] = nodes;
  if (first.nodeType === 3) first.data = first.data.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return nodes;
}

// Sentences one after the other.
export const spaced = (parts, t) => parts.flatMap((nodes, i) => i ? [t("sentence.space"), ...nodes] : nodes);

// "5.00 k to 10.0 k", or the one value that all have.
export function span(values, format, t) {
  const [from, to] = [Math.min(...values), Math.max(...values)].map((value) => format(value));
  return from === to ? from : t("span", {from, to});
}
