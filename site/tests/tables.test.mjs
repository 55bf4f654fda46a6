// Tables: order, length, and what a reader without scripts has.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {test} from "./limits.mjs";
import {messages} from "../components/messages.js";
import {stateOf} from "../components/state.js";
import {inOrder, table} from "../components/table.js";

const t = messages("en");
const columns = [
  {id: "name", label: "Name", head: true, value: (d) => d.name, sort: (d) => d.name},
  {id: "rate", label: "Rate", unit: "IOPS", num: true, value: (d) => d.rate, sort: (d) => d.rate ?? null},
  {id: "note", label: "Note", value: () => "x"}, {id: "kind", label: "Kind", value: () => null}
];
const rows = Array.from({length: 70}, (_, i) => ({name: `drive ${i}`, rate: i % 7 === 0 ? null : (i * 37) % 101}));
const at = (search) => stateOf({where: {search: () => search, go: () => {}}});
const names = (box) => [...box.querySelectorAll("tbody th")].map((cell) => cell.textContent);

test("a table has all rows, the first fifty at once", () => {
  const box = table(rows, columns, {caption: "Rates", t, state: at(""), id: "rates"});
  assert.equal(names(box).length, 70);
  assert.equal(box.querySelectorAll("tbody.more tr").length, 20);
  assert.equal(box.querySelector(".show-all").textContent, "Show all 70 rows");
  assert.equal(table(rows.slice(0, 50), columns, {t, state: at(""), id: "rates"}).querySelector(".show-all:not(.on-phones)"), null);
});

test("the order and the length of a table stand in the address", () => {
  const box = table(rows, columns, {t, state: at("?rates-sort=-rate&rates-all=1"), id: "rates"});
  const rates = [...box.querySelectorAll("tbody td:nth-child(2)")].map((cell) => cell.textContent).filter((text) => text !== "–").map(Number);
  assert.deepEqual(rates, [...rates].sort((a, b) => b - a));
  assert.equal(box.querySelector('[aria-sort="descending"]').textContent.startsWith("Rate"), true);
  assert.equal(box.querySelector(".show-all input").hasAttribute("checked"), true);
  assert.deepEqual(names(table(rows, columns, {t, state: at("?rates-sort=nonsense"), id: "rates"})), rows.map((d) => d.name));
});

test("rows without a value are last in both orders, and no row is lost", () => {
  for (const chosen of ["rate", "-rate", "name", "-name"]) {
    const sorted = inOrder(rows, columns, chosen);
    assert.deepEqual(new Set(sorted), new Set(rows));
    if (chosen.endsWith("rate")) assert.ok(sorted.slice(-10).every((d) => d.rate == null));
  }
});

test("a wide table names each cell for the cards of a phone", () => {
  const cell = table(rows, columns, {t, state: at(""), id: "rates"}).querySelector("tbody td");
  assert.equal(cell.dataset.label, "Rate (IOPS)");
  assert.ok(table(rows, columns, {t}).classList.contains("as-cards"));
  assert.ok(!table(rows, columns.slice(0, 2), {t}).classList.contains("as-cards"));
});

test("a value that is not there is an en dash", () => {
  assert.equal(table(rows.slice(0, 1), columns, {t}).querySelector("tbody td:last-child").textContent, "–");
});
