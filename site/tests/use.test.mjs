// What a visitor does: read a number, follow it to its file, search, switch the theme, ask the database.
import assert from "node:assert/strict";
import {join} from "node:path";
import {after, before, test} from "./limits.mjs";
import {settled, start} from "./browser.mjs";
import {sample} from "./sites.mjs";

const {folder, remove} = sample();
let site;
let known;

// The built site, whatever its data are; and one of the tests' own dataset, whose numbers are known.
before(async () => { [site, known] = [await start(), await start(join(folder, "dist"))]; });
after(async () => {
  await site?.stop();
  await known?.stop();
  remove();
});

// Peaks of the Fujitsu comparison table: HDD, SAS SSD, ioDrive2, P3700.
const peaks = {
  Database: [864, 64416, 49919, 192881], "File server": [766, 8977, 19005, 29530], "File copy": [789, 8157, 18018, 29033],
  Streaming: [237, 790, 1390, 2395], Restore: [237, 419, 1037, 1844]
};
const halfUp = (ratio) => (Math.floor(ratio * 10 + 0.5) / 10).toFixed(1);

test("the media page shows all fifteen quotients of the P3700 as they are printed", async () => {
  const {page, close} = await known.open("/media");
  const rows = await page.locator("table.quotients tbody tr").evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.innerText.trim())));
  const heads = await page.locator("table.quotients thead th").allInnerTexts();
  for (const other of [0, 1, 2]) {
    const wanted = Object.fromEntries(Object.entries(peaks).map(([profile, values]) => [profile, halfUp(values[3] / values[other])]));
    const matching = rows.filter((cells) => Object.entries(wanted).every(([profile, text]) => cells[heads.findIndex((head) => head.trim() === profile)] === text));
    assert.equal(matching.length, 1, `no row with ${JSON.stringify(wanted)}`);
    assert.match(matching[0][0], /P3700/);
    const logarithms = Object.values(peaks).map((values) => Math.log(values[3] / values[other]));
    const mean = matching[0][heads.findIndex((head) => head.startsWith("Geometric"))];
    assert.equal(mean, halfUp(Math.exp(logarithms.reduce((sum, each) => sum + each) / logarithms.length)));
  }
  assert.ok((await page.locator("main").innerText()).includes("223.2"));
  await close();
});

