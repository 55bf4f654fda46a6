// The page of two configurations: every quotient in both directions, and what is not divided, with the reason.
import {gzipSync} from "node:zlib";
import {condition} from "../components/conditions.js";
import {count} from "../components/format.js";
import {endOf} from "../components/pair.js";
import {queryOf} from "../components/sql/numbers.js";
import {card, en, h, ja, joined, markup, say, sentence, terms, unknown} from "./html.js";
import {both, chips, citing, deviceLink, grade, jsonOf, page, sqlAddress, submissionLink} from "./page.js";
import {blocksOf, countOf, table} from "./quotients.js";

// What the first page of a pair may weigh in gzip, how many rows it may have in full, tried in this order, and those of
// a page behind it. Below the least number a page is light whatever it says.
const LIGHT = 9_800;
const ROWS = [110, 70, 45, 25, 10, 0];
const FURTHER = 100;
const SURELY = 60;

export function pairPage(context, row) {
  const [a, b] = [row.a, row.b].map((name) => side(context, name));
  const same = a.device === b.device;
  const [first, second] = same ? toldApart(a, b) : [a.device, b.device];
  const title = same ? `${a.device}: ${first} ÷ ${second}` : `${first} ÷ ${second}`;
  const query = queryOf("q", row.id);
  const runs = row.runs_low == null ? null : row.runs_low === row.runs_high ? row.runs_low : `${row.runs_low}–${row.runs_high}`;
  const trail = joined([deviceLink(context, a.device_id, a.device), deviceLink(context, b.device_id, b.device)], " ÷ ");
  const about = `${row.words.length} quotients in both directions, with interval, verdict and grade.`;
  const named = h`<h1 class=words>${same && h`${a.device}<br>`}A: ${first}<br>B: ${second}</h1>`;
  const blocks = blocksOf(context, row);
  const whole = (rows) => page(context, {kind: "q", id: row.id, title, about, trail, body: h`<section class=top>${named}${[en, ja].map((t) => h`<p${t.language === "ja" && markup(" lang=ja")}>${sentence(t, "number.told_pair", {count: row.words.length})}`)}${chips([
    h`${say("number.grade")}${grade(row.grade)}${row.worst !== row.grade && h`–${grade(row.worst)}`}`, runs && h`${say("number.runs")} ${runs}`, h`${row.evidence ?? ""}`
  ])}<p class=buttons><a class=main href="${context.root}compare?a=${encodeURIComponent(row.a)}&b=${encodeURIComponent(row.b)}">${say("number.compare_pair")}</a> <a href="${sqlAddress(context, "q", row.id)}">${say("number.sql")}</a></p></section>
<div class=cards>${[a, b].map((one, i) => h`<section><h2>${"AB"[i]}</h2>${terms([[say("cond.device"), deviceLink(context, one.device_id, one.device)], [say("number.configuration"), h`${one.title ?? one.configuration}`], [say("number.publication"), submissionLink(context, one.submission)]])}</section>`)}</div>
${differing(row)}${quotients(row, blocks, rows)}${refused(row)}${citing(context, {kind: "q", id: row.id, title, query, row: {submission_id: a.submission}})}`});
  const shown = countOf(blocks) <= SURELY ? countOf(blocks) : ROWS.find((rows) => gzipSync(whole(rows)).length <= LIGHT) ?? 0;
  const further = parted(blocks, shown).further.map((its, i) => [nameOf(row, i), page(context, {
    kind: "q", id: nameOf(row, i), json: jsonOf("q", row.id), title: `${title}, ${i + 2}`, about, trail,
    body: h`<section class=top>${named}<p class=buttons><a class=main href="${row.id}">${say("number.first_part")}</a></p></section><section><h2>${say("number.quotients")}</h2>${scrolling(table(its, "full"))}<p>${say("number.letters")}</p></section>`
  })]);
  return {html: whole(shown), further, json: data(context, row)};
}

// The blocks whose rows the first page has in full, and those of each page behind it.
function parted(blocks, rows) {
  let first = 0;
  while (first < blocks.length && countOf(blocks.slice(0, first + 1)) <= rows) first++;
  const further = [];
  for (const block of blocks.slice(first)) {
    if (further.length && countOf(further.at(-1)) + block.full.length <= FURTHER) further.at(-1).push(block);
    else further.push([block]);
  }
  return {first: blocks.slice(0, first), further};
}
const nameOf = (row, i) => `${row.id}-${i + 2}`;

const scrolling = (content, name = "number.quotients") => h`<div class=table tabindex=0 role=region aria-label="${en(name)}">${content}</div>`;

