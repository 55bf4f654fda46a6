// A symbol of a chart leads to the number that it shows, and to every result behind it.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync, readdirSync} from "node:fs";
import {join, sep} from "node:path";
import {after, before, program, test} from "./limits.mjs";
import {dist, few, settled, start} from "./browser.mjs";
import {python, sample} from "./sites.mjs";

const {folder, remove} = sample();
const knownDist = join(folder, "dist");
const FOLLOWED = 5;
let site;
let known;

// The built site, whatever its data are; and one of the tests' own dataset, of which it is known what must be there.
before(async () => { [site, known] = [await start(), await start(knownDist)]; }, {timeout: 300_000});
after(async () => {
  await site?.stop();
  await known?.stop();
  remove();
});

// The rows of queries over the published database, as objects, whatever text a query asks for.
const ask = (directory, ...queries) => JSON.parse(execFileSync(python, ["-c", "import duckdb, json, sys\nwith duckdb.connect(sys.argv[1], read_only=True) as c:\n  print(json.dumps([(lambda f: [dict(zip([d[0] for d in f.description], row)) for row in f.fetchall()])(c.execute(q)) for q in json.load(sys.stdin)], default=str))",
  join(directory, "download", "ioledger.duckdb")], {encoding: "utf8", input: JSON.stringify(queries), maxBuffer: 1 << 28, ...program()}));

const grouped = (list, key) => list.reduce((groups, each) => groups.set(key(each), [...groups.get(key(each)) ?? [], each]), new Map());

// A fixed choice of some of a list: the same in every run.
function some(list, count, seed = 1201) {
  const left = [...list];
  return Array.from({length: Math.min(count, left.length)}, () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return left.splice(seed % left.length, 1)[0];
  });
}

// The number by SQL over its operands alone: each repetition from its parts, the geometric mean over them, and what is made of those.
const operands = `select number_id, repetition_id, results.* from number_operands inner join results using (result_id, repetition_id)`;
function computed(id, numbers, rows) {
  const number = numbers.get(id);
  const [a, b] = [number.a_number_id, number.b_number_id].map((name) => name && computed(name, numbers, rows));
  if (number.number_kind === "quotient") return a / b;
  if (number.number_kind === "per_drive") return a / number.drive_count;
  if (number.number_kind === "per_gigabyte") return a / (number.capacity_bytes / 1e9);
  // chosen by three folds over all depths, which the models' own tests compute again
  if (number.number_kind === "peak" && number.queue_depths) return number.number_value;
  if (number.number_kind === "peak") return number.number_origin === "measured" ? a : number.metric === "operations_per_second" ? a / number.block_size_bytes : a * number.block_size_bytes;
  const runs = [...grouped(rows.get(id), (row) => row.repetition_id).values()].map((parts) => {
    const sum = (value) => parts.map(value).reduce((total, each) => total + each);
    if (number.metric === "latency_mean_seconds") {
      if (parts.length === 1) return parts[0].latency_mean_seconds;
      const weight = parts.every((part) => part.operation_count != null) ? "operation_count" : "operations_per_second";
      return sum((part) => part.latency_mean_seconds * part[weight]) / sum((part) => part[weight]);
    }
    if (number.number_origin === "measured") return sum((part) => part[number.metric]);
    return number.metric === "operations_per_second" ? sum((part) => part.throughput_bytes_per_second) / parts[0].block_size_bytes : sum((part) => part.operations_per_second) * parts[0].block_size_bytes;
  });
  return Math.exp(runs.map(Math.log).reduce((total, each) => total + each) / runs.length);
}
const behind = (id, numbers, rows) => [numbers.get(id).a_number_id, numbers.get(id).b_number_id].filter(Boolean).flatMap((name) => behind(name, numbers, rows)).concat(rows.get(id) ?? []);

