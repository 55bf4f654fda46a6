// The SQL page answers in the words of `ioledger sql --csv`: every cell of every saved query, and every type of value. What a
// reader types is never lost, stands in the address, and a mistake is marked where it is.
import assert from "node:assert/strict";
import {execFileSync, spawn} from "node:child_process";
import {existsSync, readFileSync, readdirSync, statSync} from "node:fs";
import {createServer} from "node:http";
import {join} from "node:path";
import {createInterface} from "node:readline";
import {gzipSync} from "node:zlib";
import {after, before, program, test} from "./limits.mjs";
import {csvParseRows} from "d3";
import {dist, spread, start} from "./browser.mjs";
import {python} from "./sites.mjs";
import {packQuery} from "../components/sql/address.js";
import {numberHash, queryOf} from "../components/sql/numbers.js";

const SHOWN = 1000;
const database = join(dist, "download", "ioledger.duckdb");
// What the command prints for queries, in one process that lasts: a line of queries in, a line of texts out. DuckDB takes a program
// without a file for somebody at a terminal, and draws a bar into the output when a query lasts.
const command = spawn(python, ["-c", `import __main__, json, sys
__main__.__file__ = "printed"
from click.testing import CliRunner
from ioledger.cli import main
run = lambda query: CliRunner().invoke(main, ["sql", "--csv", "--database", sys.argv[1], "--", query], catch_exceptions=False).stdout_bytes.decode()
for line in sys.stdin:
    print(json.dumps([run(query) for query in json.loads(line)]), flush=True)`, database], {stdio: ["pipe", "pipe", "inherit"]});
const lines = createInterface(command.stdout)[Symbol.asyncIterator]();
async function printed(...queries) {
  command.stdin.write(`${JSON.stringify(queries)}\n`);
  return JSON.parse((await lines.next()).value);
}
const rowsOf = async (...queries) => (await printed(...queries)).map((text) => csvParseRows(text));
let site;
let opened;

before(async () => {
  site = await start(dist, "--js-flags=--liftoff-only"); // WebAssembly means the same; what runs for a second is not worth a second compilation
  opened = await reader("/sql");
});
after(() => { command.stdin.end(); return site?.stop(); });

// Another reader, with a browser of their own.
async function reader(path) {
  const found = await site.open(path);
  await found.page.waitForSelector(".cm-content");
  return found;
}
async function run(page = opened.page) {
  await page.locator("#run").click();
  await page.waitForFunction(() => !document.querySelector("#run").disabled, null, {timeout: 60_000});
}
// Types a query in the place of the one that stands in the editor. A program is so quick that the editor may draw itself
// between the choice of the old text and the typing, and the new text then stands behind the old one: it is typed again.
async function typeQuery(page, query, tries = 5) {
  await page.locator(".cm-content").fill(query);
  const isThere = page.waitForFunction((text) => document.querySelector("#query").value === text, query, {timeout: 1000});
  await isThere.catch((error) => {
    if (error.name !== "TimeoutError" || tries <= 1) throw error;
    return typeQuery(page, query, tries - 1);
  });
}
async function ask(query, page = opened.page) {
  await typeQuery(page, query);
  await run(page);
}
const typed = (page) => page.locator("#query").evaluate((field) => field.value);
const status = (page = opened.page) => page.locator("#status").innerText();
// The table as it is shown: the names of its columns, then its rows. Where a query was refused, its words are the failure.
async function shown(page = opened.page) {
  const found = await page.locator(".answer table, .error").first().evaluate((each) => each.matches(".error") ? each.textContent
    : [...each.querySelectorAll("tr")].map((row) => [...row.children].map((cell) => cell.className.includes("none") ? "" : cell.title || cell.textContent)), null, {timeout: 5000});
  assert.ok(Array.isArray(found), `refused: ${found}`);
  return found;
}
const refused = (page = opened.page) => page.locator(".error").innerText({timeout: 5000});

test("saved queries show the cells that the command prints: some of them, all with IOLEDGER_VERIFY", {timeout: 300_000}, async () => {
  const every = await opened.page.locator("#saved option").evaluateAll((options) => options.map((option) => option.value).filter(Boolean));
  const names = process.env.IOLEDGER_VERIFY ? every : spread(every, 6);
  const queries = names.map((name) => readFileSync(["queries", "data"].map((folder) => join("site", folder, `${name}.sql`)).find(existsSync), "utf8").trim());
  const answers = await rowsOf(...queries);
  assert.ok(answers.flat(2).length > 500);
  for (const [i, name] of names.entries()) {
    await opened.page.locator("#saved").selectOption(name);
    await opened.page.waitForFunction((text) => document.querySelector("#query").value === text, queries[i]);
    await run();
    assert.deepEqual(await shown(), answers[i].slice(0, SHOWN + 1), name);
  }
  assert.deepEqual(opened.faults, []);
});

