// The page of rules shows every rule that the code asks, and no other.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {dist} from "./browser.mjs";
import {program, test} from "./limits.mjs";
import {python} from "./sites.mjs";
import {messages} from "../components/messages.js";

const rules = JSON.parse(execFileSync(python, ["-m", "ioledger", "rules", "--json"], {encoding: "utf8", ...program()}));

test("every rule has a line with its text and whether it refuses or warns, and an address of its own, in both languages", () => {
  for (const [language, folder] of [["en", "."], ["ja", "ja"]]) {
    const t = messages(language);
    const said = language === "ja" ? Object.assign({}, ...["checks", "rules"].map((name) => JSON.parse(readFileSync(join("site", "glosses", `${name}.json`), "utf8")))) : {};
    const page = new DOMParser().parseFromString(readFileSync(join(dist, folder, "rules.html"), "utf8"), "text/html");
    const lines = new Map([...page.querySelectorAll("main tbody tr")].map((row) => [row.querySelector("a[id]").id, row]));
    assert.deepEqual([...lines.keys()].sort(), rules.map(({rule}) => rule).sort());
    for (const {rule, text, severity} of rules) {
      assert.ok(lines.get(rule).textContent.includes(said[text] ?? text), rule);
      assert.ok(lines.get(rule).textContent.includes(t(severity === "refuse" ? "rules.refuses" : "rules.warns")), rule);
      assert.equal(lines.get(rule).querySelector("a[id]").getAttribute("href"), `#${rule}`);
    }
  }
});
