// Pages of comparisons, devices and submissions: drawn whole from rows, with and without rows, and with a view in the address.
import {test} from "./limits.mjs";
import assert from "node:assert/strict";
import {gzipSync} from "node:zlib";
import {pack, pageContext} from "./drawn.mjs";
import comparePage from "../pages/compare.js";
import devicePage from "../pages/devices/[device].js";
import devicesPage from "../pages/devices/index.js";
import submissionPage from "../pages/submissions/[submission].js";
import sourcePage from "../pages/source.js";
import {comparisonsOf, other, viewed} from "../components/compare.js";
import {liesPacked} from "../components/packed.js";

const hrefs = (node) => [...node.querySelectorAll("a[href]")].map((a) => a.getAttribute("href"));
const names = [
  {submission_id: "s", configuration_id: "one", title: "One drive", device_id: "d1", device: "Drive 1", media_class: "ssd_nvme", partner_count: 1},
  {submission_id: "s", configuration_id: "two", title: "Two drives", device_id: "d2", device: "Drive 2", media_class: "hdd", partner_count: 1},
  {submission_id: "s", configuration_id: "three", title: "Three drives", device_id: "d3", device: "Drive 3", media_class: "hdd"}
];
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
const drawn = (search, files = site, language = "en") => comparePage(pageContext("/compare", files, {search, language}));

test("two configurations are compared by the file of their pair, and the address names both", async () => {
  const page = await drawn("?a=s/one&b=s/two");
  assert.ok(hrefs(page).includes("./q/pair#q1") && hrefs(page).includes("./q/pair#q2") && hrefs(page).includes("./q/pair"));
  assert.match(page.textContent, /The Drive 1 is faster than the Drive 2 in 2 of 2, by 2.00 to 4.00 times/);
  assert.match(page.textContent, /5\.18/);
  assert.match(page.querySelector("#differs").textContent, /2 of 36 conditions known to be equal; differ: kernel; unknown: firmware, 32 more/);
});

test("an address may name two drives: of each the configuration that is compared stands for it", async () => {
  assert.match((await drawn("?a=d2&b=d1")).querySelector("h1").textContent, /The Drive 1 is faster than the Drive 2 in 2 of 2/);
  assert.match((await drawn("?a=d1&b=d3")).querySelector("h1").textContent, /Drive 1 and Drive 3 cannot be compared/);
});

test("the other way round, B is the faster one by as much", async () => {
  const page = await drawn("?a=s/two&b=s/one");
  assert.match(page.textContent, /The Drive 1 is faster than the Drive 2 in 2 of 2, by 2.00 to 4.00 times/);
  assert.match(page.textContent, /Drive 2 ÷ Drive 1/);
  const row = comparisonsOf(file, [], "s/two")[1];
  assert.deepEqual([row.ratio, row.verdict, row.a_run_count, row.b_run_count], [0.25, "B faster", 5, 3]);
  assert.deepEqual(other(other(row)), row);
});

test("a ratio of which only one end is known is an arrow on the side of that end, whichever drive is A", async () => {
  const open = {...file, comparisons: [["q1", "w", "read", "operations_per_second", null, null, null, 0.16, "B faster", 3, 3]]};
  for (const [search, value] of [["?a=s/one&b=s/two", "≤ 0.16"], ["?a=s/two&b=s/one", "≥ 6.25"]]) {
    const page = await drawn(search, {...site, "q/pair.json": open});
    const marks = page.querySelector("#forest svg").outerHTML;
    assert.ok(marks.includes(`>${value}`), `${value} is not in the chart`);
    assert.doesNotMatch(marks, /NaN|Infinity|∞/);
  }
});

test("the first view has its comparisons and differences in its own rows", async () => {
  const [, ...values] = file.comparisons[0];
  const preset = {...sides, ...file.conditions[0], ...Object.fromEntries(file.columns.slice(1).map((name, i) => [name, values[i]])), comparison_id: "q1", pair_id: "pair", load_profile: "4 KiB random read", is_mirrored: true, differences: [{label: "kernel", a: "6.0", b: "5.18"}]};
  const page = await drawn("", {...site, "data/compare-default.json": [preset]});
  assert.match(page.querySelector("#differs tbody").textContent, /Kernel5\.186\.0/);
  assert.match(page.textContent, /Pairs tested here: 1\./);
});

