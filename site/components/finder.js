// Finds pages by words, in what tools/finish.mjs says of them. Japanese has no spaces, so its words are taken by pairs of signs.
import MiniSearch from "minisearch";

const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{N}]+/gu;
const JAPANESE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

const SILENT = new Set(["a", "an", "and", "in", "of", "on", "or", "the", "with"]);

// The words of a text; "キュー深度" gives キュ, ュー, ー深, 深度.
export const words = (text) => [...text.normalize("NFKC").matchAll(WORDS)].flatMap(([word]) =>
  JAPANESE.test(word) && word.length > 2 ? Array.from({length: word.length - 1}, (_, i) => word.slice(i, i + 2)) : [word]);

// A function query -> pages {path, title, kind, text, words}, best first; `isPartly` if none has all words. Digits of a model must match exactly.
export function finder(pages) {
  // "980pro" finds the 980 PRO: neighbouring words of a title count as one, too
  const joined = (title) => words(title).map((word, i, all) => `${word}${all[i + 1] ?? ""}`).join(" ");
  const index = new MiniSearch({
    idField: "path", fields: ["title", "joined", "text", "words", "path"], storeFields: ["path", "title", "kind", "text"], tokenize: words,
    processTerm: (term) => SILENT.has(term.toLowerCase()) ? null : term.toLowerCase(),
    searchOptions: {boost: {title: 4, joined: 2, path: 2}, prefix: true, fuzzy: (term) => term.length > 5 && !JAPANESE.test(term) && !/\d/.test(term) ? 0.2 : false, combineWith: "AND"}
  });
  index.addAll(pages.map((page) => ({...page, joined: joined(page.title)})));
  return (query) => {
    const whole = index.search(query);
    const found = whole.length ? whole : index.search(query, {combineWith: "OR"});
    return Object.assign(found, {isPartly: found.length > 0 && !whole.length});
  };
}

// What may be the beginning of a number's id, with the two characters that name its file; null for any other query.
export function idIn(query) {
  const found = /^(?:[rpksq]\/)?([0-9a-f]{4,})$/.exec(query.trim().toLowerCase());
  return found ? {id: found[1], file: found[1].slice(0, 2)} : null;
}
