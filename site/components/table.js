// Tables of rows. Columns: {id, label, value: row => text or node, sort: row => number or text, num, head, unit, note, axis, className}.
// With `state` and an id a table can be sorted by the columns that have `sort`, and its length and order stand in the address
// (`<id>-sort`, `<id>-all`). All rows are in the page; those after the fiftieth, or the twelfth if `isShort`, show on demand, without a script too.
// With `most` only so many rows are on the page until a reader asks for all (`<id>-every`); `machine`: address of a file of all.
// On a phone a table of three columns or more is a list of twelve cards without what is empty or `minor`, or a true table if the
// reader asks for it.
import {html} from "htl";
import {count, interval, iops, latency} from "./format.js";
import {loadText} from "./loads.js";
import {glyph, medium, mediumName, reasons, status, withBound} from "./marks.js";
import {configurationLink} from "./records.js";

const [FIRST, FEW] = [50, 12];
// A table of fewer rows is read faster than it is sorted.
const SORTED = 3;

export function table(rows, columns, {caption, t, state, id, isShort = false, most = Infinity, machine} = {}) {
  const sortable = state && id && rows.length >= SORTED ? columns.filter((column) => column.sort).map((column) => column.id) : [];
  const chosen = sortable.length ? state.choice(`${id}-sort`, ["", ...sortable, ...sortable.map((name) => `-${name}`)], "") : "";
  const all = state && id ? state.choice(`${id}-all`, ["", "1"], "") === "1" : false;
  const isLong = rows.length > most;
  const isCut = isLong && state.choice(`${id}-every`, ["1"], "") !== "1";
  const sorted = chosen ? inOrder(rows, columns, chosen) : rows;
  const shown = sorted.slice(0, isCut ? most : Infinity);
  const first = isShort ? FEW : FIRST;
  const isFolded = !isLong && rows.length > first;
  const name = id ?? "table";
  const isCards = columns.length >= 3;
  return html`<div class=${["table", isCards && "as-cards", isFolded && `rows-${first}`, isCut && most < FEW && "few"].filter(Boolean).join(" ")}>
    ${isCards && t ? html`<label class="as-table"><input type="checkbox" id=${`${name}-as-table`}>${t("table.as_table")}</label>` : null}
    <div class="table-box" tabindex="0" role="region" aria-label=${caption ?? name}><table role="table">
      ${caption ? html`<caption><span>${caption}</span></caption>` : null}
      <thead role="rowgroup"><tr role="row">${columns.map((column) => heading(column, {chosen, sortable, state, id, t}))}</tr></thead>
      <tbody role="rowgroup">${shown.map((row) => html`<tr role="row">${columns.map((column) => cell(row, column, chosen))}</tr>`)}</tbody>
    </table></div>
    ${isFolded || isCards && t && shown.length > FEW ? html`<label class=${isFolded ? "show-all" : "show-all on-phones"}><input type="checkbox" id=${`${name}-all`} checked=${all} onchange=${state && id ? ({target}) => state.set({[`${id}-all`]: target.checked ? "1" : ""}, {push: true}) : null}>${t("action.all_rows", {n: count(isLong ? shown.length : rows.length)})}</label>` : null}
    ${isCut ? html`<p class="all-rows"><a class="scripted" id=${`${id}-every`} href=${state.search({[`${id}-every`]: "1"})} onclick=${(event) => { event.preventDefault(); state.set({[`${id}-every`]: "1"}); }}>${t("table.every", {n: count(rows.length)})}</a>${machine ? html`<a href=${machine}>${t("table.machine")}</a>` : null}</p>` : null}
  </div>`;
}

export const foldTable = (id, rows, columns, caption, {t, state, most, machine}) => state.details({name: id, summary: t("action.table_of", {n: rows.length, count: rows.length}), body: table(rows, columns, {caption, t, state, id: id.replace("-table", ""), most, machine})});

// Rows by one column, "-" in front means from the largest down; rows without a value stay last, equal ones keep their order.
export function inOrder(rows, columns, chosen) {
  const down = chosen.startsWith("-");
  const {sort} = columns.find((column) => column.id === chosen.replace(/^-/, ""));
  const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", {numeric: true});
  return [...rows].sort((a, b) => {
    const [left, right] = [sort(a), sort(b)];
    if (left == null || right == null) return (left == null) - (right == null);
    return down ? compare(right, left) : compare(left, right);
  });
}

