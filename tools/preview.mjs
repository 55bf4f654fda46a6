// The pages with live reload: `npm run dev`. Everything is written into the folder IOLEDGER_SCRATCH, and what pages show
// again whenever a file below site/ changes. Framework's preview knows its source tree only; this server answers the other files of a build.
import {spawn} from "node:child_process";
import {createReadStream, existsSync, statSync, watch} from "node:fs";
import {dirname, extname, join, resolve, sep} from "node:path";
import {fileURLToPath} from "node:url";
import {readConfig} from "../node_modules/@observablehq/framework/dist/config.js";
import {preview} from "../node_modules/@observablehq/framework/dist/preview.js";
import {types} from "./serve.mjs";

process.chdir(join(dirname(fileURLToPath(import.meta.url)), ".."));
const python = process.platform === "win32" ? ".venv/Scripts/python.exe" : ".venv/bin/python";
const scratch = process.env.IOLEDGER_SCRATCH;
const folders = [join(scratch, "public"), process.env.IOLEDGER_DIST ?? "dist"].map((path) => resolve(path));
const SETTLED_MILLISECONDS = 200;

const running = new Set();
const run = (program, ...args) => new Promise((done) => {
  const child = spawn(program, args, {stdio: "inherit"});
  running.add(child);
  child.on("exit", (code) => { running.delete(child); done(code); }).on("error", (error) => { console.error(error.message); done(1); });
});
// The processes that the preview has started end with it.
const end = () => { for (const child of running) child.kill(); };
process.on("exit", end);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => { end(); process.kill(process.pid, signal); });

// What pages show, written anew; it stays as it is while something in it is wrong, and the error is printed.
const pages = async () => await run(python, "site/data/write.py", scratch, "--tree") || run(python, "site/data/write.py", scratch, "--pages");

// What a build finishes with; the preview shows that of the last one.
const FINISHED = /^\/(lineage|fonts|search)\/|^\/(style\.css|icon\.svg)$/;

// The file of an address outside of Framework's pages; null where Framework answers.
function find(pathname) {
  for (const folder of FINISHED.test(pathname) ? folders : folders.slice(0, 1)) {
    const path = resolve(folder, `.${pathname}`);
    if (!path.startsWith(folder + sep)) continue;
    // what a build packs lies open here, and a page takes it as it comes
    const found = [path, path.replace(/\.gz$/, ""), `${path}.html`, join(path, "index.html")].find((name) => existsSync(name) && statSync(name).isFile());
    if (found) return found;
  }
  return null;
}

if (await run(python, "site/data/write.py", scratch)) process.exit(1);
let waiting;
let writing = Promise.resolve();
watch("site", {recursive: true}, () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => { writing = writing.then(pages); }, SETTLED_MILLISECONDS);
});

await readConfig();
const {server} = await preview({hostname: "127.0.0.1", port: process.env.PORT ? Number(process.env.PORT) : undefined});
// The pages come first, then what few of them lead to.
run("node", "tools/reader.mjs", join(scratch, "public"));
run("node", "site/numbers/write.mjs", join(scratch, "numbers"), join(scratch, "public"));
const [page] = server.listeners("request");
server.removeAllListeners("request");
server.on("request", (request, response) => {
  const {pathname} = new URL(request.url, "http://site");
  let path;
  try { path = find(decodeURIComponent(pathname)); } catch { return void response.writeHead(400).end("This is not an address.\n"); }
  if (!path) return page(request, response);
  // Submitted files are served as text, independent of their names.
  const type = pathname.startsWith("/raw/") ? "text/plain" : types[extname(path)] ?? "application/octet-stream";
  response.writeHead(200, {"content-type": type.startsWith("text/") ? `${type}; charset=utf-8` : type});
  createReadStream(path).pipe(response);
});
