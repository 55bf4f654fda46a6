// The sentences above the pictures, and the pictures, follow from their rows: with none, with one, and with all refused.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {test} from "./limits.mjs";
import {benches, benchesAnswer, choices, compared} from "../components/charts/benches.js";
import {curves, depthAnswer, highlighted, sweeps} from "../components/charts/curves.js";
import {absent, drives, ladder, ladderAnswer, ladderColumns, quickestPairs} from "../components/charts/ladder.js";
import {messages} from "../components/messages.js";
import {questions} from "../pages/index.js";

const t = messages("en");
const link = (path) => path;
const number = (letter, id) => `${letter}/${id}`;
const said = (nodes) => nodes.map((node) => node.textContent ?? node).join("").replaceAll("\u00a0", " ");

let next = 0;
const drive = (media_class, rate, peak, more = {}) => ({
  origin: "measured", load_profile: "4 KiB random read", device_id: `d${++next}`, device: `Drive ${next}`, short_name: `D${next}`, media_class,
  point_id: `p${next}`, operations_per_second: rate, latency_mean_seconds: rate ? 1 / rate : null, value_kind: "measured", run_count: 1,
  ...(peak ? {peak_id: `k${next}`, peak_value: peak, peak_kind: "measured", peak_depth: 64, peak_process_count: 4, peak_count: 1, is_peak_at_edge: false} : {}), ...more
});
const cached = {exclusions: ["served by a cache"], peak_exclusions: ["served by a cache"]};

test("the ladder says nothing was measured where there is nothing", () => {
  assert.match(said(ladderAnswer([], {t})), /^No drive/);
  assert.equal(ladder([], {width: 1190, t, number, link}).localName, "p");
});

test("the ladder divides only drives of one bench, and says how many pairs", () => {
  const rows = [drive("ssd_optane", 80_000, 290_000, {bench_key: "x"}), drive("ssd_nvme", 10_000, 300_000, {bench_key: "x"}), drive("ssd_nvme", 5_000, null, {bench_key: "y"}), drive("hdd", 59, 98), drive("hdd", 123, 190)];
  const answer = said(ladderAnswer(rows, {t}));
  assert.match(answer, /Optane SSD delivers 8\.0 times the IOPS of NVMe NAND SSD on the same test bench \(1 pair\)/);
  assert.match(answer, /59\.0 to 123 IOPS/);
  const more = said(ladderAnswer([...rows, drive("ssd_nvme", 5_000, null, {bench_key: "x"})], {t}));
  assert.match(more, /Optane SSD delivers 8\.0 to 16 times the IOPS of NVMe NAND SSD \(2 pairs, each on the same test bench\)/);
  assert.match(said(ladderAnswer(rows.map((d) => ({...d, bench_key: null})), {t})), /queue depth 1: Optane SSD 80\.0 k, NVMe NAND SSD 5\.00 k to 10\.0 k IOPS/);
});

test("the ladder leaves out what a cache answered, and says how many", () => {
  const one = said(ladderAnswer([drive("ssd_sata", 9000, 70_000), drive("ssd_sata", 90_000, 700_000, cached)], {t}));
  assert.match(one, /SATA NAND SSD 9\.00 k IOPS.*1 drive is excluded/);
  const all = said(ladderAnswer([drive("ssd_sata", 9000, 70_000, cached), drive("hdd", 9000, 70_000, cached)], {t}));
  assert.match(all, /^2 drives are excluded/);
});

test("every symbol of the ladder leads to its number, and every name to its drive", () => {
  const rows = [drive("ssd_nvme", 10_000, 300_000), drive("hdd", 59, null), drive("ssd_nvme", null, 45_000)];
  for (const width of [1190, 302]) {
    const chart = ladder(rows, {width, t, number, link});
    assert.deepEqual([...chart.querySelectorAll("a.mark")].map((mark) => mark.getAttribute("href")).sort(), rows.flatMap((d) => [d.point_id && d.operations_per_second && `p/${d.point_id}`, d.peak_id && `k/${d.peak_id}`]).filter(Boolean).sort());
    assert.equal(chart.querySelectorAll("a.name").length, 3);
    assert.equal(chart.getAttribute("viewBox").split(" ")[2], String(width));
  }
});

