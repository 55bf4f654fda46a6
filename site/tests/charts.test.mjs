// Charts and the sentences above them follow from their rows: with none, with one, with all refused. Every mark leads to its
// number, wide and on a phone, in both languages.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {lab, rgb} from "d3";
import {describe, test} from "./limits.mjs";
import {benches, benchesAnswer, choices, selectSets} from "../components/charts/benches.js";
import {claims, claimsAnswer, dodgeMarks} from "../components/charts/claims.js";
import {coverage, coverageAnswer, shareOf} from "../components/charts/coverage.js";
import {curves, depthAnswer, foremost, ofConfigurations, ownAnswer, selectColored, sweeps} from "../components/charts/curves.js";
import {NARROW, WIDE, axisBelow, logScale, widthOf} from "../components/charts/draw.js";
import {forest, forestAnswer} from "../components/charts/forest.js";
import {heat, heatAnswer, isDoubtful} from "../components/charts/heat.js";
import {absent, drives, ladder, ladderAnswer, ladderColumns, quickestPairs} from "../components/charts/ladder.js";
import {currencies, modelOf, price, priceAnswer} from "../pages/price.js";
import {scaling, scalingAnswer, scalingFinding} from "../pages/scaling.js";
import {percentiles, usualDrives} from "../pages/tail.js";
import {condition, conditionsWords, refusal, verdictOf} from "../components/conditions.js";
import {drawSymbol, linkMark, media, medium, palette, reasons, status, symbolPath, withBound} from "../components/marks.js";
import {messages} from "../components/messages.js";
import {linesOf} from "../components/tips.js";
import {questions} from "../pages/index.js";

const link = (path, {search = {}, hash = ""} = {}) => `./${path}?${new URLSearchParams(search)}#${hash}`;
const number = (kind, id) => `./${kind}/${id}`;
const [t, ja] = ["en", "ja"].map((language) => messages(language, {link: (path) => path}));
const text = (nodes) => [nodes].flat(Infinity).map((node) => node.textContent ?? node).join("").replaceAll("\u00a0", " ");
const hrefs = (node) => [...node.querySelectorAll("a[href]")].map((a) => a.getAttribute("href"));
const words = (node) => [...node.querySelectorAll("text")].map(text);
const wide = {width: WIDE, t, number, link};
const narrow = {...wide, width: NARROW};

let next = 0;
const drive = (media_class, rate, peak, more = {}) => ({
  origin: "measured", load_profile: "4 KiB random read", device_id: `d${++next}`, device: `Drive ${next}`, short_name: `D${next}`, media_class,
  point_id: `p${next}`, operations_per_second: rate, latency_mean_seconds: rate ? 1 / rate : null, value_kind: "measured", run_count: 1,
  ...(peak ? {peak_id: `k${next}`, peak_value: peak, peak_kind: "measured", peak_depth: 64, peak_process_count: 4, peak_count: 1, is_peak_at_edge: false} : {}), ...more
});
const bench = {bench_key: "x"};
const cached = {exclusions: ["served by a cache"], peak_exclusions: ["served by a cache"]};
const media3 = [drive("ssd_optane", 80_000, 290_000, bench), drive("ssd_nvme", 10_000, 300_000, bench), drive("ssd_nvme", 5_000, null, {bench_key: "y"}), drive("hdd", 59, 98), drive("hdd", 123, 190)];
const on = {...bench, submission_id: "s"};
const pairOfMedia = [drive("ssd_optane", 80_000, 290_000, {...on, configuration_id: "one"}), drive("ssd_nvme", 10_000, 100_000, {...on, configuration_id: "two"}), drive("other", 2, 200)];

const curve = (media_class, steps, more = {}) => {
  const id = `c${++next}`;
  return steps.map(([queue_depth, operations_per_second]) => ({
    load_profile: "4 KiB random read", device_id: id, device: id, short_name: id, media_class, queue_depth, operations_per_second,
    latency_mean_seconds: queue_depth / operations_per_second, point_id: `${id}-${queue_depth}`, run_count: 1, ...more
  }));
};
const sata = curve("ssd_sata", [[1, 9000], [16, 60_000], [32, 61_000]]);
const nvme = curve("ssd_nvme", [[1, 15_000], [64, 600_000], [128, 752_000], [256, 800_000]], {short_name: "980 PRO"});
const limited = curve("ssd_optane", [[1, 80_000], [2, 150_000], [4, 290_000], [8, 291_000]], {short_name: "Optane"}).map((d) => d.queue_depth < 4 ? d : {...d, reservations: ["generator bound"]});
const device = {device_id: "d", device: "Drive", media_class: "ssd_nvme"};
const ofOne = (configuration_id, top, more) => curve("ssd_nvme", [1, 2, 4, 8].map((depth) => [depth, Math.min(depth * 1000, top)]), {submission_id: "s", configuration_id, title: `Bench ${configuration_id}`, ...more});

