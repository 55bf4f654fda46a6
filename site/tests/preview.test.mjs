// The preview answers for pages and for the files that a build puts beside them, and shows what changed.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {once} from "node:events";
import {mkdtempSync, readFileSync, readdirSync, rmSync} from "node:fs";
import {createServer} from "node:net";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before, test} from "./limits.mjs";
import {dataset} from "./sites.mjs";

const {folder, remove} = dataset();
const [build, data, dist] = ["build", "data", "dist"].map((name) => join(folder, name));
const scratch = mkdtempSync(join(tmpdir(), `ioledger-own-${process.pid}-`));
const submission = readdirSync(data).sort()[0];
let child;
let origin;

const freePort = () => new Promise((done) => {
  const server = createServer().listen(0, "127.0.0.1", () => { const {port} = server.address(); server.close(() => done(port)); });
});

before(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const env = {...process.env, PORT: port, IOLEDGER_BUILD: build, IOLEDGER_DATA: data, IOLEDGER_DIST: dist, IOLEDGER_SCRATCH: scratch};
  child = spawn("node", ["tools/preview.mjs"], {env, stdio: ["ignore", "pipe", "pipe"]});
  // Passed on, not inherited: a preview that outlives a killed test would keep the output of all tests open.
  child.stderr.pipe(process.stderr);
  await new Promise((done, fail) => {
    child.stdout.on("data", (text) => `${text}`.includes(origin) && done());
    child.once("exit", (code) => fail(new Error(`the preview ended with ${code}`)));
  });
});
after(async () => {
  if (child.exitCode === null) {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  }
  rmSync(scratch, {recursive: true, force: true, maxRetries: 5, retryDelay: 200}); // what it ends may write its last file yet
  remove();
});

test("pages in both languages, those of devices, raw files, downloads and data are there", async () => {
  const device = readdirSync(join(scratch, "public", "content", "devices")).find((name) => name.endsWith(".json")).replace(/\.json$/, "");
  const table = "marts/submissions.parquet";
  for (const path of ["/", "/ja/", "/media", `/devices/${device}`, `/ja/devices/${device}`, `/content/devices/${device}.json`, `/raw/${submission}/manifest.yaml`, `/download/${table}`]) {
    assert.equal((await fetch(`${origin}${path}`)).status, 200, path);
  }
  assert.match((await fetch(`${origin}/raw/${submission}/manifest.yaml`)).headers.get("content-type"), /^text\/plain/);
  const served = Buffer.from(await (await fetch(`${origin}/download/${table}`)).arrayBuffer());
  assert.ok(served.equals(readFileSync(join(build, table))));
});

test("nothing outside the site is there", async () => {
  for (const path of ["/raw/%2e%2e%2f%2e%2e%2fsite.json", "/download/%2e%2e%2f%2e%2e%2fsite.json", "/raw/nothing", "/raw/%"]) {
    assert.notEqual((await fetch(`${origin}${path}`, {redirect: "manual"})).status, 200, path);
  }
});