test("a limit stands only at drives whose interface or rotation is known", () => {
  const known = drive("ssd_nvme", 10_000, 300_000, {interface_limit: "PCIe 3.0 ×4", interface_limit_bytes_per_second: 3.938e9});
  const words = (rows) => [...ladder(rows, {width: 1190, t, number, link}).querySelectorAll("text")].map((node) => node.textContent);
  assert.ok(words([known, drive("ssd_nvme", 9000, 90_000)]).includes("PCIe 3.0 ×4: 961 k"));
  assert.ok(!words([drive("ssd_nvme", 9000, 90_000)]).some((text) => /PCIe|rotation/.test(text)));
  const disks = words([drive("hdd", 59, 98, {half_rotation_hertz: 240}), drive("hdd", 123, 190, {half_rotation_hertz: 1000 / 3})]);
  assert.ok(disks.includes("half a rotation: 240") && disks.includes("333"));
});

test("marks of status stand in the numbers of the ladder", () => {
  const words = (d) => [...ladder([d], {width: 1190, t, number, link}).querySelectorAll("text")].map((node) => node.textContent);
  assert.ok(words(drive("ssd_nvme", 10_000, 300_000, {is_peak_at_edge: true})).includes("≥ 300 k"));
  assert.ok(words(drive("ssd_nvme", 20_200, null, {value_kind: "approximate", source_type: "press"})).some((text) => text.endsWith("†")));
  assert.ok(words(drive("ssd_nvme", 20_200, null, {value_kind: "approximate"})).includes("≈ 20.2 k"));
  // depth 1 is not the end of a sweep
  assert.ok(words(drive("ssd_nvme", 10_000, 300_000, {is_peak_at_edge: true})).includes("10.0 k"));
});

test("a drive that is stated and measured is one row, a stated one alone is grey and in the table", () => {
  const measured = drive("ssd_nvme", 10_000, 300_000);
  const stated = {origin: "stated", load_profile: measured.load_profile, device_id: measured.device_id, device: measured.device, media_class: "ssd_nvme", operations_per_second: 15_000, submission_id: "s"};
  assert.equal(drives([measured, stated]).length, 1);
  assert.equal(drives([stated, measured])[0].operations_per_second, 10_000);
  const alone = drives([{...stated, device_id: "other"}]);
  assert.equal(alone[0].origin, "stated");
  assert.match(ladderColumns({t, number, link}).find((column) => column.id === "kind").value(alone[0]), /not measured/);
});

test("a medium without a result under this load says where it has one", () => {
  const all = [drive("hdd", 59, 98), {...drive("ssd_sas", 1000, 9000), load_profile: "Database"}];
  assert.deepEqual(absent(all, "4 KiB random read"), [{media_class: "ssd_sas", elsewhere: "Database"}]);
  const chart = ladder(all.slice(0, 1), {width: 1190, t, number, link, missing: absent(all, "4 KiB random read")});
  assert.ok([...chart.querySelectorAll("text")].some((node) => node.textContent.replaceAll("\u00a0", " ") === "no result with this workload yet; see Database: 8 KiB random, 67 % read"));
});

test("pairs of media are on one test bench, and none of them is behind USB", () => {
  const rows = [drive("ssd_optane", 80_000, null, {bench_key: "x"}), drive("ssd_nvme", 10_000, null, {bench_key: "x"}), drive("ssd_sata", 4000, null, {bench_key: "x", interface_protocol: "USB"})];
  assert.deepEqual(quickestPairs(rows).map(({a, b}) => [a.media_class, b.media_class]), [["ssd_optane", "ssd_nvme"]]);
  assert.deepEqual(quickestPairs(rows.slice(1)), []);
});

