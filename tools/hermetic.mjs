// Lets Observable Framework build from node_modules alone. Framework looks for browser packages in a cache below its source
// tree and fetches what is missing; here they are made by one esbuild run, cached between builds, and fetching is refused.
import {createHash} from "node:crypto";
import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {gzipSync} from "node:zlib";
import {build} from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const cacheFolder = join(root, "node_modules", ".cache", "ioledger");
const version = (name) => JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;

// Packages whose newest version Framework asks the registry for even when no page imports them. An empty directory of
// that name answers the question; a page that did import one of them would fail the build.
const UNUSED = ["@observablehq/plot", "@observablehq/sample-datasets", "arquero", "echarts", "leaflet", "lodash", "mapbox-gl", "parquet-wasm", "react",
  "react-dom", "topojson-client"];

// Gives the source tree `tree` the packages `modules` and the extra files `files` ({package: [paths]}; one whose path ends
// in .gz is packed on the way), and refuses every later fetch. Packages are made once for the same list and lockfile; several builds may make them at the same time.
export async function hermetic({tree, modules, files = {}}) {
  process.env.OBSERVABLE_TELEMETRY_DISABLE = "true";
  const key = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json"))).update(readFileSync(fileURLToPath(import.meta.url)))
    .update(JSON.stringify({modules, files})).digest("hex").slice(0, 16);
  const packages = join(cacheFolder, key);
  if (!existsSync(packages)) await makePackages(packages, modules, files);
  const cache = join(tree, ".observablehq", "cache");
  mkdirSync(cache, {recursive: true});
  if (!existsSync(join(cache, "_npm"))) symlinkSync(packages, join(cache, "_npm"), "junction");
  globalThis.fetch = async (input) => {
    throw new Error(`the site builds without network, but something asked for ${input?.url ?? input}; add the package to observablehq.config.js`);
  };
}

// Makes the packages aside and puts them in place by renaming; whoever comes second finds them there.
async function makePackages(packages, modules, files) {
  mkdirSync(cacheFolder, {recursive: true});
  const aside = mkdtempSync(join(cacheFolder, "making-"));
  try {
    await fill(aside, modules, files);
    renameSync(aside, packages);
  } catch (error) {
    if (!existsSync(packages)) throw error;
  } finally {
    rmSync(aside, {recursive: true, force: true});
  }
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
