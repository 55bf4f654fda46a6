// What a reader does, on a site of the tests' own dataset: find a drive, follow a number to its file, compare, change a view
// and share it, ask the database, read a claim, print, search, go on in another language. pages.test.mjs looks at every page.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync, readdirSync} from "node:fs";
import {createServer} from "node:http";
import {join} from "node:path";
import {gunzipSync} from "node:zlib";
import {after, before, describe, program, test} from "./limits.mjs";
import {numberOf, settled, start} from "./browser.mjs";
import {python, sample} from "./sites.mjs";
import {messages} from "../components/messages.js";

const VIEWS = [["en", 1280, "light"], ["ja", 360, "dark"]];
const EXCERPT = "2026-11-tester-two-drives";
const DISK = "2026-11-ioledger-virtual-disk";
const FUJITSU = "2016-03-fujitsu-p3700";
const ORIGIN = `https://github.com/ada-author/two-drives/blob/${"0123456789abcdef".repeat(2)}01234567`;
const built = join(sample(), "dist");
let site;

before(async () => { site = await start(built); });
after(() => site?.stop());

// The drawing that the style sheet shows at this width.
const drawing = (page, id) => page.locator(`#${id} svg:visible`).first();
// The mark of a drive in a figure that leads to a page of one kind: "p" is depth 1, "k" the peak.
const mark = (page, figure, name, letter) => page.locator(`#${figure} svg:visible a[aria-label^="${name}"][href*="#${letter}-"]`).first();
// Marks of a chart take the keyboard as they take a pointer, which one beside another may catch.
async function follow(page, link) {
  await link.focus();
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
}
// What a sentence of this project says in Japanese; one without a gloss stays as it is.
const inJapanese = (text) => JSON.parse(execFileSync(python, ["-c", "import json, sys; sys.path.insert(0, 'site/data'); from glosses import Glosses; print(json.dumps(Glosses().gloss(sys.argv[1]) or sys.argv[1]))", text], {encoding: "utf8", ...program()}));
const read = (page) => page.locator("main").innerText();
// The result behind the number that the address names.
function resultShown(page) {
  const {hash, pathname} = new URL(page.url());
  if (!hash) return numberOf(built, ...pathname.replace("/ja/", "/").slice(1).split("/"));
  const [kind, ...id] = hash.slice(1).split("-");
  const its = numberOf(built, kind, id.join("-"));
  return kind === "r" ? its : numberOf(built, "r", its.result_ids[0]);
}
// The line of the raw file behind the button of a number's page, which is served as text or as data and not run.
async function rawLine(page, {source_line: line, source_pointer: pointer}) {
  const shown = new URL(await page.locator(".buttons a[href*='raw/'], :target a[href*='raw/']").first().getAttribute("href"), page.url());
  const named = shown.searchParams.get("file"); // of one of several numbers, the page that shows the line
  const href = named ? `/${named}` : shown.pathname;
  const response = await page.request.get(new URL(href, page.url()).href);
  assert.match(response.headers()["content-type"], href.endsWith(".gz") ? /^application\/gzip/ : /^(text\/plain|text\/csv|application\/json)/);
  const body = await response.body();
  return (href.endsWith(".gz") ? gunzipSync(body) : body).toString("utf8").split(/\r\n|\n/)[(line ?? Number(/^line (\d+)/.exec(pointer)[1])) - 1];
}

