// What a reader does, on a site of the tests' own dataset: find a drive, follow a number to its file, compare, see why not,
// change a view and share it, ask the database, read a claim, print. pages.test.mjs looks at every page.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {existsSync, readFileSync, readdirSync} from "node:fs";
import {join} from "node:path";
import {gunzipSync} from "node:zlib";
import {JSDOM} from "jsdom";
import {after, before, describe, program, test} from "./limits.mjs";
import {dist, numberOf, settled, start} from "./browser.mjs";
import {python, sample} from "./sites.mjs";
import {messages} from "../components/messages.js";

const VIEWS = [["en", 1280, "light"], ["ja", 360, "dark"]];
const EXCERPT = "2026-11-tester-two-drives";
const DISK = "2026-11-ioledger-virtual-disk";
const FUJITSU = "2016-03-fujitsu-p3700";
const ORIGIN = `https://github.com/ada-author/two-drives/blob/${"0123456789abcdef".repeat(2)}01234567`;
const {folder, remove} = sample();
const built = join(folder, "dist");
let site;

before(async () => { site = await start(built); });
after(async () => {
  await site?.stop();
  remove();
});

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
const inJapanese = (text) => JSON.parse(execFileSync(python, ["-c", "import json, sys; sys.path.insert(0, 'site/data'); from glosses import Glosses; print(json.dumps(Glosses().said(sys.argv[1]) or sys.argv[1]))", text], {encoding: "utf8", ...program()}));
const read = (page) => page.locator("main").innerText();
const pairIn = (name) => JSON.parse(gunzipSync(readFileSync(join(built, "q", name))));
// The result behind the number that the address names.
function told(page) {
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
  const open = async (path) => {
    const opened = await site.open(`${root}${path}`, {width, colorScheme});
    opened.page.setDefaultTimeout(10_000);
    return opened;
  };

  describe(`a reader (${language}, ${width} px, ${colorScheme})`, () => {
    test("finds the Optane drive on the first page, and follows its depth-1 number to the row of the excerpt and the line at its origin", async () => {
      const {page, faults, close} = await open("/");
      assert.match(await page.locator("h1").innerText(), /Optane/);
      await follow(page, mark(page, "ladder", "Optane SSD", "p"));
      await page.waitForURL(/\/m\/[0-9a-f]{8}#p-[0-9a-f]{16}$/);
      assert.match(await page.locator(":target").innerText(), /85,964/);
      const back = await page.locator(".crumbs a, header nav a").evaluateAll((links) => links.map((link) => new URL(link.href).pathname));
      assert.ok(back.length > 1 && back.every((path) => path.startsWith("/ja/") === (language === "ja")), `the way back: ${back}`);
      const result = told(page);
      assert.ok(Math.abs(result.operations_per_second - 85963.63) < 0.01, `${result.operations_per_second}`);
      assert.equal(await page.locator(`a[href="${ORIGIN}/${result.origin_path}#L${result.origin_line}"]`).count(), 1);
      const row = await rawLine(page, result);
      assert.ok(row.startsWith(`xpoint,${result.origin_path},`), row);
      assert.ok((await page.content()).includes(row.split(",")[2]), "the hash of the file at its origin");
      assert.deepEqual(faults, []);
      await close();
    });

    test("follows the number of the measured disk to the line of the raw file", async () => {
      const {page, faults, close} = await open(`/submissions/${DISK}`);
      await page.locator("#results > summary").click();
      await follow(page, page.locator('#results-table a[href*="#r-"], #results a[href*="#r-"]').first());
      const result = told(page);
      const line = await rawLine(page, result);
      assert.ok(line.includes(String(result.operations_per_second).slice(0, 8)), `${line} does not have ${result.operations_per_second}`);
      assert.deepEqual(faults, []);
      await close();
    });

    test("compares two drives, and the address keeps both", async () => {
      const {page, faults, close} = await open(`/compare?a=${FUJITSU}/cmp-p3700&b=${FUJITSU}/cmp-hdd`);
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
      assert.deepEqual(faults, []);
      await close();
    });

    test("sees that two drives are not divided, why, and what is divided instead", async () => {
      const {page, faults, close} = await open(`/compare?a=${FUJITSU}/cmp-p3700&b=${EXCERPT}/xpoint`);
      assert.equal(await page.locator("h1").innerText(), t("compare.no_quotient", {a: "Intel P3700 800 GB", b: "Optane SSD, xpoint"}));
      assert.ok((await page.locator(".sub").innerText()).length > 10);
      await page.locator(".refused .instead a").first().click();
      await page.locator("#forest").waitFor();
      assert.notEqual(await page.locator("h1").innerText(), t("compare.no_quotient", {a: "Intel P3700 800 GB", b: "Optane SSD, xpoint"}));
      assert.deepEqual(faults, []);
      await close();
    });

    test("reads a claim with its verdict, down to the line that makes it", async () => {
      const {page, faults, close} = await open("/claims");
      assert.ok((await page.locator("h1").innerText()).length > 10);
      await page.locator("#statements > summary").click();
      await page.locator("#state-of").selectOption(FUJITSU);
      await page.waitForURL(/of=/);
      const link = page.locator(`#ledger a[href*="/c/${FUJITSU}/"]`).first();
      await follow(page, link);
      const claim = told(page);
      const text = await read(page);
      for (const words of [claim.statement, claim.verdict_reason]) assert.ok(text.includes(language === "ja" ? inJapanese(words) : words), `${words}\n${text.slice(0, 300)}`);
      const line = await rawLine(page, claim);
      assert.ok(line.startsWith(`${claim.claim_id},`), line);
      assert.deepEqual(faults, []);
      await close();
    });

    if (language !== "en") return; // what follows is the same in every language

    test("changes the load, and reload, a shared link and back show what they should", async () => {
      const {page, faults, close} = await open("/media");
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
      assert.deepEqual(faults, []);
      await close();
    });

    test("opens the query of a figure", async () => {
      const {page, faults, close} = await open("/media");
      await Promise.all([page.waitForURL(/sql\?query=media-ladder/), page.locator("#ladder .ways a[href*='sql']").click()]);
      await page.locator(".cm-content").waitFor();
      assert.match(await page.locator("#query").evaluate((field) => field.value), /^-- IOPS of each drive/);
      assert.deepEqual(faults, []);
      await close();
    });

    test("prints a page whole: answer, chart and every row of closed tables, dark on white, without header and controls", async () => {
      const {page, close} = await open("/media");
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
      await close();
    });

    test("goes by keyboard alone from the choice of a load to its table, sorts it, and opens a number", async () => {
      const {page, faults, close} = await open("/media");
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
      assert.deepEqual(faults, []);
      await close();
    });
  });
}

describe("a reader who is faster than the page", () => {
  test("opens a table and sorts it before the browser tells that it is open, and it stays open", async () => {
    const {page, faults, close} = await site.open("/media");
    await page.evaluate(() => {
      document.querySelector("#ladder-table > summary").click();
      document.querySelector("#ladder-table button.sort").click();
    });
    await page.waitForURL(/open=ladder-table/);
    await page.locator("#ladder-table th[aria-sort]").waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test("is on a link without a name of its own when the scripts come, and stays there", async () => {
    const {page, close} = await site.open("/media", {width: 360, settles: false}); // a phone loads them for the first sign of a reader
    const address = await page.locator("#ladder svg:visible a.mark").nth(1).evaluate((link) => {
      window.drawnAtBuild = document.querySelector("main .page");
      link.focus();
      return link.getAttribute("href");
    });
    await page.waitForFunction(() => !window.drawnAtBuild.isConnected);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("href")), address);
    await close();
  });
});

describe("a reader of a phone", () => {
  test("has records downwards, with the label of every cell, and they stay a table", async () => {
    for (const path of ["/claims", "/consistency", "/devices/intel-dc-p3700-800gb"]) {
      const {page, close} = await site.open(path, {width: 360});
      await page.locator("details").evaluateAll((folds) => folds.forEach((fold) => { fold.open = true; }));
      const box = page.locator(".table.as-cards").first();
      await box.waitFor({state: "attached"});
      const wide = await page.locator(".as-cards .table-box").evaluateAll((boxes) => boxes.filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent.slice(0, 60)));
      assert.deepEqual(wide, [], `${path} scrolls sideways`);
      const row = box.locator("tbody tr").first();
      const [heads, labels] = [await box.locator("thead th").allTextContents(), await row.locator("td").evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content.slice(1, -1)))];
      assert.equal(labels.length + await row.locator("th").count(), heads.length, path);
      assert.ok(labels.every((label) => label.length > 0), `${path}: ${labels}`);
      assert.equal(await page.getByRole("table").and(box.locator("table")).getByRole("columnheader").count(), heads.length, path);
      await close();
    }
  });
});

