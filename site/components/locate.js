// The line of a place in a raw file: "line 12", "line 12, cell 3,4", or "0#/jobs/3/read" (JSON document 0, JSON pointer).
export function locate(text, at) {
  const line = /^line (\d+)/.exec(at ?? "");
  if (line) return +line[1];
  const place = /^(\d+)#(.*)$/s.exec(at ?? "");
  if (!place) return null;
  const offset = offsetOf(text, +place[1], place[2].split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~")));
  return offset == null ? null : text.slice(0, offset).split("\n").length;
}

// The offset of the value that a path leads to in the n-th document. A document is an object or array that begins a line.
function offsetOf(text, wanted, path) {
  let end = 0;
  let document = -1;
  for (const {index, 0: indent} of text.matchAll(/^[ \t\uFEFF]*(?=[{[])/gm)) {
    const start = index + indent.length;
    if (start < end) continue;
    const behind = skip(text, start);
    if (behind == null) continue;
    if (++document === wanted) return descend(text, start, path);
    end = behind;
  }
  return null;
}

const space = (text, at) => { while (/\s/.test(text[at] ?? "")) at++; return at; };
const string = (text, at) => { for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++; return at + 1; };

// The offset behind the value that starts at `at`, or null where the text ends first.
function skip(text, at) {
  if (text[at] === '"') return string(text, at);
  if (text[at] !== "{" && text[at] !== "[") { while (at < text.length && !/[,\]}\s]/.test(text[at])) at++; return at; }
  for (let depth = 0; at < text.length; at++) {
    const c = text[at];
    if (c === '"') at = string(text, at) - 1;
    else if (c === "{" || c === "[") depth++;
    else if ((c === "}" || c === "]") && --depth === 0) return at + 1;
  }
  return null;
}

function descend(text, at, path) {
  let shown = at;
  for (const key of path) {
    const found = text[at] === "[" ? element(text, at, +key) : text[at] === "{" ? member(text, at, key) : null;
    if (!found) return shown;
    [shown, at] = found;
  }
  return shown;
}

function element(text, at, wanted) {
  at = space(text, at + 1);
  for (let index = 0; at < text.length && text[at] !== "]"; index++) {
    if (index === wanted) return [at, at];
    at = space(text, skip(text, at) ?? text.length);
    if (text[at] === ",") at = space(text, at + 1);
  }
  return null;
}

function member(text, at, wanted) {
  at = space(text, at + 1);
  while (at < text.length && text[at] === '"') {
    const end = string(text, at);
    const value = space(text, space(text, end) + 1);
    if (JSON.parse(text.slice(at, end)) === wanted) return [at, value];
    at = space(text, skip(text, value) ?? text.length);
    if (text[at] === ",") at = space(text, at + 1);
  }
  return null;
}
