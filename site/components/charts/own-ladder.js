// Own results among published drives: a row each, the fastest first, on a log axis of IOPS; own rows are highlighted.
import {svg} from "htl";
import {iops, latency, tick} from "../format.js";
import {drawn, linked, medium, mediumName, reasons, status, written} from "../marks.js";
import {ratio as ratioTo} from "../own/compare.js";
import {logScale, round, rowChart} from "./draw.js";

// More own results than these are not drawn: the table has them.
const MOST = 12;

// {own, drives} as of components/own/compare.js, the fastest first.
export function ownLadder({own, drives}, {width, t, number, link}) {
  const rows = [...own.slice(0, MOST).map((row) => ({...row, isOwn: true})), ...drives].sort((a, b) => b.operations_per_second - a.operations_per_second);
  return rowChart({
    width, label: t("own.chart"), columns: [{label: "IOPS", isStrong: true}, {label: t("axis.latency_mean")}, {label: t("own.ratio")}],
    axes: [{scale: (range) => logScale(rows.map((row) => row.operations_per_second), range, {below: 1.35}), words: tick, title: t("axis.iops")}],
    groups: [{rows: rows.map((row) => {
      const its = status(row);
      const value = written(iops(row.operations_per_second), its);
      const mean = row.latency_mean_seconds == null ? null : latency(row.latency_mean_seconds);
      const ratio = row.isOwn ? null : ratioTo(own[0].operations_per_second, row);
      const name = row.isOwn ? t("own.row", {name: row.source_path.split("/").at(-1)}) : row.device;
      const lines = [name, row.isOwn ? row.test_name : mediumName(row.media_class, t), `${value} IOPS`, mean && `${t("axis.latency_mean")}${t("limit.colon")}${mean}`, ...row.isOwn ? [] : [reasons(row, t), t("mark.open_number")]];
      return {
        name, isOwn: row.isOwn, href: row.isOwn ? null : link(`devices/${row.device_id}`), texts: [value, mean ?? "–", ratio ?? "–"], short: [value, ratio].filter(Boolean).join(" · "),
        marks: (y, [x], at = x(row.operations_per_second)) => linked({href: row.isOwn ? null : number("p", row.point_id), lines, x: at, y}, row.isOwn
          ? svg`<path d="M0-6.5L6.5 0L0 6.5L-6.5 0Z" transform=${`translate(${round(at)},${y})`} fill="var(--accent)" />`
          : drawn({...its, x: at, y, media_class: row.media_class, color: medium(row.media_class).color}))
      };
    })}]
  });
}
