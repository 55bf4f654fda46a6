// The parts of the SQL page that need no browser: the query in the address, the text of values, mistakes.
import assert from "node:assert/strict";
import {test} from "./limits.mjs";
import {hashOf, packQuery, parts, unpackQuery} from "../components/sql/address.js";
import {cellText, csv} from "../components/sql/answer.js";
import {numberHash, numberOf, queryOf} from "../components/sql/numbers.js";

test("a query comes out of the address as it went in, whatever is in it", async () => {
  const letters = ["select ", "from", " ", "\n", "'", "#", "&", "=", "%", "é", "日本", "😀", "--", "+", "/", "?"];
  for (const [i, letter] of letters.entries()) for (const other of letters) {
    const text = letter + other + letters.slice(i).join("");
    const hash = hashOf({q: await packQuery(text), r: "abc", run: true});
    assert.match(hash, /^#[\w=&,-]+$/);
    const found = parts(hash);
    assert.deepEqual([await unpackQuery(found.q), found.r, found.run, hashOf(found)], [text, "abc", "", hash]);
  }
});

test("the address of a number gives its query, whatever its name is, and an address that was cut gives none", () => {
  const release = "0123456789ab";
  for (const metric of ["operations_per_second", "latency_mean_seconds"]) assert.deepEqual(numberOf(numberHash("p", "f00d", release, metric)), {query: queryOf("p", "f00d", metric), r: release});
  assert.equal(numberHash("r", "f00d", release), `#r/f00d@${release}`);
  const odd = numberOf(numberHash("c", "a b@c/it's & 100 %", release));
  assert.deepEqual(odd, {query: queryOf("c", "a b@c", "it's & 100 %"), r: release});
  assert.match(odd.query, /submission_id = 'a b@c' and claim_id = 'it''s & 100 %'$/);
  for (const hash of ["", "#", "#r/", "#r/x", "#r/@abc", "#x/y@abc", "#r.z/y@abc", "#c/one@abc", "#r/a/b@abc", "#r/%E0%A4%A@abc", "#q=r/x@abc"]) assert.equal(numberOf(hash), null, hash);
});

test("a number keeps every digit in groups of three, what is no plain number its text; CSV has columns of one name, and quotes where they are needed", () => {
  for (const [text, type, shown] of [["18446744073709551615", "UBIGINT", "18,446,744,073,709,551,615"], ["-0.00012345", "DOUBLE", "-0.00012345"], ["12345678.125", "DECIMAL(11,3)", "12,345,678.125"], ["9999", "INTEGER", "9999"], ["inf", "DOUBLE", "inf"], ["12345", "VARCHAR", "12345"], ["true", "BOOLEAN", "true"], [null, "INTEGER", "null"]]) {
    assert.equal(cellText(text, type), shown);
  }
  const columns = [{name: "a"}, {name: "a"}, {name: "b, c"}];
  assert.equal(csv({columns, rows: [["1", null, "x\ny"], ["", "\"q\"", "z"]]}), 'a,a,"b, c"\n1,,"x\ny"\n,"""q""",z\n');
});