const set = (id, seconds, more = {}) => ({load_profile: "4 KiB random read", device_id: id, device: id, short_name: id, media_class: "ssd_sata", set_count: 2, latency_mean_seconds: seconds, operations_per_second: 5 / seconds, point_id: `${id}${seconds}`, deep_point_id: `${id}${seconds}d`, run_count: 1, bench_key: "s/bench", configuration_id: `${id}-${seconds}`, submission_id: "s", ...more});
const refused = {exclusions: ["area not written before"]};
const quotient = (values = {}) => ({
  pair_id: "p".repeat(16), comparison_id: "q".repeat(16), name: "4 KiB random, 100 % read", a_device: "Fast", b_device: "Slow", ratio: 3.46, ratio_low: 3.18, ratio_high: 3.76,
  verdict: "A faster", ratio_interval_kind: "sessions", condition_count: 36, equal_count: 2, differing_columns: ["kernel"], unknown_keys: ["firmware"], unknown_count: 33, a_run_count: 3, b_run_count: 3, choice_count: 0, ...values
});
const single = {verdict: null, reason: "fewer than three runs", a_run_count: 1, b_run_count: 1, ratio_low: null, ratio_high: null};
const claim = (values = {}) => ({submission_id: "s", claim_id: "C001", title: "A report", statement: "Twice as fast", claimed_value: 2, recomputed_value: 2.1, recomputed_low: 2.05, recomputed_high: 2.15, difference_ratio: 2 / 2.1 - 1, verdict: "follows", ...values});
const factor = (values = {}) => ({scaling_id: "0".repeat(16), submission_id: "s", load_profile: "Database", metric: "operations_per_second", topology: "raid0", drive_count: 4, device: "P3700", array_value: 130000, base_value: 131000, factor_ratio: 0.99, ideal_ratio: 4, reasons: ["approximate figures"], ...values});
const several = [[2, 1.99], [8, 4.44], [8, 7.24]].map(([drive_count, factor_ratio]) => factor({load_profile: "4 KiB random read", device: "980 PRO", drive_count, factor_ratio}));
const cell = (block, depth, values = {}) => ({submission_id: "s", device: "D", block_size_bytes: block, queue_depth: depth, operations_per_second: 1000 * depth, throughput_bytes_per_second: 1000 * depth * block, point_id: `${block}-${depth}`, ...values});
const doubtful = cell(512, 1, {exclusions: ["served by a cache"]});
const quick = [cell(512, 1, {is_quick: true}), cell(512, 2), cell(4096, 1), cell(4096, 2)];
const percentile = (ratio, seconds, values = {}) => ({load_profile: "4 KiB random read", operation: "read", queue_depth: 1, device_id: "d", device: "Drive", media_class: "ssd_nvme", percentile_ratio: ratio, latency_seconds: seconds, point_id: "p", submission_id: "s", ...values});
const printed = [percentile(0.5, 9e-6), percentile(0.99, 1e-5)].map((row) => ({...row, device_id: "o", device: "Printed", media_class: "ssd_optane", is_press: true, source: "?file=raw/x/figures.csv&at=line+4"}));
const known = (field, values = {}) => ({submission_id: "s", title: "A report", year: 2020, component: "system", place: 1, field, asked_count: 2, stated_count: 2, collected_count: 0, inferred_count: 0, completeness_ratio: 0.5, ...values});
const fields = [known("cpu_model"), known("firmware", {component: "device", stated_count: 0}), known("cpu_model", {submission_id: "u", year: 2021}), known("firmware", {submission_id: "u", year: 2021, component: "device", stated_count: 0})];
const priced = (name, values = {}) => ({submission_id: "s", title: "A blog", device: name, currency: "¥", price_value: 1000, price_per_thousand_operations_value: 100, operations_per_second: 10000, rate_kind: "stated_spec", ...values});
const five = ["A", "B", "C", "D", "E"].map((name) => priced(name));

