// Scales with their ticks, and places for marks and words, for the charts of this folder.
import {scaleLog, scaleSymlog} from "d3";
import {widthOf} from "./draw.js";

const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8];

// A logarithmic scale over values, at least `least` wide, with the ticks that there is room for.
export function logarithmic(values, [from, to], {least = 2, room = 62} = {}) {
  const known = values.filter((value) => value > 0 && Number.isFinite(value));
  let [low, high] = known.length ? [Math.min(...known), Math.max(...known)] : [1, 1];
  if (high / low < least) [low, high] = [low / Math.sqrt(least * low / high), high * Math.sqrt(least * low / high)];
  const edge = (high / low) ** 0.04;
  const scale = scaleLog([low / edge, high * edge], [from, to]);
  return {scale, ticks: ticksOf(scale, room)};
}

// Round numbers at least `room` apart: whole decades if those are enough, else finer ones.
export function ticksOf(scale, room) {
  const [low, high] = scale.domain();
  const decades = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) decades.push(power);
  for (const steps of [STEPS, [1, 2, 3, 4, 6, 8], [1, 2, 4], [1, 2, 5], [1, 3], [1]]) {
    const found = decades.flatMap((power) => steps.map((step) => +(step * 10 ** power).toPrecision(3))).filter((value) => value >= low && value <= high);
    if (found.every((value, i) => i === 0 || Math.abs(scale(value) - scale(found[i - 1])) >= room)) return found;
  }
  const every = Math.ceil(room / Math.abs(scale(10) - scale(1)));
  return decades.filter((power) => power % every === 0).map((power) => 10 ** power).filter((value) => value >= low && value <= high);
}

// Percent differences, linear within one percent and logarithmic beyond.
export function percentages(values, [from, to]) {
  const furthest = (sign, least) => Math.max(least, ...values.map((value) => sign * value).filter(Number.isFinite)) * 1.15;
  return scaleSymlog([-furthest(-1, 2), furthest(1, 2)], [from, to]).constant(1);
}

// Places for dots of a strip: each as near to its line as the others let it, alternating above and below. Returns offsets.
export function dodged(places, radius) {
  const order = places.map((x, i) => ({x, i})).sort((a, b) => a.x - b.x || a.i - b.i);
  const set = [];
  const offsets = Array(places.length).fill(0);
  for (const {x, i} of order) {
    const near = set.filter((each) => x - each.x < 2 * radius);
    const free = (y) => near.every((each) => (x - each.x) ** 2 + (y - each.y) ** 2 >= 4 * radius * radius - 1e-6);
    let y = 0;
    for (let step = 1; !free(y); step++) y = (step % 2 ? 1 : -1) * Math.ceil(step / 2) * radius;
    set.push({x, y});
    offsets[i] = y;
  }
  return offsets;
}

// A text cut to a width, with an ellipsis.
export function cut(text, width, size = 13) {
  if (widthOf(text, size) <= width) return text;
  let kept = [...text];
  while (kept.length > 1 && widthOf(`${kept.join("")}…`, size) > width) kept = kept.slice(0, -1);
  return `${kept.join("").replace(/[\s,;·-]+$/, "")}…`;
}

// Parts of an answer, each a list of nodes, as one sentence with its full stop. The first letter is a capital.
export function sentences(parts, t) {
  if (!parts.length) return [];
  const nodes = [...parts.flatMap((part, i) => i ? [t("list.sentences"), ...part] : part), t("list.stop")];
  const [first] = nodes;
  if (first.nodeType === 3) first.data = first.data.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return nodes;
}
