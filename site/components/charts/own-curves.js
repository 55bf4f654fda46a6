// Operating curves of one drive: a curve for each configuration that measured it, instead of one for each drive.
import {cells} from "../table.js";
import {iops, spaced} from "../format.js";
import {benchOf, endOf} from "./benches.js";
import {curveColumns, isStruck, peakOf, sweeps} from "./curves.js";

// A curve per configuration of a device, named by its test bench, and by the rest of its title where benches are equal.
export function ofConfigurations(rows, device) {
  const key = (row) => `${row.submission_id}/${row.configuration_id}`;
  const benches = Map.groupBy(rows, (row) => benchOf(row));
  const isAlone = (row) => benchOf(row) && new Set(benches.get(benchOf(row)).map(key)).size === 1;
  const name = (row) => isAlone(row) ? benchOf(row) : [benchOf(row), endOf(row)].filter(Boolean).join(", ");
  return rows.map((row) => ({...row, media_class: device.media_class, device_id: key(row), device: row.title ?? row.configuration_id, short_name: name(row)}));
}

// More curves than these cover each other: the rows of those with the highest rates.
const MOST = 6;
export function foremost(rows) {
  const kept = new Set(sweeps(rows).toSorted((a, b) => peakOf(b) - peakOf(a)).slice(0, MOST).map((d) => d.device_id));
  return rows.filter((row) => kept.has(row.device_id));
}

// The highest rate and what depth brought to it, where the curves turn, and how many are left out.
export function ownAnswer(rows, {t}) {
  const all = sweeps(rows);
  const list = all.filter((d) => d.points.length > 1 && !d.points.some(isStruck));
  const struck = all.filter((d) => d.points.some(isStruck)).length;
  const out = [];
  if (list.length) {
    const best = list.reduce((a, b) => peakOf(b) > peakOf(a) ? b : a);
    const top = best.points.find((point) => point.operations_per_second === peakOf(best));
    const gain = Number((top.operations_per_second / best.points[0].operations_per_second).toPrecision(2));
    out.push(t.rich("curve.answer.one_peak", {rate: iops(top.operations_per_second), depth: top.queue_depth, gain, first: best.points[0].queue_depth}));
    const knees = list.filter((d) => d.queue_depth_knee > 1).map((d) => d.queue_depth_knee);
    const [low, high] = [Math.min(...knees), Math.max(...knees)];
    out.push(t.rich(!knees.length ? "curve.answer.one_turns_not" : low === high ? "curve.answer.one_turns" : "curve.answer.one_turns_between", knees.length ? {low, high, count: knees.length, all: list.length} : {}));
  } else {
    out.push(t.rich("curve.answer.none"));
  }
  if (struck) out.push(t.rich("curve.answer.struck", {count: struck}));
  return spaced(out, t);
}

export const ownColumns = (page) => [
  cells(page).configuration({id: "configuration", head: true}),
  ...curveColumns(page).filter(({id}) => !["device", "medium", "submission", "p999"].includes(id))
];
