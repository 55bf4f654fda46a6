// Lets Observable Framework build from node_modules alone. Framework looks for browser packages in its cache and fetches
// what is missing; here the cache is filled with one esbuild run beforehand, and fetching is refused.
import {createHash} from "node:crypto";
import {cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {build} from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const version = (name) => JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;

// Packages whose newest version Framework asks the registry for even when no page imports them. An empty directory of
// that name answers the question; a page that did import one of them would fail the build.
const UNUSED = ["@observablehq/sample-datasets", "arquero", "echarts", "leaflet", "lodash", "mapbox-gl", "parquet-wasm", "react",
  "react-dom", "topojson-client"];

// Fills the cache under `site` with the packages `modules` and the extra files `files` ({package: [paths]}), forgets what
// loaders gave in earlier builds, and refuses every later fetch.
export async function hermetic({site, modules, files = {}}) {
  process.env.OBSERVABLE_TELEMETRY_DISABLE = "true";
  const cache = join(root, site, ".observablehq", "cache");
  const npm = join(cache, "_npm");
  const key = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json"))).update(readFileSync(fileURLToPath(import.meta.url)))
    .update(JSON.stringify({modules, files})).digest("hex");
  const stamp = join(cache, "_npm.key");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== key) {
    rmSync(cache, {recursive: true, force: true});
    await fill(npm, modules, files);
    writeFileSync(stamp, key);
  }
  for (const name of readdirSync(cache)) if (!name.startsWith("_npm")) rmSync(join(cache, name), {recursive: true, force: true});
  globalThis.fetch = async (input) => {
    throw new Error(`the site builds without network, but something asked for ${input?.url ?? input}; add the package to observablehq.config.js`);
  };
}

async function fill(npm, modules, files) {
  const directory = (name) => `${name}@${version(name)}`;
  mkdirSync(npm, {recursive: true});
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(modules.map((name) => [`${directory(name)}/_esm`, name])),
    outdir: npm, chunkNames: "shared@0.0.0/[hash]", bundle: true, splitting: true, format: "esm", platform: "browser",
    minify: true, legalComments: "none", target: ["es2022"], define: {"process.env.NODE_ENV": '"production"'}, logLevel: "error"
  });
  for (const [name, paths] of Object.entries(files)) {
    for (const path of paths) cpSync(join(root, "node_modules", name, path), join(npm, directory(name), path));
  }
  for (const name of UNUSED) mkdirSync(join(npm, `${name}@0.0.0`), {recursive: true});
}

