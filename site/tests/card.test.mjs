// The picture of the site where a link to it is shared: its size, its marks, and the same bytes twice.
import assert from "node:assert/strict";
import {inflateSync} from "node:zlib";
import {test} from "./limits.mjs";
import {drawCard} from "../../tools/card.mjs";

// The size of a PNG as tools/raster.mjs writes it, and the colour of a pixel.
function opened(png) {
  const [width, height, length] = [16, 20, 33].map((place) => png.readUInt32BE(place));
  const lines = inflateSync(png.subarray(41, 41 + length));
  return {width, height, at: (x, y) => [...lines.subarray(y * (width * 3 + 1) + 1 + x * 3, y * (width * 3 + 1) + 4 + x * 3)].join()};
}

test("the card is 1200 x 630, has every medium in its colour, and the same bytes twice; that of an empty site is drawn too", async () => {
  const [card, empty] = [{results: 10_697, devices: 110, media: {hdd: [70], ssd_nvme: [12_000], ssd_optane: [90_000]}}, {results: 0, devices: 0, media: {}}];
  const png = await drawCard(card);
  const {width, height, at} = opened(png);
  assert.deepEqual([width, height], [1200, 630]);
  assert.ok(png.length < 300_000, `${png.length} bytes`);
  const seen = new Set(Array.from({length: 600 * 315}, (_, i) => at(2 * (i % 600), 2 * Math.floor(i / 600))));
  for (const colour of ["10,92,143", "19,28,40"]) assert.ok(seen.has(colour), colour);
  assert.ok(png.equals(await drawCard(card)));
  assert.ok((await drawCard(empty)).length > 1000);
});
