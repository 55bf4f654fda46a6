// Drives on one log axis of synchronous writes: open symbol with one job, filled symbol with the best number of jobs.
import {html} from "htl";
import {scaleLog} from "d3";
import {iops, tick} from "../format.js";
import {drawn, linked} from "../marks.js";
import {medium, mediumName} from "../media.js";
import {isNarrow, line, logTicks, surface, text} from "./draw.js";
import {cut, sentences} from "./plane.js";

const ROW = 26;
const nameOf = (row, t) => row.write_cache ? t("sync_writes.with_cache", {name: row.short_name, cache: cacheOf(row, t)}) : row.short_name;
const cacheOf = (row, t) => row.write_cache ? t(`sync_writes.cache_${/off|disabled/.test(row.write_cache) ? "off" : "on"}`) : t("state.unknown");

export function syncWrites(rows, {width, t, number}) {
  const narrow = isNarrow(width);
  const [left, top] = [narrow ? 8 : 290, 30];
  const step = narrow ? 40 : ROW;
  const values = rows.flatMap((row) => [row.one_value, row.best_value]).filter((value) => value > 0);
  const x = scaleLog([Math.min(...values), Math.max(...values)], [left + 12, width - 24]);
  const foot = top + rows.length * step;
  return surface({width, height: foot + 6, label: t("sync_writes.label", {count: rows.length})},
    text("IOPS", {x: width - 4, y: top - 9, anchor: "end", size: 12.5, weight: 600, fill: "var(--ink-2)", halo: true}),
    logTicks(x.domain()).map((value) => [line(x(value), top - 4, x(value), foot), text(tick(value), {x: x(value), y: top - 9, anchor: "middle", size: 12.5, fill: "var(--ink-2)"})]),
    rows.map((row, i) => {
      const y = top + i * step + (narrow ? 28 : ROW / 2);
      const {color} = medium(row.media_class);
      const mark = (which, hollow, words) => row[`${which}_value`] ? linked({
        href: row[`${which}_point_id`] ? number("p", row[`${which}_point_id`]) : null, x: x(row[`${which}_value`]), y,
        lines: [nameOf(row, t), t(words, {iops: iops(row[`${which}_value`]), jobs: row.best_jobs})]
      }, drawn({x: x(row[`${which}_value`]), y, media_class: row.media_class, hollow})) : null;
      return [
        narrow ? text(cut(nameOf(row, t), width - left - 4, 12.5), {x: left, y: y - 12, size: 12.5}) : text(nameOf(row, t), {x: left - 8, y: y + 4.5, anchor: "end", size: 13}),
        row.one_value && row.best_value > row.one_value ? line(x(row.one_value), y, x(row.best_value), y, {stroke: color, width: 2, opacity: 0.45}) : null,
        row.best_value > (row.one_value ?? 0) ? mark("best", false, "sync_writes.best_of") : null,
        mark("one", true, "sync_writes.one_of")
      ];
    })
  );
}

export function syncWritesAnswer(rows, {t}) {
  const known = rows.filter((row) => row.one_value > 0);
  if (!known.length) return [t("sync_writes.none")];
  const [first, last] = [known[0], known.at(-1)];
  return sentences([
    t.rich("sync_writes.answer", {fast: nameOf(first, t), high: iops(first.one_value), slow: nameOf(last, t), low: iops(last.one_value)}),
    t.rich("sync_writes.answer_drives", {count: new Set(known.map((row) => row.device_id)).size, sas: new Set(known.filter((row) => row.media_class === "ssd_sas").map((row) => row.device_id)).size})
  ], t);
}

export const syncColumns = ({t, link, number}) => [
  {id: "device", label: t("column.device"), value: (row) => html`<a href=${link(`devices/${row.device_id}`)}>${row.device}</a>`, sort: (row) => row.device, head: true},
  {id: "medium", label: t("column.medium"), value: (row) => mediumName(row.media_class, t), sort: (row) => medium(row.media_class).rank},
  {id: "cache", label: t("sync_writes.cache"), value: (row) => row.write_cache ? cacheOf(row, t) : html`<i class="unknown">${t("state.unknown")}</i>`, sort: (row) => row.write_cache},
  {id: "one", label: t("sync_writes.one"), value: (row) => row.one_value == null ? null : html`<a href=${number("p", row.one_point_id)}>${iops(row.one_value)}</a>`, sort: (row) => row.one_value, num: true},
  {id: "best", label: t("sync_writes.best"), value: (row) => html`<a href=${number("p", row.best_point_id)}>${iops(row.best_value)}</a>`, sort: (row) => row.best_value, num: true},
  {id: "jobs", label: t("sync_writes.jobs"), value: (row) => String(row.best_jobs), sort: (row) => row.best_jobs, num: true},
  {id: "sync", label: t("sync_writes.sync"), value: (row) => row.sync_interval.replace(" 1", ""), sort: (row) => row.sync_interval}
];
