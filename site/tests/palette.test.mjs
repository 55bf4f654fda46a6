// The colours of the media: told apart by everybody, readable on the surface of a card. Everything is computed: CIEDE2000
// (Sharma, Wu, Dalal 2005) between what is seen, with the matrices of Machado, Oliveira and Fernandes 2009, severity 1, in
// linear light; contrast as in WCAG 2.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "./limits.mjs";
import {media, medium, palette, symbolPath} from "../components/media.js";

const base = readFileSync(new URL("../styles/base.css", import.meta.url), "utf8");
const seen = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
};

const linear = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const times = (matrix, v) => matrix.map((row) => row.reduce((sum, each, i) => sum + each * v[i], 0));
const clamped = (v) => v.map((each) => Math.min(1, Math.max(0, each)));
const RGB_TO_XYZ = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]];

function lab(rgb) {
  const f = (t) => t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116;
  const [x, y, z] = times(RGB_TO_XYZ, rgb).map((v, i) => f(v / [0.95047, 1, 1.08883][i]));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

export function ciede2000([l1, a1, b1], [l2, a2, b2]) {
  const rad = Math.PI / 180;
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)));
  const [p1, p2] = [(1 + g) * a1, (1 + g) * a2];
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)];
  const hue = (b, a) => a === 0 && b === 0 ? 0 : (Math.atan2(b, a) / rad + 360) % 360;
  const [h1, h2] = [hue(b1, p1), hue(b2, p2)];
  const turn = h2 - h1;
  const dh = c1 * c2 === 0 ? 0 : Math.abs(turn) <= 180 ? turn : turn > 180 ? turn - 360 : turn + 360;
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin(dh / 2 * rad);
  const [L, C] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const H = c1 * c2 === 0 ? h1 + h2 : Math.abs(turn) <= 180 ? (h1 + h2) / 2 : h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2;
  const T = 1 - 0.17 * Math.cos((H - 30) * rad) + 0.24 * Math.cos(2 * H * rad) + 0.32 * Math.cos((3 * H + 6) * rad) - 0.2 * Math.cos((4 * H - 63) * rad);
  const sl = 1 + 0.015 * (L - 50) ** 2 / Math.sqrt(20 + (L - 50) ** 2);
  const [sc, sh] = [1 + 0.045 * C, 1 + 0.015 * C * T];
  const rt = -2 * Math.sqrt(C ** 7 / (C ** 7 + 25 ** 7)) * Math.sin(60 * Math.exp(-(((H - 275) / 25) ** 2)) * rad);
  return Math.sqrt(((l2 - l1) / sl) ** 2 + ((c2 - c1) / sc) ** 2 + (dH / sh) ** 2 + rt * (c2 - c1) / sc * dH / sh);
}

const luminance = (hex) => linear(hex).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a, b) => { const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x); return (high + 0.05) / (low + 0.05); };
const variable = (name) => { const [, light, dark] = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(base); return {light, dark}; };
const pairs = (list) => list.flatMap((a, i) => list.slice(i + 1).map((b) => [a, b]));

test("CIEDE2000 gives the values of its authors", () => {
  for (const [a, b, expected] of [
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425], [[50, -1.3802, -84.2814], [50, 0, -82.7485], 1.0000], [[50, 2.5, 0], [50, 0, -2.5], 4.3065],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644], [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082]
  ]) assert.ok(Math.abs(ciede2000(a, b) - expected) < 1e-4, `${ciede2000(a, b)} is not ${expected}`);
});

for (const theme of ["light", "dark"]) {
  for (const [sight, matrix] of Object.entries(seen)) {
    test(`any two media are at least 15 apart in ${theme} for ${sight} sight`, () => {
      const colors = Object.fromEntries(media.map((id) => [id, lab(clamped(times(matrix, linear(palette[id][theme]))))]));
      for (const [a, b] of pairs(media)) {
        const distance = ciede2000(colors[a], colors[b]);
        assert.ok(distance >= 15, `${a} and ${b} are ${distance.toFixed(1)} apart`);
      }
    });
  }

  test(`every medium has a contrast of at least 4.5 on the surface in ${theme}`, () => {
    const surface = variable("surface")[theme];
    for (const id of media) {
      const found = contrast(palette[id][theme], surface);
      assert.ok(found >= 4.5, `${id} has ${found.toFixed(2)} on ${surface}`);
    }
  });
}

test("the style sheet has the colours of the palette", () => {
  for (const id of media) assert.deepEqual(variable(`m-${id}`), palette[id], id);
});

test("every medium has a symbol of its own", () => {
  assert.equal(new Set(media.map((id) => symbolPath(id))).size, media.length);
  assert.equal(medium("nothing known").color, "var(--ink-2)");
});
