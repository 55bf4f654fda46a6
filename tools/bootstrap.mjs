// Sets the project up on a fresh machine: node_modules from package-lock.json, .venv from requirements.lock.
// Needs Node >= 20.11 and Python 3.11 to 3.13 with venv; uses no package itself. A second run finds its stamps and does nothing.
import {execFile, spawnSync} from "node:child_process";
import {createHash} from "node:crypto";
import {existsSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {promisify} from "node:util";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const windows = process.platform === "win32";
const bin = join(root, ".venv", windows ? "Scripts" : "bin");
const python = join(bin, windows ? "python.exe" : "python");

// The folder is part of the key: .venv names it, so a checkout that was moved or copied is set up anew.
const digest = (...files) => files.reduce((hash, file) => hash.update(readFileSync(join(root, file))), createHash("sha256").update(root)).digest("hex");
const hasStamp = (stamp, key) => existsSync(stamp) && readFileSync(stamp, "utf8") === key;

async function run(step, command, args, env = {}) {
  const options = {cwd: root, encoding: "utf8", maxBuffer: Infinity, shell: windows, env: {...process.env, ...env}};
  await promisify(execFile)(command, args, options).catch(({message, stdout = ""}) => {
    console.error(`setup: ${step} failed\n${message}\n${stdout}`);
    process.exit(1);
  });
}

function findPython() {
  const probe = "import sys, venv, ensurepip; assert (3, 11) <= sys.version_info[:2] <= (3, 13)";
  const names = [process.env.PYTHON, "python3.13", "python3.12", "python3.11", "python3", "python"].filter(Boolean);
  const found = names.find((name) => spawnSync(name, ["-c", probe], {stdio: "ignore"}).status === 0);
  if (found) return found;
  console.error("setup: no Python 3.11, 3.12 or 3.13 with the venv module was found.\n" +
    "  Install one (Debian and Ubuntu: apt-get install python3 python3-venv), or name it: PYTHON=/path/to/python npm run build");
  process.exit(1);
}

async function setUpNode() {
  const stamp = join(root, "node_modules", ".ioledger-lock");
  const key = digest("package-lock.json");
  if (hasStamp(stamp, key)) return false;
  console.log("setup: installing the site's packages (npm ci)");
  await run("npm ci", "npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
  writeFileSync(stamp, key);
  return true;
}

async function setUpPython() {
  const stamp = join(root, ".venv", ".ioledger-lock");
  const key = digest("requirements.lock", "pyproject.toml", "tools/uv.txt", "tools/reader.txt", "tools/bootstrap.mjs");
  if (hasStamp(stamp, key) && existsSync(python)) return false;
  console.log("setup: installing the Python packages into .venv");
  const uv = join(bin, windows ? "uv.exe" : "uv");
  // Compiled once here: a first build would take seconds longer otherwise, pandas alone a second and a half.
  const env = {VIRTUAL_ENV: join(root, ".venv"), UV_PYTHON_DOWNLOADS: "never", UV_LINK_MODE: "copy", UV_NO_PROGRESS: "1"};
  rmSync(join(root, ".venv"), {recursive: true, force: true});
  await run("making .venv", findPython(), ["-m", "venv", ".venv"]);
  await run("installing uv", python, ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--require-hashes", "-r", "tools/uv.txt"]);
  await run("installing requirements.lock", uv, ["pip", "sync", "--compile-bytecode", "--require-hashes", "requirements.lock"], env);
  await run("installing the command ioledger", python, ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--editable", "."], env);
  const there = ["--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--implementation", "cp", "--abi", "cp314", "--only-binary=:all:"];
  await run("fetching what reads files in the browser", python, ["-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--require-hashes", ...there, "-r", "tools/reader.txt", "-d", join(root, ".venv", "reader")]);
  writeFileSync(stamp, key);
  return true;
}

const started = Date.now();
const done = await Promise.all([setUpNode(), setUpPython()]); // side by side: each waits for the network, and computes
if (done.includes(true)) console.log(`setup: done in ${((Date.now() - started) / 1000).toFixed(0)} s`);
