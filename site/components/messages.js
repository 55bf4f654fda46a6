// Words for readers: every sentence stands in site/messages/<language>.json under a key, and code names the key.
import texts from "./texts.js";

export const languages = Object.keys(texts);

const PLACE = /\{(\w+)\}/g;
const RICH = /\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)|\{(\w+)\}/g;
const ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"};

// The function `t` of a language. `link` makes an address of a path that stands in a text, as [words](path).
//   t(key, values)       the text, with {name} replaced; a whole number is grouped: 10,697
//   t.rich(key, values)  nodes: **bold**, `code` and [words](path) are understood, and a value may be a node or a list of them
//   t.html(key, values)  the same as HTML, for templates without a document; values are escaped
// With `breaks` a number and its unit have a plain space between them, for text that is copied and not read in lines.
// With `count: 1` the message `<key>.one` is taken where there is one. An unknown key or a missing value throws.
export function messages(language, {link = (path) => path, of = texts, breaks = false} = {}) {
  const known = of[language];
  if (!known) throw new Error(`there are no messages in ${language}`);
  const layOut = breaks ? (text) => text : bindUnits;
  const has = (key) => Object.hasOwn(known, key);
  const text = (key, values) => {
    const one = values.count === 1 && has(`${key}.one`) ? `${key}.one` : key;
    if (!has(one)) throw new Error(`there is no message ${key} in ${language}`);
    return layOut(known[one]);
  };
  const valueOf = (key, values, name) => {
    if (values[name] == null) throw new Error(`the message ${key} lacks {${name}}`);
    return typeof values[name] === "string" ? layOut(values[name]) : values[name];
  };

  const t = (key, values = {}) => text(key, values).replaceAll(PLACE, (place, name, at, all) => apart(valueText(valueOf(key, values, name)), all.slice(0, at), all.slice(at + place.length)));
  t.language = language;
  t.has = has;
  t.rich = (key, values = {}) => pieces(text(key, values)).flatMap((piece, i, all) => nodes(piece, (name) => {
    const value = valueOf(key, values, name);
    return piece.name != null && typeof value === "string" ? apart(value, beside(all[i - 1]), beside(all[i + 1])) : value;
  }, link));
  t.html = (key, values = {}) => pieces(text(key, values)).map((piece) => markup(piece, (name) => valueOf(key, values, name), link)).join("");
  return t;
}

messages.all = (language) => texts[language];

const valueText = (value) => Number.isInteger(value) ? value.toLocaleString("en-US") : String(value);

// A number and its unit stay on one line: the space before a unit does not break ("95 %", "78.0 µs", "9.21 k IOPS").
const UNIT = /(?<=[\d}]|\d [kMG]) (?=(?:%|×(?! )|[kMGTP]|[µnm]?s|IOPS|(?:[kMGTP]|[KMGT]i)?B(?:\/s)?)(?![\p{L}\p{N}]))/gu;
export const bindUnits = (text) => text.replaceAll(UNIT, "\u00a0");

// A value of Latin letters or digits stands apart from a Japanese word beside it, as everywhere in the texts: "Optane SSD は".
const JAPANESE = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]";
const [ENDS, BEGINS] = [new RegExp(`${JAPANESE}$`, "u"), new RegExp(`^${JAPANESE}`, "u")];
const beside = (piece) => typeof piece === "string" ? piece : "";
const apart = (value, before, next) => `${/^[A-Za-z0-9]/.test(value) && ENDS.test(before) ? " " : ""}${value}${/[A-Za-z0-9]$/.test(value) && BEGINS.test(next) ? " " : ""}`;

function pieces(text) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(RICH)) {
    const [whole, bold, code, words, path, name] = match;
    if (match.index > end) found.push(text.slice(end, match.index));
    found.push(bold != null ? {bold} : code != null ? {code} : words != null ? {words, path} : {name});
    end = match.index + whole.length;
  }
  if (end < text.length) found.push(text.slice(end));
  return found;
}

function nodes(piece, valueOf, link) {
  if (typeof piece === "string") return [document.createTextNode(piece)];
  if (piece.name != null) return [valueOf(piece.name)].flat(Infinity).map((value) => value?.nodeType ? value : document.createTextNode(valueText(value)));
  const node = document.createElement(piece.bold != null ? "strong" : piece.code != null ? "code" : "a");
  if (piece.words != null) node.setAttribute("href", target(piece, valueOf, link));
  node.append(...pieces(piece.bold ?? piece.words ?? "").flatMap((inner) => nodes(inner, valueOf, link)), piece.code ?? "");
  return [node];
}

function markup(piece, valueOf, link) {
  if (typeof piece === "string") return escapeHtml(piece);
  if (piece.name != null) return escapeHtml(valueText(valueOf(piece.name)));
  if (piece.code != null) return `<code>${escapeHtml(piece.code)}</code>`;
  const inside = pieces(piece.bold ?? piece.words).map((inner) => markup(inner, valueOf, link)).join("");
  return piece.bold != null ? `<strong>${inside}</strong>` : `<a href="${escapeHtml(target(piece, valueOf, link))}">${inside}</a>`;
}

// A path of this site goes through `link`; one with a scheme, and a place on the same page, stay as they are.
function target({path}, valueOf, link) {
  const whole = path.replaceAll(PLACE, (_, name) => valueText(valueOf(name)));
  return /^([a-z][a-z\d+.-]*:|#)/i.test(whole) ? whole : link(whole);
}

export const escapeHtml = (value) => String(value).replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign]);
