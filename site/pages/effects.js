/*---
title: effects.title
description: effects.description
nav: {section: compare, order: 130, name: nav.effects}
queries: [effects-engines, effects-one-field, effects-settings, effects-clock, effects-area, effects-write-share, effects-block-size, effects-stated-gains]
parts: submissions
keywords: natural experiment effect write share block size settings frequency elasticity raid capacity
---*/
import {html} from "htl";
import {effects, effectsAnswer} from "../components/charts/effects.js";
import {figure} from "../components/figure.js";
import {blockSize, count, full, iops, percent, quotient} from "../components/format.js";
import {loadText} from "../components/loads.js";
import {condition} from "../components/conditions.js";
import {reasons} from "../components/marks.js";
import {title, worded} from "../components/records.js";
import {cells, table} from "../components/table.js";

const SHOWN_ROWS = 24;
const field = (name, t) => title(condition(name, t));
const whole = (rate) => count(Math.round(rate));
const gigahertz = (hertz) => `${full(hertz / 1e9)} GHz`;
const basisText = (basis, t) => basis === "peak" ? t("point.peak") : basis?.startsWith("queue_depth=") ? t("effects.depth", {n: basis.slice(12)}) : basis ?? "";
const isLow = (d) => /^queue_depth=[1-4]$/.test(d.basis);
const wording = {measurement_area_bytes: (value) => blockSize(+value.split("/")[0]), block_size_bytes: (value) => blockSize(+value), storage_topology: (value, t) => worded("topology", value, t)};

// A pair in words: both sides, their configurations and IOPS, and the ratio. The kinds are the queries, in the order of the list.
const kinds = {
  "effects-one-field": (d, t) => {
    const shown = wording[d.field_name] ?? ((value) => value);
    return {cause: d.field_name, from: shown(d.a_field, t), to: shown(d.b_field, t), a: d.a_configuration_id, b: d.b_configuration_id, rates: [d.a_operations_per_second, d.b_operations_per_second], load: d.load_profile, unknown: d.unknown_field_count};
  },
  "effects-settings": (d) => ({from: d.base_setting_set, to: d.changed_setting_set, a: d.base_configuration_id, b: d.changed_configuration_id, rates: [d.base_operations_per_second, d.changed_operations_per_second], load: d.load_profile, along: d.changed_fields, unknown: d.unknown_field_count}),
  "effects-clock": (d) => ({from: gigahertz(d.slower_clock_hertz), to: gigahertz(d.faster_clock_hertz), a: d.slower_configuration_id, b: d.faster_configuration_id, rates: [d.slower_operations_per_second, d.faster_operations_per_second], load: d.load_profile, along: d.changed_fields, unknown: d.unknown_field_count}),
  "effects-area": (d) => ({from: blockSize(d.smaller_area_bytes), to: blockSize(d.larger_area_bytes), a: d.smaller_configuration_id, b: d.larger_configuration_id, rates: [d.smaller_operations_per_second, d.larger_operations_per_second], load: d.load_profile, along: d.changed_fields, unknown: d.unknown_field_count}),
  "effects-write-share": (d, t) => ({from: t("effects.writes", {share: percent(1 - d.base_read_ratio)}), to: t("effects.writes", {share: percent(1 - d.written_read_ratio)}), a: d.configuration_id, b: d.configuration_id, rates: [d.base_operations_per_second, d.written_operations_per_second], load: d.written_load_profile}),
  "effects-block-size": (d) => ({from: blockSize(d.larger_block_size_bytes), to: blockSize(d.smaller_block_size_bytes), a: d.configuration_id, b: d.configuration_id, rates: [d.larger_operations_per_second, d.smaller_operations_per_second], load: d.smaller_load_profile, throughput: d.throughput_ratio, factor: d.operations_ratio, series: "operations"})
};

// Pairs of results of one submission that differ in one thing, by the thing that changed; the choice lies in the address.
export default async function effectsPage(context) {
  const {parts, part, rows, t, state} = context;
  const [listed, engines] = await Promise.all([parts("effects"), rows("effects-engines")]);
  const chosen = state.choice("part", listed.map((d) => d.part), listed[0]?.part);
  const queries = [...Object.keys(kinds), "effects-stated-gains"];
  const found = await part("effects", chosen, queries);
  const pairs = Object.keys(kinds).flatMap((query, i) => found[i].map((d) => pair(query, d, t)));
  const causes = [...new Set(pairs.map((d) => d.cause))];
  const cause = state.choice("cause", causes, causes[0]);
  const its = pairs.filter((d) => d.cause === cause);
  const label = (name) => t.has(`effects.cause_${name}`) ? t(`effects.cause_${name}`) : field(name, t);
  return html`<div>
    <h1>${t("effects.title")}</h1>
    <p class="lede">${t("effects.lede")}</p><p class="note">${t("effects.compared")}</p>
    ${[...Map.groupBy(engines, (d) => [d.submission_id, d.device_id, d.load_profile].join(" ")).values()].map((its) => ofEngines(its, context))}
    <div class="controls">${listed.length > 1 ? state.select({name: "part", label: t("column.submission"), options: listed.map((d) => ({value: d.part, label: d.label})), fallback: listed[0].part}) : null}
    ${causes.length > 1 ? state.select({name: "cause", label: t("effects.cause"), options: causes.map((name) => ({value: name, label: `${label(name)} (${pairs.filter((d) => d.cause === name).length})`})), fallback: causes[0]}) : null}</div>
    ${its.length ? shown(its, cause, label, context) : html`<p class="note">${t("effects.empty")}</p>`}
    <h2 id="gains">${t("effects.gains")}</h2><p>${t("effects.gains_words")}</p>${gains(found.at(-1), context)}
  </div>`;
}

