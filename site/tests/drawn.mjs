// Pages drawn in Node from rows that a test gives: the context of a page without a site around it.
import "../../tools/dom.mjs";
import {context} from "../components/mount.js";
import {stateOf} from "../components/state.js";

// `files` are answers by path ("data/claims.json"): rows as an array of objects, or any document. `search` and `fragment` are of the address.
export function pageContext(path, files, {language = "en", id = null, search = "", fragment = ""} = {}) {
  let at = search;
  const where = {search: () => at, go: (next) => { at = next; }};
  // a file that stands in Japanese, too, is here the same
  const read = async (path, name = path.replace(/^ja\//, "")) => name.startsWith("data/") && Array.isArray(files[name]) ? pack(files[name]) : files[name] ?? null;
  const given = context({path, language, base: ".", id, read, state: stateOf({where}), fragment: () => fragment});
  return {...given, address: () => at};
}

// Rows by column, as the site step writes them.
export const pack = (rows) => ({
  count: rows.length,
  columns: Object.fromEntries([...new Set(rows.flatMap(Object.keys))].map((name) => [name, {values: rows.map((row) => row[name] ?? null)}]))
});
