// What every page of the built site has to be, whatever it says: drawn without a fault, complete without scripts, light,
// still, readable and usable, wide and narrow, in light and dark, in both languages.
import assert from "node:assert/strict";
import {existsSync, mkdirSync, readFileSync, readdirSync, statSync} from "node:fs";
import {join} from "node:path";
import {brotliCompressSync, gzipSync} from "node:zlib";
import {after, before, describe, test} from "./limits.mjs";
import {dist, send, spread, start} from "./browser.mjs";
import {contrasts, labels, overflow, shifts, small, violations} from "./look.mjs";

const [WIDE, NARROW] = [1280, 360];
const MOST = {data: 20_000, script: 350_000, number: 12_000, row: 200, shift: 0.05};
const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const shots = process.env.IOLEDGER_SHOTS;
const fileOf = (path) => join(dist, `${path.endsWith("/") ? `${path}index` : path}.html`);
const size = (path) => statSync(fileOf(path)).size;
// The pages of a folder, without those below it.
const pagesIn = (folder) => existsSync(join(dist, folder)) ? readdirSync(join(dist, folder)).filter((name) => name.endsWith(".html")).map((name) => `/${folder && `${folder}/`}${name.replace(/(^index)?\.html$/, "")}`) : [];
// Of the pages of one template, the lightest and the heaviest. Thousands may be made.
const ends = (folder) => spread(pagesIn(folder).filter((path) => !path.endsWith("/")).sort((a, b) => size(a) - size(b)), 2);
const isDrawn = (path) => readFileSync(fileOf(path), "utf8").includes('<div class="page">');
const english = [...pagesIn("").filter(isDrawn), ...["devices", "submissions"].flatMap((folder) => [`/${folder}/`, ...ends(folder)])];
// The same modules draw the Japanese pages: six of them are looked at.
const japanese = spread(english.filter((path) => path !== "/404"), 6).map((path) => `/ja${path}`);
const numbers = ["m", "q", `c/${readdirSync(join(dist, "c")).sort()[0]}`].map(ends).flatMap(([lightest, heaviest]) => [`/ja${lightest}`, heaviest]);
let site;

before(async () => { site = await start(); if (shots) mkdirSync(shots, {recursive: true}); });
after(() => site?.stop());

const isAsked = (pattern) => ({name}) => pattern.test(new URL(name).pathname);
const weights = new Map();
const compressed = (asked, compress) => [...new Set(asked.map(({name}) => decodeURIComponent(new URL(name).pathname)))].reduce((sum, name) => {
  if (!weights.has(name)) weights.set(name, compress(readFileSync(join(dist, name))).length);
  return sum + weights.get(name);
}, 0);

