// Pages drawn whole from rows: with rows and without, with a view in the address, in both languages.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {existsSync, readFileSync, readdirSync} from "node:fs";
import {join, resolve, sep} from "node:path";
import {pathToFileURL} from "node:url";
import {gzipSync} from "node:zlib";
import {describe, test} from "./limits.mjs";
import {dist} from "./browser.mjs";
import checksPage from "../pages/checks.js";
import comparePage from "../pages/compare.js";
import devicePage from "../pages/devices/[device].js";
import devicesPage from "../pages/devices/index.js";
import firstRoundPage from "../pages/first-round.js";
import pricePage from "../pages/price.js";
import rulesPage from "../pages/rules.js";
import sameDrivePage from "../pages/same-drive.js";
import sourcePage from "../pages/source.js";
import submissionPage from "../pages/submissions/[submission].js";
import syncWritesPage from "../pages/sync-writes.js";
import withinPage from "../pages/within.js";
import {rowsOfView} from "../components/compare.js";
import {context} from "../components/mount.js";
import {isGzipped} from "../components/packed.js";
import {configurationLink, configurationName} from "../components/records.js";
import {stateOf} from "../components/state.js";

// `files` are answers by path ("data/claims.json"): rows as an array of objects, or any document. `search` and `fragment` are of the address.
function pageContext(path, files, {language = "en", id = null, search = "", fragment = ""} = {}) {
  let at = search;
  const where = {search: () => at, go: (next) => { at = next; }};
  // a file that stands in Japanese, too, is here the same
  const read = async (path, name = path.replace(/^ja\//, "")) => name.startsWith("data/") && Array.isArray(files[name]) ? pack(files[name]) : files[name] ?? null;
  const given = context({path, language, base: ".", id, read, state: stateOf({where}), fragment: () => fragment});
  return {...given, address: () => at};
}

// Rows by column, as the site step writes them.
const pack = (rows) => ({
  count: rows.length,
  columns: Object.fromEntries([...new Set(rows.flatMap(Object.keys))].map((name) => [name, {values: rows.map((row) => row[name] ?? null)}]))
});

const hrefs = (node) => [...node.querySelectorAll("a[href]")].map((a) => a.getAttribute("href"));
const said = (node) => node.textContent.replaceAll("\u00a0", " ").replaceAll(/\s+/g, " ");

// Pages whose answer is in their heading or their text: the page, its files, its address, and what it says.
const within = (device_id, operations_per_second, latency_mean_seconds, more = {}) => ({load_profile: "4 KiB random read", device_id, short_name: `Drive ${device_id}`, media_class: "ssd_nvme", queue_depth: 8, point_id: `${device_id}${operations_per_second}`, operations_per_second, latency_mean_seconds, ...more});
const withinRows = [
  within("a", 40_000, 2e-4, {p999_seconds: 4e-4}), within("a", 90_000, 8e-4, {p999_seconds: 3e-3}), within("b", 20_000, 5e-4), within("b", 60_000, 2e-3),
  within("c", 12_000, 8e-5, {queue_depth: 1}), within("d", 30_000, 5e-4, {is_bound: true}), within("e", 100, 1e-2)
];
const withinFiles = {
  "parts/within.json": [{part: "application-types", label: "Five application types"}, {part: "w", label: "4 KiB random read"}],
  "parts/within/application-types.json": {within: pack([{...withinRows[0], load_profile: "Restore"}, {...withinRows[1], load_profile: "File copy"}])}, "parts/within/w.json": {within: pack(withinRows)}
};
// Two of the 56 cells of ljishen/SSSPT.
const cell = {access_pattern: "random", queue_depth: 32, block_size_bytes: 16384, read_ratio: 0.05, series_count: 15, off_count: 14, low_count: 14, steady_count: 13, unsteady_count: 2, first_ratio: 0.67, steady_round: 7, most_steady_round: 21};
const specimen = {submission_id: "s", a_device_id: "hg6", a_device: "HG6 128 GB", a_specimen: "a", b_device_id: "hg6-256", b_device: "HG6 256 GB", b_specimen: "c", load_profile: "4 KiB random read", block_size_bytes: 4096, queue_depth: 32, host_count: 3, bench_count: 5, ratio: 1.0032, ratio_low: 0.9959, ratio_high: 1.0104, verdict: "equal"};
const model = {submission_id: "s", device_id: "hg6-256", device: "HG6 256 GB", a_specimen: "c", b_specimen: "d", a_configuration_id: "hp-4-c", a_title: "c", b_configuration_id: "hp-2-d", b_title: "d", doubt: "its performance oscillates", workload_count: 56, slower_count: 14, faster_count: 0, ratio: 0.9312, ratio_low: 0.8549, ratio_high: 1.0268};
const rounds = {
  "data/first-round.json": [cell, {...cell, read_ratio: 1, off_count: 0, low_count: 0, steady_count: 15, unsteady_count: 0, first_ratio: 1.0, steady_round: 5, most_steady_round: 6}],
  "data/first-round-setups.json": [{submission_id: "s", configuration_id: "c", title: "Toshiba HG6, specimen a", device_id: "hg6", device: "Toshiba HG6", drive_specimen: "a", series_count: 56, round_count: 6, most_rounds: 11, steady_round: 6, off_count: 20, steady_count: 50, unsteady_count: 5, broken_count: 1}],
  "data/specimens.json": [specimen], "data/specimens-of-model.json": [{...model, b_configuration_id: "hp-1-d", slower_count: 12}, model]
};
// Two of the 18 sets of stonet-optane, and one that was measured at depth 32 as well.
const set = {load_profile: "4 KiB random read", device_id: "optane", device: "Intel Optane SSD", short_name: "Optane SSD", media_class: "ssd_optane", set_count: 2, latency_mean_seconds: 6.88e-6, latency_low_seconds: 6.88e-6, latency_high_seconds: 6.88e-6, point_id: "p", run_count: 1, bench_key: "s/two-socket-server", run_time_seconds: 300, submission_id: "s", configuration_id: "a", title: "Intel Optane, 1 drive: 4 KiB random read, SPDK, user space; figure 4"};
const second = {...set, configuration_id: "b", latency_mean_seconds: 10.3e-6, title: "Intel Optane, 1 drive: 4 KiB random read, psync, interrupt; figure 2"};
const sets = (...rows) => ({"data/same-drive-benches.json": rows});
// Rows of ceph-diskbench.
const written = {submission_id: "s", configuration_id: "c", device_id: "750", device: "Intel 750", short_name: "Intel 750", media_class: "ssd_nvme", write_cache: null, sync_interval: "fdatasync 1", one_point_id: "p1", one_value: 64235, best_point_id: "p2", best_value: 192440, best_jobs: 8, run_count: 1};
const writes = {"data/sync-writes.json": [written, {...written, device_id: "pm883", device: "Samsung PM883", short_name: "Samsung PM883", media_class: "ssd_sata", write_cache: "off", one_value: 12680, best_value: 59338, best_jobs: 16}, {...written, device_id: "970", device: "Samsung 970 PRO", short_name: "Samsung 970 PRO", one_value: 456, best_value: 840, best_jobs: 2}]};
const sayings = [
  [withinPage, withinFiles, {}, /1 of 5 drives deliver 50 k IOPS within a mean latency of 1 ms; 2 are unknown\./],
  [withinPage, withinFiles, {search: "?iops=500k&within=1ms"}, /No measured drive does; the closest is Drive a: 90\.0 k IOPS within a mean latency of 1 ms\./],
  [withinPage, withinFiles, {search: "?iops=1.5 M&within=3ms&by=p999"}, /No measured drive does/],
  [withinPage, withinFiles, {search: "?iops=30k&within=x&by=p999"}, /1 of 5 drives deliver 30 k IOPS within a p99\.9 of 1 ms; 4 are unknown\./],
  [withinPage, withinFiles, {search: "?within=1us"}, /No drive measured here has a mean latency within 1 µs\./],
  // the one load of a set that is asked for, and no load of another
  [withinPage, withinFiles, {search: "?w=five-application-types"}, /1 of 1 drives deliver 50 k IOPS within a mean latency of 1 ms; 0 are unknown\./],
  [withinPage, withinFiles, {search: "?w=five-application-types&load=restore"}, /No measured drive does/],
  [firstRoundPage, rounds, {}, /A series was steady after 5 to 7 rounds \(median by cell\), at most 21; the first round was more than 10 % off the mean of the last five in 14 of 30 series; in 14 of these it was too low; by the SNIA rule 28 of 30 series were steady at the end.*67 %/i],
  [firstRoundPage, rounds, {}, /HG6 256 GB, specimen d against specimen c on the same host: slower in 14 of 56 workloads, faster in 0; median ratio 0\.93, 0\.85 to 1\.03/],
  [firstRoundPage, rounds, {}, /Specimens of one model differ by more than the two capacities do.*“?its performance oscillates/],
  [firstRoundPage, rounds, {}, /HG6 128 GB, specimen a and HG6 256 GB, specimen c are equal within 5 % in 1 of 1 workloads over 3 hosts, different in 0, undecided in 0/],
  [firstRoundPage, rounds, {language: "ja"}, /30 系列中 14 系列/],
  [sameDrivePage, sets(set, second), {}, /SPDK, user space; figure 4 ?.*psync, interrupt; figure 2/],
  [sameDrivePage, sets(set, second), {}, /^(?!.*at the right IOPS).*All on one test bench \(Two-socket-server\).*None was measured at queue depth 32/],
  [sameDrivePage, sets(set, {...second, operations_per_second: 500_000, deep_point_id: "d"}), {}, /at the right IOPS at queue depth 32/],
  [sameDrivePage, sets(set, second), {language: "ja"}, /すべて同じ測定環境/],
  [syncWritesPage, writes, {}, /With one job Intel 750 delivers 64\.2 k IOPS, Samsung 970 PRO 456 IOPS.*Samsung PM883, write cache off/],
  [pricePage, {"data/price.json": []}, {}, /No source prints a price yet.*IOPS per drive and per gigabyte/],
];

test("pages answer from their rows, for what their address says", async () => {
  for (const [page, files, options, words] of sayings) assert.match(said(await page(pageContext("/page", files, options))), words);
  const chosen = await withinPage(pageContext("/within", withinFiles, {search: "?w=five-application-types&load=restore"}));
  assert.equal(chosen.querySelector("#state-load").value, "restore");
  assert.equal((await withinPage(pageContext("/within", withinFiles))).querySelectorAll("#within table tbody tr").length, 5);
  assert.ok(hrefs(await sameDrivePage(pageContext("/same-drive", sets(set, second)))).some((href) => /first-round$/.test(href)));
});

// Every database that can be built has rows of these, and every submission has files. A list beside them is the project's
// own (rules, saved queries), but for the list of the parts of a page.
const ALWAYS = /^(ja\/)?data\/(submissions|devices|compare-names)\.json$/;
const isPacked = (value) => value != null && typeof value === "object" && "count" in value && "columns" in value;
const emptied = (value) => isPacked(value) ? {count: 0, columns: {}} : value && !Array.isArray(value) && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, name === "files" ? each : emptied(each)])) : value;

