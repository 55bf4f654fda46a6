// A headless browser and the built site, for the tests beside this file.
import {existsSync} from "node:fs";
import {chromium} from "playwright-core";
import {serve} from "../../tools/serve.mjs";

export const dist = process.env.IOLEDGER_DIST ?? "dist";
const candidates = [
  process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe"
];

// The machine's own browser, or the one that the package @sparticuz/chromium carries.
async function launch() {
  const found = candidates.find((path) => path && existsSync(path));
  if (found) return chromium.launch({executablePath: found, args: ["--no-sandbox"]});
  const {default: packaged} = await import("@sparticuz/chromium");
  return chromium.launch({executablePath: await packaged.executablePath(), args: packaged.args});
}

// Starts both; `open` gives a page that records errors, failed requests and every host it asks.
export async function start(directory = dist) {
  const server = await serve(directory);
  const browser = await launch();
  const origin = `http://127.0.0.1:${server.address().port}`;
  async function open(path, {width = 1280, colorScheme = "light", javaScriptEnabled = true} = {}) {
    const context = await browser.newContext({viewport: {width, height: 900}, colorScheme, reducedMotion: "reduce", javaScriptEnabled, hasTouch: width < 500});
    const page = await context.newPage();
    const faults = [];
    const requests = [];
    page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`exception: ${error.message}`));
    page.on("requestfailed", (request) => faults.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
    page.on("response", (response) => response.status() >= 400 && faults.push(`${response.status()}: ${response.url()}`));
    page.on("request", (request) => {
      requests.push(request.url());
      if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) faults.push(`another host: ${request.url()}`);
    });
    await page.goto(`${origin}${path}`);
    if (javaScriptEnabled) await settled(page);
    return {page, faults, requests, close: () => context.close()};
  }
  return {open, origin, stop: async () => { await browser.close(); server.closeAllConnections(); server.close(); }};
}

// Waits until every cell of the page has been drawn and nothing is on its way.
export async function settled(page) {
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => !document.querySelector("observablehq-loading"));
}
