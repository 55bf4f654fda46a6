// Text from submissions is not trusted: whatever it says, it is shown and never run.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {existsSync, mkdirSync, readdirSync, writeFileSync} from "node:fs";
import {join, sep} from "node:path";
import {start} from "./browser.mjs";
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

// Every page of the build; of those made one per device or submission, one of each, that of the hostile submission first.
function everyPage() {
  const posix = (name) => name.split(sep).join("/");
  const made = readdirSync("site", {recursive: true}).map(posix).filter((name) => /\[\w+\]\.md/.test(name)).map((name) => name.replace(/[^/]*$/, ""));
  const pages = readdirSync(dist, {recursive: true}).map(posix).filter((name) => name.endsWith(".html") && !/^(raw|lineage)\//.test(name)).sort();
  const oneOf = (folder) => {
    const inside = pages.filter((name) => name.startsWith(folder) && name !== `${folder}index.html`);
    return inside.find((name) => name.includes(submission)) ?? inside[0];
  };
  const kept = new Set(made.map(oneOf));
  return pages.filter((name) => name.endsWith("index.html") || kept.has(name) || !made.some((folder) => name.startsWith(folder)))
    .map((name) => `/${name.replace(/\.html$/, "").replace(/(^|\/)index$/, "$1")}`);
}

// Pages that show the project's own words and numbers only; a new page is not one of them until it is named here.
const own = ["/about/checks", "/about/columns", "/about/limits", "/about/method", "/about/rules", "/downloads", "/source", "/sql"];
const hostile = "<img src=x onerror=window.hit=1>";

test("hostile text is shown as text on every page, and in its address", {timeout: 300_000}, async () => {
  const paths = everyPage();
  assert.ok(paths.length > own.length + 5, paths.join(" "));
  assert.deepEqual(own.filter((path) => !paths.includes(path)), [], "pages that are no more");
  for (const path of paths) {
    const asked = new URLSearchParams(["a", "b", "at", "file", "q"].map((key) => [key, hostile]));
    const {page, faults, close} = await site.open(`${path}?${asked}#${encodeURIComponent(hostile)}`);
    const buttons = page.getByRole("button", {name: /^Show the/});
    while (await buttons.count()) await buttons.first().click();
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => window.hit), undefined, `${path}: something ran`);
    assert.equal(await page.locator("img[src=x], a[href^='javascript:']").count(), 0, `${path}: something became an element`);
    assert.equal(await page.locator(".observablehq--error").count(), 0, `${path}: a cell failed`);
    const isThere = (await page.locator("body").textContent()).includes("<img src=x onerror=\"window.hit=1\">");
    assert.equal(isThere, !own.includes(path), `${path}: the text is ${isThere ? "" : "not "}there`);
    assert.deepEqual(faults, [], path);
    await close();
  }
});

test("hostile titles are found by search as text", async () => {
  const {page, close} = await site.open("/");
  await page.getByRole("searchbox").fill("onerror");
  await page.locator("#observablehq-search-results a").first().waitFor();
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
