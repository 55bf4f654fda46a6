// What the pages of all numbers have in common: the frame, the buttons, the bench, where a number stands, how it is cited.
import {blockSize, count, percent} from "../components/format.js";
import {loadText, profileOf} from "../components/loads.js";
import {verdictText} from "../components/marks.js";
import {originAddress} from "../components/origin.js";
import {ENDING} from "../components/packed.js";
import {numberHash} from "../components/sql/numbers.js";
import {bare, card, en, escaped, h, inScript, ja, joined, markup, outside, say, terms, unknown, word} from "./html.js";

const SITE = "ioledger";
// The hash of the origin in full, that of a file which many results share in short; the JSON has it in full.
const shownHash = (hash) => h`${hash.slice(0, 16)}…${hash.slice(-8)}`;
const encoded = (path) => path.split("/").map(encodeURIComponent).join("/");

// A load of which only some is known: its block size, access and direction, as far as they go.
function partly({block_size_bytes: block, access_pattern: access, operation}, t) {
  const known = [block == null ? null : blockSize(block), ...[["load.access_", access], ["load.", operation]].map(([prefix, name]) => t.has(`${prefix}${name}`) ? t(`${prefix}${name}`) : null)];
  return known.filter(Boolean).join(" ") || t("state.unknown");
}

// What a page is drawn with: the tables that pages share, the files, the way to the site's root.
export class Context {
  constructor(shared, file, root) {
    Object.assign(this, shared, {file, root});
    this.benches = new Map();
  }
  from(root) { return Object.assign(Object.create(this), {root}); }
  submission(row) { return this.submissions[row.submission_id] ?? {title: row.submission_id}; }
  configuration(row, name = row.configuration_id) { return this.configurations[`${row.submission_id}/${name}`] ?? {}; }
  device(row, name) { return this.configuration(row, name).device ?? en("number.device_unknown"); }
  load(row) {
    const profile = profileOf({...this.workloads[row.workload_id], ...(row.load_profile && {load_profile: row.load_profile})}, [row.submission_id]);
    return (t) => profile ? loadText(profile, t) : partly(row, t);
  }
  workload(row) { return this.workloads[row.workload_id] ?? {}; }
}

export const number = (context, kind, id, words) => h`<a href="${context.root}${kind}/${id}">${words}</a>`;
export const submissionLink = (context, id, words) => h`<a href="${context.root}submissions/${id}">${words ?? context.submissions[id]?.title ?? id}</a>`;
export const deviceLink = (context, id, words) => /^[\w.-]+$/.test(id ?? "") ? h`<a href="${context.root}devices/${id}">${words}</a>` : h`${words}`;

// The address of a raw file, null where the site does not serve it.
export function rawFile(context, submission, path) {
  const served = context.served[`${submission}/${path}`];
  return served == null ? null : `${context.root}${encoded(served)}`;
}
const isPacked = (address) => address.endsWith(ENDING);

// The name of a submission without what its title says of it behind a colon.
const brief = (title) => title.split(": ")[0];

// The JSON of a number: a claim's by its name, that of a pair by its id, of other numbers together with all whose ids begin
// with the same two signs. There are thousands, so all but the claims' lie packed.
export const jsonOf = (kind, id) => kind === "c" ? `${id.split("/").at(-1)}.json` : `${kind === "q" ? id : id.slice(0, 2)}.json${ENDING}`;

export const jsonLabel = (name) => name.endsWith(ENDING) ? "JSON (gzip)" : "JSON";

