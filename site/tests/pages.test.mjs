// The pages of the built site, wide and narrow, in light and dark.
import assert from "node:assert/strict";
import {existsSync, mkdirSync, readFileSync, readdirSync} from "node:fs";
import {join, sep} from "node:path";
import {after, before, describe, test} from "./limits.mjs";
import {brotliCompressSync} from "node:zlib";
import {dist, few, settled, start} from "./browser.mjs";
import {contrasts, names, overflow} from "./look.mjs";

const shots = join(process.env.IOLEDGER_BUILD ?? "build", "screenshots");
const paths = few(readdirSync(dist, {recursive: true}).filter((name) => name.endsWith(".html") && !name.startsWith("raw") && !name.startsWith("lineage"))
  .map((name) => `/${name.split(sep).join("/").replace(/\.html$/, "").replace(/(^|\/)index$/, "$1")}`).sort(), dist);
const sources = new Map(paths.map((path) => [path, join("site", `${path.endsWith("/") ? `${path}index` : path}.md`)])
  .map(([path, file]) => [path, existsSync(file) ? readFileSync(file, "utf8") : ""]));
const reading = /FileAttachment\("[^"]+\.(arrow|json)"\)/;
const widths = [1280, 360];
const seen = new Map();
let site;

// The data that a page asks for by itself weigh at most 20 KB, compressed.
async function weighs(page, path) {
  const asked = await page.evaluate(() => performance.getEntriesByType("resource").map(({name}) => new URL(name).pathname));
  const data = [...new Set(asked)].filter((name) => /^\/(_file|configurations|pairs|parts)\//.test(name));
  const bytes = data.map((name) => brotliCompressSync(readFileSync(join(dist, decodeURIComponent(name)))).length).reduce((sum, size) => sum + size, 0);
  if (process.env.IOLEDGER_WEIGHTS) console.log(`${path} ${bytes}`);
  assert.ok(bytes <= 20_000, `${path}: ${bytes} bytes in ${data.join(" ")}`);
}

before(async () => { site = await start(); mkdirSync(shots, {recursive: true}); });
after(() => site?.stop());

describe("every page", {concurrency: 3}, () => {
  for (const path of paths) {
    test(`${path} opens without a fault, weighs little, fits, and can be read, at ${widths.join(" and ")} px, light and dark`, async () => {
      for (const width of widths) {
        const {page, faults, requests, close} = await site.open(path, {width});
        if (width === widths[0]) await weighs(page, path);
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
        const figures = page.locator("figure.figure");
        for (const figure of await figures.all()) assert.ok(await figure.locator("svg[aria-label], tbody tr").count() > 0, "a figure with nothing in it");
        for (const choice of await page.locator("select[name=part]:visible").all()) assert.ok(await choice.locator("option").count() > 1, "a choice of one");
        const empty = await page.locator("main p.note").count();
        const charts = await figures.filter({has: page.locator("svg[aria-label]")}).count();
        assert.ok(charts + empty >= sources.get(path).split("chart: resize(").length - 1, "a chart is missing, and nothing says why");
        if (reading.test(sources.get(path)) && /\btable\(/.test(sources.get(path)) && await page.locator("#run").count() === 0) assert.ok(await page.locator("tbody tr").count() > 0, "no table rows");
        for (const table of await page.locator("table").all()) assert.ok(await table.locator("caption").count() === 1, "a table without caption");
        assert.equal(requests.filter((url) => url.endsWith(".wasm")).length, 0, "WebAssembly without a query");
        assert.deepEqual(faults, []);
        seen.set(path, await page.locator("a[href]").evaluateAll((links) => links.map((link) => link.href.baseVal ?? link.href)));
        await close();
      }
    });
  }
});

test("every file of data can be read", () => {
  const files = ["_file", "configurations", "pairs", "parts"].map((folder) => join(dist, folder)).filter(existsSync)
    .flatMap((folder) => readdirSync(folder, {recursive: true}).filter((name) => name.endsWith(".json")).map((name) => join(folder, name)));
  assert.ok(files.length > 0);
  for (const file of files) assert.doesNotThrow(() => JSON.parse(readFileSync(file, "utf8")), file);
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

test("the query behind every figure is in the console", async () => {
  const {page, close} = await site.open("/sql");
  const saved = new Set(await page.locator("#saved option").evaluateAll((options) => options.map((option) => option.value)));
  await close();
  const asked = [...seen.values()].flat().map((link) => new URL(link).searchParams.get("query")).filter(Boolean);
  assert.ok(asked.length > 0);
  assert.deepEqual(asked.filter((name) => !saved.has(name)), []);
});

test("without scripts every page still says what it is about, and where its numbers are", async () => {
  for (const path of paths) {
    const {page, close} = await site.open(path, {javaScriptEnabled: false});
    const text = await page.locator("main").innerText();
    assert.match(text, /Scripts are off/, path);
    if (sources.get(path) && path !== "/source") assert.ok((await page.locator("h1").innerText()).length > 3, path);
    assert.ok(await page.locator("nav a").count() > 10, path);
    await close();
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
