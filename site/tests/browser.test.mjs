// The browser of the tests: it draws text on a bare machine, and one that fails is one clear failure and no hang.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {chosen} from "../../tools/browser.mjs";
import {after, before, test} from "./limits.mjs";

const folder = mkdtempSync(join(tmpdir(), "ioledger-"));
const pidFile = join(folder, "pid");
let real;
before(async () => { real = await chosen(); });
after(() => rmSync(folder, {recursive: true, force: true}));

// A program with these lines of shell; returns its path.
function program(name, lines) {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

function run(args, env) {
  const {NODE_TEST_CONTEXT, ...rest} = {...process.env, ...env};
  const started = Date.now();
  const {status, stdout, stderr} = spawnSync("node", args, {encoding: "utf8", env: rest, timeout: 60_000, killSignal: "SIGKILL"});
  return {status, stdout, stderr, seconds: (Date.now() - started) / 1000};
}

// Runs a file of two tests, the first of which sends a signal to its browser; `line` is what follows it.
function interrupted(signal, line) {
  const file = join(folder, `${signal}.test.mjs`);
  const at = (path) => JSON.stringify(pathToFileURL(resolve(path)).href);
  writeFileSync(file, `
    import {readFileSync} from "node:fs";
    import {start} from ${at("site/tests/browser.mjs")};
    import {after, before, test} from ${at("site/tests/limits.mjs")};
    let site;
    before(async () => { site = await start(${JSON.stringify(folder)}, {every: 500, answer: 2000}); });
    after(() => site.stop());
    test("the browser is gone", async () => {
      const {page} = await site.open("/");
      process.kill(Number(readFileSync(${JSON.stringify(pidFile)}, "utf8")), "${signal}");
      ${line}
    });
    test("it is still gone", async () => { await site.open("/"); });`);
  writeFileSync(join(folder, "index.html"), "<!doctype html><h1>A page</h1>");
  const wrapped = program("wrapped", `echo $$ > '${pidFile}'\nexec '${real.executablePath}' "$@"`);
  return run(["--test", "--test-reporter=tap", file], {...real.env, CHROMIUM: wrapped});
}

test("the chosen browser starts and draws text that has a width", () => {
  const {status, stdout} = run(["tools/browser.mjs"], {});
  assert.equal(status, 0);
  assert.ok(Number(/is ([\d.]+) px wide/.exec(stdout)[1]) > 0);
});

test("the locked browser is taken, with its libraries and its font, unless CHROMIUM names another", {skip: Boolean(process.env.CHROMIUM)}, async () => {
  const {version} = JSON.parse(readFileSync("package-lock.json", "utf8")).packages["node_modules/@sparticuz/chromium"];
  assert.ok(real.executablePath.startsWith(resolve("node_modules")) && real.executablePath.includes(`chromium-${version}`), real.executablePath);
  assert.ok(readdirSync(real.env.LD_LIBRARY_PATH).includes("libnss3.so"));
  assert.ok(readdirSync(join(real.env.FONTCONFIG_PATH, "fonts")).length > 0);
});

test("a browser that ends at once, hangs at once or is not there is one line, soon", () => {
  const hanging = program("hanging", "exec sleep 600");
  const ending = program("ending", "echo 'libnspr4.so: cannot open shared object file' >&2\nexit 127");
  for (const [path, reason] of [[ending, /libnspr4\.so: cannot open shared object file; exitCode=127/], [hanging, /no answer within 2 s/], [join(folder, "none"), /there is no such file/]]) {
    const {status, stderr, seconds} = run(["tools/browser.mjs", "2"], {CHROMIUM: path});
    assert.equal(status, 1);
    assert.match(stderr, reason);
    assert.equal(stderr.trim().split("\n").length, 1, stderr);
    assert.ok(seconds < 30, `${seconds} s`);
  }
});

for (const [signal, line, words] of [
  ["SIGKILL", "await page.waitForTimeout(60_000);", "The browser died."],
  ["SIGSTOP", "await page.title();", "The browser did not answer within 2 s."]
]) {
  test(`a browser that gets ${signal} during the tests ends the file with one failure`, () => {
    const {status, stdout, stderr, seconds} = interrupted(signal, line);
    assert.equal(status, 1);
    assert.ok(`${stdout}${stderr}`.includes(words), `${stdout}${stderr}`);
    assert.equal(stdout.match(/^not ok /gm)?.length, 1, stdout);
    assert.ok(!stdout.includes("still gone"), stdout);
    assert.ok(seconds < 30, `${seconds} s`);
  });
}

test("every file of tests takes its words with their time limits", () => {
  const files = readdirSync("site/tests").filter((name) => name.endsWith(".test.mjs"));
  assert.ok(files.length > 5);
  for (const name of files) assert.doesNotMatch(readFileSync(join("site/tests", name), "utf8"), /^import .* from "node:test"/m, name);
});
