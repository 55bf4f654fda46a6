// Text from submissions is not trusted: whatever it says, it is shown and never run.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from "node:fs";
import {join, sep} from "node:path";
import {quiet, start} from "./browser.mjs";
import {after, before, program, test} from "./limits.mjs";
import {dataset, pages, python} from "./sites.mjs";

const {folder, remove} = dataset();
const [build, dist, data] = ["build", "dist", "data"].map((name) => join(folder, name));
const ask = (query) => execFileSync(python, ["-c", "import duckdb, sys; print(duckdb.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])", join(build, "ioledger.duckdb"), query], {encoding: "utf8", ...program()}).trim();
let site;
let submission;

before(async () => {
  execFileSync(python, ["site/tests/hostile.py", join(build, "ioledger.duckdb")], program());
  submission = ask("select submission_id from files where path = 'page.html'");
  mkdirSync(join(data, submission), {recursive: true});
  writeFileSync(join(data, submission, "page.html"), "<script>window.hit=1</script>");
  pages(folder);
  site = await start(dist);
}, {timeout: 300_000});
after(async () => {
  await site?.stop();
  remove();
});

// Pages to open, by address: every page that is written by hand and shows what was submitted, and of those made per device,
// submission and number the first of each kind, that of the hostile submission before others.
function pagesToOpen() {
  const isDrawn = (name) => readFileSync(join(dist, name), "utf8").includes('<div class="page">');
  const names = (folder) => readdirSync(join(dist, folder), {recursive: true}).map((name) => join(folder, name).split(sep).join("/")).filter((name) => name.endsWith(".html")).sort();
  const kinds = ["devices", "submissions", "ja/submissions", "m", "c", "q"];
  const one = kinds.map((folder) => {
    const inside = names(folder).filter((name) => name !== `${folder}/index.html`);
    return inside.find((name) => name.includes(submission)) ?? inside[0];
  });
  const written = readdirSync(dist).filter((name) => name.endsWith(".html")).concat(["devices/index.html", "submissions/index.html"]).filter(isDrawn).sort();
  return [...written, ...one].map((name) => `/${name.replace(/\.html$/, "").replace(/(^|\/)index$/, "$1")}`).filter((path) => !OWN.test(path));
}

// Pages that show the project's own words and numbers only, or of whose kind the tests' dataset has no measurement; a new page is
// not one of them until it is named here.
const OWN = /^\/(404|block-size|checks|columns|coverage|data|first-round|gate|limits|method|rules|source|sources|sql|statistics|sync-writes|your-result)$/;
const hostile = "<img src=x onerror=window.hit=1>";

test("hostile text is shown as text on every page, and in its address", {timeout: 300_000}, async () => {
  const paths = pagesToOpen();
  assert.ok(paths.length > 15, paths.join(" "));
  const wrong = [];
  for (const path of paths) {
    const asked = new URLSearchParams(["a", "b", "at", "file", "load", "open", "q", "query"].map((key) => [key, hostile]));
    const {page, faults, close} = await site.open(`${path}?${asked}#${encodeURIComponent(hostile)}`);
    await page.locator("main details:not([open])").evaluateAll((boxes) => boxes.forEach((box) => { box.open = true; }));
    await quiet(page);
    const found = await page.evaluate(() => ({
      ran: window.hit !== undefined, elements: document.querySelectorAll("img[src=x], a[href^='javascript:']").length, failed: document.querySelectorAll(".observablehq--error, .note.error").length,
      isThere: document.body.textContent.includes('<img src=x onerror="window.hit=1">')
    }));
    if (found.ran) wrong.push(`${path}: something ran`);
    if (found.elements) wrong.push(`${path}: something became an element`);
    if (found.failed) wrong.push(`${path}: the page failed`);
    if (!found.isThere) wrong.push(`${path}: the text is not there`);
    wrong.push(...faults.map((fault) => `${path}: ${fault}`));
    await close();
  }
  assert.deepEqual(wrong, []);
});

test("hostile titles are found by search as text", async () => {
  const {page, close} = await site.open("/search?q=onerror");
  await page.locator(".found a").first().waitFor();
  assert.match(await page.locator(".found").innerText(), /<img src=x onerror="window\.hit=1">/);
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.equal(await page.locator("img[src=x]").count(), 0);
  await close();
});

test("a raw file that a browser would run is served as text", async () => {
  assert.ok(existsSync(join(dist, "raw", submission, "page.html.txt")));
  assert.ok(!existsSync(join(dist, "raw", submission, "page.html")));
  const {page, close} = await site.open(`/source?file=raw/${submission}/page.html.txt`);
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.match(await page.locator(".source").innerText(), /<script>window\.hit=1<\/script>/);
  await close();
});
