// The lines of places in raw files: "line 12", "line 12, cell 3,4", or "0#/jobs/3/read" (JSON document 0, JSON pointer).

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

// The line of a place, or of what holds it; null where there is none.
export function locate(text, at) {
  const line = /^line (\d+)/.exec(at ?? "");
  if (line) return Number(line[1]);
  const known = lines(text);
  for (let place = at ?? ""; place; place = place.includes("/") ? place.slice(0, place.lastIndexOf("/")) : "") if (known.has(place)) return known.get(place);
  return null;
}
