// Which drives reach a rate within a latency: the answer for each case, and its page.
import assert from "node:assert/strict";
import {test} from "./limits.mjs";
import {pack, pageContext} from "./drawn.mjs";
import page from "../pages/within.js";
import {amountOf, answersWithin} from "../components/charts/within.js";

const row = (device_id, operations_per_second, latency_mean_seconds, more = {}) => ({load_profile: "4 KiB random read", device_id, short_name: `Drive ${device_id}`, media_class: "ssd_nvme", queue_depth: 8, point_id: `${device_id}${operations_per_second}`, operations_per_second, latency_mean_seconds, ...more});
const rows = [
  row("a", 40_000, 2e-4, {p999_seconds: 4e-4}), row("a", 90_000, 8e-4, {p999_seconds: 3e-3}), row("b", 20_000, 5e-4), row("b", 60_000, 2e-3),
  row("c", 12_000, 8e-5, {queue_depth: 1}), row("d", 30_000, 5e-4, {is_bound: true}), row("e", 100, 1e-2)
];
const asked = (rate, limit, by) => Object.fromEntries(answersWithin(rows, {rate, limit, by}).map(({device_id, answer}) => [device_id, answer]));

test("a drive reaches a rate within a limit, does not, or it is not known: depth 1 alone, a bound, no percentile", () => {
  assert.deepEqual(asked(50_000, 1e-3, "mean"), {a: "yes", c: "unknown", d: "unknown", b: "no", e: "no"});
  assert.deepEqual(asked(50_000, 3e-3, "mean"), {a: "yes", b: "yes", c: "unknown", d: "unknown", e: "no"});
  assert.deepEqual(asked(30_000, 1e-3, "p999"), {a: "yes", b: "unknown", c: "unknown", d: "unknown", e: "unknown"});
});

test("amounts are read as a reader types them", () => {
  assert.deepEqual(["50k", "1.5 M", "200", "x", "-1", "0"].map((text) => amountOf(text)), [50_000, 1_500_000, 200, null, null, null]);
  assert.deepEqual(["1ms", "200us", "80 µs", "2s", "5"].map((text) => amountOf(text, "s")), [0.001, 0.0002, 0.00008, 2, null]);
});

test("the page answers in its heading, for the rate and the limit in its address", async () => {
  const set = [{...rows[0], load_profile: "Restore"}, {...rows[1], load_profile: "File copy"}];
  const site = {
    "parts/within.json": [{part: "application-types", label: "Five application types"}, {part: "w", label: "4 KiB random read"}],
    "parts/within/application-types.json": {within: pack(set)}, "parts/within/w.json": {within: pack(rows)}
  };
  const drawn = async (search, files = site) => page(pageContext("/within", files, {search}));
  const heading = async (...of) => (await drawn(...of)).querySelector("h1").textContent.replaceAll("\u00a0", " ");
  assert.equal(await heading(""), "1 of 5 drives deliver 50 k IOPS within a mean latency of 1 ms; 2 are unknown.");
  assert.equal(await heading("?iops=500k&within=1ms"), "No measured drive does; the closest is Drive a: 90.0 k IOPS within a mean latency of 1 ms.");
  assert.equal(await heading("?within=1us"), "No drive measured here has a mean latency within 1 µs.");
  assert.match(await heading("", {}), /^No workload was measured/);
  assert.ok((await drawn("")).querySelectorAll("#within table tbody tr").length === 5);
  // the one load of a set that is asked for, and no load of another
  assert.equal(await heading("?w=five-application-types"), "1 of 1 drives deliver 50 k IOPS within a mean latency of 1 ms; 0 are unknown.");
  assert.match(await heading("?w=five-application-types&load=restore"), /^No measured drive does/);
  assert.equal((await drawn("?w=five-application-types&load=restore")).querySelector("#state-load").value, "restore");
});
