// Where an excerpt comes from: the address of each number in the repository of its raw file, on every page that shows it.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {cellsOf, originAddress, originOf} from "../components/origin.js";
import {settled, start} from "./browser.mjs";
import {after, before, describe, program, test} from "./limits.mjs";
import {own, pages, python} from "./sites.mjs";

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

test("the origin is read from its own section of a manifest", () => {
  assert.deepEqual(originOf(`repository: x\norigin:\n  repository: "${REPOSITORY}"\n  commit: ${COMMIT}\nfiles:\n  - commit: y\n`), {repository: REPOSITORY, commit: COMMIT});
  assert.deepEqual(originOf("files: []\n"), {repository: null, commit: null});
});

test("a line of CSV is taken apart by its header", () => {
  assert.deepEqual([...cellsOf("a,b,c,d", '1,"x, ""y""",,4')], [["a", "1"], ["b", 'x, "y"'], ["d", "4"]]);
});

describe("the site of an excerpt", () => {
  const {folder, remove} = own();
  let site;
  before(async () => {
    execFileSync(python, ["ingest/tests/excerpted.py", folder], {stdio: ["ignore", "ignore", "inherit"], ...program(200)});
    pages(folder);
    site = await start(join(folder, "dist"));
  });
  after(async () => { await site?.stop(); remove(); });

  test("the submission says that it is imported, whose it is, and what its author replied", async () => {
    const {page, faults, close} = await site.open(`/submissions/${NAME}`);
    await settled(page);
    const text = await page.locator("main").innerText();
    for (const words of ["Imported; not verified by its author", "Ada Author", "MIT", "Copyright (c) 2025 Ada Author", "we also provide all original data", "traces, because they hold no results", "The folders are mine and complete."]) assert.ok(text.includes(words), words);
    await page.locator(`a[href="${REPOSITORY}/tree/${COMMIT}/results"]`).waitFor();
    await page.getByText("Every stated condition").first().click();
    await page.getByText(/inferred from the model|the file: filename/).first().waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  test("each result names its raw file at the commit, and its hash", async () => {
    const {page, faults, close} = await site.open(`/submissions/${NAME}`);
    await settled(page);
    await page.getByRole("button", {name: "Show the results"}).click();
    const link = page.locator(`a[href="${REPOSITORY}/blob/${COMMIT}/results/flash/randread-qd1.json#L58"]`).first();
    await link.waitFor();
    const rows = readFileSync("ingest/tests/fixtures/excerpt/fio-two-drives/input.csv", "utf8").split("\n");
    const row = rows.find((line) => line.includes("results/flash/randread-qd1.json"));
    assert.ok((await page.locator("main").innerText()).includes(row.split(",")[2]));
    assert.deepEqual(faults, []);
    await close();
  });

  test("the row of the excerpt leads to the raw file", async () => {
    const {page, faults, close} = await site.open(`/source?file=raw/${NAME}/excerpt.csv&at=line+4`);
    await settled(page);
    await page.locator(`a[href^="${REPOSITORY}/blob/${COMMIT}/results/flash/randread-qd"]`).waitFor();
    assert.match(await page.locator("main").innerText(), /[0-9a-f]{64}/);
    assert.deepEqual(faults, []);
    await close();
  });
});