// One drive under several engines, the fastest first.
function ofEngines(its, {t, number, link, state}) {
  const [fast, slow] = [its[0], its.at(-1)];
  const {num, ...c} = cells({t, number, link});
  return html`<section class="card" id="engines"><h2>${t("effects.engines")}</h2>
    <p class="answer">${t.rich("effects.engines_answer", {device: fast.short_name, load: loadText(fast.load_profile, t), fast: fast.engine_name, slow: slow.engine_name, high: whole(fast.operations_per_second), low: whole(slow.operations_per_second), count: its.length})}</p>
    ${table(its, [
      {id: "engine", label: t("effects.engine"), value: (d) => html`<a href=${link(`submissions/${d.submission_id}`, {hash: d.configuration_id})}>${d.engine_name}</a>`, head: true},
      num("iops", "IOPS", "operations_per_second", whole, {at: ["p", "point_id"]}), c.latency(), num("ratio", t("effects.engines_ratio"), "ratio", quotient), {id: "caveats", label: t("number.caveats"), value: (d) => reasons(d, t)}
    ], {caption: t("query.effects-engines"), t, state, id: "engines-table"})}
    <p class="small"><a href=${link("sql", {search: "?query=effects-engines"})}>${t("action.sql")}</a></p></section>`;
}

function pair(query, d, t) {
  const told = kinds[query](d, t);
  const value = told.factor ?? d.effect_ratio;
  return {...told, query, cause: told.cause ?? query.replace("effects-", "").replaceAll("-", "_"), submission_id: d.submission_id, basis: d.basis, section: d.section, access_pattern: d.access_pattern, value, elasticity: d.elasticity_ratio};
}

function shown(its, cause, label, context) {
  const {t, link} = context;
  const told = its.filter((d) => d.value != null);
  const marks = told.map((d) => ({
    row: `${d.from} → ${d.to}`, href: link(`submissions/${d.submission_id}`, {hash: d.b}), value: d.value, series: d.series ?? d.access_pattern, hollow: isLow(d),
    words: t("effects.point", {change: `${d.from} → ${d.to}`, load: loadText(d.load, t), at: basisText(d.basis, t), factor: quotient(d.value)})
  }));
  const rows = [...new Set(marks.map((d) => d.row))];
  const drawn = marks.filter((d) => rows.indexOf(d.row) < SHOWN_ROWS);
  const configuration = (d, id) => html`<a href=${link(`submissions/${d.submission_id}`, {hash: id})}>${id}</a>`;
  return figure({
    ...context, id: "effects", question: t("effects.question", {cause: label(cause)}), answer: effectsAnswer(marks, {t}), load: t("effects.load"),
    note: [t("effects.note"), rows.length > SHOWN_ROWS ? ` ${t("effects.more", {count: rows.length - SHOWN_ROWS})}` : "", cause === "block_size" ? ` ${t("effects.block_note")}` : ""],
    query: its[0].query, draw: (width) => marks.length ? effects(drawn, {width, t}) : html`<p class="note">${t("effects.none")}</p>`, rows: its, columns: [
      {label: t("effects.change"), value: (d) => `${d.from} → ${d.to}`, head: true},
      {label: t("effects.sides"), value: (d) => d.a === d.b ? configuration(d, d.a) : html`${configuration(d, d.a)} → ${configuration(d, d.b)}`},
      {label: t("column.load"), value: (d) => html`${loadText(d.load, t)}<small>${basisText(d.basis, t)}</small>`},
      {label: t("effects.rate_from"), value: (d) => iops(d.rates[0]), num: true}, {label: t("effects.rate_to"), value: (d) => iops(d.rates[1]), num: true},
      {label: t("effects.effect"), value: (d) => d.value == null ? t("effects.one_side") : quotient(d.value), sort: (d) => d.value, num: true},
      ...(its.some((d) => d.throughput != null) ? [{label: t("effects.throughput"), value: (d) => quotient(d.throughput), num: true}] : []),
      ...(its.some((d) => d.elasticity != null) ? [{label: t("effects.elasticity"), value: (d) => d.elasticity == null ? null : quotient(d.elasticity), num: true}] : []),
      ...(its.some((d) => d.along) ? [{label: t("effects.along"), value: (d) => d.along ? d.along.replaceAll("_", " ") : t("effects.nothing_else")}] : []),
      ...(its.some((d) => d.unknown != null) ? [{label: t("effects.unknown"), value: (d) => t("effects.fields", {count: d.unknown}), num: true}] : [])
    ]
  });
}

const gains = (found, {t, base, link}) => found.length ? table(found, [
  {label: t("effects.figure"), value: (d) => html`<a href=${`${base}/${d.href}`}>${d.figure_id}</a><small lang="en">${[d.section, d.load_profile, d.device].filter(Boolean).join("; ")}</small>`, head: true},
  {label: t("effects.printed"), value: (d) => d.printed_text, num: true}, {label: t("effects.means"), value: (d) => t("effects.times", {factor: quotient(d.gain_ratio)}), num: true},
  {label: t("device.configuration"), value: (d) => html`<a href=${link(`submissions/${d.submission_id}`, {hash: d.configuration_id})}>${d.configuration_id}</a><small lang="en">${d.wording_note ?? ""}</small>`}
], {caption: t("effects.gains_caption"), t}) : html`<p class="note">${t("effects.gains_empty")}</p>`;
