// A small picture for a card: a row per thing with its range on one log axis. What it shows stands in words beside it.
import {scaleLog} from "d3";
import {drawn, medium} from "../marks.js";
import {line, logTicks, surface, text, widthOf} from "./draw.js";

const [WIDTH, ROW, LEFT] = [262, 22, 8];

// rows: {label, low, high, media_class}; tick: a value in words; from: a value that the axis begins with.
export function mini(rows, {label, tick, from = Infinity}) {
  const [low, high] = [Math.min(from, ...rows.map((row) => row.low)), Math.max(...rows.map((row) => row.high))];
  const x = scaleLog([low / 1.05, high * 1.15], [LEFT + Math.min(120, Math.max(...rows.map((row) => widthOf(row.label, 12)))) + 14, WIDTH - 12]);
  const ticks = logTicks(x.domain());
  const kept = ticks.filter((_, i) => i % Math.ceil(ticks.length / 4) === 0);
  const bottom = rows.length * ROW + 4;
  return surface({width: WIDTH, height: bottom + 20, label},
    kept.map((value) => [line(x(value), 2, x(value), bottom), text(tick(value), {x: x(value), y: bottom + 15, anchor: "middle", size: 11.5, fill: "var(--ink-2)"})]),
    rows.map((row, i) => {
      const y = i * ROW + 14, {color} = medium(row.media_class);
      return [
        text(row.label, {x: LEFT, y: y + 4, size: 12, fill: "var(--ink-2)"}), line(x(row.low), y, x(row.high), y, {stroke: color, width: 3, opacity: 0.5}),
        ...[...new Set([row.low, row.high])].map((value) => drawn({x: x(value), y, media_class: row.media_class, area: 40}))
      ];
    }));
}
