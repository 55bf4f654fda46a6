/*---
words: sync_writes
nav: {section: load, order: 260, name: nav.sync_writes}
queries: [sync-writes]
keywords: sync fsync fdatasync O_DSYNC synchronous write ceph journal database log WAL power-loss protection write cache
---*/
import {html} from "htl";
import {joinMarks, logScale, rowChart} from "../components/charts/draw.js";
import {figure, heading} from "../components/figure.js";
import {iops, sentences, tick} from "../components/format.js";
import {cells} from "../components/table.js";

export default async function page({rows, t, state, link, number}) {
  const found = await rows("sync-writes");
  return html`<div class="answers">
    ${heading({question: t("sync_writes.title"), answer: syncWritesAnswer(found, {t}), sub: t("sync_writes.lede")})}
    ${found.length ? figure({
      id: "sync-writes", question: t("sync_writes.question"), load: t("sync_writes.load"), note: t("sync_writes.note"),
      query: "sync-writes", t, state, link, rows: found, columns: syncColumns({t, link, number}), draw: (width) => syncWrites(found, {width, t, number})
    }) : null}
    <p class="note">${t("sync_writes.next")}</p>
  </div>`;
}

const nameOf = (row, t) => row.write_cache ? t("sync_writes.with_cache", {name: row.short_name, cache: cacheOf(row, t)}) : row.short_name;
const cacheOf = (row, t) => row.write_cache ? t(`sync_writes.cache_${/off|disabled/.test(row.write_cache) ? "off" : "on"}`) : t("state.unknown");
const isMore = (row) => row.best_value > (row.one_value ?? 0);

function syncWrites(rows, {width, t, number}) {
  const mark = (row, which) => ({
    value: row[`${which}_value`], href: row[`${which}_point_id`] ? number("p", row[`${which}_point_id`]) : null, hollow: which === "one",
    lines: [nameOf(row, t), t(`sync_writes.${which}_of`, {iops: iops(row[`${which}_value`]), jobs: row.best_jobs})]
  });
  return rowChart({
    width, label: t("sync_writes.label", {count: rows.length}), columns: [{label: t("sync_writes.one"), isStrong: true}, {label: t("sync_writes.best")}],
    axes: [{scale: (range) => logScale(rows.flatMap((row) => [row.one_value, row.best_value]), range), words: tick, title: t("ladder.axis")}],
    groups: [{rows: rows.map((row) => ({
      name: nameOf(row, t), texts: [row.one_value ? iops(row.one_value) : "–", isMore(row) ? iops(row.best_value) : "–"], short: row.one_value ? iops(row.one_value) : iops(row.best_value),
      marks: (y, [x]) => joinMarks([isMore(row) ? mark(row, "best") : null, mark(row, "one")], {x, y, media_class: row.media_class})
    }))}]
  });
}

function syncWritesAnswer(rows, {t}) {
  const known = rows.filter((row) => row.one_value > 0);
  if (!known.length) return [t("sync_writes.none")];
  const [first, last] = [known[0], known.at(-1)];
  return sentences([
    t.rich("sync_writes.answer", {fast: nameOf(first, t), high: iops(first.one_value), slow: nameOf(last, t), low: iops(last.one_value)}),
    t.rich("sync_writes.answer_drives", {count: new Set(known.map((row) => row.device_id)).size, sas: new Set(known.filter((row) => row.media_class === "ssd_sas").map((row) => row.device_id)).size})
  ], t);
}

const syncColumns = (page) => {
  const {t} = page, {text, num, ...c} = cells(page);
  return [
    c.device(), c.medium(), text("cache", t("sync_writes.cache"), "write_cache", {value: (row) => row.write_cache ? cacheOf(row, t) : html`<i class="unknown">${t("state.unknown")}</i>`}),
    num("one", t("sync_writes.one"), "one_value", iops, {at: ["p", "one_point_id"]}), num("best", t("sync_writes.best"), "best_value", iops, {at: ["p", "best_point_id"]}), num("jobs", t("sync_writes.jobs"), "best_jobs", String),
    text("sync", t("sync_writes.sync"), (row) => row.sync_interval.replace(" 1", ""))
  ];
};
