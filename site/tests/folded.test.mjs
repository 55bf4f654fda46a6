// What would make a page long lies behind a summary that counts it, and configurations have names in tables.
import {test} from "./limits.mjs";
import assert from "node:assert/strict";
import {pack, pageContext} from "./drawn.mjs";
import checksPage from "../pages/checks.js";
import rulesPage from "../pages/rules.js";
import pricePage from "../pages/price.js";
import submissionPage from "../pages/submissions/[submission].js";
import {configurationLink, configurationName} from "../components/records.js";

const rule = (name, stage, severity = "refuse") => ({rule: name, stage, severity, text: `Text of ${name}`, area: "file_format"});
const rules = {"data/rules.json": [rule("R-A-1", "reading"), rule("R-A-2", "reading", "warn"), rule("R-B-1", "build")]};
const check = (suite, success) => ({suite, table: suite, expectation: "expect_column_values_to_not_be_null", columns: ["a"], row_count: 5, missing_count: 0, success, unexpected_count: success ? 0 : 2, severity: "warn"});
const folds = (page) => [...page.querySelectorAll("details.fold")].map((fold) => ({id: fold.id, open: fold.hasAttribute("open"), words: fold.querySelector("summary").textContent, rows: fold.querySelectorAll("tbody tr").length}));

test("the rules of a stage are closed behind their number, and all of them are in the page", async () => {
  const found = folds(await rulesPage(pageContext("/rules", rules)));
  assert.deepEqual(found.map(({id, open, rows}) => [id, open, rows]), [["stage-reading", false, 2], ["stage-build", false, 1]]);
  assert.match(found[0].words, /2 rules; 1 refuse/);
});

test("the address of a rule opens its stage and no other", async () => {
  const found = folds(await rulesPage(pageContext("/rules", rules, {fragment: "R-B-1"})));
  assert.deepEqual(found.map(({open}) => open), [false, true]);
});

test("the expectations of a table are closed behind their number, which says how many are not met", async () => {
  const files = {"data/checks.json": [check("results", true), check("results", false), check("drives", true)]};
  const found = folds(await checksPage(pageContext("/checks", files)));
  assert.deepEqual(found.map(({id, open, rows}) => [id, open, rows]), [["results", false, 2], ["drives", false, 1]]);
  assert.match(found[0].words, /2 checks, 1 failed/);
  assert.match(found[1].words, /1 check, passed/);
  assert.deepEqual(folds(await checksPage(pageContext("/checks", files, {fragment: "drives"}))).map(({open}) => open), [false, true]);
});

test("a configuration is called by its title without its folder, and by its id where it has none", () => {
  const row = {submission_id: "s", configuration_id: "throughput-nvme2n2-2022-03-04-filled"};
  assert.equal(configurationName(row, "ZNS SSD: reads of a written area; folder throughput/nvme2n2"), "ZNS SSD: reads of a written area");
  assert.equal(configurationName(row, "Intel D3-S4610: folder HPDL380G8/HBA"), "Intel D3-S4610: folder HPDL380G8/HBA");
  assert.equal(configurationName(row, null), row.configuration_id);
  const link = configurationLink(row, "ZNS SSD: reads", (path, {hash}) => `${path}#${hash}`);
  assert.deepEqual([link.textContent, link.getAttribute("href"), link.getAttribute("title")], ["ZNS SSD: reads", `submissions/s#${row.configuration_id}`, row.configuration_id]);
});

test("what one drive gives is led to by the name of its configuration", async () => {
  const drive = {submission_id: "s", configuration_id: "an-id-that-says-nothing", title: "One drive, scheduler none", load_profile: "4 KiB random read", metric: "operations_per_second", device_id: "d", device: "Drive", media_class: "ssd_nvme", storage_topology: "single", drive_count: 1, per_drive_value: 1000};
  const page = await pricePage(pageContext("/price", {"data/price.json": [], "data/price-drives.json": [drive]}));
  assert.match(page.querySelector("#drives").textContent, /One drive, scheduler none/);
  assert.doesNotMatch(page.querySelector("#drives").textContent, /says-nothing/);
});

test("many configurations of a submission lie behind their number, and one that the address asks for is open", async () => {
  const configurations = Array.from({length: 13}, (_, i) => ({submission_id: "s", configuration_id: `c${i}`, title: `Bench ${i}`}));
  const draw = (count, fragment) => submissionPage(pageContext("/submissions/[submission]", {"data/coverage.json": [], "content/submissions/s.json": {submission: {submission_id: "s", title: "S", status: "active", submitted_on: "2026-01-01", submitted_by: "one"}, configurations: pack(configurations.slice(0, count))}}, {id: "s", fragment}));
  const box = (page) => page.querySelector("#configurations > details.data");
  const closed = box(await draw(13, ""));
  assert.match(closed.querySelector("summary").textContent, /13/);
  assert.deepEqual([closed.hasAttribute("open"), closed.querySelectorAll("details.fold").length], [false, 13]);
  const asked = box(await draw(13, "c7"));
  assert.deepEqual([asked.hasAttribute("open"), [...asked.querySelectorAll("details[open]")].map(({id}) => id)], [true, ["c7"]]);
  const few = await draw(12, "");
  assert.deepEqual([box(few), few.querySelectorAll("#configurations details.fold").length], [null, 12]);
});
