// The last step of a site build: what Framework leaves out of the pages, and the files that stand beside them.
import {copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from "node:fs";
import {dirname, join, sep} from "node:path";

const source = process.env.IOLEDGER_BUILD ?? "build";
const data = process.env.IOLEDGER_DATA ?? "data";

// Completes the pages in `output` and copies raw files ([{from, to}]), downloads and the folders `more` there.
export function finish(output, files, more) {
  for (const name of readdirSync(output, {recursive: true})) {
    if (name.endsWith(".html")) complete(join(output, name), "../".repeat(name.split(sep).length - 1) || "./");
  }
  for (const {from, to} of files) copy(join(data, from), join(output, to));
  for (const name of readdirSync(source)) {
    if (/\.(parquet|duckdb)$|^manifest\.json$/.test(name)) copy(join(source, name), join(output, "download", name));
  }
  for (const [name, folder] of Object.entries(more)) cpSync(folder, join(output, name), {recursive: true});
  if (existsSync(join(source, "marts"))) cpSync(join(source, "marts"), join(output, "download", "marts"), {recursive: true});
}

// Pages carry their language, may be zoomed, name their landmarks, say what is missing where no script runs, and do not
// depend on when they were built. `up` leads to the home page.
function complete(path, up) {
  const page = readFileSync(path, "utf8")
    .replace("<html>", '<html lang="en">')
    .replace(", maximum-scale=1", "")
    .replaceAll(/"lastModified":\d+(\.\d+)?,?/g, "")
    .replace('<body>', '<body>\n<a class="skip" href="#observablehq-main">Skip to the content</a>')
    .replace(/<main id="observablehq-main"[^>]*>/, (main) => `${main}\n<noscript><style>observablehq-loading { display: none; }</style><p class="note">Scripts are off, so charts and tables are not drawn here. The same numbers are in <a href="${up}download/ioledger.duckdb">one DuckDB file</a>.</p></noscript>`)
    .replace('<nav id="observablehq-sidebar">', '<nav id="observablehq-sidebar" aria-label="Pages">')
    .replace('type="search" placeholder="Search"', 'type="search" placeholder="Search" aria-label="Search devices, submissions and pages"')
    .replace('id="observablehq-sidebar-toggle" type="checkbox" title="Toggle sidebar"', 'id="observablehq-sidebar-toggle" type="checkbox" title="Show or hide the list of pages" aria-label="Show or hide the list of pages"');
  writeFileSync(path, page);
}

function copy(from, to) {
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), {recursive: true});
  copyFileSync(from, to);
}
