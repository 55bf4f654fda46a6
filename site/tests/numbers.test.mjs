// The pages of single numbers: what they say of a row, whatever stands in it, and where its raw line is.
import assert from "node:assert/strict";
import {createHash} from "node:crypto";
import {mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {gunzipSync, gzipSync} from "node:zlib";
import {JSDOM} from "jsdom";
import {after, before, describe, test} from "./limits.mjs";
import {numberOf} from "../components/sql/numbers.js";
import {claimPage} from "../numbers/claim.js";
import {factorPage} from "../numbers/factor.js";
import {bare, h} from "../numbers/html.js";
import {bibtex, Context} from "../numbers/page.js";
import {pairPage} from "../numbers/pair.js";
import {peakPage} from "../numbers/peak.js";
import {files, lines} from "../numbers/places.js";
import {pointPage} from "../numbers/point.js";
import {resultPage} from "../numbers/result.js";
import {agreement} from "../numbers/values.js";
import {writeMaps} from "../numbers/maps.mjs";
import {withoutForwards, writeIds, writePages} from "../numbers/write.mjs";

const EVIL = `</script><script>stolen()</script><img src=x onerror=stolen()>"'**b** [x](javascript:stolen()) {load} \`c\``;
const REPORT = ["{", '  "jobs" : [', "    {", '      "read" : {', '        "bw" : 237112,', '        "iops" : 29636.121293,', '        "runtime" : 3001,', '        "total_ios" : 88938', "      }", "    }", "  ]", "}"].join("\n");
const configuration = (device = "a drive") => ({title: "a bench", device, device_id: "a-drive", kernel: "6.1", known_field_count: 3, required_field_count: 4});
const shared = {
  release: "a".repeat(64), address: "https://site.example", style: "?v=1",
  submissions: {sub: {title: "a study", submitted_on: "2026-01-02", origin_repository: "https://github.com/some/where", origin_commit: "b".repeat(40)}},
  served: {"sub/a.json": "raw/sub/a.json", "sub/claims.csv": "raw/sub/claims.csv", "sub/large.csv": "raw/sub/large.csv.gz"},
  configurations: {"sub/one": configuration(), "sub/two": configuration("another drive")},
  workloads: {w: {load_profile: "4 KiB random read", access_pattern: "random", block_size_bytes: 4096}}
};
const load = {submission_id: "sub", configuration_id: "one", section: "tool output", workload_id: "w", load_profile: "4 KiB random read"};
const result = {...load, id: "0".repeat(20), operations_per_second: 88938 / 3.001, throughput_bytes_per_second: 88938 * 4096 / 3.001, latency_mean_seconds: 0.0005, latency_kind: "total", operation_count: 88938, transferred_bytes: 88938 * 4096, duration_seconds: 3.001, queue_depth: 16, process_count: 4, source_path: "a.json", source_pointer: "0#/jobs/0/read", source_sha256: "c".repeat(64), access_pattern: "random", read_ratio: 1, value_kind: "measured", is_comparable: true, checks: [{name: "short run", verdict: "short run", effect: "B", why: "because"}], point: {id: "1".repeat(16), depth: 16, runs: 1}};
const point = {...load, id: "1".repeat(16), queue_depth: 16, load_basis: "outstanding", basis: "queue_depth=16", repetition_count: 2, session_count: 1, operations_per_second: 200, operations_kind: "none", operations_min_per_second: 100, operations_max_per_second: 400, operations_origin: "measured", value_kind: "measured", runs: [{run: 1, operations: 100, parts: [{id: "2".repeat(20), operation: "read", operations: 100, file: "a.json", at: "line 4"}]}, {run: 2, operations: 400, parts: [{id: "3".repeat(20), operation: "read", operations: 400, file: "a.json", at: "line 5"}]}], quotients: [{pair: "4".repeat(16), id: "5".repeat(16), other: "another drive", ratio: 2, measured: "operations_per_second"}], quotient_count: 7, peaks: [{id: "6".repeat(16), metric: "operations_per_second", at: 16, knee: 16, before: 8}]};
const peak = {...load, id: "6".repeat(16), metric: "operations_per_second", peak_value: 200, kind: "none", n: 2, peak_origin: "computed", queue_depth: 16, queue_depths: "8, 16", depth_count: 2, knee_verdict: "saturated", queue_depth_before: 8, queue_depth_knee: 16, value_kind: "measured", steps: [{id: "7".repeat(16), depth: 8, value: 150}, {id: "1".repeat(16), depth: 16, value: 200}], shares: [{per: "gigabyte", divisor: 100, value: 2}]};
const factor = {...load, id: "8".repeat(16), metric: "operations_per_second", topology: "raid0", drive_count: 4, basis: "peak", array_configuration_id: "two", array_section: "tool output", base_configuration_id: "one", base_section: "tool output", array_value: 700, base_value: 200, factor_ratio: 3.5, ideal_ratio: 4, efficiency_ratio: 0.875, is_comparable: true, reasons: "firmware unknown", array_id: "9".repeat(16), base_id: "6".repeat(16)};
const claim = {id: "sub/C1", submission_id: "sub", claim_id: "C1", statement: "it is twice as fast", locator: "page 3", claimed_text: "2", claimed_unit: "ratio", numerator: "figure:a", denominator: "figure:b", operands: "400 / 200", recomputed_value: 2, verdict: "follows", verdict_reason: "it does", source_path: "claims.csv", source_pointer: "line 2", source_sha256: "d".repeat(64), figures: [{figure: "a", result: "2".repeat(20), side: 1, text: "400"}, {figure: "b", result: "3".repeat(20), side: 2, text: "200"}]};
const compared = {id: "5".repeat(16), workload: "w", depth: 16, metric: "operations_per_second", operation: "read", a_point: "1".repeat(16), b_point: "7".repeat(16), a: 400, b: 200, a_runs: 3, b_runs: 3, a_sessions: 3, b_sessions: 3, ratio: 2, low: 1.5, high: 2.5, kind: "sessions", verdict: "A faster", choices: 0};
const pair = {id: "4".repeat(16), a: "sub/one", b: "sub/two", conditions: [{operation: "read", question: "device", evidence: "same bench", condition_count: 36, equal_count: 2, differing_columns: "kernel", unknown_keys: "firmware", unknown_count: 33}], comparisons: [compared], differences: [{label: "kernel", a: "6.1", b: "6.2"}], refused: [{reason: "key_differs", columns: "filesystem:X", load: "Database", count: 2}]};
const kinds = {result: [resultPage, result], point: [pointPage, point], peak: [peakPage, peak], factor: [factorPage, factor], claim: [claimPage, claim], pair: [pairPage, pair]};
let folder, context;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "ioledger-numbers-"));
  mkdirSync(join(folder, "data", "sub"), {recursive: true});
  writeFileSync(join(folder, "data", "sub", "a.json"), REPORT);
  writeFileSync(join(folder, "data", "sub", "claims.csv"), 'claim_id,statement,claimed_text\nC1,"it is ""twice"" as fast",2\n');
  context = new Context(structuredClone(shared), files(join(folder, "data")), "../");
});
after(() => rmSync(folder, {recursive: true, force: true}));

