// What one's own few results do not give: every page whose rows are not there says so, and shows no empty chart or table.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {existsSync, readFileSync, readdirSync} from "node:fs";
import {join, resolve, sep} from "node:path";
import {pathToFileURL} from "node:url";
import {dist} from "./browser.mjs";
import {describe, test} from "./limits.mjs";
import {context} from "../components/mount.js";
import {stateOf} from "../components/state.js";

// Every database that can be built has rows of these, and every submission has files. A list beside them is the project's
// own (rules, saved queries), but for the list of the parts of a page.
const ALWAYS = /^(ja\/)?data\/(submissions|devices|compare-names)\.json$/;
const PARTS = /^parts\/[^/]+\.json$/;
const isPacked = (value) => value != null && typeof value === "object" && "count" in value && "columns" in value;
const emptied = (value) => isPacked(value) ? {count: 0, columns: {}} : value && !Array.isArray(value) && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, name === "files" ? each : emptied(each)])) : value;

// The files of the built site, without a row in them; read when they are asked for.
async function read(name) {
  const path = join(dist, decodeURIComponent(name));
  if (!existsSync(path)) return null;
  const found = JSON.parse(readFileSync(path, "utf8"));
  return PARTS.test(name) ? [] : ALWAYS.test(name) ? found : emptied(found);
}

// Every page as {path, file, id}: of those that are made from the dataset, the first one.
const pages = readdirSync("site/pages", {recursive: true}).map((name) => name.split(sep).join("/")).filter((name) => name.endsWith(".js")).sort().map((file) => {
  const path = `/${file.replace(/\.js$/, "").replace(/(^|\/)index$/, "$1")}`;
  const id = path.includes("[") ? readdirSync(join(dist, "content", path.split("/")[1])).filter((name) => name.endsWith(".json")).sort()[0].replace(/\.json$/, "") : null;
  return {path, file, id};
});

describe("without rows", () => {
  for (const {path, file, id} of pages) {
    test(`${path} has words in place of charts and tables, in both languages`, async () => {
      for (const language of ["en", "ja"]) {
        const source = readFileSync(join("site/pages", file), "utf8");
        const {default: page} = await import(pathToFileURL(resolve("site/pages", file)).href);
        const isOfRows = /^(queries|parts):/m.test(source);
        const drawn = await page(context({path, language, base: ".", id, read, state: stateOf()}));
        const text = drawn.textContent.replaceAll(/\s+/g, " ");
        assert.ok(drawn.querySelector("h1").textContent.trim().length > 0);
        // What the project says of itself may speak of null.
        assert.doesNotMatch(text, isOfRows ? /undefined|NaN|Infinity|\bnull\b|\[object/ : /undefined|\[object/);
        const tables = [...drawn.querySelectorAll("table")].filter((table) => !table.querySelector("tbody tr"));
        assert.deepEqual(tables.map((table) => table.textContent), [], "a table without rows");
        const charts = [...drawn.querySelectorAll("figure.figure")].filter((figure) => !figure.querySelector("circle, path, rect, tbody tr, table"));
        assert.deepEqual(charts.map((figure) => figure.textContent), [], "a figure without marks");
        // What is missing is said beside the heading and what the page is for.
        const words = [...drawn.querySelectorAll("p, li, dd")].filter((node) => !node.matches(".lede, .eyebrow, .ways, .unscripted")).map((node) => node.textContent.trim()).filter(Boolean);
        if (isOfRows) assert.ok(words.length > 0 || drawn.querySelector("tbody tr"), `nothing is said but: ${text}`);
      }
    });
  }
});
