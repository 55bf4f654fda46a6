// Charts and answers of comparisons: what they say with no row, one, and rows that are all refused; and that every mark leads
// to its number.
import {test} from "./limits.mjs";
import assert from "node:assert/strict";
import "../../tools/dom.mjs";
import {messages} from "../components/messages.js";
import {NARROW, WIDE, axisBelow, logScale, widthOf} from "../components/charts/draw.js";
import {bins, percentiles, usualDrives} from "../components/charts/tail.js";
import {claims, claimsAnswer, dodged} from "../components/charts/claims.js";
import {coverage, coverageAnswer, shareOf} from "../components/charts/coverage.js";
import {currencies, modelOf, price, priceAnswer} from "../components/charts/price.js";
import {forest, forestAnswer} from "../components/charts/forest.js";
import {heat, heatAnswer, isDoubtful} from "../components/charts/heat.js";
import {scaling, scalingAnswer, scalingFinding} from "../components/charts/scaling.js";
import {condition, conditionsWords, refusal, verdictOf} from "../components/conditions.js";
import {recomputedShare, shareEnds} from "../components/claims.js";

const [en, ja] = [messages("en"), messages("ja")];
const languages = [en, ja];
const number = (kind, id) => `./${kind}/${id}`;
const link = (path, {search = {}, hash = ""} = {}) => `./${path}?${new URLSearchParams(search)}#${hash}`;
const text = (nodes) => [nodes].flat(Infinity).map((node) => node.textContent ?? node).join("").replaceAll("\u00a0", " ");
const hrefs = (node) => [...node.querySelectorAll("a[href]")].map((a) => a.getAttribute("href"));
const sizes = [WIDE, NARROW];

const quotient = (values = {}) => ({
  pair_id: "p".repeat(16), comparison_id: "q".repeat(16), name: "4 KiB random, 100 % read", a_device: "Fast", b_device: "Slow", ratio: 3.46, ratio_low: 3.18, ratio_high: 3.76,
  verdict: "A faster", ratio_interval_kind: "sessions", condition_count: 36, equal_count: 2, differing_columns: ["kernel"], unknown_keys: ["firmware"], unknown_count: 33, a_run_count: 3, b_run_count: 3, choice_count: 0, ...values
});

const single = {verdict: null, reason: "fewer than three runs", a_run_count: 1, b_run_count: 1, ratio_low: null, ratio_high: null};

test("the forest draws a row per load, each a link to its quotient, wide and on a phone, in both languages", () => {
  for (const t of languages) for (const width of sizes) {
    const drawn = forest([quotient(), quotient({comparison_id: "r".repeat(16), verdict: "undecided", ratio_low: 0.97, ratio_high: 3.1})], {width, t, number});
    assert.deepEqual(hrefs(drawn), [`./q/${"p".repeat(16)}#${"q".repeat(8)}`, `./q/${"p".repeat(16)}#${"r".repeat(8)}`]);
    assert.equal(Number(drawn.getAttribute("width")), width);
  }
});

test("the longest verdict of either language ends inside the forest, and nothing at its left runs into it", () => {
  const rows = [quotient(), quotient({ratio: null, ratio_low: null, ratio_high: null, verdict: "undecided", reason: "bounds on both sides"}), quotient({...single, tolerated_spread_ratio: 0.25})];
  for (const t of languages) {
    const words = [...forest(rows, {width: WIDE, t, number}).querySelectorAll("a.mark text")].map((node) => ({said: node.textContent, x: Number(node.getAttribute("x")), anchor: node.getAttribute("text-anchor")}));
    const told = words.filter(({said}) => rows.some((row) => verdictOf(row, t).short === said));
    assert.equal(told.length, rows.length);
    assert.ok(told.every(({said, x}) => x + widthOf(said, 13) <= WIDE));
    assert.ok(words.filter(({anchor}) => anchor === "end").every(({x}) => x <= told[0].x - 8));
  }
});

test("on a phone no two rows of the forest bear the same name", () => {
  const rows = [0, 100].map((share) => quotient({comparison_id: `${share}`, name: `4 KiB sequential, ${share} % read`, detail: "depth 2048"}));
  const names = [...forest(rows, {width: NARROW, t: en, number}).querySelectorAll("text")].map((node) => node.textContent).filter((words) => words.startsWith("4 KiB"));
  assert.deepEqual(names, ["4 KiB sequential, 0 % read", "4 KiB sequential, 100 % read"]);
});

