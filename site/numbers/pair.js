// The page of two configurations: every quotient in both directions, and what is not divided, with the reason.
import {count, interval} from "../components/format.js";
import {loadText} from "../components/loads.js";
import {card, en, escaped, h, ja, joined, markup, say, sentence, terms, unknown} from "./html.js";
import {chips, citing, deviceLink, grade, page, sqlAddress, submissionLink} from "./page.js";
import {metrics} from "./values.js";

const BASIS = {peak: "point.peak", low_depth: "number.low_depth"};

export function pairPage(context, row) {
  const [a, b] = [row.a, row.b].map((name) => side(context, name));
  const same = a.device === b.device;
  const [first, second] = same ? [`${a.device} (${a.configuration})`, `${b.device} (${b.configuration})`] : [a.device, b.device];
  const title = `${first} ÷ ${second}`;
  const query = `select load_profile, metric, basis, quotient_ratio, low_ratio, high_ratio, verdict\nfrom quotients where pair_id = '${row.id}'`;
  const runs = row.runs_low == null ? null : row.runs_low === row.runs_high ? row.runs_low : `${row.runs_low}–${row.runs_high}`;
  const body = h`<section class=top><h1 class=words>A: ${first}<br>B: ${second}</h1>${[en, ja].map((t) => h`<p${t.language === "ja" && markup(" lang=ja")}>${sentence(t, "number.told_pair", {count: row.words.length})}`)}${chips([
    h`${say("number.grade")}${grade(row.grade)}${row.worst !== row.grade && h`–${grade(row.worst)}`}`, runs && h`${say("number.runs")} ${runs}`, h`${row.evidence ?? ""}`
  ])}<p class=buttons><a class=main href="${context.root}compare?a=${encodeURIComponent(row.a)}&b=${encodeURIComponent(row.b)}">${say("number.compare_pair")}</a> <a href="${sqlAddress(context, query)}">${say("number.sql")}</a></p></section>
<div class=cards>${[a, b].map((one, i) => h`<section><h2>${"AB"[i]}</h2>${terms([[say("cond.device"), deviceLink(context, one.device_id, one.device)], [say("number.configuration"), h`${one.title ?? one.configuration}`], [say("number.publication"), submissionLink(context, one.submission)]])}</section>`)}</div>
${differing(row)}<section><h2>${say("number.quotients")}</h2><div class=table tabindex=0 role=region aria-label="${en("number.quotients")}">${table(context, row)}</div><p>${say("number.letters")}</p></section>${refused(row)}${citing(context, {kind: "q", id: row.id, title, query, row: {submission_id: a.submission}})}`;
  return {html: page(context, {kind: "q", id: row.id, title, about: `${row.words.length} quotients in both directions, with interval, verdict and grade.`, trail: joined([deviceLink(context, a.device_id, a.device), deviceLink(context, b.device_id, b.device)], " ÷ "), body}), json: data(context, row)};
}

function side(context, name) {
  const [submission, configuration] = name.split("/");
  const known = context.configurations[name] ?? {};
  return {submission, configuration, title: known.title, device: known.device ?? configuration, device_id: known.device_id};
}

// Bytes in the unit in which drives and memory are sold; whatever else is a number may be a version, and stays as it is.
const SIZES = {memory: [2 ** 30, "GiB"], capacity: [1e9, "GB"]};
function stated(value, label) {
  if (value == null) return unknown(en("state.unknown"));
  const [size, unit] = SIZES[label] ?? [];
  return size && /^\d{5,}$/.test(value) ? `${Number((value / size).toPrecision(4))} ${unit}` : value;
}

// What differs between the benches, and what nobody knows.
function differing(row) {
  const [differs, open] = [row.differences ?? [], row.unknown ?? []];
  return card("number.conditions", differs.length ? terms(differs.map((each) => [h`${each.label}${grade(each.effect)}`, h`${stated(each.a, each.label)} / ${stated(each.b, each.label)}`])) : h`<p>${say("number.nothing_differs")}</p>`, open.length ? h`<p>${unknown(h`${say("state.unknown")}: ${open.join(", ")}`)}</p>` : null);
}

// The place of a quotient on its page: eight digits of its id, which tell a few hundred apart.
export const placeOf = (id) => id.slice(0, 8);

