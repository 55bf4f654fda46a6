// The preview answers for pages and for the files that a build puts beside them.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {existsSync, readFileSync, readdirSync} from "node:fs";
import {createServer} from "node:net";
import {join, sep} from "node:path";
import {after, before, test} from "./limits.mjs";

const data = process.env.IOLEDGER_DATA ?? "data";
const configurations = "site/.observablehq/cache/pages/configurations";
const submission = readdirSync(data).filter((name) => existsSync(join(data, name, "manifest.yaml"))).sort()[0];
const build = process.env.IOLEDGER_BUILD ?? "build";
let child;
let origin;

const freePort = () => new Promise((done) => {
  const server = createServer().listen(0, "127.0.0.1", () => { const {port} = server.address(); server.close(() => done(port)); });
});

before(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  child = spawn("node", ["tools/preview.mjs"], {env: {...process.env, PORT: port}, stdio: ["ignore", "pipe", "pipe"]});
  // Passed on, not inherited: a preview that outlives a killed test would keep the output of all tests open.
  child.stderr.pipe(process.stderr);
  await new Promise((done, fail) => {
    child.stdout.on("data", (text) => `${text}`.includes(origin) && done());
    child.once("exit", (code) => fail(new Error(`the preview ended with ${code}`)));
  });
});
after(() => child?.kill());

test("pages, raw files, downloads, sides of a comparison and the font are there", async () => {
  const table = "submissions.parquet";
  const side = readdirSync(configurations, {recursive: true}).find((name) => name.endsWith(".json")).split(sep).join("/");
  for (const path of ["/", "/compare", `/raw/${submission}/manifest.yaml`, `/download/${table}`, `/configurations/${side}`, "/fonts/inter.woff2"]) {
    assert.equal((await fetch(`${origin}${path}`)).status, 200, path);
  }
  assert.match((await fetch(`${origin}/raw/${submission}/manifest.yaml`)).headers.get("content-type"), /^text\/plain/);
  const served = Buffer.from(await (await fetch(`${origin}/download/${table}`)).arrayBuffer());
  assert.ok(served.equals(readFileSync(join(build, table))));
});

test("nothing outside these folders is there", async () => {
  for (const path of ["/raw/%2e%2e%2fpackage.json", "/download/%2e%2e%2fpackage.json", "/raw/nothing", "/raw/%"]) {
    assert.notEqual((await fetch(`${origin}${path}`)).status, 200, path);
  }
});
