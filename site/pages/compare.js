/*---
title: compare.title
description: compare.description
nav: {section: compare, order: 120, name: nav.pair}
queries: [compare-names, compare-default, compare-pairs, compare-refused, compare-loads]
parts: submissions
keywords: compare two drives A against B faster ratio interval verdict conditions
---*/
import {html} from "htl";
import {forest, forestAnswer, forestColumns} from "../components/charts/forest.js";
import {devicesOf, firstOf, keyOf, named, partnersOf, viewed, views} from "../components/compare.js";
import {condition, conditionsWords, isTested, refusal} from "../components/conditions.js";
import {figure} from "../components/figure.js";
import {comparisonsOf, differencesOf} from "../components/pair.js";
import {byMedium, mediumName} from "../components/media.js";
import {configurationName, title} from "../components/records.js";
import {table} from "../components/table.js";

export default async function page({rows, part, parts, file, t, state, link, number}) {
  const [names, preset] = await Promise.all([rows("compare-names"), rows("compare-default")]);
  const head = [html`<h1>${t("compare.heading")}</h1>`, html`<p class="lede">${t("compare.lede")}</p>`];
  if (!names.length) return html`<div>${head}<p class="note">${t("forest.answer.none")}</p></div>`;
  const keys = names.map((row) => keyOf(row));
  const first = preset[0] ? [keyOf(preset[0], "a_"), keyOf(preset[0], "b_")] : [keys[0], keys.at(-1)];
  const [a, b] = [state.choice("a", keys, first[0]), state.choice("b", keys, first[1])];
  const view = state.choice("show", views, "usual");
  const isPreset = preset.length > 0 && a === first[0] && b === first[1];
  const byKey = new Map(names.map((row) => [keyOf(row), row]));
  const known = isPreset ? {pairs: [], refused: []} : await between({part, parts, rows}, a);
  const partners = partnersOf(known.pairs, a);
  const refused = partnersOf(known.refused, a);
  const pair = partners.get(b);
  const its = !isPreset && pair ? await file(`q/${pair.pair_id}.json`) : null;
  const found = isPreset ? preset : comparisonsOf(its, known.loads, a);
  const quotients = found.map((row) => ({...row, ...its?.conditions.find(({operation}) => operation === row.operation), a_device: byKey.get(a).device, b_device: byKey.get(b).device}));
  return html`<div>${head}
    ${controls({names, a, b, partners, isPreset, view, quotients, state, t})}
    ${sides({a, b, byKey, t, link})}
    ${a === b ? html`<p class="note">${t("compare.same")}</p>`
      : quotients.length ? divided({quotients, view, t, state, link, number})
      : apart({row: refused.get(b), a, b, byKey, partners, t, state, link})}
    ${quotients.length ? differences({rows: quotients, differ: differencesOf(its ?? presetFile(preset), a), t, state}) : null}
  </div>`;
}

// The differences stand in one row of the first view.
function presetFile(preset) {
  const {is_mirrored: isMirrored} = preset[0];
  return {a: keyOf(preset[0], isMirrored ? "b_" : "a_"), differences: preset.find((row) => row.differences)?.differences ?? []};
}

// The pairs of one configuration: those of its submission hold them all. Where there are few, one part holds those of every submission.
async function between({part, parts, rows}, own) {
  const [all, loads] = await Promise.all([parts("compare"), rows("compare-loads")]);
  const [submission] = own.split("/");
  const [pairs, refused] = await part("compare", all.find((each) => each.part === submission)?.part ?? all[0]?.part ?? submission, ["compare-pairs", "compare-refused"]);
  return {pairs, refused, loads};
}