test("two clicks lead from a symbol of a chart to the line of the raw file", async () => {
  const {page, faults, close} = await known.open("/media");
  const link = page.locator("figure svg a", {has: page.locator("[aria-label*='Database: 864']")}).first();
  await link.dispatchEvent("click");
  await page.waitForURL(/submissions\/.*#n-/);
  const number = page.locator(".number");
  await number.locator("tbody tr").waitFor();
  assert.match(await number.locator(".what").innerText(), /^864 IOPS/);
  await number.locator("a[href*='source?']").click();
  await page.waitForURL(/source\?/);
  await settled(page);
  assert.match(await page.locator(".source li.here").innerText(), /864/);
  assert.deepEqual(faults, []);
  await close();
});

test("the raw file of a measured result opens at its place", async () => {
  const {page, close} = await known.open("/submissions/2026-11-ioledger-virtual-disk");
  await page.getByRole("button", {name: "Show the results"}).click();
  const link = page.locator("#results ~ .card a[href*='jobs%2F']").first();
  const href = await link.getAttribute("href");
  const [, job, operation] = /jobs\/(\d+)\/(\w+)/.exec(decodeURIComponent(href));
  await link.click();
  await page.waitForURL(/source\?/);
  await settled(page);
  assert.match(await page.locator(".source li.here").innerText(), new RegExp(`"${operation}"`));
  assert.ok(Number(job) >= 0);
  await close();
});

test("any two configurations can be put side by side, with the keyboard, and the address keeps them", async () => {
  const {page, faults, close} = await known.open("/compare");
  const rows = page.locator("figure.figure").first().locator("tbody tr");
  assert.equal(await rows.first().locator("td").first().innerText(), "223.2");
  await page.getByLabel("Configuration B").focus();
  await page.keyboard.type("One SAS-12G SSD");
  await page.waitForURL(/b=.*cmp-sas-ssd/);
  await page.getByText(`${(192881 / 64416).toFixed(1)}`, {exact: true}).first().waitFor();
  const address = page.url();
  await page.goto(address);
  await settled(page);
  assert.match(await page.getByLabel("Configuration B").inputValue(), /cmp-sas-ssd$/);
  await page.getByLabel("Configuration A").selectOption({label: "Two P3700 in RAID 0"});
  await page.getByText(/no quotient/i).first().waitFor();
  assert.deepEqual(faults, []);
  await close();
});

test("the rate within a latency budget keeps the budget, and is the largest that does", async () => {
  const {page, close} = await known.open("/latency");
  // A sweep is told by its load profile and by what stands under its configuration: several sweeps share a profile.
  const read = async (figure) => page.locator("figure.figure").nth(figure).locator("details.data tbody tr").evaluateAll((rows) => rows.map((row) => {
    const [profile, ...cells] = [...row.children].map((cell) => cell.textContent);
    return [`${profile} ${row.lastElementChild.innerHTML}`, ...cells];
  }));
  for (const summary of await page.locator("details.data > summary").all()) await summary.click();
  const seconds = (text) => Number.parseFloat(text.replaceAll(",", "")) * (/µs/.test(text) ? 1e-6 : /ms/.test(text) ? 1e-3 : 1);
  const count = (text) => Number(text.replaceAll(",", ""));
  const points = await read(0);
  const budgets = await read(1);
  assert.ok(budgets.length > 10);
  for (const [sweep, budget, iops] of budgets) {
    // A latency that is printed as the budget itself may lie on either side of it.
    const best = (keeps) => Math.max(...points.filter((cells) => cells[0] === sweep && keeps(seconds(cells[2]), seconds(budget))).map((cells) => count(cells[3])));
    const possible = [best((latency, most) => latency < most), best((latency, most) => latency <= most)];
    assert.ok(possible.includes(count(iops)), `${sweep} ${budget}: ${iops}, not one of ${possible}`);
  }
  await close();
});

test("an effect is the second rate over the first, for every field and pair", async () => {
  const {page, close} = await known.open("/effects");
  const names = await page.locator(".choices").first().locator("label").allInnerTexts();
  assert.ok(names.length > 1, "the dataset changes several fields, one at a time");
  for (const name of names.map((text) => text.trim())) {
    await page.getByLabel(name, {exact: true}).check();
    await page.getByRole("heading", {name: new RegExp(`^${name}: rate`)}).waitFor();
    const rows = await page.locator("figure.figure").first().locator("details.data tbody tr").evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.ok(rows.length > 0);
    for (const [, , , from, to, effect] of rows) {
      const [low, high] = [from, to].map((text) => Number(text.replaceAll(",", "")));
      assert.ok(Math.abs(high / low - Number(effect)) < 0.02 * Number(effect) + 0.006, `${from} ${to} ${effect}`);
    }
  }
  await close();
});

test("search finds a device and goes to its page", async () => {
  const {page, faults, close} = await known.open("/");
  await page.getByRole("searchbox").fill("P3700");
  const found = page.locator("#observablehq-search-results a[href*='/devices/']").first();
  await found.waitFor();
  await found.click();
  await page.waitForURL(/devices\//);
  assert.match(await page.locator("h1").innerText(), /P3700/);
  assert.deepEqual(faults, []);
  await close();
});

test("the theme can be switched and stays switched", async () => {
  const {page, close} = await site.open("/", {colorScheme: "light"});
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.getByRole("button", {name: /light and dark/}).click();
  assert.notEqual(await ground(), light);
  await page.goto(`${site.origin}/media`);
  assert.notEqual(await ground(), light);
  await close();
});

test("the keyboard reaches the content first, and focus can be seen", async () => {
  const {page, close} = await site.open("/media");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "none");
  await close();
});

test("on a phone the list of pages opens, leads on and closes", async () => {
  const {page, close} = await site.open("/", {width: 360});
  assert.equal(await page.getByRole("link", {name: "Scaling"}).isVisible(), false);
  await page.getByRole("checkbox", {name: /list of pages/}).click();
  await page.getByRole("link", {name: "Scaling"}).click();
  await page.waitForURL(/scaling$/);
  await close();
});

test("on a phone a record is read downwards, with the label of every cell, and stays a table", async () => {
  for (const path of ["/claims", "/compare", "/saturation", "/devices/intel-dc-p3700-800gb", "/submissions/2016-03-fujitsu-p3700"]) {
    const {page, close} = await known.open(path, {width: 360});
    const box = page.locator(".table.records").first();
    await box.waitFor({state: "attached"});
    await page.locator("details").evaluateAll((folds) => folds.forEach((fold) => { fold.open = true; }));
    const wide = await page.locator(".table.records").evaluateAll((boxes) => boxes.filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.querySelector("caption").textContent));
    assert.deepEqual(wide, [], `${path} scrolls sideways`);
    const heads = await box.locator("thead th").allTextContents();
    const labels = await box.locator("tbody tr").first().locator("td").evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content.slice(1, -1)));
    assert.deepEqual(labels, heads.slice(1));
    const table = page.getByRole("table").and(box.locator("table"));
    assert.equal(await table.getByRole("columnheader").count(), heads.length);
    assert.equal(await table.getByRole("cell").count(), labels.length * await table.getByRole("rowheader").count());
    await close();
  }
});