test("a long name in the forest is whole, in lines of its own, and what tells it from its neighbours stands below", () => {
  const name = "128 MiB シーケンシャルアクセス、100 % リード、8 ストリーム、zipf 分布のランダムアクセスを含む";
  for (const width of [NARROW, WIDE]) {
    const words = [...forest([quotient({name, detail: "深度 2048"})], {width, t: en, number}).querySelectorAll("a.mark text")].map((node) => node.textContent);
    const place = words.indexOf("深度 2048");
    assert.ok(place > 1);
    assert.equal(words.slice(0, place).join("").replaceAll(" ", ""), name.replaceAll(" ", ""));
  }
});

test("an interval is drawn for repeated runs only; a single run is hollow; of a bound only an end is said", () => {
  const lines = (row) => forest([row], {width: WIDE, t: en, number}).querySelectorAll('a line').length;
  assert.ok(lines(quotient()) > 0);
  assert.equal(lines(quotient({...single, tolerated_spread_ratio: 0.25})), 0);
  assert.match(forest([quotient({ratio: null, ratio_low: 6.08, ratio_high: null})], {width: WIDE, t: en, number}).textContent, /≥ 6.08/);
});

test("the answer of the forest says how many loads decide, also with none, one, and none that decides", () => {
  assert.equal(text(forestAnswer([], {t: en})), "There is no comparison to show.");
  assert.equal(text(forestAnswer([quotient()], {t: en})), "The Fast is faster than the Slow in 1 of 1, 3.46 times.");
  assert.equal(text(forestAnswer([quotient(), quotient({ratio: 1.43})], {t: en})), "The Fast is faster than the Slow in 2 of 2, by 1.43 to 3.46 times.");
  assert.equal(text(forestAnswer([quotient({verdict: "undecided"})], {t: en})), "None of the 1 workloads has a verdict between the Fast and the Slow.");
  assert.equal(text(forestAnswer([quotient({...single, ratio: 0.5, tolerated_spread_ratio: 0.257})], {t: en})), "Single runs, no verdict: the Slow is ahead of the Fast in 1 of 1, 2.00 times; this holds if runs vary by at most 25 %.");
  assert.match(text(forestAnswer([quotient({verdict: "equal", ratio: 1.01})], {t: en})), /1 of 1 are equal/);
  for (const row of [quotient(), quotient({verdict: "undecided"}), quotient({ratio: null, verdict: "B faster"}), quotient({...single, tolerated_spread_ratio: 0.6})]) assert.match(text(forestAnswer([row], {t: ja})), /。$/);
});

test("single runs have no verdict, but the spread up to which the direction holds, rounded down to two digits", () => {
  const said = (spread) => verdictOf(quotient({...single, tolerated_spread_ratio: spread}), en).words;
  assert.equal(said(0.257), "single runs, no verdict; holds if runs vary by at most 25\u00a0%");
  assert.equal(said(0.0349), "single runs, no verdict; holds if runs vary by at most 3.4\u00a0%");
  assert.equal(said(0.51), "single runs, no verdict; holds even if runs vary by 50\u00a0%");
  assert.equal(said(0), "single runs, no verdict; does not hold if runs vary at all");
  assert.equal(said(null), "single runs, no verdict");
  assert.equal(verdictOf(quotient({verdict: null, b_run_count: 1}), en).words, "fewer than three runs on a side, no verdict");
  assert.equal(verdictOf({verdict: "undecided", reason: "bounds on both sides"}, en).words, "undecided: both are bounds");
});

test("conditions are counts and names, in the reader’s language", () => {
  assert.equal(conditionsWords(quotient(), en), "2 of 36 conditions known to be equal; differ: kernel; unknown: firmware, 32 more");
  assert.match(conditionsWords(quotient(), ja), /カーネル.*ファームウェア/);
  assert.equal(conditionsWords(quotient({differing_columns: [], unknown_keys: [], unknown_count: 0}), en), "2 of 36 conditions known to be equal");
  assert.equal(condition("a column of tomorrow", en), "a column of tomorrow");
});

test("a pair that cannot be compared says which condition stands in the way", () => {
  assert.equal(refusal({reasons: "key_differs", deciding: ["filesystem"]}, en), "cannot be compared: differ: file system");
  assert.equal(refusal({reasons: "invalid", deciding: ["short run"]}, en), "cannot be compared: short run");
  assert.equal(refusal({reasons: "no_common_load"}, en), "cannot be compared: no common workload was measured");
  for (const reasons of ["invalid", "unit_unknown", "workload_incomplete", "not_admitted", "not_representative"]) assert.match(refusal({reasons}, ja), /^比較できません/);
});

