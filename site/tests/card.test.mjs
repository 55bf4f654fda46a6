// The picture of the site where a link to it is shared: its size, its marks, and the same bytes twice.
import assert from "node:assert/strict";
import {inflateSync} from "node:zlib";
import {test} from "./limits.mjs";
import {drawn} from "../../tools/card.mjs";
import {canvas, circle, rectangle} from "../../tools/raster.mjs";

// The colour of a pixel of a PNG as tools/raster.mjs writes it.
function reader(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const length = png.readUInt32BE(33);
  const lines = inflateSync(png.subarray(41, 41 + length));
  return {width, height, at: (x, y) => [...lines.subarray(y * (width * 3 + 1) + 1 + x * 3, y * (width * 3 + 1) + 4 + x * 3)]};
}

test("a shape covers what lies inside of it, and edges by their share", () => {
  const {fill, png} = canvas(10, 10, "#ffffff");
  fill(rectangle(2, 2, 3.5, 4), "#000000");
  const {at} = reader(png());
  assert.deepEqual([at(1, 3), at(2, 3), at(4, 3), at(5, 3), at(6, 3), at(3, 6)], [[255, 255, 255], [0, 0, 0], [0, 0, 0], [128, 128, 128], [255, 255, 255], [255, 255, 255]]);
  const round = canvas(20, 20, "#ffffff");
  round.fill(circle(10, 10, 6), "#ff0000");
  assert.deepEqual([reader(round.png()).at(10, 10), reader(round.png()).at(1, 1)], [[255, 0, 0], [255, 255, 255]]);
});

test("the card is 1200 x 630, has every medium in its colour, and the same bytes twice", async () => {
  const card = {results: 10_697, devices: 110, media: {hdd: [70], ssd_nvme: [12_000], ssd_optane: [90_000]}};
  const png = await drawn(card);
  const {width, height, at} = reader(png);
  assert.deepEqual([width, height], [1200, 630]);
  assert.ok(png.length < 300_000, `${png.length} bytes`);
  const seen = new Set();
  for (let x = 0; x < width; x += 2) for (let y = 0; y < height; y += 2) seen.add(at(x, y).join());
  for (const colour of ["10,92,143", "19,28,40"]) assert.ok(seen.has(colour), colour);
  assert.ok(png.equals(await drawn(card)));
  assert.ok((await drawn({results: 0, devices: 0, media: {}})).length > 1000);
});
