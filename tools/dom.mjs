// A document for drawing pages outside of a browser, by linkedom, which takes half the time of jsdom. Importing this module
// makes it global, as components expect it; nothing that a page needs besides is there: no layout, no events of the reader.

// linkedom keeps the listeners of every node in a WeakMap, which is a fifth of the time that it takes to draw: as a property of
// the node they cost nothing.
const {WeakMap} = globalThis;
globalThis.WeakMap = class {
  #key = Symbol();
  has(node) { return this.#key in node; }
  get(node) { return node[this.#key]; }
  set(node, value) { node[this.#key] = value; }
};
const {parseHTML} = await import("linkedom");
globalThis.WeakMap = WeakMap;

const {window} = parseHTML("<!DOCTYPE html><html><head></head><body></body></html>");
// Longer ones are those of whole figures, which do not come again.
const MOST_KEPT = 400;
const NAMES = ["document", "Node", "Element", "HTMLElement", "SVGElement", "DocumentFragment", "DOMParser"];

// The components write the same templates again and again, one for every cell of a table, and take a copy of what comes out.
// It is parsed once.
const templates = new Map();
const create = window.document.createElement.bind(window.document);
class Template {
  set innerHTML(text) {
    if (!templates.has(text)) {
      const template = create("template");
      template.innerHTML = text;
      if (text.length > MOST_KEPT) return void (this.content = template.content);
      templates.set(text, template.content);
    }
    this.content = templates.get(text);
  }
}
window.document.createElement = (name, ...options) => name === "template" ? new Template() : create(name, ...options);

// What is parsed into an element of SVG may close itself there, as in a browser; linkedom knows that only inside of <svg>.
const CLOSED = /<(\w+)((?:[^<>"']|"[^"]*"|'[^']*')*)\/>/g;
const {set: parse, ...others} = Object.getOwnPropertyDescriptor(window.Element.prototype, "innerHTML");
Object.defineProperty(window.SVGElement.prototype, "innerHTML", {...others, set(text) { parse.call(this, text.replace(CLOSED, "<$1$2></$1>")); }});

globalThis.window = window;
for (const name of NAMES) globalThis[name] = window[name];
// Classes that components tell apart by `instanceof`, and of which linkedom makes none.
globalThis.NodeList = class {};
globalThis.HTMLCollection = class {};
globalThis.XMLSerializer = class { serializeToString(node) { return node.toString(); } };
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
