// What charts share: the surface, text with a halo, grid and axes. Sizes are those of a chart that is shown as wide as drawn.
import {svg} from "htl";

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

// A horizontal log axis: its grid from `top` to `bottom`, ticks in `words` that do not touch, and its name below.
export function axisBelow(x, {top, bottom, words, title, ticks = logTicks(x.domain())}) {
  let end = -Infinity;
  const named = ticks.filter((value) => {
    const half = widthOf(words(value), 12.5) / 2;
    if (x(value) - half < end + 4) return false;
    end = x(value) + half;
    return true;
  });
  const [left, right] = x.range();
  return [
    ticks.map((value) => line(x(value), top, x(value), bottom)),
    named.map((value) => text(words(value), {x: x(value), y: bottom + 16, anchor: "middle", size: 12.5, fill: "var(--ink-2)"})),
    text(title, {x: (left + right) / 2, y: bottom + 35, anchor: "middle", size: right - left < 400 ? Math.min(12.5, (right - left + 16) / widthOf(title, 1.08)) : 12.5, weight: 600, fill: "var(--ink-2)"})
  ];
}

// Ticks of a log axis within its domain: the powers of ten, or 1, 2 and 5 of each where fewer than three powers fit.
export function logTicks([low, high]) {
  const powers = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) powers.push(Number(`1e${e}`));
  const inside = (values) => values.filter((v) => v >= low * 0.9999 && v <= high * 1.0001);
  const decades = inside(powers);
  return decades.length >= 3 ? decades : inside(powers.flatMap((p) => [p, 2 * p, 5 * p]));
}
