/*---
words: sources
nav: none
documents: [sources]
keywords: schema raw tables fields units types
---*/
import {html} from "htl";
import {columnsOf} from "./columns.js";

export default async function sources(page) {
  const {rows, t, link} = page;
  const other = html`<a href=${link("columns")}>${t("sources.other")}</a>`;
  return columnsOf(await rows("sources"), page, {title: t("sources.title"), lede: t("sources.lede"), other});
}
