/*---
words: compare
nav: {section: compare, order: 120, name: nav.pair}
queries: [compare-names, compare-default, compare-claims, compare-pairs, compare-refused, compare-loads]
parts: submissions
keywords: compare two drives A against B faster ratio interval verdict conditions
---*/
import {html} from "htl";
import {forest, forestAnswer, forestColumns} from "../components/charts/forest.js";
import {comparisonsOf, devicesOf, differencesOf, firstOf, keyOf, labelRows, partnersOf, rowsOfView, views} from "../components/compare.js";
import {condition, conditionValue, conditionsWords, isTested, refusal} from "../components/conditions.js";
import {figure, heading} from "../components/figure.js";
import {iops, quotient, throughput} from "../components/format.js";
import {byLoad, loadText} from "../components/loads.js";
import {byMedium, mediumName} from "../components/marks.js";
import {unpackRows} from "../components/mount.js";
import {configurationName, title} from "../components/records.js";
import {table} from "../components/table.js";

const [NEAREST, INSTEAD] = [6, 12];

export default async function page({rows, part, parts, file, t, state, link, number}) {
  const [names, preset, claims] = await Promise.all([rows("compare-names"), rows("compare-default"), rows("compare-claims")]);
  const question = t("q.pair");
  if (!names.length) return html`<div class="answers">${heading({question, answer: t("forest.answer.none"), sub: t("compare.lede")})}</div>`;
  const keys = names.map((row) => keyOf(row));
  const first = preset[0] ? [keyOf(preset[0], "a_"), keyOf(preset[0], "b_")] : [keys[0], keys.at(-1)];
  const byKey = new Map(names.map((row) => [keyOf(row), row]));
  const devices = names.map((row) => row.device_id).filter(Boolean);
  const given = [state.choice("a", [...keys, ...devices], first[0]), state.choice("b", [...keys, ...devices], first[1])];
  const [a, b] = given.every((key) => byKey.has(key)) ? given : await findConfigurations(given, names, {part, parts, rows});
  const view = state.choice("show", views, "usual");
  const isPreset = preset.length > 0 && a === first[0] && b === first[1];
  const known = isPreset ? {pairs: [], refused: []} : await between({part, parts, rows}, a);
  const partners = partnersOf(known.pairs, a);
  const pair = partners.get(b);
  const its = isPreset ? presetFile(preset) : pair ? await file(`q/${pair.pair_id}.json`) : null;
  const found = isPreset ? preset : comparisonsOf(its, known.loads, a);
  const quotients = found.map((row) => ({...row, ...its?.conditions?.find(({operation}) => operation === row.operation), a_device: byKey.get(a).device, b_device: byKey.get(b).device}));
  const shown = labelRows(rowsOfView(quotients, view), t);
  const own = claims.filter((row) => [a, b].toSorted().join() === ["a", "b"].map((side) => `${row.submission_id}/${row[`${side}_configuration_id`]}`).toSorted().join());
  const [nameA, nameB] = [a, b].map((key) => byKey.get(key).device ?? byKey.get(key).title);
  const why = partnersOf(known.refused, a).get(b);
  const [answer, sub] = a === b ? [t("compare.same"), null]
    : !quotients.length ? [t("compare.no_quotient", {a: nameA, b: nameB}), why ? refusal(why, t) : t("compare.never_asked")]
    : [shown.length ? forestAnswer(shown, {t}) : t("compare.none_of_kind"), excludedWords(its?.excluded, t) ?? t("compare.lede")];
  return html`<div class="answers">${heading({question, answer, sub})}
    ${controls({names, a, b, partners, isPreset, view, quotients, state, t})}
    ${sides({a, b, byKey, t, link})}
    ${quotients.length ? drawPair({quotients, shown, its, t, state, link, number}) : null}
    ${a !== b && !quotients.length ? await apart({a, b, byKey, partners, others: partnersOf((await between({part, parts, rows}, b)).pairs, b), file, t, state, link, number}) : null}
    ${own.length ? html`<section class="card" id="claims"><h2>${t("compare.claims")}</h2><ul>${own.map((row) => html`<li><a href=${number("c", `${row.submission_id}/${row.claim_id}`)}>${row.statement}</a>: ${quotient(row.recomputed_value)} ×</li>`)}</ul>${quotients.length ? null : html`<p class="note">${t("compare.claims_note")}</p>`}</section>` : null}
    ${quotients.length ? differences({rows: quotients, differ: differencesOf(its, a), t, state}) : null}
  </div>`;
}

