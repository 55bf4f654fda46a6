// Own files in the browser: read as the command reads them, compared with what is published, and nothing asked of a server.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from "node:fs";
import {join, resolve} from "node:path";
import {start} from "./browser.mjs";
import {after, before, describe, program, test} from "./limits.mjs";
import {own, python, sample} from "./sites.mjs";
import {cases, nearest, ownAnswer} from "../components/own/compare.js";
import {repositoryOf} from "../components/own/form.js";
import {handedIn, testedOn, yaml} from "../components/own/manifest.js";
import {messages} from "../components/messages.js";

const fixtures = join("ingest", "tests", "fixtures");
const [folder, made] = [own(), sample()];
const t = messages("en", {breaks: true});

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
  }
  return place;
}

// What the command says of files in the folder of the tests: rows as JSON lines, and why files are refused.
function parsed(...names) {
  const run = (...options) => spawnSync(resolve(python), ["-m", "ioledger", "parse", ...names, ...options], {...program(), cwd: folder, encoding: "utf8", maxBuffer: 1 << 26});
  return {lines: run("--format", "jsonl").stdout, problems: JSON.parse(run("--summary", "--json").stdout).problems};
}

// What the command's check says of a zip of a submission, with the names of its files and its manifest.
function checked(zip) {
  const place = join(folder, "submission");
  spawnSync(resolve(python), ["-m", "zipfile", "-e", zip, join(place, "data")], program());
  const submission = join(place, "data", readdirSync(join(place, "data"))[0]);
  const {status, stdout, stderr} = spawnSync(resolve(python), ["-m", "ioledger", "check", submission, "--workspace", place], {...program(), encoding: "utf8"});
  return {status, stdout, stderr, files: readdirSync(submission).sort(), manifest: readFileSync(join(submission, "manifest.yaml"), "utf8")};
}