describe("the built pages", () => {
  const page = async (name) => {
    const {DOMParser} = new JSDOM("").window;
    return new DOMParser().parseFromString(readFileSync(join(built, `${name}.html`), "utf8"), "text/html");
  };

  test("divide the P3700 by each other medium as the publication does, to the ratios it prints", () => {
    // Peaks of its comparison table: HDD, SAS SSD, ioDrive2, P3700.
    const peaks = [[864, 64416, 49919, 192881], [766, 8977, 19005, 29530], [789, 8157, 18018, 29033], [237, 790, 1390, 2395], [237, 419, 1037, 1844]];
    for (const [i, other] of ["cmp-hdd", "cmp-sas-ssd", "cmp-iodrive2"].entries()) {
      const sides = [`${FUJITSU}/cmp-p3700`, `${FUJITSU}/${other}`];
      const pair = readdirSync(join(built, "q")).filter((name) => name.endsWith(".json.gz")).map((name) => pairIn(name)).find(({a, b}) => sides.includes(a) && sides.includes(b));
      const [depth, ratio] = ["queue_depth", "ratio"].map((name) => pair.columns.indexOf(name));
      const found = pair.comparisons.filter((values) => values[depth] == null).map((values) => pair.a === sides[0] ? values[ratio] : 1 / values[ratio]);
      for (const values of peaks) assert.ok(found.some((each) => Math.abs(each / (values[3] / values[i]) - 1) < 1e-9), `${other}: no ${values[3]} ÷ ${values[i]} among ${found}`);
    }
  });

  test("say on the first page of each submission whether it still counts, as the page of the submission does", async () => {
    const listed = [...(await page("index")).querySelectorAll(".newest li")].map((item) => [item.querySelector("a").getAttribute("href").split("/").at(-1), item.querySelector("strong")?.textContent ?? null]);
    assert.ok(listed.length > 0);
    for (const [name, status] of listed) {
      const note = (await page(`submissions/${name}`)).querySelector("main .note strong")?.textContent ?? "";
      assert.equal(Boolean(status) && note.toLowerCase().includes(status.toLowerCase()), Boolean(status), `${name}: ${status}, ${note}`);
    }
  });

  test("write a limit in full that a browser would round", async () => {
    assert.ok((await page("checks")).querySelector("main").textContent.includes((2n ** 60n).toLocaleString("en-US")));
  });
});

test("the lineage lists the marts, and asks no other host", {skip: !existsSync(join(dist, "lineage")) && "this site was built without it"}, async () => {
  const whole = await start();
  try {
    // Requests that a policy blocks are never over for Playwright, so this page does not come to rest.
    const {page, faults, close} = await whole.open("/lineage/", {settles: false});
    await page.getByText("quotients", {exact: true}).first().waitFor({state: "attached"});
    // dbt's page asks for images by their template before it has filled it in; its policy blocks that. Nothing else may fail.
    assert.deepEqual(faults.filter((fault) => !fault.includes("/lineage/")), []);
    await close();
  } finally {
    await whole.stop();
  }
});