// An address may name a drive: of it the configuration with the most comparisons with the other side, or with the most partners.
async function findConfigurations(given, names, context) {
  const [as, bs] = given.map((name) => names.filter((row) => row.device_id === name || keyOf(row) === name));
  const [keysA, keysB] = [as, bs].map((list) => new Set(list.map((row) => keyOf(row))));
  const parts = await Promise.all([...new Map(as.map((row) => [row.submission_id, keyOf(row)])).values()].map((key) => between(context, key)));
  const found = parts.flatMap(({pairs}) => pairs).flatMap((row) => [["a_", "b_"], ["b_", "a_"]].map((sides) => ({sides: sides.map((side) => keyOf(row, side)), count: row.comparison_count})))
    .filter(({sides: [a, b]}) => keysA.has(a) && keysB.has(b)).toSorted((one, other) => other.count - one.count);
  return found[0]?.sides ?? [as, bs].map((list) => keyOf(firstOf(list, new Map())));
}

const refusalOf = (row, t) => refusal({reasons: row.reason, deciding: row.columns}, t);
function excludedWords(excluded, t) {
  if (!excluded?.length) return null;
  const [most] = excluded.toSorted((one, other) => other.count - one.count);
  return t("compare.excluded", {count: excluded.reduce((sum, row) => sum + row.count, 0), reason: refusalOf(most, t)});
}

function presetFile(preset) {
  const {is_mirrored: isMirrored} = preset[0];
  const {differences = [], excluded = []} = preset.find((row) => row.differences || row.excluded) ?? {};
  return {a: keyOf(preset[0], isMirrored ? "b_" : "a_"), differences, excluded};
}

// The pairs of one configuration: those of its submission hold them all. Where there are few, one part holds those of every submission.
async function between({part, parts, rows}, own) {
  const [all, loads] = await Promise.all([parts("compare"), rows("compare-loads")]);
  const [submission] = own.split("/");
  const [pairs, refused] = await part("compare", all.find((each) => each.part === submission)?.part ?? all[0]?.part ?? submission, ["compare-pairs", "compare-refused"]);
  return {pairs, refused, loads};
}

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
  return html`<div class="card sides scripted">${side("a", a)}${side("b", b)}<div class="side last">${swap}${quotients.length ? state.select({name: "show", label: t("compare.show"), options: views.filter((each) => each === view || rowsOfView(quotients, each).length).map((value) => ({value, label: t(`compare.show.${value}`)})), fallback: "usual"}) : null}</div></div>`;
}

const sides = ({a, b, byKey, t, link}) => html`<dl class="versus">${[["a", a], ["b", b]].map(([name, key]) => {
  const row = byKey.get(key);
  return html`<div><dt>${t(`compare.${name}`)}</dt><dd>${row.device_id ? html`<a href=${link(`devices/${row.device_id}`)}>${row.device ?? row.device_id}</a>` : row.device ?? null} <a class="quiet" href=${link(`submissions/${row.submission_id}`, {hash: row.configuration_id})} title=${row.configuration_id}>${configurationName(row, row.title)}</a></dd></div>`;
})}</dl>`;

function drawPair({quotients, shown, its, t, state, link, number}) {
  const {pair_id: pair} = quotients[0];
  return html`<div>${shown.length ? figure({
    id: "forest", question: t("compare.question"), load: t("compare.load"),
    note: [t("compare.note"), shown.some(isTested) ? `${t("sentence.space")}${t("compare.tested", {count: shown.filter(isTested).length})}` : ""],
    query: "compare-default", rows: shown, columns: forestColumns({t, number}), t, state, link,
    draw: (width) => forest(shown, {width, t, number})
  }) : null}
  ${its?.excluded?.length ? html`<section class="card refused" id="refused"><h2>${t("number.refused")}</h2>${table(its.excluded, [
    {id: "load", label: t("column.load"), value: (row) => html`${loadText(row.load, t)}${row.count > 1 ? html`<small>${t("compare.loads", {count: row.count})}</small>` : null}`, head: true},
    {id: "reason", label: t("column.reason"), value: (row) => refusalOf(row, t)}
  ], {t, state, id: "refused-table", caption: t("number.refused")})}</section>` : null}
  ${pair ? html`<p><a href=${number("q", pair)}>${t("compare.pair_page", {count: quotients.length})}</a></p>` : null}</div>`;
}

