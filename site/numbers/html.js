// HTML as text, without a document: every value is escaped.
import {escaped, languages, messages, unbroken} from "../components/messages.js";

// No attribute of these pages stands in single quotes.
export {escaped};

// What is HTML already. Only the functions of this folder make it, of text that they have escaped.
class Markup {
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}
export const markup = (text) => new Markup(text);
const written = (value) => value == null || value === false ? "" : value instanceof Markup ? value.text : Array.isArray(value) ? value.map(written).join("") : escaped(value);

// h`<b>${anything}</b>` escapes values; Markup and lists of it stay, null and false are nothing.
export function h(strings, ...values) {
  let text = strings[0];
  for (let i = 0; i < values.length; i++) text += written(values[i]) + strings[i + 1];
  return new Markup(text);
}
// HTML with quotes only where an attribute needs them: there are thousands of pages.
export const bare = (text) => text.replaceAll(/( [a-z-]+=)"([^\s"'=<>`]*[^\s"'=<>`/])"(?=[ >])/g, "$1$2");
export const joined = (parts, between) => markup(parts.filter((part) => part != null && part !== false && written(part) !== "").map(written).join(between));

// `speak` chooses the language of all following pages. Values are escaped; a function of `t` gives a value that differs by language.
const known = Object.fromEntries(languages.map((language) => [language, messages(language, {breaks: true})]));
const fixed = new Map();
export let t = known.en;
export function speak(language) {
  t = known[language];
  fixed.clear();
}
const spoken = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === "function" ? value(t) : value]));
const strong = (text) => text.replaceAll("strong>", "b>");
export function say(key, values) {
  if (values) return markup(strong(t.html(key, spoken(values))));
  if (!fixed.has(key)) fixed.set(key, markup(strong(t.html(key))));
  return fixed.get(key);
}
export const sentence = (key, values = {}) => markup(unbroken(strong(t.html(key, spoken(values)))));
// Sentences one after the other; Japanese has no space between them.
export const sentences = (list) => joined(list, t.language === "ja" ? "" : " ");

// The word for something unknown, which is always written.
export const unknown = (what) => h`<em>${what}</em>`;

// A list of terms; a value that is null leaves its row out, so what is unknown has to be handed in as unknown().
export const terms = (rows) => markup(`<dl>${rows.filter((row) => row && row[1] != null).map(([term, value]) => `<dt>${written(term)}<dd>${written(value)}`).join("")}</dl>`);
export const card = (key, ...content) => h`<section><h2>${say(key)}</h2>${content}</section>`;

const ELSEWHERE = /^https?:\/\/[^\s"'<>]+$/;
export const outside = (address, words) => ELSEWHERE.test(address ?? "") ? h`<a href="${address}">${words ?? address}</a>` : h`${words ?? address}`;
