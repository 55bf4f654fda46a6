/*---
words: submission
nav: none
queries: [coverage]
keywords: submission source raw files configurations
---*/
import {html} from "htl";
import {claimsColumns} from "../../components/charts/claims.js";
import {coverage, coverageAnswer} from "../../components/charts/coverage.js";
import {condition} from "../../components/conditions.js";
import {figure} from "../../components/figure.js";
import {capacity, iops, percent, throughput} from "../../components/format.js";
import {loadText} from "../../components/loads.js";
import {ENDING} from "../../components/packed.js";
import {choosePart, numbersTable} from "../../components/points.js";
import {address, codeWords, configurationLink, configurationName, facts, place, textOrUnknown, title, topologyOf} from "../../components/records.js";
import {cells, table} from "../../components/table.js";

export default async function page(context) {
  const {content, rows, t, state, link, number, part, id, fragment} = context;
  const found = await content();
  const asked = fragment();
  const {submission, configurations = [], drives = [], contradictions = [], files = [], replies = [], used = [], loads = [], results = []} = found;
  const titles = new Map(configurations.map((row) => [row.configuration_id, row.title]));
  const chosen = choosePart(loads, {t, state, nameOf: (key) => titles.get(key) ?? key});
  const [points] = loads.length ? await part(`submissions/${id}`, chosen.name, ["sweeps"]) : [[]];
  const known = (await rows("coverage")).filter((row) => row.submission_id === id);
  return html`<div>
    <p class="eyebrow"><a href=${link("submissions/")}>${t("nav.submissions")}</a></p>
    <h1>${submission.title}</h1>
    ${submission.summary ? html`<p class="lede">${submission.summary}</p>` : null}
    ${submission.status === "active" ? null : html`<p class="note"><strong>${t("submission.state", {state: codeWords("status", submission.status, t)})}</strong> ${submission.status_reason ?? ""} ${submission.superseded_by ? html`<a href=${link(`submissions/${submission.superseded_by}`)}>${t("submission.newer")}</a>` : null}</p>`}
    ${replies.map((reply) => html`<p class="note"><strong>${reply.replied_by}</strong>, ${reply.replied_on}: <q>${reply.reply}</q> <a href=${link(`submissions/${reply.reply_submission_id}`)}>${reply.reply_submission_id}</a></p>`)}
    ${origin(submission, t)}
    ${known.length ? figure({
      id: "coverage", question: t("submission.coverage"), answer: coverageAnswer(known, {t}), note: t("coverage.note"), query: "coverage", t, state, link,
      draw: (width) => coverage(known, {width, t, link})
    }) : null}
    ${contents(found, t)}
    ${loads.length ? html`<section class="card" id="runs"><h2>${t("submission.runs")}</h2>
      ${chosen.controls()}
      ${numbersTable(points, {t, state, link, number, id: "runs-table", titleOf: ({configuration_id: each}) => titles.get(each), machine: `${context.base}/parts/submissions/${id}/${chosen.name}.json`})}</section>` : null}
    ${usedIn({used, submission, t, link})}
    ${contradictions.length ? html`<section class="card" id="contradictions"><h2>${t("submission.contradictions")}</h2>${contradictionTable(contradictions, {t, state})}</section>` : null}
    <section id="configurations"><h2>${t("submission.configurations")}</h2>${foldMany(configurations.map((row) => configuration(row, drives.filter((drive) => drive.configuration_id === row.configuration_id), {t, link, open: configurations.length < 3 || row.configuration_id === asked})), titles.has(asked), t)}</section>
    ${later(context, {submission, found, results, files, titles})}
    <section class="card" id="files"><h2>${t("submission.files")}</h2>${fileTable(files, {t, state, link, submission})}</section>
  </div>`;
}

const unlessUnknown = (text) => text === "unknown" ? null : text;

