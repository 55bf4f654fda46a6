// Curves of one drive over queue depth, workloads in words, and long tables of a page that come when a reader asks.
import "../../tools/dom.mjs";
import {test} from "./limits.mjs";
import assert from "node:assert/strict";
import {curves, foremost, ofConfigurations, ownAnswer} from "../components/charts/curves.js";
import {loadText} from "../components/loads.js";
import {messages} from "../components/messages.js";
import {numbersTable, partChosen} from "../components/points.js";
import {stateOf} from "../components/state.js";
import {table} from "../components/table.js";
import {deviceName, nameless} from "../components/records.js";
import {pack, pageContext} from "./drawn.mjs";
import devicePage from "../pages/devices/[device].js";

const t = messages("en", {link: (name) => name});
const device = {device_id: "d", device: "Drive", media_class: "ssd_nvme"};
const steps = (configuration_id, top, more = {}) => [1, 2, 4, 8].map((queue_depth) => {
  const rate = Math.min(queue_depth * 1000, top);
  return {submission_id: "s", configuration_id, title: `Bench ${configuration_id}`, load_profile: "4 KiB random read", queue_depth, operations_per_second: rate, latency_mean_seconds: queue_depth / rate, run_count: 1, point_id: `${configuration_id}${queue_depth}`, ...more};
});
const said = (rows) => ownAnswer(ofConfigurations(rows, device), {t}).map((node) => node.textContent ?? node).join("").replaceAll("\u00a0", " ");

test("each configuration of a drive is a curve of its own, in one panel that counts configurations and not drives", () => {
  const drawn = curves(ofConfigurations([...steps("a", 4000), ...steps("b", 2000)], device), {width: 1190, t, number: (letter, id) => `${letter}/${id}`, isOneDevice: true, band: null});
  assert.match(drawn.textContent, /2 configurations/);
  assert.doesNotMatch(drawn.textContent, /drives|bench(es)? ?,|Bench(es)?,/);
  assert.equal(drawn.querySelectorAll("a[href^='p/']").length, 8);
});

test("the curve of a configuration is named by its bench, and by the words of its title where benches are alike", () => {
  const on = (id, title, more) => steps(id, 4000, {title, ...more});
  const rows = [on("a-1", "Drive: folder x/TEST01_FIRST", {system_model: "Server 1", controller_model: "HBA (mode not stated)"}), on("a-2", "Drive: scheduler none; folder x/2", {system_model: "server 2"}), on("a-3", "Drive: folder x/TEST02_REPEAT_1", {system_model: "server 2"}), on("a-4", null)].flat();
  assert.deepEqual([...new Set(ofConfigurations(rows, device).map((row) => row.short_name))], ["Server 1, HBA", "Server 2, scheduler none", "Server 2, repeat 1", "a-4"]);
});

test("the answer on one drive names its highest rate and where its curves turn", () => {
  assert.match(said(steps("a", 4000)), /4.00 k IOPS, at queue depth 4: 4 times that at depth 1.*No curve saturates/);
  assert.match(said(steps("a", 4000, {queue_depth_knee: 4})), /saturate at queue depth 4;/);
  assert.match(said([...steps("a", 4000, {queue_depth_knee: 4}), ...steps("b", 2000, {queue_depth_knee: 2})]), /saturate at queue depth 2 to 4, by configuration/);
});

test("without a curve that counts the answer says so", () => {
  assert.match(said([]), /There is no curve yet/);
  assert.match(said(steps("a", 4000, {exclusions: ["probably never written"], reservations: ["probably never written"]})), /There is no curve yet|highest value/);
});

test("a device page has the curves of its configurations, with a choice of the load", async () => {
  const packed = pack(steps("a", 4000));
  const page = await devicePage(pageContext("/devices/[device]", {
    "content/devices/d.json": {device, loads: [], configurations: pack([]), peaks: pack([]), compared: pack([]), refused: pack([]), curves: [{part: "w", label: "4 KiB random read"}, {part: "v", label: "8 KiB random read"}]},
    "parts/curves/d/w.json": {curves: packed}, "parts/curves/d/v.json": {curves: packed}
  }, {id: "d"}));
  assert.match(page.querySelector("#curves").textContent, /IOPS and latency of this drive by queue depth/);
  assert.equal(page.querySelectorAll("#state-curve option").length, 2);
});

