// The last step of the site: draws every page, so that it is complete without scripts, makes the pages of a kind from their
// stub, and writes what stands beside them: fonts, redirects, the index of the search. `node tools/finish.mjs SCRATCH DIST`.
import {createHash} from "node:crypto";
import {existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from "node:fs";
import {dirname, join, sep} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {Worker} from "node:worker_threads";
import {gzipSync} from "node:zlib";
import {escapeHtml, messages} from "../site/components/messages.js";
import {ENDING, isGzipped} from "../site/components/packed.js";
import {addressOf, icon, rootOf} from "../site/components/shell.js";
import {writeFonts} from "./fonts.mjs";

const THREADS = 2;
// Addresses of earlier releases, and the pages that say the same today.
const MOVED = {
  "/latency": "/tail", "/saturation": "/queue-depth", "/efficiency": "/price", "/repeatability": "/same-drive", "/downloads": "/data", "/try": "/your-result",
  "/about/method": "/method", "/about/columns": "/columns", "/about/rules": "/rules", "/about/checks": "/checks", "/about/limits": "/limits"
};

// Completes the site in `output` from what the pass left in `scratch`; raises an error that names each page that failed.
export async function finish(scratch, output) {
  const site = JSON.parse(readFileSync(join(scratch, "site.json"), "utf8"));
  const open = (name) => join(scratch, "public", name);
  await writeFonts(join(output, "fonts"), findSigns(["data", "content", "parts", "ja"].map(open)));
  // tools/card.mjs draws the picture at the same time
  const facts = {style: styleSheets(output), card: existsSync(open("data/card.json")), jsonld: existsSync(open("jsonld.json")) ? JSON.parse(readFileSync(open("jsonld.json"), "utf8")) : {}};
  const jobs = listPages(site);
  const found = await drawPages(jobs, {scratch, output, site, facts});
  for (const {stub} of site.made) for (const language of site.languages) rmSync(join(output, language === "en" ? "" : language, `${stub}.html`));
  rmSync(open("jsonld.json"), {force: true});
  for (const folder of ["content", "parts", "ja/content"]) pack(open(""), folder);
  writeFileSync(join(output, "icon.svg"), icon);
  redirects(output, site);
  searchIndex(output, found, site);
  return jobs.length;
}

// Packs what pages load only when a reader opens it; everything is drawn by now.
function pack(root, folder) {
  if (!existsSync(join(root, folder))) return;
  for (const name of readdirSync(join(root, folder), {recursive: true})) {
    const path = `${folder}/${name.split(sep).join("/")}`;
    if (!isGzipped(path)) continue;
    writeFileSync(join(root, `${path}${ENDING}`), gzipSync(readFileSync(join(root, path))));
    rmSync(join(root, path));
  }
}

// Writes the two style sheets, of which a page waits for one: what the framework made of the styles, behind the fonts. That
// of the pages that Framework does not know lies at the root. There Japanese is in labels, of which the bold ones are made of
// the one weight that the page preloads: another file would move them when it comes. Returns the name of the other.
function styleSheets(output) {
  const folder = join(output, "_import");
  const built = readdirSync(folder).find((name) => /^style\.\w+\.css$/.test(name));
  const styles = readFileSync(join(folder, built), "utf8");
  const faces = readFileSync(join(output, "fonts", "fonts.css"), "utf8").split("\n");
  const sheet = (isWanted, path) => faces.filter(isWanted).join("\n").replaceAll("url(", `url(${path}`) + styles;
  const own = sheet(() => true, "../fonts/");
  const name = `style.${createHash("sha256").update(own).digest("hex").slice(0, 8)}.css`;
  writeFileSync(join(output, "style.css"), sheet((face) => !face.includes("jp-700"), "fonts/"));
  rmSync(join(folder, built));
  writeFileSync(join(folder, name), own);
  return name;
}

// Every page to draw, in every language; those of a kind have the stub as their template.
function listPages({languages, pages, made}) {
  return languages.flatMap((language) => {
    const t = messages(language);
    const single = pages.map(({path, stub, module, title, description}) => ({path, pattern: path, stub, module, language, title: t(title), description: t(description), kind: null, id: null, words: ""}));
    const alike = made.flatMap(({path: pattern, kind, module, stub, title, description, items}) => items.map((item) =>
      ({path: `/${kind}/${item.id}`, pattern, stub, module, language, title: t(title, item), description: t(description, item), kind, id: item.id, words: item.title})));
    return [...single, ...alike];
  });
}

// Draws pages in threads; each takes the next page when it has drawn one.
async function drawPages(jobs, workerData) {
  const found = [];
  const problems = [];
  const left = [...jobs.keys()].reverse();
  const script = join(dirname(fileURLToPath(import.meta.url)), "draw.mjs");
  await Promise.all(Array.from({length: Math.min(THREADS, jobs.length)}, () => new Promise((done, fail) => {
    const worker = new Worker(script, {workerData, resourceLimits: {maxYoungGenerationSizeMb: 128}});
    let mine;
    const next = () => {
      if (!left.length) return void worker.terminate().then(done);
      mine = left.pop();
      worker.postMessage(jobs[mine]);
    };
    worker.on("message", ({found: page, problem}) => {
      if (problem) problems.push([mine, problem]);
      else found[mine] = page;
      next();
    });
    worker.on("error", fail);
    next();
  })));
  if (problems.length) throw new Error(problems.sort(([a], [b]) => a - b).map(([, problem]) => problem).join("\n"));
  return found;
}

// The characters beyond ASCII in the messages and in the data of pages, where JSON may have escaped them.
function findSigns(folders) {
  const signs = new Set(["en", "ja"].flatMap((language) => [...JSON.stringify(messages.all(language))]).filter((sign) => sign > "\x7f"));
  for (const folder of folders.filter(existsSync)) {
    for (const name of readdirSync(folder, {recursive: true})) {
      if (!name.endsWith(".json")) continue;
      const text = readFileSync(join(folder, name), "utf8");
      for (const [, code] of text.matchAll(/\\u([0-9a-f]{4})/gi)) signs.add(String.fromCharCode(parseInt(code, 16)));
      for (const [sign] of text.matchAll(/[^\x00-\x7f]/gu)) signs.add(sign);
    }
  }
  return [...signs].filter((sign) => !/\p{Surrogate}/u.test(sign));
}

// A small page at each old address. It keeps what stands behind the address where scripts run.
function redirects(output, site) {
  const known = new Map(site.pages.map((page) => [page.path, page]));
  const t = messages("en");
  for (const [old, now] of Object.entries(MOVED)) {
    const file = join(output, `${old}.html`);
    if (!known.has(now)) continue;
    const to = `${rootOf(old, "en")}/${addressOf(now, "en")}`;
    const name = t(known.get(now).title);
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(name)} | ioledger</title>
<script>location.replace(${JSON.stringify(to)} + location.search + location.hash)</script>
<meta http-equiv="refresh" content="0; url=${escapeHtml(to)}">
${site.address ? `<link rel="canonical" href="${escapeHtml(`${site.address}/${addressOf(now, "en")}`)}">\n` : ""}</head>
<body><main><h1>${escapeHtml(name)}</h1><p>${messages("en", {link: () => to}).html("redirect.moved", {name, path: now})}</p></main></body>
</html>
`);
  }
}

// What the search page reads: the pages of a language with their words, and with those that readers use for what a page calls otherwise. The ids of numbers stand beside (site/numbers/write.mjs).
function searchIndex(output, found, {languages}) {
  mkdirSync(join(output, "search"), {recursive: true});
  for (const language of languages) {
    const t = messages(language);
    const also = ({path}) => t.has(`search.words.${path.slice(1)}`) ? ` ${t(`search.words.${path.slice(1)}`)}` : "";
    const known = found.filter((page) => page.language === language && !["/404", "/search"].includes(page.path))
      .map(({path, title, kind, text, words}) => ({path: path.slice(1), title, kind, text, words: words.slice(0, kind ? 300 : 1500) + also({path})}));
    writeFileSync(join(output, "search", `${language}.json`), JSON.stringify(known));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [scratch, output] = process.argv.slice(2);
  await finish(scratch, output).then((count) => console.log(`${count} pages drawn`), (error) => { console.error(error.message); process.exit(1); });
}