// Each answer, of the rows that it is given, and what it says in English.
const answers = [
  [ladderAnswer, media3, /Optane SSD delivers 8\.0 times the IOPS of NVMe NAND SSD on the same test bench \(1 pair\).*59\.0 to 123 IOPS/],
  [ladderAnswer, [...media3, drive("ssd_nvme", 5_000, null, bench)], /Optane SSD delivers 8\.0 to 16 times the IOPS of NVMe NAND SSD \(2 pairs, each on the same test bench\)/],
  [ladderAnswer, media3.map((d) => ({...d, bench_key: null})), /queue depth 1: Optane SSD 80\.0 k, NVMe NAND SSD 5\.00 k to 10\.0 k IOPS/],
  [ladderAnswer, [drive("ssd_sata", 9000, 70_000), drive("ssd_sata", 90_000, 700_000, cached)], /SATA NAND SSD 9\.00 k IOPS.*1 drive is excluded/],
  [ladderAnswer, [drive("ssd_sata", 9000, 70_000, cached), drive("hdd", 9000, 70_000, cached)], /^2 drives are excluded/],
  [(rows, options) => depthAnswer(rows, options).head, [...curve("hdd", [[1, 70], [2, 75], [4, 80]]), ...nvme, ...sata, ...curve("ssd_sata", [[1, 900], [2, 2000]], {interface_protocol: "USB"})],
    /^The 980 PRO reaches 94 % of its highest rate at queue depth 128, SATA NAND SSDs at 16; hard disks reach 80\.0 IOPS at 4, and each operation then waits 50\.0 ms\.$/],
  [(rows, options) => depthAnswer(rows, options).head, sata.map((d) => ({...d, ...refused})), /^There is no curve/],
  [(rows, options) => depthAnswer(rows, options).sub, sata.map((d) => ({...d, ...refused})), /^1 curve is excluded here: a cache answered, or the blocks had never been written\.$/],
  [(rows, options) => depthAnswer(rows, options).head, [...sata, ...limited], /^(?!.*Optane)/],
  [(rows, options) => depthAnswer(rows, options).sub, [...sata, ...limited], /Host-limited, .*: Optane from depth 4\.$/],
  [ownAnswer, ofConfigurations(ofOne("a", 4000), device), /4.00 k IOPS, at queue depth 4: 4 times that at depth 1.*No curve saturates/],
  [ownAnswer, ofConfigurations(ofOne("a", 4000, {queue_depth_knee: 4}), device), /saturate at queue depth 4;/],
  [ownAnswer, ofConfigurations([...ofOne("a", 4000, {queue_depth_knee: 4}), ...ofOne("b", 2000, {queue_depth_knee: 2})], device), /saturate at queue depth 2 to 4, by configuration/],
  [(sets, options) => benchesAnswer({sets}, options), [set("a", 1e-4), set("a", 2e-4)], /^2 sets of runs of the same drive model, a, differ by a factor of 2\.00 at queue depth 1\.$/],
  [(sets, options) => benchesAnswer({sets}, options), [set("a", 5e-5, refused), set("a", 1e-4), set("a", 1.1e-4)], /Without the set that read from a cache .*, the factor is 1\.10/],
  [(sets, options) => benchesAnswer({sets}, options), [set("a", 5e-5, refused), set("a", 1e-4, refused)], /None of them can be used: a cache answered/],
  [forestAnswer, [quotient()], /^The Fast is faster than the Slow in 1 of 1, 3\.46 times\.$/],
  [forestAnswer, [quotient(), quotient({ratio: 1.43})], /^The Fast is faster than the Slow in 2 of 2, by 1\.43 to 3\.46 times\.$/],
  [forestAnswer, [quotient({verdict: "undecided"})], /^None of the 1 workloads has a verdict between the Fast and the Slow\.$/],
  [forestAnswer, [quotient({...single, ratio: 0.5, tolerated_spread_ratio: 0.257})], /^Single runs, no verdict: the Slow is ahead of the Fast in 1 of 1, 2\.00 times; this holds if runs vary by at most 25 %\.$/],
  [forestAnswer, [quotient({verdict: "equal", ratio: 1.01})], /1 of 1 are equal/],
  [claimsAnswer, [claim()], /^Of 1 statements in one publication, 1 follow .*; none fails\.$/],
  [claimsAnswer, [claim({verdict: "not_testable"})], /^None of the 1 statements/],
  [claimsAnswer, [claim(), claim({verdict: "conflicts"})], /one does not follow/],
  [scalingFinding, [factor(), ...several], /^2 drives deliver 1\.99, 8 drives deliver 4\.44 to 7\.24 times the rate of one 980 PRO, 4 KiB random read\.$/],
  [scalingAnswer, [factor({topology: "raid1", ideal_ratio: null})], /^No source measured both one drive and several of the same model\.$/],
  [scalingAnswer, [factor()], /^0 of 1 arrays reach 90 % .*; 4 × P3700 \(RAID 0\) .* deliver no more than one drive: 0\.99\.$/],
  [scalingAnswer, [factor({factor_ratio: 3.9})], /^1 of 1 arrays/],
  [heatAnswer, [doubtful], /^No cell can be used/],
  [heatAnswer, [cell(512, 1), doubtful], /one cell is excluded/],
  [heatAnswer, quick, /one cell is excluded/],
  [heatAnswer, [cell(512, 4), cell(4096, 4)], /^Up to 4 KiB the limit is 4\.00 k IOPS/],
  [coverageAnswer, fields, /^Over 2 submissions, less than a quarter state: firmware/i],
  [coverageAnswer, [known("cpu_model")], /none is unknown throughout/],
  [coverageAnswer, fields.slice(0, 2), /^1 of 2 conditions are fully known; 1 are unknown/],
  [priceAnswer, [priced("S3700 100 GB")], /^1,000 IOPS cost ¥100 to ¥100, of one device of one model; all IOPS are vendor specifications/],
  [priceAnswer, [priced("S3700 100 GB", {price_per_thousand_operations_value: null})], /without IOPS of the same source/]
];