const claim = (values = {}) => ({submission_id: "s", claim_id: "C001", title: "A report", statement: "Twice as fast", claimed_value: 2, recomputed_value: 2.1, recomputed_low: 2.05, recomputed_high: 2.15, difference_ratio: 2 / 2.1 - 1, verdict: "follows", ...values});

test("claims are drawn as strips, named rows and lines, each a link to its page", () => {
  const rows = [claim(), claim({claim_id: "C002", verdict: "does_not_follow"}), claim({claim_id: "C003", verdict: "conflicts", difference_ratio: null, recomputed_value: null}), claim({claim_id: "C004", verdict: "not_testable", difference_ratio: null})];
  for (const t of languages) for (const width of sizes) {
    assert.deepEqual(hrefs(claims(rows, {width, t, number})).toSorted(), ["./c/s/C001", "./c/s/C002", "./c/s/C003"]);
  }
});

test("the difference of a claim is that of the computed to the claimed value, with what the rounding allows", () => {
  assert.ok(Math.abs(recomputedShare(claim()) - 0.05) < 1e-12);
  assert.ok(shareEnds(claim()).every((end, i) => Math.abs(end - [0.025, 0.075][i]) < 1e-12));
  assert.equal(recomputedShare(claim({difference_ratio: null})), null);
});

test("the answer about claims counts them, also with none, one, and none that can be checked", () => {
  assert.equal(text(claimsAnswer([], {t: en})), "No publication makes a claim that can be recomputed.");
  assert.match(text(claimsAnswer([claim()], {t: en})), /^Of 1 statements in one publication, 1 follow .*; none fails\.$/);
  assert.match(text(claimsAnswer([claim({verdict: "not_testable"})], {t: en})), /^None of the 1 statements/);
  assert.match(text(claimsAnswer([claim(), claim({verdict: "conflicts"})], {t: en})), /one does not follow/);
  assert.match(text(claimsAnswer([claim()], {t: ja})), /。$/);
});

const factor = (values = {}) => ({scaling_id: "0".repeat(16), submission_id: "s", load_profile: "Database", metric: "operations_per_second", topology: "raid0", drive_count: 4, device: "P3700", array_value: 130000, base_value: 131000, factor_ratio: 0.99, ideal_ratio: 4, reasons: ["approximate figures"], ...values});

test("scaling says what two, four and eight drives give, of the drive with the most numbers of drives", () => {
  const rows = [factor(), ...[[2, 1.99], [8, 4.44], [8, 7.24]].map(([drive_count, factor_ratio]) => factor({load_profile: "4 KiB random read", device: "980 PRO", drive_count, factor_ratio}))];
  assert.equal(text(scalingFinding(rows, {t: en})), "2 drives deliver 1.99, 8 drives deliver 4.44 to 7.24 times the rate of one 980 PRO, 4 KiB random read.");
  assert.equal(text(scalingFinding([], {t: en})), "No source measured both one drive and several of the same model.");
});

test("scaling draws a panel per load, and every mark leads to its factor", () => {
  const rows = [factor(), factor({scaling_id: "1".repeat(16), topology: "independent", factor_ratio: 3.17, reasons: []}), factor({scaling_id: "2".repeat(16), load_profile: "Streaming", factor_ratio: 4, reasons: []})];
  for (const t of languages) for (const width of sizes) assert.deepEqual(hrefs(scaling(rows, {width, t, number})).toSorted(), ["./s/0000000000000000", "./s/1111111111111111", "./s/2222222222222222"]);
});

test("the answer about scaling names the array that gives no more than one drive, and holds without an ideal", () => {
  assert.equal(text(scalingAnswer([], {t: en})), "No source measured both one drive and several of the same model.");
  assert.equal(text(scalingAnswer([factor({topology: "raid1", ideal_ratio: null})], {t: en})), text(scalingAnswer([], {t: en})));
  assert.match(text(scalingAnswer([factor()], {t: en})), /^0 of 1 arrays reach 90 % .*; 4 × P3700 \(RAID 0\) .* deliver no more than one drive: 0.99\.$/);
  assert.match(text(scalingAnswer([factor({factor_ratio: 3.9})], {t: en})), /^1 of 1 arrays/);
});

const cell = (block, depth, values = {}) => ({submission_id: "s", device: "D", block_size_bytes: block, queue_depth: depth, operations_per_second: 1000 * depth, throughput_bytes_per_second: 1000 * depth * block, point_id: `${block}-${depth}`, ...values});

