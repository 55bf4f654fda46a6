// What one's own few results do not give: a page whose rows are not there says so, and shows no empty chart.
import assert from "node:assert/strict";
import {readFileSync, readdirSync} from "node:fs";
import {join} from "node:path";
import {tableFromIPC, tableToIPC} from "apache-arrow";
import {dist, settled, start} from "./browser.mjs";
import {after, before, describe, test} from "./limits.mjs";

// Every database that can be built has rows of these.
const ALWAYS = /\/(overview|submissions|devices|compare-names)\./;
const paths = readdirSync("site").filter((name) => name.endsWith(".md") && /data\/[\w-]+\.arrow/.test(readFileSync(join("site", name), "utf8")))
  .map((name) => `/${name.replace(/(index)?\.md$/, "")}`).sort();
let site;

before(async () => { site = await start(); });
after(() => site?.stop());

async function emptied(route) {
  const {pathname} = new URL(route.request().url());
  const bytes = readFileSync(join(dist, decodeURIComponent(pathname)));
  return route.fulfill({body: Buffer.from(ALWAYS.test(pathname) ? bytes : tableToIPC(tableFromIPC(bytes).slice(0, 0)))});
}

describe("without rows", {concurrency: 3}, () => {
  for (const path of paths) {
    test(`${path} has words in place of charts and tables`, async () => {
      const {page, faults, close} = await site.open("/source", {width: 360});
      await page.route("**/_file/data/*.arrow", emptied);
      await page.goto(`${site.origin}${path}`);
      await settled(page);
      assert.deepEqual(await page.locator(".observablehq--error").allInnerTexts(), []);
      for (const figure of await page.locator("figure.figure").all()) {
        assert.ok(await figure.locator("svg[aria-label] circle, svg[aria-label] path, tbody tr").count() > 0, `nothing is in: ${await figure.innerText()}`);
      }
      assert.equal(await page.locator("main table").filter({hasNot: page.locator("tbody tr")}).count(), 0, "a table without rows");
      assert.doesNotMatch(await page.locator("main").innerText(), /undefined|NaN|Infinity|\bnull\b/);
      assert.deepEqual(faults, []);
      await close();
    });
  }
});