test("each answer says what its rows say, in both languages", () => {
  for (const [answer, rows, said] of answers) {
    assert.match(text(answer(rows, {t})), said);
    const japanese = text(answer(rows, {t: ja}));
    assert.ok(japanese === "" || /[ぁ-ん].*。$/.test(japanese), japanese);
  }
});

// Each chart, of its rows, and where its marks lead.
const many = Array.from({length: 6}, (_, i) => curve("ssd_sata", [[1, 5000 + i * 100], [2, 9000 + i * 100], [4, 20_000 + i * 100]])).flat();
const rungs = [drive("ssd_nvme", 10_000, 300_000), drive("hdd", 59, null), drive("ssd_nvme", null, 45_000)];
const marks = [
  ["ladder", (options) => ladder(rungs, options), rungs.flatMap((d) => [d.operations_per_second && `./p/${d.point_id}`, d.peak_id && `./k/${d.peak_id}`]).filter(Boolean)],
  ["curves", (options) => curves(many, options), many.map((d) => `./p/${d.point_id}`)],
  ["benches", (options) => benches(selectSets([set("a", 1e-4), set("a", 2e-4)], "a"), options), ["./p/a0.0001", "./p/a0.0001d", "./p/a0.0002", "./p/a0.0002d"]],
  ["forest", (options) => forest([quotient(), quotient({comparison_id: "r".repeat(16), verdict: "undecided"})], options), ["q", "r"].map((sign) => `./q/${"p".repeat(16)}#${sign.repeat(8)}`)],
  ["claims", (options) => claims([claim(), claim({claim_id: "C002", verdict: "does_not_follow"}), claim({claim_id: "C003", verdict: "conflicts", difference_ratio: null, recomputed_value: null}), claim({claim_id: "C004", verdict: "not_testable", difference_ratio: null})], options), ["./c/s/C001", "./c/s/C002", "./c/s/C003"]],
  ["scaling", (options) => scaling([factor(), factor({scaling_id: "1".repeat(16), topology: "independent", reasons: []}), factor({scaling_id: "2".repeat(16), load_profile: "Streaming"})], options), ["0", "1", "2"].map((sign) => `./s/${sign.repeat(16)}`)],
  ["heat", (options) => heat([512, 4096].flatMap((block) => [1, 2, 4].map((depth) => cell(block, depth))), options), [512, 4096].flatMap((block) => [1, 2, 4].map((depth) => `./p/${block}-${depth}`))],
  ["percentiles", (options) => percentiles([percentile(0.5, 8e-5), percentile(0.99, 2e-4), percentile(0.999, 5e-4)], options), ["./p/p"]],
  ["percentiles in a magazine", (options) => percentiles([percentile(0.99, 2e-4), ...printed], {...options, link: (path, {search}) => `./${path}${search}`}), ["./p/p", "./source?file=raw/x/figures.csv&at=line+4"]],
  ["coverage", (options) => coverage(fields, options), ["s", "u"].map((id) => link(`submissions/${id}`, {hash: "coverage"}))],
  ["price", (options) => price(five, "¥", {...options, place: (row) => `./source?${row.device}`}), five.map((row) => `./source?${row.device}`)]
];
const isName = (href) => /devices\//.test(href);

for (const [name, draw, wanted] of marks) {
  test(`every mark of the chart of ${name} leads to its number, wide and on a phone, in both languages`, () => {
    for (const language of [t, ja]) for (const width of [WIDE, NARROW]) {
      const chart = draw({width, t: language, number, link});
      assert.deepEqual([...new Set(hrefs(chart).filter((href) => !isName(href)))].toSorted(), [...wanted].toSorted());
    }
  });
}