test("the heat map has both quantities when there is room and one on a phone; each cell is a link", () => {
  const rows = [512, 4096].flatMap((block) => [1, 2, 4].map((depth) => cell(block, depth)));
  assert.equal(hrefs(heat(rows, {width: WIDE, t: en, number})).length, 12);
  assert.equal(hrefs(heat(rows, {width: NARROW, t: ja, number, quantity: "throughput"})).length, 6);
  const many = Array.from({length: 10}, (_, i) => cell(512, 2 ** i));
  assert.equal(hrefs(heat(many, {width: NARROW, t: en, number})).length, 5);
});

test("the answer of a heat map leaves out what a cache may have served, and says so when nothing is left", () => {
  const doubtful = cell(512, 1, {exclusions: ["served by a cache"]});
  assert.equal(text(heatAnswer([], {t: en})), "No drive was measured with three block sizes or more.");
  assert.match(text(heatAnswer([doubtful], {t: en})), /^No cell can be used/);
  assert.match(text(heatAnswer([cell(512, 1), doubtful], {t: en})), /one cell is excluded/);
  assert.match(text(heatAnswer([cell(512, 4), cell(4096, 4)], {t: en})), /^Up to 4 KiB the limit is 4.00 k IOPS/);
  assert.ok(isDoubtful(doubtful) && !isDoubtful(cell(512, 1)));
});

test("a cell whose reads were quicker than NAND has a corner and a reason, and enters no answer", () => {
  const rows = [cell(512, 1, {is_quick: true}), cell(512, 2), cell(4096, 1), cell(4096, 2)];
  const corners = (of) => heat(of, {width: NARROW, t: en, number}).querySelectorAll("a path").length;
  assert.deepEqual([corners(rows), corners(rows.slice(1))], [1, 0]);
  assert.match(heat(rows, {width: NARROW, t: en, number}).querySelector("a").getAttribute("aria-label"), /less than 30.µs, probably not from NAND/);
  assert.match(text(heatAnswer(rows, {t: en})), /one cell is excluded/);
});

const percentile = (ratio, seconds, values = {}) => ({load_profile: "4 KiB random read", operation: "read", queue_depth: 1, device_id: "d", device: "Drive", media_class: "ssd_nvme", percentile_ratio: ratio, latency_seconds: seconds, point_id: "p", submission_id: "s", ...values});

test("the tail draws a curve per drive; its symbols lead to the point", () => {
  for (const t of languages) for (const width of sizes) {
    const drawn = percentiles([percentile(0.5, 8e-5), percentile(0.99, 2e-4), percentile(0.999, 5e-4)], {width, t, number});
    assert.deepEqual([...new Set(hrefs(drawn))], ["./p/p"]);
    assert.ok(hrefs(bins([{result_id: "r", queue_depth: 1, latency_seconds: 1e-4, share_slower: 0.5}, {result_id: "r", queue_depth: 1, latency_seconds: 1e-3, share_slower: 0.001}], {width, t, number})).includes("./r/r"));
  }
});

test("of each medium the drive with the shortest tail is drawn first, at most four, and the legend names each", () => {
  const rows = ["hdd", "ssd_sata", "ssd_nvme", "ssd_optane", "other"].flatMap((media_class, i) => [2, 1].flatMap((n) => [0.5, 0.99].map((ratio) => percentile(ratio, n * 10 ** -i, {device_id: `${media_class}${n}`, device: `${media_class} ${n}`, media_class}))));
  const usual = usualDrives(rows);
  assert.deepEqual(usual, ["hdd1", "ssd_sata1", "ssd_nvme1", "ssd_optane1"]);
  for (const width of sizes) {
    const words = [...percentiles(rows.filter((row) => usual.includes(row.device_id)), {width, t: en, number, link}).querySelectorAll("text")].map(text);
    assert.equal(words.filter((each) => / 1$/.test(each)).length, 4);
  }
});

test("the axis of the tail names each share as a percentile too", () => {
  const words = [...percentiles([percentile(0.5, 8e-5), percentile(0.999, 5e-4)], {width: WIDE, t: en, number}).querySelectorAll("text")].map(text);
  for (const each of ["1 in 100", "p99", "1 in 1 k", "p99.9"]) assert.ok(words.includes(each), each);
});

test("what a magazine printed is in the tail with a dagger, and leads to its line", () => {
  const printed = [percentile(0.5, 9e-6), percentile(0.99, 1e-5)].map((row) => ({...row, device_id: "o", device: "Printed", media_class: "ssd_optane", is_press: true, source: "?file=raw/x/figures.csv&at=line+4"}));
  const drawn = percentiles([percentile(0.99, 2e-4), ...printed], {width: WIDE, t: en, number, link: (path, {search}) => `./${path}${search}`});
  assert.deepEqual([...new Set(hrefs(drawn))].toSorted(), ["./p/p", "./source?file=raw/x/figures.csv&at=line+4"]);
  assert.ok([...drawn.querySelectorAll("text")].some((node) => node.textContent === "Printed †"));
});