test("a pair that cannot be compared says why, shows the nearest rates and a claim that divides the figures, and what each can be compared with", async () => {
  const peaks = (peak_id, load_profile, peak_value) => ({peaks: pack([{peak_id, load_profile, metric: "operations_per_second", peak_value, queue_depth: 64, storage_topology: "single"}])});
  const files = {
    ...site, "data/compare-claims.json": [{submission_id: "s", claim_id: "C1", a_configuration_id: "three", b_configuration_id: "one", statement: "Eight times", recomputed_value: 7.9}],
    "content/devices/d1.json": peaks("k1", "4 KiB random read, norandommap=true", 300_000), "content/devices/d3.json": peaks("k3", "4 KiB random read", 100)
  };
  const page = await drawn("?a=s/one&b=s/three", files);
  assert.match(page.querySelector("h1").textContent, /Drive 1 and Drive 3 cannot be compared/);
  assert.match(page.querySelector(".sub").textContent, /cannot be compared: differ: file system/);
  assert.match(page.querySelector("#nearest tbody").textContent, /300.k IOPS.*100.IOPS.*norandommap/s);
  for (const href of ["./m/k1", "./m/k3", "./c/s/C1"]) assert.ok(hrefs(page).includes(href), href);
  assert.ok(hrefs(page).some((href) => /b=s\/two/.test(href)));
  assert.match((await drawn("?a=s/two&b=s/three")).textContent, /no common workload was measured/);
  assert.match((await drawn("?a=s/one&b=s/one")).textContent, /same configuration/);
});

test("of a pair that is compared the refused loads stay, each with its reason", async () => {
  const page = await drawn("?a=s/one&b=s/two", {...site, "q/pair.json": {...file, excluded: [{reason: "key_differs", columns: ["measurement_area_bytes"], load: "4 KiB random write", count: 3}]}});
  assert.match(page.querySelector(".sub").textContent, /^3 further loads: cannot be compared: differ: measured area/);
  assert.match(page.querySelector("#refused tbody").textContent, /4.KiB random write/);
});

test("where few pairs are in one part, they are found there", async () => {
  const {"parts/compare/s.json": pairs, ...rest} = site;
  const page = await drawn("?a=s/one&b=s/two", {...rest, "parts/compare.json": [{part: "all"}], "parts/compare/all.json": pairs});
  assert.match(page.textContent, /The Drive 1 is faster than the Drive 2 in 2 of 2/);
});

test("an address that names nothing known is that of the first view", async () => {
  assert.equal((await drawn("?a=x/y&b=%")).textContent, (await drawn("")).textContent);
});

test("choosing another drive for B takes a configuration that A is compared with, and stands in the address", async () => {
  const given = pageContext("/compare", site, {search: "?a=s/one&b=s/three"});
  const page = await comparePage(given);
  const select = page.querySelector("#state-b-device");
  assert.equal(select.querySelectorAll("optgroup")[0].querySelector("option").value, "d2");
  Object.defineProperty(select, "value", {value: "d2"}); // where pages are drawn without a browser, nobody chooses
  select.onchange();
  assert.equal(given.address(), "?b=s/two");
});

test("the usual view has the peak and depth 1; where a load has neither, what it has", () => {
  const row = (queue_depth) => ({workload_id: "w", load_profile: "Database", metric: "operations_per_second", queue_depth, a_section: "x", b_section: "x"});
  assert.deepEqual(viewed([row(null), row(1), row(8)], "usual").map((each) => each.queue_depth), [1, null]);
  assert.deepEqual(viewed([row(2048)], "usual").map((each) => each.queue_depth), [2048]);
  assert.equal(viewed([row(null)], "latency").length, 0);
});

