// What the search answers with figures, for the questions that readers type; what was not measured is said to be so.
import assert from "node:assert/strict";
import {test} from "./limits.mjs";
import {answers} from "../components/answers.js";
import {finder} from "../components/finder.js";
import {messages} from "../components/messages.js";

const t = messages("en");
const drives = [{id: "samsung-980-pro-1tb", title: "Samsung 980 PRO 1TB"}, {id: "samsung-990-pro-2tb", title: "Samsung 990 PRO 2\u00a0TB"}, {id: "samsung-860-pro", title: "Samsung 860 PRO"}, {id: "s4610", title: "Intel D3-S4610 SSDSC2KG48 480 GB"}];
const rows = [
  {kind: "media", name: "ssd_optane", other: "ssd_nvme", low: 3.71, high: 11.8, number: 21}, {kind: "drives", name: "samsung-980-pro-1tb", other: "samsung-860-pro", low: 1.82, high: 1.82, number: 1},
  {kind: "drives", name: "samsung-980-pro-1tb", other: "ssd_optane", low: 0.15, high: 0.22, number: 3}, {kind: "p999", name: "samsung-980-pro-1tb", load_profile: "4 KiB random read", low: 8.96e-5, number: 1, point_id: "m1#p-1"}, {kind: "p999", name: "samsung-860-pro", load_profile: "4 KiB random read", low: 1.16e-4, number: 1, point_id: "m2#p-2"},
  ...[["none", 1, 776_955], ["kyber", 1, 775_917], ["none", 8, 3_424_824], ["kyber", 8, 2_690_356]].map(([name, count, low]) => ({kind: "scheduler", name, other: String(count), low, high: count > 1 ? 1 : null, number: 1280, point_id: `${name}#p-${count}`}))
];
const said = (query) => answers(query, rows, drives, t).map(({text}) => text.replaceAll("\u00a0", " "));

test("two media, or two drives, are compared, with the ratio of their comparisons", () => {
  assert.deepEqual(said("optane vs nand"), ["At queue depth 1, Optane SSD delivers 3.71 to 11.8 × the IOPS of NVMe NAND SSD (4 KiB random read, 21 comparisons)."]);
  assert.deepEqual(said("980pro or 860 pro"), ["At queue depth 1, the Samsung 980 PRO 1TB delivers 1.82 × the IOPS of the Samsung 860 PRO (random read). Compare them in every workload."]);
  assert.match(said("980 PRO vs 990 PRO")[0], /no comparable result at queue depth 1/);
  assert.deepEqual(answers("980 pro versus 990 pro", rows, drives, t)[0].search, {a: "samsung-980-pro-1tb", b: "samsung-990-pro-2tb"});
  assert.deepEqual(answers("980 or 990 PRO", rows, drives, t)[0].search, {a: "samsung-980-pro-1tb", b: "samsung-990-pro-2tb"});
  assert.deepEqual(said("980 PRO or Optane"), ["At queue depth 1, Samsung 980 PRO 1TB delivers 0.15 to 0.22 × the IOPS of Optane SSD (4 KiB random read, 3 comparisons)."]);
  assert.match(said("sata vs hdd")[0], /have no common workload/);
});

test("p99.9 is that of the drive, or said not to be measured", () => {
  assert.deepEqual(said("p99.9"), ["At queue depth 1, p99.9 of 4 KiB random reads is 89.6 µs to 116 µs on 2 drives."]);
  assert.deepEqual(said("p99.9 980 pro"), ["Samsung 980 PRO 1TB, 4 KiB random read: p99.9 89.6 µs at queue depth 1."]);
  assert.deepEqual(said("p99.9 of the 980 PRO under 70/30"), ["p99.9 of the Samsung 980 PRO 1TB was not measured with 70 % reads."]);
  assert.deepEqual(said("p99.9 s4610"), ["p99.9 of the Intel D3-S4610 SSDSC2KG48 480 GB was not measured at queue depth 1."]);
});

test("a scheduler stands beside none, with one drive and with most", () => {
  assert.equal(said("kyber").length, 4);
  assert.ok(said("kyber or none").includes("I/O scheduler kyber, 8 drives: ≥ 2.69 M IOPS at queue depth 1,280."));
  assert.deepEqual(said("queue depth"), []);
});

test("a model is found however its name is spaced", () => {
  const pages = drives.map(({id, title}) => ({path: `devices/${id}`, title, kind: "devices", text: "", words: ""}));
  for (const query of ["980pro", "980 pro", "980-PRO", "the 980 PRO"]) assert.equal(finder(pages)(query)[0]?.path, "devices/samsung-980-pro-1tb", query);
});