function heading(column, {chosen, sortable, state, id, t}) {
  const label = column.unit || column.note ? html`${column.label}<small>${column.unit ?? column.note}</small>` : column.label;
  if (!sortable.includes(column.id)) return html`<th scope="col" role="columnheader" class=${column.num ? "num" : null}>${label}${column.axis ?? null}</th>`;
  const order = chosen === column.id ? "ascending" : chosen === `-${column.id}` ? "descending" : null;
  const next = order == null ? (column.num ? `-${column.id}` : column.id) : chosen.startsWith("-") ? column.id : `-${column.id}`;
  return html`<th scope="col" role="columnheader" class=${column.num ? "num" : null} aria-sort=${order}><button type="button" class="sort" id=${`${id}-sort-${column.id}`} title=${t("table.sort")} onclick=${() => state.set({[`${id}-sort`]: next}, {push: false})}>${label}<span aria-hidden="true">${order === "ascending" ? "↑" : order === "descending" ? "↓" : "↕"}</span></button></th>`;
}

const cell = (row, column, chosen) => {
  const found = column.value(row);
  const value = found ?? "–";
  const by = column.id && chosen.replace(/^-/, "") === column.id;
  const kind = [column.num && "num", by && "by", found == null && "none", column.className].filter(Boolean).join(" ") || null;
  return column.head
    ? html`<th scope="row" role="rowheader" class=${kind}>${value}</th>`
    : html`<td role="cell" class=${kind} data-label=${column.unit ? `${column.label} (${column.unit})` : column.label}><div>${value}</div></td>`;
};

// Columns that several tables have. cells(page) gives functions that make one each; a value is a key of a row, or a function of it, by which
// the column is sorted, too.
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
    device: ({id = "device", side = "", label = t("column.device"), name = (row) => row[`${side}device`], more = () => null, ...rest} = {}) =>
      ({id, label, head: true, sort: name, value: (row) => html`${row[`${side}device_id`] ? html`<a href=${link(`devices/${row[`${side}device_id`]}`)}>${name(row)}</a>` : name(row)}${more(row)}`, ...rest}),
    drive: ({label = t("column.device"), name = (row) => row.short_name ?? row.device} = {}) => ({id: "device", label, head: true, sort: name, value: (row) => html`<span class="device-name">${glyph(row.media_class)}${row.device_id ? html`<a href=${link(`devices/${row.page_id ?? row.device_id}`)}>${name(row)}</a>` : t("state.unknown")}</span>`}),
    medium: (key = "media_class") => ({id: "medium", label: t("column.medium"), sort: (row) => medium(row[key]).rank, value: (row) => html`<span class="name">${glyph(row[key])}${mediumName(row[key], t)}</span>`}),
    load: ({small = () => null, ...more} = {}) => ({id: "load", label: t("column.load"), sort: (row) => row.load_profile, value: (row) => html`${loadText(row.load_profile, t)}${small(row) ? html`<small>${small(row)}</small>` : null}`, ...more}),
    depth: (more = {}) => num("depth", t("axis.queue_depth"), "queue_depth", count, more),
    iops: (key = "operations_per_second", more = {}) => num("iops", "IOPS", key, (value, row) => withBound(iops(value), status(row)), more),
    latency: (key = "latency_mean_seconds", more = {}) => num("latency", t("axis.latency_mean"), key, latency, more),
    interval: (low, high, format, more = {}) => ({id: "interval", label: t("mark.interval"), num: true, value: (row) => row[low] == null && row[high] == null || row[low] === row[high] ? null : interval(row[low], row[high], format), ...more}),
    runs: () => num("runs", t("column.runs"), "run_count"),
    kind: (more = {}) => ({id: "kind", label: t("table.kind"), value: (row) => reasons(row, t) ?? t("mark.measured"), ...more}),
    submission: ({hash = "configuration_id", name = (row) => row.submission_id} = {}) => ({id: "submission", label: t("column.submission"), sort: name, value: (row) => html`<a href=${link(`submissions/${row.submission_id}`, {hash: row[hash] ?? ""})}>${name(row)}</a>`}),
    configuration: ({id = "where", side = "", title = (row) => row[`${side}title`], small = () => null, label = t("device.configuration"), ...more} = {}) =>
      ({id, label, sort: (row) => title(row) ?? row[`${side}configuration_id`], value: (row) => html`${configurationLink({...row, configuration_id: row[`${side}configuration_id`]}, title(row), link)}${small(row) ? html`<small>${small(row)}</small>` : null}`, ...more})
  };
}
