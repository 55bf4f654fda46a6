/*---
title: devices.title
description: devices.description
nav: {section: records, order: 310, name: nav.devices}
queries: [devices]
keywords: devices drives models list
---*/
import {html} from "htl";
import {capacity, count} from "../../components/format.js";
import {byMedium, glyph, medium, mediumName} from "../../components/media.js";
import {deviceName, nameless} from "../../components/records.js";
import {table} from "../../components/table.js";

export default async function page({rows, t, state, link}) {
  const all = (await rows("devices")).toSorted(byMedium);
  const media = [...new Set(all.map((row) => row.media_class))];
  const chosen = state.choice("medium", media, "");
  const words = state.text("q").toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter((row) => (!chosen || row.media_class === chosen) && words.every((word) => `${row.device} ${row.short_name ?? ""} ${row.device_id} ${row.vendor ?? ""}`.toLowerCase().includes(word)));
  return html`<div>
    <h1>${t("devices.title")}</h1>
    <p class="lede">${t("devices.lede", {count: all.length})}</p>
    <div class="controls">
      ${state.select({name: "medium", label: t("column.medium"), options: [{value: "", label: t("devices.all_media")}, ...media.map((value) => ({value, label: mediumName(value, t)}))], fallback: ""})}
      ${state.field({name: "q", label: t("devices.search")})}
    </div>
    <div class="card">${shown.length ? table(shown, [
      {id: "device", label: t("column.device"), value: (row) => html`<a href=${link(`devices/${row.device_id}`)}>${deviceName(row)}</a>${nameless(row, t) ? html`<small>${nameless(row, t)}</small>` : null}`, sort: deviceName, head: true},
      {id: "medium", label: t("column.medium"), value: (row) => html`<span class="medium-name" style=${`color: ${medium(row.media_class).color}`}>${glyph(row.media_class)} ${mediumName(row.media_class, t)}</span>${row.nand_type ? html`<small>${row.nand_type}</small>` : null}`, sort: (row) => medium(row.media_class).rank},
      {id: "capacity", label: t("devices.capacity"), value: (row) => capacity(row.capacity_bytes), sort: (row) => row.capacity_bytes, num: true},
      {id: "interface", label: t("devices.interface"), value: (row) => row.interface_protocol ? html`${row.interface_protocol}${row.interface_generation ? html`<small>${row.interface_generation}</small>` : null}` : html`<i class="unknown">${t("state.unknown")}</i>`, sort: (row) => row.interface_protocol},
      {id: "configurations", label: t("devices.configurations"), value: (row) => count(row.configuration_count), sort: (row) => row.configuration_count, num: true},
      {id: "results", label: t("devices.results"), value: (row) => count(row.result_count), sort: (row) => row.result_count, num: true}
    ], {caption: t("devices.caption", {count: shown.length}), t, state, id: "devices", first: 200}) : html`<p>${t("devices.no_match")}</p>`}</div>
  </div>`;
}
