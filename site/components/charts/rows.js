// A chart with a row per thing: its name at the left, marks on one axis or two, and columns of text at the right. On a phone the
// name and a short text stand above the marks. Names are broken into lines, never cut.
import {svg} from "htl";
import {linked, medium, symbolPath} from "../marks.js";
import {axisBelow, isNarrow, surface, text, widthOf, wrapped} from "./draw.js";

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
      const its = drawnHeading(heading, y, frame);
      nodes.push(its.nodes);
      y += its.height;
    }
    for (const row of rows) {
      const its = drawnRow(row, y, frame);
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

function drawnHeading({words, color, media_class, facts, marks}, y, {narrow, width, indent, xs}) {
  const lines = wrapped(words, (width - 30) / BOLD, 14);
  const x = media_class ? Math.max(20, indent) : 0;
  const end = x + widthOf(lines.at(-1), 14) * BOLD + 18;
  const isBeside = !narrow && facts && end + widthOf(facts, 12.5) < width;
  const below = facts && !isBeside ? wrapped(facts, width, 12) : [];
  const at = y + 15 * (lines.length - 1) + 14;
  return {
    height: 15 * (lines.length + below.length) + 10,
    nodes: [
      media_class ? svg`<path d=${symbolPath(media_class, 80)} fill=${medium(media_class).color} transform=${`translate(8,${y + 9})`} />` : null,
      lines.map((each, i) => text(each, {x, y: y + 14 + 15 * i, size: 14, weight: 640, fill: color, halo: true})),
      isBeside ? text(facts, {x: end, y: at, size: 12.5, fill: "var(--ink-3)", halo: true}) : null,
      below.map((each, i) => text(each, {x: 0, y: at + 15 * (i + 1), size: 12, fill: "var(--ink-3)", halo: true})),
      narrow ? null : marks?.(at, xs)
    ]
  };
}

function drawnRow({height: own, ...given}, y, frame) {
  const {narrow, width, left, indent, xs, columns} = frame;
  const row = {...given, height: typeof own === "function" ? own(xs) : own};
  const ink = row.color ?? (row.isOwn ? "var(--accent)" : row.isFaint || row.isWords ? "var(--ink-3)" : "var(--ink)");
  const short = narrow ? row.short ?? row.texts?.filter(Boolean).join(" · ") : null;
  const room = row.isWords ? width : narrow ? width - 2 : left - indent - 20;
  const beside = row.note && !row.height && widthOf(row.name) + widthOf(`  ${row.note}`, 12) <= (narrow ? room - (short ? widthOf(short, 12.5) * BOLD + 14 : 0) : room);
  const lines = wrapped(row.name, row.isStrong ? room / BOLD : room, 13);
  const below = row.note && !beside ? wrapped(row.note, room, 12) : [];
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
    row.link ? linked({...row.link, x: width / 2, y: y + height / 2, width, height}, nodes) : nodes
  ]};
}