// One row per load, basis and metric; the address of A ÷ B is the row, that of B ÷ A its cell. Rows of equal load and
// section stand below one heading. At one block size, IOPS and throughput have one quotient and one row. What is beyond
// the most that a light page holds is in the JSON; loads with a peak come first.
const MOST = 110;
function table(context, row) {
  const groups = new Map();
  row.words.forEach((words, i) => {
    const key = [words[0], words[5], words[6]].join("/");
    if (!groups.has(key)) groups.set(key, new Map());
    const bases = groups.get(key);
    bases.set(words[2], [...bases.get(words[2]) ?? [], cells(row.words[i], row.numbers[i])]);
  });
  let shown = 0, left = 0;
  let text = `<table><thead><tr><th>${say("number.basis")}<th>${say("number.metric")}<th>A<th>B<th>A ÷ B<th>B ÷ A<th>${say("number.word")}<tbody>`;
  for (const bases of [...groups.values()].sort((one, other) => other.has("peak") - one.has("peak"))) {
    const [[{words: [workload, , , , , sectionA, sectionB]}]] = bases.values();
    const sections = sectionA === sectionB ? sectionA : `${sectionA ?? "–"} / ${sectionB ?? "–"}`;
    if (shown < MOST) text += `<tr><th colspan=7>${escaped(loadText(context.workloads[workload]?.load_profile, en))}${sections ? `; ${escaped(sections)}` : ""}`;
    for (const [basis, found] of bases) {
      const name = BASIS[basis] ? en(BASIS[basis]) : escaped(basis.replace("queue_depth=", "").replace("=", " "));
      if (shown >= MOST) { left += found.length; continue; }
      const list = lines(context, name, basis === "peak" ? "k" : "p", found);
      shown += list.length;
      text += list.join("");
    }
  }
  return markup(`${text}</table>${left ? `<p>${say("number.more", {count: left})}: <a href="${row.id}.json">JSON</a>` : ""}`);
}

// What a row says of one quotient. Latencies stand in their own unit, rates in that of the metric.
function cells(words, [a, b, ratio, low, high, decimals]) {
  const {name, shown, unit} = metrics[words[1]];
  const isLatency = words[1] === "latency_mean_seconds";
  const digits = (each) => each.toFixed(Math.max(decimals ?? 2, each < 1 ? 3 : 0));
  const isWide = (low != null || high != null) && (low == null || high == null || digits(low) !== digits(high));
  return {
    words, metric: isLatency ? en(name) : unit(1), values: [a, b].map((each) => each == null ? "–" : isLatency ? `${shown(each)} ${unit(each)}` : shown(each)),
    same: `${ratio == null ? "–" : digits(ratio)}${isWide ? ` [${interval(low, high, digits)}]` : ""}`, turned: ratio == null ? "–" : digits(1 / ratio)
  };
}

function lines(context, name, kind, found) {
  const rates = found.filter(({words}) => words[1] !== "latency_mean_seconds");
  const [iops, bytes] = ["operations_per_second", "throughput_bytes_per_second"].map((metric) => rates.find(({words}) => words[1] === metric));
  const isOne = iops && bytes && iops.same === bytes.same && iops.turned === bytes.turned && iops.words[9] === bytes.words[9];
  const linked = new Set();
  const link = (id, value) => {
    if (value === "–" || !id || linked.has(id)) return value;
    linked.add(id);
    return `<a href=${context.root}${kind}/${id}>${value}</a>`;
  };
  return found.filter((each) => !isOne || each !== bytes).map((each) => {
    const [, , , own, turned, , , idA, idB, verdict] = each.words;
    const both = isOne && each === iops;
    const second = both ? [`<span id=${placeOf(bytes.words[3])}>, ${bytes.metric}</span>`, ...[7, 8].map((n) => each.words[n] !== bytes.words[n])] : [""];
    const value = (n, id) => link(id, each.values[n]) + (second[n + 1] ? `, ${link(bytes.words[7 + n], bytes.values[n])}` : "");
    return `<tr id=${placeOf(own)}><td>${name}<td>${each.metric}${second[0]}<td>${value(0, idA)}<td>${value(1, idB)}<td>${each.same}<td id=${placeOf(turned)}>${both ? `<span id=${placeOf(bytes.words[4])}>${each.turned}</span>` : each.turned}<td>${escaped(verdict ?? "")}`;
  });
}

const SHOWN = 20;
function refused(row) {
  const list = row.refused ?? [];
  if (!list.length) return null;
  return h`<section id=refused><h2>${say("number.refused")}</h2><ul>${list.slice(0, SHOWN).map((each) => h`<li><b>${say(`refused.${each.reason}`)}</b>${each.words && h`: ${each.words}`} <small>${each.loads}${each.count > 0 && h`, ${count(each.count)}`}</small>`)}</ul>${list.length > SHOWN && h`<p>${say("number.more", {count: list.length - SHOWN})}</p>`}</section>`;
}

// Of each load and metric a list of rows; a verdict is the number of its words.
function data(context, row) {
  const verdicts = [...new Set(row.words.map((words) => words[9]))];
  const loads = [];
  row.words.forEach(([workload_id, metric, basis, id, , a_section, b_section, , , verdict, grade], i) => {
    const last = loads.at(-1);
    const same = last && last.workload_id === workload_id && last.metric === metric && last.a_section === a_section && last.b_section === b_section;
    const own = same ? last : {workload_id, metric, a_section, b_section, quotients: []};
    if (!same) loads.push(own);
    own.quotients.push([basis, id, ...row.numbers[i].slice(2, 5).map((each) => each == null ? null : Number(each.toPrecision(12))), verdicts.indexOf(verdict), grade]);
  });
  return {pair_id: row.id, release_id: context.release, a: row.a, b: row.b, comparability_grade: row.grade, differences: row.differences ?? [], unknown: row.unknown ?? [], verdicts, columns: ["basis", "quotient_id", "quotient_ratio", "low_ratio", "high_ratio", "verdict", "comparability_grade"], loads};
}
