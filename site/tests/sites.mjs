// Sites of the tests' own dataset (ingest/tests/dataset.py), whose numbers are known whatever lies in data/. As a command
// it makes one, with the dataset beside it: `node site/tests/sites.mjs FOLDER`. IOLEDGER_SAMPLE names one that is made.
import {execFileSync, spawnSync} from "node:child_process";
import {cpSync, mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {program} from "./limits.mjs";

export const python = process.platform === "win32" ? ".venv/Scripts/python.exe" : ".venv/bin/python";
const made = process.env.IOLEDGER_SAMPLE;
const write = (folder) => execFileSync(python, ["ingest/tests/dataset.py", folder], {stdio: ["ignore", "ignore", "inherit"], ...program(280)});

// The folder of a site with known numbers in dist/, which is not to be changed.
export const sample = () => made ?? make(own());

// A folder with a copy of the dataset in build/ and data/, for the caller to change, and to build pages from.
export function dataset() {
  const folder = own();
  if (made) for (const name of ["build", "data"]) cpSync(join(made, name), join(folder, name), {recursive: true});
  else write(folder);
  return folder;
}

// Builds dist/ from build/ and data/ of a folder, as a build of the project does; a link to a page that is not there is an error.
export function pages(folder) {
  const places = ["build", "data", "dist"].map((name) => join(folder, name));
  const {status, stdout, stderr} = spawnSync(python, ["tools/site.py", ...places], {...program(280), encoding: "utf8", maxBuffer: 1 << 30});
  if (status !== 0) throw new Error(`the pages of ${folder} were not built as they should: ${stderr}${stdout.slice(-2000)}`);
}

function make(folder) {
  write(folder);
  pages(folder);
  return folder;
}

// A new folder. It goes with the process, however that ends by itself.
export function own() {
  const folder = mkdtempSync(join(tmpdir(), "ioledger-own-"));
  process.on("exit", () => rmSync(folder, {recursive: true, force: true, maxRetries: 5, retryDelay: 200}));
  return folder;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) make(resolve(process.argv[2]));
