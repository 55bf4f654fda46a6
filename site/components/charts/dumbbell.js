// A drive on one log axis: open symbol at queue depth 1, filled symbol at the highest rate, an arrow where that is a bound.
import {svg} from "htl";
import {scaleLog} from "d3";
import {iops, tick} from "../format.js";
import {drawn, linked, medium, written} from "../marks.js";
import {line, logTicks, surface, text, widthOf} from "./draw.js";

const WIDTH = 156;
const HEIGHT = 22;

// {x, powers, axis}: the scale over the rows, its powers of ten, and the heading with their names; null without a value.
export function dumbbellAxis(rows) {
  const values = rows.flatMap((row) => [row.lowest, row.highest]).filter((value) => value > 0);
  if (!values.length) return {x: null, powers: [], axis: null};
  const x = scaleLog([Math.min(...values), Math.max(...values)], [8, WIDTH - 14]);
  const powers = logTicks(x.domain());
  return {x, powers, axis: svg`<svg class="dumbbell" viewBox=${`0 0 ${WIDTH} 14`} width=${WIDTH} height="14" aria-hidden="true">${powers.map((value) => text(tick(value), {x: x(value), y: 11, anchor: "middle", size: 10.5, fill: "var(--ink-3)"}))}</svg>`};
}

export function dumbbell(row, {scale: {x, powers}, ends, t, number}) {
  const [low, high] = [ends.lowest(row), ends.highest(row)];
  if (!low && !high) return null;
  const {color} = medium(row.media_class);
  const y = HEIGHT / 2;
  const mark = (which, letter, its, hollow) => linked({
    href: row[`${which}_${letter === "p" ? "point" : "peak"}_id`] ? number(letter, row[`${which}_${letter === "p" ? "point" : "peak"}_id`]) : null, x: x(row[which]), y, width: 16, height: HEIGHT,
    lines: [row.short_name, `${t(which === "lowest" ? "point.depth_1" : "point.peak")}${t("limit.colon")}${written(iops(row[which]), its)} IOPS`]
  }, drawn({x: x(row[which]), y, media_class: row.media_class, area: 44, hollow: hollow || its.hollow, struck: its.struck, bound: which === "highest" ? its.bound : null}));
  return svg`<svg class="chart dumbbell" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} width=${WIDTH} height=${HEIGHT} role="group" aria-label=${t("devices.range")}>
    ${powers.map((value) => line(x(value), 0, x(value), HEIGHT))}
    ${low && high ? line(x(row.lowest), y, x(row.highest), y, {stroke: color, width: 2, opacity: 0.45, dash: row.is_of_two_setups ? "2 3" : null}) : null}
    ${low ? mark("lowest", "p", low, true) : null}${high ? mark("highest", "k", high, false) : null}
  </svg>`;
}

// A small picture for a card: a row per thing with its range on one log axis. What it shows stands in words beside it.
const MINI = {width: 262, row: 22, left: 8};

// rows: {label, low, high, media_class}; tick: a value in words; from: a value that the axis begins with.
export function mini(rows, {label, tick, from = Infinity}) {
  const [low, high] = [Math.min(from, ...rows.map((row) => row.low)), Math.max(...rows.map((row) => row.high))];
  const x = scaleLog([low / 1.05, high * 1.15], [MINI.left + Math.min(120, Math.max(...rows.map((row) => widthOf(row.label, 12)))) + 14, MINI.width - 12]);
  const ticks = logTicks(x.domain());
  const kept = ticks.filter((_, i) => i % Math.ceil(ticks.length / 4) === 0);
  const bottom = rows.length * MINI.row + 4;
  return surface({width: MINI.width, height: bottom + 20, label},
    kept.map((value) => [line(x(value), 2, x(value), bottom), text(tick(value), {x: x(value), y: bottom + 15, anchor: "middle", size: 11.5, fill: "var(--ink-2)"})]),
    rows.map((row, i) => {
      const y = i * MINI.row + 14, {color} = medium(row.media_class);
      return [
        text(row.label, {x: MINI.left, y: y + 4, size: 12, fill: "var(--ink-2)"}), line(x(row.low), y, x(row.high), y, {stroke: color, width: 3, opacity: 0.5}),
        ...[...new Set([row.low, row.high])].map((value) => drawn({x: x(value), y, media_class: row.media_class, area: 40}))
      ];
    }));
}