// A whole page. `of` is {kind, id, title, about}: title and about are text, in English; `json` is the file that has it as JSON.
export function page(context, {kind, id, json = jsonOf(kind, id), title, about, row, trail, body, value, unit}) {
  const {root} = context;
  const own = context.address ? `${context.address.replace(/\/$/, "")}/${kind}/${id}` : null;
  const known = {"@context": "https://schema.org", "@type": "Observation", ...(value != null && {value, unitText: unit})};
  const place = trail ?? joined([submissionLink(context, row.submission_id, brief(context.submission(row).title)), deviceLink(context, context.configuration(row).device_id, context.device(row))], " › ");
  return bare(h`<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width"><title>${title} | ${SITE}</title><meta name=description content="${about}">${own && h`<link rel=canonical href="${own}">`}<link rel=preload as=font href="${root}fonts/inter.woff2" crossorigin><link rel=preload as=font href="${root}fonts/jp-400.woff2" crossorigin><link rel=stylesheet href="${root}style.css${context.style ?? ""}"><script src="${root}chosen.js"></script><script type=application/ld+json>${markup(inScript(known))}</script><body class=number-page><header><a href="${root}">${SITE}</a><p><a href="${root}" hreflang=en>EN</a> <a href="${root}ja/" hreflang=ja lang=ja>日本語</a></p><nav aria-label="${en("nav.numbers")}">${place}</nav></header><main>${body}</main><footer><a rel=alternate href="${json}">${jsonLabel(json)}</a>`.text);
}

export const chips = (list) => markup(`<ul class=chips>${list.filter(Boolean).map((chip) => `<li>${chip}`).join("")}</ul>`);
export const knownShare = (context, row) => {
  const {known_field_count: n, required_field_count: all} = context.configuration(row);
  return all ? say("number.known_share", {share: percent(n / all)}) : null;
};

// Open in SQL: the number in the address of the console, which knows its query, with the release that it is about.
export const sqlAddress = (context, kind, id, metric) => `${context.root}sql${numberHash(kind, id, context.release.slice(0, 12), metric)}`;

export const buttons = (context, {kind, id, metric, raw, compare}) => h`<p class=buttons><a class=main href=#cite>${say("number.cite")}</a> ${raw && h`<a href="${raw}">${say(isPacked(raw) ? "number.raw_packed" : "number.raw")}</a> `}<a href="${sqlAddress(context, kind, id, metric)}">${say("number.sql")}</a>${compare && h` <a href="${context.root}compare?a=${encodeURIComponent(compare)}">${say("number.compare")}</a>`}</p>`;

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
  const key = `${row.submission_id}/${row.configuration_id}/${context.root}`;
  if (!context.benches.has(key)) context.benches.set(key, benchRows(context, row));
  return card("number.bench", terms([...context.benches.get(key), [say("cond.measured"), measured ?? unknown(word("number.not_stated"))], processor && [say("cond.processor_busy"), processor], kernel && [say("number.kernel"), kernel]]));
}

function benchRows(context, row) {
  const configuration = context.configuration(row);
  const missing = [];
  const rows = BENCH.map(([key, fields]) => {
    missing.push(...fields.filter((field) => nothing(configuration[field])).map((field) => en(`field.${field}`)));
    const told = fields.filter((field) => !nothing(configuration[field])).map((field) => named(field, configuration));
    // the name of the device stands above
    const all = key === "cond.device" && told.length ? [h`${context.device(row)}`, ...told] : told;
    return all.length ? [say(key), joined(all, ", ")] : null;
  });
  return [...rows, missing.length && [say("number.unknown"), unknown(missing.join(", "))]];
}
const LABELLED = ["drive_firmware", "io_scheduler", "storage_topology", "memory_bytes", "bios_version", "steady_state", "file_written"];
const named = (field, configuration) => h`${LABELLED.includes(field) && `${en(`field.${field}`)} `}${shown[field]?.(configuration[field]) ?? configuration[field]}`;

// When a run took place, as far as it is told.
export function when(row) {
  const stamp = (text) => String(text).replace(/\.\d+$/, "").replace("T", " ");
  if (row.started_at) return h`${stamp(row.started_at)}`;
  if (row.ended_at) return word("number.ended", {at: stamp(row.ended_at)});
  if (row.started_at_local ?? row.ended_at_local) return h`${stamp(row.started_at_local ?? row.ended_at_local)} <em>${word("number.no_zone")}</em>`;
  return row.tested_on && !nothing(row.tested_on) ? h`${row.tested_on}` : null;
}

