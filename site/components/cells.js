// Columns that tables of several pages have. cells(page) gives functions that make one each; a value is a key of a row, or a
// function of it, by which the column is sorted, too.
import {html} from "htl";
import {count, interval, iops, latency} from "./format.js";
import {loadText} from "./loads.js";
import {reasons, status, written} from "./marks.js";
import {glyph, medium, mediumName} from "./media.js";
import {configurationLink} from "./records.js";

const of = (key) => typeof key === "function" ? key : (row) => row[key];

export function cells({t, link, number}) {
  const text = (id, label, key = id, more = {}) => ({id, label, value: of(key), sort: of(key), ...more});
  // A number by its format; `at` names its page: ["p", "point_id"], the kind and the key of the id.
  const num = (id, label, key, format = count, {at: [letter, its] = [], ...more} = {}) => {
    const shown = (row) => of(key)(row) == null ? null : format(of(key)(row), row);
    return {id, label, num: true, sort: of(key), value: (row) => its && row[its] && shown(row) != null ? html`<a href=${number(letter, row[its])}>${shown(row)}</a>` : shown(row), ...more};
  };
  return {
    text, num,
    // A device by its name, in the column `device`, or in those of one side: `a_device`.
    device: ({id = "device", side = "", label = t("column.device"), name = (row) => row[`${side}device`], more = () => null, ...rest} = {}) =>
      ({id, label, head: true, sort: name, value: (row) => html`${row[`${side}device_id`] ? html`<a href=${link(`devices/${row[`${side}device_id`]}`)}>${name(row)}</a>` : name(row)}${more(row)}`, ...rest}),
    // As above, with the symbol of its medium.
    drive: ({label = t("column.device"), name = (row) => row.short_name ?? row.device} = {}) => ({id: "device", label, head: true, sort: name, value: (row) => html`<span class="device-name">${glyph(row.media_class)}${row.device_id ? html`<a href=${link(`devices/${row.page_id ?? row.device_id}`)}>${name(row)}</a>` : t("state.unknown")}</span>`}),
    medium: (key = "media_class") => ({id: "medium", label: t("column.medium"), sort: (row) => medium(row[key]).rank, value: (row) => html`<span class="name">${glyph(row[key])}${mediumName(row[key], t)}</span>`}),
    load: ({small = () => null, ...more} = {}) => ({id: "load", label: t("column.load"), sort: (row) => row.load_profile, value: (row) => html`${loadText(row.load_profile, t)}${small(row) ? html`<small>${small(row)}</small>` : null}`, ...more}),
    depth: (more = {}) => num("depth", t("axis.queue_depth"), "queue_depth", count, more),
    iops: (key = "operations_per_second", more = {}) => num("iops", "IOPS", key, (value, row) => written(iops(value), status(row)), more),
    latency: (key = "latency_mean_seconds", more = {}) => num("latency", t("axis.latency_mean"), key, latency, more),
    // One run has no interval: its ends are the value itself.
    interval: (low, high, format, more = {}) => ({id: "interval", label: t("mark.interval"), num: true, value: (row) => row[low] == null && row[high] == null || row[low] === row[high] ? null : interval(row[low], row[high], format), ...more}),
    runs: () => num("runs", t("column.runs"), "run_count"),
    kind: (more = {}) => ({id: "kind", label: t("table.kind"), value: (row) => reasons(row, t) ?? t("mark.measured"), ...more}),
    submission: ({hash = "configuration_id", name = (row) => row.submission_id} = {}) => ({id: "submission", label: t("column.submission"), sort: name, value: (row) => html`<a href=${link(`submissions/${row.submission_id}`, {hash: row[hash] ?? ""})}>${name(row)}</a>`}),
    configuration: ({id = "where", side = "", title = (row) => row[`${side}title`], small = () => null, label = t("device.configuration"), ...more} = {}) =>
      ({id, label, sort: (row) => title(row) ?? row[`${side}configuration_id`], value: (row) => html`${configurationLink({...row, configuration_id: row[`${side}configuration_id`]}, title(row), link)}${small(row) ? html`<small>${small(row)}</small>` : null}`, ...more})
  };
}