const listed = [
  {device_id: "samsung-980-pro-1tb", device: "Samsung 980 PRO 1 TB", short_name: "Samsung 980 PRO 1 TB", vendor: "Samsung", media_class: "ssd_nvme", interface_protocol: "NVMe", result_count: 9, lowest: 14_500, lowest_kind: "measured", lowest_point_id: "p1", highest: 781_000, highest_kind: "measured", highest_depth: 256, highest_peak_id: "k1"},
  {device_id: "b", device: "Intel P3700", short_name: "Intel P3700", vendor: "Intel", media_class: "ssd_nvme", interface_protocol: "NVMe", result_count: 9, lowest: 9200, lowest_kind: "measured", lowest_point_id: "p2"},
  {device_id: "c", device: "Printed", short_name: "Printed", media_class: "ssd_nvme", interface_protocol: "NVMe", result_count: 1, lowest: 20_000, lowest_kind: "approximate"},
  {device_id: "u", device: "Crucial SSD, USB", short_name: "Crucial SSD, USB", media_class: "ssd_sata", interface_protocol: "USB", result_count: 1, lowest: 4000, lowest_kind: "measured"},
  {device_id: "v", device: "SATA one", short_name: "SATA one", media_class: "ssd_sata", interface_protocol: "SATA", result_count: 1, lowest: 9000, lowest_kind: "measured"},
  {device_id: "e", device: "Peak only", short_name: "Peak only", media_class: "ssd_nvme", interface_protocol: "NVMe", result_count: 1, highest: 300_000, highest_kind: "lower_bound", highest_peak_id: "k2"},
  {device_id: "s", device: "Data sheet", short_name: "Data sheet", media_class: "hdd", result_count: 0, fold: "data_sheet"}
].map((row) => ({known_ratio: 0.5, sources: "excerpt", tools: "fio", ...row}));
const factors = [{device_id: "samsung-980-pro-1tb", reference_id: "b", low: 1.5, high: 1.6}, {device_id: "b", reference_id: "samsung-980-pro-1tb", low: 0.6, high: 0.7}];
const drives = (search = "") => devicesPage(pageContext("/devices/index", {"data/devices.json": listed, "data/devices-ratios.json": factors}, {search}));
const rowsOf = (page) => [...page.querySelectorAll("tbody tr")].map((row) => row.querySelector("a[href]").textContent);

test("the table of drives answers with the range of each medium; doubtful figures, bounds and USB are not in it", async () => {
  const page = await drives();
  assert.match(page.querySelector("h1").textContent, /^At queue depth 1, NVMe NAND SSDs deliver 9\.20.k to 14\.5.k.IOPS \(random reads\)\.$/);
  assert.equal(page.querySelectorAll("tbody tr").length, 6);
  assert.match(page.textContent, /1 data-sheet entry without a result/);
  const links = hrefs(page);
  for (const href of ["./m/p1", "./m/k1"]) assert.ok(links.includes(href), href);
  assert.match(page.querySelector("tbody").textContent, /≥ 300 k/);
});

test("a filter by name ignores spaces, hyphens and case; no match offers each filter to remove", async () => {
  assert.deepEqual(rowsOf(await drives("?q=980pro")), ["Samsung 980 PRO 1 TB"]);
  const none = await drives("?q=nothing&medium=ssd_nvme");
  assert.match(none.textContent, /No drive matches/);
  assert.deepEqual([...none.querySelectorAll("a.chip")].map((a) => a.getAttribute("href")), ["?q=nothing", "?medium=ssd_nvme"]);
});

test("a drive is compared with the reference by a comparison only, and says why not; unknown values sort last both ways", async () => {
  const page = await drives("?ref=b");
  assert.match(page.textContent, /1\.50–1\.60 ×/);
  assert.ok(hrefs(page).includes("./compare?a=v&b=b"));
  assert.match(page.textContent, /why not/);
  for (const order of ["lowest", "-lowest"]) assert.equal(rowsOf(await drives(`?devices-sort=${order}`)).at(-1), "Peak only");
});

const device = {device_id: "d1", device: "Drive 1", media_class: "ssd_nvme", vendor: "unknown"};
const ofDevice = (content) => devicePage(pageContext("/devices/[device]", {"content/devices/d1.json": {device, loads: [], configurations: pack([]), peaks: pack([]), compared: pack([]), refused: pack([]), ...content}}, {id: "d1"}));

test("a device without any number still says why, and leads on", async () => {
  const page = await ofDevice({});
  assert.match(page.textContent, /No number of this device can be compared/);
  assert.ok(hrefs(page).some((href) => /devices\/\?medium=ssd_nvme/.test(href)));
  assert.match(page.textContent, /unknown/);
});

