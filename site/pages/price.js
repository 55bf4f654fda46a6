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
import {loadChosen} from "../components/loads.js";
import {byMedium} from "../components/marks.js";
import {rate, topologyOf} from "../components/records.js";
import {cells, folded, table} from "../components/table.js";

export default async function page({rows, t, state, link}) {
  const [prices, drives] = await Promise.all([rows("price"), rows("price-drives")]);
  const place = (row) => link("source", {search: {file: `raw/${row.submission_id}/figures.csv`, at: row.source_pointer}});
  const columns = priceColumns({t, link}, place);
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
  const {load, control} = loadChosen(all, {t, state});
  const {num, ...c} = cells({t, link});
  const rows = all.filter((row) => row.load_profile === load).toSorted((a, b) => byMedium(a, b) || b.per_drive_value - a.per_drive_value);
  return html`<section class="card" id="drives"><h2>${t("price.drives")}</h2><p>${t("price.drives_words")}</p>
    ${control}
    ${folded("drives-table", rows, [
      c.device({more: (row) => html`<small>${row.storage_topology === "single" ? topologyOf(row, t) : `${row.drive_count} × ${topologyOf(row, t) ?? t("state.unknown")}`}</small>`}), c.medium(),
      num("drive", t("price.column.per_drive"), "per_drive_value", (value, row) => rate(row.metric, value, t)), num("gigabyte", t("price.column.per_gigabyte"), "per_gigabyte_value", (value, row) => rate(row.metric, value, t)),
      num("capacity", t("devices.capacity"), "gigabytes", (value) => capacity(value * 1e9)), c.configuration()
    ], t("price.drives"), {t, state})}
  </section>`;
}
