import {html} from "htl";
import {iops, latency, throughput} from "./format.js";

const textOrNull = (text) => text == null || text === "unknown" || text === "" ? null : text;

export const textOrUnknown = (text, t) => textOrNull(text) ?? html`<i class="unknown">${t("state.unknown")}</i>`;

export const prose = (text) => String(text ?? "").split(/\n{2,}/).filter((paragraph) => paragraph.trim()).map((paragraph) =>
  html`<p>${paragraph.split("`").map((piece, i) => i % 2 ? html`<code>${piece}</code>` : piece)}</p>`);

const isNameless = (device) => textOrNull(device.vendor) == null && textOrNull(device.model) == null;
export const deviceName = (device) => (isNameless(device) ? device.short_name : null) ?? device.device ?? device.device_id;
export const nameless = (device, t) => isNameless(device) ? t("devices.nameless") : null;

// What a configuration is called in a table: its title without the folder that stands behind words, or its id where it has none.
export const configurationName = ({configuration_id: id}, title) => title?.replace(/; folder .*$/, "") ?? id;
export const configurationLink = (row, title, link) => html`<a href=${link(`submissions/${row.submission_id}`, {hash: row.configuration_id})} title=${row.configuration_id}>${configurationName(row, title)}</a>`;

export const title = (words) => words.slice(0, 1).toLocaleUpperCase("en") + words.slice(1);

export const facts = (entries, t) => html`<dl class="facts">${entries.filter(Boolean).map(([label, value, note]) =>
  html`<div><dt>${title(label)}</dt><dd>${value?.nodeType ? value : textOrUnknown(value, t)}${note ? html` <small>${note}</small>` : null}</dd></div>`)}</dl>`;

export const codeWords = (prefix, value, t) => value == null ? null : t.has(`${prefix}.${value}`) ? t(`${prefix}.${value}`) : String(value).replaceAll("_", " ");
export const topologyOf = (row, t) => codeWords("topology", row.storage_topology, t);

export function rate(metric, value, t) {
  if (value == null) return "–";
  if (metric === "operations_per_second") return `${iops(value)} IOPS`;
  return metric === "latency_mean_seconds" ? latency(value) : t("records.throughput", {value: throughput(value)});
}

export const address = (text) => /^https?:\/\//i.test(text ?? "") ? html`<a href=${text} rel="noopener noreferrer nofollow">${text}</a>` : text;

export const place = (link, served, at) => link("source", {search: at ? {file: served, at} : {file: served}});
