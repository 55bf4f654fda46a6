// What charts share: the surface, text with a halo, scales and axes, and the chart with a row per thing.
import {svg} from "htl";
import {scaleLog} from "d3";
import {drawSymbol, linkMark, medium, symbolPath} from "../marks.js";

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

export function wrapText(text, width, size) {
  const words = String(text).match(/[^\s⺀-鿿＀-￯]+\s*|\s+|./gu) ?? [];
  const lines = [""];
  for (const word of words) {
    if (lines.at(-1) && widthOf(lines.at(-1) + word.trimEnd(), size) > width) lines.push("");
    lines[lines.length - 1] += word;
  }
  return lines.map((line) => line.trim()).filter(Boolean);
}

export function cutText(text, width, size = 13) {
  if (widthOf(text, size) <= width) return text;
  let signs = [...text];
  while (signs.length > 1 && widthOf(`${signs.join("")}…`, size) > width) signs = signs.slice(0, -1);
  return `${signs.join("").replace(/[\s,;·-]+$/, "")}…`;
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

export const axisLeft = (y, {left, right, words, ticks = logTicks(y.domain().toSorted((a, b) => a - b))}) =>
  ticks.map((value) => [line(left, y(value), right, y(value)), text(words(value), {x: left - 7, y: y(value) + 4, anchor: "end", size: 12.5, fill: "var(--ink-2)"})]);

export const path = (places, isStepped = false) => places.map(([x, y], i) => i ? isStepped ? `H${round(x)}V${round(y)}` : `L${round(x)} ${round(y)}` : `M${round(x)} ${round(y)}`).join("");

// Symbols of one medium on a row, {value, href, lines, and options of `drawSymbol`}, and the line that joins them; no target lies on another symbol.
export function joinMarks(marks, {x, y, media_class, color, dash = null}) {
  const shown = marks.filter((mark) => mark?.value > 0).map((mark) => ({...mark, at: x(mark.value)}));
  const [first, last] = [shown[0], shown.at(-1)].map((mark) => mark?.at);
  const width = shown.length > 1 ? Math.max(6, Math.min(24, Math.abs(last - first))) : 24;
  return [
    shown.length > 1 ? line(first, y, last, y, {stroke: color ?? medium(media_class).color, width: 2, opacity: 0.45, dash}) : null,
    shown.map(({value, href, lines, at, ...look}) => linkMark({href, lines, x: at, y, width}, drawSymbol({x: at, y, media_class, color, ...look})))
  ];
}

// A chart with a row per thing: its name at the left, marks on one axis or two, and columns of text at the right. Names are never cut.
const [BOLD, GAP, MOST_LEFT] = [1.1, 18, 400];

// groups: [{heading, rows}]; heading: {words, color, media_class, facts, marks(y, xs)}.
// A row: {name, href, note, texts, short, color, isStrong, isFaint, isOwn, isWords, height, link: {href, lines}, marks(y, xs)}:
//   `note` stands behind the name, or below it; `texts` are those of the columns; `link` makes the whole row one mark; a row
//   with `isWords` has words in the place of marks; `height` (or a function of xs) is what its marks need, if more than a line.
// axes: [{scale(range), words, title, ticks, name}]; columns: [{label, isStrong, isStart}]; behind(xs, top, bottom): nodes below all.
export function rowChart({groups, axes, columns = [], width, label, behind = () => null}) {
  const narrow = isNarrow(width);
  const all = groups.flatMap(({rows}) => rows);
  const indent = narrow || !groups.some(({heading}) => heading?.media_class) ? 0 : 22;
  const widths = columns.map((column, i) => Math.max(widthOf(column.label ?? "", 12.5), ...all.map((row) => widthOf(row.texts?.[i] ?? "") * (column.isStrong ? BOLD : 1))) + GAP);
  const named = all.filter((row) => !row.isWords).map((row) => widthOf(row.name) + (row.note && !row.height ? widthOf(`  ${row.note}`, 12) : 0));
  const left = narrow ? 8 : indent + Math.min(MOST_LEFT, Math.max(150, ...named)) + 22;
  const right = narrow ? width - 10 : width - widths.reduce((sum, each) => sum + each, 0) - (columns.length ? 14 : 8);
  const part = (right - left - 34 * (axes.length - 1)) / axes.length;
  const xs = axes.map((axis, i) => axis.scale([left + i * (part + 34), left + i * (part + 34) + part]));
  const frame = {narrow, width, left, indent, xs, columns, ends: widths.map((_, i) => width - widths.slice(i + 1).reduce((sum, each) => sum + each, 0)), widths};
  const hasHead = !narrow && columns.some((column) => column.label) || axes.some(({name}) => name);
  const top = hasHead ? 26 : 6;
  let y = top;
  const drawn = groups.flatMap(({heading, rows}, i) => {
    const nodes = [];
    if (heading) {
      if (i) y += 10;
      const its = drawHeading(heading, y, frame);
      nodes.push(its.nodes);
      y += its.height;
    }
    for (const row of rows) {
      const its = drawRow(row, y, frame);
      nodes.push(its.nodes);
      y += its.height;
    }
    return nodes;
  });
  const bottom = y + 2;
  return surface({width, height: bottom + 42, label},
    behind(xs, top, bottom),
    axes.map((axis, i) => axisBelow(xs[i], {top: top - 4, bottom, words: axis.words, title: axis.title, ticks: axis.ticks?.(xs[i])})),
    axes.map(({name}, i) => name ? text(name, {x: xs[i].range()[0], y: 14, size: 12.5, weight: 600}) : null),
    narrow ? null : columns.map((column, i) => column.label ? text(column.label, {...placeOf(i, frame), y: 14, weight: column.isStrong ? 600 : 400, size: 12.5, fill: column.isStrong ? "var(--ink)" : "var(--ink-3)"}) : null),
    drawn);
}

const placeOf = (i, {columns, ends, widths}) => columns[i].isStart ? {x: ends[i] - widths[i] + GAP} : {x: ends[i], anchor: "end"};

function drawHeading({words, color, media_class, facts, marks}, y, {narrow, width, indent, xs}) {
  const lines = wrapText(words, (width - 30) / BOLD, 14);
  const below = facts ? wrapText(facts, width, 12) : [];
  const x = media_class ? Math.max(20, indent) : 0;
  const at = y + 15 * (lines.length - 1) + 14;
  return {
    height: 15 * (lines.length + below.length) + 10,
    nodes: [
      media_class ? svg`<path d=${symbolPath(media_class, 80)} fill=${medium(media_class).color} transform=${`translate(8,${y + 9})`} />` : null,
      lines.map((each, i) => text(each, {x, y: y + 14 + 15 * i, size: 14, weight: 640, fill: color, halo: true})),
      below.map((each, i) => text(each, {x: 0, y: at + 15 * (i + 1), size: 12, fill: "var(--ink-3)", halo: true})),
      narrow ? null : marks?.(at, xs)
    ]
  };
}

function drawRow({height: own, ...given}, y, frame) {
  const {narrow, width, left, indent, xs, columns} = frame;
  const row = {...given, height: typeof own === "function" ? own(xs) : own};
  const ink = row.color ?? (row.isOwn ? "var(--accent)" : row.isFaint || row.isWords ? "var(--ink-3)" : "var(--ink)");
  const short = narrow ? row.short ?? row.texts?.filter(Boolean).join(" · ") : null;
  const room = row.isWords ? width : narrow ? width - 2 : left - indent - 20;
  const beside = row.note && !row.height && widthOf(row.name) + widthOf(`  ${row.note}`, 12) <= (narrow ? room - (short ? widthOf(short, 12.5) * BOLD + 14 : 0) : room);
  const lines = wrapText(row.name, row.isStrong ? room / BOLD : room, 13);
  const below = row.note && !beside ? wrapText(row.note, room, 12) : [];
  const isApart = short && widthOf(below.at(-1) ?? lines.at(-1), below.length ? 12 : 13) + widthOf(short, 12.5) * BOLD + 12 > room;
  const tall = 15 * (lines.length + below.length);
  const marked = row.isWords ? 0 : row.height ?? 22;
  const height = narrow ? tall + (isApart ? 15 : 0) + marked + 6 : Math.max(row.height ?? 0, tall + 10);
  const first = narrow || row.height ? y + 13 : y + height / 2 + 4.5 - 7.5 * (lines.length + below.length - 1);
  const middle = narrow ? y + height - 4 - marked / 2 : y + height / 2;
  const words = (content, at) => text(content, {size: 13, fill: ink, halo: true, weight: row.isStrong || row.isOwn ? 640 : 400, italic: row.isWords, ...at});
  const name = [lines.map((each, i) => words(each, {x: indent, y: first + 15 * i})), below.map((each, i) => words(each, {x: indent, y: first + 15 * (lines.length + i), size: 12, weight: 400, fill: "var(--ink-3)"}))];
  const base = narrow ? first + 15 * (lines.length + below.length - (isApart ? 0 : 1)) : row.height ? first : middle + 4.5;
  const said = [
    row.href ? svg`<a class="name" href=${row.href}><rect x=${indent} y=${first - 16} width=${Math.max(24, widthOf(lines[0]))} height="24" fill="none" pointer-events="all"/>${name.flat()}</a>` : name,
    beside ? words(row.note, narrow ? {x: indent + widthOf(`${row.name} `), y: first, size: 12, weight: 400, fill: "var(--ink-3)"} : {x: left - 20, y: first, anchor: "end", size: 12, weight: 400, fill: "var(--ink-3)"}) : null,
    narrow ? short ? words(short, {x: width - 2, y: base, anchor: "end", size: 12.5, weight: 600, italic: false}) : null
      : columns.map((column, i) => row.texts?.[i] ? words(row.texts[i], {...placeOf(i, frame), y: base, weight: column.isStrong ? 600 : 400, fill: column.color?.(row) ?? (column.isStrong ? ink : "var(--ink-2)"), halo: false}) : null)
  ];
  const nodes = [said, row.isWords ? null : row.marks(middle, xs)].flat(Infinity).filter(Boolean);
  return {height, nodes: [
    row.isOwn ? svg`<rect x="0" y=${y + 1} width=${width} height=${height - 2} rx="5" fill="var(--accent-soft)"/>` : null,
    row.link ? linkMark({...row.link, x: width / 2, y: y + height / 2, width, height}, nodes) : nodes
  ]};
}
