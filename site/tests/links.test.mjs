// Every link of every page of the built site, number pages included, leads to a file of the site. Links that scripts draw
// are among them, because pages are drawn at build. A site without documented models, as that of the tests' own dataset, has
// no lineage.
import assert from "node:assert/strict";
import {readFileSync, readdirSync, statSync} from "node:fs";
import {join, sep} from "node:path";
import {dist} from "./browser.mjs";
import {sample} from "./sites.mjs";
import {after, before, describe, test} from "./limits.mjs";

const LINK = /\s(?:href|src)=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g;
const ENTITIES = {"&amp;": "&", "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">"};
const unescaped = (text) => text.replaceAll(/&(?:amp|quot|#39|lt|gt);/g, (entity) => ENTITIES[entity]);

// {count, broken: ["page: link"]} of the pages below a folder. What the lineage and raw files link is theirs.
function links(folder) {
  const names = readdirSync(folder, {recursive: true}).map((name) => name.split(sep).join("/")).filter((name) => statSync(join(folder, name)).isFile());
  const files = new Set(names);
  const leads = (path) => path === "" || path.endsWith("/") ? files.has(`${path}index.html`) : files.has(path) || files.has(`${path}.html`);
  const hasLineage = files.has("lineage/index.html") || folder === dist;
  let count = 0;
  const broken = [];
  for (const page of names.filter((name) => name.endsWith(".html") && !/^(lineage|raw|_)/.test(name))) {
    for (const [, double, single, bare] of readFileSync(join(folder, page), "utf8").matchAll(LINK)) {
      const link = unescaped(double ?? single ?? bare);
      const url = new URL(link, `http://site/${page}`);
      if (url.host !== "site" || (url.pathname === "/lineage/" && !hasLineage)) continue;
      count += 1;
      if (!leads(decodeURIComponent(url.pathname).slice(1))) broken.push(`${page}: ${link}`);
    }
  }
  return {count, broken};
}

describe("links", () => {
  let known;
  before(() => { known = sample(); }, {timeout: 600_000});
  after(() => known.remove());

  test("all lead somewhere on the built site", () => {
    const {count, broken} = links(dist);
    assert.ok(count > 100, `${count} links`);
    assert.deepEqual(broken.slice(0, 20), [], `${broken.length} of ${count} links are broken`);
  });

  test("all lead somewhere on the site of the tests' own dataset", () => {
    const {count, broken} = links(join(known.folder, "dist"));
    assert.ok(count > 100, `${count} links`);
    assert.deepEqual(broken.slice(0, 20), [], `${broken.length} of ${count} links are broken`);
  });
});
