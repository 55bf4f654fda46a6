// Writes all number pages, their JSON, ids for the search and addresses: node site/numbers/write.mjs FOLDER OUT. Two processes work.
import {existsSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {Worker, isMainThread, parentPort, workerData} from "node:worker_threads";
import {gzipSync} from "node:zlib";
import {group} from "d3";
import {languages} from "../components/messages.js";
import {ENDING} from "../components/packed.js";
import {frameScript} from "../components/shell.js";
import {claimData, claimPage} from "./claim.js";
import {escapeHtml, speak} from "./html.js";
import {Context, files, jsonOf} from "./page.js";
import {pairData, pairPage} from "./pair.js";
import {dataOf, sweepPage} from "./sweep.js";

const HALVES = 2;
// The numbers of a sweep by kind; one JSON file holds all ids with the same first two digits.
const SWEPT = {r: "results", p: "points", k: "peaks", s: "factors"};

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

const rowsOf = (scratch, kind) => readFileSync(join(scratch, `${kind}.ndjson`), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));

function sweepsOf(rows, addresses) {
  const sweeps = new Map();
  for (const [kind, list] of Object.entries(SWEPT)) {
    for (const row of rows[kind]) {
      const id = addresses[row.id].split("#")[0];
      const {submission_id, configuration_id = row.array_configuration_id, workload_id, load_profile} = row;
      const sweep = sweeps.get(id) ?? {id, submission_id, configuration_id, workload_id, load_profile, results: [], points: [], peaks: [], factors: []};
      sweep[list].push(row);
      sweeps.set(id, sweep);
    }
  }
  return [...sweeps.values()].sort((a, b) => a.id < b.id ? -1 : 1);
}

// Writes one half of the pages in every language, and of their JSON; returns the addresses of the pages.
export function writePages(scratch, out, half) {
  const {data, ...shared} = JSON.parse(readFileSync(join(scratch, "shared.json"), "utf8"));
  const context = new Context(shared, files(data));
  const rows = Object.fromEntries(["r", "p", "k", "s", "q", "c"].map((kind) => [kind, rowsOf(scratch, kind)]));
  const mine = (list) => list.filter((_, i) => i % HALVES === half);
  const made = [["m", mine(sweepsOf(rows, context.addresses)), sweepPage], ["q", mine(rows.q), pairPage], ["c", mine(rows.c), claimPage]];
  const folders = new Set();
  const write = (path, text) => {
    const place = join(out, path);
    if (!folders.has(dirname(place))) folders.add(mkdirSync(dirname(place), {recursive: true}) ?? dirname(place));
    put(place, text);
  };
  for (const language of languages) {
    speak(language);
    for (const [kind, list, draw] of made) for (const row of list) write(`${language === "en" ? "" : `${language}/`}${kind}/${row.id}.html`, draw(context.of(`/${kind}/${row.id}`), row));
  }
  speak("en");
  for (const row of made[1][1]) write(`q/${jsonOf("q", row.id)}`, compact(pairData(context, row)));
  for (const row of made[2][1]) write(`c/${dirname(row.id)}/${jsonOf("c", row.id)}`, compact(claimData(context, row)));
  for (const kind of Object.keys(SWEPT).filter((_, i) => i % HALVES === half)) {
    for (const [start, its] of group(rows[kind], ({id}) => id.slice(0, 2))) write(`${kind}/${jsonOf(kind, start)}`, together(its.map((row) => dataOf(context, kind, row))));
  }
  return made.flatMap(([kind, list]) => list.map(({id}) => `${kind}/${id}`));
}

// The addresses of numbers by the first two characters of their ids, so that a search reads a few of them only.
function writeIds(addresses, out) {
  mkdirSync(join(out, "search", "ids"), {recursive: true});
  const byStart = group(Object.keys(addresses).sort(), (id) => id.slice(0, 2));
  for (const [start, ids] of byStart) writeFileSync(join(out, "search", "ids", `${start}.json`), JSON.stringify(ids.map((id) => addresses[id])));
}

// Adds the pages of numbers, in every language, to the map of the site for search engines, which is there where the site has an address.
export function addToMap(written, out, address) {
  const map = join(out, "sitemap.xml");
  if (!address || !existsSync(map)) return;
  const pages = languages.flatMap((language) => written.toSorted().map((path) => `${address.replace(/\/$/, "")}/${language === "en" ? "" : `${language}/`}${path.split("/").map(encodeURIComponent).join("/")}`));
  writeFileSync(map, readFileSync(map, "utf8").replace(/<\/urlset>\s*$/, () => `${pages.map((each) => `<url><loc>${escapeHtml(each)}</loc></url>\n`).join("")}</urlset>\n`));
}

const run = (half, [scratch, out]) => new Promise((resolve, reject) => {
  const worker = new Worker(fileURLToPath(import.meta.url), {workerData: {half, scratch, out}, resourceLimits: {maxYoungGenerationSizeMb: 64}});
  let written;
  worker.on("message", (found) => { written = found; });
  worker.on("error", reject);
  worker.on("exit", (code) => code ? reject(new Error("the pages of numbers were not written")) : resolve(written));
});

if (!isMainThread && workerData?.scratch) parentPort.postMessage(writePages(workerData.scratch, workerData.out, workerData.half));
else if (isMainThread && process.argv[1] === fileURLToPath(import.meta.url)) {
  const [scratch, out] = process.argv.slice(2);
  const written = (await Promise.all(Array.from({length: HALVES}, (_, half) => run(half, [scratch, out])))).flat();
  const {address, addresses} = JSON.parse(readFileSync(join(scratch, "shared.json"), "utf8"));
  writeFileSync(join(out, "frame.js"), frameScript);
  writeIds(addresses, out);
  addToMap(written, out, address);
}