test("the numbers of a device begin with the load of its charts, and its choice stays out of the address", async () => {
  const loads = [{part: "v", label: "4 KiB random write"}, {part: "w", label: "4 KiB random read"}];
  const page = await devicePage(pageContext("/devices/[device]", {"content/devices/d.json": {device, loads, configurations: pack([]), peaks: pack([]), compared: pack([]), refused: pack([])}}, {id: "d"}));
  assert.equal(page.querySelector("#numbers #state-load option[selected]").value, "w");
});

test("a load of too many steps is chosen by configuration too, and both choices stand in the address", () => {
  let search = "?load=w2&of=s/b";
  const state = stateOf({where: {search: () => search, go: (next) => { search = next; }}});
  const loads = [{part: "w1", label: "4 KiB random read"}, {part: "w2", label: "8 KiB random read", of: ["s/a", "s/b"]}];
  const chosen = partChosen(loads, {t, state, nameOf: (key) => key.toUpperCase()});
  assert.equal(chosen.name, "w2/s/b");
  assert.deepEqual([...chosen.controls().querySelectorAll("#state-of option")].map((option) => option.textContent), ["S/A", "S/B"]);
  search = "?load=w1&of=s/b";
  assert.equal(partChosen(loads, {t, state}).name, "w1");
});

test("a long table has its first rows on the page, leads to all, and to a file for readers without scripts", () => {
  let search = "";
  const state = stateOf({where: {search: () => search, go: (next) => { search = next; }}});
  const draw = () => table(Array.from({length: 30}, (_, i) => ({i})), [{id: "i", label: "i", value: (row) => String(row.i), sort: (row) => row.i}], {t, state, id: "x", most: 8, machine: "x.json"});
  assert.equal(draw().querySelectorAll("tbody tr").length, 8);
  assert.ok(draw().querySelector("a[href='x.json']"));
  draw().querySelector("#x-every").onclick({preventDefault: () => {}});
  assert.equal(search, "?x-every=1");
  assert.equal(draw().querySelectorAll("tbody tr").length, 30);
  assert.ok(numbersTable([], {t, state, id: "n"}));
});

test("options of a load are words where they are known, and as they are where not", () => {
  assert.equal(loadText("4 KiB random read, norandommap=true", t), "4\u00a0KiB random read, addresses may repeat");
  assert.equal(loadText("128 MiB sequential write, 8 streams", t), "128\u00a0MiB sequential write, 8 streams");
  assert.equal(loadText("4 KiB sequential write, max_open_zones=1, zonemode=zbd", t), "4\u00a0KiB sequential write, one open zone at a time, zone by zone");
  assert.equal(loadText("4 KiB random read, strange=7", t), "4\u00a0KiB random read, strange=7");
  assert.doesNotMatch(loadText("4 KiB random read, norandommap=true, zonemode=zbd", messages("ja")), /=/);
});

test("a device without maker and model is called by what tells it from others, and says that they are unknown", () => {
  assert.equal(deviceName({device_id: "x", device: "HDD", short_name: "HDD, source"}), "HDD, source");
  assert.equal(nameless({device: "HDD"}, t), "vendor and model unknown");
  assert.equal(deviceName({device_id: "x", device: "Maker M 1 TB", short_name: "M", vendor: "Maker", model: "M"}), "Maker M 1 TB");
});

test("of many configurations those with the highest rates are drawn", () => {
  const rows = ofConfigurations("abcdefgh".split("").flatMap((name, i) => steps(name, 1000 + 500 * i)), device);
  assert.deepEqual([...new Set(foremost(rows).map((row) => row.short_name))], ["c", "d", "e", "f", "g", "h"]);
});
