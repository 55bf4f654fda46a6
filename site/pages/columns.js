/*---
title: columns.title
description: columns.description
nav: {section: method, order: 620, name: columns.nav}
documents: [columns]
keywords: schema tables fields units types
---*/
import {columnsOf} from "../components/columns.js";

// The marts: what questions are asked of.
export default async function columns(page) {
  return columnsOf(await page.rows("columns"), page, "columns", "sources");
}