// One value of each type, with the text it must have: null, every width of number with its limits, text, bytes, times, and
// values inside values.
const literals = [
  ["null", ""], ["true", "true"], ["false", "false"], ["''", ""], ["'NULL'", "NULL"], ["'a \"b\", c'", 'a "b", c'], ["'two\nlines  and spaces '", "two\nlines  and spaces "], ["'日本語 é'", "日本語 é"],
  ["(-128)::tinyint", "-128"], ["255::utinyint", "255"], ["(-32768)::smallint", "-32768"], ["65535::usmallint", "65535"], ["(-2147483648)::integer", "-2147483648"], ["4294967295::uinteger", "4294967295"],
  ["9007199254740993::bigint", "9007199254740993"], ["(-9223372036854775808)::bigint", "-9223372036854775808"], ["18446744073709551615::ubigint", "18446744073709551615"],
  ["170141183460469231731687303715884105727::hugeint", "170141183460469231731687303715884105727"], ["(-170141183460469231731687303715884105728)::hugeint", "-170141183460469231731687303715884105728"],
  ["340282366920938463463374607431768211455::uhugeint", "340282366920938463463374607431768211455"], ["(-1)::hugeint", "-1"],
  ["12.345::decimal(9,3)", "12.345"], ["(-0.05)::decimal(4,2)", "-0.05"], ["12345678901234567890.123456789::decimal(38,9)", "12345678901234567890.123456789"], ["(-99999999999999999999999999999999999999)::decimal(38,0)", "-99999999999999999999999999999999999999"],
  ["0.1::float", "0.1"], ["16777217::float", "16777216.0"], ["0.1::double + 0.2::double", "0.30000000000000004"], ["100000::double", "100000.0"], ["1e16::double", "1e+16"], ["1e-5::double", "1e-05"], ["123456789.125::double", "123456789.125"],
  ["'infinity'::double", "inf"], ["'-infinity'::double", "-inf"], ["'nan'::double", "nan"], ["'-0.0'::double", "-0.0"],
  ["date '2026-11-03'", "2026-11-03"], ["date '1969-12-31'", "1969-12-31"], ["date '0044-03-15 (BC)'", "0044-03-15 (BC)"], ["'infinity'::date", "infinity"],
  ["time '12:34:56.789012'", "12:34:56.789012"], ["time '00:00:00'", "00:00:00"], ["timetz '12:34:56+02'", "12:34:56+02"],
  ["timestamp '2026-11-03 12:34:56.789012'", "2026-11-03 12:34:56.789012"], ["timestamp '1969-12-31 23:59:59.9'", "1969-12-31 23:59:59.9"], ["timestamp_s '2026-11-03 12:34:56'", "2026-11-03 12:34:56"],
  ["timestamp_ms '2026-11-03 12:34:56.789'", "2026-11-03 12:34:56.789"], ["timestamp_ns '2026-11-03 12:34:56.789012345'", "2026-11-03 12:34:56.789012345"], ["'2026-11-03 12:34:56+02'::timestamptz", "2026-11-03 10:34:56+00"],
  ["interval '14 months 3 days 4 hours 5.5 seconds'", "1 year 2 months 3 days 04:00:05.5"], ["interval '-1 day'", "-1 day"],
  ["'\\x00\\xFFa'::blob", "\\x00\\xFFa"], ["'10110'::bit", "10110"], ["uuid '0b6a7c2e-9f3d-4c58-8a1b-1f2e3d4c5b6a'", "0b6a7c2e-9f3d-4c58-8a1b-1f2e3d4c5b6a"], ["'b'::enum('a', 'b')", "b"],
  ["[1, null, 3]", "[1, NULL, 3]"], ["[]::integer[]", "[]"], ["[date '2026-11-03']", "[2026-11-03]"], ["[[1], [2, 3]]", "[[1], [2, 3]]"], ["[1, 2]::integer[2]", "[1, 2]"], ["[0.5::double, 1e300::double]", "[0.5, 1e+300]"],
  ["{'k': 1, 'l': null}", "{'k': 1, 'l': NULL}"], ["map {'k': 1}", "{k=1}"], ["union_value(n := 7)", "7"]
];