// Two lists a side: the drive, and which of its configurations. For B those that A is divided by come first.
function controls({names, a, b, partners, isPreset, view, quotients, state, t}) {
  const devices = devicesOf(names).toSorted(byMedium);
  const own = (key) => devices.find((device) => device.configurations.some((row) => keyOf(row) === key));
  const side = (name, key) => {
    const device = own(key);
    const split = name === "b" && !isPreset && partners.size;
    const isDivided = (each) => each.configurations.some((row) => partners.has(keyOf(row)));
    const groups = split
      ? [[t("compare.group.divided"), devices.filter(isDivided)], [t("compare.group.refused"), devices.filter((each) => !isDivided(each))]]
      : Array.from(Map.groupBy(devices, (each) => mediumName(each.media_class, t)));
    const drive = html`<select id=${`state-${name}-device`} name=${`${name}-device`}>${groups.filter(([, of]) => of.length).map(([label, of]) => html`<optgroup label=${label}>${of.map((each) => html`<option value=${each.id} selected=${each === device}>${each.name}</option>`)}</optgroup>`)}</select>`;
    drive.onchange = () => state.set({[name]: keyOf(firstOf(devices.find((each) => each.id === drive.value).configurations, name === "b" ? partners : new Map()))});
    const configuration = html`<select id=${`state-${name}`} name=${name}>${device.configurations.map((row) => html`<option value=${keyOf(row)} selected=${keyOf(row) === key}>${row.title}</option>`)}</select>`;
    configuration.onchange = () => state.set({[name]: configuration.value});
    return html`<div class="side"><label class="control"><span>${t(`compare.device_${name}`)}</span>${drive}</label>${device.configurations.length > 1 ? html`<label class="control"><span>${t(`compare.configuration_${name}`)}</span>${configuration}</label>` : null}</div>`;
  };
  const swap = html`<button type="button" id="state-swap" class="button plain">${t("compare.swap")}</button>`;
  swap.onclick = () => state.set({a: b, b: a});
  return html`<div class="card sides scripted">${side("a", a)}${side("b", b)}<div class="side last">${swap}${quotients.length ? state.select({name: "show", label: t("compare.show"), options: views.filter((each) => each === view || viewed(quotients, each).length).map((value) => ({value, label: t(`compare.show.${value}`)})), fallback: "usual"}) : null}</div></div>`;
}

const sides = ({a, b, byKey, t, link}) => html`<dl class="versus">${[["a", a], ["b", b]].map(([name, key]) => {
  const row = byKey.get(key);
  return html`<div><dt>${t(`compare.${name}`)}</dt><dd>${row.device_id ? html`<a href=${link(`devices/${row.device_id}`)}>${row.device ?? row.device_id}</a>` : row.device ?? null} <a class="quiet" href=${link(`submissions/${row.submission_id}`, {hash: row.configuration_id})} title=${row.configuration_id}>${configurationName(row, row.title)}</a></dd></div>`;
})}</dl>`;

function divided({quotients, view, t, state, link, number}) {
  const shown = named(viewed(quotients, view), t);
  const {pair_id: pair} = quotients[0];
  return html`<div>${shown.length ? figure({
    id: "forest", question: t("compare.question"), answer: forestAnswer(shown, {t}), load: t("compare.load"),
    note: [t("compare.note"), shown.some(isTested) ? `${t("sentence.space")}${t("compare.tested", {count: shown.filter(isTested).length})}` : ""],
    query: "compare-default", rows: shown, columns: forestColumns({t, number}), t, state, link,
    draw: (width) => forest(shown, {width, t, number})
  }) : html`<p class="note">${t("compare.none_of_kind")}</p>`}
  ${pair ? html`<p><a href=${number("q", pair)}>${t("compare.pair_page", {count: quotients.length})}</a></p>` : null}</div>`;
}

// A pair that is not divided: the reason, and what A is divided by instead.
function apart({row, a, b, byKey, partners, t, state, link}) {
  const names = {a: byKey.get(a).device ?? byKey.get(a).title, b: byKey.get(b).device ?? byKey.get(b).title};
  const reason = row ? refusal(row, t) : t("compare.never_asked");
  const instead = Array.from(Map.groupBy([...partners.keys()].map((key) => byKey.get(key)).filter(Boolean), (each) => each.device_id ?? keyOf(each)).values(), (of) => firstOf(of, partners)).toSorted(byMedium);
  return html`<div class="card refused"><h2>${t("compare.no_quotient", names)}</h2>
    <p><strong>${reason}</strong></p>
    ${instead.length ? html`<h3>${t("compare.instead")}</h3><ul class="instead">${instead.map((each) => html`<li><a href=${state.search({b: keyOf(each)}) || "?"}>${each.device ?? each.title}</a> <span class="muted">${mediumName(each.media_class, t)}</span></li>`)}</ul>` : null}
    <p><a href=${link("sql", {search: "?query=compare-refused"})}>${t("compare.excluded_link")}</a></p>
  </div>`;
}

// What is known of the conditions, of reads and of writes, and every one that differs.
function differences({rows, differ, t, state}) {
  const operations = [...new Map(rows.filter((row) => row.condition_count != null).map((row) => [row.operation, row])).values()];
  return html`<section class="card" id="differs"><h2>${t("compare.what_differs")}</h2>
    ${operations.map((row) => html`<p>${t(`compare.conditions_${row.operation}`, {conditions: conditionsWords(row, t)})}</p>`)}
    ${differ.length ? table(differ, [
      {id: "condition", label: t("compare.column.condition"), value: (row) => title(condition(row.label, t)), head: true},
      ...["a", "b"].map((name) => ({id: name, label: t(`compare.${name}`), value: (row) => row[name] ?? "–"}))
    ], {t, state, id: "differs-table"}) : html`<p>${t("compare.no_difference")}</p>`}
  </section>`;
}
