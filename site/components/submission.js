import {resize} from "observablehq:stdlib";
import {html} from "npm:htl";
import {address, facts, howKnown, known, place, plain, unknown} from "./facts.js";
import {figure, legend, mediumLegend} from "./figure.js";
import {blockSize, count, iops, latency, percent, throughput} from "./format.js";
import {medium, profileLabel} from "./media.js";
import {numberCard} from "./number.js";
import {imported, originPlace} from "./imported.js";
import {byLoads, part} from "./parts.js";
import {topologies} from "./scaling.js";
import {sweep} from "./sweep.js";
import {table} from "./table.js";
import {verdict} from "./verdicts.js";

const sourceTypes = {raw_tool_output: "raw tool output", excerpt: "excerpt of raw files that lie elsewhere", vendor_paper: "paper of a vendor", press: "press", blog: "blog", datasheet: "data sheet"};

// The page of one submission: where it comes from, what was measured under which conditions, every result and file; first
// the number that the address names, if it names one.
export function submissionPage(page, loadResults, loadNumbers) {
  const {submission} = page;
  const served = new Map(page.files.map((d) => [d.path, d.served_as]));
  return html`<div>
    ${followed(loadNumbers, served, submission)}
    ${submission.status === "active" ? null : html`<p class="note flag"><strong>This submission is ${submission.status}.</strong> ${submission.status_reason ?? ""}</p>`}
    ${imported(submission)}
    ${page.replies.map((d) => html`<p class="note"><strong>${d.replied_by}</strong> replied on ${d.replied_on} (<a href=${`./${d.reply_submission_id}`}>${d.reply_submission_id}</a>): ${d.reply}</p>`)}
    <div class="card">${origin(submission)}${whole(loadResults)}</div>
    ${page.loads.length ? html`<h2>What was measured</h2>${byLoads(page.loads, (loads) => part(`submissions/${submission.submission_id}`, loads, ["sweeps"], ".."), ([sweeps]) => sweepFigure(sweeps))}` : null}
    ${page.contradictions.length ? html`<h2 id="contradictions">Contradictions</h2>${contradictions(page.contradictions)}` : null}
    <h2 id="configurations">Configurations</h2>
    ${page.configurations.map((configuration) => configurationCard(configuration, page, loadResults))}
    ${submission.result_count ? html`<h2 id="results">Results</h2>${lazy("Show the results", `${count(submission.result_count)} results. Each names its place in the raw file.`, async () => resultTable((await loadResults()).results, submission, served), "#r-")}` : null}
    ${submission.figure_count ? html`<h2 id="figures">Figures as printed</h2>${lazy("Show the figures", `${count(submission.figure_count)} numbers as the publication prints them, with their places. Those that measure storage became results.`, async () => figureTable((await loadResults()).figures, served))}` : null}
    ${submission.claim_count ? html`<h2 id="claims">Claims</h2>${lazy("Show the claims", `${count(submission.claim_count)} statements of the publication that can be checked against numbers.`, async () => claimTable((await loadResults()).claims))}` : null}
    ${page.finding_count ? html`<h2 id="findings">Findings</h2>${lazy("Show the findings", `${count(page.finding_count)} doubts about what is in the files.`, async () => table((await loadResults()).findings, [
      {label: "File", value: (d) => d.source_path, head: true}, {label: "Place", value: (d) => html`<a href=${place(served.get(d.source_path), d.source_pointer)}>${d.source_pointer ?? "file"}</a>`}, {label: "Finding", value: (d) => html`${d.message}<small>${d.load_profile ? `${profileLabel(d.load_profile)}, ` : ""}${d.rule_id}</small>`},
      {label: "Results", value: (d) => d.result_count, num: true}
    ], {caption: "What is doubtful in the files: one row per rule and series, with its worst case", tall: true, records: true}))}` : null}
    <h2 id="files">Files</h2>
    ${files(submission, page.files)}
  </div>`;
}