describe("the ladder and the questions", () => {
  test("limits stand only at drives whose interface or rotation is known", () => {
    const pcie = drive("ssd_nvme", 10_000, 300_000, {interface_limit: "PCIe 3.0 ×4", interface_limit_bytes_per_second: 3.938e9});
    assert.ok(words(ladder([pcie, drive("ssd_nvme", 9000, 90_000)], wide)).includes("PCIe 3.0 ×4: 961 k"));
    assert.ok(!words(ladder([drive("ssd_nvme", 9000, 90_000)], wide)).some((each) => /PCIe|rotation/.test(each)));
    const disks = words(ladder([drive("hdd", 59, 98, {half_rotation_hertz: 240}), drive("hdd", 123, 190, {half_rotation_hertz: 1000 / 3})], wide));
    assert.ok(disks.includes("half a rotation: 240") && disks.includes("333"));
  });

  test("marks of status stand in the numbers; depth 1 is not the end of a sweep", () => {
    const edge = words(ladder([drive("ssd_nvme", 10_000, 300_000, {is_peak_at_edge: true})], wide));
    assert.ok(edge.includes("≥ 300 k") && edge.includes("10.0 k"));
    assert.ok(words(ladder([drive("ssd_nvme", 20_200, null, {value_kind: "approximate", source_type: "press"})], wide)).some((each) => each.endsWith("†")));
  });

  test("a drive that is stated and measured is one row, a stated one alone is in the table", () => {
    const measured = drive("ssd_nvme", 10_000, 300_000);
    const stated = {origin: "stated", load_profile: measured.load_profile, device_id: measured.device_id, device: measured.device, media_class: "ssd_nvme", operations_per_second: 15_000, submission_id: "s"};
    assert.deepEqual(drives([stated, measured]).map((d) => d.operations_per_second), [10_000]);
    const [alone] = drives([{...stated, device_id: "other"}]);
    assert.match(ladderColumns({t, number, link}).find((column) => column.id === "kind").value(alone), /not measured/);
  });

  test("a medium without a result under this load says where it has one", () => {
    const all = [drive("hdd", 59, 98), {...drive("ssd_sas", 1000, 9000), load_profile: "Database"}];
    const missing = absent(all, "4 KiB random read");
    assert.deepEqual(missing, [{media_class: "ssd_sas", elsewhere: "Database"}]);
    assert.ok(words(ladder(all.slice(0, 1), {...wide, missing})).includes("no result with this workload yet; see Database: 8 KiB random, 67 % read"));
  });

  test("pairs of media are on one test bench, none is behind USB, and the sentence leads to them", () => {
    const rows = [drive("ssd_optane", 80_000, null, bench), drive("ssd_nvme", 10_000, null, bench), drive("ssd_sata", 4000, null, {...bench, interface_protocol: "USB"})];
    assert.deepEqual(quickestPairs(rows).map(({a, b}) => [a.media_class, b.media_class]), [["ssd_optane", "ssd_nvme"]]);
    assert.deepEqual(quickestPairs(rows.slice(1)), []);
    assert.equal(ladderAnswer(pairOfMedia, {t}).find((node) => node.localName === "a").getAttribute("href"), "compare?a=s%2Fone&b=s%2Ftwo");
  });

  test("the questions of the first page answer with figures, or say that there are none", () => {
    assert.ok(questions([], {t}).slice(0, 7).every(({answer}) => answer === t("home.q.none")));
    const facts = [
      {fact: "knee", name: "ssd_sata", low: 8, high: 32, number: 4}, {fact: "knee_held", name: "ssd_optane", low: 4, high: 4, number: 1}, {fact: "pair", low: 1.63, high: 2.57, number: 3},
      {fact: "tail", name: "ssd_nvme", low: 8.96e-5, high: 8.96e-5, number: 1}, {fact: "tail", name: "usb", low: 1.89e-3, high: 1.89e-3, number: 1}, {fact: "within", low: 11, high: 7, number: 17},
      ...[[2, 1.99], [4, 3.96], [8, 4.41]].map(([count, ratio]) => ({fact: "factor", name: String(count), low: ratio, high: ratio, number: 1})),
      {fact: "claims", name: "follows", number: 5}, {fact: "claims", name: "close", number: 1}, {fact: "claims", name: "does_not_follow", number: 2}
    ];
    const said = Object.fromEntries(questions(facts, {t}).map(({path, answer}) => [path, text(answer)]));
    assert.match(said["queue-depth"], /SATA NAND SSD 8 to 32\. Optane SSD: not known, host-limited\.$/);
    assert.equal(said.compare, "Samsung 990 PRO: 1.63 to 2.57 × the IOPS or throughput of the 980 PRO in 3 workloads (single runs).");
    assert.match(said.tail, /NVMe NAND SSD 89\.6 µs, through USB 1\.89 ms/);
    assert.match(said.scaling, /2 drives: 1\.99 ×, 4 drives: 3\.96 ×, 8 drives: 4\.41 ×/);
    assert.match(said.within, /11 of 17 drives by mean latency; 7 are known/);
    assert.match(said.claims, /8 statements checked: 5 hold, 2 do not/);
  });
});

