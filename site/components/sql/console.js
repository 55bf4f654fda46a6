import {html} from "htl";
import {give} from "../own/files.js";
import {hashOf, packQuery, parts, unpackQuery} from "./address.js";
import {answerTable, csv} from "./answer.js";
import {engine} from "./engine.js";
import {numberOf} from "./numbers.js";

const ROWS = 14;
const TYPED_AFTER = 400;
const SHORT = 12;
const SHOW_TABLES = /^\s*show\s+tables\s*;?\s*$/i;

// `saved`: [{name, sql}]; `release`: of the build; `tables`: for completion; `url`: of the database. Without `isLive` it only draws.
export function sqlConsole({saved, release, tables, url, t, isLive}) {
  const title = (name) => t(`query.${name}`);
  const chooser = html`<select id="saved">${saved.map(({name}, i) => html`<option value=${name} selected=${i === 0}>${title(name)}</option>`)}<option value="" hidden>${t("sql.own")}</option></select>`;
  const field = html`<textarea id="query" rows=${ROWS} spellcheck="false" autocapitalize="off" wrap="off" aria-label=${t("sql.query")}>${saved[0].sql}</textarea>`;
  const run = html`<button type="button" class="action" id="run">${t("sql.run")}</button>`;
  const stop = html`<button type="button" class="plain action" id="cancel" disabled>${t("sql.cancel")}</button>`;
  const share = html`<button type="button" class="plain action" id="share">${t("sql.share")}</button>`;
  const files = ["csv", "arrow"].map((form) => html`<button type="button" class="plain action" id=${`save-${form}`} disabled>${t(`sql.save.${form}`)}</button>`);
  const status = html`<p class="small muted" role="status" id="status">${t("sql.idle")}</p>`;
  const pinned = html`<div class="note" id="pinned" hidden></div>`;
  const output = html`<div id="output"></div>`;
  const short = release.release_id.slice(0, SHORT);
  const root = html`<div class="sql">
    <div class="actions scripted"><label for="saved" class="small muted">${t("sql.saved")}</label>${chooser}</div>
    ${pinned}
    <div class="editor scripted">${field}</div>
    <div class="actions scripted">${run}${stop}${share}<span class="spread"></span>${files}</div>
    ${status}
    <p class="small muted" id="release">${t.rich("sql.release", {release: html`<code title=${release.release_id}>${short}</code>`, day: release.day})}</p>
    ${output}
  </div>`;
  if (!isLive) return {root, insert: () => {}};

  const database = engine(url);
  let view = null;
  let answer = null;
  let hasRun = false;
  let writing = 0;

  const savedAs = (text) => saved.find(({sql}) => sql === text.trim());

  async function address() {
    const own = savedAs(field.value);
    const r = hasRun || !own ? short : null;
    const search = own && own !== saved[0] ? `?query=${encodeURIComponent(own.name)}` : "";
    return `${location.pathname}${search}${hashOf({q: own ? null : await packQuery(field.value), r, run: hasRun})}`;
  }
  async function write(push = false) {
    const mine = ++writing;
    const to = await address();
    if (mine === writing && to !== `${location.pathname}${location.search}${location.hash}`) history[push ? "pushState" : "replaceState"](history.state, "", to);
  }

  let typing;
  function noteTyping() {
    hasRun = false;
    chooser.value = savedAs(field.value)?.name ?? "";
    clearTimeout(typing);
    typing = setTimeout(write, TYPED_AFTER);
  }

  function take(text) {
    clearTimeout(typing);
    hasRun = false;
    field.value = text;
    view?.set(text);
    chooser.value = savedAs(text)?.name ?? "";
  }

  // What was typed is in the address before another query takes its place: "back" returns to it, and undo too.
  chooser.onchange = async () => {
    const {sql} = saved.find(({name}) => name === chooser.value);
    await write();
    take(sql);
    write(true);
  };
  field.oninput = noteTyping;
  field.onkeydown = (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run.click(); };

  async function runQuery() {
    if (run.disabled) return;
    run.disabled = true;
    stop.disabled = false;
    view?.mark(null);
    status.textContent = t("sql.running");
    const started = performance.now();
    try {
      const text = field.value;
      answer = await database.ask(SHOW_TABLES.test(text) ? saved[0].sql : text, {onEngine: (bytes) => { status.textContent = t("sql.loading", {megabytes: Math.round(bytes / 1e6)}); }});
      answer.query = text;
      const seconds = ((performance.now() - started) / 1000).toFixed(2);
      hasRun = true;
      output.replaceChildren(answerTable(answer, t));
      status.textContent = await describeAnswer(seconds);
    } catch (error) {
      answer = null;
      failed(error);
    }
    run.disabled = false;
    stop.disabled = true;
    for (const button of files) button.disabled = !answer;
    write();
  }

  async function describeAnswer(seconds) {
    const {bytes, size, isWhole} = await database.moved();
    const moved = t(isWhole ? "sql.moved.whole" : "sql.moved", {megabytes: (bytes / 1e6).toFixed(1), of: (size / 1e6).toFixed(1)});
    const engines = t("sql.engines", {here: await database.version(), there: `v${release.written_with.duckdb}`});
    return `${t("sql.done", {count: answer.rows.length, seconds})} ${moved} ${engines}`;
  }

  function failed(error) {
    const words = error.key ? t(error.key, error.values) : error.message;
    const lines = error.at == null ? null : field.value.slice(0, error.at).split("\n");
    const go = lines && html`<button type="button" class="plain" id="place">${t("sql.place", {line: lines.length, column: lines.at(-1).length + 1})}</button>`;
    if (go) {
      view?.mark(error.at);
      go.onclick = () => { if (view) { view.mark(error.at); view.focus(); } else { field.focus(); field.setSelectionRange(error.at, error.at); } };
    }
    const isCancelled = error.key === "sql.cancelled";
    output.replaceChildren(html`<div class=${isCancelled ? "note" : "error"} role="alert">${go} <span>${words}</span></div>`);
    status.textContent = isCancelled ? t("sql.cancelled") : t("sql.failed");
  }

  run.onclick = runQuery;
  stop.onclick = () => { stop.disabled = true; database.cancel(); };
  share.onclick = async () => {
    await write();
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    status.textContent = t("sql.shared");
  };

  const save = (bytes, ending, type) => give(`ioledger-${short}.${ending}`, bytes, type);
  files[0].onclick = () => save(csv(answer), "csv", "text/csv");
  files[1].onclick = () => database.arrow(answer.query).then((bytes) => save(bytes, "arrow", "application/vnd.apache.arrow.file")).catch(failed);

  async function go() {
    const number = numberOf(location.hash);
    const given = number ?? parts(location.hash);
    const name = new URLSearchParams(location.search).get("query");
    const text = number ? number.query : given.q == null ? (saved.find((each) => each.name === name) ?? saved[0]).sql : await unpackQuery(given.q);
    if (text != null && text !== field.value) take(text);
    if (name && given.q == null && !saved.some((each) => each.name === name)) status.textContent = t("sql.no-query", {name});
    if (given.q != null && text == null) status.textContent = t("sql.bad-link");
    const isOther = given.r && !release.release_id.startsWith(given.r);
    pinned.hidden = !isOther;
    if (isOther) pinned.textContent = t("sql.other-release", {asked: given.r.slice(0, SHORT), release: short});
    if (given.run == null || text == null) return;
    if (!answer || answer.query !== field.value) await runQuery();
  }

  addEventListener("popstate", () => go());
  const ready = go();
  Promise.all([import("./editor.js"), tables()]).then(([{editor}, found]) => {
    view = editor(field, {tables: found, label: t("sql.query"), onRun: runQuery, onChange: noteTyping});
    ready.then(() => view.set(field.value));
  }).catch((error) => console.error(error));
  return {root, insert: (text) => view ? view.insert(text) : field.setRangeText(text)};
}