const origin = (row, t) => html`<div class="card" id="origin">${facts([
  [t("submissions.source"), codeWords("source_type", row.source_type, t), row.affiliation ? t("submission.affiliation", {affiliation: codeWords("affiliation", row.affiliation, t)}) : null],
  row.citation_publisher ? [t("submission.publication"), html`<span lang=${unlessUnknown(row.citation_language) ?? "en"}>${textOrUnknown(row.citation_title, t)}</span>`, [unlessUnknown(row.citation_publisher), unlessUnknown(row.citation_version), unlessUnknown(row.citation_date)].filter(Boolean).join(", ")] : null,
  row.citation_url ? [t("submission.address"), html`<span>${address(unlessUnknown(row.citation_url)) ?? textOrUnknown(null, t)}</span>`] : null,
  row.citation_note ? [t("submission.editions"), row.citation_note] : null,
  row.origin_repository ? [t("submission.origin"), html`<span>${address(row.origin_repository)}</span>`, [row.origin_commit ? t("submission.commit", {commit: row.origin_commit}) : null, row.origin_path].filter(Boolean).join(", ")] : null,
  row.origin_measured_by ? [t("submission.measured_by"), row.origin_measured_by] : null,
  row.origin_licence ? [t("submission.origin_licence"), row.origin_licence, [row.origin_copyright, row.origin_licence_evidence].filter(Boolean).join("; ")] : null,
  row.origin_excluded ? [t("submission.excluded"), row.origin_excluded] : null,
  row.origin_citation ? [t("submission.cite"), row.origin_citation] : null,
  [t("submission.measured"), row.tested_on], [t("submission.submitted"), t("submission.submitted_by", {date: String(row.submitted_on), name: row.submitted_by})],
  [t("submission.licence"), row.licence], [t("condition.tool"), row.tools?.join("; ")],
  [t("submissions.known"), percent(row.completeness_ratio), t("submission.known_note")]
], t)}</div>`;

function contents({submission, finding_count: findings = 0, files = []}, t) {
  const entries = [["results", submission.result_count], ["figures", submission.figure_count], ["claims", submission.claim_count], ["contradictions", submission.contradiction_count], ["configurations", submission.configuration_count], ["findings", findings], ["files", files.length]];
  return html`<p class="contents">${entries.filter(([, n]) => n).map(([name, n]) => html`<a class="chip" href=${`#${name}`}>${t(`submission.count.${name}`, {count: n})}</a>`)}</p>`;
}

function usedIn({used, submission, t, link}) {
  const own = used.find((row) => row.other_id === submission.submission_id);
  const others = used.filter((row) => row !== own);
  return html`<section class="card" id="used"><h2>${t("submission.used")}</h2>
    ${used.length ? html`<ul>
      ${own ? html`<li>${t("submission.used_own", {count: own.quotient_count, pairs: own.pair_count})}</li>` : null}
      ${others.map((row) => html`<li>${t("submission.used_with", {count: row.quotient_count, pairs: row.pair_count})} <a href=${link(`submissions/${row.other_id}`)}>${row.other_title}</a></li>`)}
    </ul>` : html`<p>${t(submission.result_count ? "submission.used_none" : "submission.used_no_results")}</p>`}
  </section>`;
}

const contradictionTable = (rows, {t, state}) => table(rows, [
  {id: "topic", label: t("submission.topic"), value: (row) => html`${row.topic}<small>${[row.severity, row.kind?.replaceAll("_", " "), row.locator].filter(Boolean).join("; ")}</small>`, sort: (row) => row.topic, head: true},
  {id: "says", label: t("submission.says"), value: (row) => row.statement}, {id: "against", label: t("submission.against"), value: (row) => html`${row.conflict}${row.arithmetic ? html`<small>${row.arithmetic}</small>` : null}`},
  {id: "here", label: t("submission.here"), value: (row) => row.treatment}
], {caption: t("submission.contradictions_caption"), t, state, id: "contradictions-table", isShort: true});

// More configurations than these lie behind their number, unless the address asks for one of them.
const MANY = 12;
const foldMany = (folds, isAsked, t) => folds.length <= MANY ? folds : html`<details class="data" open=${isAsked}><summary>${t("submission.count.configurations", {count: folds.length})}</summary>${folds}</details>`;

