// Own files in the browser: read as the command reads them, compared with what is published, and nothing asked of a server.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from "node:fs";
import {basename, join, resolve} from "node:path";
import {start} from "./browser.mjs";
import {after, before, describe, program, test} from "./limits.mjs";
import {own, python, sample} from "./sites.mjs";
import {cases, nearest, ownAnswer} from "../components/own/compare.js";
import {repositoryOf} from "../components/own/form.js";
import {handedIn, testedOn, yaml} from "../components/own/manifest.js";
import {messages} from "../components/messages.js";

const fixtures = join("ingest", "tests", "fixtures");
const {folder, remove} = own();
const t = messages("en", {breaks: true});

// Twenty real files of a tool, when a corpus of them is at hand: IOLEDGER_CORPUS names its folder.
function ofCorpus(tool) {
  const place = process.env.IOLEDGER_CORPUS;
  const files = place ? readdirSync(join(place, tool), {recursive: true, withFileTypes: true}).filter((each) => each.isFile()).map(({parentPath, name}) => join(parentPath, name)).sort() : [];
  return files.filter((_, i) => i % Math.ceil(files.length / 20) === 0);
}

// Files of every tool and format under the names of their cases, in a folder of their own; returns its place.
function laidOut() {
  const place = join(folder, "own results");
  for (const tool of ["fio", "iometer", "orion", "diskspd"]) {
    for (const name of readdirSync(join(fixtures, tool))) {
      const [input] = readdirSync(join(fixtures, tool, name)).filter((each) => each.startsWith("input."));
      if (!input) continue;
      mkdirSync(join(place, tool, name), {recursive: true});
      cpSync(join(fixtures, tool, name, input), join(place, tool, name, input));
    }
    for (const file of ofCorpus(tool)) cpSync(file, join(place, tool, "corpus", basename(file)));
  }
  return place;
}

// What the command says of files in the folder of the tests: rows as JSON lines, and why files are refused.
function parsed(...names) {
  const run = (...options) => spawnSync(resolve(python), ["-m", "ioledger", "parse", ...names, ...options], {...program(), cwd: folder, encoding: "utf8", maxBuffer: 1 << 26});
  return {lines: run("--format", "jsonl").stdout, problems: JSON.parse(run("--summary", "--json").stdout).problems};
}

// What the command's check says of a zip of a submission, with the names of its files and its manifest.
function checked(zip, name) {
  const place = join(folder, name);
  spawnSync(resolve(python), ["-m", "zipfile", "-e", zip, join(place, "data")], program());
  const submission = join(place, "data", readdirSync(join(place, "data"))[0]);
  const {status, stdout, stderr} = spawnSync(resolve(python), ["-m", "ioledger", "check", submission, "--workspace", place], {...program(), encoding: "utf8"});
  return {status, stdout, stderr, files: readdirSync(submission).sort(), manifest: readFileSync(join(submission, "manifest.yaml"), "utf8")};
}

// What makes a report one of a run with a job file and a log.
const LOGGED = {
  options: {write_bw_log: "run"},
  job: "[a]\nrw=randread\nbs=4k\nioengine=psync\niodepth=32\nwrite_bw_log=run\ndirect=1\n",
  log: Array.from({length: 4}, (_, i) => `${500 * (i + 1)}, 8000, 0, 4096, 0, 0\n`).join("")
};

