// What a test file makes for itself goes with it, however it ends.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {program, test} from "./limits.mjs";

test("a file that ends in the middle, as with a browser that died, leaves no dataset", () => {
  const folder = mkdtempSync(join(tmpdir(), "ioledger-sites-"));
  const [made, temporary] = ["made", "temporary"].map((name) => join(folder, name));
  try {
    for (const name of ["build", "data"]) mkdirSync(join(made, name), {recursive: true});
    writeFileSync(join(made, "data", "notes.txt"), "kept");
    mkdirSync(temporary);
    const env = {...process.env, IOLEDGER_SAMPLE: made, TMPDIR: temporary, TEMP: temporary};
    const code = 'const {dataset} = await import("./site/tests/sites.mjs"); console.log(dataset().folder); process.exit(1);';
    const {status, stdout} = spawnSync("node", ["--input-type=module", "-e", code], {env, encoding: "utf8", ...program()});
    assert.equal(status, 1);
    assert.ok(stdout.trim().startsWith(temporary), stdout);
    assert.deepEqual(readdirSync(temporary), []);
    assert.equal(readFileSync(join(made, "data", "notes.txt"), "utf8"), "kept");
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
});
