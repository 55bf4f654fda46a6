// What the pages of all numbers have in common: the frame, the buttons, the bench, where a number stands, how it is cited.
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {blockSize, count, percent} from "../components/format.js";
import {loadText, profileOf} from "../components/loads.js";
import {cells, lines} from "../components/locate.js";
import {verdictText} from "../components/marks.js";
import {originAddress} from "../components/origin.js";
import {ENDING} from "../components/packed.js";
import {numberHash} from "../components/sql/numbers.js";
import {about, header, preloads, rootOf} from "../components/shell.js";
import {bare, card, escapeHtml, h, joinParts, markup, outside, say, t, terms, unknown} from "./html.js";

const SITE = "ioledger";
const encodePath = (path) => path.split("/").map(encodeURIComponent).join("/");

// A load of which only some is known: its block size, access and direction, as far as they go.
function partly({block_size_bytes: block, access_pattern: access, operation}) {
  const known = [block == null ? null : blockSize(block), ...[["load.access_", access], ["load.", operation]].map(([prefix, name]) => t.has(`${prefix}${name}`) ? t(`${prefix}${name}`) : null)];
  return known.filter(Boolean).join(" ") || t("state.unknown");
}

// What a page is drawn with: shared tables, files, addresses of numbers; `of(path)` gives the context of a page.
export class Context {
  constructor(shared, file, base = ".") {
    Object.assign(this, shared, {file, root: `${base}/`, home: `${base}/`});
    this.benches = new Map();
  }
  of(path) {
    const base = rootOf(path, t.language);
    return Object.assign(Object.create(this), {path, base, root: `${base}/`, home: `${base}/${t.language === "en" ? "" : `${t.language}/`}`, benches: new Map()});
  }
  submission(row) { return this.submissions[row.submission_id] ?? {title: row.submission_id}; }
  configuration(row, name = row.configuration_id) { return this.configurations[`${row.submission_id}/${name}`] ?? {}; }
  device(row, name) { return this.configuration(row, name).device ?? t("number.device_unknown"); }
  load(row) {
    const profile = profileOf({...this.workloads[row.workload_id], ...(row.load_profile && {load_profile: row.load_profile})}, [row.submission_id]);
    return profile ? loadText(profile, t) : partly(row);
  }
  workload(row) { return this.workloads[row.workload_id] ?? {}; }
  // Where a number is: the page of its sweep and its anchor there; that of a pair or a claim has its own name.
  addressOf(kind, id) { return "qc".includes(kind) ? `${kind}/${id}` : `m/${this.addresses[id] ?? ""}`; }
}

// A reader of the raw files below a folder, each read and searched once: file(submission, path) -> {lines, line(pointer), cells(n)},
// or null.
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
      const match = /^line (\d+)/.exec(pointer ?? "");
      if (match) return Number(match[1]) <= rows.length ? Number(match[1]) : null;
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

// A link to a number; on its own page to its anchor.
export function number(context, kind, id, words) {
  const address = context.addressOf(kind, id);
  const own = context.path && address.startsWith(`${context.path.slice(1)}#`);
  return h`<a href="${own ? address.slice(address.indexOf("#")) : `${context.home}${address}`}">${words}</a>`;
}
export const submissionLink = (context, id, words) => h`<a href="${context.home}submissions/${id}">${words ?? context.submissions[id]?.title ?? id}</a>`;
export const deviceLink = (context, id, words) => /^[\w.-]+$/.test(id ?? "") ? h`<a href="${context.home}devices/${id}">${words}</a>` : h`${words}`;

// The address of a raw file, null where the site does not serve it.
export function rawFile(context, submission, path) {
  const served = context.served[`${submission}/${path}`];
  return served == null ? null : `${context.root}${encodePath(served)}`;
}
const isPacked = (address) => address.endsWith(ENDING);

// The JSON file of a number: a claim by its name, a pair by its id, others together by the first two digits of their ids.
export const jsonOf = (kind, id) => kind === "c" ? `${id.split("/").at(-1)}.json` : `${kind === "q" ? id : id.slice(0, 2)}.json${ENDING}`;