function configuration(row, drives, {t, link, open}) {
  return html`<details class="card fold" id=${row.configuration_id} open=${open}>
    <summary><strong>${row.title}</strong>${row.conditions ? html`<span class="muted">${row.conditions}</span>` : null}</summary>
    ${facts([
      [t("submission.drives"), drives.length ? html`<span>${drives.map((drive, i) => html`${i ? ", " : ""}${drive.drive_count} × <a href=${link(`devices/${drive.device_id}`)}>${[drive.vendor, drive.model].filter((each) => each && each !== "unknown").join(" ") || drive.device_id}</a>${drive.role === "data" ? "" : ` (${drive.role})`}`)}</span>` : null, row.drive_firmware ? `${t("condition.firmware")} ${row.drive_firmware}` : null],
      [t("condition.storage_topology"), topologyOf(row, t), row.raid_implementation],
      [t("condition.system_model"), [row.system_vendor, row.system_model].filter((each) => each && each !== "unknown").join(" ") || null, row.bios_version ? `BIOS ${row.bios_version}` : null],
      [t("condition.cpu_model"), row.cpu_model],
      [t("condition.operating_system"), [row.operating_system, row.kernel].filter(Boolean).join(", ") || null],
      [t("condition.filesystem"), row.filesystem],
      [t("condition.tool"), row.tool_version?.startsWith(row.tool) ? row.tool_version : [row.tool, row.tool_version].filter(Boolean).join(" ") || null],
      [t("condition.measurement_area"), row.measurement_area],
      [t("condition.preconditioning"), row.preconditioning],
      [t("submissions.known"), percent(row.completeness_ratio)]
    ], t)}
  </details>`;
}

function later(context, {submission, found, results, files, titles}) {
  const {t, state, link, number, later: load} = context;
  const served = new Map(files.map((file) => [file.path, file.served_as]));
  const box = (name, title, words, draw) => html`<section class="card"><h2>${title}</h2>${state.details({name, summary: words, body: () => loaded(draw)})}</section>`;
  const loaded = (draw) => {
    const place = html`<div></div>`;
    draw().then((node) => place.replaceChildren(node));
    return place;
  };
  const where = (row) => row.source_path ? html`<a href=${place(link, served.get(row.source_path) ?? row.source_path, row.source_pointer)}>${row.source_path}</a><small>${row.source_pointer ?? ""}</small>` : row.source_pointer ?? null;
  return [
    submission.result_count ? box("results", t("submission.results"), t("submission.count.results", {count: submission.result_count}), async () => {
      const all = (await Promise.all(results.map(({name}) => load(name)))).flatMap((file) => file.results);
      return resultTable(all, {t, state, link, number, where, titles, submission});
    }) : null,
    submission.figure_count ? box("figures", t("submission.figures"), t("submission.count.figures", {count: submission.figure_count}), async () => figureTable((await load("figures")).figures, {t, state, link, served})) : null,
    submission.claim_count ? box("claims", t("nav.claims"), t("submission.count.claims", {count: submission.claim_count}), async () => claimTable((await load("claims")).claims.map((row) => ({...row, submission_id: submission.submission_id})), {t, state, number})) : null,
    found.finding_count ? box("findings", t("submission.findings"), t("submission.count.findings", {count: found.finding_count}), async () => findingTable((await load("findings")).findings, {t, state, where})) : null,
    box("facts", t("submission.facts"), t("submission.facts_open"), async () => {
      const {provenance = [], settings = []} = await load("facts");
      return factTable([...provenance, ...settings.map(({scope, ...row}) => ({...row, subject: scope}))], {t, state, titles});
    })
  ];
}

function resultTable(rows, {t, state, link, number, where, titles, submission}) {
  const {num, ...c} = cells({t, link, number});
  return table(rows, [
    c.load({value: (row) => html`${loadText(row.load_profile, t)}<small>${configurationLink({...submission, ...row}, titles.get(row.configuration_id), link)}</small>`, head: true}), {id: "part", label: t("submission.operation"), value: (row) => row.operation},
    c.depth(), num("run", t("submission.run"), "repetition_index"), num("iops", t("axis.iops"), "operations_per_second", iops, {value: (row) => html`<a href=${number("r", row.result_id)}>${row.operations_per_second != null ? iops(row.operations_per_second) : t("mark.open_number")}</a>`}),
    num("throughput", t("axis.throughput_10"), "throughput_bytes_per_second", throughput), c.latency("latency_seconds"), {id: "place", label: t("number.place"), value: where}
  ], {t, state, id: "results-table"});
}

