// Text from submissions is not trusted: whatever it says, it is shown and never run.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve, sep} from "node:path";
import {after, before, test} from "./limits.mjs";
import {start} from "./browser.mjs";

const python = process.platform === "win32" ? ".venv/Scripts/python.exe" : ".venv/bin/python";
const folder = mkdtempSync(join(tmpdir(), "ioledger-"));
const [build, dist, data] = ["build", "dist", "data"].map((name) => join(folder, name));
const ask = (query) => execFileSync(python, ["-c", "import duckdb, sys; print(duckdb.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])", join(build, "ioledger.duckdb"), query], {encoding: "utf8"}).trim();
let site;
let submission;

// The copy is built in a folder of its own, so that the site that stands beside it stays as it is.
before(async () => {
  for (const name of ["site", "tools", "models", "schemas", "observablehq.config.js", "package.json", "package-lock.json"]) {
    cpSync(name, join(folder, name), {recursive: true, filter: (path) => !path.includes(".observablehq")});
  }
  for (const name of ["node_modules", ".venv"]) symlinkSync(resolve(name), join(folder, name), "junction");
  cpSync(process.env.IOLEDGER_BUILD ?? "build", build, {recursive: true, filter: (path) => !/screenshots|dbt$/.test(path)});
  execFileSync(python, ["site/tests/hostile.py", join(build, "ioledger.duckdb")]);
  submission = ask("select submission_id from sources where source_path = 'page.html'");
  mkdirSync(join(data, submission), {recursive: true});
  writeFileSync(join(data, submission, "page.html"), "<script>window.hit=1</script>");
  const env = {...process.env, IOLEDGER_BUILD: "build", IOLEDGER_DIST: "dist", IOLEDGER_DATA: "data"};
  execFileSync("node", ["node_modules/@observablehq/framework/dist/bin/observable.js", "build"], {cwd: folder, env, stdio: ["ignore", "ignore", "inherit"]});
  site = await start(dist);
});
after(async () => {
  await site?.stop();
  rmSync(folder, {recursive: true, force: true});
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

test("hostile text is shown as text on every page, and in its address", async () => {
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