// Checks: those that exclude the number or qualify it first, the others in one line.
export function checks(list) {
  if (!list?.length) return null;
  const all = [...new Map(list.map((check) => [`${check.name} ${check.verdict}`, check])).values()].sort((a, b) => (b.effect ?? "").localeCompare(a.effect ?? "") || a.verdict.localeCompare(b.verdict));
  const effects = all.filter((check) => check.effect && check.effect !== "none");
  const passed = all.filter((check) => !effects.includes(check));
  return card("number.checks",
    effects.length ? markup(`<ul>${effects.map((check) => h`<li>${verdictText(check.verdict, en)}${check.why && h`: ${reason(check.why)}`}`.text).join("")}</ul>`) : null,
    passed.length ? h`<p>${joined(passed.map((check) => h`${check.verdict}${check.value != null && ["ratio", "seconds"].includes(check.unit) && h` (${Number(check.value.toPrecision(3))}${check.unit === "seconds" ? " s" : ""})`}`), " · ")}</p>` : null);
}
// A reason without where it is known from, which the page of the submission says.
const reason = (why) => why.split("; known from")[0];
export const both = (words) => { const [first, second] = [words(en), words(ja)]; return first === second ? h`${first}` : h`${first}<i lang=ja>${second}</i>`; };

// What rests on a number: a list of links, or a sentence that nothing does.
export const rests = (list) => {
  const found = list.filter(Boolean);
  return card("number.rests", found.length ? markup(`<ul>${found.map((each) => `<li>${each}`).join("")}</ul>`) : h`<p>${say("number.nothing_rests")}</p>`);
};

// The query of the page, pinned to the release, and how the number is cited; `also` is another query for the same number.
export function citing(context, {kind, id, title, brief = title, query, also, row}) {
  const submission = context.submission(row);
  const own = context.address ? `${context.address.replace(/\/$/, "")}/${kind}/${id}` : `${kind}/${id}`;
  const source = [submission.citation_publisher, submission.citation_title].filter((part) => !nothing(part)).join(", ") || submission.title;
  const release = context.release.slice(0, 12);
  const year = String(submission.submitted_on ?? "").slice(0, 4);
  const author = nothing(submission.citation_publisher) ? submission.title : submission.citation_publisher;
  const bib = `@misc{${SITE}-${kind}-${id.replaceAll("/", "-")},title={${bibtex(brief)}},author={{${bibtex(author)}}},year={${year}},note={${SITE} ${release}},url={${own}}}`;
  return h`<section id=cite><h2>${say("number.citation")}</h2><pre>${title}. ${source}. ${SITE}, release ${release}. ${own}</pre><pre>${bib}</pre><h2>SQL</h2><pre>${query}\n-- release ${release}${also && `\n${also}`}</pre></section>`;
}
const BIBTEX = {"\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "%": "\\%", "&": "\\&", "_": "\\_", "#": "\\#", "$": "\\$", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"};
export const bibtex = (text) => String(text).replaceAll(/[\\{}%&_#$~^]/g, (sign) => BIBTEX[sign]).replaceAll(/\s+/g, " ");

// Where an excerpt comes from: path, line and commit at its origin.
export function origin(context, row) {
  const submission = context.submission(row);
  const address = originAddress(submission.origin_repository, submission.origin_commit, row.origin_path, {line: row.origin_line});
  const name = row.origin_path.split("/").slice(-2).join("/");
  return [
    [say("number.origin"), h`${outside(address, h`${address ? name : row.origin_path}${row.origin_line != null && h`, ${word("number.at_line", {n: row.origin_line})}`}`)}, <em>${word("number.not_verified")}</em>`],
    row.origin_sha256 && [say("number.origin_hash"), h`${row.origin_sha256}`]
  ];
}

// Lines of a file with one of them marked; `from` is the number of the first.
export const quoted = (rows, marked) => markup(`<pre>${rows.map((text, i) => i === marked ? `<mark>${escaped(text)}</mark>` : escaped(text) + (i < rows.length - 1 ? "\n" : "")).join("")}</pre>`);
// The hash is that of the file as it was handed in, also where it is served packed.
export const hashed = (raw, hash) => hash && [say("number.hash"), h`${shownHash(hash)}${raw && isPacked(raw) && h`, ${word("number.unpacked")}`}`];
export const placeRow = (path, pointer, n, total) => [say("number.file"), h`${path}, ${/^line /.test(pointer ?? "") ? null : h`<code>${pointer}</code>, `}${n != null && total != null ? word("number.line", {n, total}) : h`${pointer}`}`];