const figureTable = (rows, {t, state, link, served}) => table(rows, [
  {id: "quantity", label: t("submission.quantity"), value: (row) => html`${row.quantity?.replaceAll("_", " ")}<small>${[row.device, row.load_profile, row.queue_depth ? t("compare.basis.depth", {n: String(row.queue_depth)}) : null].filter(Boolean).join(", ")}</small>`, sort: (row) => row.quantity, head: true},
  {id: "printed", label: t("submission.printed"), value: (row) => html`<span lang="mul">${row.printed_text}</span><small>${[row.printed_text?.includes(row.printed_unit) ? null : row.printed_unit, row.qualifier].filter(Boolean).join("; ")}</small>`},
  {id: "kind", label: t("column.kind"), value: (row) => row.record_kind?.replaceAll("_", " "), sort: (row) => row.record_kind}, {id: "section", label: t("column.section"), value: (row) => html`${row.section}<small>${row.line ?? ""}</small>`, sort: (row) => row.section},
  {id: "place", label: t("number.place"), value: (row) => html`<a href=${place(link, served.get("figures.csv") ?? "figures.csv", row.source_pointer)}>${row.source_pointer}</a>`}
], {t, state, id: "figures-table"});

const claimTable = (rows, page) => table(rows, claimsColumns(page).filter(({id}) => !["difference", "reply"].includes(id)), {...page, id: "claims-table"});

const findingTable = (rows, {t, state, where}) => table(rows, [
  {id: "finding", label: t("submission.finding"), value: (row) => html`${row.message}<small>${[row.load_profile ? loadText(row.load_profile, t) : null, row.rule_id].filter(Boolean).join(", ")}</small>`, sort: (row) => row.rule_id, head: true},
  {id: "place", label: t("number.place"), value: where}, cells({t}).num("results", t("devices.results"), "result_count")
], {caption: t("submission.findings_caption"), t, state, id: "findings-table"});

const factTable = (rows, {t, state, titles}) => table(rows, [
  {id: "field", label: t("compare.column.condition"), value: (row) => html`${row.name ?? title(condition(row.field, t))}<small title=${row.configuration_id}>${[row.configuration_id ? configurationName(row, titles.get(row.configuration_id)) : null, row.subject, row.component].filter(Boolean).join(", ")}</small>`, sort: (row) => row.name ?? row.field, head: true},
  {id: "value", label: t("submission.value"), value: (row) => html`${row.how_known === "unknown" ? textOrUnknown(null, t) : `${row.value}${row.unit ? ` ${row.unit}` : ""}`}${row.note ? html`<small>${row.note}</small>` : null}`},
  {id: "how", label: t("submission.how_known"), value: (row) => html`${codeWords("known", row.how_known, t)}${row.known_from ? html`<small>${row.known_from}</small>` : null}`, sort: (row) => row.how_known}, {id: "place", label: t("number.place"), value: (row) => row.locator}
], {t, state, id: "facts-table"});

function fileTable(rows, {t, state, link, submission}) {
  const {text, num} = cells({t});
  return table(rows, [
    text("file", t("number.file"), "path", {value: (row) => html`<a href=${place(link, row.served_as)}>${row.path}</a>${row.reason ? html`<small>${row.reason}</small>` : null}`, head: true}),
    text("kind", t("column.kind"), "role", {value: (row) => html`${codeWords("file_role", row.role, t)}<small>${[row.format, row.status === "read" ? null : row.status].filter(Boolean).join(", ")}</small>`}),
    num("results", t("devices.results"), "result_count"), num("size", t("submission.size"), "size_bytes", capacity),
    {id: "hash", label: t("number.hash"), className: "minor", value: (row) => html`<code class="hash">${row.source_sha256}</code>${row.served_as.endsWith(ENDING) ? html`<small>${t("submission.packed")}</small>` : null}`}
  ], {caption: submission.source_type === "excerpt" ? t("submission.files_excerpt") : null, t, state, id: "files-table", isShort: true});
}
