// The page of a scaling factor: an array over one drive of its kind.
import {interval, percent} from "../components/format.js";
import {queryOf} from "../components/sql/numbers.js";
import {card, en, h, ja, joined, markup, say, sentence, sentences, terms, unknown, word} from "./html.js";
import {bench, buttons, chips, citing, number, page, rests} from "./page.js";
import {alsoAt} from "./same.js";
import {digits, exact, factorHeading, ratio} from "./values.js";

export function factorPage(context, row) {
  const load = context.load(row);
  const configuration = row.array_configuration_id;
  const own = {...row, configuration_id: configuration};
  const device = context.device(own);
  const shown = ratio(row.factor_ratio, 4);
  const title = `${shown} times: ${row.drive_count} drives over one, ${load(en)}, ${device}`;
  const query = queryOf("s", row.id);
  const values = {load, device, drives: row.drive_count, basis: () => row.basis.replaceAll("_", " ").replace("=", " ")};
  const ends = row.factor_low_ratio != null || row.factor_high_ratio != null;
  const body = h`<section class=top>${factorHeading(row)}${[en, ja].map((t) => h`<p${t.language === "ja" && markup(" lang=ja")}>${sentences(t, [sentence(t, "number.told_factor", values), ends ? sentence(t, "number.interval_of", {ends: interval(row.factor_low_ratio, row.factor_high_ratio)}) : sentence(t, "number.too_few")])}`)}${chips([
    h`${row.topology}`, row.is_superlinear && say("number.superlinear")
  ])}${buttons(context, {kind: "s", id: row.id, compare: `${row.submission_id}/${configuration}`})}</section>
<div class=cards>${asked(context, row)}${bench(context, own)}${computed(context, row)}${stood(row)}</div>${rests([row.claim_id && number(context, "c", `${row.submission_id}/${row.claim_id}`, h`${say("number.claim")} ${row.claim_id}`), ...alsoAt(context, "s", row.other)])}${citing(context, {kind: "s", id: row.id, title, brief: `${shown} times, ${device}`, query, also: row.other && queryOf("s", row.other.id), row})}`;
  return {html: page(context, {kind: "s", id: row.id, title, about: `Scaling factor of ${row.submission_id}: operands, ideal, conditions.`, row: own, body, value: row.factor_ratio, unit: "1"}), json: data(context, row)};
}

const asked = (context, row) => card("number.asked", terms([
  [say("axis.drives"), h`${row.drive_count}, ${row.topology}`],
  [say("number.basis"), h`${row.basis.replaceAll("_", " ").replace("=", " ")}`],
  [say("number.depth"), h`${row.queue_depth ?? "–"} ÷ ${row.base_queue_depth ?? "–"}`]
]));

function computed(context, row) {
  const kind = row.queue_depth == null ? "k" : "p", base = row.base_queue_depth == null ? "k" : "p";
  const {other} = row;
  const value = (each, name) => exact(each.metric, each[`${name}_value`]);
  const linked = (letter, id, words) => id ? number(context, letter, id, words) : h`${words}`;
  const side = (letter, name) => {
    const [id, own] = [row[`${name}_id`], other?.[`${name}_id`]];
    if (!other) return linked(letter, id, value(row, name));
    if (id === own) return linked(letter, id, `${value(row, name)} · ${value(other, name)}`);
    return joined([linked(letter, id, value(row, name)), linked(letter, own, value(other, name))], " · ");
  };
  return card("number.computed", terms([
    [say("number.array"), h`${side(kind, "array")} <small>${row.array_configuration_id}, ${row.array_section}</small>`],
    [say("scale.one_drive"), h`${side(base, "base")} <small>${row.base_configuration_id}, ${row.base_section}</small>`],
    [say("number.quotient"), h`${digits(row.array_value)} ÷ ${digits(row.base_value)} = ${digits(row.factor_ratio)}`],
    [say("number.ideal"), row.ideal_ratio == null ? unknown(word("number.no_ideal")) : h`${ratio(row.ideal_ratio)}${row.is_depth_assumed && h` (${word("number.depth_assumed")})`}`],
    row.efficiency_ratio != null && [say("number.efficiency"), h`${digits(row.factor_ratio)} ÷ ${ratio(row.ideal_ratio)} = ${percent(row.efficiency_ratio)}`],
    row.stated_factor_text && [say("number.stated_factor"), h`<q lang=mul>${row.stated_factor_text}</q>${row.implied_base_value != null && h`; ${word("number.implies", {value: exact(row.metric, row.implied_base_value)})}`}`]
  ]));
}

const stood = (row) => card("number.place", h`<p>${say("number.in_operands")}</p>`, row.reasons ? h`<p>${say("number.reasons")}: ${joined(row.reasons.split("; ").map((each) => h`${each}`), "; ")}</p>` : null);

const KEPT = ["submission_id", "workload_id", "load_profile", "metric", "topology", "drive_count", "basis", "queue_depth", "base_queue_depth", "array_configuration_id", "array_section", "base_configuration_id", "base_section", "array_value", "base_value", "factor_ratio", "factor_low_ratio", "factor_high_ratio", "ideal_ratio", "efficiency_ratio", "is_comparable", "claim_id"];
const data = (context, row) => ({scaling_id: row.id, release_id: context.release, ...Object.fromEntries(KEPT.map((name) => [name, row[name]])), array_id: row.array_id, base_id: row.base_id});