// As a browser reads it, with the ends of elements that are left out.
const {DOMParser} = new JSDOM("").window;
const drawn = (html) => new DOMParser().parseFromString(html, "text/html");
const text = (node) => (node.body ?? node).textContent.replaceAll(/\s+/g, " ");
// Every text of a row becomes hostile, but for the ids and words that the database itself makes.
const OWN = /(^id$|_id$|^pair$|^result$|^metric$|^measured$|^basis$|pointer|path|^file$|^at$|sha256|^kind$|_kind$|effect|^a$|^b$|reason$|^workload$|_point$|^verdict$|^operation$)/;
const hostile = (value, key = "") => Array.isArray(value) ? value.map((each) => hostile(each, key)) : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, OWN.test(name) ? each : hostile(each, name)])) : typeof value === "string" ? EVIL : value;

describe("the page of a number", () => {
  for (const [kind, [page, row]] of Object.entries(kinds)) {
    test(`of a ${kind} takes hostile texts as text`, () => {
      const evil = hostile(shared);
      const known = {...evil, release: shared.release, address: shared.address, style: shared.style, workloads: {w: {...evil.workloads.w, access_pattern: EVIL}}};
      const {html, json} = page(new Context(known, files(join(folder, "data")), "../"), hostile(row));
      const made = drawn(html);
      assert.deepEqual([...made.querySelectorAll("script")].map((script) => script.getAttribute("src") ?? script.type), ["../chosen.js", "application/ld+json"]);
      assert.deepEqual([...made.querySelectorAll("img, iframe, object, svg, style, base, form")], []);
      assert.deepEqual([...made.querySelectorAll("*")].flatMap((node) => node.getAttributeNames()).filter((name) => name.startsWith("on")), []);
      for (const link of made.querySelectorAll("a[href]")) assert.match(link.getAttribute("href"), /^(\.\.\/|#|https:\/\/github\.com\/|[\w-]+\.json(\.gz)?$)/);
      JSON.parse(made.querySelector("script[type]").textContent);
      JSON.parse(JSON.stringify(json));
    });

    test(`of a ${kind} has one heading, a description, labels in both languages, its query with the release, and a citation`, () => {
      const {html} = page(context, row);
      const made = drawn(html);
      assert.equal(made.querySelectorAll("h1").length, 1);
      assert.ok(made.querySelector("meta[name=description]").content.length > 20);
      assert.equal(made.documentElement.lang, "en");
      assert.deepEqual([...made.querySelectorAll("header [hreflang]")].map((link) => [link.getAttribute("href"), text(link)]), [["../", "EN"], ["../ja/", "日本語"]]);
      for (const heading of made.querySelectorAll("h2")) if (!/^(SQL|A|B)$/.test(heading.textContent)) assert.ok(heading.querySelector("[lang=ja]"), heading.textContent);
      for (const term of made.querySelectorAll("dt")) if (!/SHA-256|kernel/.test(term.textContent)) assert.ok(term.querySelector("[lang=ja]"), term.textContent);
      assert.match(text(made.querySelector("#cite")), /release aaaaaaaaaaaa/);
      assert.match(text(made.querySelector("#cite")), /@misc\{ioledger-\w-/);
      const [sql] = [...made.querySelectorAll("a")].map((link) => /sql(#.*)$/.exec(link.getAttribute("href"))?.[1]).filter(Boolean);
      const {query, r} = numberOf(sql);
      assert.match(query, /^select .*\sfrom \w+ where/s);
      assert.ok([...made.querySelectorAll("#cite pre")].at(-1).textContent.startsWith(`${query}\n-- release ${r}`), "the query that opens is the one that stands there");
      assert.doesNotMatch(html, /undefined|NaN|\[object/);
    });
  }

  test("of a result shows the division, the lines of its operands, and what the file prints", () => {
    const made = drawn(resultPage(context, result).html);
    assert.match(text(made), /88,938 ÷ 3\.001 s = 29,636\.1213 \/s/);
    assert.match(text(made), /29,636\.121293 line 6, agrees/);
    assert.match(text(made), /line 6 of 12/);
    assert.equal(made.querySelector("mark").textContent.trim(), '"iops" : 29636.121293,');
    assert.equal(made.querySelector("h1 data").value ?? made.querySelector("h1 data").getAttribute("value"), String(result.operations_per_second));
    assert.match(text(made), /one run of 3\.001 s, so no interval/i);
  });

  test("of a result says what read it, what its manifest was written for, and what drafted that where it is stated", () => {
    const told = (row) => text([...drawn(resultPage(context, {...result, ...row}).html).querySelectorAll("dt")].find((term) => /^Read with/.test(text(term))).nextElementSibling);
    assert.equal(told({reader_version: "0.2.0", edition: 1, collector_version: null}), "reader 0.2.0, manifest of edition 1");
    assert.equal(told({reader_version: "0.2.0", edition: 1, collector_version: "0.3"}), "reader 0.2.0, manifest of edition 1, collector 0.3");
    assert.equal(resultPage(context, {...result, reader_version: "0.2.0", edition: 1}).json.reader_version, "0.2.0");
  });

  test("of a result shows in one line what the kernel counted on the disks meanwhile, whether or not it agrees", () => {
    const kernel = {disks: ["sda"], reads: 3466080, writes: 12, tool_reads: 3466071, tool_writes: 0, jobs: 1, busy: 0.9984};
    const made = (row) => drawn(resultPage(context, {...result, operation: "read", kernel, ...row}).html);
    const told = (row) => text([...made(row).querySelectorAll("dt")].find((term) => /^Kernel counted/.test(text(term)))?.nextElementSibling);
    assert.equal(told({}), "3,466,080 reads on sda (fio 3,466,071); busy 100 %");
    assert.equal(told({operation: "write"}), "12 writes on sda (fio 0); busy 100 %");
    assert.equal(told({kernel: {...kernel, jobs: 10, tool_reads: null, busy: null}}), "3,466,080 reads on sda over all 10 jobs of the run");
    assert.match(told({kernel: {...kernel, disks: ["sda", "sdb", "sdc", "sdd"]}}), /reads on 4 disks/);
    assert.equal(made({kernel: {...kernel, disks: [EVIL]}}).querySelector("script:not([type], [src]), img"), null);
    for (const none of [{kernel: null}, {operation: "trim"}, {operation: null}]) assert.doesNotMatch(text(made(none)), /Kernel counted/);
  });

  test("of an excerpt leads to the line at its origin, and says that nobody there has checked it", () => {
    const made = drawn(resultPage(context, {...result, origin_path: "some/folder/run 1.json", origin_line: 39, origin_sha256: "f".repeat(64)}).html);
    const links = [...made.querySelectorAll("a")].map((link) => link.getAttribute("href"));
    assert.ok(links.includes(`https://github.com/some/where/blob/${"b".repeat(40)}/some/folder/run%201.json#L39`), links.join("\n"));
    assert.match(text(made), /imported; not verified by its author/);
  });

  test("of a result leads to its raw file as it is served, and says where that lies packed", () => {
    const made = (row) => drawn(resultPage(context, {...result, ...row}).html);
    const link = (page) => [...page.querySelectorAll(".buttons a")].find((each) => /^Raw file/.test(text(each)));
    assert.equal(link(made({})).getAttribute("href"), "../raw/sub/a.json");
    assert.doesNotMatch(text(made({})), /packed/);
    const packed = made({source_path: "large.csv", source_pointer: "line 2"});
    assert.equal(link(packed).getAttribute("href"), "../raw/sub/large.csv.gz");
    assert.match(text(link(packed)), /packed/);
    assert.match(text(packed), /c{16}…c{8}, unpacked/);
    assert.equal(link(made({source_path: "elsewhere.json"})), undefined);
  });

  test("names everything about the bench that nobody states, in italics", () => {
    const words = [...drawn(resultPage(context, result).html).querySelectorAll("em")].map(text).join(" ");
    for (const word of ["firmware", "processor", "memory", "I/O scheduler", "preconditioning"]) assert.ok(words.includes(word), word);
  });

  test("of a point writes its mean out, links every run, and lists what rests on it", () => {
    const made = drawn(pointPage(context, point).html);
    assert.match(text(made), /\(100 × 400\)1\/2 = 200 \/s/);
    assert.match(text(made), /2 runs, too few for an interval: from 100–400 IOPS/);
    const links = [...made.querySelectorAll("a")].map((link) => link.getAttribute("href"));
    for (const href of [`../r/${"2".repeat(20)}`, `../r/${"3".repeat(20)}`, `../q/${"4".repeat(16)}#${"5".repeat(8)}`, `../k/${"6".repeat(16)}`]) assert.ok(links.includes(href), href);
    assert.match(text(made), /7 comparisons in all/);
  });

  test("of a point or a peak gives the end of a quotient whose side is a bound, and says where there is none", () => {
    const [one] = point.quotients;
    const told = (each) => text(drawn(pointPage(context, {...point, quotients: [{...one, ratio: null, ...each}]}).html));
    assert.match(told({low: 6.714}), /another drive: ≥ 6\.71 ×/);
    assert.match(told({}), /another drive: no ratio, because a side is a bound/);
    assert.doesNotMatch(told({}), /– ×/);
  });

  test("of a claim says how far the recomputed value is from the claimed one, as the chart of claims does", () => {
    const made = drawn(claimPage(context.from("../../"), {...claim, claimed_value: 0.25, recomputed_value: 0.5, difference_ratio: -0.5}).html);
    assert.match(text(made), /Recomputed against claimed.{0,20}\+100 %/);
  });

  test("names the host as the one whose maker nobody states, where the drive has one in its name", () => {
    assert.match(text(drawn(resultPage(context, result).html)), /Not stated.*host maker, host model/);
  });

  test("of a result says that samples are those of one process, or leaves them out where they are of something else", () => {
    const told = (row) => text(drawn(resultPage(context, {...result, operations_sample_min_per_second: 100, operations_sample_max_per_second: 200, sample_count: 9, ...row}).html).querySelector(".top"));
    assert.match(told({}), /9 samples, each of one of the 4 processes, lie between 100 and 200 IOPS/);
    assert.doesNotMatch(told({process_count: 1}), /samples/);
    assert.match(told({process_count: 1, operations_sample_max_per_second: 30000}), /9 samples lie between 100 and 30,000 IOPS/);
  });

  test("of a pair writes memory in GiB, a version as it is, and a verdict in words", () => {
    const differences = [{label: "memory", a: "68719476736", b: null}, {label: "firmware", a: "10101120", b: "18950"}, {label: "largest searched queue depth", a: "1024; 128; 64", b: "32"}];
    const made = text(drawn(pairPage(context, {...pair, differences, comparisons: [{...compared, verdict: null, reason: "fewer than three runs", a_runs: 1, b_runs: 1, low: null, high: null, spread: 0.257}]}).html));
    assert.match(made, /64 GiB \/ unknown/);
    assert.match(made, /10101120 \/ 18950/);
    assert.match(made, /64, 128, 1024 \/ 32/);
    assert.match(made, /single runs, no verdict; holds if runs vary by at most 25 %/);
    assert.match(made, /2 of 36 conditions known to be equal; differ: kernel; unknown: firmware, 32 more/);
  });

  test("of a pair has a place for every comparison, each with links to both values", () => {
    const id = (n) => `${createHash("sha256").update(`${n}`).digest("hex").slice(0, 16)}`;
    const many = Array.from({length: 190}, (_, i) => ({...compared, depth: i || null, id: id(i), a_point: id(`a${i}`), b_point: id(`b${i}`)}));
    const {html, json} = pairPage(context, {...pair, comparisons: many});
    assert.ok(gzipSync(html).length <= 12_000, `${gzipSync(html).length} bytes`);
    const page = drawn(html);
    for (const {id: own, depth, a_point, b_point} of many) {
      const links = [...page.getElementById(own.slice(0, 8)).querySelectorAll("a")].map((link) => link.getAttribute("href"));
      assert.deepEqual(links, [a_point, b_point].map((point) => `../${depth == null ? "k" : "p"}/${point}`));
    }
    assert.equal(json.comparisons.length, many.length);
    assert.equal(json.columns.length, json.comparisons[0].length);
  });

  test("calls a load by the name of its profile only beside sources that do", () => {
    const named = {load_profile: "Restore", definition: "64 KiB sequential write", naming_submissions: "paper; sub", access_pattern: "sequential"};
    const told = (workload) => text(drawn(pairPage(new Context({...structuredClone(shared), workloads: {w: workload}}, files(join(folder, "data")), "../"), pair).html));
    assert.match(told(named), /Restore: 64 KiB sequential, 0 % read/);
    assert.doesNotMatch(told({...named, naming_submissions: "paper"}), /Restore/);
    assert.match(told({...named, naming_submissions: "paper"}), /64 KiB sequential, 0 % read/);
  });

  test("keeps a number and its unit on one line in its sentences, and has plain spaces where it is copied", () => {
    const page = drawn(resultPage(context, result).html);
    assert.match(page.querySelector(".top > p").textContent, /100\u00a0% read/);
    for (const copied of [page.querySelector("title"), ...page.querySelectorAll("#cite pre")]) assert.doesNotMatch(copied.textContent, /\u00a0/);
  });

  test("of a pair shows an interval of measured sides, and of a bound which end is known", () => {
    const told = (each) => text(drawn(pairPage(context, {...pair, comparisons: [{...compared, ...each}]}).html).getElementById("5".repeat(8)));
    assert.match(told({}), /2\.00 \[1\.50–2\.50\]/);
    assert.doesNotMatch(told({verdict: null, kind: "rounding"}), /\[/);
    assert.match(told({ratio: null, low: 4, high: null}), /≥ 4\.00/);
    assert.match(told({ratio: null, low: null, high: 4}), /≤ 4\.00/);
  });

  test("of a pair of one device tells its sides apart by words, not by ids", () => {
    const told = (one, two) => text(drawn(pairPage(new Context({...structuredClone(shared), configurations: {"sub/one": {...configuration(), title: one}, "sub/two": {...configuration(), title: two}}}, files(join(folder, "data")), "../"), pair).html).querySelector("h1"));
    assert.equal(told("A drive: filled; folder x/1", "A drive: first writes; folder x/2"), "a driveA: A drive: filledB: A drive: first writes");
    assert.equal(told("A drive: folder x/RUN1", "A drive: folder x/RUN2"), "a driveA: RUN1B: RUN2");
  });

  test("of a pair says what cannot be compared, and how many comparisons were tested", () => {
    const made = drawn(pairPage(context, pair).html);
    assert.match(text(made.querySelector("#refused")), /a key condition differs.*: filesystem Database, 2/);
    assert.match(text(made), /Tested here: 1\./);
  });

  test("is named by what it is given and by no value", () => {
    for (const [page, row] of Object.values(kinds)) {
      const other = JSON.parse(JSON.stringify(row), (_, value) => typeof value === "number" && !Number.isInteger(value) ? value * 1.5 : value);
      const addresses = [row, other].map((each) => drawn(page(context, each).html).querySelector("link[rel=canonical]").href);
      assert.equal(addresses[0], addresses[1]);
    }
  });
});

describe("what pages quote", () => {
  test("stands where the pointer says, in the first document and behind it", () => {
    const found = lines(`warning: {not json\n${REPORT}\n{"a/b": [1,\n2]}\n`);
    assert.equal(found.get("0#/jobs/0/read/iops"), 7);
    assert.equal(found.get("1#/a~1b/1"), 15);
  });

  test("is not read from outside the folder of submissions", () => {
    assert.equal(context.file("sub", "../../../etc/passwd"), null);
    assert.equal(context.file("sub", "absent.json"), null);
  });

  test("agrees to half a step of the last digit, and else the difference is said", () => {
    assert.equal(`${agreement(29636.1212929, 29636.121293, "29636.121293")}`, "agrees");
    assert.match(`${agreement(101, 100, "100.0")}`, /differs by 1\.0.%/);
  });

  test("escapes what BibTeX and HTML would read otherwise", () => {
    assert.equal(bibtex("100 % {x}_&"), "100 \\% \\{x\\}\\_\\&");
    assert.equal(`${h`<b title="${'"<'}">${[h`<i>`, "<", null, false]}</b>`}`, '<b title="&quot;&lt;"><i>&lt;</b>');
  });
});

test("an attribute keeps its quotes where it needs them, and text keeps all of its", () => {
  const text = h`<a class="num" href="a/b.json" title="${"two words"}" id="">${' x="y" '}</a><a href="../"></a><a href="?a=b"></a>`.text;
  assert.equal(bare(text), '<a class=num href=a/b.json title="two words" id=""> x=&quot;y&quot; </a><a href="../"></a><a href="?a=b"></a>');
});

test("the ids of numbers are found by their first two signs, in one order, and claims are not among them", () => {
  const out = join(folder, "ids");
  writeIds({p: ["ab2", "cd1"], r: ["ab9", "ab1"], c: ["ab/claim"]}, out);
  assert.deepEqual(JSON.parse(readFileSync(join(out, "search", "ids", "ab.json"), "utf8")), ["r/ab1", "r/ab9", "p/ab2"]);
  assert.deepEqual(JSON.parse(readFileSync(join(out, "search", "ids", "cd.json"), "utf8")), ["p/cd1"]);
});

test("pages and their JSON are written from rows, every time the same", () => {
  const scratch = join(folder, "scratch");
  mkdirSync(scratch, {recursive: true});
  writeFileSync(join(scratch, "shared.json"), JSON.stringify({...shared, data: join(folder, "data")}));
  const rows = {r: result, p: point, k: peak, s: factor, c: claim, q: pair};
  for (const [kind, row] of Object.entries(rows)) writeFileSync(join(scratch, `${kind}.ndjson`), `${JSON.stringify(row)}\n`);
  const made = ["one", "two"].map((name) => {
    assert.deepEqual(writePages(scratch, join(folder, name), Object.keys(rows)), {written: Object.fromEntries(Object.entries(rows).map(([kind, row]) => [kind, [row.id]])), forwarded: {}});
    return Object.entries(rows).map(([kind, {id}]) => {
      const html = readFileSync(join(folder, name, kind, `${id}.html`), "utf8");
      const json = drawn(html).querySelector("footer a").getAttribute("href");
      const file = readFileSync(join(folder, name, kind, id, "..", json));
      return [html, (json.endsWith(".gz") ? gunzipSync(file) : file).toString("utf8")];
    });
  });
  assert.deepEqual(made[0], made[1]);
  for (const [, json] of made[0]) assert.doesNotMatch(json, /:null/);
});

describe("a point of one run that is one result", () => {
  const alone = {...result, load_basis: "outstanding", checks: [{name: "short run", verdict: "short run", effect: "B", why: "because"}]};
  const run = {run: 1, operations: alone.operations_per_second, parts: [{id: alone.id, operation: "read", operations: alone.operations_per_second, file: "a.json", at: alone.source_pointer}]};
  const same = {...point, ...Object.fromEntries(["operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds"].map((name) => [name, alone[name]])), repetition_count: 1, runs: [run], checks: [{name: "short run", verdict: "short run", effect: "B"}]};
  const write = (name, one, other) => {
    const scratch = join(folder, name);
    mkdirSync(scratch, {recursive: true});
    writeFileSync(join(scratch, "shared.json"), JSON.stringify({...shared, data: join(folder, "data")}));
    for (const [kind, row] of [["r", one], ["p", other]]) writeFileSync(join(scratch, `${kind}.ndjson`), `${JSON.stringify(row)}\n`);
    const told = writePages(scratch, join(scratch, "out"), ["r", "p"]);
    return {...told, pages: Object.fromEntries([["r", one], ["p", other]].map(([kind, row]) => [kind, drawn(readFileSync(join(scratch, "out", kind, `${row.id}.html`), "utf8"))]))};
  };

  test("has its page in that of the result, with what rests on it, its query, and its address, which leads there and says the same number", () => {
    const {written, forwarded, pages: {r, p}} = write("same", alone, same);
    assert.deepEqual(written, {r: [alone.id], p: [same.id]});
    assert.deepEqual(forwarded, {p: [same.id]});
    assert.deepEqual(withoutForwards(written, forwarded), {r: [alone.id], p: []});
    assert.equal(p.querySelector("meta[http-equiv=refresh]").content, `0;url=../r/${alone.id}`);
    assert.equal(p.querySelector("link[rel=canonical]").getAttribute("href"), `https://site.example/r/${alone.id}`);
    assert.equal(p.querySelector("main a").getAttribute("href"), `../r/${alone.id}`);
    assert.deepEqual([p, r].map((page) => page.querySelector("h1 data").getAttribute("value")), [1, 2].map(() => String(alone.operations_per_second)));
    const links = [...r.querySelectorAll("a")].map((link) => link.getAttribute("href"));
    for (const href of [`../q/${"4".repeat(16)}#${"5".repeat(8)}`, `../k/${"6".repeat(16)}`, `../p/11.json.gz`]) assert.ok(links.includes(href), href);
    assert.ok(!links.includes(`../p/${same.id}`), "a page that leads back to itself");
    assert.match(text(r), new RegExp(`p/${same.id}, tool output, 1 run`));
    assert.match(text(r.querySelector("#cite")), new RegExp(`from results where .* from points where point_id = '${same.id}'`));
  });

  test("keeps a page of its own where that says anything else", () => {
    const others = {
      value: {operations_per_second: alone.operations_per_second + 1}, metric: {latency_mean_seconds: null}, interval: {operations_low_per_second: 1, operations_high_per_second: 2, operations_kind: "rounding"},
      depth: {queue_depth: 17}, load: {load_profile: "4 KiB random write"}, checks: {checks: []}, sign: {value_kind: "lower_bound"}, runs: {runs: [run, run]}, parts: {runs: [{...run, parts: [run.parts[0], run.parts[0]]}]}, outliers: {outlier_count: 1}
    };
    for (const [name, other] of Object.entries(others)) {
      const {forwarded, pages: {r, p}} = write(`other-${name}`, alone, {...same, ...other});
      assert.deepEqual(forwarded, {}, name);
      assert.equal(p.querySelector("meta[http-equiv=refresh]"), null, name);
      assert.ok([...r.querySelectorAll("a")].some((link) => link.getAttribute("href") === `../p/${same.id}`), name);
    }
  });
});

describe("a peak or a factor in IOPS and in throughput", () => {
  const bytes = (value) => value * 4096;
  const measured = {...peak, steps: peak.steps.map((step) => ({...step})), shares: []};
  const peaks = [measured, {...measured, id: "a".repeat(16), metric: "throughput_bytes_per_second", peak_value: bytes(200), steps: measured.steps.map((step) => ({...step, value: bytes(step.value)})), quotients: [{pair: "b".repeat(16), id: "c".repeat(16), other: "another drive", ratio: 2, grade: "C", measured: "throughput_bytes_per_second"}], quotient_count: 1}];
  const factors = [factor, {...factor, id: "d".repeat(16), metric: "throughput_bytes_per_second", array_value: bytes(700), base_value: bytes(200), array_id: "e".repeat(16), base_id: "f".repeat(16)}];
  const write = (name, kind, rows) => {
    const scratch = join(folder, name);
    mkdirSync(scratch, {recursive: true});
    writeFileSync(join(scratch, "shared.json"), JSON.stringify({...shared, data: join(folder, "data")}));
    writeFileSync(join(scratch, `${kind}.ndjson`), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const told = writePages(scratch, join(scratch, "out"), [kind]);
    return {...told, pages: rows.map((row) => drawn(readFileSync(join(scratch, "out", kind, `${row.id}.html`), "utf8")))};
  };
  const hrefs = (page) => [...page.querySelectorAll("a")].map((link) => link.getAttribute("href"));

  test("of one sweep has one page, with both values and what rests on both, in either order", () => {
    for (const [i, rows] of [peaks, peaks.toReversed()].entries()) {
      const {written, forwarded, pages} = write(`peaks-${i}`, "k", rows);
      const [iops, throughput] = i ? pages.toReversed() : pages;
      assert.deepEqual([written.k.toSorted(), forwarded], [[peaks[0].id, peaks[1].id].toSorted(), {k: [peaks[1].id]}]);
      assert.equal(throughput.querySelector("meta[http-equiv=refresh]").content, `0;url=../k/${peaks[0].id}`);
      assert.equal(throughput.querySelector("h1 data").getAttribute("value"), String(bytes(200)));
      assert.deepEqual([...iops.querySelectorAll(".top data")].map((each) => each.getAttribute("value")), ["200", String(bytes(200))]);
      assert.match(text(iops), /Depth 8.*150 \/s · 614,400 B\/s/);
      assert.ok(hrefs(iops).includes(`../q/${"b".repeat(16)}#${"c".repeat(8)}`));
      assert.ok(hrefs(iops).includes("../k/aa.json.gz"));
      assert.match(text(iops.querySelector("#cite")), new RegExp(`peak_id = '${peaks[0].id}' .* peak_id = '${peaks[1].id}'`));
    }
  });

  test("of one array has one page, where both sides lead to the operands of both", () => {
    const {forwarded, pages: [iops, throughput]} = write("factors", "s", factors);
    assert.deepEqual(forwarded, {s: [factors[1].id]});
    assert.equal(throughput.querySelector("meta[http-equiv=refresh]").content, `0;url=../s/${factors[0].id}`);
    for (const id of ["9", "6", "e", "f"]) assert.ok(hrefs(iops).includes(`../k/${id.repeat(16)}`), id);
    assert.match(text(iops), /700 \/s · 2,867,200 B\/s/);
    assert.match(text(iops), new RegExp(`s/${factors[1].id}`));
  });

  test("has a page of its own where anything but the metric differs", () => {
    const other = {knee: {queue_depth_knee: 8}, at: {queue_depth: 8}, interval: {low: 1, high: 2}, edge: {is_peak_at_edge: true}, runs: {n: 3}, stated: {peak_origin: "stated"}, steps: {steps: []}, metric: {metric: "operations_per_second"}};
    for (const [name, change] of Object.entries(other)) assert.deepEqual(write(`k-${name}`, "k", [peaks[0], {...peaks[1], ...change}]).forwarded, {}, name);
    const others = {factor: {factor_ratio: 3.51}, grade: {is_comparable: false}, claim: {claim_id: "C1"}, said: {stated_factor_text: "3.5"}, ideal: {ideal_ratio: null}};
    for (const [name, change] of Object.entries(others)) assert.deepEqual(write(`s-${name}`, "s", [factors[0], {...factors[1], ...change}]).forwarded, {}, name);
  });
});

test("the JSON of numbers lies in one file for all whose ids begin alike, with the names of their values once", () => {
  const scratch = join(folder, "alike");
  mkdirSync(scratch, {recursive: true});
  writeFileSync(join(scratch, "shared.json"), JSON.stringify({...shared, data: join(folder, "data")}));
  const rows = ["ab1", "ab2", "cd3"].map((id, i) => ({...result, id: id.padEnd(20, "0"), operation_count: i, printed_text: i ? "x" : null}));
  writeFileSync(join(scratch, "r.ndjson"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  writePages(scratch, join(folder, "parts"), ["r"]);
  const told = ["ab", "cd"].map((start) => {
    const {release_id, columns, rows: its} = JSON.parse(gunzipSync(readFileSync(join(folder, "parts", "r", `${start}.json.gz`))));
    assert.equal(release_id, shared.release);
    return its.map((values) => Object.fromEntries(columns.map((name, i) => [name, values[i]])));
  });
  assert.deepEqual(told.map((its) => its.map((each) => [each.result_id, each.operation_count, each.printed_text, each.operations_per_second])), [
    rows.slice(0, 2).map((row) => [row.id, row.operation_count, row.printed_text, result.operations_per_second]), [[rows[2].id, 2, "x", result.operations_per_second]]
  ]);
});

test("the map of the site leads to the pages of numbers, in files that search engines read", () => {
  const out = join(folder, "maps");
  mkdirSync(out, {recursive: true});
  const told = (name) => Array.from(readFileSync(join(out, name), "utf8").matchAll(/<loc>([^<]*)<\/loc>/g), ([, address]) => address);
  const pages = "<urlset><url><loc>https://site.example/media</loc></url></urlset>";
  const written = {r: ["b2", "a1"], c: ["sub/C 1"], p: ["d4"]};
  writeMaps(written, out, null);
  writeFileSync(join(out, "sitemap.xml"), pages);
  for (const _ of ["once", "again"]) {
    writeMaps(written, out, "https://site.example/", 3);
    assert.deepEqual(told("sitemap.xml"), ["1", "numbers-1", "numbers-2"].map((part) => `https://site.example/sitemap-${part}.xml`));
    writeFileSync(join(out, "sitemap.xml"), pages);
  }
  assert.equal(readFileSync(join(out, "sitemap-1.xml"), "utf8"), pages);
  assert.deepEqual(["1", "2"].flatMap((part) => told(`sitemap-numbers-${part}.xml`)), ["c/sub/C%201", "p/d4", "r/a1", "r/b2"].map((path) => `https://site.example/${path}`));
  writeFileSync(join(out, "sitemap.xml"), "<sitemapindex><sitemap>\n<loc>https://site.example/sitemap-1.xml</loc></sitemap><sitemap><loc>https://site.example/sitemap-2.xml</loc></sitemap></sitemapindex>");
  writeMaps(written, out, "https://site.example");
  assert.deepEqual(told("sitemap.xml"), ["1", "2", "numbers-1"].map((part) => `https://site.example/sitemap-${part}.xml`));
});
