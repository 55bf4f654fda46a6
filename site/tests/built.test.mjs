// What lies in the built site: every link leads somewhere, every file of data can be read, every page says what it is about,
// and what a page draws has a page with the same value and its line in the raw file, whatever lies in data/.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {existsSync, readFileSync, readdirSync, statSync} from "node:fs";
import {join, sep} from "node:path";
import {gunzipSync} from "node:zlib";
import {dist, numberOf} from "./browser.mjs";
import {describe, program, test} from "./limits.mjs";
import {python, sample} from "./sites.mjs";
import {latency} from "../components/format.js";
import {messages} from "../components/messages.js";
import {unpackRows} from "../components/mount.js";

const known = sample();
const built = join(known, "dist");

const filesIn = (folder) => readdirSync(folder, {recursive: true}).map((name) => name.split(sep).join("/")).filter((name) => statSync(join(folder, name)).isFile());
const json = (...path) => { const file = readFileSync(join(...path)); return JSON.parse(path.at(-1).endsWith(".gz") ? gunzipSync(file) : file); };
const parsed = (...path) => new DOMParser().parseFromString(readFileSync(join(...path), "utf8"), "text/html");

const LINK = /\s(?:href|src)=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g;
const ENTITIES = {"&amp;": "&", "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">"};
const unescaped = (text) => text.replaceAll(/&(?:amp|quot|#39|lt|gt);/g, (entity) => ENTITIES[entity]);

for (const [name, folder] of [["the built site", dist], ["the site of the tests' own dataset", built]]) {
  test(`every link of ${name} leads to a file of it, and every query behind a figure is a saved one`, () => {
    const files = new Set(filesIn(folder));
    const leads = (path) => path === "" || path.endsWith("/") ? files.has(`${path}index.html`) : files.has(path) || files.has(`${path}.html`);
    const saved = new Set(json(folder, "data", "queries.json").map((query) => query.name));
    // A site without documented models, as that of the tests' own dataset, has no lineage.
    const hasLineage = files.has("lineage/index.html") || folder === dist;
    const broken = [];
    let count = 0;
    // What the lineage and raw files link is theirs.
    for (const page of [...files].filter((name) => name.endsWith(".html") && !/^(lineage|raw|_)/.test(name))) {
      for (const [, double, single, bare] of readFileSync(join(folder, page), "utf8").matchAll(LINK)) {
        const link = unescaped(double ?? single ?? bare);
        const url = new URL(link, `http://site/${page}`);
        if (url.host !== "site" || (url.pathname === "/lineage/" && !hasLineage)) continue;
        count += 1;
        const query = url.pathname.endsWith("/sql") ? url.searchParams.get("query") : null;
        if (!leads(decodeURIComponent(url.pathname).slice(1)) || (query && !saved.has(query))) broken.push(`${page}: ${link}`);
      }
    }
    assert.ok(count > 100, `${count} links`);
    assert.deepEqual(broken.slice(0, 20), [], `${broken.length} of ${count} links are broken`);
  });
}

test("every file of data can be read", () => {
  const files = ["data", "parts", "content", "search"].flatMap((folder) => filesIn(join(dist, folder)).filter((name) => /\.json(\.gz)?$/.test(name)).map((name) => join(folder, name)));
  assert.ok(files.length > 0);
  for (const file of files) assert.doesNotThrow(() => json(dist, file), file);
});

test("every page says its language and what it is about, may be zoomed, and names no time of building", () => {
  const descriptions = new Map();
  for (const name of filesIn(dist).filter((each) => each.endsWith(".html") && !/^((ja\/)?[mcq]|raw|lineage|download|_\w+)\//.test(each))) {
    const page = readFileSync(join(dist, name), "utf8");
    if (!page.includes('<div class="page">')) continue;
    assert.doesNotMatch(page, /lastModified|maximum-scale|rel="external/, name);
    for (const part of [name.startsWith("ja/") ? '<html lang="ja">' : '<html lang="en">', "Content-Security-Policy", "og:title", "og:description", "og:type"]) assert.ok(page.includes(part), `${name}: ${part}`);
    assert.match(page, /<title>[^<]{2,} \| ioledger<\/title>/, name);
    const [, description] = /<meta name="description" content="([^"]{10,})">/.exec(page) ?? [];
    assert.ok(description, `${name} has no description`);
    assert.ok(!descriptions.has(description), `${name} says what ${descriptions.get(description)} says: ${description}`);
    descriptions.set(description, name);
    for (const [, text] of page.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)) assert.ok(JSON.parse(text)["@context"] && JSON.parse(text)["@type"], name);
  }
  assert.ok(descriptions.size > 50);
});

test("every rule of the code, and no other, has a line with its text and whether it refuses or warns, and an address, in both languages", () => {
  const rules = JSON.parse(execFileSync(python, ["-m", "ioledger", "rules", "--json"], {encoding: "utf8", ...program()}));
  for (const [language, folder] of [["en", "."], ["ja", "ja"]]) {
    const t = messages(language);
    const said = language === "ja" ? Object.assign({}, ...["checks", "rules"].map((name) => json("site", "glosses", `${name}.json`))) : {};
    const lines = new Map([...parsed(dist, folder, "rules.html").querySelectorAll("main tbody tr")].map((row) => [row.querySelector("a[id]").id, row]));
    assert.deepEqual([...lines.keys()].sort(), rules.map(({rule}) => rule).sort());
    for (const {rule, text, severity} of rules) {
      for (const words of [said[text] ?? text, t(severity === "refuse" ? "rules.refuses" : "rules.warns")]) assert.ok(lines.get(rule).textContent.includes(words), rule);
      assert.equal(lines.get(rule).querySelector("a[id]").getAttribute("href"), `#${rule}`);
    }
  }
});

describe("the site of the tests' own dataset", () => {
  test("divides the P3700 by each other medium as the publication does, to the ratios it prints", () => {
    // Peaks of its comparison table: HDD, SAS SSD, ioDrive2, P3700.
    const peaks = [[864, 64416, 49919, 192881], [766, 8977, 19005, 29530], [789, 8157, 18018, 29033], [237, 790, 1390, 2395], [237, 419, 1037, 1844]];
    const pairs = filesIn(join(built, "q")).filter((name) => name.endsWith(".json.gz")).map((name) => json(built, "q", name));
    for (const [i, other] of ["cmp-hdd", "cmp-sas-ssd", "cmp-iodrive2"].entries()) {
      const sides = ["cmp-p3700", other].map((name) => `2016-03-fujitsu-p3700/${name}`);
      const pair = pairs.find(({a, b}) => sides.includes(a) && sides.includes(b));
      const [depth, ratio] = ["queue_depth", "ratio"].map((name) => pair.columns.indexOf(name));
      const found = pair.comparisons.filter((values) => values[depth] == null).map((values) => pair.a === sides[0] ? values[ratio] : 1 / values[ratio]);
      for (const values of peaks) assert.ok(found.some((each) => Math.abs(each / (values[3] / values[i]) - 1) < 1e-9), `${other}: no ${values[3]} ÷ ${values[i]} among ${found}`);
    }
  });

  test("says on the first page of each submission whether it still counts, as the page of the submission does; and a limit in full that a browser would round", () => {
    const listed = [...parsed(built, "index.html").querySelectorAll(".newest li")];
    assert.ok(listed.length > 0);
    for (const item of listed) {
      const [name, status] = [item.querySelector("a").getAttribute("href").split("/").at(-1), item.querySelector("strong")?.textContent ?? ""];
      const note = parsed(built, "submissions", `${name}.html`).querySelector("main .note strong")?.textContent ?? "";
      assert.ok(note.toLowerCase().includes(status.toLowerCase()), `${name}: ${status}, ${note}`);
    }
    assert.ok(parsed(built, "checks.html").querySelector("main").textContent.includes((2n ** 60n).toLocaleString("en-US")));
  });
});

// Fifty dots, drawn at random from the data of the pages; IOLEDGER_SEED repeats a choice.
const seed = Number(process.env.IOLEDGER_SEED ?? 16);
const KINDS = {point_id: "p", peak_id: "k", scaling_id: "s", result_id: "r"};
// What a page says of a kind, by the names that its JSON has for the values.
const VALUES = {
  p: ["operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds"], k: ["peak_value"], s: ["factor_ratio"],
  r: ["operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds", "printed_value"]
};
// A chart of percentiles draws no rate and no mean: the page writes the percentiles at the same point.
const TAILS = ["p50_seconds", "p99_seconds", "p999_seconds", "p9999_seconds"];

// Every row of the data of pages that names a number; of those in parts one page's, which draws a dot per row. A row that names
// a result and has none of its values is a part of it, such as one step of its distribution.
function dots() {
  const named = (...folder) => readdirSync(join(dist, ...folder)).filter((name) => name.endsWith(".json")).map((name) => [folder.concat(name).join("/"), json(dist, ...folder, name)]);
  const charts = [...named("data"), ...named("parts", "within").flatMap(([from, parts]) => Object.values(parts).map((answer) => [from, answer]))];
  return charts.filter(([, answer]) => answer?.columns && answer.count != null).flatMap(([from, answer]) => unpackRows(answer).flatMap((row) =>
    Object.entries(KINDS).filter(([name, kind]) => row[name] && (kind !== "r" || VALUES.r.some((each) => row[each] != null))).map(([name, kind]) => ({kind, address: row[name], id: row[name].split("#")[1].slice(2), row, from}))));
}

// The result that a number rests on in the end.
function resultOf(kind, number) {
  if (kind === "r") return number;
  if (number.result_ids?.length) return numberOf(dist, "r", number.result_ids[0]);
  const [next, id] = kind === "s" ? [number.queue_depth == null ? "k" : "p", number.array_id] : ["p", number.points?.at(-1)?.[0]];
  return resultOf(next, numberOf(dist, next, id));
}

// What is wrong with a dot: its page has the number or the percentiles, the headline, and the result's line of the raw file.
function wrongWith({kind, address, id, row, from}) {
  const number = numberOf(dist, kind, id);
  // Data of charts may have fewer digits than the number itself: five.
  const allowed = /within|queue-depth/.test(from) ? 5e-5 : 1e-9;
  const drawn = Object.values(row).filter((value) => typeof value === "number");
  const isShown = VALUES[kind].some((name) => number[name] != null && drawn.some((each) => Math.abs(number[name] - each) <= allowed * Math.abs(each)));
  const tails = isShown ? [] : [...TAILS.map((name) => row[name]), row.kind === "p999" ? row.low : null].filter((value) => value != null).map((value) => latency(value));
  const page = readFileSync(join(dist, "m", `${address.split("#")[0]}.html`), "utf8");
  const [, place = ""] = page.split(new RegExp(` id=${kind}-${id}(?=[> ])`));
  const result = resultOf(kind, number);
  const line = result.source_line ?? Number(/^line (\d+)/.exec(result.source_pointer)[1]);
  const its = readFileSync(join(dist, `${result.page.split("#")[0]}.html`), "utf8");
  const raw = join(dist, "raw", result.submission_id, result.source_path);
  const text = (existsSync(raw) ? readFileSync(raw) : gunzipSync(readFileSync(`${raw}.gz`))).toString("utf8").split(/\r\n|\n|\r/)[line - 1];
  return [
    isShown || tails.length ? "" : "the page has another value", number.page === `m/${address}` && place ? "" : "no place on its page",
    ...tails.filter((each) => !place.split("<tr class=detail>")[0].includes(each)), page.includes((number.headline ?? "").replaceAll("&", "&amp;").replaceAll(">", "&gt;")) ? "" : number.headline,
    its.includes(`line ${line.toLocaleString("en-US")} of`) || its.includes(`:${line}<`) ? "" : `the page names no line ${line}`, result.printed_text != null || /\d/.test(text) ? "" : `line ${line} has no number`
  ].filter(Boolean).map((what) => `${kind}/${id} of ${from}: ${what}`);
}

test(`fifty dots, chosen with IOLEDGER_SEED=${seed}, have pages with the same numbers, measured and published ones, and their raw lines`, () => {
  let at = seed >>> 0;
  const next = () => { at = (Math.imul(at, 1664525) + 1013904223) >>> 0; return at; };
  const shuffled = dots().map((dot) => [next(), dot]).sort(([a], [b]) => a - b).map(([, dot]) => dot);
  const isPublished = ({kind, id}) => resultOf(kind, numberOf(dist, kind, id)).source_path === "figures.csv";
  assert.deepEqual([...new Set(shuffled.slice(0, 400).map(isPublished))].sort(), [false, true]);
  assert.deepEqual(shuffled.slice(0, 50).flatMap(wrongWith), []);
});