describe("own files in the browser", () => {
  let site;
  let made;
  before(async () => { made = sample(); site = await start(join(made.folder, "dist")); }, program(300));
  after(async () => { await site.stop(); made.remove(); remove(); });

  // A page that has read what is put into one of its fields, or the example; it reads for one test after the other.
  const pages = new Map();
  async function opened(files, field = "#own-files", path = "/your-result") {
    if (!pages.has(path)) pages.set(path, await site.open(path));
    await read(pages.get(path).page, files, field);
    return pages.get(path);
  }
  async function read(page, files, field = "#own-files") {
    await page.evaluate(() => document.querySelector("#own-read")?.remove());
    if (files) await page.setInputFiles(field, files);
    else await page.click("#own-example");
    await page.waitForSelector("#own-read");
  }
  async function kept(page, button) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
    return readFileSync(await download.path(), "utf8");
  }
  const words = (page) => page.locator("#own-read").evaluate((box) => box.textContent.replaceAll("\u00a0", " "));

  test("a folder with files of every tool becomes the rows, findings and refusals of the command", async () => {
    const place = laidOut();
    const {lines, problems} = parsed("own results");
    const {page, faults} = await opened(place, "#own-folder");
    const found = await kept(page, "#own-jsonl");
    assert.ok(lines.split("\n").length > 200);
    assert.equal(found, lines);
    const [head, ...rows] = (await kept(page, "#own-csv")).trim().split("\n");
    assert.ok(head.startsWith("source_path,source_sha256,"));
    assert.ok(rows.length >= lines.trim().split("\n").length);
    const text = await words(page);
    assert.ok(problems.length > 0);
    for (const {what} of problems) assert.ok(text.includes(what), what);
    assert.deepEqual(faults, []);
  });

  test("of a zip each member is read, what is no result is refused in the words of the command, and the form makes a zip that its check accepts", async () => {
    const script = "import sys, zipfile\nwith zipfile.ZipFile('run.zip', 'w') as z: [z.write(n, n.split('/')[-2] + '.json') for n in sys.argv[1:]]";
    spawnSync(resolve(python), ["-c", script, ...["json-3.33", "json-mixed"].map((name) => resolve(fixtures, "fio", name, "input.json"))], {...program(), cwd: folder});
    writeFileSync(join(folder, "notes.txt"), "These are not results.\n");
    cpSync(resolve(fixtures, "diskspd", "text-2.0.15", "input.txt"), join(folder, "diskspd.txt"));
    const {lines, problems: [{what, remedy}]} = parsed("run.zip", "notes.txt");
    const {page, faults} = await opened(["run.zip", "notes.txt"].map((name) => join(folder, name)));
    assert.equal(await kept(page, "#own-jsonl"), lines);
    const text = await words(page);
    assert.match(text, /run\.zip!json-3\.33\.json/);
    assert.ok(text.includes(`${what}. ${remedy}`), text);
    await read(page, ["run.zip", "diskspd.txt"].map((name) => join(folder, name)));
    for (const [name, value] of Object.entries({title: "A drive: its first runs", submitted_by: "Tess Tester", vendor: "Maker", model: "M #1", capacity: "1920", operating_system: "Debian GNU/Linux 12"})) await page.fill(`#own-${name}`, value);
    await page.selectOption("#own-media_class", "hdd");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#own-make")]);
    assert.match(download.suggestedFilename(), /^\d{4}-\d\d-tess-tester-maker-m-1\.zip$/);
    assert.match(await page.textContent("#own-made"), /is valid/);
    const {status, stdout, stderr, files} = checked(await download.path(), "submission");
    assert.deepEqual(files, ["diskspd.txt", "json-3.33.json", "json-mixed.json", "manifest.yaml"]);
    assert.equal(status, 0, stdout + stderr);
    assert.deepEqual(faults, []);
  });

  test("once a page has read, it reads on without a network, asks for nothing, and would name what it asked for", async () => {
    const {page, faults, requests, close} = await site.open("/your-result");
    await read(page);
    const before = requests.length;
    await page.context().setOffline(true);
    await read(page, resolve(fixtures, "fio", "json-3.33", "input.json"));
    assert.match(await words(page), /input\.json/);
    // a published drive with a lower bound, and a name in signs of their own fonts
    cpSync(join(made.folder, "data", "2026-11-ioledger-virtual-disk", "restore.1.json"), join(folder, "結果.json"));
    await read(page, join(folder, "結果.json"));
    await page.selectOption("#own-case", await page.locator("#own-case option").evaluateAll((all) => all.find(({text}) => text.includes(" 512 (")).value));
    assert.match(await page.textContent("#own svg"), /≥/);
    assert.match(await page.textContent("#own svg"), /結果/);
    await page.evaluate(() => document.fonts.ready);
    assert.equal(await page.textContent("#own-requests"), "0");
    assert.deepEqual(requests.slice(before), []);
    await page.context().setOffline(false);
    await page.evaluate(() => fetch("/icon.svg").then((answer) => answer.text()));
    await page.waitForFunction(() => /^1 \(http.*icon\.svg\)$/.test(document.querySelector("#own-requests").textContent));
    assert.deepEqual(faults, []);
    await close();
  });

  test("a job file is said to be one, what is compared comes before what was read, and a form that the schema refuses says which field", async () => {
    const {page} = await opened(resolve(fixtures, "fio", "job-file", "input.fio"));
    assert.match(await words(page), /A job file: it says how to measure and has no results.*--output/);
    await read(page, null);
    const order = await page.locator("#own-output :is(figure, section.card)").evaluateAll((found) => found.map(({id}) => id));
    assert.deepEqual(order, ["own", "own-read", "own-submission"]);
    assert.ok(await page.locator("#own").evaluate((box) => box.getBoundingClientRect().top < innerHeight / 2));
    for (const [name, value] of Object.entries({title: "A drive", submitted_by: "Tess", tested_on: "last week"})) await page.fill(`#own-${name}`, value);
    await page.click("#own-make");
    await page.waitForSelector("#own-made li");
    assert.deepEqual(await page.locator("#own-made li").allTextContents(), ["tested_on: write 2023-06-27, 2023-06 or 2023"]);
  });

  test("a job file and a log go into the zip with the result that they belong to", async () => {
    const place = join(folder, "with log");
    mkdirSync(place);
    const {options, job, log} = LOGGED;
    const report = JSON.parse(readFileSync(resolve(fixtures, "fio", "json-synchronous-engine", "input.json"), "utf8"));
    Object.assign(report.jobs[0]["job options"], options);
    writeFileSync(join(place, "report.json"), JSON.stringify(report));
    writeFileSync(join(place, "job.fio"), job);
    writeFileSync(join(place, "run_bw.1.log"), log);
    const {page} = await opened(place, "#own-folder");
    for (const [name, value] of Object.entries({title: "A run with its log", submitted_by: "試験者"})) await page.fill(`#own-${name}`, value);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#own-make")]);
    assert.match(download.suggestedFilename(), /^\d{4}-\d\d-[0-9a-f]{6}-drive\.zip$/);
    const {status, stdout, stderr, manifest} = checked(await download.path(), "logged");
    assert.match(manifest, /path: "job\.fio"\n.*\n +role: "job"/);
    assert.match(manifest, /path: "run_bw\.1\.log"\n.*\n +run: "report\.json"\n +point: ".*"\n +role: "log"/);
    assert.equal(status, 0, stdout + stderr);
  });

  test("a file that was published meets its own drive", async () => {
    const [submission] = readdirSync(join(made.folder, "data")).filter((name) => name.includes("virtual-disk"));
    const place = join(made.folder, "data", submission);
    const file = readdirSync(place).find((name) => /\.json$/.test(name));
    const {page} = await opened(join(place, file), "#own-files", "/ja/your-result");
    assert.match(await page.textContent("#own .answer"), /virtio-blk-256gib/);
    assert.match(await page.textContent("#own svg"), /あなたのファイル: .*\.json|あなたのファイル：.*\.json/);
  });

  test("nothing of the reader is loaded before files are chosen; what is dropped is read, and a folder in it is walked", async () => {
    const {page, requests, close} = await site.open("/your-result");
    assert.deepEqual(requests.filter((each) => /\/reader\/|own-points/.test(each)), []);
    const text = readFileSync(resolve(fixtures, "fio", "json-3.33", "input.json"), "utf8");
    await page.evaluate((content) => {
      const file = (name, inside) => ({isFile: true, name, file: (done) => done(new File([inside], name))});
      let left = [[file("a.json", content)], []];
      const dataTransfer = {items: [{webkitGetAsEntry: () => ({isFile: false, name: "runs", createReader: () => ({readEntries: (done) => done(left.shift())})})}]};
      document.querySelector(".drop").ondrop({dataTransfer});
    }, text);
    await page.waitForSelector("#own-read");
    assert.match(await words(page), /runs\/a\.json/);
    await close();
  });
});

