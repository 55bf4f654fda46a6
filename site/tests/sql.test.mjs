// The SQL page answers in the words of `ioledger sql --csv`: every cell of every saved query, and every type of value.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {existsSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {after, before, program, test} from "./limits.mjs";
import {csvParseRows} from "d3";
import {dist, start} from "./browser.mjs";

const command = process.platform === "win32" ? ".venv/Scripts/ioledger.exe" : ".venv/bin/ioledger";
const database = join(dist, "download", "ioledger.duckdb");
const printed = (query) => execFileSync(command, ["sql", "--csv", "--database", database, "--", query], {encoding: "utf8", maxBuffer: 1 << 28, ...program()});
const SHOWN = 1000;
let site;
let opened;

before(async () => {
  site = await start();
  opened = await site.open("/sql");
});
after(() => site?.stop());

async function run() {
  await opened.page.locator("#run").click();
  await opened.page.waitForFunction(() => !document.querySelector("#run").disabled, null, {timeout: 60_000});
}
async function ask(query) {
  await opened.page.locator("#query").fill(query);
  await run();
}
const refused = () => opened.page.locator(".error").innerText({timeout: 5000});
// The table as it is shown: the names of its columns, then its rows.
const shown = () => opened.page.locator(".answer table").evaluate((table) => [...table.querySelectorAll("tr")].map((row) => [...row.children].map((cell) => cell.textContent)), null, {timeout: 5000});

test("every saved query shows the cells that the command prints", {timeout: 300_000}, async () => {
  const saved = await opened.page.locator("#saved option").evaluateAll((options) => options.map((option) => option.value));
  assert.ok(saved.length > 5);
  let cells = 0;
  for (const name of saved) {
    await opened.page.locator("#saved").selectOption(name);
    const query = readFileSync(["queries", "data"].map((folder) => join("site", folder, `${name}.sql`)).find(existsSync), "utf8").trim();
    await opened.page.waitForFunction((text) => document.querySelector("#query").value === text, query);
    await run();
    assert.deepEqual(await opened.page.locator(".error").allInnerTexts(), [], name);
    const wanted = csvParseRows(printed(query));
    assert.deepEqual(await shown(), wanted.slice(0, SHOWN + 1), name);
    cells += wanted.flat().length;
  }
  assert.ok(cells > 1000, `${cells} cells`);
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
  assert.deepEqual(await opened.page.locator(".error").allInnerTexts(), []);
  assert.deepEqual(await shown(), wanted);
  assert.deepEqual(csvParseRows(printed(query)), wanted);
});

test("columns of one name stand beside each other, and rows keep the order they were asked for", async () => {
  await ask("select 1 a, 2 a, 'x' as \"b;\"");
  assert.deepEqual(await shown(), [["a", "a", "b;"], ["1", "2", "x"]]);
  await ask("select i, i::varchar from range(2000) t(i) order by i % 7 desc, i");
  const rows = Array.from({length: 2000}, (_, i) => i).sort((a, b) => b % 7 - a % 7 || a - b);
  assert.deepEqual((await shown()).slice(1).map(([i]) => +i), rows.slice(0, SHOWN));
});

test("numbers stand to the right, large and small ones too, and words to the left", async () => {
  await ask("select 1::hugeint, 1.5::decimal(3,1), 'word', date '2026-11-03'");
  assert.deepEqual(await opened.page.locator(".answer tbody td").evaluateAll((cells) => cells.map((cell) => cell.className)), ["num", "num", "", ""]);
});

test("several statements are refused before one of them runs; semicolons in strings and comments part nothing", async () => {
  for (const query of ["select 1; select 2", "select 1;;\nselect 2;", "create temp table made as select 1; select 2"]) {
    await ask(query);
    assert.match(await refused(), /2 statements, and none of them was run/, query);
  }
  await ask("from made");
  assert.match(await refused(), /made does not exist/);
  await ask(" -- nothing; at all\n");
  assert.match(await refused(), /no statement/);
  await ask("select 'é; ü' as a, $$;$$ as b -- one; two\n ; /* three; */ ");
  assert.deepEqual(await shown(), [["a", "b"], ["é; ü", ";"]]);
});

test("what is no query by itself is answered as the command answers it, or its mistake is said", async () => {
  for (const query of ["describe select 1 a, 2 a", "show tables", "summarize select unnest([1, 2]) as n", "pivot (values ('k', 2)) t(a, b) on a using sum(b)", "values (1, 'a')", "with x as (select 1 as n) from x -- n"]) {
    await ask(query);
    assert.deepEqual(await shown(), csvParseRows(printed(query)), query);
  }
  await ask("explain select 1");
  assert.match((await shown())[1].join("\n"), /┌─+┐\n/);
  for (const [query, words] of [["selec 1", /syntax error/], ["select nonsense", /nonsense/], ["select 1) x, (select 2", /syntax error/], ["drop table results", /read-only/]]) {
    await ask(query);
    assert.match(await refused(), words, query);
  }
});

test("whatever was asked before, a query is answered, and asks the published database", async () => {
  const state = ["use memory", "begin", "set schema = 'memory.main'", "set threads = 1", "create temp table results as select 1 as n", "create view memory.main.results as select 1 as n", "attach ':memory:' as other", "detach ioledger", "set variable n = 5", "explain analyze create temp table results as select 1 as n"];
  for (const query of state) {
    await ask(query);
    assert.match(await refused(), /Only queries are answered here/, query);
    await ask("select nonsense");
    assert.match(await refused(), /nonsense/, query);
    await ask("from results limit 1");
    assert.deepEqual(await shown(), csvParseRows(printed("from results limit 1")), query);
  }
});

test("a function of an extension is refused in words that help, and the engine goes on", async () => {
  for (const query of ["select current_date as d", "select today() as d", "select current_setting('TimeZone')", "select make_timestamptz(2026, 7, 1, 12, 0, 0)", "select date_trunc('day', timestamptz '2026-01-01 23:00:00+00') as t", "select extract(hour from '2026-07-01 12:00:00'::timestamp::timestamptz)"]) {
    await ask(query);
    const said = await refused();
    assert.match(said, /extension that the page does not load; ask with “ioledger sql”/, query);
    assert.doesNotMatch(said, /install|transaction/i, query);
    await ask("from results limit 1");
    assert.deepEqual(await shown(), csvParseRows(printed("from results limit 1")), query);
  }
});

test("an answer names the engine that gave it, and the one of the command", async () => {
  await ask("select version() as v");
  const [, [here]] = await shown();
  const [, [there]] = csvParseRows(printed("select version() as v"));
  const said = await opened.page.locator("[role=status]").last().innerText();
  assert.ok(said.includes(`by DuckDB ${here} in this page`), said);
  assert.ok(said.includes(`asks DuckDB ${there}`), said);
});

test("the file that the page saves has the bytes that the command prints", async () => {
  const query = "select 1 as a, 'b, \"c\"\nd' as a, null as n, date '2026-11-03' as \"day, of\" union all select 2, '', 'one' || chr(13) || 'two', null union all select 3, chr(13), chr(13) || chr(10), null order by 1";
  await ask(query);
  const [download] = await Promise.all([opened.page.waitForEvent("download"), opened.page.getByRole("button", {name: "Download as CSV"}).click()]);
  assert.equal(readFileSync(await download.path(), "utf8"), printed(query));
  await ask("select null as only");
  const [next] = await Promise.all([opened.page.waitForEvent("download"), opened.page.getByRole("button", {name: "Download as CSV"}).click()]);
  assert.equal(readFileSync(await next.path(), "utf8"), printed("select null as only"));
});
