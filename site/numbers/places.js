// The raw files that pages quote: lines, places in JSON and rows of CSV. A file is read and searched once.
import {readFileSync} from "node:fs";
import {join} from "node:path";

const OPEN = 123, LIST = 91, CLOSE = 125, END = 93, QUOTE = 34, ESCAPE = 92, NEWLINE = 10, COMMA = 44;
const isSpace = (code) => code === 32 || code === 9 || code === NEWLINE || code === 13;
const DEEP = 6;

// The line of every value in the JSON documents of a text, down to six steps, by "<document>#<pointer>".
export function lines(text) {
  const found = new Map();
  let at = 0, line = 1, documents = 0;
  const string = () => {
    for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === ESCAPE) at++;
    at++;
  };
  const space = () => { for (; at < text.length && isSpace(text.charCodeAt(at)); at++) if (text.charCodeAt(at) === NEWLINE) line++; };
  const escape = (key) => key.replaceAll("~", "~0").replaceAll("/", "~1");
  const value = (pointer, depth) => {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return string();
    if (code !== OPEN && code !== LIST) { while (at < text.length && ![COMMA, CLOSE, END].includes(text.charCodeAt(at)) && !isSpace(text.charCodeAt(at))) at++; return; }
    const last = code === OPEN ? CLOSE : END;
    at++;
    space();
    for (let index = 0; at < text.length && text.charCodeAt(at) !== last; index++) {
      const before = at, begun = line;
      let key = index;
      if (code === OPEN) {
        string();
        if (depth < DEEP) key = escape(JSON.parse(text.slice(before, at)));
        space();
        at++;
        space();
      }
      const inner = depth < DEEP ? `${pointer}/${key}` : pointer;
      if (depth < DEEP) found.set(inner, begun);
      value(inner, depth + 1);
      space();
      if (text.charCodeAt(at) === COMMA) { at++; space(); }
      if (at === before) at++;
    }
    at++;
  };
  for (const {index, 0: indent} of text.matchAll(/^[ \t\uFEFF]*(?=[{[])/gm)) {
    const start = index + indent.length;
    if (start < at) continue;
    for (; at < start; at++) if (text.charCodeAt(at) === NEWLINE) line++;
    const pointer = `${documents++}#`;
    found.set(pointer, line);
    try { value(pointer, 0); } catch { return found; }
  }
  return found;
}

// The cells of a line of CSV by the names in the header, without those that are empty.
export function cells(header, line) {
  const [names, values] = [header, line].map((text) => Array.from(text.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g), ([, cell]) => cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
  return new Map(names.map((name, i) => [name, values[i]]).filter(([, cell]) => cell));
}

// A reader of the files below a folder: file(submission, path) -> {lines, line(pointer), cells(n)}, or null.
export function files(folder) {
  const known = new Map();
  const read = (submission, path) => {
    if (!folder || path.split("/").includes("..")) return null;
    let text;
    try { text = readFileSync(join(folder, submission, path), "utf8"); } catch { return null; }
    const rows = text.split(/\r\n|\n|\r/);
    if (rows.at(-1) === "") rows.pop();
    let places;
    const line = (pointer) => {
      const told = /^line (\d+)/.exec(pointer ?? "");
      if (told) return Number(told[1]) <= rows.length ? Number(told[1]) : null;
      return (places ??= lines(text)).get(pointer) ?? null;
    };
    return {lines: rows, line, cells: (n) => cells(rows[0], rows[n - 1])};
  };
  return (submission, path) => {
    const key = `${submission}/${path}`;
    if (!known.has(key)) known.set(key, read(submission, path));
    return known.get(key);
  };
}
