// The parts that pages are made of: numbers in words, tables, figures and their files, the shell, the finder and its answers.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {html} from "htl";
import {describe, test} from "./limits.mjs";
import {widthOf, wrapText} from "../components/charts/draw.js";
import {document_, standalone} from "../components/export.js";
import {figure} from "../components/figure.js";
import {answers, finder, words} from "../components/finder.js";
import {blockSize, capacity, count, depth, difference, full, interval, iops, latency, latencyTick, none, oneIn, percent, printedDigits, quotient, throughput, tick, times} from "../components/format.js";
import {loadText} from "../components/loads.js";
import {messages} from "../components/messages.js";
import {choosePart} from "../components/points.js";
import {deviceName, nameless} from "../components/records.js";
import {stateOf} from "../components/state.js";
import {inOrder, table} from "../components/table.js";

const t = messages("en", {link: (name) => name});

describe("a number", () => {
  test("is written with its unit: rates, times, ratios, intervals, shares, depths and sizes", () => {
    for (const [format, values, written] of [
      [iops, [58.58, 864.2, 9212, 781_234, 1.923e6, 999.7, 999_600], ["58.6", "864", "9.21 k", "781 k", "1.92 M", "1.00 k", "1.00 M"]],
      [latency, [78e-6, 999.7e-6, 17.04e-3, 1.25], ["78.0 µs", "1.00 ms", "17.0 ms", "1.25 s"]],
      [quotient, [3.456, 9.994, 9.996, 99.94, 99.96, 1234.5, -0.5, 0.0951, 0.0019, 0], ["3.46", "9.99", "10.0", "99.9", "100", "1,235", "−0.50", "0.10", "0.0019", "0"]],
      [percent, [0.98, 0.004, 0.00012, 1, 0], ["98 %", "0.4 %", "0.01 %", "100 %", "0 %"]],
      [blockSize, [512, 4096, 131072, 2 ** 27], ["512 B", "4 KiB", "128 KiB", "128 MiB"]],
      [capacity, [480e9, 480103981056, 1e12], ["480 GB", "480 GB", "1 TB"]], [throughput, [593.2e6, 3938e6], ["593", "3,940"]],
      [times, [7.12, 54.2, 123.4], ["7.1 ×", "54 ×", "123 ×"]], [difference, [-0.12], ["−12 %"]], [full, [79516.982767], ["79,516.982767"]],
      [tick, [1, 1000, 2500, 1e6], ["1", "1 k", "2.5 k", "1 M"]], [latencyTick, [1e-6, 1e-3, 0.1], ["1 µs", "1 ms", "100 ms"]],
      [(share) => oneIn(share, t), [1e-4, 1], ["1 in 10\u00a0k", "all"]],
      [([queue_depth, process_count]) => depth({queue_depth, process_count}, t), [[64, 4], [64, 1], [7, 2]], ["64 in all: 4 processes × 16", "64", "7"]],
      [(ends) => interval(...ends), [[1.2, 3.4], [null, 3.4], [1.2, null]], ["1.20–3.40", "≤ 3.40", "≥ 1.20"]],
      // no more digits than a source printed
      [printedDigits, [123_456, 0.1 + 0.2], [3, 1]], [(v) => latency(v, {digits: printedDigits(v)}), [8.9e-6], ["8.9 µs"]], [(v) => iops(v, {digits: printedDigits(v)}), [9200], ["9.2 k"]],
      [(v) => iops(v, {tight: true}), [9212], ["9.21k"]]
    ]) assert.deepEqual(values.map((v) => format(v)), written);
  });

  test("that is not known is an en dash everywhere", () => {
    for (const format of [count, iops, latency, throughput, quotient, times, percent, difference, blockSize, capacity, full]) assert.equal(format(null), none);
    assert.deepEqual([interval(null, null), oneIn(null, t)], [none, none]);
  });
});