// The number that a symbol of a chart led to: its card, drawn when the address names one.
function followed(loadNumbers, served, submission) {
  const box = html`<div></div>`;
  const follow = async () => {
    const id = /^#n-(.+)$/.exec(location.hash)?.[1];
    const card = id ? [numberCard(id, await loadNumbers(), served, submission)] : [];
    if (id && location.hash !== `#n-${id}`) return;
    box.replaceChildren(...card);
    if (id) box.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  setTimeout(follow);
  return box;
}

const origin = (d) => facts([
  ["Source", sourceTypes[d.source_type] ?? d.source_type, `interest of the author: ${plain(d.interest).toLowerCase()}`],
  d.citation_publisher ? ["Publication", html`<span lang=${known(d.citation_language) ?? "en"}>${known(d.citation_title) ?? "no title printed"}</span><small>${[known(d.citation_publisher) ?? "publisher not stated", known(d.citation_version) ? `version ${d.citation_version}` : null, known(d.citation_date) ?? "no date printed", known(d.citation_language)].filter(Boolean).join(", ")}</small>`] : null,
  d.citation_publisher ? ["Address", d.citation_url ? address(known(d.citation_url)) : null] : null,
  d.citation_note ? ["Editions", d.citation_note] : null,
  ["Measured", known(d.tested_on)],
  ["Submitted", `${d.submitted_on} by ${d.submitted_by}`],
  ["Licence of the figures", known(d.licence)],
  ["Tools", d.tools],
  ["Devices", d.devices],
  ["Known conditions", completeness(d.completeness_ratio)]
]);

// What is drawn in a box when it is opened for the first time.
function opened(summary, draw) {
  const box = html`<details class="data"><summary>${summary}</summary></details>`;
  box.addEventListener("toggle", async () => box.append(...(await draw()).filter(Boolean)), {once: true});
  return box;
}

// Facts that belong to the publication as a whole and not to one configuration.
const whole = (loadResults) => opened("Facts that belong to no single configuration", async () => {
  const rows = (await loadResults()).provenance.filter((d) => d.configuration_id == null);
  return [rows.length ? provenanceTable(rows) : html`<p>None is stated.</p>`];
});

const provenanceTable = (rows) => table(rows, [
  {label: "Field", value: (d) => html`${plain(d.field)}<small>${[d.subject, d.component].filter(Boolean).join(", ")}</small>`, head: true},
  {label: "Value", value: (d) => d.how_known === "unknown" ? unknown(d.note) : html`${d.value}${d.unit ? ` ${d.unit}` : ""}${d.note ? html`<small>${d.note}</small>` : null}`},
  {label: "How known", value: (d) => html`${howKnown(d.how_known)}${d.known_from ? html`<small>${d.known_from}</small>` : null}`}, {label: "Place", value: (d) => d.locator}
], {caption: "Provenance as the submission states it", tall: true, records: true});

const completeness = (ratio) => ratio == null ? null : html`<span class="bar" aria-hidden="true"><i style=${`width: ${(ratio * 100).toFixed(1)}%`}></i></span>${percent(ratio)} <small>of the fields a manifest must state carry a value; the others say “unknown”</small>`;

function sweepFigure(sweeps) {
  const media = [...new Set(sweeps.map((d) => d.media_class))].map(medium);
  const rate = sweeps.some((d) => d.operations_per_second != null) ? "operations_per_second" : "throughput_bytes_per_second";
  return figure({
    title: "Rate by queue depth", base: "..",
    legend: html`${mediumLegend(media)}${legend([{label: "measured", symbol: "circle", color: "var(--ink-2)"}, {label: "printed as “about”", symbol: "circle", color: "var(--ink-2)", hollow: true}])}`,
    chart: resize((width) => sweep(sweeps, {width, quantity: rate})),
    note: "Geometric mean of the repetitions; the band reaches from the smallest to the largest. Drives in arrays stand for the whole array.",
    query: "queue-depth"
  });
}

const contradictions = (rows) => html`<div class="card">${table(rows, [
  {label: "About", value: (d) => html`<span class=${d.severity === "high" ? "flag" : ""}>${d.topic}</span><small>${d.severity}, ${plain(d.kind).toLowerCase()}; ${d.locator}</small>`, head: true},
  {label: "The source says", value: (d) => d.statement}, {label: "Against it stands", value: (d) => html`${d.conflict}${d.arithmetic ? html`<small>${d.arithmetic}</small>` : null}`},
  {label: "Here", value: (d) => d.treatment}
], {caption: "Where the source contradicts itself, another edition, or physics. All sides are kept.", tall: true, records: true})}</div>`;

const toolOf = ({tool, tool_version: version}) => version?.startsWith(tool) ? version : [tool, version].filter(Boolean).join(" ") || null;

function configurationCard(configuration, page, loadResults) {
  const own = (rows) => rows.filter((d) => d.configuration_id === configuration.configuration_id);
  const drives = own(page.drives);
  const card = html`<details class="card fold" id=${configuration.configuration_id} open=${page.configurations.length < 3}>
    <summary><h3>${configuration.title}</h3><p>${configuration.conditions ?? "no conditions stated"}</p></summary>
    ${facts([
      ["Drives", drives.length ? html`${drives.map((d, i) => html`${i ? ", " : ""}${d.drive_count} × <a href=${`../devices/${d.device_id}`}>${[d.vendor, d.model].filter(Boolean).join(" ") || d.device_id}</a>${d.role === "data" ? "" : ` (${d.role})`}`)}` : null, configuration.drive_firmware ? `firmware ${configuration.drive_firmware}` : null],
      ["Topology", topologies[configuration.storage_topology] ?? configuration.storage_topology, configuration.raid_implementation],
      ["System", [configuration.system_vendor, configuration.system_model].filter(Boolean).join(" ") || null, configuration.bios_version ? `BIOS ${configuration.bios_version}` : null],
      ["Processor", configuration.cpu_model],
      ["Software", [configuration.operating_system, toolOf(configuration)].filter(Boolean).join(", ") || null],
      ["Method", [configuration.measurement_area, configuration.preconditioning].filter(Boolean).join("; ") || null],
      ["Known conditions", completeness(configuration.completeness_ratio)]
    ])}
    ${opened("Every stated condition, with how it is known, and settings", async () => {
      const stated = await loadResults();
      const [provenance, settings] = [own(stated.provenance), own(stated.settings)];
      return [provenance.length ? provenanceTable(provenance) : null, settings.length ? settingsTable(settings) : null];
    })}
  </details>`;
  const reveal = () => { if (location.hash === `#${configuration.configuration_id}`) { card.open = true; card.scrollIntoView(); } };
  addEventListener("hashchange", reveal);
  setTimeout(reveal);
  return card;
}

const settingsTable = (rows) => table(rows, [
  {label: "Setting", value: (d) => d.name, head: true}, {label: "Value", value: (d) => d.value}, {label: "Of", value: (d) => d.scope}, {label: "How known", value: (d) => howKnown(d.how_known)}
], {caption: "BIOS, operating system, driver and controller settings", records: true});

// A table that is fetched when it is asked for, or when the address names one of its rows.
function lazy(label, words, draw, anchor) {
  const show = async () => {
    button.remove();
    box.append(await draw());
    reveal();
  };
  const reveal = () => {
    const row = document.getElementById(location.hash.slice(1));
    if (!row || !box.contains(row)) return;
    box.querySelector("tr.target")?.classList.remove("target");
    row.classList.add("target");
    box.scrollIntoView();
    row.closest(".table").scrollTo(0, row.offsetTop - 100);
  };
  const button = html`<button type="button" class="action plain" onclick=${show}>${label}</button>`;
  const box = html`<div class="card"><p>${words}</p>${button}</div>`;
  const follow = () => anchor && location.hash.startsWith(anchor) && (button.isConnected ? show() : reveal());
  addEventListener("hashchange", follow);
  setTimeout(follow);
  return box;
}

const figureTable = (rows, served) => table(rows, [
  {label: "Figure", value: (d) => html`${plain(d.quantity)}<small>${[d.device, d.load_profile, d.queue_depth ? `depth ${d.queue_depth}` : null].filter(Boolean).join(", ")}</small>`, head: true},
  {label: "As printed", value: (d) => html`<span lang="mul">${d.printed_text}</span><small>${[d.printed_text.includes(d.printed_unit) ? null : d.printed_unit, d.qualifier].filter(Boolean).join("; ")}</small>`},
  {label: "Kind", value: (d) => html`${d.record_kind.replaceAll("_", " ")}<small>${[kinds[d.value_kind], d.is_canonical ? null : "not canonical"].filter(Boolean).join("; ")}</small>`},
  {label: "In the publication", value: (d) => html`${d.section}<small>${[/^\d/.test(d.line) ? `line ${d.line}` : d.line, d.other_locator].filter(Boolean).join("; ")}</small>`},
  {label: "Notes", value: (d) => html`<small>${[d.wording_note, d.note].filter(Boolean).join(" ")}</small>`},
  {label: "Place", value: (d) => html`<a href=${place(served.get("figures.csv"), d.source_pointer)}>${d.source_pointer}</a>`}
], {caption: "Every number, as the publication prints it", tall: true, records: true});

const claimTable = (rows) => table(rows, [
  {label: "Statement", value: (d) => html`${d.statement}<small>${d.locator}</small>`, head: true},
  {label: "Claimed", value: (d) => html`${d.claimed_text ?? d.claimed_value ?? ""}<small>${d.qualifier ?? ""}</small>`},
  {label: "How it would follow", value: (d) => html`${d.formula ? plain(d.formula) : ""}<small>${[d.numerator, d.denominator].filter(Boolean).join(" and ")}</small>`},
  ...(rows.some((d) => d.verdict) ? [{label: "Verdict", value: (d) => html`${d.verdict ? verdict(d.verdict) : ""}<small>${d.verdict_reason ?? ""}</small>`}] : []),
  {label: "Note", value: (d) => d.note ?? ""}
], {caption: "Statements in this project’s words, with the figures they rest on", tall: true, records: true});

const kinds = {approximate: "about", lower_bound: "at least", upper_bound: "at most", range: "range", stated_spec: "specification"};
const resultTable = (rows, submission, served) => {
  const view = table(rows, [
    {label: "Load profile", value: (d) => html`${profileLabel(d.load_profile ?? d.test_name)}<small>${[d.operation, d.block_size_bytes ? blockSize(d.block_size_bytes) : null].filter(Boolean).join(", ")}</small>`, head: true},
    {label: "Configuration", value: (d) => html`<a href=${`#${d.configuration_id}`}>${d.configuration_id}</a><small>${d.section ?? ""}</small>`},
    {label: "Depth", value: (d) => d.queue_depth ?? (d.queue_depth_high ? `${d.queue_depth_low ?? 1}–${d.queue_depth_high}` : null), num: true},
    {label: "Run", value: (d) => d.repetition_index, num: true},
    {label: "IOPS", value: (d) => iops(d.operations_per_second), num: true},
    {label: "Throughput (base 2)", value: (d) => throughput(d.throughput_bytes_per_second), num: true},
    {label: "Latency", value: (d) => latency(d.latency_mean_seconds), num: true},
    {label: "As printed", value: (d) => html`${d.printed_text ?? ""}<small>${[kinds[d.value_kind], d.statistic === "point" ? null : d.statistic, d.qualifier, d.is_canonical === false ? "not canonical" : null].filter(Boolean).join("; ")}</small>`},
    {label: "Notes", value: (d) => html`<small>${d.badges ?? ""}</small>`},
    {label: "Place", value: (d) => html`<a href=${place(served.get(d.source_path), d.source_pointer)}>${d.source_path}<small>${d.source_pointer}</small></a>${originPlace(submission, d)}`}
  ], {caption: rows.length < submission.result_count ? `The first ${count(rows.length)} of ${count(submission.result_count)} results; the SQL console has all` : "Every result of this submission", tall: true, records: true});
  [...view.querySelectorAll("tbody tr")].forEach((row, i) => { row.id = `r-${rows[i].result_id}`; });
  return view;
};

function files(submission, submitted) {
  const manifest = {path: "manifest.yaml", role: "manifest", served_as: `raw/${submission.submission_id}/manifest.yaml`};
  return html`<div class="card">${table([...submitted, manifest], [
    {label: "File", value: (d) => html`<a href=${place(d.served_as)}>${d.path}</a><small><a href=${`../${d.served_as}`} download=${d.path.split("/").at(-1)}>download</a></small>`, head: true},
    {label: "What it is", value: (d) => html`${d.role}<small>${[d.tool, d.tool_version, d.format].filter(Boolean).join(", ")}</small>`},
    {label: "Bytes", value: (d) => count(d.size_bytes), num: true}, {label: "Results", value: (d) => count(d.result_count), num: true},
    {label: "SHA-256", value: (d) => html`<code class="hash">${d.source_sha256 ?? ""}</code>`}
  ], {caption: "Files as they were submitted, byte for byte", tall: true, records: true})}</div>`;
}
