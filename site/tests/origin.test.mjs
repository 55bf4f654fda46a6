// Where an excerpt comes from: the address of each number in the repository of its raw file, on every page that shows it.
import assert from "node:assert/strict";
import {readFileSync, readdirSync} from "node:fs";
import {join} from "node:path";
import {cells} from "../components/locate.js";
import {originAddress} from "../components/origin.js";
import {numbersIn, start} from "./browser.mjs";
import {after, before, describe, test} from "./limits.mjs";
import {sample} from "./sites.mjs";
import {messages} from "../components/messages.js";

const NAME = "2026-11-tester-two-drives";
const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const REPOSITORY = "https://github.com/ada-author/two-drives";

test("an address has its commit, every part of the path encoded, and its line", () => {
  assert.equal(originAddress(REPOSITORY, COMMIT, "a b/c#1?.json", {line: 58}), `${REPOSITORY}/blob/${COMMIT}/a%20b/c%231%3F.json#L58`);
  assert.equal(originAddress(REPOSITORY, COMMIT, "a.tar.gz!run/1.json"), `${REPOSITORY}/blob/${COMMIT}/a.tar.gz`);
  assert.equal(originAddress(REPOSITORY, COMMIT, null, {kind: "tree"}), `${REPOSITORY}/tree/${COMMIT}`);
  assert.equal(originAddress("https://gitlab.com/a/b/c", COMMIT, "d"), `https://gitlab.com/a/b/c/-/blob/${COMMIT}/d`);
});

test("no address is made of what is no repository of a known host, or no commit", () => {
  for (const repository of ["https://example.org/a/b", "javascript:alert(1)//github.com/a/b", "https://github.com/a", "https://github.com.evil.org/a/b", null]) assert.equal(originAddress(repository, COMMIT, "c"), null);
  assert.equal(originAddress(REPOSITORY, "main", "c"), null);
});

test("a line of CSV is taken apart by its header", () => {
  assert.deepEqual([...cells("a,b,c,d", '1,"x, ""y""",,4')], [["a", "1"], ["b", 'x, "y"'], ["d", "4"]]);
});

describe("the site of an excerpt", () => {
  const {folder, remove} = sample();
  let site;
  before(async () => { site = await start(join(folder, "dist")); });
  after(async () => { await site?.stop(); remove(); });

  test("the submission says that it is imported, whose it is, and what its author replied", async () => {
    const {page, faults, close} = await site.open(`/submissions/${NAME}`);
    const text = await page.locator("main").innerText();
    for (const words of ["Ada Author", "MIT", "Copyright (c) 2025 Ada Author", "traces, because they hold no results", "The folders are mine and complete.", COMMIT]) assert.ok(text.includes(words), words);
    assert.ok(await page.locator(`a[href^="${REPOSITORY}"]`).count() > 0);
    await page.locator("#facts > summary").click();
    await page.getByText(/inferred from the model|the file: filename/).first().waitFor({timeout: 10_000});
    assert.deepEqual(faults, []);
    await close();
  });

  test("each result has a page that names its raw file at the commit, its line and its hash, and says that nobody verified it", () => {
    const rows = readFileSync(join(folder, "data", NAME, "excerpt.csv"), "utf8").trim().split("\n").slice(1).map((line) => line.split(","));
    const told = readdirSync(join(folder, "dist", "r")).filter((name) => name.endsWith(".json.gz")).flatMap((name) => numbersIn(join(folder, "dist", "r", name))).filter((each) => each.submission_id === NAME);
    assert.equal(told.length, rows.length);
    for (const result of told) {
      const name = result.result_id;
      const html = readFileSync(join(folder, "dist", `${result.page.split("#")[0]}.html`), "utf8");
      assert.ok(html.includes(`${REPOSITORY}/blob/${COMMIT}/${result.origin_path}#L${result.origin_line}`), name);
      assert.ok(rows.some(([, path, hash]) => path === result.origin_path && html.includes(hash)), name);
      assert.ok(html.includes(messages("en")("number.not_verified")), name);
    }
  });

});