// A whole page at `context.path`: title and description are text, `crumbs` the way to it, `observed` its JSON-LD.
export function page(context, {title, description, crumbs, body, json, observed}) {
  const {base, path} = context;
  const jsonld = {"@context": "https://schema.org", ...observed};
  return bare(`<!doctype html><html lang=${t.language}><meta charset=utf-8><meta name=viewport content="width=device-width"><title>${escapeHtml(title)} | ${SITE}</title><meta http-equiv=Content-Security-Policy content="default-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'self'; form-action 'none'"><link rel=icon href="${base}/icon.svg"><script src="${base}/frame.js"></script>${preloads(t.language).filter((name) => name !== "jp-700.woff2").map((name) => `<link rel=preload as=font type=font/woff2 href="${base}/fonts/${name}" crossorigin>`).join("")}<link rel=stylesheet href="${base}/style.css${context.style ?? ""}">${about({title, description, path, language: t.language, address: context.address?.replace(/\/$/, "") ?? null, jsonld}).replaceAll(/<meta (?:property|name)="(?:og|twitter):[^>]*>\n/g, "")}<body class="frame number-page"><a class="skip" href="#main">${escapeHtml(t("nav.skip"))}</a><header>${header({t, base, path, section: path.startsWith("/c/") ? "trust" : "records", navigation: context.navigation ?? [], isPlain: true})}</header><main id=main><p class=crumbs>${crumbs}</p>${body}</main><footer><p>${t.html("footer.licence")}</p>${json ? `<p><a rel=alternate href="${context.root}${json}">${isPacked(json) ? "JSON (gzip)" : "JSON"}</a></p>` : ""}</footer>`);
}

export const chips = (list) => markup(`<ul class=chips>${list.filter(Boolean).map((chip) => chip.kind ? `<li class=${chip.kind}>${chip.words}` : `<li>${chip}`).join("")}</ul>`);
export const knownShare = (context, row) => {
  const {known_field_count: n, required_field_count: all} = context.configuration(row);
  return all ? say("number.known_share", {share: percent(n / all)}) : null;
};

// Open in SQL: the number in the address of the console, which knows its query, with the release that it is about.
export const sqlAddress = (context, kind, id, metric) => `${context.home}sql${numberHash(kind, id, context.release.slice(0, 12), metric)}`;

export const buttons = (context, {kind, id, metric, raw, compare}) => h`<p class=buttons><a class=main href=#cite>${say("number.cite")}</a> ${raw && h`<a href="${raw}">${say(isPacked(raw) ? "number.raw_packed" : "number.raw")}</a> `}<a href="${sqlAddress(context, kind, id, metric)}">${say("number.sql")}</a>${compare && h` <a href="${context.home}compare?a=${encodeURIComponent(compare)}">${say("number.compare")}</a>`}</p>`;

// What is known of the bench, drawn once per configuration; what is unknown is named, in italics.
const BENCH = [
  ["cond.device", ["drive_firmware"]],
  ["cond.host", ["system_vendor", "system_model", "cpu_model", "memory_bytes", "bios_version", "virtualisation"]],
  ["cond.software", ["operating_system", "kernel", "filesystem", "io_scheduler", "setting_set"]],
  ["cond.attached", ["storage_topology", "controller_model"]],
  ["cond.preparation", ["preconditioning", "steady_state", "file_written"]],
  ["cond.area", ["measurement_area", "data_pattern", "cache_bypass"]]
];
const shown = {memory_bytes: (bytes) => `${count(Math.round(bytes / 2 ** 30))} GiB`};
const nothing = (value) => value == null || value === "unknown";

export function bench(context, row, {measured, processor, kernel} = {}) {
  const key = `${row.submission_id}/${row.configuration_id}`;
  if (!context.benches.has(key)) context.benches.set(key, benchRows(context, row));
  return card("number.bench", terms([...context.benches.get(key), [say("cond.measured"), measured ?? unknown(say("number.not_stated"))], processor && [say("cond.processor_busy"), processor], kernel && [say("number.kernel"), kernel]]));
}

function benchRows(context, row) {
  const configuration = context.configuration(row);
  const missing = [];
  const rows = BENCH.map(([key, fields]) => {
    missing.push(...fields.filter((field) => nothing(configuration[field])).map((field) => t(`field.${field}`)));
    const statements = fields.filter((field) => !nothing(configuration[field])).map((field) => fieldWords(field, configuration));
    // the name of the device stands above
    const all = key === "cond.device" && statements.length ? [h`${context.device(row)}`, ...statements] : statements;
    return all.length ? [say(key), joinParts(all, ", ")] : null;
  });
  return [...rows, missing.length && [say("number.unknown"), unknown(missing.join(", "))]];
}
const LABELLED = ["drive_firmware", "io_scheduler", "storage_topology", "memory_bytes", "bios_version", "steady_state", "file_written"];
const fieldWords = (field, configuration) => h`${LABELLED.includes(field) && `${t(`field.${field}`)} `}${shown[field]?.(configuration[field]) ?? configuration[field]}`;

export function when(row) {
  const stamp = (text) => String(text).replace(/\.\d+$/, "").replace("T", " ");
  if (row.started_at) return h`${stamp(row.started_at)}`;
  if (row.ended_at) return say("number.ended", {at: stamp(row.ended_at)});
  if (row.started_at_local ?? row.ended_at_local) return h`${stamp(row.started_at_local ?? row.ended_at_local)} <em>${say("number.no_zone")}</em>`;
  return row.tested_on && !nothing(row.tested_on) ? h`${row.tested_on}` : null;
}

