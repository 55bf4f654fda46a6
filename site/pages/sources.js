/*---
title: sources.title
description: sources.description
nav: none
documents: [sources]
keywords: schema raw tables fields units types
---*/
import {columnsOf} from "../components/columns.js";

// The tables that readers fill, from which the marts are made.
export default async function sources(page) {
  return columnsOf(await page.rows("sources"), page, "sources", "columns");
}
