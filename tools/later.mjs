// When a drawn page loads its scripts. The page already shows what they draw, so they wait until it is read and the machine
// is idle; a reader who begins with something first has them at once, and a phone, whose processor and battery are
// small, loads them for that alone. An address that says more than its page is drawn with cannot wait. A module that is put into
// a page does not wait for the rest of it to arrive, and would look for places that are not there yet.
const SIGNS = ["pointerdown", "keydown", "focusin", "touchstart", "change"];
const BEGIN = `{
const script = document.querySelector("script[data-needs]"), signs = ${JSON.stringify(SIGNS)};
const begin = () => {
  if (!script.isConnected) return;
  for (const sign of signs) removeEventListener(sign, begin, true);
  for (const href of script.dataset.needs.split(" ")) document.head.append(Object.assign(document.createElement("link"), {rel: "modulepreload", href}));
  const run = () => script.replaceWith(Object.assign(document.createElement("script"), {type: "module", textContent: script.textContent}));
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", run, {once: true});
  else run();
};
if (location.search.length > 1 || location.hash.length > 1) begin();
else {
  for (const sign of signs) addEventListener(sign, begin, {capture: true, passive: true});
  if (!matchMedia("(pointer: coarse), (max-width: 700px)").matches) addEventListener("load", () => (window.requestIdleCallback ?? setTimeout)(begin));
}
}`;
const PRELOADED = /<link rel="modulepreload" href="([^"]*)">\n?/g;
const MODULE = /<script type="module">([^]*?)<\/script>/;

// A page of the framework whose module waits; it requests what it needs when it begins.
export function later(html) {
  const needs = Array.from(html.matchAll(PRELOADED), ([, href]) => href);
  if (!MODULE.test(html)) throw new Error("the page of the framework has no module");
  return html.replaceAll(PRELOADED, "").replace(MODULE, (_, code) => `<script type="text/plain" data-needs="${needs.join(" ")}">${code}</script>\n<script>${BEGIN}</script>`);
}
