// Text from submissions is not trusted: whatever it says, it is shown and never run.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {existsSync, readFileSync, readdirSync, writeFileSync} from "node:fs";
import {join, sep} from "node:path";
import {quiet, start} from "./browser.mjs";
import {after, before, program, test} from "./limits.mjs";
import {dataset, pages, python} from "./sites.mjs";

const folder = dataset();
const [dist, data] = ["dist", "data"].map((name) => join(folder, name));
let site;
let submission;

before(async () => {
  execFileSync(python, ["site/tests/hostile.py", join(folder, "build", "ioledger.duckdb")], program());
  submission = readdirSync(data).sort()[0]; // which has the hostile file
  writeFileSync(join(data, submission, "page.html"), "<script>window.hit=1</script>");
  pages(folder);
  site = await start(dist);
}, {timeout: 300_000});
after(() => site?.stop());

// Pages that show the project's own words and numbers only, or of whose kind the tests' dataset has no measurement; a new page is
// not one of them until it is named here.
const OWN = /^\/(404|block-size|checks|columns|consistency|coverage|data|first-round|gate|limits|method|queue-depth|rules|same-drive|source|sources|sql|statistics|sync-writes|your-result)$/;

// Every page that is written by hand and shows what was submitted, and of those made per device, submission and number one of
// each kind, that of the hostile submission before others.
function pagesToOpen() {
  const names = (folder) => readdirSync(join(dist, folder), {recursive: true}).filter((name) => name.endsWith(".html")).sort().map((name) => `/${folder}/${name.slice(0, -5).split(sep).join("/")}`);
  const made = ["devices", "submissions", "ja/submissions", "m", "c", "q"].map((folder) => {
    const its = names(folder).filter((name) => !name.endsWith("/index"));
    return its.find((name) => name.includes(submission)) ?? its[0];
  });
  const written = readdirSync(dist).filter((name) => name.endsWith(".html") && readFileSync(join(dist, name), "utf8").includes('<div class="page">')).map((name) => `/${name.slice(0, -5).replace(/^index$/, "")}`);
  return [...written, "/devices/", "/submissions/", ...made].filter((path) => !OWN.test(path));
}

test("hostile text is shown as text on every page, and in its address", {timeout: 300_000}, async () => {
  const paths = pagesToOpen();
  assert.ok(paths.length > 15, paths.join(" "));
  const hostile = "<img src=x onerror=window.hit=1>";
  const asked = new URLSearchParams(["a", "b", "at", "file", "load", "open", "q", "query"].map((key) => [key, hostile]));
  const wrong = [];
  for (const path of paths) {
    const {page, faults, close} = await site.open(`${path}?${asked}#${encodeURIComponent(hostile)}`);
    await page.locator("main details:not([open])").evaluateAll((boxes) => boxes.forEach((box) => { box.open = true; }));
    await quiet(page);
    await page.locator("script[type='application/ld+json']").evaluateAll((scripts) => scripts.forEach((script) => JSON.parse(script.textContent)));
    const found = await page.evaluate(() => [
      window.hit === undefined || "something ran", !document.querySelector("img[src=x], a[href^='javascript:']") || "something became an element",
      !document.querySelector(".observablehq--error, .note.error") || "the page failed", document.body.textContent.includes('<img src=x onerror="window.hit=1">') || "the text is not there"
    ]);
    wrong.push(...[...found.filter((each) => each !== true), ...faults].map((each) => `${path}: ${each}`));
    await close();
  }
  assert.deepEqual(wrong, []);
});

test("hostile titles are found by search as text, and a raw file that a browser would run is served as text", async () => {
  assert.deepEqual(["page.html.txt", "page.html"].map((name) => existsSync(join(dist, "raw", submission, name))), [true, false]);
  for (const [path, place, words] of [["/search?q=onerror", ".found", /<img src=x onerror="window\.hit=1">/], [`/source?file=raw/${submission}/page.html.txt`, ".source", /<script>window\.hit=1<\/script>/]]) {
    const {page, close} = await site.open(path);
    await page.locator(place, {hasText: words}).first().waitFor();
    assert.deepEqual(await page.evaluate(() => [window.hit, document.querySelectorAll("img[src=x]").length]), [undefined, 0]);
    await close();
  }
});