// The symbols of a page's charts, each with its link, what it says it shows, and its chart, for every choice that the page
// offers. A chart of load steps has no symbol without a link.
const STEPS = /[^,] by queue depth$| against mean latency in microseconds$/;
async function symbols(page) {
  const read = () => page.locator("figure svg[aria-label]").evaluateAll((charts) => charts.flatMap((chart) => {
    const wordsOf = (mark) => mark.getAttribute("aria-label") ?? mark.querySelector("[aria-label]")?.getAttribute("aria-label") ?? "";
    const linked = [...chart.querySelectorAll("a")].map((link) => ({href: link.href.baseVal, words: link.querySelector("[aria-label]")?.getAttribute("aria-label") ?? wordsOf(link)}));
    const alone = [...chart.querySelectorAll("g[aria-label=dot] > *, g[aria-label=text] > [aria-label]")].filter((mark) => mark.localName !== "a").map((mark) => ({href: null, words: wordsOf(mark)}));
    return [...linked, ...alone].map((each) => ({...each, chart: chart.getAttribute("aria-label")}));
  }));
  const found = new Map();
  const keep = async () => { for (const each of await read()) found.set(`${each.chart} ${each.href} ${each.words}`, each); };
  await keep();
  for (const choice of await page.locator(".choices label").all()) {
    await choice.click();
    await settled(page);
    await keep();
  }
  const parts = page.locator("select[name=part]");
  for (let index = 1; index < (await parts.count() ? Math.min(await parts.locator("option").count(), 4) : 0); index++) {
    await parts.selectOption({index});
    await settled(page);
    await keep();
  }
  const sweeps = page.getByRole("combobox", {name: "Sweep"});
  for (let index = 1; index < (await sweeps.count() ? await sweeps.locator("option").count() : 0); index += 3) {
    await sweeps.selectOption({index});
    await settled(page);
    await keep();
  }
  return [...found.values()];
}

// The value that a chart says a symbol shows: behind the last colon, without what was measured beside it. “About” and the
// words of a bound stand before a number on its page and not in every chart.
const bare = (text) => text.replace(/^(about|more than|less than) /, "");
const valueOf = (words) => bare(words.split(": ").at(-1).replace(/ measured$| at [\d.,]+ (µs|ms|s)$/, ""));

// Pages of a site that can have charts of numbers: those at the top, and those of a device or submission.
const pages = (directory) => readdirSync(directory, {recursive: true}).map((name) => name.split(sep).join("/")).filter((name) => /^((devices|submissions)\/)?[\w-]+\.html$/.test(name) && name !== "404.html" && !name.endsWith("/index.html"))
  .map((name) => `/${name.replace(/(index)?\.html$/, "")}`).sort();

