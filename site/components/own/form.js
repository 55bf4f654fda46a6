// The form that makes a submission of own results: a zip of `manifest.yaml` and the files, checked against the manifest's schema.
import {html} from "htl";
import {give} from "./files.js";
import {handedIn, manifestOf, testedOn, yaml} from "./manifest.js";

const LICENCES = ["CC-BY-4.0", "CC0-1.0", "CC-BY-SA-4.0", "unknown"];
const WRITTEN = ["unknown", "yes", "no"];

// `result` is what was read, `checking` the module of the schema ({default: validate, words}), `pack` makes the zip in the worker.
export function submissionForm(result, {t, checking, pack}) {
  const files = handedIn(result);
  if (!files.length) return null;
  const rows = result.rows.filter((row) => files.some(({name}) => name === row.source_path));
  const today = new Date().toISOString().slice(0, 10);
  const hint = (name) => t.has(`own.hint.${name}`) ? t(`own.hint.${name}`) : null;
  const text = (name, {value = "", required = false, type = "text"} = {}) => html`<label class=${`control ${name}`}>${t(`own.field.${name}`)}<input name=${name} id=${`own-${name}`} type=${type} value=${value} required=${required} placeholder=${hint(name)} step=${type === "number" ? "any" : null} min=${type === "number" ? "0" : null}></label>`;
  const list = (name, words, chosen) => html`<label class="control">${t(`own.field.${name}`)}<select name=${name} id=${`own-${name}`}>${words.map((word) => html`<option value=${word} selected=${word === chosen}>${t.has(`own.word.${word}`) ? t(`own.word.${word}`) : word}</option>`)}</select></label>`;
  const {affiliation, media_class, preconditioning_class} = checking.words;
  const repository = repositoryOf(location.href);
  const status = html`<div id="own-made" role="status"></div>`;
  const form = html`<form id="own-form">
    <div class="fields">${text("title", {required: true})}${text("submitted_by", {required: true})}${list("affiliation", affiliation, "unknown")}${list("licence", LICENCES, LICENCES[0])}
      ${text("vendor")}${text("model")}${text("firmware")}${list("media_class", media_class, "unknown")}${text("capacity", {type: "number"})}
      ${text("tested_on", {value: testedOn(rows)})}${text("operating_system")}${text("kernel")}${text("cpu_model")}${list("preconditioning_class", preconditioning_class, "unknown")}${list("file_written", WRITTEN, "unknown")}</div>
    <div class="actions"><button type="submit" class="action" id="own-make">${t("own.make")}</button></div></form>`;
  const isBegun = {current: false};
  form.oninput = () => { isBegun.current = true; };
  addEventListener("beforeunload", (event) => { if (isBegun.current && form.isConnected) event.preventDefault(); });
  form.onsubmit = async (event) => {
    event.preventDefault();
    const stated = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
    const {folder, manifest, problems} = manifestOf(stated, rows, files, {today, validate: checking.default});
    if (problems.length) return void status.replaceChildren(html`<p class="error">${t("own.problems")}</p>`, html`<ul>${problems.map(({place, format, message}) => html`<li>${place}: ${t.has(`own.format.${format}`) ? t(`own.format.${format}`) : html`<span lang="en">${message}</span>`}</li>`)}</ul>`);
    try {
      const zip = await pack([folder, yaml(manifest), Object.fromEntries(files.map(({name, path}) => [name, path]))]);
      const name = `${folder}.zip`;
      give(name, zip, "application/zip");
      isBegun.current = false;
      status.replaceChildren(html`<p>${t.rich("own.made", {file: html`<code>${name}</code>`, count: files.length})}</p>`,
        html`<ol>${["unpack", repository ? "upload" : "upload_elsewhere", "propose"].map((step) => html`<li>${t.rich(`own.step.${step}`, {folder: html`<code>${folder}</code>`, ...repository})}</li>`)}</ol>`);
    } catch (error) {
      status.replaceChildren(html`<p class="error">${t("own.failed", {what: error.message})}</p>`);
    }
  };
  return html`<section class="card" id="own-submission"><h2>${t("own.submit")}</h2>
    <p>${t.rich("own.submit_text", {count: files.filter(({role}) => !role).length})}</p>${form}${status}</section>`;
}

// The repository of a site of GitHub Pages and its page for uploads to data/; null for a site elsewhere, whose address says nothing.
export function repositoryOf(address) {
  const [, owner, name] = /^https:\/\/([\w-]+)\.github\.io\/([\w.-]+)\//.exec(address) ?? [];
  const repository = `https://github.com/${owner}/${name}`;
  return name ? {repository, upload: `${repository}/upload/main/data`} : null;
}
