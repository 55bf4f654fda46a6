// The pages with live reload: `npm run dev`. Framework's preview knows pages only; what a build copies beside them (raw
// files, downloads, the sides of a comparison, the font) is answered here, from where the build would take it.
import {createReadStream, existsSync, statSync} from "node:fs";
import {dirname, extname, join, resolve, sep} from "node:path";
import {fileURLToPath} from "node:url";
import {readConfig} from "../node_modules/@observablehq/framework/dist/config.js";
import {preview} from "../node_modules/@observablehq/framework/dist/preview.js";

process.chdir(join(dirname(fileURLToPath(import.meta.url)), ".."));
const build = process.env.IOLEDGER_BUILD ?? "build";
const data = process.env.IOLEDGER_DATA ?? "data";
const folders = {
  "/raw/": data, "/download/": build,
  ...Object.fromEntries(["configurations", "pairs", "parts"].map((name) => [`/${name}/`, join("site/.observablehq/cache/pages", name)])),
  "/lineage/": join(process.env.IOLEDGER_DIST ?? "dist", "lineage")
};
const types = {".html": "text/html; charset=utf-8", ".json": "application/json", ".duckdb": "application/octet-stream", ".parquet": "application/octet-stream"};

// The file behind an address, or null where Framework answers. A raw file may have ".txt" behind its name.
function find(pathname) {
  const [prefix, folder] = Object.entries(folders).find(([start]) => pathname.startsWith(start)) ?? [];
  if (!folder) return null;
  const path = resolve(folder, pathname.slice(prefix.length) || "index.html");
  if (!path.startsWith(resolve(folder) + sep)) return null;
  return [path, path.replace(/\.txt$/, "")].find((name) => existsSync(name) && statSync(name).isFile()) ?? null;
}

await readConfig();
const {server} = await preview({hostname: "127.0.0.1", port: process.env.PORT ? Number(process.env.PORT) : undefined});
const [page] = server.listeners("request");
server.removeAllListeners("request");
server.on("request", (request, response) => {
  const {pathname} = new URL(request.url, "http://site");
  let path;
  try { path = find(decodeURIComponent(pathname)); } catch { return void response.writeHead(400).end("This is not an address.\n"); }
  if (path) {
    // What a stranger submitted is text, whatever it is called.
    const type = pathname.startsWith("/raw/") ? null : types[extname(path)];
    response.writeHead(200, {"content-type": type ?? "text/plain; charset=utf-8"});
    createReadStream(path).pipe(response);
    return;
  }
  if (pathname.startsWith("/fonts/")) request.url = `/_file${request.url}`;
  page(request, response);
});