async function apart({a, b, byKey, partners, others, file, t, state, link, number}) {
  const nearest = await nearestOf(byKey.get(a), byKey.get(b), file);
  const value = (row) => html`<a href=${number("k", row.peak_id)}>${row.metric === "operations_per_second" ? `${iops(row.peak_value)} IOPS` : `${throughput(row.peak_value)} MB/s`}</a><small>${row.queue_depth == null ? "" : t("compare.basis.depth", {n: row.queue_depth})}</small>`;
  const instead = (found, name, other) => {
    const list = [...Map.groupBy([...found.keys()].map((key) => byKey.get(key)).filter(Boolean), (each) => each.device_id ?? keyOf(each)).values()].map((of) => firstOf(of, found)).toSorted((one, two) => byMedium(one, two) || (two.partner_count ?? 0) - (one.partner_count ?? 0));
    return list.length ? html`<section class="card"><h2>${t("compare.instead", {drive: name})}</h2><ul class="instead">${list.slice(0, INSTEAD).map((each) => html`<li><a href=${state.search({...other, b: keyOf(each)}) || "?"}>${each.device ?? each.title}</a> <span class="muted">${mediumName(each.media_class, t)}</span></li>`)}</ul>${list.length > INSTEAD ? html`<p class="small">${t("compare.more", {count: list.length - INSTEAD})}</p>` : null}</section>` : null;
  };
  const nameOf = (key) => byKey.get(key).device ?? byKey.get(key).title;
  return html`<div class="refused">
    ${nearest.length ? html`<section class="card" id="nearest"><h2>${t("compare.nearest")}</h2>${table(nearest, [
      {id: "load", label: t("column.load"), value: (row) => loadText(row.load, t), head: true},
      {id: "a", label: nameOf(a), value: (row) => value(row.a), num: true}, {id: "b", label: nameOf(b), value: (row) => value(row.b), num: true},
      {id: "differs", label: t("compare.differs"), value: (row) => [row.a.load_profile === row.b.load_profile ? null : "norandommap", row.a.queue_depth === row.b.queue_depth ? null : t("axis.queue_depth")].filter(Boolean).join(t("list.comma")) || t("compare.reason.other")}
    ], {t, state, id: "nearest-table", caption: t("compare.nearest_caption")})}</section>` : null}
    ${instead(partners, nameOf(a), {})}${instead(others, nameOf(b), {a: b})}
    <p class="small"><a href=${link("sql", {search: "?query=compare-refused"})}>${t("compare.excluded_link")}</a></p>
  </div>`;
}

async function nearestOf(a, b, file) {
  if (!a.device_id || !b.device_id || a.device_id === b.device_id) return [];
  const plain = (row) => row.load_profile.replace(", norandommap=true", "");
  const [ofA, ofB] = await Promise.all([a, b].map(async (side) => {
    const peaks = unpackRows((await file(`content/devices/${side.device_id}.json`))?.peaks ?? {count: 0, columns: {}}).filter((row) => row.load_profile && row.storage_topology === "single");
    const best = (of) => of.reduce((one, other) => other.peak_value > one.peak_value ? other : one);
    return new Map([...Map.groupBy(peaks, plain)].map(([load, of]) => [load, best(of)]));
  }));
  return [...ofA].filter(([load, row]) => ofB.get(load)?.metric === row.metric).map(([load, row]) => ({load, load_profile: load, a: row, b: ofB.get(load)})).toSorted(byLoad).slice(0, NEAREST);
}

function differences({rows, differ, t, state}) {
  const operations = [...new Map(rows.filter((row) => row.condition_count != null).map((row) => [row.operation, row])).values()];
  return html`<section class="card" id="differs"><h2>${t("compare.what_differs")}</h2>
    ${operations.map((row) => html`<p>${t(`compare.conditions_${row.operation}`, {conditions: conditionsWords(row, t)})}</p>`)}
    ${differ.length ? table(differ, [
      {id: "condition", label: t("compare.column.condition"), value: (row) => title(condition(row.label, t)), head: true},
      ...["a", "b"].map((name) => ({id: name, label: t(`compare.${name}`), value: (row) => row[name] == null ? null : conditionValue(row[name], row.label)}))
    ], {t, state, id: "differs-table"}) : html`<p>${t("compare.no_difference")}</p>`}
  </section>`;
}