describe("curves and sets of runs", () => {
  test("of many curves some are drawn in colour, and those that a reader chooses; of many configurations those with the highest rates", () => {
    assert.ok(selectColored(sweeps(many)).size < 6);
    assert.ok(selectColored(sweeps(many), [sweeps(many)[4].device_id]).has(sweeps(many)[4].device_id));
    const rows = ofConfigurations([..."abcdefgh"].flatMap((name, i) => ofOne(name, 1000 + 500 * i)), device);
    assert.deepEqual([...new Set(foremost(rows).map((row) => row.short_name))], ["c", "d", "e", "f", "g", "h"]);
  });

  test("the curve of a configuration is named by its bench, and by the words of its title where benches are alike", () => {
    const named = (id, title, more) => ofOne(id, 4000, {title, ...more});
    const rows = [named("a-1", "Drive: folder x/TEST01_FIRST", {system_model: "Server 1", controller_model: "HBA (mode not stated)"}), named("a-2", "Drive: scheduler none; folder x/2", {system_model: "server 2"}), named("a-3", "Drive: folder x/TEST02_REPEAT_1", {system_model: "server 2"}), named("a-4", null)].flat();
    assert.deepEqual([...new Set(ofConfigurations(rows, device).map((row) => row.short_name))], ["Server 1, HBA", "Server 2, scheduler none", "Server 2, repeat 1", "a-4"]);
  });

  test("other drives stand beside a drive only from one of its benches", () => {
    const rows = [set("a", 1e-4), set("a", 2e-4, {bench_key: "s/second"}), set("b", 1.5e-4, {set_count: 1}), set("c", 1.5e-4, {set_count: 1, bench_key: "s/third"}), set("d", 1e-5, {set_count: 1, exclusions: ["served by a cache"]})];
    assert.deepEqual(choices(rows).map((d) => d.device_id), ["a"]);
    assert.deepEqual(selectSets(rows, "a").others.map((d) => d.device_id), ["b"]);
  });
});

describe("comparisons", () => {
  test("an interval is drawn for repeated runs only; of a bound only an end is said", () => {
    const lines = (row) => forest([row], wide).querySelectorAll("a line").length;
    assert.deepEqual([lines(quotient()) > 0, lines(quotient({...single, tolerated_spread_ratio: 0.25}))], [true, 0]);
    assert.match(forest([quotient({ratio: null, ratio_low: 6.08, ratio_high: null})], wide).textContent, /≥ 6\.08/);
  });

  test("the longest verdict ends inside the forest, and a long name is whole, in lines of its own", () => {
    const undecided = quotient({ratio: null, ratio_low: null, ratio_high: null, verdict: "undecided", reason: "bounds on both sides"});
    for (const language of [t, ja]) {
      const label = [...forest([undecided], {...wide, t: language}).querySelectorAll("a.mark text")].find((node) => node.textContent === verdictOf(undecided, language).short);
      assert.ok(Number(label.getAttribute("x")) + widthOf(label.textContent, 13) <= WIDE);
    }
    const name = "128 MiB シーケンシャルアクセス、100 % リード、8 ストリーム、zipf 分布のランダムアクセスを含む";
    for (const options of [wide, narrow]) {
      const said = words(forest([quotient({name, detail: "深度 2048"})], options)).join("").replaceAll(" ", "");
      assert.ok(said.includes(`${name}深度2048`.replaceAll(" ", "")), said);
    }
  });

  test("single runs have no verdict, but the spread up to which the direction holds, rounded down to two digits", () => {
    for (const [spread, said] of [[0.257, "; holds if runs vary by at most 25 %"], [0.0349, "; holds if runs vary by at most 3.4 %"], [0.51, "; holds even if runs vary by 50 %"], [0, "; does not hold if runs vary at all"], [null, ""]]) {
      assert.equal(text(verdictOf(quotient({...single, tolerated_spread_ratio: spread}), t).words), `single runs, no verdict${said}`);
    }
    assert.equal(verdictOf(quotient({verdict: null, b_run_count: 1}), t).words, "fewer than three runs on a side, no verdict");
    assert.equal(verdictOf({verdict: "undecided", reason: "bounds on both sides"}, t).words, "undecided: both are bounds");
  });

  test("conditions are counts and names, and a pair that cannot be compared says which one stands in the way, in the reader’s language", () => {
    assert.equal(conditionsWords(quotient(), t), "2 of 36 conditions known to be equal; differ: kernel; unknown: firmware, 32 more");
    assert.match(conditionsWords(quotient(), ja), /カーネル.*ファームウェア/);
    assert.equal(conditionsWords(quotient({differing_columns: [], unknown_keys: [], unknown_count: 0}), t), "2 of 36 conditions known to be equal");
    assert.equal(condition("a column of tomorrow", t), "a column of tomorrow");
    for (const [row, said] of [[{reasons: "key_differs", deciding: ["filesystem"]}, "differ: file system"], [{reasons: "invalid", deciding: ["short run"]}, "short run"], [{reasons: "no_common_load"}, "no common workload was measured"]]) assert.equal(refusal(row, t), `cannot be compared: ${said}`);
    for (const reasons of ["invalid", "unit_unknown", "workload_incomplete", "not_admitted", "not_representative"]) assert.match(refusal({reasons}, ja), /^比較できません/);
  });
});

