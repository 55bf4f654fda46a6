// A dot leads to the number that it draws, and from there to the raw line: fifty of them, drawn at random from the data of
// the pages of the built site, whatever its data are. IOLEDGER_SEED repeats a choice.
import assert from "node:assert/strict";
import {existsSync, readFileSync, readdirSync} from "node:fs";
import {join} from "node:path";
import {gunzipSync} from "node:zlib";
import {describe, test} from "./limits.mjs";
import {dist, numberOf} from "./browser.mjs";
import {latency} from "../components/format.js";
import {unpacked} from "../components/mount.js";

const FOLLOWED = 50;
const KINDS = {point_id: "p", peak_id: "k", scaling_id: "s", result_id: "r"};
// What a page says of a kind, by the names that its JSON has for the values.
const VALUES = {
  p: ["operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds"], k: ["peak_value"], s: ["factor_ratio"],
  r: ["operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds", "printed_value"]
};
const json = (...path) => { const file = readFileSync(join(dist, ...path)); return JSON.parse(path.at(-1).endsWith(".gz") ? gunzipSync(file) : file); };
const seed = Number(process.env.IOLEDGER_SEED ?? 16);

// Numbers from 0 to 1, the same for the same seed.
function chance(from) {
  let at = from >>> 0;
  return () => { at = (Math.imul(at, 1664525) + 1013904223) >>> 0; return at / 2 ** 32; };
}

// A row that names a result and has none of its values is a part of it, such as one step of its distribution.
const isWhole = (kind, row) => kind !== "r" || VALUES.r.some((name) => row[name] != null);

// Every row of the data of pages that names a number: {kind, id, row, from}; of those in parts one page's, which draws a dot per row.
function dots() {
  const named = (...folder) => readdirSync(join(dist, ...folder)).map((name) => [...folder, name]);
  const charts = [...named("data").filter((path) => path.at(-1).endsWith(".json")).map((path) => [path, json(...path)]), ...named("parts", "within").flatMap((path) => Object.values(json(...path)).map((answer) => [path, answer]))];
  return charts.filter(([, answer]) => answer?.columns && answer.count != null).flatMap(([path, answer]) => unpacked(answer).flatMap((row) =>
    Object.entries(KINDS).filter(([name, kind]) => row[name] && isWhole(kind, row)).map(([name, kind]) => ({kind, address: row[name], id: row[name].split("#")[1].slice(2), row, from: path.join("/")}))));
}

// The result that a number rests on in the end.
function resultOf(kind, told) {
  if (kind === "r") return told;
  if (told.result_ids?.length) return numberOf(dist, "r", told.result_ids[0]);
  const [next, id] = kind === "s" ? [told.queue_depth == null ? "k" : "p", told.array_id] : ["p", told.points?.at(-1)?.[0]];
  return id ? resultOf(next, numberOf(dist, next, id)) : null;
}
const isPublished = ({source_path: path}) => path === "figures.csv";
// Data of charts may have fewer digits than the number itself: five.
const near = (a, b, from) => Math.abs(a - b) <= (/within|queue-depth/.test(from) ? 5e-5 : 1e-9) * Math.abs(b);
// A chart of percentiles draws no rate and no mean: the page writes the percentiles at the same point.
const TAILS = ["p50_seconds", "p99_seconds", "p999_seconds", "p9999_seconds"];

const next = chance(seed);
const shuffled = dots().map((dot) => [next(), dot]).sort(([a], [b]) => a - b).map(([, dot]) => dot);

describe(`fifty dots, chosen with IOLEDGER_SEED=${seed}`, () => {
  test("measured and published ones are among the data of pages", () => {
    const found = new Set(shuffled.slice(0, 400).map(({kind, id}) => resultOf(kind, numberOf(dist, kind, id))).filter(Boolean).map(isPublished));
    assert.deepEqual([...found].sort(), [false, true]);
  });

  for (const {kind, address, id, row, from} of shuffled.slice(0, FOLLOWED)) {
    test(`${kind}/${id} of ${from} has a page with the same number, and its raw line`, () => {
      const told = numberOf(dist, kind, id);
      const own = VALUES[kind].map((name) => told[name]).filter((value) => value != null);
      const drawn = Object.values(row).filter((value) => typeof value === "number");
      const shown = own.filter((value) => drawn.some((each) => near(each, value, from)));
      const tails = shown.length ? [] : [...TAILS.map((name) => row[name]), row.kind === "p999" ? row.low : null].filter((value) => value != null).map((value) => latency(value));
      assert.ok(shown.length + tails.length > 0, `the dot has ${drawn.join(", ")}, the page ${own.join(", ")}`);
      assert.equal(told.page, `m/${address}`);
      const page = readFileSync(join(dist, "m", `${address.split("#")[0]}.html`), "utf8");
      assert.ok(page.includes(` id=${kind}-${id}>`) || page.includes(` id=${kind}-${id} `), "no place on its page");
      const place = page.slice(page.search(new RegExp(` id=${kind}-${id}[> ]`))).split("<tr class=detail>")[0];
      assert.deepEqual(tails.filter((text) => !place.includes(text)), [], "percentiles that the page does not say");
      if (told.headline) assert.ok(page.includes(told.headline.replaceAll("&", "&amp;").replaceAll(">", "&gt;")), `the page does not say ${told.headline}`);
      const result = resultOf(kind, told);
      assert.ok(result, "no result is named");
      stands(result);
    });
  }
});

// The line of the raw file that a result's page names is there, and says what the result does.
function stands(result) {
  const n = result.source_line ?? Number(/^line (\d+)/.exec(result.source_pointer)[1]);
  const page = readFileSync(join(dist, `${result.page.split("#")[0]}.html`), "utf8");
  assert.ok(page.includes(`line ${n.toLocaleString("en-US")} of`) || page.includes(`:${n}<`), `${result.page} names no line ${n}`);
  const raw = join(dist, "raw", result.submission_id, result.source_path);
  const lines = (existsSync(raw) ? readFileSync(raw) : gunzipSync(readFileSync(`${raw}.gz`))).toString("utf8").split(/\r\n|\n|\r/);
  const value = result.operations_per_second ?? result.throughput_bytes_per_second ?? result.latency_mean_seconds;
  assert.ok(result.printed_text != null || value == null || /\d/.test(lines[n - 1]), `line ${n} has no number`);
}
