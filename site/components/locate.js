// The lines of places in raw files: "line 12", "line 12, cell 3,4", or "0#/jobs/3/read" (JSON document 0, JSON pointer).

const DEEP = 6;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],\n]|[^\s{}[\],:"]+/g;

// The line of every value in the JSON documents of a text, down to six steps, by "<document>#<pointer>". A document begins with a line.
export function lines(text) {
  const found = new Map(), open = [];
  let line = 1, documents = 0, begins = true;
  for (const [token] of text.matchAll(TOKEN)) {
    const top = open.at(-1), isOpening = token === "{" || token === "[";
    if (token === "\n") line++;
    else if (token === "}" || token === "]") open.pop();
    else if (token === ",") { if (top) top.key = top.isList ? top.key + 1 : null; }
    else if (top && top.key == null) {
      if (!token.startsWith('"')) return found;
      top.key = token.slice(1, -1).replaceAll("~", "~0").replaceAll("/", "~1");
    } else if (top || begins && isOpening) {
      const pointer = !top ? `${documents++}#` : open.length > DEEP ? top.pointer : `${top.pointer}/${top.key}`;
      if (open.length <= DEEP) found.set(pointer, line);
      if (isOpening) open.push({pointer, isList: token === "[", key: token === "[" ? 0 : null});
    }
    begins = token === "\n";
  }
  return found;
}

export function cells(header, line) {
  const [names, values] = [header, line].map((text) => Array.from(text.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g), ([, cell]) => cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
  return new Map(names.map((name, i) => [name, values[i]]).filter(([, cell]) => cell));
}

export function locate(text, at) {
  const line = /^line (\d+)/.exec(at ?? "");
  if (line) return Number(line[1]);
  const known = lines(text);
  for (let place = at ?? ""; place; place = place.includes("/") ? place.slice(0, place.lastIndexOf("/")) : "") if (known.has(place)) return known.get(place);
  return null;
}
