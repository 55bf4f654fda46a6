// The preview answers for pages and for the files that a build puts beside them, and for nothing outside of the site.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {once} from "node:events";
import {readFileSync, readdirSync} from "node:fs";
import {createServer} from "node:net";
import {join} from "node:path";
import {after, before, test} from "./limits.mjs";
import {own, sample} from "./sites.mjs";

const [folder, scratch] = [sample(), own()];
const [submission] = readdirSync(join(folder, "data")).sort();
let child;
let origin;

before(async () => {
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const {port} = free.address();
  free.close();
  origin = `http://127.0.0.1:${port}`;
  const [build, data, dist] = ["build", "data", "dist"].map((name) => join(folder, name));
  child = spawn("node", ["tools/preview.mjs"], {env: {...process.env, PORT: port, IOLEDGER_BUILD: build, IOLEDGER_DATA: data, IOLEDGER_DIST: dist, IOLEDGER_SCRATCH: scratch}, stdio: ["ignore", "pipe", "pipe"]});
  // Passed on, not inherited: a preview that outlives a killed test would keep the output of all tests open.
  child.stderr.pipe(process.stderr);
  await new Promise((done, fail) => {
    child.stdout.on("data", (text) => `${text}`.includes(origin) && done());
    child.once("exit", (code) => fail(new Error(`the preview ended with ${code}`)));
  });
});
after(async () => {
  if (child.exitCode !== null) return;
  child.kill();
  await once(child, "exit");
});

test("pages in both languages, those of devices, raw files as text, downloads and data are there, and nothing outside the site", async () => {
  const [device] = readdirSync(join(scratch, "public", "content", "devices")).filter((name) => name.endsWith(".json")).map((name) => name.replace(/\.json$/, ""));
  const table = "marts/submissions.parquet";
  const get = (path) => fetch(`${origin}${path}`, {redirect: "manual"});
  for (const path of ["/", "/ja/", "/media", `/devices/${device}`, `/ja/devices/${device}`, `/content/devices/${device}.json`, `/raw/${submission}/manifest.yaml`, `/download/${table}`]) assert.equal((await get(path)).status, 200, path);
  assert.match((await get(`/raw/${submission}/manifest.yaml`)).headers.get("content-type"), /^text\/plain/);
  assert.ok(Buffer.from(await (await get(`/download/${table}`)).arrayBuffer()).equals(readFileSync(join(folder, "build", table))));
  for (const path of ["/raw/%2e%2e%2f%2e%2e%2fsite.json", "/download/%2e%2e%2f%2e%2e%2fsite.json", "/raw/nothing", "/raw/%"]) assert.notEqual((await get(path)).status, 200, path);
});
