/*---
words: consistency
nav: {section: trust, order: 430, name: consistency.nav}
queries: [consistency-strips, consistency-little]
parts: submissions
keywords: consistency little's law mix limit transaction check plausibility residual
---*/
import {scaleLinear} from "d3";
import {html, svg} from "htl";
import {isNarrow, line, round, rowChart} from "../components/charts/draw.js";
import {figure, further, heading} from "../components/figure.js";
import {count, percent} from "../components/format.js";
import {byLoad, loadText} from "../components/loads.js";
import {verdictText} from "../components/marks.js";
import {table} from "../components/table.js";

const NEAR = 0.05;
const MOST_BYTES = 12_000;
const signedPercent = (ratio, digits = 1) => `${ratio > 0 ? "+" : ""}${(ratio * 100).toFixed(digits)}`.replace("-", "−");

const source = (d, {link}) => html`<a href=${link(`submissions/${d.submission_id}`, {hash: d.configuration_id})}>${d.title ?? d.configuration_id}</a><small lang="en">${[d.conditions, d.section].filter(Boolean).join("; ")}</small>`;

export default async function consistency(context) {
  const {parts, part, rows, t, state} = context;
  const [listed, all] = [await parts("consistency"), await rows("consistency-strips")];
  const answer = stripsAnswer(all, {t});
  // the first source shown is the one that can be checked most, as far as a page may weigh
  const fallback = listed.filter((d) => d.bytes <= MOST_BYTES).toSorted((a, b) => b.bytes - a.bytes)[0]?.part ?? listed[0]?.part;
  const chosen = state.choice("part", listed.map((d) => d.part), fallback);
  const [laws] = await part("consistency", chosen, ["consistency-little"]);
  return html`<div class="answers">
    ${heading({question: t("consistency.title"), answer: answer.heading, sub: answer.sub})}
    ${all.length ? figure({...context, id: "strips", question: t("strips.question"), note: t("strips.note"), query: "consistency-strips", draw: (width) => strips(all, {width, t, link: context.link, chosen})}) : null}
    <p class="note">${t.rich("consistency.compared")}</p>
    ${listed.length > 1 ? state.select({name: "part", label: t("column.submission"), options: listed.map((d) => ({value: d.part, label: d.label})), fallback}) : null}
    ${law(laws, context)}
    ${further(["consistency-limits", "consistency-mix", "consistency-transactions"], context)}
  </div>`;
}

function law(laws, context) {
  const {t, state} = context;
  const off = laws.filter((d) => Math.abs(d.residual_ratio) > NEAR);
  const rows = Array.from(Map.groupBy([...off].sort(byLoad), (d) => [d.load_profile, d.submission_id, d.configuration_id, d.section, d.verdict].join("\n")).values(), (its) => ({
    ...its[0], runs: its.length, depths: [...new Set(its.map((d) => d.queue_depth))].join(", "), lowest: Math.min(...its.map((d) => d.residual_ratio)), highest: Math.max(...its.map((d) => d.residual_ratio))
  }));
  return html`<h2 id="law">${t("consistency.law")}</h2><p>${t("consistency.law_words")}</p>
    ${rows.length ? table(rows, [
      {label: t("column.load"), value: (d) => loadText(d.load_profile, t), head: true}, {label: t("checks.outcome"), value: (d) => html`${verdictText([d.verdict], t)}<small lang="en">${d.reasons?.join("; ")}</small>`},
      {label: t("column.runs"), value: (d) => d.runs, num: true}, {label: t("consistency.depths"), value: (d) => d.depths}, {label: t("consistency.off"), value: (d) => d.runs > 1 ? t("consistency.range", {low: signedPercent(d.lowest), high: signedPercent(d.highest)}) : signedPercent(d.lowest), num: true},
      {label: t("consistency.latency"), value: (d) => d.latency_kind ?? t("consistency.span_unknown")}, {label: t("device.configuration"), value: (d) => source(d, context)}
    ], {caption: t("consistency.law_off", {count: off.length, all: laws.length}), t, state, id: "law-table", isShort: true}) : html`<p class="note">${t(laws.length ? "consistency.law_all" : "consistency.law_empty")}</p>`}`;
}

const [FIRST, HEIGHT, STEPS] = [-12, 44, 3];
const edge = (bin) => percent(0.05 * 4 ** (bin / STEPS));
const colorOf = (bin) => bin < 0 ? "var(--accent)" : bin < STEPS ? "var(--warn)" : "var(--bad)";
const totals = (rows) => [...new Map(rows.map((row) => [row.submission_id, row])).values()];

function strips(rows, {width, t, link, chosen}) {
  const last = Math.max(6, ...rows.map(({bin}) => bin)) + 1;
  const most = Math.sqrt(Math.max(...rows.map((row) => row.result_count)));
  const ticks = [-12, -9, -6, -3, 0, 3, ...last > 8 ? [6] : []].filter((bin) => !isNarrow(width) || bin !== -9);
  const bar = ({bin, result_count}, x, base) => {
    const height = Math.max(2, Math.sqrt(result_count) / most * HEIGHT);
    return svg`<rect x=${round(x(bin) + 0.5)} y=${round(base - height)} width=${Math.max(1, round(x(1) - x(0) - 1))} height=${round(height)} fill=${colorOf(bin)}><title>${t("strips.bin", {count: result_count, from: bin === FIRST ? "0 %" : edge(bin), to: edge(bin + 1)})}</title></rect>`;
  };
  return rowChart({
    width, label: t("strips.label"), columns: [{}], axes: [{scale: (range) => scaleLinear([FIRST, last], range), ticks: () => ticks, words: edge, title: t("strips.axis")}],
    groups: [{rows: totals(rows).map((its) => ({
      name: its.title.split(": ")[0], href: link("consistency", {search: {part: its.submission_id}, hash: "law"}), isStrong: its.submission_id === chosen, note: t("strips.of", {found: count(its.consistent_count), all: count(its.total_count)}),
      texts: [its.nearly_count + its.missed_count ? t("strips.off", {nearly: its.nearly_count, missed: its.missed_count}) : null], short: null, height: HEIGHT + 14,
      marks: (y, [x], base = y + HEIGHT / 2) => [
        [[0, STEPS, "var(--warn)"], [STEPS, last, "var(--bad)"]].map(([from, to, color]) => svg`<rect x=${round(x(from))} y=${base - HEIGHT} width=${round(x(to) - x(from))} height=${HEIGHT} fill=${color} opacity="0.1" />`),
        rows.filter((each) => each.submission_id === its.submission_id).map((each) => bar(each, x, base)), line(x(FIRST), base, x(last), base, {stroke: "var(--line-strong)"})
      ]
    }))}]
  });
}

function stripsAnswer(rows, {t}) {
  if (!rows.length) return {heading: t("strips.none"), sub: ""};
  const sum = (name) => count(totals(rows).reduce((all, row) => all + row[name], 0));
  return {heading: t("strips.answer", {found: sum("consistent_count"), all: sum("total_count")}), sub: t("strips.sub", {nearly: sum("nearly_count"), missed: sum("missed_count")})};
}