test("a device leads to what it can be compared with, and says why not with the rest", async () => {
  const page = await ofDevice({
    compared: pack([{b_device_id: "d2", b_device: "Drive 2", b_media_class: "hdd", load_profile: "4 KiB random read", metric: "operations_per_second", a_value: 2000, b_value: 1000, queue_depth: null, ratio: 2, verdict: "A faster", condition_count: 2, equal_count: 1, differing_columns: [], differing_count: 0, unknown_keys: [], unknown_count: 1, ...sides, pair_id: "pair", comparison_id: "q1"}, {b_device_id: "d4", b_device: "Drive 4", b_media_class: "ssd_nvme", load_profile: "4 KiB random read", metric: "operations_per_second", queue_depth: 1, ratio_low: 6, verdict: "A faster", condition_count: 2, equal_count: 2, differing_columns: [], differing_count: 0, unknown_keys: [], unknown_count: 0, ...sides, pair_id: "other", comparison_id: "q4"}]),
    refused: pack([{b_device_id: "d3", b_device: "Drive 3", b_media_class: "hdd", reasons: "key_differs", deciding: ["filesystem"]}]),
    peaks: pack([{submission_id: "s", configuration_id: "one", section: "x", load_profile: "Database", metric: "operations_per_second", peak_value: 5000, n: 1, queue_depth: 8, peak_id: "k1", drive_count: 1, storage_topology: "single"}])
  });
  const links = hrefs(page);
  assert.ok(links.includes("./q/pair#q1") && links.includes("./m/k1") && links.includes("./devices/d3"));
  assert.ok(links.some((href) => /compare\?a=s%2Fone&b=s%2Ftwo/.test(href)));
  assert.match(page.textContent, /cannot be compared: differ: file system/);
  const [first, second] = [...page.querySelectorAll("#compared tbody tr")].map((row) => row.textContent);
  assert.match(second, /Drive 4.*depth 1.*≥ 6/s);
  assert.match(first, /Drive 2.*highest point.*2\.00/s);
});

test("a submission shows its origin, state, files with hash, and what it is used in", async () => {
  const submission = {submission_id: "s", title: "A report", status: "superseded", superseded_by: "t", source_type: "excerpt", affiliation: "unknown", submitted_on: "2026-01-01", submitted_by: "somebody", origin_repository: "https://example.org/data", origin_commit: "abc", result_count: 3, configuration_count: 1, completeness_ratio: 0.4};
  const content = {submission, finding_count: 0, replies: [], loads: [], results: [], configurations: pack([{configuration_id: "one", title: "One drive", storage_topology: "single"}]), drives: pack([]), contradictions: pack([]), files: pack([{path: "a.json", role: "result", source_sha256: "f".repeat(64), size_bytes: 10, served_as: "raw/s/a.json", result_count: 3, status: "read"}]), used: pack([{other_id: "t", other_title: "Another", quotient_count: 2, pair_count: 1}])};
  for (const language of ["en", "ja"]) {
    const page = await submissionPage(pageContext("/submissions/[submission]", {"data/coverage.json": [], "content/submissions/s.json": content}, {id: "s", language}));
    assert.ok(page.textContent.includes("f".repeat(64)) && page.textContent.includes("abc"));
    assert.ok(hrefs(page).some((href) => /submissions\/t$/.test(href)) && hrefs(page).includes("https://example.org/data"));
    assert.equal(page.querySelectorAll("h1").length, 1);
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
      assert.deepEqual([...page.querySelectorAll(".cells dd")].map((cell) => cell.textContent), ["second", "2"]);
      assert.equal(page.querySelector("h1").textContent, file.replace(".gz", ""));
      assert.equal(page.querySelector("a[download]").getAttribute("href"), `./raw/s/${from.at(-1)}`);
    }
    assert.equal((await sourcePage(pageContext("/source", {}, {search: "?file=raw/s/nothing.csv"}))).querySelector(".source"), null);
  } finally {
    globalThis.fetch = fetch;
  }
});

test("what lies packed on the server is what a reader opens later, and the JSON of numbers", () => {
  for (const path of ["q/0123456789abcdef.json", "r/00.json", "content/submissions/x/results-1.json", "ja/content/submissions/x/claims.json", "parts/effects/a.json"]) assert.ok(liesPacked(path), path);
  for (const path of ["c/sub/C1.json", "content/submissions/x.json", "content/devices/x.json", "parts/devices/x/a.json", "data/x.json", "search/en.json"]) assert.ok(!liesPacked(path), path);
});
