// A document for drawing pages outside of a browser, by jsdom, which Framework brings along. Importing this module makes
// it global, as components expect it; nothing that a page needs besides is there: no layout, no events of the reader.
import {JSDOM} from "jsdom";

const {window} = new JSDOM("<!DOCTYPE html><html><body></body></html>", {url: "http://site/"});
// Longer ones are those of whole figures, which do not come again.
const MOST_KEPT = 400;
const NAMES = ["document", "Node", "NodeList", "HTMLCollection", "Element", "HTMLElement", "SVGElement", "DocumentFragment", "XMLSerializer", "DOMParser"];

// The components write the same templates again and again, one for every cell of a table, and take a copy of what comes out.
// It is parsed once: that is a third of the time that all pages take.
const parsed = new Map();
const create = window.document.createElement.bind(window.document);
class Template {
  set innerHTML(text) {
    if (!parsed.has(text)) {
      const template = create("template");
      template.innerHTML = text;
      if (text.length > MOST_KEPT) return void (this.content = template.content);
      parsed.set(text, template.content);
    }
    this.content = parsed.get(text);
  }
}
window.document.createElement = (name, ...options) => name === "template" ? new Template() : create(name, ...options);

globalThis.window = window;
for (const name of NAMES) globalThis[name] = window[name];
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
};
Object.groupBy ??= (items, keyOf) => Object.assign(Object.create(null), Object.fromEntries(Map.groupBy(items, keyOf)));
