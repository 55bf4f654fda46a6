// The page of rules shows every rule that the code asks, and no other.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {after, before, program, test} from "./limits.mjs";
import {start} from "./browser.mjs";

const python = process.platform === "win32" ? ".venv/Scripts/python.exe" : ".venv/bin/python";
const rules = JSON.parse(execFileSync(python, ["-m", "ioledger", "rules", "--json"], {encoding: "utf8", ...program()}));
let site;

before(async () => { site = await start(); });
after(() => site?.stop());

test("every rule has a line with its text and whether it refuses or warns, and an address of its own", async () => {
  const {page, close} = await site.open("/about/rules");
  const shown = await page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [row.querySelector("a[id]").id, row.innerText]));
  assert.deepEqual(shown.map(([id]) => id).sort(), rules.map(({rule}) => rule).sort());
  const lines = new Map(shown);
  for (const {rule, text, severity} of rules) {
    assert.ok(lines.get(rule).includes(text), rule);
    assert.ok(lines.get(rule).includes(severity === "refuse" ? "refuses" : "warns"), rule);
  }
  await close();
  const last = rules.at(-1).rule;
  const asked = await site.open(`/about/rules#${last}`);
  assert.equal(await asked.page.locator("tr.target a[id]").getAttribute("id"), last);
  await asked.close();
});