const known = (field, values = {}) => ({submission_id: "s", title: "A report", year: 2020, component: "system", place: 1, field, asked_count: 2, stated_count: 2, collected_count: 0, inferred_count: 0, completeness_ratio: 0.5, ...values});

test("a condition is stated, collected, inferred, unknown or not asked", () => {
  assert.deepEqual(shareOf(known("cpu_model")), {kind: "stated", share: 1});
  assert.equal(shareOf(known("cpu_model", {stated_count: 0})).kind, "unknown");
  assert.equal(shareOf(known("cpu_model", {stated_count: 0, inferred_count: 1})).kind, "inferred");
  assert.equal(shareOf(known("cpu_model", {stated_count: 0, collected_count: 2})).kind, "collected");
  assert.equal(shareOf(known("cpu_model", {asked_count: 0, stated_count: 0})).kind, "not_asked");
  assert.equal(shareOf(undefined).kind, "not_asked");
});

test("coverage is drawn for every submission, and its answer names what is seldom known", () => {
  const rows = [known("cpu_model"), known("firmware", {component: "device", stated_count: 0}), known("cpu_model", {submission_id: "u", year: 2021}), known("firmware", {submission_id: "u", year: 2021, component: "device", stated_count: 0})];
  for (const t of languages) for (const width of sizes) assert.equal(hrefs(coverage(rows, {width, t, link})).length, 2);
  assert.equal(text(coverageAnswer([], {t: en})), "No submission states conditions yet.");
  assert.match(text(coverageAnswer(rows, {t: en})), /^Over 2 submissions, less than a quarter state: firmware/i);
  assert.match(text(coverageAnswer([known("cpu_model")], {t: en})), /none is unknown throughout/);
  assert.match(text(coverageAnswer(rows.slice(0, 2), {t: en})), /^1 of 2 conditions are fully known; 1 are unknown/);
});

const priced = (device, values = {}) => ({submission_id: "s", title: "A blog", device, currency: "¥", price_value: 1000, price_per_thousand_operations_value: 100, operations_per_second: 10000, rate_kind: "stated_spec", ...values});

test("prices of fewer than five models are no picture; sizes of one model are one model", () => {
  assert.equal(modelOf({device: "Intel SSD DC S3700 100 GB"}), "Intel SSD DC S3700");
  assert.deepEqual(currencies([100, 200, 400, 800, 1600].map((size) => priced(`S3700 ${size} GB`))), []);
  const five = ["A", "B", "C", "D", "E"].map((name) => priced(name));
  assert.deepEqual(currencies(five), ["¥"]);
  for (const t of languages) for (const width of sizes) assert.equal(hrefs(price(five, "¥", {width, t, place: (row) => `./source?${row.device}`})).length, 5);
});

test("the answer about prices says when every rate is only specified", () => {
  assert.equal(text(priceAnswer([], {t: en})), "No source prints a price yet.");
  assert.match(text(priceAnswer([priced("S3700 100 GB")], {t: en})), /^1,000 IOPS cost ¥100 to ¥100, of one device of one model; all IOPS are vendor specifications/);
  assert.match(text(priceAnswer([priced("S3700 100 GB", {price_per_thousand_operations_value: null})], {t: en})), /without IOPS of the same source/);
});

test("dots of a strip do not cover each other, and ticks keep their distance", () => {
  const places = Array.from({length: 40}, (_, i) => (i * 7) % 23);
  const offsets = dodged(places, 4);
  for (let i = 0; i < places.length; i++) for (let j = 0; j < i; j++) assert.ok((places[i] - places[j]) ** 2 + (offsets[i] - offsets[j]) ** 2 >= 64 - 1e-6);
  for (const high of [1.3, 4, 90, 1e5]) {
    const words = axisBelow(logScale([1, high], [0, 300]), {top: 0, bottom: 10, words: String, title: "x"})[1];
    const ends = words.map((node) => [-1, 1].map((side) => Number(node.getAttribute("x")) + side * widthOf(node.textContent, 12.5) / 2));
    assert.ok(ends.length > 1 && ends.every(([left], i) => i === 0 || left > ends[i - 1][1]), `${high}: ${words.map((node) => node.textContent)}`);
  }
});