for (const [language, width, colorScheme] of VIEWS) {
  const t = messages(language);
  const root = language === "en" ? "" : `/${language}`;
  const reads = (name, path, body) => test(name, () => site.visit(`${root}${path}`, body, {width, colorScheme}));

  describe(`a reader (${language}, ${width} px, ${colorScheme})`, () => {
    reads("finds the Optane drive on the first page, and follows its depth-1 number to the row of the excerpt and the line at its origin", "/", async (page) => {
      assert.match(await page.locator("h1").innerText(), /Optane/);
      await follow(page, mark(page, "ladder", "Optane SSD", "p"));
      await page.waitForURL(/\/m\/[0-9a-f]{8}#p-[0-9a-f]{16}$/);
      assert.match(await page.locator(":target").innerText(), /85,964/);
      const back = await page.locator(".crumbs a, header nav a").evaluateAll((links) => links.map((link) => new URL(link.href).pathname));
      assert.ok(back.length > 1 && back.every((path) => path.startsWith("/ja/") === (language === "ja")), `the way back: ${back}`);
      const result = resultShown(page);
      assert.ok(Math.abs(result.operations_per_second - 85963.63) < 0.01, `${result.operations_per_second}`);
      assert.equal(await page.locator(`a[href="${ORIGIN}/${result.origin_path}#L${result.origin_line}"]`).count(), 1);
      const row = await rawLine(page, result);
      assert.ok(row.startsWith(`xpoint,${result.origin_path},`), row);
      assert.ok((await page.content()).includes(row.split(",")[2]), "the hash of the file at its origin");
    });

    reads("follows the number of the measured disk to the line of the raw file", `/submissions/${DISK}`, async (page) => {
      await page.locator("#results > summary").click();
      await follow(page, page.locator('#results-table a[href*="#r-"], #results a[href*="#r-"]').first());
      const result = resultShown(page);
      const line = await rawLine(page, result);
      assert.ok(line.includes(String(result.operations_per_second).slice(0, 8)), `${line} does not have ${result.operations_per_second}`);
    });

    reads("compares two drives, and the address keeps both", `/compare?a=${FUJITSU}/cmp-p3700&b=${FUJITSU}/cmp-hdd`, async (page) => {
      assert.match(await page.locator("h1").innerText(), /P3700/);
      assert.ok((await drawing(page, "forest").innerHTML()).includes("223"), "the Database load, 192,881 ÷ 864");
      await page.locator("#state-b-device").selectOption("sas12g-ssd-400gb-mlc");
      await page.waitForURL(/cmp-sas-ssd/);
      await page.waitForFunction(() => document.querySelector("#forest svg")?.textContent.includes("2.99"));
      const before = await read(page);
      await page.reload();
      await settled(page);
      assert.equal(await read(page), before);
      await follow(page, page.locator('#forest svg:visible a[href*="/q/"]').first());
      assert.ok((await page.locator(`[id="${new URL(page.url()).hash.slice(1)}"]`).innerText()).length > 0);
    });

    reads("reads a claim with its verdict, down to the line that makes it", "/claims", async (page) => {
      assert.ok((await page.locator("h1").innerText()).length > 10);
      await page.locator("#statements > summary").click();
      await page.locator("#state-of").selectOption(FUJITSU);
      await page.waitForURL(/of=/);
      const link = page.locator(`#ledger a[href*="/c/${FUJITSU}/"]`).first();
      await follow(page, link);
      const claim = resultShown(page);
      const text = await read(page);
      for (const words of [claim.statement, claim.verdict_reason]) assert.ok(text.includes(language === "ja" ? inJapanese(words) : words), `${words}\n${text.slice(0, 300)}`);
      const line = await rawLine(page, claim);
      assert.ok(line.startsWith(`${claim.claim_id},`), line);
    });

    if (language !== "en") return; // what follows is the same in every language

    reads("changes the load, and reload, a shared link and back show what they should; and opens the query of a figure", "/media", async (page) => {
      const first = await read(page);
      await page.locator("#state-load").selectOption("Database");
      await page.waitForURL(/load=Database/);
      assert.match(await drawing(page, "ladder").textContent(), /P3700/);
      const chosen = await read(page);
      assert.notEqual(chosen, first);
      await page.reload();
      await settled(page);
      assert.equal(await read(page), chosen);
      const other = await site.open(page.url().replace(site.origin, ""), {width, colorScheme});
      assert.equal(await read(other.page), chosen);
      await other.close();
      await page.goBack();
      await page.waitForFunction((text) => document.querySelector("main").innerText === text, first);
      await Promise.all([page.waitForURL(/sql\?query=media-ladder/), page.locator("#ladder .ways a[href*='sql']").click()]);
      await page.locator(".cm-content").waitFor();
      assert.match(await page.locator("#query").evaluate((field) => field.value), /^-- IOPS of each drive/);
    });

    reads("prints a page whole: answer, chart and every row of closed tables, dark on white, without header and controls", "/media", async (page) => {
      const lines = await page.locator("#ladder-table tbody tr").count();
      assert.ok(lines >= 3);
      await page.emulateMedia({media: "print"});
      for (const hidden of ["nav", ".scripted"]) for (const each of await page.locator(hidden).all()) assert.ok(!await each.isVisible(), hidden);
      const shown = await page.locator("#ladder-table tbody tr").evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().height > 0).length);
      assert.equal(shown, lines);
      assert.ok(await page.locator(".answers > h1").isVisible() && await drawing(page, "ladder").isVisible());
      assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(255, 255, 255)");
      assert.ok((await page.pdf({format: "A4"})).length > 20_000);
      await page.emulateMedia({media: "screen"});
      await page.goto(await page.locator("#ladder a.mark").first().evaluate((mark) => mark.href.baseVal ? new URL(mark.href.baseVal, location.href).href : mark.href));
      await page.emulateMedia({media: "print"});
      await page.locator("#cite pre").first().waitFor();
      assert.ok(!await page.locator("header nav").first().isVisible() && await page.locator("h1").isVisible());
    });

    reads("goes by keyboard alone from the choice of a load to its table, sorts it, and opens a number", "/media", async (page) => {
      const reach = async (wanted) => {
        for (let i = 0; i < 120; i++) {
          await page.keyboard.press("Tab");
          if (await page.evaluate((selector) => document.activeElement?.matches(selector), wanted)) return;
        }
        assert.fail(`no ${wanted} within 120 stops`);
      };
      await reach("#state-load");
      const before = page.url();
      await page.keyboard.press("ArrowUp");
      await page.waitForFunction((address) => location.href !== address, before);
      assert.equal(await page.evaluate(() => document.activeElement.id), "state-load");
      await page.goBack();
      await page.waitForFunction((address) => location.href === address, before);
      await page.waitForLoadState("networkidle"); // the page is drawn again, and what is pressed before that is lost
      await reach("details summary");
      assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "none");
      await page.keyboard.press("Enter");
      await reach("#ladder-table button.sort, .data button.sort");
      await page.keyboard.press("Enter");
      await page.locator("th[aria-sort]:visible").first().waitFor();
      await reach(".data a[href*='#p-'], .data a[href*='#k-'], .data a[href*='#r-']");
      await Promise.all([page.waitForURL(/\/m\//), page.keyboard.press("Enter")]);
      await page.locator(":target").waitFor();
    });
  });
}

describe("any reader", () => {
  const reads = (name, path, body, options) => test(name, () => site.visit(path, body, options));

  reads("reads of an imported submission whose it is, what its author replied, and how its facts are known", `/submissions/${EXCERPT}`, async (page) => {
    const text = await read(page);
    for (const words of ["Ada Author", "MIT", "Copyright (c) 2025 Ada Author", "traces, because they hold no results", "The folders are mine and complete.", ORIGIN.split("/").at(-1)]) assert.ok(text.includes(words), words);
    await page.locator("#facts > summary").click();
    await page.getByText(/inferred from the model|the file: filename/).first().waitFor({timeout: 10_000});
  });

  reads("changes the language and keeps page and view", "/search?q=ssd#here", async (page) => {
    await page.getByRole("link", {name: "日本語"}).click();
    await page.waitForURL("**/ja/search?q=ssd#here");
    assert.equal(await page.locator("html").getAttribute("lang"), "ja");
    await settled(page);
    await page.waitForFunction(() => document.fonts.check('16px "Noto Sans JP"', "検"));
    await page.getByRole("link", {name: "English"}).click();
    await page.waitForURL((url) => url.pathname === "/search");
  });

  reads("leaps over the header by the keyboard; changes between light and dark, and it stays", "/search", async (page) => {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    assert.ok(await page.locator(".skip").evaluate((link) => link.getBoundingClientRect().left >= 0));
    await page.keyboard.press("Enter");
    assert.equal(new URL(page.url()).hash, "#observablehq-main");
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.locator(".theme").click();
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await ground(), dark);
  });

  for (const path of ["/", "/ja/search"]) reads(`opens the menu of ${path} on a phone, whose entries are large enough, and which needs no scrolling`, path, async (page) => {
    await page.locator(".menu summary").click();
    for (const link of await page.locator(".menu a, .tools > a, .tools > button, .menu summary").all()) {
      const {height} = await link.boundingBox();
      assert.ok(height >= 43.5, `${await link.innerText()}: ${height} px`);
    }
    const {y, height} = await page.locator(".menu > nav").boundingBox();
    assert.ok(y + height < 640, "the menu is higher than a phone");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }, {width: 360});

  reads("finds a device by its name while typing, and the same again after reload and back, and a number by the beginning of its id", "/search", async (page) => {
    const device = JSON.parse(readFileSync(join(built, "search", "en.json"), "utf8")).find(({kind}) => kind === "devices");
    const box = page.getByRole("searchbox");
    const found = page.locator(".found").getByRole("link", {name: device.title, exact: true}).first();
    await box.pressSequentially(device.title);
    await found.waitFor();
    assert.equal(new URL(page.url()).searchParams.get("q"), device.title);
    await page.reload();
    await settled(page);
    await found.click();
    await page.waitForURL((url) => decodeURIComponent(url.pathname) === `/${device.path}`);
    await page.goBack();
    await settled(page);
    assert.equal(await box.inputValue(), device.title);
    const [first] = readdirSync(join(built, "search", "ids"));
    const [number] = JSON.parse(readFileSync(join(built, "search", "ids", first), "utf8"));
    await box.fill(number.split("#")[1].slice(2, 12));
    await page.locator(`.found a[href$="${number}"]`).click();
    await page.waitForURL(`**/m/${number}`);
  });

  reads("who comes to an address that is not there is told so in both languages, and led on", "/404", async (page) => {
    for (const language of ["en", "ja"]) assert.ok((await read(page)).includes(messages(language)("missing.title")));
    await page.getByRole("link", {name: "devices", exact: true}).first().click();
    await page.waitForURL("**/devices/");
  });

  test("sees a page that arrives slowly, asked for in a state of its own, drawn when all of it is there", async () => {
    const slow = createServer(async (request, response) => {
      const found = await fetch(`${site.origin}${request.url}`);
      const type = found.headers.get("content-type");
      const body = Buffer.from(await found.arrayBuffer());
      response.writeHead(found.status, {"content-type": type});
      const cut = type.startsWith("text/html") ? body.indexOf("<main") : 0;
      response.write(body.subarray(0, cut));
      setTimeout(() => response.end(body.subarray(cut)), cut && 1500);
    });
    await new Promise((done) => slow.unref().listen(0, "127.0.0.1", done)); // a test that fails is not to wait for it
    const {page, close} = await site.open("/404");
    const thrown = [];
    page.on("pageerror", (error) => thrown.push(error.message));
    await page.goto(`http://127.0.0.1:${slow.address().port}/media?load=Database`);
    await settled(page);
    assert.deepEqual([thrown, await page.locator("#ladder").count()], [[], 1]);
    await close();
    slow.closeAllConnections();
    slow.close();
  });

  reads("on a phone takes scripts when it is touched, and what was chosen before counts; and at once for an address that says more", "/compare", async (page, requests) => {
    await page.waitForLoadState("networkidle");
    assert.deepEqual(requests.filter((address) => address.endsWith(".js")), []);
    assert.equal(await page.locator("script[data-needs]").count(), 1);
    const list = page.locator("main select[id]").first();
    const other = await list.evaluate((select) => Array.from(select.options).find((option) => !option.selected).value);
    await list.selectOption(other);
    await page.waitForFunction(() => !document.querySelector("observablehq-loading") && location.search.length > 1);
    assert.equal(await list.inputValue(), other);
    assert.ok(requests.some((address) => address.endsWith(".js")));
    await page.goto(`${site.origin}/compare?show=all`);
    await page.waitForFunction(() => !document.querySelector("observablehq-loading"));
  }, {width: 360, settles: false});

  for (const javaScriptEnabled of [true, false]) reads(`comes from an old address to the page that says the same today, ${javaScriptEnabled ? "with what stood behind it" : "also without scripts"}`, "/404", async (page) => {
    for (const [old, now] of [["/downloads", "/data"], ["/latency", "/tail"], ["/about/limits", "/limits"]]) {
      await page.goto(`${site.origin}${old}?a=b#c`, {waitUntil: "commit"});
      await page.waitForURL(`**${now}${javaScriptEnabled ? "?a=b#c" : ""}`);
    }
  }, {javaScriptEnabled, settles: false});

  reads("is on a link without a name of its own when the scripts come, and stays there", "/media", async (page) => {
    const address = await page.locator("#ladder svg:visible a.mark").nth(1).evaluate((link) => {
      window.drawnAtBuild = document.querySelector("main .page");
      link.focus();
      return link.getAttribute("href");
    });
    await page.waitForFunction(() => !window.drawnAtBuild.isConnected);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("href")), address);
  }, {width: 360, settles: false}); // a phone loads scripts for the first sign of a reader

  for (const path of ["/claims", "/consistency", "/devices/intel-dc-p3700-800gb"]) reads(`has the records of ${path} downwards on a phone, with the label of every cell, and they stay a table`, path, async (page) => {
    await page.locator("details").evaluateAll((folds) => folds.forEach((fold) => { fold.open = true; }));
    const box = page.locator(".table.as-cards").first();
    await box.waitFor({state: "attached"});
    const wide = await page.locator(".as-cards .table-box").evaluateAll((boxes) => boxes.filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent.slice(0, 60)));
    assert.deepEqual(wide, [], "scrolls sideways");
    const row = box.locator("tbody tr").first();
    const [heads, labels] = [await box.locator("thead th").count(), await row.locator("td").evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content.slice(1, -1)))];
    assert.equal(labels.length + await row.locator("th").count(), heads);
    assert.ok(labels.every((label) => label.length > 0), `${labels}`);
    assert.equal(await page.getByRole("table").and(box.locator("table")).getByRole("columnheader").count(), heads);
  }, {width: 360});
});
