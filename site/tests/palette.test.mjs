// The colours of the media: told apart by everybody, readable on the surface of a card. Everything is computed: the distance in
// CIELAB between what is seen, with the matrices of Machado, Oliveira and Fernandes 2009, severity 1, in linear light.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {lab, rgb} from "d3";
import {test} from "./limits.mjs";
import {media, medium, palette, symbolPath} from "../components/marks.js";

const base = readFileSync(new URL("../styles/base.css", import.meta.url), "utf8");
const seen = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
};

const linear = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const times = (matrix, v) => matrix.map((row) => row.reduce((sum, each, i) => sum + each * v[i], 0));
const shown = (v) => 255 * Math.min(1, Math.max(0, v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));

const variable = (name) => { const [, light, dark] = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(base); return {light, dark}; };
const pairs = (list) => list.flatMap((a, i) => list.slice(i + 1).map((b) => [a, b]));

for (const theme of ["light", "dark"]) {
  for (const [sight, matrix] of Object.entries(seen)) {
    test(`any two media are at least 15 apart in ${theme} for ${sight} sight`, () => {
      const colors = Object.fromEntries(media.map((id) => [id, lab(rgb(...times(matrix, linear(palette[id][theme])).map(shown)))]));
      for (const [a, b] of pairs(media)) {
        const distance = Math.hypot(...["l", "a", "b"].map((axis) => colors[a][axis] - colors[b][axis]));
        assert.ok(distance >= 15, `${a} and ${b} are ${distance.toFixed(1)} apart`);
      }
    });
  }
}

test("the style sheet has the colours of the palette", () => {
  for (const id of media) assert.deepEqual(variable(`m-${id}`), palette[id], id);
});

test("every medium has a symbol of its own", () => {
  assert.equal(new Set(media.map((id) => symbolPath(id))).size, media.length);
  assert.equal(medium("nothing known").color, "var(--ink-2)");
});
