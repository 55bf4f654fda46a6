// What stands around every page: header, language, theme, search, the way when an address is wrong, paper.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {existsSync, readFileSync} from "node:fs";
import {createServer} from "node:http";
import {join} from "node:path";
import {after, before, describe, test} from "./limits.mjs";
import {dist, settled, start} from "./browser.mjs";

const {about, addressOf, header, rootOf} = await import("../components/shell.js");
const {finder, idIn, words} = await import("../components/finder.js");
const {messages} = await import("../components/messages.js");
let site;

before(async () => { site = await start(); });
after(() => site?.stop());

describe("the texts of the shell", () => {
  const navigation = [{section: "compare", pages: [{path: "/media", name: "nav.media"}, {path: "/compare", name: "nav.pair"}]}, {section: "data", pages: [{path: "/data", name: "nav.data"}]}];

  test("lead from every place to the root and to the address of a page", () => {
    assert.deepEqual(["/index", "/media", "/devices/index", "/devices/x"].map((path) => rootOf(path, "en")), [".", ".", "..", ".."]);
    assert.deepEqual(["/index", "/media", "/devices/x"].map((path) => rootOf(path, "ja")), ["..", "..", "../.."]);
    assert.deepEqual([addressOf("/index", "en"), addressOf("/index", "ja"), addressOf("/devices/index", "ja"), addressOf("/media", "en")], ["", "ja/", "ja/devices/", "media"]);
  });

  test("name the section, the page in it, and the same page in the other language", () => {
    const text = header({t: messages("ja"), base: "..", path: "/media", section: "compare", navigation});
    assert.match(text, /<a href="\.\.\/ja\/media" aria-current="true">比較<\/a>/);
    assert.match(text, /<a href="\.\.\/ja\/media" aria-current="page">ストレージ媒体<\/a>/);
    assert.match(text, /<a href="\.\.\/media" lang="en" hreflang="en"/);
  });

  test("say where a page lies only when the site has an address, and end no script in JSON-LD", () => {
    const page = {title: "A & B", description: "x".repeat(20), path: "/media", language: "ja", jsonld: {name: "</script>"}};
    const without = about(page);
    assert.doesNotMatch(without, /canonical|og:url|hreflang|og:image/);
    assert.ok(without.includes('content="A &amp; B"') && without.includes("\\u003c/script>"));
    const placed = about({...page, address: "https://example.org/io", card: true});
    assert.match(placed, /<link rel="canonical" href="https:\/\/example\.org\/io\/ja\/media">/);
    assert.match(placed, /<link rel="alternate" hreflang="en" href="https:\/\/example\.org\/io\/media">/);
    assert.match(placed, /og:image" content="https:\/\/example\.org\/io\/card\.png"/);
  });
});

describe("the finder", () => {
  const find = finder([
    {path: "queue-depth", title: "キュー深度", kind: null, text: "処理待ち I/O の数", words: ""},
    {path: "devices/p4800x", title: "Intel Optane SSD DC P4800X", kind: "devices", text: "Optane SSD", words: "375 GB"},
    {path: "devices/s4610", title: "Intel D3-S4610", kind: "devices", text: "SATA SSD", words: ""}
  ]);
  const paths = (query) => find(query).map(({path}) => path);

  test("finds by all words, by the beginning of one, with a slip, and by a part of a Japanese one", () => {
    assert.deepEqual(paths("intel optane"), ["devices/p4800x"]);
    assert.deepEqual(paths("p48"), ["devices/p4800x"]);
    assert.deepEqual(paths("optene"), ["devices/p4800x"]);
    assert.deepEqual(paths("深度"), ["queue-depth"]);
    assert.deepEqual(paths("nothing like it"), []);
    assert.deepEqual(words("キュー深度 32"), ["キュ", "ュー", "ー深", "深度", "32"]);
  });

  test("finds by some of the words where no page has all, and says so; another model is no slip", () => {
    assert.deepEqual(paths("optane firmware"), ["devices/p4800x"]);
    assert.deepEqual([find("optane firmware").isPartly, find("intel optane").isPartly, find("firmware").isPartly], [true, false, false]);
    assert.deepEqual(paths("P5800X"), []);
  });

  test("takes signs of an id for the beginning of one, and words for words", () => {
    assert.deepEqual(idIn(" 590B7438 "), {id: "590b7438", file: "59"});
    assert.deepEqual(idIn("r/590b"), {id: "590b", file: "59"});
    for (const query of ["abc", "optane", "590b 7438", "decade!"]) assert.equal(idIn(query), null, query);
  });
});

describe("a reader", () => {
  test("goes from section to section by the header, and back", async () => {
    const {page, faults, close} = await site.open("/");
    const entries = await page.locator(".sections a").allInnerTexts();
    assert.ok(entries.length > 0 && entries.length <= 6, entries.join(", "));
    for (const name of entries) {
      await page.locator(".sections").getByRole("link", {name, exact: true}).click();
      await settled(page);
      assert.equal(await page.locator(".sections [aria-current]").innerText(), name);
    }
    assert.deepEqual(faults, []);
    await close();
  });

  test("changes the language and keeps page and view", async () => {
    const {page, faults, close} = await site.open("/search?q=ssd#here");
    await page.getByRole("link", {name: "日本語"}).click();
    await settled(page);
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search + new URL(page.url()).hash, "/ja/search?q=ssd#here");
    assert.equal(await page.locator("html").getAttribute("lang"), "ja");
    await page.waitForFunction(() => document.fonts.check('16px "Noto Sans JP"', "検"));
    await page.getByRole("link", {name: "English"}).click();
    await settled(page);
    assert.equal(new URL(page.url()).pathname, "/search");
    assert.deepEqual(faults, []);
    await close();
  });

  test("changes between light and dark, and it stays", async () => {
    const {page, close} = await site.open("/search", {colorScheme: "light"});
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.locator(".theme").click();
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await ground(), dark);
    await close();
  });

  test("opens the menu on a phone, whose entries are large enough, and which needs no scrolling", async () => {
    for (const path of ["/", "/ja/search"]) {
      const {page, close} = await site.open(path, {width: 360});
      await page.locator(".menu summary").click();
      for (const link of await page.locator(".menu a, .tools > a, .tools > button, .menu summary").all()) {
        const {height} = await link.boundingBox();
        assert.ok(height >= 43.5, `${await link.innerText()}: ${height} px`);
      }
      const {y, height} = await page.locator(".menu > nav").boundingBox();
      assert.ok(y + height < 640, "the menu is higher than a phone");
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await close();
    }
  });

  test("leaps over the header by the keyboard", async () => {
    const {page, close} = await site.open("/search");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    assert.ok(await page.locator(".skip").evaluate((link) => link.getBoundingClientRect().left >= 0));
    await page.keyboard.press("Enter");
    assert.equal(new URL(page.url()).hash, "#observablehq-main");
    await close();
  });

  test("finds a device by its name while typing, and the same again after reload and back", async () => {
    const device = JSON.parse(readFileSync(join(dist, "search", "en.json"), "utf8")).find(({kind}) => kind === "devices");
    const {page, faults, close} = await site.open("/search");
    await page.getByRole("searchbox").pressSequentially(device.title);
    await page.locator(".found").getByRole("link", {name: device.title, exact: true}).first().waitFor();
    assert.equal(await page.getByRole("searchbox").inputValue(), device.title);
    assert.equal(new URL(page.url()).searchParams.get("q"), device.title);
    await page.reload();
    await settled(page);
    await page.locator(".found").getByRole("link", {name: device.title, exact: true}).first().click();
    await settled(page);
    assert.ok(decodeURIComponent(page.url()).endsWith(`/${device.path}`), page.url());
    await page.goBack();
    await settled(page);
    assert.equal(await page.getByRole("searchbox").inputValue(), device.title);
    assert.deepEqual(faults, []);
    await close();
  });

  test("finds a number by the beginning of its id", {skip: !existsSync(join(dist, "search", "ids")) && "no number has a page"}, async () => {
    const {page, faults, close} = await site.open("/");
    const number = await page.evaluate(async () => {
      for (const start of Array.from({length: 256}, (_, i) => i.toString(16).padStart(2, "0"))) {
        const answer = await fetch(`./search/ids/${start}.json`).catch(() => null);
        if (answer?.ok) return (await answer.json())[0];
      }
    });
    faults.length = 0;
    await page.goto(`${site.origin}/search?q=${number.split("#")[1].slice(2, 12)}`);
    await settled(page);
    await page.locator(".found a").first().click();
    assert.ok(page.url().endsWith(`/m/${number}`), page.url());
    assert.deepEqual(faults, []);
    await close();
  });

  test("who comes to an address that is not there is told so in both languages, and led on", async () => {
    const {page, close} = await site.open("/404");
    const text = await page.locator("main").innerText();
    assert.ok(text.includes(messages("en")("missing.title")) && text.includes(messages("ja")("missing.title")));
    await page.getByRole("link", {name: "devices", exact: true}).first().click();
    await settled(page);
    assert.equal(new URL(page.url()).pathname, "/devices/");
    await close();
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
    await new Promise((done) => slow.listen(0, "127.0.0.1", done));
    const {page, close} = await site.open("/claims");
    const thrown = [];
    page.on("pageerror", (error) => thrown.push(error.message));
    await page.goto(`http://127.0.0.1:${slow.address().port}/queue-depth?load=4+KiB+random+read`);
    await settled(page);
    assert.deepEqual(thrown, []);
    assert.equal(await page.locator("#curves").count(), 1);
    await close();
    slow.closeAllConnections();
    slow.close();
  });

  test("on a phone takes scripts when it is touched, and what was chosen before counts", async () => {
    const {page, requests, faults, close} = await site.open("/compare", {width: 360, settles: false});
    await page.waitForLoadState("networkidle");
    assert.deepEqual(requests.filter((address) => address.endsWith(".js")), []);
    assert.equal(await page.locator("script[data-needs]").count(), 1);
    const list = page.locator("main select[id]").first();
    const other = await list.evaluate((select) => Array.from(select.options).find((option) => !option.selected).value);
    await list.selectOption(other);
    await page.waitForFunction(() => !document.querySelector("observablehq-loading"));
    await page.waitForFunction(() => location.search.length > 1);
    assert.equal(await page.locator("main select[id]").first().inputValue(), other);
    assert.ok(requests.some((address) => address.endsWith(".js")));
    assert.deepEqual(faults, []);
    await close();
  });

  test("has the whole page at once where the address says more than it was drawn with", async () => {
    const {page, close} = await site.open("/compare?show=all", {width: 360, settles: false});
    await page.waitForFunction(() => !document.querySelector("observablehq-loading"));
    await close();
  });

  test("comes from an old address to the page that says the same today, with what stood behind it", async () => {
    for (const [old, now] of [["/downloads", "/data"], ["/latency", "/tail"], ["/about/limits", "/limits"]]) {
      if (!existsSync(join(dist, `${now}.html`))) continue;
      const {page, close} = await site.open(`${old}?a=b#c`, {settles: false});
      await page.waitForURL(`**${now}?a=b#c`);
      await close();
      const plain = await site.open(old, {javaScriptEnabled: false, settles: false});
      await plain.page.waitForURL(`**${now}`);
      await plain.close();
    }
  });
});
