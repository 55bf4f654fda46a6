// The site: what Observable Framework builds from the tree that the site step has written (site/data/write.py).
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {messages} from "./site/components/messages.js";
import {footer, head, header, rootOf} from "./site/components/shell.js";
import {hermetic} from "./tools/hermetic.mjs";

const scratch = process.env.IOLEDGER_SCRATCH;
if (!scratch) throw new Error("IOLEDGER_SCRATCH names no folder; the pages are built by `ioledger build`, and shown by `npm run dev`");
const tree = join(scratch, "tree");
const site = JSON.parse(readFileSync(join(scratch, "frame.json"), "utf8"));

await hermetic({
  tree,
  modules: ["@codemirror/autocomplete", "@codemirror/commands", "@codemirror/lang-sql", "@codemirror/language", "@codemirror/state", "@codemirror/view", "@duckdb/duckdb-wasm",
    "@lezer/highlight", "apache-arrow", "d3", "d3-dsv", "htl", "minisearch"],
  files: {"@duckdb/duckdb-wasm": ["dist/duckdb-eh.wasm.gz", "dist/duckdb-browser-eh.worker.js"]}
});

// What a page of the tree is: its language, its path in English, and its section. A stub stands for every page of its kind.
function place(path) {
  const language = path.startsWith("/ja/") ? "ja" : "en";
  const name = path.slice(language === "en" ? 0 : 3);
  const made = site.made.find((page) => page.stub === name);
  const found = site.pages.find((page) => page.path === (made ? `/${made.kind}/index` : name));
  return {t: messages(language), language, base: rootOf(name, language), path: name, section: found?.section ?? null, navigation: site.navigation};
}

// Framework takes a link in a head for a file of the tree, unless it is called external; tools/draw.mjs takes the word away.
const beside = (html) => html.replaceAll(/(<link [^>]*rel=")/g, "$1external ");

export default {
  root: tree,
  output: process.env.IOLEDGER_DIST ?? "dist",
  base: site.address ? new URL(`${site.address}/`).pathname : "/",
  title: "ioledger",
  style: "style.css",
  globalStylesheets: [],
  pages: [],
  sidebar: false,
  search: false,
  pager: false,
  toc: false,
  head: ({path}) => beside(head(place(path))),
  header: ({path}) => header(place(path)),
  footer: ({path}) => footer(place(path))
};
