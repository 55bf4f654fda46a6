// What the page "Compare your own result" reads files with: CPython for WebAssembly, msgspec and the project's own readers,
// packed. `node tools/reader.mjs PUBLIC` puts it into PUBLIC/reader/HASH, and where that is into PUBLIC/data/reader.json.
// It is made once for the same packages, modules and schemas.
import {createHash} from "node:crypto";
import {cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from "node:fs";
import {join, relative, sep} from "node:path";
import {pathToFileURL} from "node:url";
import {gzipSync} from "node:zlib";
import Ajv from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import {build} from "esbuild";
import {loadPyodide} from "pyodide";
import {makeOnce, root} from "./make-once.mjs";

const python = join(root, "node_modules", "pyodide");
const wheels = join(root, ".venv", "reader");
const EXAMPLE = join(root, "ingest", "tests", "fixtures", "fio", "json-synchronous-engine", "input.json");
const SCHEMA = "schemas/manifest.schema.json";
const SEED = {PYTHONHASHSEED: "0", HOME: "/"};

const below = (folder, ends) => readdirSync(join(root, folder), {recursive: true}).map((name) => join(folder, name)).filter((name) => ends.test(name)).sort();
// Modules and schemas; the packer takes of them what the readers import.
const sources = () => [...below("ingest/ioledger", /\.(py|csv)$/), ...below("schemas/tables", /\.json$/), "schemas/units.json"];
const place = (path) => path.split(sep).join("/");

// Puts the reader into the folder `output` of what is served.
export async function writeReader(output) {
  const files = sources();
  const code = ["package-lock.json", "tools/reader.txt", "tools/reader.mjs", "tools/reader_pack.py", "site/reader/worker.js", SCHEMA, relative(root, EXAMPLE)];
  const inputs = [...code, ...files].flatMap((name) => [place(name), readFileSync(join(root, name))]);
  cpSync(await makeOnce("reader", inputs, (folder) => make(folder, files)), output, {recursive: true});
}

async function make(folder, files) {
  const parts = await packRuntime(files);
  const modules = Object.fromEntries([["worker.js", join(root, "site", "reader")], ["pyodide.mjs", python], ["pyodide.asm.mjs", python]].map(([name, from]) => [name, readFileSync(join(from, name), "utf8").replace(/\n\/\/# sourceMappingURL=.*/, "")]));
  const manifest = await checking();
  const hash = Object.values({...parts, ...modules, manifest}).reduce((digest, data) => digest.update(data), createHash("sha256")).digest("hex").slice(0, 16);
  const place = join(folder, "reader", hash);
  mkdirSync(place, {recursive: true});
  mkdirSync(join(folder, "data"));
  for (const [name, data] of Object.entries(parts)) writeFileSync(join(place, `${name}.gz`), data);
  cpSync(EXAMPLE, join(place, "example.json"));
  writeFileSync(join(place, "manifest.js"), manifest);
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(place, name.replace(".mjs", ".js")), text); // not every server knows .mjs
  // what comes packed by itself is counted while it comes; modules come as the server packs them
  const packedBytes = Object.values(parts).reduce((sum, {length}) => sum + length, 0);
  const bytes = packedBytes + Object.values(modules).reduce((sum, text) => sum + gzipSync(text, {level: 9}).length, 0);
  writeFileSync(join(folder, "data", "reader.json"), JSON.stringify({worker: `reader/${hash}/worker.js`, example: "example.json", bytes, packed_bytes: packedBytes}));
}

// The schema of a manifest as a module: the function that checks one, and the words of its closed lists.
async function checking() {
  const schema = JSON.parse(readFileSync(join(root, SCHEMA), "utf8"));
  const day = "(?:19|20)\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])";
  const formats = {date: new RegExp(`^${day}$`), "partial-date": new RegExp(`^(?:${day}|(?:19|20)\\d\\d(?:-(?:0[1-9]|1[0-2]))?|unknown)$`), spdx: /^\S.*$/, instant: /Z$/};
  const ajv = new Ajv({code: {source: true, esm: true}, allErrors: true, strict: false, formats});
  const {properties} = schema;
  const method = properties.configurations.additionalProperties.properties.method.properties;
  const wordsOf = ({anyOf}) => anyOf.find((each) => each.enum).enum;
  const words = {affiliation: properties.affiliation.enum, media_class: wordsOf(properties.devices.additionalProperties.properties.media_class), preconditioning_class: wordsOf(method.preconditioning_class)};
  const contents = `${standalone(ajv, ajv.compile(schema))}\nexport const words = ${JSON.stringify(words)};`;
  const {outputFiles: [{text}]} = await build({stdin: {contents, resolveDir: root}, bundle: true, format: "esm", minify: true, write: false, target: ["es2022"], logLevel: "error"});
  return text;
}

// The standard library, the project with msgspec, and the runtime, each in gzip: Python's packs smaller than that of Node.
async function packRuntime(files) {
  const runtime = await loadPyodide({indexURL: `${python}${sep}`, env: SEED});
  const {FS} = runtime;
  const put = (path, data) => { FS.mkdirTree(path.slice(0, path.lastIndexOf("/"))); FS.writeFile(path, new Uint8Array(data)); };
  for (const name of files) put(`/app/${place(name.startsWith("schemas") ? join("ioledger", name) : relative("ingest", name))}`, readFileSync(join(root, name)));
  for (const name of readdirSync(wheels)) runtime.unpackArchive(new Uint8Array(readFileSync(join(wheels, name))), "wheel", {extractDir: "/app"});
  runtime.runPython("import sys; sys.path.insert(0, '/app')");
  runtime.runPython(readFileSync(join(root, "tools", "reader_pack.py"), "utf8"));
  const {compress} = runtime.pyimport("gzip");
  const parts = {"python_stdlib.zip": FS.readFile("/stdlib.zip"), "app.zip": FS.readFile("/app.zip"), "pyodide.asm.wasm": new Uint8Array(readFileSync(join(python, "pyodide.asm.wasm")))};
  return Object.fromEntries(Object.entries(parts).map(([name, data]) => [name, compress.callKwargs(runtime.toPy(data), {compresslevel: 9, mtime: 0}).toJs()]));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await writeReader(process.argv[2]).catch((error) => { console.error(`tools/reader.mjs: ${error.message.slice(-600)}`); process.exit(1); });
}