describe("own files in the browser", () => {
  let site;
  before(async () => { site = await start(join(made, "dist")); });
  after(() => site?.stop());

  // A page that has read what is put into one of its fields, or the example; it reads for one test after the other.
  let one;
  async function opened(files, field) {
    one ??= await site.open("/your-result");
    await read(one.page, files, field);
    return one;
  }
  async function read(page, files, field = "#own-files") {
    await page.evaluate(() => document.querySelector("#own-read")?.remove());
    await (files ? page.setInputFiles(field, files) : page.click("#own-example"));
    await page.waitForSelector("#own-read");
  }
  async function saved(page, button) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
    return {name: download.suggestedFilename(), path: await download.path()};
  }
  const filled = async (page, values) => { for (const [name, value] of Object.entries(values)) await page.fill(`#own-${name}`, value); };
  const words = (page) => page.locator("#own-read").evaluate((box) => box.textContent.replaceAll("\u00a0", " "));

  test("a folder with files of every tool becomes the rows, findings and refusals of the command", async () => {
    const place = laidOut();
    const {lines, problems} = parsed("own results");
    const {page, faults} = await opened(place, "#own-folder");
    assert.ok(lines.split("\n").length > 200);
    assert.equal(readFileSync((await saved(page, "#own-jsonl")).path, "utf8"), lines);
    const [head, ...rows] = readFileSync((await saved(page, "#own-csv")).path, "utf8").trim().split("\n");
    assert.ok(head.startsWith("source_path,source_sha256,"));
    assert.ok(rows.length >= lines.trim().split("\n").length);
    const text = await words(page);
    assert.ok(problems.length > 0);
    for (const {what} of problems) assert.ok(text.includes(what), what);
    assert.deepEqual(faults, []);
  });

  test("of a zip each member is read, what is no result is refused in the words of the command, and the form makes a zip with job file and log that its check accepts", async () => {
    const script = "import sys, zipfile\nwith zipfile.ZipFile('run.zip', 'w') as z: [z.write(n, n.split('/')[-2] + '.json') for n in sys.argv[1:]]";
    spawnSync(resolve(python), ["-c", script, ...["json-3.33", "json-mixed"].map((name) => resolve(fixtures, "fio", name, "input.json"))], {...program(), cwd: folder});
    const report = JSON.parse(readFileSync(resolve(fixtures, "fio", "json-synchronous-engine", "input.json"), "utf8"));
    report.jobs[0]["job options"].write_bw_log = "run";
    const written = {
      "notes.txt": "These are not results.\n", "diskspd.txt": readFileSync(resolve(fixtures, "diskspd", "text-2.0.15", "input.txt")), "report.json": JSON.stringify(report),
      "job.fio": "[a]\nrw=randread\nbs=4k\nioengine=psync\niodepth=32\nwrite_bw_log=run\ndirect=1\n", "run_bw.1.log": [500, 1000, 1500, 2000].map((time) => `${time}, 8000, 0, 4096, 0, 0\n`).join("")
    };
    for (const [name, content] of Object.entries(written)) writeFileSync(join(folder, name), content);
    const places = (...names) => names.map((name) => join(folder, name));
    const {lines, problems: [{what, remedy}]} = parsed("run.zip", "notes.txt");
    const {page, faults} = await opened(places("run.zip", "notes.txt"));
    assert.equal(readFileSync((await saved(page, "#own-jsonl")).path, "utf8"), lines);
    const text = await words(page);
    for (const said of ["run.zip!json-3.33.json", `${what}. ${remedy}`]) assert.ok(text.includes(said), text);
    await read(page, places("run.zip", "diskspd.txt", "report.json", "job.fio", "run_bw.1.log"));
    await filled(page, {title: "A drive: its first runs", submitted_by: "Tess Tester", vendor: "Maker", model: "M #1", capacity: "1920", operating_system: "Debian GNU/Linux 12"});
    await page.selectOption("#own-media_class", "hdd");
    const {name, path} = await saved(page, "#own-make");
    assert.match(name, /^\d{4}-\d\d-tess-tester-maker-m-1\.zip$/);
    assert.match(await page.textContent("#own-made"), /is valid/);
    const {status, stdout, stderr, files, manifest} = checked(path);
    assert.deepEqual(files, ["diskspd.txt", "job.fio", "json-3.33.json", "json-mixed.json", "manifest.yaml", "report.json", "run_bw.1.log"]);
    assert.match(manifest, /path: "job\.fio"\n.*\n +role: "job"/);
    assert.match(manifest, /path: "run_bw\.1\.log"\n.*\n +run: "report\.json"\n +point: ".*"\n +role: "log"/);
    assert.equal(status, 0, stdout + stderr);
    await filled(page, {submitted_by: "試験者"});
    assert.match((await saved(page, "#own-make")).name, /^\d{4}-\d\d-[0-9a-f]{6}-maker-m-1\.zip$/);
    assert.deepEqual(faults, []);
  });

  test("a job file is said to be one, what is compared comes before what was read, and a form that the schema refuses says which field", async () => {
    const {page} = await opened(resolve(fixtures, "fio", "job-file", "input.fio"));
    assert.match(await words(page), /A job file: it says how to measure and has no results.*--output/);
    await read(page, null);
    const order = await page.locator("#own-output :is(figure, section.card)").evaluateAll((found) => found.map(({id}) => id));
    assert.deepEqual(order, ["own", "own-read", "own-submission"]);
    assert.ok(await page.locator("#own").evaluate((box) => box.getBoundingClientRect().top < innerHeight / 2));
    await filled(page, {title: "A drive", submitted_by: "Tess", tested_on: "last week"});
    await page.click("#own-make");
    await page.waitForSelector("#own-made li");
    assert.deepEqual(await page.locator("#own-made li").allTextContents(), ["tested_on: write 2023-06-27, 2023-06 or 2023"]);
  });

  test("nothing of the reader is loaded before files are chosen or dropped with their folder; then it reads on without a network, asks for nothing, and would name what it asked for", () => site.visit("/ja/your-result", async (page, requests) => {
    assert.deepEqual(requests.filter((each) => /\/reader\/|own-points/.test(each)), []);
    const text = readFileSync(resolve(fixtures, "fio", "json-3.33", "input.json"), "utf8");
    await page.evaluate((content) => {
      const file = (name, inside) => ({isFile: true, name, file: (done) => done(new File([inside], name))});
      const left = [[file("a.json", content)], []];
      const dataTransfer = {items: [{webkitGetAsEntry: () => ({isFile: false, name: "runs", createReader: () => ({readEntries: (done) => done(left.shift())})})}]};
      document.querySelector(".drop").ondrop({dataTransfer});
    }, text);
    await page.waitForSelector("#own-read");
    assert.match(await words(page), /runs\/a\.json/);
    const before = requests.length;
    await page.context().setOffline(true);
    // a published drive with a lower bound, and a name in signs of their own fonts
    cpSync(join(made, "data", "2026-11-ioledger-virtual-disk", "restore.1.json"), join(folder, "結果.json"));
    await read(page, join(folder, "結果.json"));
    await page.selectOption("#own-case", await page.locator("#own-case option").evaluateAll((all) => all.find(({text}) => text.includes(" 512 (")).value));
    for (const sign of ["≥", "結果", "あなたのファイル"]) assert.ok((await page.textContent("#own svg")).includes(sign), sign);
    assert.match(await page.textContent("#own .answer"), /virtio-blk-256gib/);
    await page.evaluate(() => document.fonts.ready);
    assert.equal(await page.textContent("#own-requests"), "0");
    assert.deepEqual(requests.slice(before), []);
    await page.context().setOffline(false);
    await page.evaluate(() => fetch("/icon.svg").then((answer) => answer.text()));
    await page.waitForFunction(() => /^1 \(http.*icon\.svg\)$/.test(document.querySelector("#own-requests").textContent));
  }));
});