// Checks: those that exclude the number or qualify it first, the others in one line. Where a reason is known from says the page of
// the submission.
export function checks(list) {
  if (!list?.length) return null;
  const all = [...new Map(list.map((check) => [`${check.name} ${check.verdict}`, check])).values()].sort((a, b) => (b.effect ?? "").localeCompare(a.effect ?? "") || a.verdict.localeCompare(b.verdict));
  const effects = all.filter((check) => check.effect && check.effect !== "none");
  const passed = all.filter((check) => !effects.includes(check));
  return card("number.checks",
    effects.length ? markup(`<ul>${effects.map((check) => h`<li>${verdictText([check.verdict], t)}${check.why && h`: ${check.why.split("; known from")[0]}`}`.text).join("")}</ul>`) : null,
    passed.length ? h`<p>${joinParts(passed.map((check) => h`${check.verdict}${check.value != null && ["ratio", "seconds"].includes(check.unit) && h` (${Number(check.value.toPrecision(3))}${check.unit === "seconds" ? " s" : ""})`}`), " · ")}</p>` : null);
}

// What rests on a number: a list of links, or a sentence that nothing does.
export const rests = (list) => {
  const found = list.filter(Boolean);
  return card("number.rests", found.length ? markup(`<ul>${found.map((each) => `<li>${each}`).join("")}</ul>`) : h`<p>${say("number.nothing_rests")}</p>`);
};

// How a number is cited: its headline, what it is of, the source, the release and the address.
export function citation(context, {title, address, row}) {
  const submission = context.submission(row);
  const source = [submission.citation_publisher, submission.citation_title].filter((part) => !nothing(part)).join(", ") || submission.title.split(": ")[0];
  return `${title}. ${source}. ${SITE}, release ${context.release.slice(0, 12)}. ${ownAddress(context, address)}`;
}
const ownAddress = (context, address) => `${context.address ? `${context.address.replace(/\/$/, "")}/` : ""}${t.language === "en" ? "" : `${t.language}/`}${address}`;

// The citation with BibTeX and the query of the page, pinned to the release.
export function citing(context, {title, address, query, row}) {
  const submission = context.submission(row);
  const release = context.release.slice(0, 12);
  const author = nothing(submission.citation_publisher) ? submission.title : submission.citation_publisher;
  const bib = `@misc{${SITE}-${address.replaceAll(/[^\w-]+/g, "-")},title={${bibtex(title)}},author={{${bibtex(author)}}},year={${String(submission.submitted_on ?? "").slice(0, 4)}},note={${SITE} ${release}},url={${ownAddress(context, address)}}}`;
  return h`<section id=cite><h2>${say("number.citation")}</h2><pre>${citation(context, {title, address, row})}</pre><pre>${bib}</pre><h2>SQL</h2><pre>${query}\n-- release ${release}</pre></section>`;
}
const BIBTEX = {"\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "%": "\\%", "&": "\\&", "_": "\\_", "#": "\\#", "$": "\\$", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"};
export const bibtex = (text) => String(text).replaceAll(/[\\{}%&_#$~^]/g, (sign) => BIBTEX[sign]).replaceAll(/\s+/g, " ");

// Where an excerpt comes from: path, line and commit at its origin.
export function origin(context, row, isAlone) {
  const submission = context.submission(row);
  const address = originAddress(submission.origin_repository, submission.origin_commit, row.origin_path, {line: row.origin_line});
  const name = row.origin_path.split("/").slice(-2).join("/");
  return [
    [say("number.origin"), h`${outside(address, h`${address ? name : row.origin_path}${row.origin_line != null && h`, ${say("number.at_line", {n: row.origin_line})}`}`)}${isAlone && h`, <em>${say("number.not_verified")}</em>`}`],
    row.origin_sha256 && [say("number.origin_hash"), h`${row.origin_sha256}`]
  ];
}

// Lines of a file with one of them marked; `from` is the number of the first.
export const quoteLines = (rows, marked) => markup(`<pre>${rows.map((text, i) => i === marked ? `<mark>${escapeHtml(text)}</mark>` : escapeHtml(text) + (i < rows.length - 1 ? "\n" : "")).join("")}</pre>`);
// The hash is that of the file as it was handed in, also where it is served packed; the JSON has it in full.
export const hashRow = (raw, hash) => hash && [say("number.hash"), h`${hash.slice(0, 16)}…${hash.slice(-8)}${raw && isPacked(raw) && h`, ${say("number.unpacked")}`}`];
export const placeRow = (path, pointer, n, total, raw) => [say("number.file"), h`${raw ? h`<a href="${raw}">${path}</a>` : path}, ${/^line /.test(pointer ?? "") ? null : h`<code>${pointer}</code>, `}${n != null && total != null ? say("number.line", {n, total}) : h`${pointer}`}`];
