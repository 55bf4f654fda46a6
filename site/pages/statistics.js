/*---
words: statistics
nav: {section: method, order: 612, name: statistics.nav}
documents: [statistics]
keywords: ratio interval verdict session spread equal faster undecided bound scaling ideal comparability key condition
---*/
import {chapter} from "../components/chapter.js";

export default async function statistics({rows, t, link}) {
  return chapter(await rows("statistics"), {t, link});
}
