/*---
words: sources
nav: none
documents: [sources]
keywords: schema raw tables fields units types
---*/
import {columnsOf} from "./columns.js";

export default (page) => columnsOf(page, "sources", {title: "sources.title", lede: "sources.lede", other: "sources.other", to: "columns"});