describe("a table", () => {
  const columns = [
    {id: "name", label: "Name", head: true, value: (d) => d.name, sort: (d) => d.name},
    {id: "rate", label: "Rate", unit: "IOPS", num: true, value: (d) => d.rate, sort: (d) => d.rate ?? null},
    {id: "note", label: "Note", value: () => "x"}, {id: "kind", label: "Kind", value: () => null}
  ];
  const rows = Array.from({length: 70}, (_, i) => ({name: `drive ${i}`, rate: i % 7 === 0 ? null : (i * 37) % 101}));
  const at = (search, of = rows, more = {}) => table(of, columns, {t, state: stateOf({where: {search: () => search, go: () => {}}}), id: "rates", ...more});
  const names = (box) => [...box.querySelectorAll("tbody th")].map((cell) => cell.textContent);

  test("has all rows, the first fifty at once, and names each cell for the cards of a phone; what is not known is an en dash", () => {
    const box = at("", rows, {caption: "Rates"});
    assert.deepEqual([names(box).length, box.matches(".rows-50"), box.querySelector(".show-all").textContent], [70, true, "Show all 70 rows"]);
    assert.equal(at("", rows.slice(0, 50)).querySelector(".show-all:not(.on-phones)"), null);
    assert.equal(box.querySelector("tbody td").dataset.label, "Rate (IOPS)");
    assert.deepEqual([columns, columns.slice(0, 2)].map((its) => table(rows, its, {t}).classList.contains("as-cards")), [true, false]);
    assert.equal(box.querySelector("tbody td:last-child").textContent, "–");
  });

  test("has its order and length in the address; rows without a value are last in both orders, and none is lost", () => {
    const box = at("?rates-sort=-rate&rates-all=1");
    const rates = [...box.querySelectorAll("tbody td:nth-child(2)")].map((cell) => cell.textContent).filter((text) => text !== "–").map(Number);
    assert.deepEqual(rates, [...rates].sort((a, b) => b - a));
    assert.match(box.querySelector('[aria-sort="descending"]').textContent, /^Rate/);
    assert.ok(box.querySelector(".show-all input").hasAttribute("checked"));
    assert.deepEqual(names(at("?rates-sort=nonsense")), rows.map((d) => d.name));
    for (const chosen of ["rate", "-rate", "name", "-name"]) {
      const sorted = inOrder(rows, columns, chosen);
      assert.deepEqual(new Set(sorted), new Set(rows));
      if (chosen.endsWith("rate")) assert.ok(sorted.slice(-10).every((d) => d.rate == null));
    }
  });

  test("that is long has its first rows on the page, leads to all, and to a file for readers without scripts", () => {
    let search = "";
    const state = stateOf({where: {search: () => search, go: (next) => { search = next; }}});
    const draw = () => table(rows, columns, {t, state, id: "x", most: 8, machine: "x.json"});
    assert.equal(draw().querySelectorAll("tbody tr").length, 8);
    assert.ok(draw().querySelector("a[href='x.json']"));
    draw().querySelector("#x-every").onclick({preventDefault: () => {}});
    assert.equal(search, "?x-every=1");
    assert.equal(draw().querySelectorAll("tbody tr").length, 70);
  });

  test("of too many steps is chosen by load and configuration, and both choices stand in the address", () => {
    const loads = [{part: "w1", label: "4 KiB random read"}, {part: "w2", label: "8 KiB random read", of: ["s/a", "s/b"]}];
    const chosen = (search) => choosePart(loads, {t, state: stateOf({where: {search: () => search, go: () => {}}}), nameOf: (key) => key.toUpperCase()});
    assert.deepEqual(["?load=w2&of=s/b", "?load=w1&of=s/b"].map((search) => chosen(search).name), ["w2/s/b", "w1"]);
    assert.deepEqual([...chosen("?load=w2&of=s/b").controls().querySelectorAll("#state-of option")].map((option) => option.textContent), ["S/A", "S/B"]);
  });
});

test("options of a load are words where they are known; a device without maker and model is called by what tells it from others", () => {
  for (const [load, said] of [
    ["4 KiB random read, norandommap=true", "4\u00a0KiB random read, addresses may repeat"], ["128 MiB sequential write, 8 streams", "128\u00a0MiB sequential write, 8 streams"],
    ["4 KiB sequential write, max_open_zones=1, zonemode=zbd", "4\u00a0KiB sequential write, one open zone at a time, zone by zone"], ["4 KiB random read, strange=7", "4\u00a0KiB random read, strange=7"]
  ]) assert.equal(loadText(load, t), said);
  assert.doesNotMatch(loadText("4 KiB random read, norandommap=true, zonemode=zbd", messages("ja")), /=/);
  assert.equal(deviceName({device_id: "x", device: "HDD", short_name: "HDD, source"}), "HDD, source");
  assert.equal(nameless({device: "HDD"}, t), "vendor and model unknown");
  assert.equal(deviceName({device_id: "x", device: "Maker M 1 TB", short_name: "M", vendor: "Maker", model: "M"}), "Maker M 1 TB");
});

