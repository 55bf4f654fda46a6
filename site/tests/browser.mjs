// A headless browser and the built site, for the tests beside this file.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {gunzipSync} from "node:zlib";
import {launch} from "../../tools/browser.mjs";
import {serve} from "../../tools/serve.mjs";

export const dist = process.env.IOLEDGER_DIST ?? "dist";

// Starts both; `open` gives a page that records errors, failed requests and every host it asks.
export async function start(directory = dist, ...flags) {
  const server = await serve(directory);
  const browser = await launch(undefined, flags);
  const origin = `http://127.0.0.1:${server.address().port}`;
  // Pages that readers have left, by their options: the process of such a page has the scripts of the site compiled.
  const free = {};
  async function open(path, {width = 1280, colorScheme = "light", javaScriptEnabled = true, settles = javaScriptEnabled} = {}) {
    const options = {viewport: {width, height: 900}, colorScheme, reducedMotion: "reduce", javaScriptEnabled, hasTouch: width < 500};
    const alike = free[JSON.stringify(options)] ??= [];
    const page = alike.pop() ?? await browser.newPage(options);
    const faults = [];
    const requests = [];
    const left = new Set();
    underWay.set(page, left);
    page.on("request", (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) left.clear(); // what a reader leaves behind with its page
      left.add(request);
      requests.push(request.url());
      if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) faults.push(`another host: ${request.url()}`);
    });
    for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => left.delete(request));
    page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`exception: ${error.message}`));
    page.on("requestfailed", (request) => javaScriptEnabled && faults.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
    page.on("response", (response) => response.status() >= 400 && faults.push(`${response.status()}: ${response.url()}`));
    await page.goto(`${origin}${path}`);
    if (settles) await settled(page);
    // The next reader finds nothing of this one: an empty page of the first size and colours, and nothing stored.
    async function close() {
      page.removeAllListeners();
      await page.goto("about:blank");
      await page.setViewportSize(options.viewport);
      await page.emulateMedia({colorScheme, media: null});
      await send(page, "Storage.clearDataForOrigin", {origin, storageTypes: "all"});
      alike.push(page);
    }
    return {page, faults, requests, close};
  }
  // Opens a page for the body of a test, which is to leave no fault behind.
  async function visit(path, body, options) {
    const {page, faults, requests, close} = await open(path, options);
    await body(page, requests);
    assert.deepEqual(faults, []);
    await close();
  }
  return {open, visit, origin, stop: async () => { await browser.close(); server.closeAllConnections(); server.close(); }};
}

// Sends a command of the browser's own protocol.
export async function send(page, command, given) {
  const session = await page.context().newCDPSession(page);
  await session.send(command, given);
  await session.detach();
}

// Waits until every cell of the page has been drawn and nothing is on its way. Scripts wait for a reader (tools/later.mjs).
export async function settled(page) {
  await page.evaluate(() => { window.dispatchEvent(new Event("focusin")); });
  await page.waitForFunction(() => !document.querySelector("observablehq-loading"));
  await quiet(page);
}

// Waits until nothing is on its way: 500 ms sooner than Playwright's "networkidle".
const underWay = new WeakMap();
export async function quiet(page, patience = 5000) {
  const end = Date.now() + patience;
  do await sleep(30); while (underWay.get(page).size && Date.now() < end);
}

// What a file of the JSON of numbers says: those of a claim alone, of others all whose ids begin alike.
function numbersIn(path) {
  const file = readFileSync(path);
  const {columns, rows, ...alone} = JSON.parse(path.endsWith(".gz") ? gunzipSync(file) : file);
  return rows ? rows.map((values) => Object.fromEntries(columns.map((name, i) => [name, values[i]]))) : [alone];
}

// What the JSON of a number says, by its address: its kind and its id, of a claim its submission and its name.
export function numberOf(directory, kind, id, name) {
  if (name) return numbersIn(join(directory, kind, id, `${name}.json`))[0];
  return numbersIn(join(directory, kind, `${id.slice(0, 2)}.json.gz`)).find((each) => Object.values(each)[0] === id);
}

// Some of a list, from its first to its last.
export const spread = (names, most) => names.length <= most ? names : Array.from({length: most}, (_, i) => names[Math.round(i * (names.length - 1) / (most - 1))]);