test("the questions answer with figures, or say that there are none", () => {
  assert.ok(questions([], {t}).slice(0, 7).every(({answer}) => answer === t("home.q.none")));
  const facts = [
    {fact: "knee", name: "ssd_sata", low: 8, high: 32, number: 4}, {fact: "knee_held", name: "ssd_optane", low: 4, high: 4, number: 1}, {fact: "pair", low: 1.63, high: 2.57, number: 3},
    {fact: "tail", name: "ssd_nvme", low: 8.96e-5, high: 8.96e-5, number: 1}, {fact: "tail", name: "usb", low: 1.89e-3, high: 1.89e-3, number: 1}, {fact: "within", low: 11, high: 7, number: 17},
    ...[[2, 1.99], [4, 3.96], [8, 4.41]].map(([drives, ratio]) => ({fact: "factor", name: String(drives), low: ratio, high: ratio, number: 1})),
    {fact: "claims", name: "follows", number: 5}, {fact: "claims", name: "close", number: 1}, {fact: "claims", name: "does_not_follow", number: 2}
  ];
  const answers = Object.fromEntries(questions(facts, {t}).map(({path, answer}) => [path, answer.replaceAll("\u00a0", " ")]));
  assert.match(answers["queue-depth"], /SATA NAND SSD 8 to 32\. Optane SSD: not known, host-limited\.$/);
  assert.equal(answers.compare, "Samsung 990 PRO: 1.63 to 2.57 × the IOPS or throughput of the 980 PRO in 3 workloads (single runs).");
  assert.match(answers.tail, /NVMe NAND SSD 89\.6 µs, through USB 1\.89 ms/);
  assert.match(answers.scaling, /2 drives: 1\.99 ×, 4 drives: 3\.96 ×, 8 drives: 4\.41 ×/);
  assert.match(answers.within, /11 of 17 drives by mean latency; 7 are known/);
  assert.match(answers.claims, /8 statements checked: 5 hold, 2 do not/);
});

const curve = (media_class, steps, more = {}) => { const id = `c${++next}`; return steps.map(([queue_depth, operations_per_second]) => ({load_profile: "4 KiB random read", device_id: id, device: id, short_name: id, media_class, queue_depth, operations_per_second, latency_mean_seconds: queue_depth / operations_per_second, point_id: `${id}-${queue_depth}`, run_count: 1, ...more})); };

test("the fastest drive and each medium come near to their highest rate at a depth, hard disks wait; none or refused ones say so", () => {
  const head = (rows) => said(depthAnswer(rows, {t}).head);
  assert.match(head([]), /^There is no curve/);
  const nvme = curve("ssd_nvme", [[1, 15_000], [64, 600_000], [128, 752_000], [256, 800_000]], {short_name: "980 PRO"});
  const sata = curve("ssd_sata", [[1, 9000], [16, 60_000], [32, 61_000]]);
  const usb = curve("ssd_sata", [[1, 900], [2, 2000]], {interface_protocol: "USB"});
  const rows = [...curve("hdd", [[1, 70], [2, 75], [4, 80]]), ...nvme, ...sata, ...usb];
  assert.equal(head(rows), "The 980 PRO reaches 94 % of its highest rate at queue depth 128, SATA NAND SSDs at 16; hard disks reach 80.0 IOPS at 4, and each operation then waits 50.0 ms.");
  const struck = depthAnswer(sata.map((d) => ({...d, exclusions: ["area not written before"]})), {t});
  assert.match(said(struck.head), /^There is no curve/);
  assert.equal(struck.sub, "1 curve is excluded here: a cache answered, or the blocks had never been written.");
});

test("a highest rate at which the load generator was full is not said to be that of the drive", () => {
  const rows = [...curve("ssd_sata", [[1, 9000], [16, 60_000], [32, 61_000]]), ...curve("ssd_optane", [[1, 80_000], [2, 150_000], [4, 290_000], [8, 291_000]], {short_name: "Optane"}).map((d) => d.queue_depth < 4 ? d : {...d, reservations: ["generator bound"]})];
  const {head, sub} = depthAnswer(rows, {t});
  assert.doesNotMatch(said(head), /Optane/);
  assert.match(sub, /Host-limited, .*: Optane from depth 4\.$/);
});

