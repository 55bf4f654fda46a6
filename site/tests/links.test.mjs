// Every link of every page, number pages included, leads to a file of the site, and every query behind a figure is a saved one.
// Links that scripts draw are among them, because pages are drawn at build. A site without documented models, as that of the
// tests' own dataset, has no lineage.
import assert from "node:assert/strict";
import {readFileSync, readdirSync, statSync} from "node:fs";
import {join, sep} from "node:path";
import {dist} from "./browser.mjs";
import {sample} from "./sites.mjs";
import {after, before, test} from "./limits.mjs";

const LINK = /\s(?:href|src)=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g;
const ENTITIES = {"&amp;": "&", "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">"};
const unescaped = (text) => text.replaceAll(/&(?:amp|quot|#39|lt|gt);/g, (entity) => ENTITIES[entity]);
let known;

before(() => { known = sample(); }, {timeout: 600_000});
after(() => known.remove());

for (const [name, place] of [["the built site", () => dist], ["the site of the tests' own dataset", () => join(known.folder, "dist")]]) {
  test(`links all lead somewhere on ${name}`, () => {
    const folder = place();
    const files = new Set(readdirSync(folder, {recursive: true}).map((name) => name.split(sep).join("/")).filter((name) => statSync(join(folder, name)).isFile()));
    const leads = (path) => path === "" || path.endsWith("/") ? files.has(`${path}index.html`) : files.has(path) || files.has(`${path}.html`);
    const saved = new Set(JSON.parse(readFileSync(join(folder, "data", "queries.json"), "utf8")).map((query) => query.name));
    const hasLineage = files.has("lineage/index.html") || folder === dist;
    const [broken, unsaved] = [[], []];
    let count = 0;
    // What the lineage and raw files link is theirs.
    for (const page of [...files].filter((name) => name.endsWith(".html") && !/^(lineage|raw|_)/.test(name))) {
      for (const [, double, single, bare] of readFileSync(join(folder, page), "utf8").matchAll(LINK)) {
        const link = unescaped(double ?? single ?? bare);
        const url = new URL(link, `http://site/${page}`);
        if (url.host !== "site" || (url.pathname === "/lineage/" && !hasLineage)) continue;
        count += 1;
        if (!leads(decodeURIComponent(url.pathname).slice(1))) broken.push(`${page}: ${link}`);
        const query = url.pathname.endsWith("/sql") ? url.searchParams.get("query") : null;
        if (query && !saved.has(query)) unsaved.push(`${page}: ${query}`);
      }
    }
    assert.ok(count > 100, `${count} links`);
    assert.deepEqual(broken.slice(0, 20), [], `${broken.length} of ${count} links are broken`);
    assert.deepEqual(unsaved, []);
  });
}
