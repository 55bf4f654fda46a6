/*---
title: columns.title
description: columns.description
nav: {section: method, order: 620, name: columns.nav}
documents: [columns]
keywords: schema tables fields units types
---*/
import {html} from "htl";
import {columnsOf} from "../components/columns.js";

// The marts: what questions are asked of.
export default async function columns(page) {
  const {rows, t, link} = page;
  const other = html`<a href=${link("sources")}>${t("columns.other")}</a>`;
  return columnsOf(await rows("columns"), page, {title: t("columns.title"), lede: t("columns.lede"), other});
}
