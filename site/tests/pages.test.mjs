// Every page of the built site, wide and narrow, in light and dark.
import assert from "node:assert/strict";
import {mkdirSync, readFileSync, readdirSync} from "node:fs";
import {join, sep} from "node:path";
import {after, before, describe, test} from "node:test";
import {dist, settled, start} from "./browser.mjs";
import {contrasts, names, overflow} from "./look.mjs";

const shots = join(process.env.IOLEDGER_BUILD ?? "build", "screenshots");
const paths = readdirSync(dist, {recursive: true}).filter((name) => name.endsWith(".html") && !name.startsWith("raw") && !name.startsWith("lineage"))
  .map((name) => `/${name.split(sep).join("/").replace(/\.html$/, "").replace(/(^|\/)index$/, "$1")}`).sort();
const charted = {"/": 1, "/media": 3, "/queue-depth": 5, "/scaling": 3, "/claims": 1, "/repeatability": 1};
const tabled = ["/", "/media", "/queue-depth", "/scaling", "/downloads", "/devices/", "/submissions/", "/about/checks", "/about/columns", "/about/rules", "/claims", "/compare", "/saturation", "/repeatability"];
const widths = [1280, 360];
const seen = new Map();
let site;

before(async () => { site = await start(); mkdirSync(shots, {recursive: true}); });
after(() => site?.stop());

describe("every page", {concurrency: 2}, () => {
  for (const path of paths) {
    test(`${path} opens without a fault, fits, and can be read, at ${widths.join(" and ")} px, light and dark`, async () => {
      for (const width of widths) {
        const {page, faults, requests, close} = await site.open(path, {width});
        const file = join(shots, `${path.slice(1).replaceAll("/", "-") || "index"}-${width}`);
        for (const colorScheme of ["light", "dark"]) {
          await page.emulateMedia({colorScheme});
          await settled(page);
          assert.deepEqual(await page.evaluate(overflow), [], `wider than ${width} px`);
          assert.deepEqual(await page.evaluate(contrasts), [], `too little contrast in ${colorScheme}`);
          await page.screenshot({path: `${file}-${colorScheme}.png`, fullPage: true});
        }
        assert.deepEqual(await page.evaluate(names), [], "without a name for readers of the screen");
        assert.equal(await page.locator(".observablehq--error").count(), 0, "a cell failed");
        assert.match(await page.title(), /\w{3,}.* \| ioledger$/);
        assert.ok((await page.locator("h1").innerText()).trim().length > 3, "no heading");
        for (const svg of await page.locator("figure svg[aria-label]").all()) {
          assert.ok(await svg.locator("circle, path, line, text").count() > 3, "a chart without marks");
        }
        assert.ok(await page.locator("figure svg[aria-label]").count() >= (charted[path] ?? 0), "too few charts");
        if (tabled.includes(path)) assert.ok(await page.locator("tbody tr").count() > 0, "no table rows");
        for (const table of await page.locator("table").all()) assert.ok(await table.locator("caption").count() === 1, "a table without caption");
        assert.equal(requests.filter((url) => url.endsWith(".wasm")).length, 0, "WebAssembly without a query");
        assert.deepEqual(faults, []);
        seen.set(path, await page.locator("a[href]").evaluateAll((links) => links.map((link) => link.href.baseVal ?? link.href)));
        await close();
      }
    });
  }
});

test("every link inside the site leads somewhere", async () => {
  const targets = new Set();
  for (const [path, links] of seen) {
    for (const link of links) {
      const url = new URL(link, `${site.origin}${path}`);
      if (url.origin === site.origin) targets.add(`${url.pathname}${url.search}`);
    }
  }
  assert.ok(targets.size >= paths.length - 1, "pages that nothing links");
  for (const target of targets) {
    const response = await fetch(`${site.origin}${target}`, {method: "HEAD"});
    assert.equal(response.status, 200, target);
  }
});

test("pages name no time of building, have a language and may be zoomed", () => {
  for (const path of paths) {
    const html = readFileSync(join(dist, `${path.endsWith("/") ? `${path}index` : path}.html`), "utf8");
    assert.doesNotMatch(html, /lastModified|maximum-scale/, path);
    assert.match(html, /<html lang="en">/, path);
    assert.match(html, /Content-Security-Policy/, path);
  }
});
