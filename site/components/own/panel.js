import {csvFormat} from "d3-dsv";
import {html, svg} from "htl";
import {logScale, round, rowChart} from "../charts/draw.js";
import {figure} from "../figure.js";
import {count, iops, latency, tick} from "../format.js";
import {loadText} from "../loads.js";
import {drawSymbol, linkMark, medium, mediumName, reasons, status, withBound} from "../marks.js";
import {cells, table} from "../table.js";
import {cases, nearest, ownAnswer, ratio} from "./compare.js";
import {chosenFiles, droppedFiles, give} from "./files.js";
import {submissionForm} from "./form.js";
import {reader} from "./reader.js";

// `bytes` is what the reader weighs; `load`, `rows`, `base`: see own/reader.js. Without `isLive` nothing is done but drawing.
export function ownPanel({t, state, link, number, load, rows, base, bytes, isLive}) {
  const field = (folder) => html`<input type="file" multiple hidden webkitdirectory=${folder} id=${folder ? "own-folder" : "own-files"} aria-label=${t(folder ? "own.choose_folder" : "own.choose")}>`;
  const [files, folders] = [field(false), field(true)];
  const button = (key, id, act, plain = true) => html`<button type="button" class=${plain ? "plain action" : "action"} id=${id} onclick=${act}>${t(key)}</button>`;
  const [choose, folder, example] = [button("own.choose", "own-choose", () => files.click(), false), button("own.choose_folder", "own-choose-folder", () => folders.click()), button("own.example", "own-example", () => run(() => its.example(onStep)))];
  const status = html`<p class="small muted" role="status" id="own-status">${t("own.idle", {megabytes: (bytes / 1e6).toFixed(1)})}</p>`;
  const output = html`<div id="own-output"></div>`;
  const area = html`<div class="drop"><p><strong>${t("own.drop")}</strong></p><p class="small muted">${t("own.formats")}</p>
    <div class="actions">${choose}${folder}${example}</div>${files}${folders}</div>`;
  const root = html`<div class="own"><p class="note unscripted">${t.rich("own.unscripted")}</p>
    <section class="card scripted" aria-label=${t("own.choose")}>${area}${status}
      <details class="data" id="own-check"><summary>${t("own.check")}</summary><p>${t("own.check_text")}</p></details></section>
    ${output}</div>`;
  if (!isLive) return root;

  const its = reader({load, rows, base});
  let requests = [];
  new PerformanceObserver((list) => {
    requests.push(...list.getEntries().map(({name}) => name));
    output.querySelector("#own-requests")?.replaceChildren(...said());
  }).observe({type: "resource"});
  const said = () => [html`<strong>${requests.length}</strong>`, requests.length ? ` (${requests.join(", ")})` : ""];

  // Reads what `from` gives, and draws it. What is dropped meanwhile is left: one thing after the other.
  async function run(from) {
    if (choose.disabled) return;
    for (const each of [choose, folder, example]) each.disabled = true;
    try {
      const picked = await from();
      if (!picked.files.length) return void status.replaceChildren(t("own.no_files"));
      const result = await its.read(picked, onStep);
      requests = [];
      status.replaceChildren(t("own.done"));
      output.replaceChildren(...drawnResult(result));
      output.scrollIntoView({behavior: "instant"});
    } catch (error) {
      status.replaceChildren(t("own.failed", {what: error.message}));
    } finally {
      for (const each of [choose, folder, example]) each.disabled = false;
    }
  }

  const onStep = ({moved, reading, of}) => status.replaceChildren(moved == null ? t("own.reading", {n: reading, of}) : t("own.loading", {moved: (moved / 1e6).toFixed(1), of: (of / 1e6).toFixed(1)}));

  for (const input of [files, folders]) input.onchange = () => { const picked = chosenFiles(input.files); input.value = ""; run(() => picked); };
  // What misses the area must not leave the page: the browser would open the file in its place.
  for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
  area.ondragover = () => area.classList.add("over");
  area.ondragleave = () => area.classList.remove("over");
  area.ondrop = ({dataTransfer}) => { area.classList.remove("over"); const picked = droppedFiles(dataTransfer); run(() => picked); };
  return root;

  function drawnResult(result) {
    const found = cases(result, its.published());
    const comparison = found.length ? [compared(found)] : result.rows.length ? [html`<p class="note">${t("own.nothing")}</p>`] : [];
    return [...comparison, read(result), submissionForm(result, {t, checking: its.checking(), pack: its.pack})].filter(Boolean);
  }

  function read(result) {
    const by = Map.groupBy(result.findings, ({file}) => file);
    return html`<section class="card" id="own-read"><h2>${t("own.files")}</h2>
      ${table(result.files, columns(by), {caption: t("own.read", {files: result.files.length, rows: result.rows.length, findings: result.findings.length}), t})}
      <p class="small muted">${t.rich("own.requests", {requests: html`<span id="own-requests">${said()}</span>`})}</p>
      <div class="actions">${result.rows.length ? [button("own.save.csv", "own-csv", () => give("ioledger-rows.csv", csvFormat(result.rows), "text/csv")), button("own.save.jsonl", "own-jsonl", () => give("ioledger-rows.jsonl", result.lines, "application/x-ndjson"))] : null}</div></section>`;
  }

  function columns(findings) {
    const rule = (each) => html`<a href=${link("rules", {hash: each.rule})}>${each.rule}</a>`;
    return [{id: "file", label: t("number.file"), head: true, value: ({name}) => html`<code>${name}</code>`},
      {id: "rows", label: t("data.column.rows"), num: true, value: (file) => count(file.result_count)},
      {id: "state", label: t("own.column.state"), value: (file) => html`<span class=${file.status === "refused" ? "error" : null}>${t(`own.state.${file.status}`)}</span>${file.reason && file.status === "ignored" ? html`<small lang="en">${file.reason}</small>` : null}
        ${file.is_setup ? html`<small>${t.rich("own.state.setup")}</small>` : null}
        ${file.problems.map((each) => html`<small lang="en">${each.place ? `${each.place}: ` : ""}${each.text} ${rule(each)}</small>`)}
        ${(findings.get(file.name) ?? []).slice(0, 3).map((each) => html`<small lang="en">${each.text} ${rule(each)}</small>`)}
        ${(findings.get(file.name)?.length ?? 0) > 3 ? html`<small>${t("own.more_findings", {count: findings.get(file.name).length - 3})}</small>` : null}`}];
  }

  function compared(found) {
    const place = html`<div></div>`;
    const words = ({load_profile, queue_depth}) => t("own.case", {load: loadText(load_profile, t), depth: queue_depth});
    const choice = html`<select id="own-case">${found.map((each, i) => html`<option value=${i}>${`${words(each)} (${each.drives.length})`}</option>`)}</select>`;
    const draw = () => {
      const it = found[Number(choice.value)];
      const near = it.drives.length ? [] : nearest(it, its.published());
      place.replaceChildren(figure({
        id: "own", question: t("own.question", {depth: it.queue_depth}), answer: ownAnswer(it, {t}), load: words(it),
        controls: near.length ? html`<p class="small">${t("own.nearest", {list: near.map((each) => loadText(each.load_profile, t)).join(t("list.comma"))})}</p>` : null,
        draw: (width) => ownLadder(it, {width, t, number, link}),
        rows: [...it.own, ...it.drives], columns: comparedColumns(it), note: t("own.note"), t, state, link, source: null
      }));
    };
    choice.onchange = draw;
    draw();
    return html`<section>${found.length > 1 ? html`<div class="controls"><label class="control">${t("own.workload", {count: found.length})}${choice}</label></div>` : null}${place}</section>`;
  }

  function comparedColumns({own: [best]}) {
    const {num, ...c} = cells({t, link, number});
    const published = (words) => (row) => row.device_id ? words(row) : null;
    return [
      c.device({id: "drive", label: t("ladder.column.device"), sort: null, name: (row) => row.device_id ? row.device : html`<code>${row.source_path}</code><small lang="en">${row.test_name ?? ""}</small>`}),
      {id: "medium", label: t("column.medium"), value: (row) => row.device_id ? mediumName(row.media_class, t) : t("own.yours")}, c.iops("operations_per_second", {at: ["p", "point_id"]}), c.latency(),
      {id: "ratio", label: t("own.ratio"), num: true, value: published((row) => ratio(best.operations_per_second, row))}, {id: "kind", label: t("table.kind"), value: published((row) => reasons(row, t))}, {...c.submission(), value: published(c.submission().value)}
    ];
  }
}