test("the heat map has one quantity on a phone, and a cell whose reads were quicker than NAND has a corner and a reason", () => {
  assert.equal(hrefs(heat(Array.from({length: 10}, (_, i) => cell(512, 2 ** i)), narrow)).length, 5);
  const corners = (rows) => heat(rows, narrow).querySelectorAll("a path").length;
  assert.deepEqual([corners(quick), corners(quick.slice(1))], [1, 0]);
  assert.match(heat(quick, narrow).querySelector("a").getAttribute("aria-label"), /less than 30.µs, probably not from NAND/);
  assert.ok(isDoubtful(doubtful) && !isDoubtful(cell(512, 1)));
});

test("of each medium the drive with the shortest tail is drawn first, with a legend, percentiles on the axis, and a dagger at what a magazine printed", () => {
  const rows = ["hdd", "ssd_sata", "ssd_nvme", "ssd_optane", "other"].flatMap((media_class, i) => [2, 1].flatMap((n) => [0.5, 0.999].map((ratio) => percentile(ratio, n * 10 ** -i, {device_id: `${media_class}${n}`, device: `${media_class} ${n}`, media_class}))));
  const usual = usualDrives(rows);
  assert.deepEqual(usual, ["hdd1", "ssd_sata1", "ssd_nvme1", "ssd_optane1"]);
  for (const options of [wide, narrow]) {
    const said = words(percentiles(rows.filter((row) => usual.includes(row.device_id)), options));
    assert.equal(said.filter((each) => / 1$/.test(each)).length, 4);
    for (const each of ["1 in 100", "p99", "1 in 1 k", "p99.9"]) assert.ok(options === narrow || said.includes(each), each);
  }
  assert.ok(words(percentiles([percentile(0.99, 2e-4), ...printed], {...wide, link: (path) => path})).includes("Printed †"));
});

test("a condition is stated, collected, inferred, unknown or not asked; prices of fewer than five models are no picture", () => {
  assert.deepEqual(shareOf(known("cpu_model")), {kind: "stated", share: 1});
  for (const [values, kind] of [[{}, "unknown"], [{inferred_count: 1}, "inferred"], [{collected_count: 2}, "collected"], [{asked_count: 0}, "not_asked"]]) assert.equal(shareOf(known("cpu_model", {stated_count: 0, ...values})).kind, kind);
  assert.equal(shareOf(undefined).kind, "not_asked");
  assert.equal(modelOf({device: "Intel SSD DC S3700 100 GB"}), "Intel SSD DC S3700");
  assert.deepEqual([currencies([100, 200, 400, 800, 1600].map((size) => priced(`S3700 ${size} GB`))), currencies(five)], [[], ["¥"]]);
});

