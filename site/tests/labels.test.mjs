// Names within a chart, as the browser draws them: none lies over a symbol or another name, wide and on a phone.
import assert from "node:assert/strict";
import {after, before, describe, test} from "./limits.mjs";
import {start} from "./browser.mjs";

// Runs in the page: names of the charts that are shown which cover a symbol or another name by more than a pixel. Where curves
// lie close, those that are not in colour are ground: names of operating curves and their depths may lie on them.
function covered({isGround}) {
  const box = (node) => node.getBoundingClientRect();
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const charts = [...document.querySelectorAll("figure svg.chart")].filter((chart) => box(chart).width > 0);
  const found = charts.map((chart) => {
    // a line of text is as high as the font; its letters are lower
    const names = [...chart.querySelectorAll("text.halo[font-weight='600']")].map((node) => ({node, left: box(node).left, right: box(node).right, top: box(node).top + 3, bottom: box(node).bottom - 3}));
    const isGrey = (path) => path.getAttribute("stroke") === "var(--line-strong)";
    const symbols = [...chart.querySelectorAll("a.mark g path")].filter((path) => !isGround || !isGrey(path)).map(box);
    return {names: names.length, over: names.filter((name, i) => [...symbols, ...names.slice(i + 1)].some((other) => overlap(name, other))).map(({node}) => node.textContent)};
  });
  return {charts: charts.length, names: found.reduce((sum, {names}) => sum + names, 0), over: found.flatMap(({over}) => over)};
}

describe("names in charts", () => {
  let site;
  before(async () => { site = await start(); });
  after(() => site?.stop());

  for (const width of [360, 1280]) for (const path of ["/tail", "/ja/tail", "/queue-depth", "/ja/queue-depth"]) {
    test(`${path} at ${width} px has no name over a symbol or another name`, async () => {
      const {page, close} = await site.open(path, {width});
      const found = await page.evaluate(covered, {isGround: path.endsWith("queue-depth")});
      await close();
      // with charts there are names, whatever the dataset holds
      assert.equal(found.charts > 0, found.names > 0);
      assert.deepEqual(found.over, []);
    });
  }
});
