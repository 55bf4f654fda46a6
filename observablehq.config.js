// The site: what Observable Framework builds from site/ and the finished tables in build/.
import {execFileSync} from "node:child_process";
import {finish} from "./tools/finish.mjs";
import {hermetic} from "./tools/hermetic.mjs";

const python = process.platform === "win32" ? ".venv/Scripts/python.exe" : ".venv/bin/python";
const output = process.env.IOLEDGER_DIST ?? "dist";

await hermetic({
  site: "site",
  modules: ["@duckdb/duckdb-wasm", "@observablehq/inputs", "@observablehq/plot", "apache-arrow", "d3", "d3-dsv", "htl", "isoformat"],
  files: {"@duckdb/duckdb-wasm": ["dist/duckdb-eh.wasm", "dist/duckdb-browser-eh.worker.js"]}
});

// One process writes the content of every parameterised page and the output of every loader in Python; what it could not
// write it has said.
const catalogue = JSON.parse(content());

function content() {
  try {
    return execFileSync(python, ["site/data/catalogue.py", "site/.observablehq/cache/pages"], {encoding: "utf8", maxBuffer: 1 << 30});
  } catch ({status}) {
    process.exit(status || 1);
  }
}

if (process.argv[2] === "build") process.on("exit", (code) => code || finish(output, catalogue.files, {configurations: "site/.observablehq/cache/pages/configurations"}));

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
  pages: [
    {name: "Compare", pages: [
      {name: "Media", path: "/media"},
      {name: "Side by side", path: "/compare"},
      {name: "One change", path: "/effects"},
      {name: "Scaling", path: "/scaling"},
      {name: "Efficiency and price", path: "/efficiency"}
    ]},
    {name: "Under load", pages: [
      {name: "Queue depth", path: "/queue-depth"},
      {name: "Latency", path: "/latency"},
      {name: "Saturation", path: "/saturation"}
    ]},
    {name: "Trust", pages: [
      {name: "Repetitions", path: "/repeatability"},
      {name: "Consistency", path: "/consistency"},
      {name: "Claims", path: "/claims"}
    ]},
    {name: "Records", pages: [
      {name: "Devices", path: "/devices/index"},
      {name: "Submissions", path: "/submissions/index"},
      {name: "SQL console", path: "/sql"},
      {name: "Downloads", path: "/downloads"}
    ]},
    {name: "About", pages: [
      {name: "Method", path: "/about/method"},
      {name: "Columns", path: "/about/columns"},
      {name: "Checks", path: "/about/checks"},
      {name: "Rules", path: "/about/rules"},
      {name: "Limits", path: "/about/limits"}
    ]}
  ],
  dynamicPaths: [
    "/fonts/inter.woff2",
    ...catalogue.devices.map((name) => `/devices/${name}`),
    ...catalogue.submissions.map((name) => `/submissions/${name}`)
  ]
};
