// How numbers are written: three significant digits, one unit, nothing that a source did not print.
import assert from "node:assert/strict";
import {test} from "./limits.mjs";
import {blockSize, capacity, count, depth, difference, full, interval, iops, latency, latencyTick, none, oneIn, percent, printedDigits, quotient, throughput, tick, times} from "../components/format.js";
import {messages} from "../components/messages.js";

const t = messages("en");
// a fixed sequence of numbers over many magnitudes
let seed = 1;
const random = () => { seed = (seed * 16807) % 2147483647; return seed / 2147483647; };
const many = (low, high) => Array.from({length: 400}, () => low * (high / low) ** random());
const sizes = {G: 1e9, M: 1e6, k: 1e3, s: 1, ms: 1e-3, "µs": 1e-6};
const value = (text) => { const [digits, unit] = text.split(" "); return Number(digits.replaceAll(",", "")) * (unit ? sizes[unit] : 1); };

test("rates are written as on the pages of the site", () => {
  assert.deepEqual([58.58, 864.2, 9212, 781_234, 1.923e6, 999.7, 999_600].map((v) => iops(v)), ["58.6", "864", "9.21 k", "781 k", "1.92 M", "1.00 k", "1.00 M"]);
  assert.equal(iops(9212, {tight: true}), "9.21k");
});

test("times are written in the largest unit that leaves one", () => {
  assert.deepEqual([78e-6, 999.7e-6, 17.04e-3, 1.25].map((v) => latency(v)), ["78.0 µs", "1.00 ms", "17.0 ms", "1.25 s"]);
});

test("no more digits are written than a source printed", () => {
  assert.equal(latency(8.9e-6, {digits: printedDigits(8.9e-6)}), "8.9 µs");
  assert.equal(iops(9200, {digits: printedDigits(9200)}), "9.2 k");
  assert.equal(printedDigits(123_456), 3);
  assert.equal(printedDigits(0.1 + 0.2), 1);
});

test("a written rate or time has three significant digits and is within half of the last one", () => {
  for (const [format, range] of [[iops, [1, 9e9]], [latency, [1e-6, 900]]]) {
    for (const v of many(...range)) {
      const text = format(v);
      assert.equal(text.split(" ")[0].replace(".", "").length, 3, `${v} is ${text}`);
      assert.ok(Math.abs(value(text) / v - 1) <= 0.005001, `${v} is ${text}`);
    }
  }
});

test("a larger number is never written as a smaller one", () => {
  for (const [format, range] of [[iops, [0.01, 9e9]], [latency, [1e-7, 900]]]) {
    const sorted = many(...range).sort((a, b) => a - b);
    for (let i = 1; i < sorted.length; i++) assert.ok(value(format(sorted[i])) >= value(format(sorted[i - 1])) * 0.999999, `${sorted[i - 1]}, ${sorted[i]}`);
  }
});

test("quotients have two decimals below 10, one below 100, none above, and never fewer than two digits", () => {
  assert.deepEqual([3.456, 9.994, 9.996, 99.94, 99.96, 1234.5, -0.5, 0.0951, 0.0019, 0].map(quotient), ["3.46", "9.99", "10.0", "99.9", "100", "1,235", "−0.50", "0.10", "0.0019", "0"]);
  for (const v of many(0.1, 5000)) assert.match(quotient(v), /^(\d\.\d\d|\d\d\.\d|[\d,]{3,})$/);
  for (const v of many(1e-6, 0.09)) assert.match(quotient(v), /^0\.0+[1-9]\d$/);
});

test("intervals have an en dash, and an open end is a bound", () => {
  assert.equal(interval(1.2, 3.4), "1.20–3.40");
  assert.equal(interval(null, 3.4), "≤ 3.40");
  assert.equal(interval(1.2, null), "≥ 1.20");
});

test("shares, differences, depths and sizes are written with their units", () => {
  assert.deepEqual([0.98, 0.004, 0.00012, 1, 0].map(percent), ["98 %", "0.4 %", "0.01 %", "100 %", "0 %"]);
  assert.equal(difference(-0.12), "−12 %");
  assert.equal(oneIn(1e-4, t), "1 in 10\u00a0k");
  assert.equal(oneIn(1, t), "all");
  assert.equal(depth({queue_depth: 64, process_count: 4}, t), "64 in all: 4 processes × 16");
  assert.equal(depth({queue_depth: 64, process_count: 1}, t), "64");
  assert.equal(depth({queue_depth: 7, process_count: 2}, t), "7");
  assert.deepEqual([512, 4096, 131072, 2 ** 27].map(blockSize), ["512 B", "4 KiB", "128 KiB", "128 MiB"]);
  assert.deepEqual([480e9, 480103981056, 1e12].map(capacity), ["480 GB", "480 GB", "1 TB"]);
  assert.deepEqual([593.2e6, 3938e6].map((v) => throughput(v)), ["593", "3,940"]);
  assert.deepEqual([7.12, 54.2, 123.4].map(times), ["7.1 ×", "54 ×", "123 ×"]);
  assert.deepEqual([1, 1000, 2500, 1e6].map(tick), ["1", "1 k", "2.5 k", "1 M"]);
  assert.deepEqual([1e-6, 1e-3, 0.1].map(latencyTick), ["1 µs", "1 ms", "100 ms"]);
  assert.equal(full(79516.982767), "79,516.982767");
});

test("what is not known is an en dash everywhere", () => {
  for (const format of [count, iops, latency, throughput, quotient, times, percent, difference, blockSize, capacity, full]) assert.equal(format(null), none);
  assert.equal(interval(null, null), none);
  assert.equal(oneIn(null, t), none);
});