// A file of the built site, without a row in it.
async function readEmpty(name) {
  const path = join(dist, decodeURIComponent(name));
  if (!existsSync(path)) return null;
  const found = JSON.parse(readFileSync(path, "utf8"));
  return /^parts\/[^/]+\.json$/.test(name) ? [] : ALWAYS.test(name) ? found : emptied(found);
}

describe("without rows", () => {
  for (const file of readdirSync("site/pages", {recursive: true}).map((name) => name.split(sep).join("/")).filter((name) => name.endsWith(".js")).sort()) {
    const path = `/${file.replace(/\.js$/, "").replace(/(^|\/)index$/, "$1")}`;
    test(`${path} has words in place of charts and tables, in both languages`, async () => {
      const id = path.includes("[") ? readdirSync(join(dist, "content", path.split("/")[1])).filter((name) => name.endsWith(".json")).sort()[0].replace(/\.json$/, "") : null;
      const isOfRows = /^(queries|parts):/m.test(readFileSync(join("site/pages", file), "utf8"));
      const {default: page} = await import(pathToFileURL(resolve("site/pages", file)).href);
      for (const language of ["en", "ja"]) {
        const drawn = await page(context({path, language, base: ".", id, read: readEmpty, state: stateOf()}));
        assert.ok(drawn.querySelector("h1").textContent.trim().length > 0);
        // What the project says of itself may speak of null.
        assert.doesNotMatch(said(drawn), isOfRows ? /undefined|NaN|Infinity|\bnull\b|\[object/ : /undefined|\[object/);
        assert.deepEqual([...drawn.querySelectorAll("table")].filter((table) => !table.querySelector("tbody tr")).map(said), [], "a table without rows");
        assert.deepEqual([...drawn.querySelectorAll("figure.figure")].filter((figure) => !figure.querySelector("circle, path, rect, tbody tr, table")).map(said), [], "a figure without marks");
        // What is missing is said beside the heading and what the page is for.
        const words = [...drawn.querySelectorAll("p, li, dd")].filter((node) => !node.matches(".lede, .eyebrow, .ways, .unscripted") && node.textContent.trim());
        if (isOfRows) assert.ok(words.length > 0 || drawn.querySelector("tbody tr"), `nothing is said but: ${said(drawn)}`);
      }
    });
  }
});

describe("what would make a page long", () => {
  const folds = (page) => [...page.querySelectorAll("details.fold")].map((fold) => [fold.id, fold.hasAttribute("open"), fold.querySelectorAll("tbody tr").length, fold.querySelector("summary").textContent]);
  const rule = (name, stage, severity = "refuse") => ({rule: name, stage, severity, text: `Text of ${name}`, area: "file_format"});
  const check = (suite, success) => ({suite, table: suite, expectation: "expect_column_values_to_not_be_null", columns: ["a"], row_count: 5, missing_count: 0, success, unexpected_count: success ? 0 : 2, severity: "warn"});
  for (const [page, files, wanted, fragment, counted] of [
    [rulesPage, {"data/rules.json": [rule("R-A-1", "reading"), rule("R-A-2", "reading", "warn"), rule("R-B-1", "build")]}, [["stage-reading", 2], ["stage-build", 1]], "R-B-1", /2 rules; 1 refuse/],
    [checksPage, {"data/checks.json": [check("results", true), check("results", false), check("drives", true)]}, [["results", 2], ["drives", 1]], "drives", /2 checks, 1 failed/]
  ]) {
    test(`of the page of ${wanted[0][0]} is closed behind its number, and the address of a row opens its box and no other`, async () => {
      const closed = folds(await page(pageContext("/page", files)));
      assert.deepEqual(closed.map(([id, open, rows]) => [id, open, rows]), wanted.map(([id, rows]) => [id, false, rows]));
      assert.match(closed[0][3], counted);
      assert.deepEqual(folds(await page(pageContext("/page", files, {fragment}))).map(([, open]) => open), [false, true]);
    });
  }

  test("of a submission lies behind its number, and the configuration that the address asks for is open", async () => {
    const configurations = Array.from({length: 13}, (_, i) => ({submission_id: "s", configuration_id: `c${i}`, title: `Bench ${i}`}));
    const draw = (count, fragment) => submissionPage(pageContext("/submissions/[submission]", {"data/coverage.json": [], "content/submissions/s.json": {submission: {submission_id: "s", title: "S", status: "active", submitted_on: "2026-01-01", submitted_by: "one"}, configurations: pack(configurations.slice(0, count))}}, {id: "s", fragment}));
    const box = (page) => page.querySelector("#configurations > details.data");
    const [closed, asked, few] = [box(await draw(13, "")), box(await draw(13, "c7")), await draw(12, "")];
    assert.match(closed.querySelector("summary").textContent, /13/);
    assert.deepEqual([closed.hasAttribute("open"), closed.querySelectorAll("details.fold").length], [false, 13]);
    assert.deepEqual([asked.hasAttribute("open"), [...asked.querySelectorAll("details[open]")].map(({id}) => id)], [true, ["c7"]]);
    assert.deepEqual([box(few), few.querySelectorAll("#configurations details.fold").length], [null, 12]);
  });

  test("names a configuration by its title without its folder, and by its id where it has none", () => {
    const row = {submission_id: "s", configuration_id: "throughput-nvme2n2-2022-03-04-filled"};
    for (const [title, name] of [["ZNS SSD: reads of a written area; folder throughput/nvme2n2", "ZNS SSD: reads of a written area"], ["Intel D3-S4610: folder HPDL380G8/HBA", "Intel D3-S4610: folder HPDL380G8/HBA"], [null, row.configuration_id]]) assert.equal(configurationName(row, title), name);
    const link = configurationLink(row, "ZNS SSD: reads", (path, {hash}) => `${path}#${hash}`);
    assert.deepEqual([link.textContent, link.getAttribute("href"), link.getAttribute("title")], ["ZNS SSD: reads", `submissions/s#${row.configuration_id}`, row.configuration_id]);
  });
});

const names = [["one", "One drive", "d1", "Drive 1", "ssd_nvme", 1], ["two", "Two drives", "d2", "Drive 2", "hdd", 1], ["three", "Three drives", "d3", "Drive 3", "hdd"]].map(([configuration_id, title, device_id, device, media_class, partner_count]) => ({submission_id: "s", configuration_id, title, device_id, device, media_class, partner_count}));
const sides = {a_submission_id: "s", a_configuration_id: "one", b_submission_id: "s", b_configuration_id: "two"};
const file = {
  pair_id: "pair", a: "s/one", b: "s/two", differences: [{label: "kernel", a: "5.18", b: "6.0"}],
  conditions: [{operation: "read", condition_count: 36, equal_count: 2, differing_columns: ["kernel"], unknown_keys: ["firmware"], unknown_count: 33}],
  columns: ["comparison_id", "workload_id", "operation", "metric", "queue_depth", "ratio", "ratio_low", "ratio_high", "verdict", "a_run_count", "b_run_count"],
  comparisons: [["q1", "w", "read", "operations_per_second", null, 2, 1.9, 2.1, "A faster", 3, 3], ["q2", "w", "read", "operations_per_second", 1, 4, 3.8, 4.2, "A faster", 3, 5]]
};
const site = {
  "data/compare-names.json": names, "data/compare-default.json": [], "data/compare-claims.json": [], "data/compare-loads.json": [{workload_id: "w", load_profile: "4 KiB random read"}],
  "parts/compare/s.json": {"compare-pairs": pack([{...sides, comparison_count: 2, pair_id: "pair"}]), "compare-refused": pack([{...sides, b_configuration_id: "three", reasons: "key_differs", deciding: ["filesystem"]}])},
  "q/pair.json": file
};

describe("the page that compares", () => {
  const drawn = (search, files = site) => comparePage(pageContext("/compare", files, {search}));

  test("reads the file of the pair that the address names, by configurations or drives, either way round, also from the one part of few pairs", async () => {
    const page = await drawn("?a=s/one&b=s/two");
    for (const href of ["./q/pair#q1", "./q/pair#q2", "./q/pair"]) assert.ok(hrefs(page).includes(href), href);
    assert.match(page.textContent, /5\.18/);
    assert.match(page.querySelector("#differs").textContent, /2 of 36 conditions known to be equal; differ: kernel; unknown: firmware, 32 more/);
    const {"parts/compare/s.json": pairs, ...rest} = site;
    const inOnePart = {...rest, "parts/compare.json": [{part: "all"}], "parts/compare/all.json": pairs};
    for (const [search, files] of [["?a=s/one&b=s/two"], ["?a=d2&b=d1"], ["?a=s/two&b=s/one"], ["?a=s/one&b=s/two", inOnePart]]) assert.match((await drawn(search, files)).querySelector("h1").textContent, /The Drive 1 is faster than the Drive 2 in 2 of 2, by 2.00 to 4.00 times/, search);
    assert.match((await drawn("?a=s/two&b=s/one")).textContent, /Drive 2 ÷ Drive 1/);
  });

  test("draws a ratio of which only one end is known as an arrow on the side of that end, whichever drive is A", async () => {
    const open = {...file, comparisons: [["q1", "w", "read", "operations_per_second", null, null, null, 0.16, "B faster", 3, 3]]};
    for (const [search, value] of [["?a=s/one&b=s/two", "≤ 0.16"], ["?a=s/two&b=s/one", "≥ 6.25"]]) {
      const marks = (await drawn(search, {...site, "q/pair.json": open})).querySelector("#forest svg").outerHTML;
      assert.ok(marks.includes(`>${value}`), `${value} is not in the chart`);
      assert.doesNotMatch(marks, /NaN|Infinity|∞/);
    }
  });

  test("has its first view in its own rows, which an address that names nothing known shows, too", async () => {
    const [, ...values] = file.comparisons[0];
    const preset = {...sides, ...file.conditions[0], ...Object.fromEntries(file.columns.slice(1).map((name, i) => [name, values[i]])), comparison_id: "q1", pair_id: "pair", load_profile: "4 KiB random read", is_mirrored: true, differences: [{label: "kernel", a: "6.0", b: "5.18"}]};
    const files = {...site, "data/compare-default.json": [preset]};
    const page = await drawn("", files);
    assert.match(page.querySelector("#differs tbody").textContent, /Kernel5\.186\.0/);
    assert.match(page.textContent, /Pairs tested here: 1\./);
    assert.equal((await drawn("?a=x/y&b=%", files)).textContent, page.textContent);
  });

  test("of a pair that cannot be compared says why, shows the nearest rates, a claim that divides the figures, and other pairs", async () => {
    const peaks = (peak_id, load_profile, peak_value) => ({peaks: pack([{peak_id, load_profile, metric: "operations_per_second", peak_value, queue_depth: 64, storage_topology: "single"}])});
    const page = await drawn("?a=s/one&b=s/three", {
      ...site, "data/compare-claims.json": [{submission_id: "s", claim_id: "C1", a_configuration_id: "three", b_configuration_id: "one", statement: "Eight times", recomputed_value: 7.9}],
      "content/devices/d1.json": peaks("k1", "4 KiB random read, norandommap=true", 300_000), "content/devices/d3.json": peaks("k3", "4 KiB random read", 100)
    });
    assert.match(page.querySelector("h1").textContent, /Drive 1 and Drive 3 cannot be compared/);
    assert.match(page.querySelector(".sub").textContent, /cannot be compared: differ: file system/);
    assert.match(page.querySelector("#nearest tbody").textContent, /300.k IOPS.*100.IOPS.*norandommap/s);
    for (const href of ["./m/k1", "./m/k3", "./c/s/C1"]) assert.ok(hrefs(page).includes(href), href);
    assert.ok(hrefs(page).some((href) => /b=s\/two/.test(href)));
    for (const [search, words] of [["?a=d1&b=d3", /Drive 1 and Drive 3 cannot be compared/], ["?a=s/two&b=s/three", /no common workload was measured/], ["?a=s/one&b=s/one", /same configuration/]]) assert.match((await drawn(search)).textContent, words);
    const partly = await drawn("?a=s/one&b=s/two", {...site, "q/pair.json": {...file, excluded: [{reason: "key_differs", columns: ["measurement_area_bytes"], load: "4 KiB random write", count: 3}]}});
    assert.match(partly.querySelector(".sub").textContent, /^3 further loads: cannot be compared: differ: measured area/);
    assert.match(partly.querySelector("#refused tbody").textContent, /4.KiB random write/);
  });

  test("writes the choice of another drive into the address, with a configuration that A is compared with; usual are the peak and depth 1", async () => {
    const given = pageContext("/compare", site, {search: "?a=s/one&b=s/three"});
    const select = (await comparePage(given)).querySelector("#state-b-device");
    assert.equal(select.querySelectorAll("optgroup")[0].querySelector("option").value, "d2");
    Object.defineProperty(select, "value", {value: "d2"}); // where pages are drawn without a browser, nobody chooses
    select.onchange();
    assert.equal(given.address(), "?b=s/two");
    const depths = (name, ...its) => rowsOfView(its.map((queue_depth) => ({workload_id: "w", load_profile: "Database", metric: "operations_per_second", queue_depth, a_section: "x", b_section: "x"})), name).map((each) => each.queue_depth);
    assert.deepEqual([depths("usual", null, 1, 8), depths("usual", 2048), depths("latency", null)], [[1, null], [2048], []]);
  });
});

describe("the table of drives", () => {
  const listed = [
    {device_id: "samsung-980-pro-1tb", device: "Samsung 980 PRO 1 TB", vendor: "Samsung", lowest: 14_500, lowest_kind: "measured", lowest_point_id: "p1", highest: 781_000, highest_kind: "measured", highest_depth: 256, highest_peak_id: "k1"},
    {device_id: "b", device: "Intel P3700", vendor: "Intel", lowest: 9200, lowest_kind: "measured", lowest_point_id: "p2"},
    {device_id: "c", device: "Printed", lowest: 20_000, lowest_kind: "approximate"},
    {device_id: "u", device: "Crucial SSD, USB", media_class: "ssd_sata", interface_protocol: "USB", lowest: 4000, lowest_kind: "measured"},
    {device_id: "v", device: "SATA one", media_class: "ssd_sata", interface_protocol: "SATA", lowest: 9000, lowest_kind: "measured"},
    {device_id: "e", device: "Peak only", highest: 300_000, highest_kind: "lower_bound", highest_peak_id: "k2"},
    {device_id: "s", device: "Data sheet", media_class: "hdd", interface_protocol: null, result_count: 0, fold: "data_sheet"}
  ].map((row) => ({short_name: row.device, media_class: "ssd_nvme", interface_protocol: "NVMe", result_count: 1, known_ratio: 0.5, sources: "excerpt", tools: "fio", ...row}));
  const factors = [{device_id: "samsung-980-pro-1tb", reference_id: "b", low: 1.5, high: 1.6}, {device_id: "b", reference_id: "samsung-980-pro-1tb", low: 0.6, high: 0.7}];
  const drives = (search = "") => devicesPage(pageContext("/devices/index", {"data/devices.json": listed, "data/devices-ratios.json": factors}, {search}));
  const rowsOf = (page) => [...page.querySelectorAll("tbody tr")].map((row) => row.querySelector("a[href]").textContent);

  test("answers with the range of each medium; doubtful figures, bounds and USB are not in it", async () => {
    const page = await drives();
    assert.match(page.querySelector("h1").textContent, /^At queue depth 1, NVMe NAND SSDs deliver 9\.20.k to 14\.5.k.IOPS \(random reads\)\.$/);
    assert.equal(page.querySelectorAll("tbody tr").length, 6);
    assert.match(page.textContent, /1 data-sheet entry without a result/);
    for (const href of ["./m/p1", "./m/k1"]) assert.ok(hrefs(page).includes(href), href);
    assert.match(page.querySelector("tbody").textContent, /≥ 300 k/);
  });

  test("is filtered by a name without spaces, hyphens and case; no match offers each filter to remove", async () => {
    assert.deepEqual(rowsOf(await drives("?q=980pro")), ["Samsung 980 PRO 1 TB"]);
    const none = await drives("?q=nothing&medium=ssd_nvme");
    assert.match(none.textContent, /No drive matches/);
    assert.deepEqual([...none.querySelectorAll("a.chip")].map((a) => a.getAttribute("href")), ["?q=nothing", "?medium=ssd_nvme"]);
  });

  test("compares a drive with the reference by a comparison only, and says why not; unknown values sort last both ways", async () => {
    const page = await drives("?ref=b");
    assert.match(page.textContent, /1\.50–1\.60 ×.*why not/s);
    assert.ok(hrefs(page).includes("./compare?a=v&b=b"));
    for (const order of ["lowest", "-lowest"]) assert.equal(rowsOf(await drives(`?devices-sort=${order}`)).at(-1), "Peak only");
  });
});

describe("the page of a device", () => {
  const device = {device_id: "d1", device: "Drive 1", media_class: "ssd_nvme", vendor: "unknown"};
  const ofDevice = (content, files) => devicePage(pageContext("/devices/[device]", {...files, "content/devices/d1.json": {device, loads: [], configurations: pack([]), peaks: pack([]), compared: pack([]), refused: pack([]), ...content}}, {id: "d1"}));

  test("without any number still says why, and leads on", async () => {
    const page = await ofDevice({});
    assert.match(page.textContent, /No number of this device can be compared/);
    assert.ok(hrefs(page).some((href) => /devices\/\?medium=ssd_nvme/.test(href)));
  });

  test("leads to what it can be compared with, and says why not with the rest", async () => {
    const row = {load_profile: "4 KiB random read", metric: "operations_per_second", queue_depth: null, verdict: "A faster", condition_count: 2, equal_count: 1, differing_columns: [], differing_count: 0, unknown_keys: [], unknown_count: 1, ...sides};
    const page = await ofDevice({
      compared: pack([{...row, b_device_id: "d2", b_device: "Drive 2", b_media_class: "hdd", a_value: 2000, b_value: 1000, ratio: 2, pair_id: "pair", comparison_id: "q1"}, {...row, b_device_id: "d4", b_device: "Drive 4", b_media_class: "ssd_nvme", queue_depth: 1, ratio_low: 6, pair_id: "other", comparison_id: "q4"}]),
      refused: pack([{b_device_id: "d3", b_device: "Drive 3", b_media_class: "hdd", reasons: "key_differs", deciding: ["filesystem"]}]),
      peaks: pack([{submission_id: "s", configuration_id: "one", section: "x", load_profile: "Database", metric: "operations_per_second", peak_value: 5000, n: 1, queue_depth: 8, peak_id: "k1", drive_count: 1, storage_topology: "single"}])
    });
    for (const href of ["./q/pair#q1", "./m/k1", "./devices/d3"]) assert.ok(hrefs(page).includes(href), href);
    assert.ok(hrefs(page).some((href) => /compare\?a=s%2Fone&b=s%2Ftwo/.test(href)));
    assert.match(page.textContent, /cannot be compared: differ: file system/);
    const [first, second] = [...page.querySelectorAll("#compared tbody tr")].map((each) => each.textContent);
    assert.match(second, /Drive 4.*depth 1.*≥ 6/s);
    assert.match(first, /Drive 2.*highest point.*2\.00/s);
  });

  test("has the curves of its configurations with a choice of the load, and its numbers begin with the load of its charts", async () => {
    const curve = pack([1, 2, 4, 8].map((queue_depth) => ({submission_id: "s", configuration_id: "a", title: "Bench a", load_profile: "4 KiB random read", queue_depth, operations_per_second: queue_depth * 1000, latency_mean_seconds: 1e-3, run_count: 1, point_id: `a${queue_depth}`})));
    const parts = [{part: "v", label: "4 KiB random write"}, {part: "w", label: "4 KiB random read"}];
    const page = await ofDevice({curves: parts, loads: parts}, {"parts/curves/d1/w.json": {curves: curve}, "parts/curves/d1/v.json": {curves: curve}});
    assert.match(page.querySelector("#curves").textContent, /IOPS and latency of this drive by queue depth/);
    assert.equal(page.querySelectorAll("#state-curve option").length, 2);
    assert.equal(page.querySelector("#numbers #state-load option[selected]").value, "w");
  });
});

test("a submission shows its origin, state, files with hash, and what it is used in", async () => {
  const submission = {submission_id: "s", title: "A report", status: "superseded", superseded_by: "t", source_type: "excerpt", affiliation: "unknown", submitted_on: "2026-01-01", submitted_by: "somebody", origin_repository: "https://example.org/data", origin_commit: "abc", result_count: 3, configuration_count: 1, completeness_ratio: 0.4};
  const content = {submission, finding_count: 0, replies: [], loads: [], results: [], configurations: pack([{configuration_id: "one", title: "One drive", storage_topology: "single"}]), drives: pack([]), contradictions: pack([]), files: pack([{path: "a.json", role: "result", source_sha256: "f".repeat(64), size_bytes: 10, served_as: "raw/s/a.json", result_count: 3, status: "read"}]), used: pack([{other_id: "t", other_title: "Another", quotient_count: 2, pair_count: 1}])};
  for (const language of ["en", "ja"]) {
    const page = await submissionPage(pageContext("/submissions/[submission]", {"data/coverage.json": [], "content/submissions/s.json": content}, {id: "s", language}));
    assert.ok(page.textContent.includes("f".repeat(64)) && page.textContent.includes("abc"));
    assert.ok(hrefs(page).some((href) => /submissions\/t$/.test(href)) && hrefs(page).includes("https://example.org/data"));
  }
});

test("a raw file is shown at its line as it is served: open, packed, or by an address from before it was packed", async () => {
  const text = "name,value\nfirst,1\nsecond,2\n";
  const served = {"./raw/s/small.csv": text, "./raw/s/large.csv.gz": gzipSync(text)};
  const asked = [];
  const {fetch} = globalThis;
  globalThis.fetch = async (address) => { asked.push(address); return new Response(served[address] ?? "none", {status: address in served ? 200 : 404}); };
  try {
    for (const [file, from] of [["small.csv", ["small.csv"]], ["large.csv.gz", ["large.csv.gz"]], ["large.csv", ["large.csv", "large.csv.gz"]]]) {
      asked.length = 0;
      const page = await sourcePage(pageContext("/source", {}, {search: `?file=raw/s/${file}&at=line+3`}));
      assert.deepEqual(asked, from.map((name) => `./raw/s/${name}`));
      assert.equal(page.querySelector(".source .here").textContent, "second,2", file);
      assert.deepEqual([...page.querySelectorAll(".facts dd")].map((each) => each.textContent), ["second", "2"]);
      assert.equal(page.querySelector("h1").textContent, file.replace(".gz", ""));
      assert.equal(page.querySelector("a[download]").getAttribute("href"), `./raw/s/${from.at(-1)}`);
    }
    assert.equal((await sourcePage(pageContext("/source", {}, {search: "?file=raw/s/nothing.csv"}))).querySelector(".source"), null);
  } finally {
    globalThis.fetch = fetch;
  }
  for (const path of ["q/0123456789abcdef.json", "r/00.json", "content/submissions/x/results-1.json", "ja/content/submissions/x/claims.json", "parts/effects/a.json"]) assert.ok(isGzipped(path), path);
  for (const path of ["c/sub/C1.json", "content/submissions/x.json", "content/devices/x.json", "parts/devices/x/a.json", "data/x.json", "search/en.json"]) assert.ok(!isGzipped(path), path);
});