const MEMBERS = ["random", null, 1, 4096, 4096, null, null, null];
const workload = {workload_id: "w", load_profile: "4 KiB random read", access_pattern: "random", read_ratio: 1, block_size_min_bytes: 4096, block_size_max_bytes: 4096};
const drive = (device, operations_per_second) => ({workload_id: "w", queue_depth: 1, device, operations_per_second});
const published = {workloads: [workload], points: [drive("Fast", 20_000), drive("Slow", 5_000)]};
const row = (operations_per_second, more = {}) => ({result_id: String(operations_per_second), queue_depth: 1, operation: "read", repetition_id: "r", operations_per_second, ...more});
const resultOf = (rows, members = MEMBERS) => ({rows, workloads: Object.fromEntries(rows.map(({result_id}) => [result_id, members]))});
const said = (rows, known = published) => ownAnswer(cases(resultOf(rows), known)[0], {t}).map((node) => node.textContent ?? node).join("");

test("the answer compares the fastest own result with the published drives around it", () => {
  assert.match(said([row(30_000)]), /30\.0 k IOPS, more than any of 2 published drives.*: 1\.50 × Fast/);
  assert.match(said([row(10_000)]), /more than 1 of 2 published drives.*: 2\.00 × Slow, 0\.50 × Fast/);
  assert.match(said([row(1_000)]), /less than every one of 2 published drives.*: 0\.20 × Slow/);
  assert.match(said([row(10)]), /: 0\.0020 × Slow/);
  assert.match(said([row(1_000)], {...published, points: [{...drive("Bound", 500_000), value_kind: "lower_bound"}]}), /: ≤ 0\.0020 × Bound/);
  assert.match(said([row(1_000)], {...published, points: [drive("Only", 500)]}), /more than the one published drive/);
  assert.match(said([row(1_000, {queue_depth: 7})]), /No published drive was measured with this workload at this queue depth/);
});

