// The last step of a site build: what Framework leaves out of the pages, and the files that stand beside them.
import {copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";

const source = process.env.IOLEDGER_BUILD ?? "build";
const data = process.env.IOLEDGER_DATA ?? "data";

// Completes the pages in `output` and copies raw files ([{from, to}]) and downloads there.
export function finish(output, files) {
  for (const name of readdirSync(output, {recursive: true})) {
    if (name.endsWith(".html")) complete(join(output, name));
  }
  for (const {from, to} of files) copy(join(data, from), join(output, to));
  for (const name of readdirSync(source)) {
    if (/\.(parquet|duckdb)$|^manifest\.json$/.test(name)) copy(join(source, name), join(output, "download", name));
  }
  if (existsSync(join(source, "marts"))) cpSync(join(source, "marts"), join(output, "download", "marts"), {recursive: true});
}

// Pages carry their language, may be zoomed, name their landmarks, and do not depend on when they were built.
function complete(path) {
  const page = readFileSync(path, "utf8")
    .replace("<html>", '<html lang="en">')
    .replace(", maximum-scale=1", "")
    .replaceAll(/"lastModified":\d+(\.\d+)?,?/g, "")
    .replace('<body>', '<body>\n<a class="skip" href="#observablehq-main">Skip to the content</a>')
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