// Looks at every symbol of every page and follows some of each; returns how many symbols of a number each page has.
async function follow({open, origin}, directory, most) {
  const [list, rowsFound, raw] = ask(directory, "from numbers", operands, "select result_id, submission_id, source_path, source_pointer from results");
  const numbers = new Map(list.map((row) => [row.number_id, row]));
  const rows = grouped(rowsFound, (row) => row.number_id);
  const places = new Map(raw.map((row) => [row.result_id, row]));
  const counts = {};
  for (const path of few(pages(directory), directory)) {
    const {page, faults, close} = await open(path);
    const all = await symbols(page);
    const linked = all.filter(({href}) => href != null);
    const dots = linked.filter(({href}) => href.includes("#n-"));
    assert.deepEqual(all.filter(({href, chart}) => STEPS.test(chart) && !href?.includes("#n-")), [], `${path}: load steps without a number`);
    assert.deepEqual(linked.filter(({href}) => !/#(n|r)-|^source\?|^\.\/source\?/.test(href)), [], `${path}: links that name no number, result or place`);
    if (dots.length) counts[path] = dots.length;
    for (const {href, words} of some(dots, most)) {
      const id = href.split("#n-")[1];
      const number = numbers.get(id);
      assert.ok(number, `${path}: ${href} names no number`);
      assert.ok(Math.abs(computed(id, numbers, rows) / number.number_value - 1) < 1e-11, `${path}: ${href} is not what its operands give`);
      await page.goto(new URL(href, `${origin}${path}`).href);
      const card = page.locator(`.number[id="n-${id}"]`);
      await card.locator(".full").waitFor();
      const shown = await card.locator(".what strong").innerText();
      assert.equal(valueOf(words), bare(shown).replace(/ times$/, ""), `${path}: ${href}`);
      assert.equal(Number(await card.locator(".full").innerText()), number.number_value, href);
      const wanted = [...new Set(behind(id, numbers, rows).map((row) => row.result_id))];
      const links = await card.locator("a[href*='source?']").evaluateAll((found) => found.map((link) => link.href));
      const asked = links.map((link) => new URL(link).searchParams).map((query) => `${query.get("file")} ${query.get("at")}`);
      assert.equal(links.length, behind(id, numbers, rows).length, `${href}: operands`);
      for (const result of wanted) {
        const {submission_id: submission, source_path: file, source_pointer: at} = places.get(result);
        assert.ok(asked.some((query) => query.startsWith(`raw/${submission}/${file}`) && query.endsWith(` ${at}`)), `${href}: no row for ${file} ${at}`);
        assert.ok(await card.locator(`a[href="#r-${result}"]`).count() > 0, result);
      }
    }
    assert.deepEqual(faults, [], path);
    await close();
  }
  return counts;
}

test("the symbols of every page lead to the number they show, and to all that it is made of", {timeout: 300_000}, async () => {
  await follow(site, dist, 3);
});

test("every page that draws numbers of the known dataset has symbols that lead to them", {timeout: 300_000}, async () => {
  const counts = await follow(known, knownDist, FOLLOWED);
  const [drawn] = ask(knownDist, `
    with rated as (from points where coalesce(operations_per_second, throughput_bytes_per_second) is not null)
    select distinct 'devices/' || device_id as page from rated where storage_topology = 'single' and device_id is not null
    union select 'submissions/' || submission_id from rated order by page`);
  assert.ok(drawn.length > 5, JSON.stringify(drawn));
  const wanted = ["", "efficiency", "latency", "media", "queue-depth", "saturation", "scaling", ...drawn.map(({page}) => page)];
  assert.deepEqual(wanted.filter((name) => !(counts[`/${name}`] > 0)), []);
});

test("a value is compared as a whole", () => {
  assert.equal(valueOf("SAS HDD, Database: 864 IOPS"), "864 IOPS");
  assert.notEqual(valueOf("SAS HDD, Database: 1,864 IOPS"), "864 IOPS");
  assert.equal(valueOf("Disk, queue depth 8: more than 10,000 IOPS at 59.6 µs"), "10,000 IOPS");
});

test("a symbol of a stated latency leads to the one result that states it, or to its place in the file", async () => {
  const {page, faults, close} = await known.open("/media");
  const links = (await symbols(page)).filter(({href}) => href != null && !href.includes("#n-"));
  assert.ok(links.length > 0);
  for (const {href, words} of some(links.filter(({href}) => href.includes("#r-")), FOLLOWED)) {
    await page.goto(new URL(href, `${known.origin}/media`).href);
    const row = page.locator("tr.target");
    await row.waitFor();
    const value = /: (?:about |at most |at least )?(.+ (?:µs|ms|s))$/m.exec(words)[1];
    assert.ok((await row.innerText()).includes(value), `${words}: ${await row.innerText()}`);
  }
  assert.deepEqual(faults, []);
  await close();
});

test("a result behind a number opens among the results, and back returns to the number; a name of no number is said", async () => {
  const [[number]] = ask(knownDist, "select submission_id, number_id from numbers where number_kind = 'geometric_mean' order by number_id limit 1");
  const {page, faults, close} = await known.open(`/submissions/${number.submission_id}#n-${number.number_id}`);
  const link = page.locator(".number a[href^='#r-']").first();
  const place = await page.locator(".number a[href*='source?']").first().getAttribute("href");
  await link.click();
  const row = page.locator("tr.target");
  await row.waitFor();
  assert.equal(await row.locator("a[href*='source?']").getAttribute("href"), place);
  await page.goBack();
  await page.locator(".number .full").waitFor();
  await page.goto(`${known.origin}/submissions/${number.submission_id}#n-none`);
  assert.match(await page.locator("#n-none").innerText(), /no number of this name/);
  assert.deepEqual(faults, []);
  await close();
});

test("every number that a chart can name is in the file of its submission", () => {
  const [list] = ask(dist, "select submission_id, number_id from numbers");
  const files = readdirSync(join(dist, "_file", "submissions", "numbers")).map((name) => JSON.parse(readFileSync(join(dist, "_file", "submissions", "numbers", name), "utf8")));
  const published = new Set(files.flatMap(({numbers}) => numbers.map((number) => number.number_id)));
  assert.deepEqual(list.filter((row) => !published.has(row.number_id)), []);
});
