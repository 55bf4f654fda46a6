// Pictures as pixels, without a browser: filled outlines on a canvas of one colour, and the PNG of it. An edge of a shape is
// smooth: each row of pixels is cut four times, and every cut knows how much of a pixel it covers.
import {deflateSync} from "node:zlib";

const CUTS = 4;
const STEPS = 8;

// The polygons of an SVG path of lines and curves, moved by (x, y) and scaled; `flip` turns fonts, whose y goes up.
export function outlines(path, {x = 0, y = 0, scale = 1, flip = false} = {}) {
  const found = [];
  let at = [0, 0];
  let line = null;
  const to = (px, py) => { at = [px, py]; line.push([x + px * scale, y + (flip ? -py : py) * scale]); };
  const curve = (points) => {
    const [x0, y0] = at;
    for (let step = 1; step <= STEPS; step++) to(...bezier([[x0, y0], ...points], step / STEPS));
  };
  for (const [, command, rest] of path.matchAll(/([MLHVhvQCAZ])([^MLHVhvQCAZ]*)/g)) {
    const n = (rest.match(/-?(?:\d*\.\d+|\d+\.?)(?:e-?\d+)?/g) ?? []).map(Number);
    if (command === "M") { line = []; found.push(line); to(n[0], n[1]); }
    for (let i = command === "M" ? 2 : 0; "ML".includes(command) && i < n.length; i += 2) to(n[i], n[i + 1]);
    if (command === "H") to(n[0], at[1]);
    if (command === "V") to(at[0], n[0]);
    if (command === "h") to(at[0] + n[0], at[1]);
    if (command === "v") to(at[0], at[1] + n[0]);
    if (command === "Q") curve([[n[0], n[1]], [n[2], n[3]]]);
    if (command === "C") curve([[n[0], n[1]], [n[2], n[3]], [n[4], n[5]]]);
    if (command === "A") throw new Error("an arc has to be given as a polygon");
  }
  return found;
}

function bezier(points, t) {
  if (points.length === 1) return points[0];
  return bezier(points.slice(1).map(([px, py], i) => [points[i][0] + (px - points[i][0]) * t, points[i][1] + (py - points[i][1]) * t]), t);
}

export const rectangle = (x, y, width, height) => [[[x, y], [x + width, y], [x + width, y + height], [x, y + height]]];
export const circle = (x, y, radius, corners = 48) => [Array.from({length: corners}, (_, i) => [x + radius * Math.cos(2 * Math.PI * i / corners), y + radius * Math.sin(2 * Math.PI * i / corners)])];

// A canvas: fill(polygons, "#rrggbb", opacity), png().
export function canvas(width, height, background) {
  const pixels = new Uint8Array(width * height * 3);
  const channels = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  pixels.forEach((_, i) => { pixels[i] = channels(background)[i % 3]; });

  function fill(polygons, colour, opacity = 1) {
    const edges = polygons.flatMap((points) => points.map((point, i) => [point, points[(i + 1) % points.length]])).filter(([[, a], [, b]]) => a !== b);
    const ys = edges.flatMap(([[, a], [, b]]) => [a, b]);
    const ink = channels(colour);
    for (let row = Math.max(0, Math.floor(Math.min(...ys))); row < Math.min(height, Math.ceil(Math.max(...ys))); row++) {
      const cover = coverRow(edges, row);
      for (const [column, share] of cover) {
        if (column < 0 || column >= width) continue;
        const at = (row * width + column) * 3;
        for (let i = 0; i < 3; i++) pixels[at + i] = Math.round(pixels[at + i] + (ink[i] - pixels[at + i]) * Math.min(1, share) * opacity);
      }
    }
  }
  return {fill, png: () => png(width, height, pixels)};
}

// Coverage of each pixel of a row, by the nonzero winding rule.
function coverRow(edges, row) {
  const cover = new Map();
  const add = (column, share) => cover.set(column, (cover.get(column) ?? 0) + share / CUTS);
  for (let cut = 0; cut < CUTS; cut++) {
    const y = row + (cut + 0.5) / CUTS;
    const crossings = edges.flatMap(([[ax, ay], [bx, by]]) => (ay <= y) === (by <= y) ? [] : [[ax + (y - ay) / (by - ay) * (bx - ax), by > ay ? 1 : -1]]).sort(([a], [b]) => a - b);
    let winding = 0;
    crossings.forEach(([x, direction], i) => {
      winding += direction;
      if (winding === 0 || i + 1 === crossings.length) return;
      const end = crossings[i + 1][0];
      for (let column = Math.floor(x); column < end; column++) add(column, Math.min(end, column + 1) - Math.max(x, column));
    });
  }
  return cover;
}

const CRC = Uint32Array.from({length: 256}, (_, n) => Array.from({length: 8}).reduce((c) => c & 1 ? 0xEDB88320 ^ c >>> 1 : c >>> 1, n));
const crc = (bytes) => (bytes.reduce((c, byte) => CRC[(c ^ byte) & 255] ^ c >>> 8, 0xFFFFFFFF) ^ 0xFFFFFFFF) >>> 0;

function png(width, height, pixels) {
  const lines = Buffer.alloc((width * 3 + 1) * height);
  for (let row = 0; row < height; row++) lines.set(pixels.subarray(row * width * 3, (row + 1) * width * 3), row * (width * 3 + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, check]);
  };
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), chunk("IHDR", header), chunk("IDAT", deflateSync(lines, {level: 9})), chunk("IEND", Buffer.alloc(0))]);
}
