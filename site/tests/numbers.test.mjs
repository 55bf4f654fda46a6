// The pages of numbers: what they say of rows, whatever stands in these, and where a raw line is.
import assert from "node:assert/strict";
import {createHash} from "node:crypto";
import {mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {gunzipSync, gzipSync} from "node:zlib";
import {JSDOM} from "jsdom";
import {after, before, describe, test} from "./limits.mjs";
import {numberOf} from "../components/sql/numbers.js";
import {claimData, claimPage} from "../numbers/claim.js";
import {agreement, bare, h, speak} from "../numbers/html.js";
import {bibtex, Context, files} from "../numbers/page.js";
import {pairData, pairPage} from "../numbers/pair.js";
import {lines} from "../components/locate.js";
import {dataOf, sweepPage} from "../numbers/sweep.js";
import {addToMap, writePages} from "../numbers/write.mjs";

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
const point = {...load, id: "1".repeat(16), queue_depth: 16, load_basis: "outstanding", basis: "queue_depth=16", run_count: 2, session_count: 1, operations_per_second: 200, operations_kind: "none", operations_min_per_second: 100, operations_max_per_second: 400, operations_origin: "measured", value_kind: "measured", runs: [{run: 1, operations: 100, parts: [{id: "2".repeat(20), operation: "read", operations: 100, file: "a.json", at: "line 4"}]}, {run: 2, operations: 400, parts: [{id: "3".repeat(20), operation: "read", operations: 400, file: "a.json", at: "line 5"}]}], quotients: [{pair: "4".repeat(16), id: "5".repeat(16), other: "another drive", ratio: 2, measured: "operations_per_second"}], quotient_count: 7, peaks: [{id: "6".repeat(16), metric: "operations_per_second", at: 16, knee: 16, before: 8}]};
const peak = {...load, id: "6".repeat(16), metric: "operations_per_second", peak_value: 200, kind: "none", n: 2, peak_origin: "computed", queue_depth: 16, queue_depths: [8, 16], depth_count: 2, knee_verdict: "saturated", queue_depth_before: 8, queue_depth_knee: 16, value_kind: "measured", steps: [{id: "7".repeat(16), depth: 8, value: 150}, {id: "1".repeat(16), depth: 16, value: 200}], shares: [{per: "gigabyte", divisor: 100, value: 2}]};
const factor = {...load, id: "8".repeat(16), metric: "operations_per_second", topology: "raid0", drive_count: 4, basis: "peak", array_configuration_id: "two", array_section: "tool output", base_configuration_id: "one", base_section: "tool output", array_value: 700, base_value: 200, factor_ratio: 3.5, ideal_ratio: 4, efficiency_ratio: 0.875, is_comparable: true, reasons: ["firmware unknown"], array_id: "9".repeat(16), base_id: "6".repeat(16)};
const claim = {id: "sub/C1", submission_id: "sub", claim_id: "C1", statement: "it is twice as fast", locator: "page 3", claimed_text: "2", claimed_unit: "ratio", numerator: "figure:a", denominator: "figure:b", operands: "400 / 200", recomputed_value: 2, verdict: "follows", verdict_reason: "it does", source_path: "claims.csv", source_pointer: "line 2", source_sha256: "d".repeat(64), figures: [{figure: "a", result: "2".repeat(20), side: 1, text: "400"}, {figure: "b", result: "3".repeat(20), side: 2, text: "200"}]};
const compared = {comparison_id: "5".repeat(16), workload_id: "w", queue_depth: 16, metric: "operations_per_second", operation: "read", a_point_id: "1".repeat(16), b_point_id: "7".repeat(16), a_value: 400, b_value: 200, a_run_count: 3, b_run_count: 3, a_session_count: 3, b_session_count: 3, ratio: 2, ratio_low: 1.5, ratio_high: 2.5, ratio_interval_kind: "sessions", verdict: "A faster", choice_count: 0};
const pair = {id: "4".repeat(16), a: "sub/one", b: "sub/two", conditions: [{operation: "read", question: "device", evidence: "same bench", condition_count: 36, equal_count: 2, differing_columns: ["kernel"], unknown_keys: ["firmware"], unknown_count: 33}], comparisons: [compared], differences: [{label: "kernel", a: "6.1", b: "6.2"}], refused: [{reason: "key_differs", columns: ["filesystem"], load: "Database", count: 2}]};
const ID = {r: result.id, p: point.id, k: peak.id, s: factor.id};
const [LOW, ONE, TWO] = ["7", "2", "3"].map((digit) => digit.repeat(digit === "7" ? 16 : 20));
shared.addresses = Object.fromEntries([...Object.entries(ID), ["p", LOW], ["r", ONE], ["r", TWO]].map(([kind, id]) => [id, `abcd1234#${kind}-${id}`]));
const sweepOf = (lists) => ({...load, id: "abcd1234", results: [], points: [], peaks: [], factors: [], ...lists});
const lone = {...result, point: null};
const sweep = sweepOf({points: [point, {...point, id: LOW, queue_depth: 8, operations_per_second: 150, runs: []}], results: [ONE, TWO].map((id, i) => ({...result, id, point: {id: point.id}, repetition_index: i})), peaks: [peak], factors: [factor]});
const kinds = {sweep: ["m", sweepPage, sweep], number: ["m", sweepPage, sweepOf({results: [lone]})], claim: ["c", claimPage, claim], pair: ["q", pairPage, pair]};
let folder, context;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "ioledger-numbers-"));
  mkdirSync(join(folder, "data", "sub"), {recursive: true});
  writeFileSync(join(folder, "data", "sub", "a.json"), REPORT);
  writeFileSync(join(folder, "data", "sub", "claims.csv"), 'claim_id,statement,claimed_text\nC1,"it is ""twice"" as fast",2\n');
  context = new Context(structuredClone(shared), files(join(folder, "data")));
});
after(() => rmSync(folder, {recursive: true, force: true}));

