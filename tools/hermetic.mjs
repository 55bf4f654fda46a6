// Lets Observable Framework build from node_modules alone. Framework looks for browser packages in a cache below its source
// tree and fetches what is missing; here they are made by one esbuild run, cached between builds, and fetching is refused.
import {cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {gzipSync} from "node:zlib";
import {build} from "esbuild";
import {makeOnce, root} from "./make-once.mjs";

const version = (name) => JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;

// Packages whose newest version Framework asks the registry for even when no page imports them. An empty directory of
// that name answers the question; a page that did import one of them would fail the build.
const UNUSED = ["@observablehq/plot", "@observablehq/sample-datasets", "arquero", "echarts", "leaflet", "lodash", "mapbox-gl", "parquet-wasm", "react",
  "react-dom", "topojson-client"];

// Gives the source tree `tree` the packages `modules` and the extra files `files` ({package: [paths]}; one whose path ends
// in .gz is packed on the way), and refuses every later fetch.
export async function hermetic({tree, modules, files = {}}) {
  process.env.OBSERVABLE_TELEMETRY_DISABLE = "true";
  const inputs = [readFileSync(join(root, "package-lock.json")), readFileSync(fileURLToPath(import.meta.url)), JSON.stringify({modules, files})];
  const packages = await makeOnce("packages", inputs, (folder) => fill(folder, modules, files));
  const cache = join(tree, ".observablehq", "cache");
  mkdirSync(cache, {recursive: true});
  if (!existsSync(join(cache, "_npm"))) symlinkSync(packages, join(cache, "_npm"), "junction");
  globalThis.fetch = async (input) => {
    throw new Error(`the site builds without network, but something asked for ${input?.url ?? input}; add the package to observablehq.config.js`);
  };
}

async function fill(npm, modules, files) {
  const directory = (name) => `${name}@${version(name)}`;
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(modules.map((name) => [`${directory(name)}/_esm`, name])),
    outdir: npm, chunkNames: "shared@0.0.0/[hash]", bundle: true, splitting: true, format: "esm", platform: "browser",
    minify: true, legalComments: "none", target: ["es2022"], define: {"process.env.NODE_ENV": '"production"'}, logLevel: "error"
  });
  for (const [name, paths] of Object.entries(files)) {
    for (const path of paths) put(join(root, "node_modules", name), join(npm, directory(name)), path);
  }
  for (const name of UNUSED) mkdirSync(join(npm, `${name}@0.0.0`), {recursive: true});
}

function put(from, to, path) {
  mkdirSync(dirname(join(to, path)), {recursive: true});
  if (path.endsWith(".gz")) writeFileSync(join(to, path), gzipSync(readFileSync(join(from, path.slice(0, -".gz".length))), {level: 9}));
  else cpSync(join(from, path), join(to, path));
}