test("a value of every type has the text that DuckDB gives it, on the page and in CSV", async () => {
  const query = `select ${literals.map(([literal], i) => `${literal} as c${i}`).join(", ")}`;
  const wanted = [literals.map((_, i) => `c${i}`), literals.map(([, text]) => text)];
  await ask(query);
  assert.deepEqual(await shown(), wanted);
  assert.deepEqual(await rowsOf(query), [wanted]);
});

// What is no query by itself is answered as the command answers it; columns of one name stand beside each other, and
// semicolons in strings and comments part nothing.
const ANSWERED = [
  "describe select 1 a, 2 a", "show tables", "summarize select unnest([1, 2]) as n", "pivot (values ('k', 2)) t(a, b) on a using sum(b)", "values (1, 'a')", "with x as (select 1 as n) from x -- n",
  "select 1 a, 2 a, 'x' as \"b;\"", "select 'é; ü' as a, $$;$$ as b -- one; two\n ; /* three; */ ", "select i, i::varchar from range(900) t(i) order by i % 7 desc, i"
];
// What the page refuses, and in which words.
const REFUSED = [
  ...["select 1; select 2", "select 1;;\nselect 2;", "create temp table made as select 1; select 2"].map((query) => [query, /2 statements, so none was run/]),
  ["from made", /made does not exist/], [" -- nothing; at all\n", /no statement/], ["selec 1", /syntax error/], ["select nonsense", /nonsense/], ["select 1) x, (select 2", /syntax error/], ["drop table results", /read-only/], ["explain select 1", /read-only/],
  ...["select current_date as d", "select date_trunc('day', timestamptz '2026-01-01 23:00:00+00') as t"].map((query) => [query, /^(?!.*(install|transaction)).*extension that this page does not load; use “ioledger sql”/is]),
  ...["use memory", "begin", "set schema = 'memory.main'", "set threads = 1", "create temp table results as select 1 as n", "create view memory.main.results as select 1 as n", "attach ':memory:' as other", "detach ioledger", "set variable n = 5", "explain analyze create temp table results as select 1 as n"].map((query) => [query, /This page runs one query at a time/])
];

test("a query is answered as the command answers it, or refused in words that help; whatever was asked before, the next one asks the published database", async () => {
  const next = "from results limit 1";
  const answers = await rowsOf(...ANSWERED, next);
  for (const [i, query] of ANSWERED.entries()) {
    await ask(query);
    assert.deepEqual(await shown(), answers[i], query);
  }
  for (const [query, words] of REFUSED) {
    await ask(query);
    await opened.page.locator(".error", {hasText: words}).waitFor({timeout: 5000}).catch(() => assert.fail(`not refused with ${words}: ${query}`)); // where the one before may still stand
  }
  await ask(next);
  assert.deepEqual(await shown(), answers.at(-1));
});

test("every table answers in the engine of this page, with the columns that the command has, and is listed beside the editor", async () => {
  const [[[, ...tables]], listed] = [await rowsOf("show tables"), await opened.page.locator(".tables summary > code").allTextContents()];
  assert.ok(tables.length > 20);
  const beside = `select ${tables.map((_, i) => `t${i}.*`).join(", ")} from ${tables.map(([name], i) => `(from ${name} limit 1) t${i}`).join(" positional join ")}`;
  await ask(beside);
  assert.deepEqual((await shown())[0], (await rowsOf(beside))[0][0]);
  const [[, ...all]] = await rowsOf("select if(schema_name = 'main', '', schema_name || '.') || table_name from duckdb_tables() where table_name <> 'beside' order by all");
  assert.deepEqual(listed.toSorted(), all.flat().toSorted());
});

