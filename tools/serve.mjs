// Serves the built site on this machine: `npm start`, or serve(directory) in the tests. PORT chooses the port.
import {createReadStream, existsSync, readFileSync, statSync} from "node:fs";
import {createServer} from "node:http";
import {extname, join, normalize, resolve, sep} from "node:path";
import {pathToFileURL} from "node:url";

// The types of files by the ends of their names.
export const types = {
  ".css": "text/css", ".csv": "text/csv", ".gz": "application/gzip", ".html": "text/html", ".js": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".wasm": "application/wasm", ".woff2": "font/woff2"
};
const textual = /\.(css|csv|html|js|json|svg|txt|fio|log|ya?ml|icf)$/;
const isNamedByContent = /^\/_(import|npm|observablehq)\/.*[./][0-9a-f]{8}\.(css|js)$/;

// The file behind an address: itself, an index, or the page of that name; null where there is none.
function find(root, pathname) {
  let path;
  try { path = join(root, normalize(decodeURIComponent(pathname))); } catch { return null; }
  if (path !== root && !path.startsWith(root + sep)) return null;
  const tried = pathname.endsWith("/") ? [join(path, "index.html")] : [path, `${path}.html`];
  return tried.find((name) => existsSync(name) && statSync(name).isFile()) ?? null;
}

// Starts a server for a directory on this machine only; port 0 takes a free one.
export function serve(directory, port = 0) {
  const root = resolve(directory);
  const server = createServer((request, response) => {
    const {pathname} = new URL(request.url, "http://site");
    const path = find(root, pathname);
    if (!path || !["GET", "HEAD"].includes(request.method)) {
      const page = join(root, "404.html");
      if (!path && existsSync(page)) response.writeHead(404, {"content-type": "text/html; charset=utf-8"}).end(readFileSync(page));
      else response.writeHead(path ? 405 : 404, {"content-type": "text/plain"}).end(path ? "Only GET is served.\n" : "Page not found.\n");
      return;
    }
    const size = statSync(path).size;
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    const [start, end] = range ? [+range[1], range[2] ? Math.min(+range[2], size - 1) : size - 1] : [0, size - 1];
    if (range && start > end) return void response.writeHead(416, {"content-range": `bytes */${size}`}).end();
    const type = types[extname(path)] ?? (textual.test(path) ? "text/plain" : "application/octet-stream");
    response.writeHead(range ? 206 : 200, {
      "content-type": textual.test(path) ? `${type}; charset=utf-8` : type, "content-length": Math.max(0, end - start + 1),
      "accept-ranges": "bytes", "cache-control": isNamedByContent.test(pathname) ? "max-age=31536000, immutable" : "no-cache", ...(range && {"content-range": `bytes ${start}-${end}/${size}`})
    });
    if (request.method === "HEAD" || size === 0) response.end();
    else createReadStream(path, {start, end}).pipe(response);
  });
  return new Promise((done, fail) => server.once("error", fail).listen(port, "127.0.0.1", () => done(server)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const directory = process.env.IOLEDGER_DIST ?? "dist";
  if (!existsSync(join(directory, "index.html"))) {
    console.error(`There is no site in ${directory}/ yet. Run npm run build first.`);
    process.exit(1);
  }
  const port = Number(process.env.PORT ?? 4173);
  try {
    const server = await serve(directory, port);
    console.log(`The site is at http://127.0.0.1:${server.address().port}/  (Ctrl-C ends it)`);
  } catch (error) {
    console.error(error.code === "EADDRINUSE" ? `Port ${port} is in use. Choose another: PORT=${port + 1} npm start` : error.message);
    process.exit(1);
  }
}
