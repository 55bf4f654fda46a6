// HTML as text, without a document, every value of it escaped; and numbers with all their digits, and in the unit of the charts.
import {count, full, interval, iops, latency, throughput} from "../components/format.js";
import {isExcluded, verdictText} from "../components/marks.js";
import {bindUnits, escapeHtml, languages, messages} from "../components/messages.js";

// No attribute of these pages stands in single quotes.
export {escapeHtml};

// What is HTML already. Only the functions of this folder make it, of text that they have escaped.
class Markup {
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}
export const markup = (text) => new Markup(text);
const markupText = (value) => value == null || value === false ? "" : value instanceof Markup ? value.text : Array.isArray(value) ? value.map(markupText).join("") : escapeHtml(value);

// h`<b>${anything}</b>` escapes values; Markup and lists of it stay, null and false are nothing.
export function h(strings, ...values) {
  let text = strings[0];
  for (let i = 0; i < values.length; i++) text += markupText(values[i]) + strings[i + 1];
  return new Markup(text);
}
// HTML with quotes only where an attribute needs them: there are thousands of pages.
export const bare = (text) => text.replaceAll(/( [a-z-]+=)"([^\s"'=<>`]*[^\s"'=<>`/])"(?=[ >])/g, "$1$2");
export const joinParts = (parts, between) => markup(parts.filter((part) => part != null && part !== false && markupText(part) !== "").map(markupText).join(between));

// `speak` chooses the language of all following pages. Values are escaped; a function of `t` gives a value that differs by language.
const byLanguage = Object.fromEntries(languages.map((language) => [language, messages(language, {breaks: true})]));
const fixed = new Map();
export let t = byLanguage.en;
export function speak(language) {
  t = byLanguage[language];
  fixed.clear();
}
const resolveValues = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === "function" ? value(t) : value]));
const strong = (text) => text.replaceAll("strong>", "b>");
export function say(key, values) {
  if (values) return markup(strong(t.html(key, resolveValues(values))));
  if (!fixed.has(key)) fixed.set(key, markup(strong(t.html(key))));
  return fixed.get(key);
}
export const sentence = (key, values = {}) => markup(bindUnits(strong(t.html(key, resolveValues(values)))));
// Sentences one after the other; Japanese has no space between them.
export const sentences = (list) => joinParts(list, t.language === "ja" ? "" : " ");

// The word for something unknown, which is always written.
export const unknown = (what) => h`<em>${what}</em>`;

// A list of terms; a value that is null leaves its row out, so what is unknown has to be handed in as unknown().
export const terms = (rows) => markup(`<dl>${rows.filter((row) => row && row[1] != null).map(([term, value]) => `<dt>${markupText(term)}<dd>${markupText(value)}`).join("")}</dl>`);
export const card = (key, ...content) => h`<section><h2>${say(key)}</h2>${content}</section>`;

const ELSEWHERE = /^https?:\/\/[^\s"'<>]+$/;
export const outside = (address, words) => ELSEWHERE.test(address ?? "") ? h`<a href="${address}">${words ?? address}</a>` : h`${words ?? address}`;

const clean = (value) => Number(value.toPrecision(12));
// A rate is a quotient: nine digits of it are measured, the others are noise of the division. Whole numbers stay whole.
const digits = (value) => full(Number.isInteger(value) ? value : Number(value.toPrecision(Math.max(9, Math.trunc(Math.abs(value)).toString().length))));
// Four significant digits, whole numbers in full.
const large = (value) => Math.abs(value) >= 1000 ? count(Math.round(value)) : String(Number(value.toPrecision(4)));
const timeUnit = (seconds) => [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]].find(([size]) => seconds >= size) ?? [1e-6, "µs"];

// Of each metric: the unit of the heading, the value in it, the value in SI with its unit, and the value as charts write it.
export const metrics = {
  operations_per_second: {
    name: "number.iops", unit: () => "IOPS", shown: large, exact: (value) => `${digits(value)} /s`, short: iops,
    column: "operations_per_second", counted: "operation_count", ends: ["operations_low_per_second", "operations_high_per_second"], kind: "operations_kind"
  },
  throughput_bytes_per_second: {
    name: "number.throughput", unit: () => "MB/s", shown: (value) => large(clean(value / 1e6)), exact: (value) => `${digits(value)} B/s`, short: (value) => `${throughput(value)} MB/s`,
    column: "throughput_bytes_per_second", counted: "transferred_bytes", ends: ["throughput_low_bytes_per_second", "throughput_high_bytes_per_second"], kind: "throughput_kind"
  },
  latency_mean_seconds: {
    name: "number.latency", unit: (value) => timeUnit(value)[1], shown: (value) => large(clean(value / timeUnit(value)[0])), exact: (value) => `${full(clean(value / timeUnit(value)[0]))} ${timeUnit(value)[1]}`, short: latency,
    column: "latency_mean_seconds", ends: ["latency_mean_low_seconds", "latency_mean_high_seconds"], kind: "latency_kind_of_interval"
  }
};
const order = {sequential: ["throughput_bytes_per_second", "operations_per_second", "latency_mean_seconds"]};

// The metrics that a row has, the one that its load is measured by first.
export const metricsOf = (row, access) => (order[access] ?? Object.keys(metrics)).filter((metric) => row[metric] != null);

export const exact = (metric, value) => metrics[metric].exact(value);
export const short = (metric, value) => metrics[metric].short(value);
// The unit of the value itself, for programs.
export const unitOf = (metric) => ({operations_per_second: "1/s", throughput_bytes_per_second: "B/s", latency_mean_seconds: "s"})[metric];
export const between = (metric, low, high) => interval(low, high, (value) => metrics[metric].shown(value));
export const ratio = (value, digits = 6) => value == null ? "–" : full(Number(value.toPrecision(digits)));

// "lower" or "upper" where a number is a bound in a metric, else null. A peak at the end of its sweep is a lower bound.
export function boundOf(row, metric) {
  if (/_bound$/.test(row.value_kind ?? "")) return row.value_kind.replace("_bound", "");
  const isOpen = /bound/.test(row[metrics[metric].kind] ?? row.kind ?? "") || (row.is_peak_at_edge && row.peak_origin !== "stated");
  return isOpen ? metric === "latency_mean_seconds" ? "upper" : "lower" : null;
}
export const sign = (row, metric) => ({lower: "≥ ", upper: "≤ "})[boundOf(row, metric)] ?? (row.value_kind === "approximate" ? "≈ " : "");

// The number as a citation has it: "≥ 60,008 IOPS (lower bound; excluded: blocks never written)".
export function headline(row, metric, value = row[metric]) {
  const bound = boundOf(row, metric);
  const notes = [bound && t(`number.bound_${bound}`), isExcluded(row) && t("number.excluded", {why: verdictText(row.exclusions, t)})].filter(Boolean);
  return `${sign(row, metric)}${metrics[metric].shown(value)} ${metrics[metric].unit(value)}${notes.length ? ` (${notes.join("; ")})` : ""}`;
}

// The other metrics of a row, with all their digits.
export const others = (row, found) => found.length ? markup(escapeHtml(found.map((metric) => exact(metric, row[metric])).join(" · "))) : null;

// Whether what a file prints is what was computed: to half a step of its last digit, or a millionth.
export function agreement(computed, printed, text = String(printed)) {
  const decimals = /\.(\d+)\s*$/.exec(text)?.[1].length ?? 0;
  const step = 0.5 * 10 ** -decimals * (1 + 1e-9);
  if (Math.abs(computed - printed) <= Math.max(step, Math.abs(printed) * 1e-6)) return say("number.agrees");
  return say("number.differs", {by: `${((computed / printed - 1) * 100).toPrecision(2).replace("-", "−")} %`});
}