test("the CSV that the page saves has the bytes that the command prints; Arrow holds every row with its type and every digit", async () => {
  const saved = async (form) => {
    const [download] = await Promise.all([opened.page.waitForEvent("download"), opened.page.locator(`#save-${form}`).click()]);
    return {name: download.suggestedFilename(), path: await download.path()};
  };
  for (const query of ["select 1 as a, 'b, \"c\"\nd' as a, null as n, date '2026-11-03' as \"day, of\" union all select 2, '', 'one' || chr(13) || 'two', null union all select 3, chr(13), chr(13) || chr(10), null order by 1", "select null as only"]) {
    await ask(query);
    assert.deepEqual([readFileSync((await saved("csv")).path, "utf8")], await printed(query));
  }
  const {release_id: release} = JSON.parse(readFileSync(join(dist, "data", "release.json"), "utf8"));
  await ask("select i, 9007199254740993 + i as wide, case when i % 2 = 0 then 'é' || i end as word from range(2000) t(i) order by i");
  const {name, path} = await saved("arrow");
  assert.equal(name, `ioledger-${release.slice(0, 12)}.arrow`);
  const rows = JSON.parse(execFileSync(python, ["-c", `import json, sys, duckdb, pyarrow as pa
rows = pa.ipc.open_file(sys.argv[1]).read_all()
print(json.dumps(duckdb.from_arrow(rows).project(", ".join(f'cast(#{i + 1} as varchar)' for i in range(3))).fetchall()))`, path], program()));
  assert.deepEqual([rows.length, rows[3]], [2000, ["3", "9007199254740996", null]]);
});

test("a query that runs long is cancelled at once, and the next one is answered, with the engine here and that of the command", async () => {
  await typeQuery(opened.page, "select count(*) from range(200000) a, range(200000) b where (a.range * b.range) % 7 = 3");
  await opened.page.locator("#run").click();
  await opened.page.waitForTimeout(500);
  const started = Date.now();
  await opened.page.locator("#cancel").click();
  await opened.page.waitForFunction(() => !document.querySelector("#run").disabled, null, {timeout: 20_000});
  assert.ok(Date.now() - started < 5000, `${Date.now() - started} ms`);
  assert.match(await status(), /cancelled/);
  await ask("select version() as v");
  const [[, [here]], [[, [there]]]] = [await shown(), await rowsOf("select version() as v")];
  for (const words of [`DuckDB ${here} on this page`, `uses DuckDB ${there}`]) assert.ok((await status()).includes(words), words);
});

test("a mistake is marked where it is: line and column, and the word in the editor", async () => {
  for (const [query, line, column, word] of [
    ["select device,\n  nonsense\nfrom peaks", 2, 3, "nonsense"], ["-- é ü 日本\nselect 1 frm peaks x y", 2, 14, "peaks"], ["  select 1 +\n\n  from peaks", 3, 3, "from"],
    ["with x as (select wrong from peaks) from x", 1, 19, "wrong"], ["from nowhere_at_all", 1, 6, "nowhere_at_all"]
  ]) {
    await ask(query);
    assert.match(await refused(), new RegExp(`^Line ${line}, column ${column}`), query);
    assert.deepEqual(await opened.page.locator(".cm-content .mistaken").allInnerTexts(), [word], query);
  }
  await typeQuery(opened.page, "select 1");
  assert.equal(await opened.page.locator(".mistaken").count(), 0);
});

test("choosing a saved query never loses what was typed: back and undo bring it back", async () => {
  const {page, close} = await reader("/sql");
  const mine = "select 'my own long work' as words";
  await typeQuery(page, mine);
  for (const back of [() => page.goBack(), () => page.locator(".cm-content").press("ControlOrMeta+z")]) {
    await page.locator("#saved").selectOption("media-ladder");
    await page.waitForURL(/query=media-ladder$/);
    await back();
    await page.waitForFunction((text) => document.querySelector("#query").value === text, mine);
  }
  await close();
});