// Every quotient has its place on the first page. What is too much for it in full is short there, and leads to its row.
function quotients(row, blocks, rows) {
  const {first, further} = parted(blocks, rows);
  const at = new Map(further.flatMap((its, i) => its.map((block) => [block, `${nameOf(row, i)}#${block.place}`])));
  const rest = h`<h2>${say("number.more_quotients")}</h2><p>${say("number.in_short")}${further.map((_, i) => h` <a href="${nameOf(row, i)}">${i + 2}</a>`)}</p>${scrolling(table(further.flat(), "short", (block) => ` <a href=${at.get(block)}>A, B</a>`), "number.more_quotients")}`;
  return h`<section><h2>${say("number.quotients")}</h2>${first.length > 0 && scrolling(table(first, "full"))}<p>${say("number.letters")}</p>${further.length > 0 && rest}</section>`;
}

function side(context, name) {
  const [submission, configuration] = name.split("/");
  const known = context.configurations[name] ?? {};
  return {submission, configuration, title: known.title, device: known.device ?? configuration, device_id: known.device_id};
}

// Two configurations of one device by their titles as far as these differ: by their words, or by the ends of their folders.
function toldApart(a, b) {
  const [one, two] = [a, b].map(({title, configuration}) => (title ?? configuration).split(/[:;] folder /));
  if (one[0] !== two[0] || one.length < 2 || two.length < 2) return [one[0], two[0]];
  const [steps, others] = [one, two].map(([, folder]) => folder.split("/"));
  const from = Math.max(0, steps.findIndex((step, i) => step !== others[i]));
  return [steps, others].map((each) => each.slice(from).join("/") || each.at(-1));
}

// Several numbers in their order. Bytes in the unit in which drives and memory are sold; whatever else is a number may be a version, and stays as it is.
const SIZES = {memory: [2 ** 30, "GiB"], capacity: [1e9, "GB"]};
function stated(value, label) {
  if (value == null) return unknown(en("state.unknown"));
  if (/^\d+(; \d+)+$/.test(value)) return value.split("; ").map(Number).toSorted((a, b) => a - b).join(", ");
  const [size, unit] = SIZES[label] ?? [];
  return size && /^\d{5,}$/.test(value) ? `${Number((value / size).toPrecision(4))} ${unit}` : value;
}

// What differs between the benches, and what nobody knows.
function differing(row) {
  const [differs, open] = [row.differences ?? [], row.unknown ?? []];
  return card("number.conditions", differs.length ? terms(differs.map((each) => [h`${both((t) => condition(each.label, t))}${grade(each.effect)}`, h`${stated(each.a, each.label)} / ${stated(each.b, each.label)}`])) : h`<p>${say("number.nothing_differs")}</p>`, open.length ? h`<p>${unknown(h`${say("state.unknown")}: ${open.join(", ")}`)}</p>` : null);
}

const SHOWN = 20;
function refused(row) {
  const list = row.refused ?? [];
  if (!list.length) return null;
  return h`<section id=refused><h2>${say("number.refused")}</h2><ul>${list.slice(0, SHOWN).map((each) => h`<li><b>${say(`refused.${each.reason}`)}</b>${each.words && h`: ${each.words}`} <small>${each.loads}${each.count > 0 && h`, ${count(each.count)}`}</small>`)}</ul>${list.length > SHOWN && h`<p>${say("number.more", {count: list.length - SHOWN})}</p>`}</section>`;
}

// Of each load and metric a list of rows; a metric, a section, a basis and a verdict are the numbers of their words.
function data(context, row) {
  const distinct = (...places) => [...new Set(row.words.flatMap((words) => places.map((place) => words[place])))].filter((words) => words != null);
  const [metrics, sections, bases, verdicts] = [distinct(1), distinct(5, 6), distinct(2), distinct(9)];
  const at = (list, words) => words == null ? null : list.indexOf(words);
  const loads = [];
  row.words.forEach(([workload_id, metric, basis, id, , a, b, , , verdict, grade], i) => {
    const own = [workload_id, at(metrics, metric), at(sections, a), at(sections, b)];
    if (!loads.length || own.some((value, place) => value !== loads.at(-1)[place])) loads.push([...own, []]);
    const [a_value, b_value, quotient_ratio, low_ratio, high_ratio] = row.numbers[i];
    const end = endOf({metric, verdict, quotient_ratio, low_ratio, high_ratio, a_value, b_value});
    loads.at(-1).at(-1).push([at(bases, basis), id, ...[quotient_ratio, low_ratio, high_ratio].map(digits), at(verdicts, verdict), grade, ...end == null ? [] : [digits(end)]]);
  });
  // few pairs have such an end, and only they name its column
  const hasEnds = loads.some((each) => each.at(-1).some((values) => values.length > COLUMNS.length));
  return {pair_id: row.id, release_id: context.release, a: row.a, b: row.b, comparability_grade: row.grade, differences: row.differences ?? [], unknown: row.unknown ?? [], metrics, sections, bases, verdicts, load_columns: ["workload_id", "metric", "a_section", "b_section", "quotients"], columns: hasEnds ? [...COLUMNS, "end_ratio"] : COLUMNS, loads};
}
const COLUMNS = ["basis", "quotient_id", "quotient_ratio", "low_ratio", "high_ratio", "verdict", "comparability_grade"];
const digits = (value) => value == null ? null : Number(value.toPrecision(12));
