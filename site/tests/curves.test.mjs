// The curves of the saturation page lie as far from the measured points as the marts say, or are not drawn.
import assert from "node:assert/strict";
import {join} from "node:path";
import {after, before, test} from "./limits.mjs";
import {settled, start} from "./browser.mjs";
import {sample} from "./sites.mjs";

const {folder, remove} = sample();
let site;
before(async () => { site = await start(join(folder, "dist")); });
after(async () => { await site?.stop(); remove(); });

// Runs inside the page, on the chart as it is drawn: how far each curve lies from each point, as a share of the point, and
// the depth at which it is highest.
function misses(svg) {
  const [x, y] = [svg.scale("x"), svg.scale("y")];
  const points = [...svg.querySelectorAll("[aria-label$=measured]")].map((mark) => {
    const {e, f} = mark.transform.baseVal.consolidate().matrix;
    return {across: e, rate: y.invert(f)};
  });
  const curves = ["three-number curve", "scalability law"].map((name) => [name, svg.querySelector(`path[aria-label='${name}']`)]).filter(([, path]) => path);
  return {points: points.length, curves: Object.fromEntries(curves.map(([name, path]) => {
    const length = path.getTotalLength();
    const at = (across) => {
      let [low, high] = [0, length];
      for (let i = 0; i < 40; i += 1) [low, high] = path.getPointAtLength((low + high) / 2).x < across ? [(low + high) / 2, high] : [low, (low + high) / 2];
      return y.invert(path.getPointAtLength(high).y);
    };
    const [first, last] = x.range;
    const steps = Array.from({length: 401}, (_, i) => first + (last - first) * i / 400);
    const highest = steps.reduce((best, across) => at(across) > at(best) ? across : best);
    return [name, {error: Math.max(...points.map(({across, rate}) => Math.abs(at(across) / rate - 1))), peak: x.invert(highest)}];
  }))};
}

// The rows of the table under a heading, as texts, by load profile and the submission's configuration.
const rowsUnder = (page, title) => page.locator("figure.figure", {has: page.getByRole("heading", {name: title})}).locator("tbody tr")
  .evaluateAll((rows) => rows.map((row) => [row.lastElementChild.querySelector("a").getAttribute("href"), [...row.children].map((cell) => cell.innerText.split("\n")[0].trim())]).map(([href, cells]) => [`${cells[0]} of ${href}`, cells]));

test("every drawn curve misses the measured points by the error its mart states, and a refused one is said, not drawn", async () => {
  const {page, faults, close} = await site.open("/saturation");
  const laws = await rowsUnder(page, "Sweeps that the law describes");
  const errors = (rows) => new Map(rows.filter(([, cells]) => !cells.includes("not seen")).map(([sweep, cells]) => [sweep, parseFloat(cells[5]) / 100]));
  const stated = {"three-number curve": errors(await rowsUnder(page, "Sweeps that the curve describes")), "scalability law": errors(laws)};
  const peaks = new Map(laws.map(([sweep, cells]) => [sweep, parseFloat(cells[4])]));
  const names = Object.keys(stated);
  assert.ok(names.every((name) => stated[name].size > 0), "no fitted sweep to compare");
  const picker = page.getByRole("combobox", {name: "Sweep"});
  const sweeps = await picker.locator("option").evaluateAll((options) => options.map((option) => {
    const [, submission, configuration] = option.value.split("\n");
    return {profile: option.text, title: option.parentElement.label, submission, sweep: `${option.text} of ./submissions/${submission}#${configuration}`};
  }));
  assert.deepEqual(names.flatMap((name) => [...stated[name].keys()]).filter((name) => !sweeps.some(({sweep}) => sweep === name)), []);
  const figure = page.locator("figure.figure", {has: page.getByRole("heading", {name: "what was measured, and the curves"})});
  for (const [index, {profile, title, submission, sweep}] of sweeps.entries()) {
    await picker.selectOption({index});
    await figure.getByRole("heading", {name: profile}).waitFor();
    await figure.locator("caption", {hasText: `, ${title}:`}).waitFor({state: "attached"});
    await figure.locator(`tbody a[href*='${submission}#']`).first().waitFor({state: "attached"});
    await settled(page);
    const drawn = await figure.locator("svg[aria-label*='by queue depth']").evaluate(misses);
    assert.ok(drawn.points >= 4, `${sweep}: ${drawn.points} points`);
    const note = await figure.locator("figcaption").innerText();
    for (const name of names) {
      const error = stated[name].get(sweep);
      assert.equal(name in drawn.curves, error != null, `${sweep}: ${name}`);
      assert.equal(note.includes(`the ${name} `), error == null, `${sweep}: ${note}`);
      if (error != null) assert.ok(Math.abs(drawn.curves[name].error - error) < 0.002, `${sweep}: the ${name} is drawn ${drawn.curves[name].error} off, stated ${error}`);
    }
    const peak = peaks.get(sweep);
    if (peak) assert.ok(Math.abs(Math.log(drawn.curves["scalability law"].peak / peak)) < 0.08, `${sweep}: the law is drawn highest at ${drawn.curves["scalability law"].peak}, stated ${peak}`);
  }
  assert.deepEqual(faults, []);
  await close();
});
