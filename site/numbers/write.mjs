// Writes the pages of all numbers, their JSON, their ids for the search and their addresses for search engines: node site/numbers/write.mjs FOLDER OUT
//
// FOLDER is what site/data/number_pages.py has written. Half of the pages are made in a second process.
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {Worker, isMainThread, parentPort, workerData} from "node:worker_threads";
import {gzipSync} from "node:zlib";
import {ENDING} from "../components/packed.js";
import {claimPage} from "./claim.js";
import {factorPage} from "./factor.js";
import {writeMaps} from "./maps.mjs";
import {pairPage} from "./pair.js";
import {Context, jsonOf} from "./page.js";
import {peakPage} from "./peak.js";
import {files} from "./places.js";
import {pointPage} from "./point.js";
import {resultPage} from "./result.js";
import {forward, onlyResult, pairsOf, saysTheSame} from "./same.js";

export const kinds = {r: resultPage, p: pointPage, k: peakPage, s: factorPage, c: claimPage, q: pairPage};
// What one worker makes of it; the two take about the same time.
const SHARES = [["r", "p", "c"], ["k", "s", "q"]];
// The kinds that search finds by their ids; a claim has a name.
const SOUGHT = ["r", "p", "k", "s", "q"];

// The kinds whose JSON lies together, in one file for all ids with the same first two signs: a file for each number would be
// twenty thousand, and names would be most of it.
const TOGETHER = ["r", "p", "k", "s"];

// Writes text, packed where the name says so.
const put = (path, text) => writeFileSync(path, path.endsWith(ENDING) ? gzipSync(text, {level: 9}) : text);

// Everything without nulls: what is not there is not known.
const compact = (value) => JSON.stringify(value, function (_, inner) { return inner === null && !Array.isArray(this) ? undefined : inner; });

// Numbers of one kind as rows, with the names of their values once; what all have in common is said once, too.
function together(numbers) {
  const {release_id} = numbers[0];
  const columns = Object.keys(numbers[0]).filter((name) => name !== "release_id");
  return `{"release_id":${JSON.stringify(release_id)},"columns":${JSON.stringify(columns)},"rows":[\n${numbers.map((each) => JSON.stringify(columns.map((name) => each[name] ?? null))).join(",\n")}\n]}\n`;
}

// The kinds of which some numbers have one page.
const WHOLE = ["p", "k", "s"];

// The rows of a kind, one by one.
function* rowsOf(scratch, kind) {
  for (const line of readFileSync(join(scratch, `${kind}.ndjson`), "utf8").split("\n")) if (line) yield JSON.parse(line);
}

// Points of one result by the id of that.
const single = (rows) => new Map(rows.map((row) => [onlyResult(row), row]).filter(([id]) => id));

// Returns the ids of the addresses it has written, by kind, and of those that lead on to another page. Results and their
// points are made together.
export function writePages(scratch, out, chosen) {
  const {data, ...shared} = JSON.parse(readFileSync(join(scratch, "shared.json"), "utf8"));
  const context = new Context(shared, files(data), "../");
  const written = {}, forwarded = {};
  const kept = Object.fromEntries(WHOLE.filter((kind) => chosen.includes(kind)).map((kind) => [kind, [...rowsOf(scratch, kind)]]));
  const pointOf = single(kept.p ?? []);
  // the number whose page another one has, by the id of that, for each kind
  const pageOf = {p: new Map(), ...Object.fromEntries(["k", "s"].map((kind) => [kind, pairsOf(context, kind, kept[kind] ?? [])]))};
  for (const kind of chosen) {
    const own = kind === "c" ? context.from("../../") : context;
    const folder = join(out, kind);
    mkdirSync(folder, {recursive: true});
    const made = new Set();
    const parts = new Map();
    for (const row of kept[kind] ?? rowsOf(scratch, kind)) {
      const point = kind === "r" && pointOf.get(row.id);
      if (point && saysTheSame(own, point, row)) {
        row.same = point;
        pageOf.p.set(point.id, row);
      }
      const page = kinds[kind](own, row);
      if (!page) continue;
      if (pageOf[kind]?.has(row.id)) {
        page.html = forward(own, kind, row, pageOf[kind].get(row.id));
        (forwarded[kind] ??= []).push(row.id);
      }
      const path = join(folder, row.id);
      if (kind === "c" && !made.has(dirname(path))) { mkdirSync(dirname(path), {recursive: true}); made.add(dirname(path)); }
      writeFileSync(`${path}.html`, page.html);
      if (TOGETHER.includes(kind)) (parts.get(row.id.slice(0, 2)) ?? parts.set(row.id.slice(0, 2), []).get(row.id.slice(0, 2))).push(page.json);
      else put(join(dirname(path), jsonOf(kind, row.id)), compact(page.json));
      (written[kind] ??= []).push(row.id);
    }
    for (const [start, numbers] of parts) put(join(folder, jsonOf(kind, start)), together(numbers));
  }
  return {written, forwarded};
}

// The ids by their first two signs, so that a search reads a few of them only.
export function writeIds(written, out) {
  const ids = {};
  for (const kind of SOUGHT) for (const id of (written[kind] ?? []).toSorted()) (ids[id.slice(0, 2)] ??= []).push(`${kind}/${id}`);
  mkdirSync(join(out, "search", "ids"), {recursive: true});
  for (const [start, names] of Object.entries(ids)) writeFileSync(join(out, "search", "ids", `${start}.json`), JSON.stringify(names));
}

// What search engines are told of: pages, not the addresses that lead on to them.
export const withoutForwards = (written, forwarded) => Object.fromEntries(Object.entries(written).map(([kind, ids]) => {
  const others = new Set(forwarded[kind]);
  return [kind, ids.filter((id) => !others.has(id))];
}));

const run = (share, [scratch, out]) => new Promise((resolve, reject) => {
  const worker = new Worker(fileURLToPath(import.meta.url), {workerData: {share, scratch, out}, resourceLimits: {maxYoungGenerationSizeMb: 64}});
  let written;
  worker.on("message", (found) => { written = found; });
  worker.on("error", reject);
  worker.on("exit", (code) => code ? reject(new Error(`pages of ${share} were not written`)) : resolve(written));
});

if (!isMainThread && workerData?.share) parentPort.postMessage(writePages(workerData.scratch, workerData.out, workerData.share));
else if (isMainThread && process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.length !== 4) {
    console.error("usage: node site/numbers/write.mjs FOLDER OUT");
    process.exit(2);
  }
  const shares = await Promise.all(SHARES.map((share) => run(share, process.argv.slice(2))));
  const [scratch, out] = process.argv.slice(2);
  const [all, forwarded] = ["written", "forwarded"].map((name) => Object.assign({}, ...shares.map((share) => share[name])));
  copyFileSync(new URL("chosen.js", import.meta.url), join(out, "chosen.js"));
  writeIds(all, out);
  writeMaps(withoutForwards(all, forwarded), out, JSON.parse(readFileSync(join(scratch, "shared.json"), "utf8")).address);
}
