// The quotients of two configurations as rows of a table: in full, with the values divided, or short, by quotient alone.
import {interval} from "../components/format.js";
import {loadText, profileOf} from "../components/loads.js";
import {endOf, openAt} from "../components/pair.js";
import {en, escaped, markup, say} from "./html.js";
import {metrics} from "./values.js";

const BASIS = {peak: "point.peak", low_depth: "number.low_depth"};

// The place of a quotient on its page: eight digits of its id, which tell a few hundred apart.
export const placeOf = (id) => id.slice(0, 8);

// What belongs together: of one load and one basis the row of each metric, {heading, place, full, short}. Loads with a
// peak come first. At one block size, IOPS and throughput have one quotient and one row.
export function blocksOf(context, row) {
  const owners = [row.a, row.b].map((name) => name.split("/")[0]);
  const groups = new Map();
  row.words.forEach((words, i) => {
    const key = [words[0], words[5], words[6]].join("/");
    if (!groups.has(key)) groups.set(key, new Map());
    const bases = groups.get(key);
    bases.set(words[2], [...bases.get(words[2]) ?? [], cells(row.words[i], row.numbers[i])]);
  });
  return [...groups.values()].sort((one, other) => other.has("peak") - one.has("peak")).flatMap((bases) => {
    const [[{words: [workload, , , , , sectionA, sectionB]}]] = bases.values();
    const sections = sectionA === sectionB ? sectionA : `${sectionA ?? "–"} / ${sectionB ?? "–"}`;
    const heading = escaped(`${loadText(profileOf(context.workloads[workload] ?? {}, owners), en)}${sections ? `; ${sections}` : ""}`);
    return [...bases].map(([basis, found]) => {
      const name = BASIS[basis] ? en(BASIS[basis]) : escaped(basis.replace("queue_depth=", "").replace("=", " "));
      return {heading, ...rows(context, name, basis === "peak" ? "k" : "p", found)};
    });
  });
}

export const countOf = (blocks) => blocks.reduce((sum, {full}) => sum + full.length, 0);

// Rows of equal load and section stand below one heading. The address of A ÷ B is its row, that of B ÷ A its cell. A verdict
// stands once beside all rows below each other that it holds for.
const COLUMNS = {full: ["A", "B"], short: []};
export function table(blocks, kind, after = () => "") {
  const columns = COLUMNS[kind];
  let text = `<table class=${kind}><thead><tr><th>${say("number.depth")}<th>${say("number.metric")}${columns.map((each) => `<th>${each}`).join("")}<th>A ÷ B<th>B ÷ A<th class=verdict>${say("number.word")}<tbody>`;
  for (let i = 0, end; i < blocks.length; i = end) {
    for (end = i + 1; blocks[end]?.heading === blocks[i].heading;) end++;
    text += `<tr><th colspan=${5 + columns.length}>${blocks[i].heading}${after(blocks[i])}${beside(blocks.slice(i, end).flatMap((block) => block[kind]))}`;
  }
  return markup(`${text}</table>`);
}

function beside(rows) {
  let text = "";
  for (let i = 0, end; i < rows.length; i = end) {
    for (end = i + 1; rows[end]?.verdict === rows[i].verdict;) end++;
    text += `${rows[i].cells}<td rowspan=${end - i}>${rows[i].verdict}${rows.slice(i + 1, end).map(({cells}) => cells).join("")}`;
  }
  return text;
}

// What a row says of one quotient. Latencies stand in their own unit, rates in that of the metric. Where a side is a bound,
// an end stands in place of the quotient. An interval that knows of no runs but only of rounded digits says so where it stands.
const ROUNDED = "rounding";
function cells(words, [a, b, ratio, least, most, decimals]) {
  const end = endOf({metric: words[1], verdict: words[9], quotient_ratio: ratio, low_ratio: least, high_ratio: most, a_value: a, b_value: b});
  const {low_ratio: low, high_ratio: high} = end == null ? {low_ratio: least, high_ratio: most} : openAt(end, words[9]);
  const {name, shown, unit} = metrics[words[1]];
  const isLatency = words[1] === "latency_mean_seconds";
  const digits = (each) => each.toFixed(Math.max(decimals ?? 2, each > 0 && each < 1 ? 2 - Math.floor(Math.log10(each)) : 0));
  const isWide = (low != null || high != null) && (low == null || high == null || digits(low) !== digits(high));
  return {
    words, metric: isLatency ? en(name) : unit(1), values: [a, b].map((each) => each == null ? "–" : isLatency ? `${shown(each)} ${unit(each)}` : shown(each)),
    same: ratio == null ? interval(low || null, high, digits) : `${digits(ratio)}${isWide ? ` <small>[${words[11] === ROUNDED ? `${en("number.rounding")} ` : ""}${interval(low, high, digits)}]</small>` : ""}`,
    turned: ratio == null ? interval(over(high), over(low), digits) : digits(1 / ratio)
  };
}
const over = (end) => end ? 1 / end : null;

function rows(context, name, kind, found) {
  const rates = found.filter(({words}) => words[1] !== "latency_mean_seconds");
  const [iops, bytes] = ["operations_per_second", "throughput_bytes_per_second"].map((metric) => rates.find(({words}) => words[1] === metric));
  const isOne = iops && bytes && iops.same === bytes.same && iops.turned === bytes.turned && iops.words[9] === bytes.words[9];
  const linked = new Set();
  const link = (id, value) => {
    if (value === "–" || !id || linked.has(id)) return value;
    linked.add(id);
    return `<a href=${context.root}${kind}/${id}>${value}</a>`;
  };
  const full = [], short = [];
  for (const each of found.filter((one) => !isOne || one !== bytes)) {
    const [, , , own, turned, , , idA, idB, verdict] = each.words;
    const both = isOne && each === iops;
    const value = (n, id) => link(id, each.values[n]) + (both && each.words[7 + n] !== bytes.words[7 + n] ? `, ${link(bytes.words[7 + n], bytes.values[n])}` : "");
    const start = `<tr id=${placeOf(own)}><td${/^\d+$/.test(name) ? "" : " class=w"}>${name}<td>${each.metric}${both ? `<span id=${placeOf(bytes.words[3])}>, ${bytes.metric}</span>` : ""}`;
    const end = `<td>${each.same}<td id=${placeOf(turned)}>${both ? `<span id=${placeOf(bytes.words[4])}>${each.turned}</span>` : each.turned}`;
    const said = escaped(verdict ?? "");
    full.push({cells: `${start}<td>${value(0, idA)}<td>${value(1, idB)}${end}`, verdict: said});
    short.push({cells: start + end, verdict: said});
  }
  return {place: placeOf(found[0].words[3]), full, short};
}