// As a browser reads it, with the ends of elements that are left out.
const {DOMParser} = new JSDOM("").window;
const drawn = (html) => new DOMParser().parseFromString(html, "text/html");
const text = (node) => (node.body ?? node).textContent.replaceAll(/\s+/g, " ");

// A page at its place, in a language.
function paged(kind, page, row, {language = "en", known = context} = {}) {
  speak(language);
  const html = page(known.of(`/${kind}/${row.id}`), row);
  speak("en");
  return html;
}
const single = (row, more = {}) => paged("m", sweepPage, sweepOf({results: [{...lone, ...row}], ...more}));

describe("a page of numbers", () => {
  for (const [name, [kind, page, row]] of Object.entries(kinds)) {
    test(`of a ${name} has one language, a link to itself in the other, one heading, its query with the release, and a citation`, () => {
      for (const [language, other] of [["en", `../ja/${kind}/${row.id}`], ["ja", `../../${kind}/${row.id}`]]) {
        const html = paged(kind, page, row, {language});
        const made = drawn(html);
        assert.equal(made.documentElement.lang, language);
        assert.equal(made.querySelectorAll("h1").length, 1);
        assert.ok(made.querySelector("meta[name=description]").content.length > 20);
        assert.equal(made.querySelector("header a[hreflang]").getAttribute("href"), kind === "c" ? other.replace("../", "../../") : other);
        assert.deepEqual([...made.querySelectorAll("link[hreflang]")].map((link) => link.hreflang), ["en", "ja", "x-default"]);
        assert.match(text(made.querySelector("#cite")), /release aaaaaaaaaaaa/);
        assert.match(text(made.querySelector("#cite")), /@misc\{ioledger-\w-/);
        const [sql] = [...made.querySelectorAll("a")].map((link) => /sql(#.*)$/.exec(link.getAttribute("href"))?.[1]).filter(Boolean);
        const {query, r} = numberOf(sql);
        assert.ok([...made.querySelectorAll("#cite pre")].at(-1).textContent.startsWith(`${query}\n-- release ${r}`), "the query that opens is the one that is written there");
        assert.doesNotMatch(html, /undefined|NaN|\[object/);
      }
    });
  }

  test("has an anchor for every number of the sweep, and its row says the citation of that number", () => {
    const made = drawn(paged("m", sweepPage, sweep));
    for (const address of Object.values(shared.addresses).filter((each) => !each.endsWith(result.id))) assert.ok(made.getElementById(address.split("#")[1]), address);
    assert.match(text(made.querySelector("h1")), /a drive: 150 IOPS at queue depth 8, 200 IOPS at 16/);
    const row = made.getElementById(`p-${point.id}`);
    assert.match(text(row.nextElementSibling), new RegExp(`200 IOPS: .*queue depth 16, a drive\\. a study\\. ioledger, release a{12}\\. https://site.example/m/abcd1234#p-${point.id}`));
    assert.match(text(row.nextElementSibling), /7 comparisons in all/);
  });

  test("says of a bound and of an exclusion what they are: in the heading, the citation, JSON-LD and the JSON", () => {
    const bounded = {...point, run_count: 1, operations_kind: "bound", exclusions: ["area not written before"], runs: []};
    const made = drawn(paged("m", sweepPage, sweepOf({points: [bounded]})));
    const said = "≥ 200 IOPS (lower bound; excluded: blocks never written before)";
    assert.match(text(made.querySelector("h1")), /^≥ 200 IOPS/);
    assert.match(text(made.querySelector(".chips .bad")), /not used in comparisons: blocks never written before/);
    assert.ok(text(made.querySelector("#cite")).includes(said), text(made.querySelector("#cite")));
    const observed = JSON.parse(made.querySelector("script[type]").textContent);
    assert.ok(observed.name.startsWith(said) && observed.minValue === 200 && !("value" in observed));
    assert.equal(dataOf(context, "p", bounded).headline, said);
    const waited = {...bounded, operations_per_second: null, latency_mean_seconds: 0.001, latency_kind_of_interval: "bound", exclusions: null};
    assert.equal(dataOf(context, "p", waited).headline, "≤ 1 ms (upper bound)");
    assert.equal(dataOf(context, "k", {...peak, is_peak_at_edge: true}).headline, "≥ 200 IOPS (lower bound)");
    assert.equal(dataOf(context, "k", peak).headline, "200 IOPS");
  });

  // A number, a claim or a pair by what its row says beside the usual, and the words for it.
  const ofPoint = (more) => paged("m", sweepPage, sweepOf({points: [{...point, runs: [], ...more}]}));
  const ofRatio = (more) => ofPoint({quotients: [{...point.quotients[0], ratio: null, ...more}]});
  const ofPair = (more, known) => paged("q", pairPage, {...pair, ...more}, {known});
  const ofComparison = (more) => ofPair({comparisons: [{...compared, ...more}]});
  const having = (more) => new Context({...structuredClone(shared), ...more}, files(join(folder, "data")));
  const profile = {load_profile: "Restore", definition: "64 KiB sequential write", naming_submissions: ["paper", "sub"], access_pattern: "sequential"};
  const ofProfile = (more) => ofPair({}, having({workloads: {w: {...profile, ...more}}}));
  const ofDevice = (one, two) => ofPair({}, having({configurations: {"sub/one": {...configuration(), title: one}, "sub/two": {...configuration(), title: two}}}));
  const kernel = {disks: ["sda"], reads: 3466080, writes: 12, tool_reads: 3466071, tool_writes: 0, jobs: 1, busy: 0.9984};
  const singleRun = {verdict: null, reason: "fewer than three runs", a_run_count: 1, b_run_count: 1, ratio_low: null, ratio_high: null, tolerated_spread_ratio: 0.257};
  const differences = [{label: "memory", a: "68719476736", b: null}, {label: "firmware", a: "10101120", b: "18950"}, {label: "largest searched queue depth", a: "1024; 128; 64", b: "32"}];

  for (const [what, page, ...said] of [
    ["an excluded number counts nothing, and what counts instead", () => ofPoint({exclusions: ["served by a cache"], sound: [{id: LOW, value: 43_900}]}), /in a setup that comparisons use: 43\.9 k IOPS/],
    ["a result is a division of what lines of its file print", () => single({}), /88,938 ÷ 3\.001 s = 29,636\.1213 \/s/, /29,636\.121293 line 6, agrees/, /line 6 of 12/, /one run of 3\.001 s, so no interval/i],
    ["conditions of a result are not known", () => single({}), /firmware/, /host vendor/, /processor/, /memory/, /I\/O scheduler/, /preconditioning/],
    ["a result was read by a version, with a manifest of an edition", () => single({reader_version: "0.2.0", edition: 1, collector_version: null}), /Read with ?reader 0\.2\.0, manifest of edition 1(?!, collector)/],
    ["a collector drafted a manifest, where it is stated", () => single({reader_version: "0.2.0", edition: 1, collector_version: "0.3"}), /reader 0\.2\.0, manifest of edition 1, collector 0\.3/],
    ["the kernel counted on the disk meanwhile", () => single({operation: "read", kernel}), /Kernel counters.{0,20}3,466,080 reads on sda \(fio 3,466,071\); busy 100 %/],
    ["the kernel counted over several jobs", () => single({operation: "read", kernel: {...kernel, jobs: 10, tool_reads: null, busy: null}}), /3,466,080 reads on sda over all 10 jobs of the run/],
    ["the kernel counted on several disks", () => single({operation: "read", kernel: {...kernel, disks: ["sda", "sdb", "sdc", "sdd"]}}), /reads on 4 disks/],
    ["the kernel counted, of no operation that it does not count", () => single({operation: "trim", kernel}), /^(?!.*Kernel counters)/],
    ["nobody at the origin of an excerpt has checked it", () => single({origin_path: "a.json", origin_line: 39, origin_sha256: "f".repeat(64)}), /imported; not verified by its author/],
    ["a hash is of an unpacked file", () => single({source_path: "large.csv", source_pointer: "line 2"}), /c{16}…c{8}, unpacked/],
    ["a ratio whose side is a bound has an end", () => ofRatio({low: 6.714}), /another drive: ≥ 6\.71 ×/],
    ["two bounds have no ratio", () => ofRatio({}), /another drive: no ratio, because a side is a bound/],
    ["a claim is so far from the recomputed value", () => paged("c", claimPage, {...claim, claimed_value: 0.25, recomputed_value: 0.5, difference_ratio: -0.5}), /Recomputed against claimed.{0,20}\+100 %/],
    ["a claim states something, in words of the language", () => paged("c", claimPage, {...claim, statement_ja: "2 倍速い"}, {language: "ja"}), /2 倍速い/],
    ["two memories differ in GiB, two versions as they are written, and a verdict is missing", () => ofPair({differences, comparisons: [{...compared, ...singleRun}]}), /64 GiB \/ unknown/, /10101120 \/ 18950/, /64, 128, 1024 \/ 32/, /single runs, no verdict; holds if runs vary by at most 25 %/, /2 of 36 conditions known to be equal; differ: kernel; unknown: firmware, 32 more/],
    ["a load has the name that its sources use", () => ofProfile({}), /Restore: 64 KiB sequential write/],
    ["a load has no name that its sources do not use", () => ofProfile({naming_submissions: ["paper"]}), /^(?!.*Restore).*64 KiB sequential write/],
    ["measured sides have an interval", () => ofComparison({}), /2\.00 \[1\.50–2\.50\]/],
    ["rounded sides have no interval", () => ofComparison({verdict: null, ratio_interval_kind: "rounding"}), /^(?!.*2\.00 \[)/],
    ["a ratio has a lower end", () => ofComparison({ratio: null, ratio_low: 4, ratio_high: null}), /≥ 4\.00/],
    ["two sides of one device differ in words", () => ofDevice("A drive: filled; folder x/1", "A drive: first writes; folder x/2"), /a driveA: A drive: filledB: A drive: first writes/],
    ["two sides of one device differ in folders, not ids", () => ofDevice("A drive: folder x/RUN1", "A drive: folder x/RUN2"), /a driveA: RUN1B: RUN2/],
    ["a load cannot be compared, and how many comparisons were tested", () => ofPair({}), /a key condition differs.*: filesystem Database, 2/, /Pairs tested here: 1\./]
  ]) test(`says that ${what}`, () => { for (const words of said) assert.match(text(drawn(page())), words); });

  test("shows the percentiles of a point, each with an anchor, and what is too rare for one", () => {
    const tails = [[0.5, 1e-4], [0.99, 2e-4], [0.999, 9e-4], [0.9999, null]].map(([percentile, latency]) => ({operation: "read", percentile, latency}));
    assert.match(text(drawn(ofPoint({tails})).getElementById("p999").closest("dl")), /p99\.9900 µsp99\.99too few operations/);
    const row = drawn(paged("m", sweepPage, {...sweep, points: sweep.points.map((each) => ({...each, tails}))})).getElementById(`p-${point.id}`);
    assert.match(text(row), /100 µs200 µs900 µs–/);
  });

  test("of a result marks its line, leads to the line at its origin and to its raw file as it is served, and copies no hard space", () => {
    const made = drawn(single({origin_path: "some/folder/run 1.json", origin_line: 39, origin_sha256: "f".repeat(64)}));
    assert.equal(made.querySelector("mark").textContent.trim(), '"iops" : 29636.121293,');
    assert.equal(made.querySelector("h1 data").getAttribute("value"), String(result.operations_per_second));
    for (const copied of [made.querySelector("title"), ...made.querySelectorAll("#cite pre")]) assert.doesNotMatch(copied.textContent, /\u00a0/);
    assert.ok(made.querySelector(`a[href="https://github.com/some/where/blob/${"b".repeat(40)}/some/folder/run%201.json#L39"]`));
    const raw = (row) => [...drawn(single(row)).querySelectorAll(".buttons a")].find((each) => /^Raw file/.test(text(each)))?.getAttribute("href");
    assert.deepEqual([{}, {source_path: "large.csv", source_pointer: "line 2"}, {source_path: "elsewhere.json"}].map(raw), ["../raw/sub/a.json", "../raw/sub/large.csv.gz", undefined]);
    assert.equal(dataOf(context, "r", {...result, reader_version: "0.2.0"}).reader_version, "0.2.0");
  });

  test("of a pair is light, has a place for every comparison with links to both values, and one row for one ratio of IOPS and throughput", () => {
    const id = (n) => createHash("sha256").update(`${n}`).digest("hex").slice(0, 16);
    const comparisons = Array.from({length: 190}, (_, i) => ({...compared, queue_depth: i || null, comparison_id: id(i), a_point_id: id(`a${i}`), b_point_id: id(`b${i}`)}));
    const [html, json] = [ofPair({comparisons}), pairData(context, {...pair, comparisons})];
    assert.ok(gzipSync(html).length <= 12_000, `${gzipSync(html).length} bytes`);
    const page = drawn(html);
    for (const {comparison_id: own} of comparisons) assert.deepEqual([...page.getElementById(own.slice(0, 8)).querySelectorAll("a")].map((link) => link.getAttribute("href")), ["../m/", "../m/"]);
    assert.deepEqual([json.comparisons.length, json.columns.length], [comparisons.length, json.comparisons[0].length]);
    const bytes = {...compared, comparison_id: "8".repeat(16), metric: "throughput_bytes_per_second", a_value: 400 * 4096, b_value: 200 * 4096};
    const rows = (more) => [...drawn(ofPair({comparisons: [compared, {...bytes, ...more}]})).querySelectorAll("tr[id]")];
    assert.ok(rows({})[0].querySelector("span").id === "8".repeat(8) && /IOPS, throughput/.test(rows({})[0].textContent));
    assert.deepEqual([rows({}).length, rows({ratio: 2.1}).length], [1, 2]);
  });
});

test("a raw file is quoted where the pointer says, also behind other documents, and none from outside the folder of submissions", () => {
  const found = lines(`warning: {not json\n${REPORT}\n{"a/b": [1,\n2]}\n`);
  assert.deepEqual([found.get("0#/jobs/0/read/iops"), found.get("1#/a~1b/1")], [7, 15]);
  assert.deepEqual(["../../../etc/passwd", "absent.json"].map((path) => context.file("sub", path)), [null, null]);
  assert.equal(`${agreement(29636.1212929, 29636.121293, "29636.121293")}`, "agrees"); // to half a step of the last digit
  assert.match(`${agreement(101, 100, "100.0")}`, /differs by 1\.0.%/);
});

test("what BibTeX and HTML would read otherwise is escaped, and an attribute keeps its quotes where it needs them", () => {
  assert.equal(bibtex("100 % {x}_&"), "100 \\% \\{x\\}\\_\\&");
  assert.equal(`${h`<b title="${'"<'}">${[h`<i>`, "<", null, false]}</b>`}`, '<b title="&quot;&lt;"><i>&lt;</b>');
  const text = h`<a class="num" href="a/b.json" title="${"two words"}" id="">${' x="y" '}</a><a href="../"></a><a href="?a=b"></a>`.text;
  assert.equal(bare(text), '<a class=num href=a/b.json title="two words" id=""> x=&quot;y&quot; </a><a href="../"></a><a href="?a=b"></a>');
});

test("pages in both languages and their JSON are written from rows, every time the same", () => {
  const scratch = join(folder, "scratch");
  mkdirSync(scratch, {recursive: true});
  writeFileSync(join(scratch, "shared.json"), JSON.stringify({...shared, data: join(folder, "data")}));
  const rows = {r: result, p: point, k: peak, s: factor, c: claim, q: pair};
  for (const [kind, row] of Object.entries(rows)) writeFileSync(join(scratch, `${kind}.ndjson`), `${JSON.stringify(row)}\n`);
  const made = ["one", "two"].map((name) => {
    const written = [0, 1].flatMap((half) => writePages(scratch, join(folder, name), half));
    assert.deepEqual(written, ["m/abcd1234", `q/${pair.id}`, "c/sub/C1"]);
    return written.flatMap((path) => [path, `ja/${path}`]).map((path) => {
      const html = readFileSync(join(folder, name, `${path}.html`), "utf8");
      const json = drawn(html).querySelector("footer a[rel=alternate]").getAttribute("href");
      const file = readFileSync(join(folder, name, path, "..", json));
      return [html, (json.endsWith(".gz") ? gunzipSync(file) : file).toString("utf8")];
    });
  });
  assert.deepEqual(made[0], made[1]);
  assert.equal(JSON.parse(made[0][4][1]).claim_id, "C1");
  assert.deepEqual(claimData(context, claim).result_ids, [ONE, TWO]);
});

test("the map of the site leads to the pages of numbers too, where the site has an address", () => {
  const out = join(folder, "maps");
  mkdirSync(out, {recursive: true});
  const pages = "<urlset><url><loc>https://site.example/media</loc></url></urlset>";
  writeFileSync(join(out, "sitemap.xml"), pages);
  addToMap(["q/b2"], out, null);
  assert.equal(readFileSync(join(out, "sitemap.xml"), "utf8"), pages);
  addToMap(["q/b2", "c/sub/C 1"], out, "https://site.example/");
  const places = Array.from(readFileSync(join(out, "sitemap.xml"), "utf8").matchAll(/<loc>([^<]*)<\/loc>/g), ([, address]) => address);
  assert.deepEqual(places, ["media", "c/sub/C%201", "q/b2", "ja/c/sub/C%201", "ja/q/b2"].map((path) => `https://site.example/${path}`));
});