describe("a figure", () => {
  const draw = (width) => html`<div>${width}</div>`;
  const columns = [{id: "v", label: "V", value: (d) => d.v}];

  test("is complete without scripts: question, answer, two drawings, table and ways on", () => {
    const box = figure({id: "ladder", question: "Q?", answer: "A.", load: "L.", note: "N.", query: "media-ladder", rows: [{v: 1}], columns, draw, t, state: stateOf(), link: (path, {search}) => path + search});
    assert.deepEqual([".question", ".answer", ".load", ".reading", ".wide", ".narrow", ".ways a[href='#ladder-table']", ".ways a[href='sql?query=media-ladder']"].map((name) => box.querySelector(name).textContent), ["Q?", "A.", "L.", "N.", "1190", "302", "Table", "SQL"]);
    assert.equal(box.querySelectorAll(".ways button").length, 2);
    assert.ok(box.querySelector("#ladder-table tbody tr"));
    assert.equal(figure({id: "x", question: "Q?", rows: [], columns: [], draw, t}).querySelector("details"), null);
  });

  test("lets the keyboard go past its marks, which its table has too; of many with a link that says so", () => {
    const of = (marks, rows) => figure({id: "x", question: "Q?", rows, columns, draw: () => html`<div>${Array.from({length: marks}, () => html`<a class="mark" href="p/1"></a>`)}</div>`, t, state: stateOf()});
    assert.equal(of(13, [{v: 1}]).querySelector(".skip").getAttribute("href"), "#x-table");
    assert.deepEqual([of(12, [{v: 1}]).querySelector(".skip"), of(13, []).querySelector(".skip")], [null, null]);
    assert.deepEqual([of(1, [{v: 1}]), of(1, [])].map((box) => box.querySelector("a.mark").getAttribute("tabindex")), ["-1", null]);
  });

  test("as a file holds title, answer, load, source, release and the address of its view, as text and as metadata, in broken lines", () => {
    const options = {
      width: 1190, height: 400, parts: [{markup: "<path d='M0 0L1 1'/>", x: 0, y: 0, width: 1190, height: 400, viewBox: "0 0 1190 400"}], title: "How do media differ? <b> & \"more\"",
      answer: "One sentence.", load: "4 KiB random", foot: ["By somebody", "Data release 2026-11 · https://site/media#ladder"], colors: {surface: "#fff", ink: "#000", muted: "#555"},
      font: "Inter, sans-serif", fontFace: "", metadata: {release: "2026-11", address: "https://site/media#ladder", query: "media-ladder"}
    };
    const file = new DOMParser().parseFromString(document_(options), "image/svg+xml");
    assert.equal(file.querySelector("parsererror"), null);
    assert.equal(file.querySelector("title").textContent, options.title);
    const texts = [...file.querySelectorAll("text")].map((node) => node.textContent);
    for (const each of ["One sentence.", "4 KiB random", ...options.foot]) assert.ok(texts.includes(each), each);
    assert.deepEqual(JSON.parse(file.querySelector("metadata").textContent), options.metadata);
    assert.equal(file.documentElement.getAttribute("text-anchor"), "start"); // the trap of charts whose text is centred
    for (const long of ["With one I/O at a time, an Optane SSD answers 3.7 to 11.8 times as often as an NVMe NAND SSD.", "処理待ち I/O が一つのとき、同じ測定環境で Optane SSD の IOPS は NVMe NAND SSD の 6.5 ～ 7.5 倍です（2 組）。"]) {
      const lines = wrapText(long, 240, 13);
      assert.ok(lines.length > 1 && lines.every((each) => widthOf(each, 13) <= 260));
      assert.equal(lines.join("").replaceAll(" ", ""), long.replaceAll(" ", ""));
    }
  });

  test("as a file takes its styles along, and leaves behind what needs the page", () => {
    const drawing = html`<div><svg viewBox="0 0 10 10" class="chart"><a href="p/1" data-tip="x"><text x="1" fill="var(--ink)" class="halo">8</text></a></svg></div>`.querySelector("svg");
    const text = standalone(drawing, () => "rgb(1, 2, 3)");
    for (const name of ["fill", "stroke"]) assert.match(text, new RegExp(`<text [^>]*\\b${name}="rgb\\(1, 2, 3\\)"[^>]*>8</text>`));
    assert.doesNotMatch(text, /var\(|class=|data-tip/);
    assert.match(drawing.outerHTML, /var\(/);
  });
});

describe("the finder", () => {
  const find = finder([
    {path: "queue-depth", title: "キュー深度", kind: null, text: "処理待ち I/O の数", words: ""},
    {path: "devices/p4800x", title: "Intel Optane SSD DC P4800X", kind: "devices", text: "Optane SSD", words: "375 GB"},
    {path: "devices/s4610", title: "Intel D3-S4610", kind: "devices", text: "SATA SSD", words: ""}
  ]);
  const drives = [{id: "samsung-980-pro-1tb", title: "Samsung 980 PRO 1TB"}, {id: "samsung-990-pro-2tb", title: "Samsung 990 PRO 2\u00a0TB"}, {id: "samsung-860-pro", title: "Samsung 860 PRO"}, {id: "s4610", title: "Intel D3-S4610 SSDSC2KG48 480 GB"}];

  test("finds by all words, the beginning of one, a slip, a part of a Japanese one, or some of the words; another model is no slip", () => {
    for (const [query, paths, isPartly] of [
      ["intel optane", ["devices/p4800x"], false], ["p48", ["devices/p4800x"], false], ["optene", ["devices/p4800x"], false], ["深度", ["queue-depth"], false],
      ["nothing like it", [], false], ["optane firmware", ["devices/p4800x"], true], ["firmware", [], false], ["P5800X", [], false]
    ]) {
      const found = find(query);
      assert.deepEqual([found.map(({path}) => path), found.isPartly], [paths, isPartly], query);
    }
    assert.deepEqual(words("キュー深度 32"), ["キュ", "ュー", "ー深", "深度", "32"]);
    const pages = drives.map(({id, title}) => ({path: `devices/${id}`, title, kind: "devices", text: "", words: ""}));
    for (const query of ["980pro", "980 pro", "980-PRO", "the 980 PRO"]) assert.equal(finder(pages)(query)[0]?.path, "devices/samsung-980-pro-1tb", query);
  });

  // What readers type, and the figures that answer; what was not measured is said to be so.
  const drive = "samsung-980-pro-1tb";
  const ratios = [
    ["intel-optane-900p", drive, "ssd_nvme", 3.71, 11.8, 21], [drive, "samsung-860-pro", "ssd_sata", 1.82, 1.82, 1], [drive, "intel-optane-900p", "ssd_optane", 0.15, 0.22, 3]
  ].map(([device_id, reference_id, reference_class, low, high, setup_count]) => ({device_id, reference_id, reference_class, low, high, setup_count}));
  const rows = [
    {kind: "p999", name: "samsung-980-pro-1tb", load_profile: "4 KiB random read", low: 8.96e-5, queue_depth: 1, point_id: "m1#p-1"}, {kind: "p999", name: "samsung-860-pro", load_profile: "4 KiB random read", low: 1.16e-4, queue_depth: 1, point_id: "m2#p-2"},
    ...[["none", 1, 776_955], ["kyber", 1, 775_917], ["none", 8, 3_424_824], ["kyber", 8, 2_690_356]].map(([name, drives, low]) => ({kind: "scheduler", name, other: String(drives), low, is_bound: drives > 1, queue_depth: 1280, point_id: `${name}#p-${drives}`}))
  ];
  const said = (query) => answers(query, {rows, ratios, drives}, t).map(({text}) => text.replaceAll("\u00a0", " "));
  for (const [query, sentence] of [
    ["optane vs nand", "At queue depth 1, Optane SSD delivers 3.71 to 11.8 × the IOPS of NVMe NAND SSD (4 KiB random read, 21 comparisons)."],
    ["980pro or 860 pro", "At queue depth 1, the Samsung 980 PRO 1TB delivers 1.82 × the IOPS of the Samsung 860 PRO (random read). Compare them in every workload."],
    ["980 PRO or Optane", "At queue depth 1, Samsung 980 PRO 1TB delivers 0.15 to 0.22 × the IOPS of Optane SSD (4 KiB random read, 3 comparisons)."],
    ["980 PRO vs 990 PRO", "no comparable result at queue depth 1"], ["sata vs hdd", "have no common workload"],
    ["p99.9", "At queue depth 1, p99.9 of 4 KiB random reads is 89.6 µs to 116 µs on 2 drives."],
    ["p99.9 980 pro", "Samsung 980 PRO 1TB, 4 KiB random read: p99.9 89.6 µs at queue depth 1."],
    ["p99.9 of the 980 PRO under 70/30", "p99.9 of the Samsung 980 PRO 1TB was not measured with 70 % reads."],
    ["p99.9 s4610", "p99.9 of the Intel D3-S4610 SSDSC2KG48 480 GB was not measured at queue depth 1."]
  ]) test(`answers “${query}” with figures`, () => assert.ok(said(query)[0].includes(sentence), said(query)[0]));

  test("names both drives of a comparison, a scheduler beside none with one drive and with most, and answers nothing else", () => {
    for (const query of ["980 pro versus 990 pro", "980 or 990 PRO"]) assert.deepEqual(answers(query, {rows, ratios, drives}, t)[0].search, {a: "samsung-980-pro-1tb", b: "samsung-990-pro-2tb"});
    assert.equal(said("kyber").length, 4);
    assert.ok(said("kyber or none").includes("I/O scheduler kyber, 8 drives: ≥ 2.69 M IOPS at queue depth 1,280."));
    assert.deepEqual(said("queue depth"), []);
  });
});
