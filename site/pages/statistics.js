/*---
words: statistics
nav: {section: method, order: 612, name: statistics.nav}
documents: [statistics]
keywords: ratio interval verdict session spread equal faster undecided bound scaling ideal comparability key condition
---*/
import {chapter} from "../components/chapter.js";

export default (page) => chapter(page, "statistics");
