/*---
title: sync_writes.title
description: sync_writes.description
nav: {section: load, order: 260, name: nav.sync_writes}
queries: [sync-writes]
keywords: sync fsync fdatasync O_DSYNC synchronous write ceph journal database log WAL power-loss protection write cache
---*/
import {html} from "htl";
import {syncColumns, syncWrites, syncWritesAnswer} from "../components/charts/sync-writes.js";
import {figure, heading} from "../components/figure.js";

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