test("dots of a strip do not cover each other, and ticks keep their distance", () => {
  const places = Array.from({length: 40}, (_, i) => (i * 7) % 23);
  const offsets = dodgeMarks(places, 4);
  for (let i = 0; i < places.length; i++) for (let j = 0; j < i; j++) assert.ok((places[i] - places[j]) ** 2 + (offsets[i] - offsets[j]) ** 2 >= 64 - 1e-6);
  for (const high of [1.3, 4, 90, 1e5]) {
    const ticks = axisBelow(logScale([1, high], [0, 300]), {top: 0, bottom: 10, words: String, title: "x"})[1];
    const ends = ticks.map((node) => [-1, 1].map((side) => Number(node.getAttribute("x")) + side * widthOf(node.textContent, 12.5) / 2));
    assert.ok(ends.length > 1 && ends.every(([left], i) => i === 0 || left > ends[i - 1][1]), `${high}: ${ticks.map((node) => node.textContent)}`);
  }
});

describe("a mark", () => {
  test("of a measured number is filled, has nothing beside it, and is a link of at least 24 px with a name", () => {
    const its = status({value_kind: "measured"});
    assert.deepEqual([its.hollow, its.struck, its.bound, its.reasons, reasons({value_kind: "measured"}, t)], [false, false, null, [], null]);
    const mark = linkMark({href: "p/1", lines: ["Drive", null, "58.6 IOPS"], x: 10, y: 10}, drawSymbol({x: 10, y: 10, media_class: "hdd"}));
    assert.deepEqual([mark.localName, mark.getAttribute("aria-label"), mark.dataset.tip], ["a", "Drive; 58.6 IOPS", ""]);
    assert.deepEqual([linesOf(mark), ["width", "height"].map((name) => mark.querySelector("rect").getAttribute(name))], [["Drive", "58.6 IOPS"], ["24", "24"]]);
    assert.equal(linkMark({href: null, lines: ["Drive"], x: 0, y: 0}, drawSymbol({x: 0, y: 0, media_class: "hdd"})).getAttribute("role"), "img");
  });

  test("of a bound, the end of a sweep or a full load generator says at least this much, with an arrow and a reason", () => {
    for (const row of [{value_kind: "lower_bound"}, {is_peak_at_edge: true}, {reservations: ["changed kernel", "generator bound"]}, {reservations: ["host limited"]}]) {
      assert.equal(withBound("136 k", status(row)), "≥ 136 k");
      assert.equal(drawSymbol({x: 0, y: 0, media_class: "hdd", ...status(row)}).querySelectorAll("path").length, 2);
      assert.ok(reasons(row, t));
    }
    assert.equal(withBound("136 k", status({value_kind: "upper_bound"})), "≤ 136 k");
  });

  test("of what a cache or blocks never written answered is hollow and struck; about, minimum, magazine and specification have theirs", () => {
    for (const exclusions of [["served by a cache"], ["area not written before"], ["short run", "drive nearly empty"]]) {
      const its = status({exclusions});
      assert.deepEqual([its.struck, its.hollow, its.excluded], [true, true, true]);
    }
    assert.equal(status({exclusions: ["measured under a profiler"]}).struck, false);
    assert.equal(withBound("20.2 k", status({value_kind: "approximate"})), "≈ 20.2 k");
    assert.ok(status({value_kind: "approximate"}).hollow && status({statistic: "min"}).hollow);
    assert.match(reasons({source_type: "press"}, t), /magazine/);
    assert.match(reasons({origin: "stated"}, t), /not measured/);
  });
});

// The distance in CIELAB between what is seen, with the matrices of Machado, Oliveira and Fernandes 2009, severity 1, in linear light.
const sights = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
};
const linear = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const seen = (matrix, color) => matrix.map((row) => row.reduce((sum, each, i) => sum + each * color[i], 0));
const shown = (v) => 255 * Math.min(1, Math.max(0, v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));

test("any two media are at least 15 apart for every sight, in light and dark; the style sheet has their colours, and each its symbol", () => {
  const base = readFileSync(new URL("../styles/base.css", import.meta.url), "utf8");
  for (const theme of ["light", "dark"]) for (const [sight, matrix] of Object.entries(sights)) {
    const colors = media.map((id) => lab(rgb(...seen(matrix, linear(palette[id][theme])).map(shown))));
    for (const [i, a] of colors.entries()) for (const [j, b] of colors.slice(0, i).entries()) {
      const distance = Math.hypot(a.l - b.l, a.a - b.a, a.b - b.b);
      assert.ok(distance >= 15, `${media[i]} and ${media[j]} are ${distance.toFixed(1)} apart in ${theme} for ${sight} sight`);
    }
  }
  for (const id of media) assert.ok(base.includes(`--m-${id}: light-dark(${palette[id].light}, ${palette[id].dark})`), id);
  assert.equal(new Set(media.map((id) => symbolPath(id))).size, media.length);
  assert.equal(medium("nothing known").color, "var(--ink-2)");
});
