// Runs a program of .venv with the arguments given, e.g. `node tools/run.mjs ioledger build`; passes its exit code on.
import {spawnSync} from "node:child_process";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [program, ...args] = process.argv.slice(2);
const bin = join(root, ".venv", process.platform === "win32" ? "Scripts" : "bin");
const {status, error} = spawnSync(join(bin, program), args, {stdio: "inherit", cwd: root});
if (error) console.error(`${program}: ${error.message}. Run npm run setup first.`);
process.exit(status ?? 1);
