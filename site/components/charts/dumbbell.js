// A drive on one log axis: open symbol at queue depth 1, filled symbol at the highest rate, an arrow where that is a bound.
import {svg} from "htl";
import {scaleLog} from "d3";
import {iops, tick} from "../format.js";
import {drawn, linked, medium, written} from "../marks.js";
import {line, logTicks, text} from "./draw.js";

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