// What a page asks for by itself, compressed, is not too much.
async function weighs(page, path) {
  const asked = await page.evaluate(() => performance.getEntriesByType("resource").map(({name}) => ({name})));
  // The console brings an editor, and every query and table by name.
  const counted = path.endsWith("/sql") ? [] : asked;
  const data = counted.filter(isAsked(/^\/(ja\/)?(data|parts|content|search)\//));
  const bytes = {data: compressed(data, brotliCompressSync), script: compressed(counted.filter(isAsked(/\.js$/)), gzipSync)};
  return [
    ...bytes.data > MOST.data ? [`${bytes.data} bytes of data: ${data.map(({name}) => new URL(name).pathname).join(" ")}`] : [],
    ...bytes.script > MOST.script ? [`${bytes.script} bytes of scripts`] : [],
    ...asked.filter(isAsked(/\.wasm\b/)).map(() => "WebAssembly without a query")
  ];
}

// What can be seen in light and in dark. What axe finds is the same in both, but for colours, which are measured in each.
async function looks(page, path, width) {
  const found = [];
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({colorScheme});
    found.push(...(await page.evaluate(contrasts)).map((each) => `contrast in ${colorScheme}: ${each}`));
    if (shots) await page.screenshot({path: join(shots, `${path.slice(1).replaceAll("/", "-") || "index"}-${width}-${colorScheme}.png`), fullPage: true});
  }
  // Not as an element, which the policy of the page refuses; and as it is, so that the browser compiles it once.
  await send(page, "Runtime.evaluate", {expression: axe});
  return [...found, ...(await page.evaluate(violations, {closed: width === WIDE})).map((each) => `axe: ${each}`)];
}

// What depends on the width.
async function fits(page, width) {
  await page.setViewportSize({width, height: 900});
  return [...(await page.evaluate(overflow)).map((each) => `too wide: ${each}`), ...await page.evaluate(small)].map((each) => `${width} px: ${each}`);
}

// What a drawn page is, whatever its width.
async function says(page, path) {
  const [drawn, built] = await page.evaluate(async () => {
    const other = new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), "text/html");
    return [document, other].map((each) => each.querySelector("main .page").textContent.replaceAll(/\s+/g, " ").trim());
  });
  const at = [...built].findIndex((sign, i) => sign !== drawn[i]);
  return [
    ...await page.locator("h1").count() === 1 ? [] : ["not one heading of the first rank"],
    ...await page.locator(".observablehq--error").count() ? ["a cell failed"] : [],
    ...await page.evaluate(labels),
    // The editor of the SQL page stands in the place of a plain field.
    ...built === drawn || /\/(sql|404)$/.test(path) ? [] : [`without scripts "${built.slice(at, at + 40)}", with them "${drawn.slice(at, at + 40)}"`]
  ];
}

// Each page is loaded once: an English one wide, and then made narrow; a Japanese one and one of numbers narrow.
describe("every page", {concurrency: 2}, () => {
  for (const path of [...english, ...japanese, ...numbers]) {
    const isOfNumbers = numbers.includes(path);
    test(`${path} opens without a fault, keeps still, weighs little, and can be read and used, in light and dark`, async () => {
      const widths = isOfNumbers || path.startsWith("/ja/") ? [NARROW] : [WIDE, NARROW];
      const {page, faults, close} = await site.open(path, {width: widths[0]});
      const shift = await page.evaluate(shifts);
      const found = [...faults];
      if (isOfNumbers) {
        const bytes = gzipSync(readFileSync(fileOf(path))).length - MOST.row * await page.locator("tr[id]").count();
        found.push(...bytes > MOST.number ? [`${bytes} bytes beside its rows`] : [], ...await page.locator("h1").count() === 1 ? [] : ["not one heading of the first rank"]);
      } else found.push(...shift.sum < MOST.shift ? [] : [`moves by ${shift.sum}: ${shift.what}`], ...await weighs(page, path), ...await says(page, path));
      found.push(...await looks(page, path, widths[0]));
      for (const width of widths) found.push(...await fits(page, width));
      await close();
      assert.deepEqual(found, []);
    });
  }
});

test("without scripts a page is there with its answers and tables, and controls that need scripts are not", async () => {
  for (const path of spread(english, 4)) {
    const {page, close} = await site.open(path, {javaScriptEnabled: false});
    assert.ok((await page.locator("main").innerText()).length > 80, path);
    // A box to tick works by the style sheet alone. The head of a column keeps its words; to sort by it needs scripts, and it looks and acts like any head without them.
    for (const control of await page.locator("select, .choices, button:not(.sort), input:not([type=checkbox])").all()) assert.ok(!await control.isVisible(), `${path}: ${await control.evaluate((node) => node.outerHTML)}`);
    assert.equal(await page.locator("nav a:visible").count() > 4, true, path);
    await close();
  }
});

test("the lineage lists the marts, and asks no other host", {skip: !existsSync(join(dist, "lineage")) && "this site was built without it"}, async () => {
  // Requests that a policy blocks are never over for Playwright, so this page does not come to rest.
  const {page, faults, close} = await site.open("/lineage/", {settles: false});
  await page.getByText("quotients", {exact: true}).first().waitFor({state: "attached"});
  // dbt's page asks for images by their template before it has filled it in; its policy blocks that. Nothing else may fail.
  assert.deepEqual(faults.filter((fault) => !fault.includes("/lineage/")), []);
  await close();
});