test("on a phone the names of sweeps wrap and none is cut", async () => {
  const {page, close} = await known.open("/saturation", {width: 360});
  const texts = await page.locator("figure svg[aria-label^='Range plot'] text").allTextContents();
  assert.ok(texts.length > 3);
  assert.deepEqual(texts.filter((text) => text.includes("…")), []);
  await close();
});

test("the first page says of each submission it lists whether it still counts, as the list of all does", async () => {
  const {page, close} = await site.open("/submissions/");
  const listed = new Map(await page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [row.querySelector("th a").getAttribute("href").split("/").at(-1), row.querySelector(".nowrap ~ small").textContent])));
  await page.goto(`${site.origin}/`);
  await settled(page);
  const shown = await page.locator(".rows li").evaluateAll((rows) => rows.map((row) => [row.querySelector("h3 a").getAttribute("href").split("/").at(-1), row.querySelector("h3 .flag")?.textContent ?? ""]));
  assert.ok(shown.length > 0);
  assert.deepEqual(shown, shown.map(([name]) => [name, listed.get(name)]));
  const counted = [...listed.values()].filter((status) => status === "" || status === "disputed").length;
  const words = await page.locator(".stats div", {hasText: "submissions"}).innerText();
  assert.deepEqual(words.match(/\d+/g).map(Number), counted === listed.size ? [counted] : [counted, listed.size]);
  await close();
});

test("a limit that a browser would round is written in full", async () => {
  const {page, close} = await site.open("/about/checks");
  assert.ok((await page.locator("main").innerText()).includes((2n ** 60n).toLocaleString("en-US")));
  await close();
});

test("the SQL console answers every saved query, reports mistakes, and reaches no other host", async () => {
  const {page, faults, close} = await site.open("/sql?query=scaling");
  const status = page.getByRole("status");
  assert.match(await page.locator("#query").inputValue(), /from scaling/);
  const saved = await page.locator("#saved option").evaluateAll((options) => options.map((option) => option.value));
  for (const name of saved) {
    await page.locator("#saved").selectOption(name);
    await page.waitForTimeout(100);
    await page.locator("#run").click();
    await page.waitForFunction(() => !document.querySelector("#run").disabled, null, {timeout: 60_000});
    assert.match(await status.innerText(), /rows in/, `${name}: ${await page.locator(".error").allInnerTexts()}`);
  }
  const ask = async (query) => {
    await page.locator("#query").fill(query);
    await page.locator("#run").click();
    await page.waitForFunction(() => !document.querySelector("#run").disabled);
  };
  await ask("select table_name from information_schema.tables where table_name in ('quotients', 'results') order by 1");
  assert.deepEqual(await page.locator("tbody td").allInnerTexts(), ["quotients", "results"]);
  assert.deepEqual(faults, []);
  await ask("selec 1");
  assert.match(await page.locator(".error").innerText(), /syntax error/i);
  await ask("from read_csv('https://ioledger.invalid/x.csv')");
  assert.ok((await page.locator(".error").innerText()).length > 10);
  await close();
});

test("the lineage lists the marts, and asks no other host", async () => {
  // Requests that a policy blocks are never over for Playwright, so this page does not come to rest.
  const {page, faults, close} = await site.open("/lineage/", {settles: false});
  await page.getByText("quotients", {exact: true}).first().waitFor({state: "attached"});
  // dbt's page asks for images by their template before it has filled it in; its policy blocks that. Nothing else may fail.
  assert.deepEqual(faults.filter((fault) => !fault.includes("/lineage/")), []);
  await close();
});