test("the ladder's sentence leads to the pair it speaks of, and leaves out a medium without a name", () => {
  const on = {bench_key: "x", submission_id: "s"};
  const rows = [drive("ssd_optane", 80_000, 290_000, {...on, configuration_id: "one"}), drive("ssd_nvme", 10_000, 100_000, {...on, configuration_id: "two"}), drive("other", 2, 200)];
  const answer = ladderAnswer(rows, {t: messages("en", {link: (path) => path})});
  assert.equal(answer.find((node) => node.localName === "a").getAttribute("href"), "compare?a=s%2Fone&b=s%2Ftwo");
  assert.match(said(answer), /higher queue depth raises the IOPS to 3\.6 to 10 times/);
  assert.doesNotMatch(said(answer), /of 2 peaks/);
  const held = said(ladderAnswer([...rows.slice(0, 1), {...rows[1], is_peak_at_edge: true}, drive("hdd", 59, 98)], {t}));
  assert.match(held, /Apart from hard disks, a higher queue depth raises the IOPS to 3\.6 to 10 times .* 1 of 2 peaks were limited by the host/);
});

test("every point of a curve leads to its number, also where a curve is grey", () => {
  const rows = Array.from({length: 6}, (_, i) => curve("ssd_sata", [[1, 5000 + i * 100], [2, 9000 + i * 100], [4, 20_000 + i * 100]])).flat();
  for (const width of [1190, 302]) assert.equal(curves(rows, {width, t, number}).querySelectorAll("a.mark").length, rows.length);
  assert.ok(highlighted(sweeps(rows)).size < 6);
  assert.ok(highlighted(sweeps(rows), [sweeps(rows)[4].device_id]).has(sweeps(rows)[4].device_id));
  assert.equal(curves([], {width: 1190, t, number}).localName, "p");
});

const set = (id, seconds, more = {}) => ({load_profile: "4 KiB random read", device_id: id, device: id, short_name: id, media_class: "ssd_sata", set_count: 2, latency_mean_seconds: seconds, operations_per_second: 5 / seconds, point_id: `${id}${seconds}`, deep_point_id: `${id}${seconds}d`, run_count: 1, bench_key: "s/bench", configuration_id: `${id}-${seconds}`, submission_id: "s", ...more});

test("run sets say how far they lie apart, with and without those that count for nothing", () => {
  assert.match(said(benchesAnswer({sets: []}, {t})), /^No drive/);
  assert.match(said(benchesAnswer({sets: [set("a", 1e-4)]}, {t})), /^No drive/);
  assert.match(said(benchesAnswer({sets: [set("a", 1e-4), set("a", 2e-4)]}, {t})), /^2 sets of runs of the same drive model, a, differ by a factor of 2\.00 at queue depth 1\.$/);
  const refused = {exclusions: ["area not written before"]};
  assert.match(said(benchesAnswer({sets: [set("a", 5e-5, refused), set("a", 1e-4), set("a", 1.1e-4)]}, {t})), /Without the set that read from a cache .*, the factor is 1\.10/);
  assert.match(said(benchesAnswer({sets: [set("a", 5e-5, refused), set("a", 1e-4, refused)]}, {t})), /None of them can be used: a cache answered/);
});

test("other drives stand beside a drive only from one of its benches", () => {
  const rows = [set("a", 1e-4), set("a", 2e-4, {bench_key: "s/second"}), set("b", 1.5e-4, {set_count: 1}), set("c", 1.5e-4, {set_count: 1, bench_key: "s/third"}), set("d", 1e-5, {set_count: 1, exclusions: ["served by a cache"]})];
  assert.deepEqual(choices(rows).map((d) => d.device_id), ["a"]);
  const found = compared(rows, "a");
  assert.deepEqual(found.others.map((d) => d.device_id), ["b"]);
  for (const width of [1190, 302]) assert.equal(benches(found, {width, t, number}).querySelectorAll("a.mark").length, 6);
  assert.equal(benches({sets: [], others: []}, {width: 1190, t, number}).localName, "p");
});
