// Where labels stand: each tries its places and takes the one that covers least; what is placed is in the way of the next.
import {widthOf} from "./draw.js";

// How far two labels on one line stand apart, in pixels.
const APART = 4;

const overlap = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

// bounds: {left, top, right, bottom} of the panel. place(words, places, size, limit) -> {x, y, anchor} or null where even the
// best place covers more than `limit` square pixels; places: {x, y, anchor}, best first;
// `worse` is what a place may gain by covering less. A label weighs `own` to those after it.
export function placer(bounds, own = 2) {
  const taken = [];
  const boxOf = (words, {x, y, anchor = "start"}, size) => {
    const width = widthOf(words, size);
    const left = anchor === "end" ? x - width : anchor === "middle" ? x - width / 2 : x;
    return {left, right: left + width, top: y - size * 0.8, bottom: y + size * 0.25};
  };
  const outside = ({left, right, top, bottom}) => (Math.max(0, bounds.left - left) + Math.max(0, right - bounds.right)) * 40 + (Math.max(0, bounds.top - top) + Math.max(0, bottom - bounds.bottom)) * 60;
  const cost = (box) => outside(box) + taken.reduce((sum, {box: other, weight}) => sum + weight * overlap(box, other), 0);
  return {
    take(x, y, half, weight = 1) { taken.push({box: {left: x - half, right: x + half, top: y - half, bottom: y + half}, weight}); },
    // A line as small boxes along it.
    takeLine([x1, y1], [x2, y2], weight = 0.5) {
      const steps = Math.max(1, Math.ceil(Math.hypot(x2 - x1, y2 - y1) / 5));
      for (let i = 0; i <= steps; i++) this.take(x1 + (x2 - x1) * i / steps, y1 + (y2 - y1) * i / steps, 2.5, weight);
    },
    place(words, places, size = 12.5, limit = Infinity) {
      const scored = places.map((place) => ({place, box: boxOf(words, place, size)})).map((each, i) => ({...each, cost: cost(each.box) + (each.place.worse ?? 0) + i * 0.01}));
      const best = scored.reduce((least, each) => each.cost < least.cost ? each : least);
      if (best.cost > limit) return null;
      const {left, right, ...rest} = best.box;
      taken.push({box: {...rest, left: left - APART, right: right + APART}, weight: own});
      return best.place;
    }
  };
}