test("what is typed stands in the address: a shared link and back show the same, with the answer", async () => {
  const {page} = opened;
  const earlier = await typed(page);
  await page.locator("#saved").selectOption("media-ladder");
  await page.waitForURL(/\?query=media-ladder$/);
  const query = "select i as n, i * i as square, 'é#&' as word from range(5) t(i)";
  await ask(query, page);
  await page.waitForURL(/#q=[\w-]+/);
  const before = await shown(page);
  await page.waitForURL(/&run=$/);
  const other = await reader(page.url().replace(site.origin, ""));
  await other.page.waitForSelector(".answer");
  assert.equal(await typed(other.page), query);
  assert.deepEqual(await shown(other.page), before);
  assert.deepEqual(other.faults, []);
  await other.close();
  await page.goBack();
  await page.waitForFunction((text) => document.querySelector("#query").value === text, earlier);
});

test("a link made with another release says so, a link that was cut or names no query says that, and none is run", async () => {
  const q = await packQuery("select 1 as n");
  for (const [address, place, words, query] of [
    [`/sql#q=${q}&r=0123456789ab`, "#pinned", /release 0123456789ab/, "select 1 as n"], [`/sql${numberHash("r", "f00d", "0123456789ab")}`, "#pinned", /release 0123456789ab/, queryOf("r", "f00d", "operations_per_second")],
    [`/sql#q=${q.slice(0, -3)}`, "#status", /cannot be read/], ["/sql?query=no-such-query", "#status", /no saved query “no-such-query”/]
  ]) {
    const {page, requests, close} = await reader(address);
    assert.match(await page.locator(place).innerText(), words);
    if (query) assert.equal(await typed(page), query);
    assert.deepEqual(requests.filter((each) => /\.wasm|\.duckdb/.test(each)), []);
    await close();
  }
});

test("the first query moves at most 10 MB with compression, and of the database what it needs, and the page answers in Japanese", async () => {
  const {page, faults, requests, close} = await reader("/ja/sql");
  await page.locator("#saved").selectOption("peaks-by-device");
  await run(page);
  const [read, of] = [...(await status(page)).matchAll(/([\d.]+)\sMB/g)].map(([, size]) => Number(size)).sort((a, b) => a - b);
  assert.ok(Math.abs(of * 1e6 - statSync(database).size) < 1e5, await status(page));
  // A worker loads the engine, and a page does not see all that a worker asks for.
  const npm = join(dist, "_npm", "@duckdb");
  const engine = join(npm, readdirSync(npm).find((name) => name.startsWith("duckdb-wasm@")), "dist");
  const files = new Set([...requests.map((address) => join(dist, decodeURIComponent(new URL(address).pathname))), ...readdirSync(engine).map((name) => join(engine, name))]);
  const sent = [...files].filter((path) => !path.endsWith(".duckdb") && existsSync(path) && statSync(path).isFile());
  const worth = sent.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0) / 1e6;
  assert.ok(sent.length > 10 && read < 3 && worth + read <= 10, `${sent.length} files with ${worth.toFixed(1)} MB, and ${read} MB of the database`);
  await ask("select 1 as n", page);
  assert.match(await status(page), /1 行、/);
  await ask("select 1; select 2", page);
  assert.match(await refused(page), /文が 2 個/);
  assert.deepEqual(faults, []);
  await close();
});

test("a server that gives no ranges and unpacks what is packed is met by one read of the whole, and the answer is the same", async () => {
  const served = createServer(async (request, response) => {
    const answer = await fetch(`${site.origin}${request.url}`);
    // it says of a packed file that its content is packed, so that the browser unpacks it before the page can
    const isPacked = request.url.endsWith(".gz");
    response.writeHead(answer.status, {"content-type": answer.headers.get("content-type"), ...(isPacked && {"content-encoding": "gzip"})});
    response.end(request.method === "HEAD" ? undefined : Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise((done) => { served.unref().listen(0, "127.0.0.1", done); });
  const {page, close} = await site.open("/sql");
  await page.goto(`http://127.0.0.1:${served.address().port}/sql`);
  await page.waitForSelector(".cm-content");
  await ask("select count(*) as n from results", page);
  assert.deepEqual([await shown(page)], await rowsOf("select count(*) as n from results"));
  assert.match(await status(page), /does not support range requests/);
  await close();
  served.closeAllConnections();
  served.close();
});

test("words that one types are completed by tables and their columns, a click puts the name of a column into the query, and the keyboard leaves the editor", async () => {
  const {page, close} = await reader("/sql");
  await typeQuery(page, "");
  await page.locator(".cm-content").pressSequentially("select peak_v");
  await page.locator(".cm-content").pressSequentially(" from pea", {delay: 20});
  await page.waitForSelector(".cm-tooltip-autocomplete");
  assert.ok((await page.locator(".cm-tooltip-autocomplete li").allInnerTexts()).some((text) => text.startsWith("peaks")));
  await page.waitForSelector(".cm-completionInfo");
  assert.match(await page.locator(".cm-completionInfo").innerText(), /peak/i);
  await page.keyboard.press("Escape");
  await typeQuery(page, "");
  await page.locator("#table-peaks summary").click();
  await page.locator("#table-peaks .columns button", {hasText: /^peak_value$/}).click();
  assert.equal(await typed(page), "peak_value");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "run");
  await close();
});