test("reads and writes that ran together are one result, and other depths are other cases", () => {
  const [mixed, deep] = cases(resultOf([row(300, {latency_mean_seconds: 0.001}), row(200, {operation: "write", latency_mean_seconds: 0.002}), row(900, {queue_depth: 8})]), published);
  assert.deepEqual(mixed.own.map((each) => [each.operations_per_second, each.latency_mean_seconds]), [[500, 0.0014]]); // of all operations
  assert.equal(deep.queue_depth, 8);
});

test("a workload that nobody published is named by its members, with the nearest ones that are", () => {
  const members = ["random", null, 0.7, 8192, 16384, null, '{"fsync":1}', null];
  const [found] = cases(resultOf([row(100)], members), published);
  assert.equal(found.load_profile, "8 KiB to 16 KiB random, 70 % read, fsync=1");
  assert.deepEqual(nearest(found, published), [workload]);
});

test("files of a submission have plain names of their own, and what was measured again is the next repetition", () => {
  const names = ["a.zip!x/run 1.json", "b/run 1.json", "c/other.json", "d/log.log"];
  const files = names.map((name, i) => ({name, sha256: "f", status: i < 3 ? "read" : "ignored", result_count: 1}));
  const rows = names.map((source_path, i) => ({source_path, operation: "read", queue_depth: i === 2 ? 8 : 1, started_at: `2026-11-0${3 - i}T00:00:00Z`}));
  assert.deepEqual(handedIn({files, rows}).map(({path, repetition}) => [path, repetition]), [["other.json", 1], ["run-1.json", 1], ["2-run-1.json", 2]]);
  const logged = [{...files[0], linked: "jobs/run.fio"}, {name: "jobs/run.fio", sha256: "j", status: "read", is_setup: true}, {name: "other.fio", status: "read", is_setup: true}, {name: "x_bw.1.log", sha256: "l", status: "read", linked: names[0], point: "0"}];
  assert.deepEqual(handedIn({files: logged, rows}).map(({path, job, role, run, point}) => [path, job ?? role, run, point]), [["run-1.json", "run.fio", undefined, undefined], ["run.fio", "job", undefined, undefined], ["x_bw.1.log", "log", "run-1.json", "0"]]);
  assert.equal(testedOn(rows), "2026-11");
  assert.equal(testedOn([{}]), "");
});

test("the upload page of the repository is known where the address of the site tells it", () => {
  assert.deepEqual(repositoryOf("https://someone.github.io/ledger/ja/your-result"), {repository: "https://github.com/someone/ledger", upload: "https://github.com/someone/ledger/upload/main/data"});
  assert.equal(repositoryOf("https://someone.example/ledger/your-result"), null);
});

test("a manifest is YAML in which no text is taken for a number or a date", () => {
  assert.equal(yaml({version: "1.10", none: {unknown: "why: no"}, files: [{path: "a", repetition: 1}]}), 'version: "1.10"\nnone: {unknown: "why: no"}\nfiles:\n  - path: "a"\n    repetition: 1\n');
});
