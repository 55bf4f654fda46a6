/*---
words: gate
nav: {section: method, order: 614, name: gate.nav}
documents: [gate]
keywords: change regression before after benchmark paired tost ci github action exit code
---*/
import {chapter} from "../components/chapter.js";

export default (page) => chapter(page, "gate");
