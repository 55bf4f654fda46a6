import MiniSearch from "minisearch";
import {iops, latency, normalizeName, quotient} from "./format.js";
import {loadText} from "./loads.js";
import {mediumName} from "./marks.js";

// Finds pages by words, in what tools/finish.mjs says of them. Japanese has no spaces, so its words are taken by pairs of signs.
const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{N}]+/gu;
const JAPANESE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const SILENT = new Set(["a", "an", "and", "in", "of", "on", "or", "the", "with"]);

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

const MEDIA = [["ssd_optane", /optane|3d ?xpoint/], ["ssd_nvme", /nvme|nand|flash/], ["ssd_sata", /sata/], ["hdd", /\bhdds?\b|hard ?disks?|spinning/], ["ssd_sas", /\bsas\b/]];
const VERSUS = /\bvs\.?\b|\bversus\b|\bor\b|\bagainst\b|compared (?:to|with)|対|と.*比較/;

// Drives in the order in which a query names them: by name without maker and capacity, or by a model number ("s4610").
function findDrives(query, drives) {
  const asked = normalizeName(query.replace(/(\S+) (or|and|vs\.?|versus) (\S+) (\S+)/i, "$1 $4 $2 $3 $4"));
  const numberIn = (title) => title.split(/[\s-]/).map(normalizeName).find((word) => /[a-z]\d{3}/.test(word) && asked.includes(word));
  const known = drives.map(({id, title}) => ({id, title, part: normalizeName(title.replace(/^\S+ /, "").replace(/\s\d+(\.\d+)?\s?[GT]B.*$/, ""))}))
    .map((each) => asked.includes(each.part) ? each : {...each, part: numberIn(each.title) ?? ""})
    .filter(({part}) => part.length > 3).sort((a, b) => b.part.length - a.part.length);
  const found = [];
  for (const each of known) if (!found.some(({part}) => part.includes(each.part))) found.push(each);
  return found.sort((a, b) => asked.indexOf(a.part) - asked.indexOf(b.part));
}

// Answers in figures: [{text, path, search, address}]. `rows`: of search-answers; `ratios`: of devices-ratios; `drives`: {id, title} of the index.
export function answers(query, {rows, ratios, drives}, t) {
  const asked = query.toLowerCase();
  const [one, two] = findDrives(query, drives);
  const range = (low, high) => `${low === high ? quotient(low) : t("span", {from: quotient(low), to: quotient(high)})} ×`;
  if (one && two) {
    const its = ratios.find((row) => row.device_id === one.id && row.reference_id === two.id);
    return [{path: "compare", search: {a: one.id, b: two.id}, text: its ? t("search.answer_pair", {a: one.title, b: two.title, ratio: range(its.low, its.high)}) : t("search.answer_pair_none", {a: one.title, b: two.title})}];
  }
  if (/\bp ?99[.,]?9\b/.test(asked)) return percentiles(asked, one, rows, t);
  const scheduler = rows.filter((row) => row.kind === "scheduler" && (asked.includes(row.name) && row.name !== "none" || /scheduler|スケジューラ/.test(asked)));
  if (scheduler.length) {
    const names = new Set([...scheduler.map((row) => row.name), "none"]);
    return rows.filter((row) => row.kind === "scheduler" && names.has(row.name)).map((row) => ({path: "scaling", address: row.point_id, text: t("search.answer_scheduler", {name: row.name, count: Number(row.other), rate: `${row.is_bound ? "≥ " : ""}${iops(row.low)}`, depth: row.queue_depth})}));
  }
  const media = VERSUS.test(asked) ? MEDIA.filter(([, words]) => words.test(asked)).map(([id]) => id) : [];
  if (media.length > 1 || one && media.length) {
    const [name, other] = one ? [one.id, media[0]] : media;
    const mediumOf = new Map(ratios.map((row) => [row.reference_id, row.reference_class]));
    const its = ratios.filter((row) => (one ? row.device_id : mediumOf.get(row.device_id)) === name && row.reference_class === other);
    const names = {a: one?.title ?? mediumName(name, t), b: mediumName(other, t)};
    return [{path: "media", text: its.length ? t("search.answer_media", {...names, ratio: range(Math.min(...its.map(({low}) => low)), Math.max(...its.map(({high}) => high))), count: its.reduce((sum, row) => sum + row.setup_count, 0)}) : t("search.answer_media_none", names)}];
  }
  return [];
}

function percentiles(asked, drive, rows, t) {
  const [, share] = /\b(\d\d?)\s*\/\s*\d\d?\b/.exec(asked) ?? [];
  const its = rows.filter((row) => row.kind === "p999" && (!drive || row.name === drive.id) && (!share || row.load_profile.includes(`${share} % read`)));
  if (drive && !its.length) return [{path: `devices/${drive.id}`, text: share ? t("search.answer_p999_none_mix", {device: drive.title, share: Number(share)}) : t("search.answer_p999_none", {device: drive.title})}];
  if (drive) return its.map((row) => ({path: "tail", address: row.point_id, text: t("search.answer_p999", {device: drive.title, load: loadText(row.load_profile, t), value: latency(row.low)})}));
  const reads = its.filter((row) => row.load_profile === "4 KiB random read").map(({low}) => low);
  return reads.length ? [{path: "tail", text: t("search.answer_p999_all", {count: reads.length, low: latency(Math.min(...reads)), high: latency(Math.max(...reads))})}] : [];
}
