// Reads files for the page "Compare your own result": the project's own readers, in CPython for WebAssembly. It stands in one
// folder with what it loads (tools/reader.mjs). Messages to it: {start: true}, then any number of {files: [{path, file}],
// names} of which `names` are the files and folders that a person chose, and {pack: [folder, manifest, files]} as of `pack` in
// ioledger.loading.browser. Answers: {moved} bytes so far, {ready}, {reading} how many of the files are there, {lines, found}
// what was read, {zip}, or {failed}. Once it is ready, it cannot fetch anything.
const PARTS = {"pyodide.asm.wasm": "application/wasm", "python_stdlib.zip": "application/zip", "app.zip": "application/zip"};
const GZIP = [0x1f, 0x8b];
const FOLDER = "/own";
const folder = new URL(".", import.meta.url).href;
const request = self.fetch.bind(self);
let moved = 0;
let runtime;

// A part of the reader, unpacked on the way. A server may have said that the file is packed text; the browser has unpacked it then.
async function part(name) {
  const answer = await request(`${folder}${name}.gz`);
  if (!answer.ok) throw new Error(`${name}.gz: ${answer.status}`);
  const reader = answer.body.getReader();
  const first = await reader.read();
  const isPacked = GZIP.every((byte, i) => first.value[i] === byte);
  const take = ({done, value}, stream) => {
    if (done) return stream.close();
    moved += value.length;
    postMessage({moved});
    stream.enqueue(value);
  };
  const counted = new ReadableStream({start: (stream) => take(first, stream), pull: async (stream) => take(await reader.read(), stream)});
  return new Response(isPacked ? counted.pipeThrough(new DecompressionStream("gzip")) : counted, {headers: {"content-type": PARTS[name]}});
}

async function start() {
  const parts = Object.fromEntries(Object.keys(PARTS).map((name) => [name, part(name)]));
  for (const each of Object.values(parts)) each.catch(() => {}); // the first that fails is told below
  self.fetch = (address) => parts[String(address).split("/").at(-1)] ?? Promise.reject(new TypeError(`${address} is not fetched`));
  const [{loadPyodide}, {default: createPyodideModule}] = await Promise.all([import(`${folder}pyodide.js`), import(`${folder}pyodide.asm.js`)]);
  runtime = await loadPyodide({indexURL: folder, createPyodideModule, lockFileContents: {info: {abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2", version: "314.0.7"}, packages: {}}, packageBaseUrl: folder});
  runtime.unpackArchive(new Uint8Array(await (await parts["app.zip"]).arrayBuffer()), "zip", {extractDir: "/app"});
  runtime.runPython("import sys; sys.path.insert(0, '/app'); from ioledger.loading.browser import pack, read");
  self.fetch = () => Promise.reject(new TypeError("the reader fetches nothing more"));
}

async function read({files, names}) {
  const {FS} = runtime;
  runtime.runPython(`import os, shutil; os.chdir('/'); shutil.rmtree('${FOLDER}', ignore_errors=True); os.mkdir('${FOLDER}'); os.chdir('${FOLDER}')`);
  for (const [index, {path, file}] of files.entries()) {
    const place = `${FOLDER}/${path}`;
    FS.mkdirTree(place.slice(0, place.lastIndexOf("/")));
    FS.writeFile(place, new Uint8Array(await file.arrayBuffer()));
    postMessage({reading: index + 1});
  }
  const answer = runtime.globals.get("read")(runtime.toPy(names));
  const [lines, found] = answer.toJs().map((bytes) => new TextDecoder().decode(bytes));
  answer.destroy();
  return {lines, found: JSON.parse(found)};
}

function packFiles([folder, manifest, files]) {
  const answer = runtime.globals.get("pack")(folder, manifest, runtime.toPy(files));
  const zip = answer.toJs();
  answer.destroy();
  return {zip};
}

const act = (data) => data.start ? start().then(() => ({ready: true})) : data.pack ? packFiles(data.pack) : read(data);
let work = Promise.resolve();
self.onmessage = ({data}) => {
  work = work.then(() => act(data)).then((answer) => postMessage(answer), (error) => postMessage({failed: error.message}));
};