// More own results than these are not drawn: the table has them.
const MOST = 12;

function ownLadder({own, drives}, {width, t, number, link}) {
  const rows = [...own.slice(0, MOST).map((row) => ({...row, isOwn: true})), ...drives].sort((a, b) => b.operations_per_second - a.operations_per_second);
  return rowChart({
    width, label: t("own.chart"), columns: [{label: "IOPS", isStrong: true}, {label: t("axis.latency_mean")}, {label: t("own.ratio")}],
    axes: [{scale: (range) => logScale(rows.map((row) => row.operations_per_second), range, {below: 1.35}), words: tick, title: t("axis.iops")}],
    groups: [{rows: rows.map((row) => {
      const its = status(row);
      const value = withBound(iops(row.operations_per_second), its);
      const mean = row.latency_mean_seconds == null ? null : latency(row.latency_mean_seconds);
      const times = row.isOwn ? null : ratio(own[0].operations_per_second, row);
      const name = row.isOwn ? t("own.row", {name: row.source_path.split("/").at(-1)}) : row.device;
      const lines = [name, row.isOwn ? row.test_name : mediumName(row.media_class, t), `${value} IOPS`, mean && `${t("axis.latency_mean")}${t("limit.colon")}${mean}`, ...row.isOwn ? [] : [reasons(row, t), t("mark.open_number")]];
      return {
        name, isOwn: row.isOwn, href: row.isOwn ? null : link(`devices/${row.device_id}`), texts: [value, mean ?? "–", times ?? "–"], short: [value, times].filter(Boolean).join(" · "),
        marks: (y, [x], at = x(row.operations_per_second)) => linkMark({href: row.isOwn ? null : number("p", row.point_id), lines, x: at, y}, row.isOwn
          ? svg`<path d="M0-6.5L6.5 0L0 6.5L-6.5 0Z" transform=${`translate(${round(at)},${y})`} fill="var(--accent)" />`
          : drawSymbol({...its, x: at, y, media_class: row.media_class, color: medium(row.media_class).color}))
      };
    })}]
  });
}
