// What charts share: the surface, text with a halo, scales and axes. Sizes are those of a chart that is shown as wide as drawn.
import {svg} from "htl";
import {scaleLog} from "d3";

export const WIDE = 1190;
export const NARROW = 302;
export const isNarrow = (width) => width < 600;

// The picture, with a name; its marks are links, so it is a group and not an image.
export const surface = ({width, height, label}, ...children) =>
  svg`<svg class="chart" viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} role="group" aria-label=${label}>${children.flat(Infinity).filter((child) => child != null)}</svg>`;

// Text at (x, y). anchor: start, middle, end; size 13 (ticks 12.5, minor 11.5); `halo` keeps it apart from lines below.
export const text = (content, {x, y, anchor = "start", size = 13, weight = 400, fill = "var(--ink)", halo = false, italic = false, rotate = null}) =>
  svg`<text x=${round(x)} y=${round(y)} text-anchor=${anchor === "start" ? null : anchor} font-size=${size} font-weight=${weight === 400 ? null : weight} font-style=${italic ? "italic" : null} fill=${fill} class=${halo ? "halo" : null} transform=${rotate == null ? null : `rotate(${rotate} ${round(x)} ${round(y)})`}>${content}</text>`;

export const line = (x1, y1, x2, y2, {stroke = "var(--line)", width = 1, dash = null, opacity = null} = {}) =>
  svg`<line x1=${round(x1)} y1=${round(y1)} x2=${round(x2)} y2=${round(y2)} stroke=${stroke} stroke-width=${width} stroke-dasharray=${dash} stroke-opacity=${opacity} />`;

export const round = (value) => Number(value.toFixed(1));

// How wide a text is about, in pixels: enough to keep labels apart, without a font at hand. Full-width signs take an em.
export const widthOf = (content, size = 13) => [...String(content)].reduce((sum, sign) => sum + (sign > "⺀" ? 1 : /[\d→≥≈]/.test(sign) ? 0.62 : /[iljtfI.,:;'| ]/.test(sign) ? 0.32 : /[MWm%–]/.test(sign) ? 0.85 : /[A-Z]/.test(sign) ? 0.68 : 0.56), 0) * size;

// The lines of a text that fit into a width at a size; a language without spaces breaks between its signs.
export function wrapped(text, width, size) {
  const words = String(text).match(/[^\s⺀-鿿＀-￯]+\s*|\s+|./gu) ?? [];
  const lines = [""];
  for (const word of words) {
    if (lines.at(-1) && widthOf(lines.at(-1) + word.trimEnd(), size) > width) lines.push("");
    lines[lines.length - 1] += word;
  }
  return lines.map((line) => line.trim()).filter(Boolean);
}

// A text cut to a width, with an ellipsis.
export function cut(text, width, size = 13) {
  if (widthOf(text, size) <= width) return text;
  let kept = [...text];
  while (kept.length > 1 && widthOf(`${kept.join("")}…`, size) > width) kept = kept.slice(0, -1);
  return `${kept.join("").replace(/[\s,;·-]+$/, "")}…`;
}

// A log scale over the positive ones of some values, at least a factor of two, with a margin at both ends.
export function logScale(values, range, {below = 1.15, above = below} = {}) {
  const known = values.filter((value) => value > 0 && Number.isFinite(value));
  const [low, high] = known.length ? [Math.min(...known), Math.max(...known)] : [1, 1];
  const less = high / low < 2 ? Math.sqrt(2 * low / high) : 1;
  return scaleLog([low / less / below, high * less * above], range);
}

// Ticks of a log axis: the powers of ten, or 1, 2 and 5 of each where fewer than three powers fit, or still finer ones.
export function logTicks([low, high]) {
  const powers = Array.from({length: 40}, (_, i) => Number(`1e${i - 20}`)).filter((power) => power > low / 10 && power <= high);
  const ticks = [[1], [1, 2, 5], [1, 1.5, 2, 3, 4, 5, 6, 8]].map((steps) => powers.flatMap((power) => steps.map((step) => Number((step * power).toPrecision(3)))).filter((value) => value >= low * 0.9999 && value <= high * 1.0001));
  return ticks.find((found) => found.length >= 3) ?? ticks[2];
}

// Those of some ticks whose words do not touch.
function apart(scale, ticks, words) {
  let end = -Infinity;
  return ticks.filter((value) => {
    const half = widthOf(words(value), 12.5) / 2;
    if (scale(value) - half < end + 4) return false;
    end = scale(value) + half;
    return true;
  });
}

// A horizontal axis: its grid from `top` to `bottom`, ticks in `words` that do not touch, and its name below.
export function axisBelow(x, {top, bottom, words, title, ticks = logTicks(x.domain())}) {
  const [left, right] = x.range();
  const size = Math.min(12.5, (right - left + 16) / widthOf(title, 1.08));
  return [
    ticks.map((value) => line(x(value), top, x(value), bottom)),
    apart(x, ticks, words).map((value) => text(words(value), {x: x(value), y: bottom + 16, anchor: "middle", size: 12.5, fill: "var(--ink-2)"})),
    text(title, {x: (left + right) / 2, y: bottom + 35, anchor: "middle", size, weight: 600, fill: "var(--ink-2)"})
  ];
}

// A vertical axis: its grid from `left` to `right`, and ticks in `words` at the left of it.
export const axisLeft = (y, {left, right, words, ticks = logTicks(y.domain().toSorted((a, b) => a - b))}) =>
  ticks.map((value) => [line(left, y(value), right, y(value)), text(words(value), {x: left - 7, y: y(value) + 4, anchor: "end", size: 12.5, fill: "var(--ink-2)"})]);

// A line through places [x, y], or by steps: first along, then up or down.
export const path = (places, isStepped = false) => places.map(([x, y], i) => i ? isStepped ? `H${round(x)}V${round(y)}` : `L${round(x)} ${round(y)}` : `M${round(x)} ${round(y)}`).join("");
