// The site: what Observable Framework builds from site/ and the finished tables in build/.
import {spawnSync} from "node:child_process";
import {finish} from "./tools/finish.mjs";
import {hermetic} from "./tools/hermetic.mjs";

const python = process.platform === "win32" ? ".venv/Scripts/python.exe" : ".venv/bin/python";
const output = process.env.IOLEDGER_DIST ?? "dist";

await hermetic({
  site: "site",
  modules: ["@duckdb/duckdb-wasm", "@observablehq/inputs", "@observablehq/plot", "apache-arrow", "d3", "d3-dsv", "htl", "isoformat"],
  files: {"@duckdb/duckdb-wasm": ["dist/duckdb-eh.wasm", "dist/duckdb-browser-eh.worker.js"]}
});

const written = "site/.observablehq/cache/pages";
const catalogue = content();
if (process.argv[2] === "build") process.on("exit", (code) => code || finish(output, catalogue.files, Object.fromEntries(["configurations", "pairs", "parts"].map((name) => [name, `${written}/${name}`]))));

// One process writes the content of every parameterised page and the output of every loader in Python, and prints the
// navigation, the names of those pages, and the raw files to publish. When it fails it has said why, and so it ends here.
function content() {
  const {status, stdout, error} = spawnSync(python, ["site/data/catalogue.py", written], {encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "inherit"]});
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status || 1);
  return JSON.parse(stdout);
}

// Scripts run from this site only, WebAssembly for the SQL page included; nothing is fetched from another host.
const policy = [
  "default-src 'self'", "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:", "style-src 'self' 'unsafe-inline'",
  "worker-src 'self' blob:", "connect-src 'self'", "img-src 'self' data: blob:", "font-src 'self'", "object-src 'none'",
  "base-uri 'self'", "form-action 'none'"
].join("; ");

const mark = `<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="var(--accent)"/><path d="M5 8h14M5 12h14M5 16h14" stroke="var(--page)" stroke-width="1.4" opacity="0.55"/><circle cx="8" cy="16" r="2.1" fill="var(--page)"/><circle cx="12" cy="12" r="2.1" fill="var(--page)"/><circle cx="17" cy="8" r="2.1" fill="var(--page)"/></svg>`;
const icon = "data:image/svg+xml," + encodeURIComponent(mark.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"').replaceAll("var(--accent)", "#0a5c8f").replaceAll("var(--page)", "#fff"));
const moon = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1.5a6.5 6.5 0 1 0 0 13z" fill="currentColor"/><circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor" stroke-width="1.4"/></svg>`;
const up = (path) => "../".repeat(path.split("/").length - 2) || "./";

const head = ({path}) => `<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${icon}">
<style>@font-face{font-family:Inter;font-weight:100 900;font-display:swap;src:url(${up(path)}fonts/inter.woff2) format("woff2")}</style>
<script>{const theme = localStorage.getItem("theme"); if (theme) document.documentElement.dataset.theme = theme}</script>`;

const header = ({path}) => `<a class="brand" href="${up(path)}index">${mark} ioledger</a>
<button class="theme" type="button" onclick="{const root = document.documentElement; const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches; root.dataset.theme = dark ? 'light' : 'dark'; localStorage.setItem('theme', root.dataset.theme)}" aria-label="Switch between light and dark">${moon} Theme</button>`;

export default {
  root: "site",
  output,
  title: "ioledger",
  home: `${mark} ioledger`,
  style: "style.css",
  globalStylesheets: [],
  search: true,
  pager: false,
  toc: false,
  interpreters: {".py": [python]},
  head,
  header,
  footer: `Figures belong to the submission that states them; each page links the file they came from. Code under Apache-2.0, data under the licence named with each submission.`,
  pages: catalogue.navigation,
  dynamicPaths: [
    "/fonts/inter.woff2",
    ...catalogue.devices.map((name) => `/devices/${name}`),
    ...catalogue.submissions.map((name) => `/submissions/${name}`)
  ]
};
