// The messages of both languages, read from their files. In the built site a module of the same name holds them.
import {createRequire} from "node:module";

const read = createRequire(import.meta.url);

export default {en: read("../messages/en.json"), ja: read("../messages/ja.json")};
