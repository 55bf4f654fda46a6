/*---
title: price.title
description: price.description
nav: {section: compare, order: 160, name: nav.price}
queries: [price, price-drives]
keywords: price cost per gigabyte per thousand iops efficiency per drive
---*/
import {html} from "htl";
import {currencies, price, priceAnswer, priceColumns} from "../components/charts/price.js";
import {figure, heading} from "../components/figure.js";
import {capacity} from "../components/format.js";
import {byLoad, loadText} from "../components/loads.js";
import {byMedium, glyph, medium, mediumName} from "../components/media.js";
import {configurationLink, rate, topologyOf} from "../components/records.js";
import {folded, table} from "../components/table.js";

export default async function page({rows, t, state, link}) {
  const [prices, drives] = await Promise.all([rows("price"), rows("price-drives")]);
  const place = (row) => link("source", {search: {file: `raw/${row.submission_id}/figures.csv`, at: row.source_pointer}});
  const columns = priceColumns({t, link, place});
  const drawn = currencies(prices);
  const frame = {t, state, link, query: "price", note: `${t("price.marks")}${t("sentence.space")}${t("price.note")}`};
  return html`<div class="answers">
    ${heading({question: t("q.price"), answer: priceAnswer(drawn.length ? prices.filter((row) => row.currency === drawn[0]) : prices, {t}), sub: t("price.lede")})}
    ${drawn.map((currency, i) => figure({...frame, id: `price-${i}`, question: t("price.question", {currency}), load: t("price.load"), rows: prices.filter((row) => row.currency === currency), columns, draw: (width) => price(prices, currency, {width, t, place})}))}
    ${drawn.length ? null : html`<section class="card" id="prices"><h2>${t("price.few")}</h2>
      ${prices.length ? table(prices, columns, {t, state, id: "prices-table"}) : null}<p class="small muted">${t("price.note")}</p></section>`}
    ${drives.length ? share(drives, {t, state, link}) : null}
  </div>`;
}

// What one drive, and one gigabyte of it, contributes.
function share(all, {t, state, link}) {
  const loads = [...new Set(all.toSorted(byLoad).map((row) => row.load_profile))];
  const fallback = loads.includes("4 KiB random read") ? "4 KiB random read" : loads[0];
  const load = state.choice("load", loads, fallback);
  const rows = all.filter((row) => row.load_profile === load).toSorted((a, b) => byMedium(a, b) || b.per_drive_value - a.per_drive_value);
  return html`<section class="card" id="drives"><h2>${t("price.drives")}</h2><p>${t("price.drives_words")}</p>
    ${state.select({name: "load", label: t("load.load_profile"), options: loads.map((value) => ({value, label: loadText(value, t)})), fallback})}
    ${folded("drives-table", rows, [
      {id: "device", label: t("column.device"), value: (row) => html`<a href=${link(`devices/${row.device_id}`)}>${row.device}</a><small>${row.storage_topology === "single" ? topologyOf(row, t) : `${row.drive_count} × ${topologyOf(row, t) ?? t("state.unknown")}`}</small>`, sort: (row) => row.device, head: true},
      {id: "medium", label: t("column.medium"), value: (row) => html`<span class="medium-name" style=${`color: ${medium(row.media_class).color}`}>${glyph(row.media_class)} ${mediumName(row.media_class, t)}</span>`, sort: (row) => medium(row.media_class).rank},
      {id: "drive", label: t("price.column.per_drive"), value: (row) => rate(row.metric, row.per_drive_value, t), sort: (row) => row.per_drive_value, num: true},
      {id: "gigabyte", label: t("price.column.per_gigabyte"), value: (row) => row.per_gigabyte_value == null ? null : rate(row.metric, row.per_gigabyte_value, t), sort: (row) => row.per_gigabyte_value, num: true},
      {id: "capacity", label: t("devices.capacity"), value: (row) => row.gigabytes == null ? null : capacity(row.gigabytes * 1e9), sort: (row) => row.gigabytes, num: true},
      {id: "where", label: t("device.configuration"), value: (row) => configurationLink(row, row.title, link), sort: (row) => row.title ?? row.configuration_id}
    ], t("price.drives"), {t, state})}
  </section>`;
}
