/*---
words: price
nav: {section: compare, order: 160, name: nav.price}
queries: [price]
keywords: price cost per gigabyte per thousand iops efficiency per drive
---*/
import {html, svg} from "htl";
import {logScale, round, rowChart} from "../components/charts/draw.js";
import {figure, further, heading} from "../components/figure.js";
import {capacity, count, iops, sentences} from "../components/format.js";
import {cells, table} from "../components/table.js";

export default async function page({rows, t, state, link}) {
  const prices = await rows("price");
  const place = (row) => link("source", {search: {file: `raw/${row.submission_id}/figures.csv`, at: row.source_pointer}});
  const columns = priceColumns({t, link}, place);
  const drawn = currencies(prices);
  const frame = {t, state, link, query: "price", note: `${t("price.marks")}${t("sentence.space")}${t("price.note")}`};
  return html`<div class="answers">
    ${heading({question: t("q.price"), answer: priceAnswer(drawn.length ? prices.filter((row) => row.currency === drawn[0]) : prices, {t}), sub: t("price.lede")})}
    ${drawn.map((currency, i) => figure({...frame, id: `price-${i}`, question: t("price.question", {currency}), load: t("price.load"), rows: prices.filter((row) => row.currency === currency), columns, draw: (width) => price(prices, currency, {width, t, place})}))}
    ${drawn.length ? null : html`<section class="card" id="prices"><h2>${t("price.few")}</h2>
      ${prices.length ? table(prices, columns, {t, state, id: "prices-table"}) : null}<p class="small muted">${t("price.note")}</p></section>`}
    ${further(["price-drives"], {t, link})}
  </div>`;
}

const LEAST = 5;

export const modelOf = ({device}) => String(device ?? "").replace(/\s+[\d.,]+\s*[MGT]B$/, "");
const withPrice = (rows) => rows.filter((row) => row.price_per_thousand_operations_value > 0);

export const currencies = (rows) => Array.from(Map.groupBy(withPrice(rows), (row) => row.currency)).filter(([, of]) => new Set(of.map(modelOf)).size >= LEAST).map(([currency]) => currency);

const three = (value) => Number(value.toPrecision(3)).toLocaleString("en-US");
const money = (row, value) => value == null ? "–" : `${row.currency}${three(value)}`;
const dateOf = (row, t) => row.price_date ?? t("price.no_date");
const isMeasured = (row) => row.rate_kind !== "stated_spec";

export function price(rows, currency, {width, t, place}) {
  const shown = withPrice(rows).filter((row) => row.currency === currency).toSorted((a, b) => a.price_per_thousand_operations_value - b.price_per_thousand_operations_value);
  return rowChart({
    width, label: t("price.label", {count: shown.length}), columns: [{isStrong: true}],
    axes: [{scale: (range) => logScale(shown.map((row) => row.price_per_thousand_operations_value), range), words: (value) => `${currency}${three(value)}`, title: t("price.axis", {currency})}],
    groups: [{rows: shown.map((row) => {
      const name = [row.device, row.operation && t(`tail.operation.${row.operation}`), dateOf(row, t)].filter(Boolean).join(" · ");
      return {
        name, texts: [money(row, row.price_per_thousand_operations_value)],
        link: {href: place(row), lines: [name, t("price.tip", {price: money(row, row.price_value), rate: iops(row.operations_per_second)}), t(isMeasured(row) ? "mark.measured" : "mark.specification")]},
        marks: (y, [x]) => svg`<circle cx=${round(x(row.price_per_thousand_operations_value))} cy=${y} r="5" fill=${isMeasured(row) ? "var(--accent)" : "var(--surface)"} stroke="var(--accent)" stroke-width="1.75" />`
      };
    })}]
  });
}

export function priceAnswer(rows, {t}) {
  if (!rows.length) return [t("price.answer.none")];
  const parts = Array.from(Map.groupBy(withPrice(rows), (row) => row.currency).values(), (of) => {
    const sorted = of.toSorted((a, b) => a.price_per_thousand_operations_value - b.price_per_thousand_operations_value);
    const values = {low: money(sorted[0], sorted[0].price_per_thousand_operations_value), high: money(sorted.at(-1), sorted.at(-1).price_per_thousand_operations_value), models: t("price.models", {count: new Set(of.map(modelOf)).size}), count: new Set(of.map((row) => row.device)).size};
    return t.rich("price.answer.range", values);
  });
  if (!parts.length) parts.push(t.rich("price.answer.no_rate", {count: rows.length}));
  if (withPrice(rows).length && !withPrice(rows).some(isMeasured)) parts.push(t.rich("price.answer.specified"));
  return sentences(parts, t);
}

const reasonsOf = ({reasons}, t) => (reasons ?? []).map((words) => { const key = `price.reason.${words.replaceAll(/\W+/g, "_")}`; return t.has(key) ? t(key) : words; }).join(t("list.sentences"));

const priceColumns = (page, place) => {
  const {t, link} = page, {num, ...c} = cells(page);
  const priced = (id, key) => num(id, t(`price.column.${id}`), key, (value, row) => money(row, value));
  return [
    c.device({more: (row) => html`<small><a class="quiet" href=${link(`submissions/${row.submission_id}`)}>${row.title}</a></small>`}),
    num("price", t("price.column.price"), "price_value", (value, row) => html`<a href=${place(row)}>${row.currency}${count(value)}</a><small>${dateOf(row, t)}</small>`), priced("gigabyte", "price_per_gigabyte_value"),
    c.iops("operations_per_second", {value: (row) => html`${iops(row.operations_per_second)}<small>${row.operation ? t(`tail.operation.${row.operation}`) : ""} ${row.operations_per_second == null ? "" : t(isMeasured(row) ? "mark.measured" : "mark.specification")}</small>`}),
    priced("thousand", "price_per_thousand_operations_value"), num("capacity", t("devices.capacity"), "capacity_bytes", capacity), {id: "reason", label: t("column.reason"), value: (row) => html`<small>${reasonsOf(row, t)}</small>`}
  ];
};
