// A document for drawing pages outside of a browser, by jsdom, which Framework brings along. Importing this module makes
// it global, as components expect it; nothing that a page needs besides is there: no layout, no events of the reader.
import {JSDOM} from "jsdom";

const {window} = new JSDOM("<!DOCTYPE html><html><body></body></html>", {url: "http://site/"});
const NAMES = ["document", "Node", "NodeList", "HTMLCollection", "Element", "HTMLElement", "SVGElement", "DocumentFragment", "XMLSerializer", "DOMParser"];

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