const MEMBERS = ["random", null, 1, 4096, 4096, null, null, null];
const workload = {workload_id: "w", load_profile: "4 KiB random read", access_pattern: "random", read_ratio: 1, block_size_min_bytes: 4096, block_size_max_bytes: 4096};
const drive = (device, operations_per_second) => ({workload_id: "w", queue_depth: 1, device, operations_per_second});
const published = {workloads: [workload], points: [drive("Fast", 20_000), drive("Slow", 5_000)]};
const row = (operations_per_second, more = {}) => ({result_id: String(operations_per_second), queue_depth: 1, operation: "read", repetition_id: "r", operations_per_second, ...more});
const resultOf = (rows, members = MEMBERS) => ({rows, workloads: Object.fromEntries(rows.map(({result_id}) => [result_id, members]))});

test("the answer compares the fastest own result with the published drives around it", () => {
  for (const [own, points, said] of [
    [row(30_000), published.points, /30\.0 k IOPS, more than any of 2 published drives.*: 1\.50 × Fast/], [row(10_000), published.points, /more than 1 of 2 published drives.*: 2\.00 × Slow, 0\.50 × Fast/],
    [row(1_000), published.points, /less than every one of 2 published drives.*: 0\.20 × Slow/], [row(10), published.points, /: 0\.0020 × Slow/],
    [row(1_000), [{...drive("Bound", 500_000), value_kind: "lower_bound"}], /: ≤ 0\.0020 × Bound/], [row(1_000), [drive("Only", 500)], /more than the one published drive/],
    [row(1_000, {queue_depth: 7}), published.points, /No published drive was measured with this workload at this queue depth/]
  ]) assert.match(ownAnswer(cases(resultOf([own]), {...published, points})[0], {t}).map((node) => node.textContent ?? node).join(""), said);
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

test("the upload page is known where the address of the site tells the repository, and in the YAML of a manifest no text is taken for a number or a date", () => {
  assert.deepEqual(repositoryOf("https://someone.github.io/ledger/ja/your-result"), {repository: "https://github.com/someone/ledger", upload: "https://github.com/someone/ledger/upload/main/data"});
  assert.equal(repositoryOf("https://someone.example/ledger/your-result"), null);
  assert.equal(yaml({version: "1.10", none: {unknown: "why: no"}, files: [{path: "a", repetition: 1}]}), 'version: "1.10"\nnone: {unknown: "why: no"}\nfiles:\n  - path: "a"\n    repetition: 1\n');
});
