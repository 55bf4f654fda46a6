// Draws pages in a thread of its own and writes them: what the site's framework built, with the content put into the place
// where scripts draw the same later, and a head that says what the page is. tools/finish.mjs starts two of these.
import "./dom.mjs";
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {parentPort, workerData} from "node:worker_threads";
import {messages} from "../site/components/messages.js";
import {context, markLanguage} from "../site/components/mount.js";
import {about, addressOf, rootOf} from "../site/components/shell.js";
import {stateOf} from "../site/components/state.js";
import {later} from "./later.mjs";

const pages = join(dirname(fileURLToPath(import.meta.url)), "..", "site", "pages");
const {scratch, output, site, facts} = workerData;
const PLACE = "<observablehq-loading></observablehq-loading>";
// Pages that need their scripts at once, because they show little without them.
const EAGER = ["/404", "/search", "/source", "/sql", "/your-result"];
const texts = new Map();

parentPort.on("message", async (job) => {
  try {
    parentPort.postMessage({found: await draw(job)});
  } catch (error) {
    parentPort.postMessage({problem: `site/pages/${job.module}: /${addressOf(job.path, job.language)} cannot be drawn: ${error.stack ?? error}`});
  }
});

// One page in one language: {path, module, language, title, description, stub, kind, id}; `pattern` is the path of its kind. Returns what search knows of it.
async function draw({path, pattern, module, language, title, description, stub, kind, id, words}) {
  const base = rootOf(path, language);
  const given = context({path: pattern, language, base, id, read, state: stateOf()});
  const page = (await import(pathToFileURL(join(pages, module)).href)).default;
  const box = document.createElement("div");
  box.className = "page";
  box.append(markLanguage(await page(given), given.language));
  const head = about({title, description, path, language, address: site.address, of: site.languages, card: facts.card, jsonld: facts.jsonld[path.slice(1)]});
  const folder = join(output, language === "en" ? "" : language);
  const built = read.text(join(folder, `${stub}.html`));
  const file = join(folder, `${path}.html`);
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, completePage(built, {language, title, head, content: box.outerHTML, stub, path}));
  const said = [...box.querySelectorAll("h2, h3, .answer")].map((node) => node.textContent.replaceAll(/\s+/g, " ").trim());
  return {path, language, title, kind, text: description, words: [words, ...new Set(said)].join(" ")};
}

// A built page with its language, its head and its content; it may be zoomed, and does not depend on when it was built.
function completePage(html, {language, title, head, content, stub, path}) {
  if (html.split(PLACE).length !== 2) throw new Error(`the page of the framework has ${html.split(PLACE).length - 1} places for the content`);
  const t = messages(language);
  const quiet = EAGER.includes(path) ? html : later(html);
  const own = path === stub ? quiet : quiet.replace(/<header [^]*?<\/header>/, (header) => header.replaceAll(`${stub}"`, `${path.split("/").map(encodeURIComponent).join("/")}"`));
  return own
    .replace("<html>", `<html lang="${language}">`)
    .replace(", maximum-scale=1", "")
    .replaceAll(/"lastModified":\d+(\.\d+)?,?/g, "")
    .replaceAll(/(<link [^>]*rel=")external /g, "$1")
    .replace(/<link rel="stylesheet" href="[^"]*fonts\.css">\n/, "")
    .replace(/<link rel="preload" as="style"[^>]*>\n/, "")
    .replace(/style\.\w+\.css/, facts.style)
    .replace(/<title>[^]*?<\/title>/, () => `<title>${title.replaceAll("&", "&amp;").replaceAll("<", "&lt;")} | ioledger</title>`)
    .replace("</head>", () => `${head}\n</head>`)
    .replace("<body>", () => `<body>\n<a class="skip" href="#observablehq-main">${t.html("nav.skip")}</a>`)
    .replace(PLACE, () => `<observablehq-loading>${content}</observablehq-loading>`);
}

// The JSON of a file below the root of the site, null where there is none; parsed anew, so that no page sees another's changes.
async function read(path) {
  const text = read.text(join(scratch, "public", ...path.split("/").map(decodeURIComponent)), null);
  return text == null ? null : JSON.parse(text);
}

// Content of a single page is read once, by that page, and not cached.
read.text = (file, otherwise) => {
  if (texts.has(file)) return texts.get(file);
  let text;
  try { text = readFileSync(file, "utf8"); } catch (error) {
    if (error.code !== "ENOENT" || otherwise === undefined) throw error;
    text = otherwise;
  }
  if (!file.includes("/content/")) texts.set(file, text);
  return text;
};
