/*---
title: home.title
description: home.description
nav: none
queries: [media-ladder, home-facts, home-newest]
keywords: storage benchmark results provenance ssd hdd optane
---*/
import {html} from "htl";
import {absent, drives, ladder, ladderAnswer, ladderColumns} from "../components/charts/ladder.js";
import {figure} from "../components/figure.js";
import {latency, percent, quotient} from "../components/format.js";
import {mediumName, byMedium} from "../components/media.js";
import {loadText} from "../components/loads.js";

const LOAD = "4 KiB random read";

export default async function page({rows, t, state, link, number}) {
  const [all, facts, newest] = await Promise.all([rows("media-ladder"), rows("home-facts"), rows("home-newest")]);
  const load = all.filter((d) => d.load_profile === LOAD);
  const shown = onHome(load);
  const number_ = (fact) => facts.find((d) => d.fact === fact)?.number ?? 0;
  const leftOut = drives(load).length - drives(shown).length;
  return html`<div class="home">
    <h1>${t("home.title")}</h1>
    <p class="lede">${t("home.lede", {results: number_("results"), devices: number_("drives")})}</p>
    ${shown.length ? figure({
      id: "ladder", question: t("q.media"), answer: ladderAnswer(shown, {t}),
      load: [t("ladder.load_bytes", {load: loadText(LOAD, t), bytes: 4096, runs: t(shown.some((d) => d.repetition_count > 1 || d.peak_count > 1) ? "ladder.several_runs" : "ladder.one_run")}), leftOut ? [t("sentence.space"), ...t.rich("home.left_out", {count: leftOut})] : null].flat().filter(Boolean),
      draw: (width) => ladder(shown, {width, t, number, link, missing: absent(all, LOAD).filter((d) => d.media_class !== "virtual")}),
      rows: drives(shown), columns: ladderColumns({t, number, link}), note: t("ladder.note"), query: "media-ladder", t, state, link
    }) : html`<p class="note">${t("ladder.nothing")}</p>`}
    <h2 class="hidden">${t("home.questions")}</h2>
    <ul class="questions">${questions(facts, {t}).map(({path, title, answer}) => html`<li class="card question-card"><h3><a href=${link(path)}>${title}</a></h3><p>${answer}</p></li>`)}</ul>
    <h2>${t("home.newest")}</h2>
    <ul class="newest">${newest.map((d) => html`<li>
      <time datetime=${d.submitted_on}>${d.submitted_on}</time>
      <div><a href=${link(`submissions/${d.submission_id}`)}>${d.title}</a>${["active"].includes(d.status) ? null : html` <strong>${t.has(`status.${d.status}`) ? t(`status.${d.status}`) : d.status}</strong>`}
      <small>${[t(d.result_count ? "home.newest_results" : "home.newest_figures", {count: d.result_count || d.figure_count || 0}), t("home.newest_known", {share: percent(d.completeness_ratio ?? 0)})].join(" · ")}</small></div>
    </li>`)}</ul>
  </div>`;
}

// The home page shows the drives that have a rate at depth 1 and a medium of the list: those a reader can compare at a glance.
export const onHome = (rows) => rows.filter((d) => d.origin === "measured" && d.media_class !== "other" && (d.operations_per_second != null || d.latency_mean_seconds != null));

// Eight questions, each with its answer in figures; a fact that is not there is said to be missing.
export function questions(facts, {t}) {
  const of = (fact) => facts.filter((d) => d.fact === fact);
  const total = (list) => list.reduce((sum, d) => sum + d.number, 0);
  const none = t("home.q.none");
  const knees = of("knee").map((d) => ({...d, media_class: d.name})).sort((a, b) => a.low - b.low || byMedium(a, b));
  const held = of("knee_held").map((d) => ({...d, media_class: d.name})).sort(byMedium);
  const depths = [
    knees.length ? t("home.q.depth", {list: knees.map((d) => t(d.low === d.high ? "home.q.knee" : "home.q.knees", {medium: mediumName(d.media_class, t), low: d.low, high: d.high})).join(t("list.comma"))}) : null,
    held.length ? t("home.q.depth_held", {list: held.map((d) => mediumName(d.media_class, t)).join(t("list.comma"))}) : null
  ].filter(Boolean);
  const verdicts = Object.fromEntries(of("verdict").map((d) => [d.name, d.number]));
  const factor = of("factor").find((d) => d.name === "4") ?? of("factor").at(-1);
  const [spread] = of("spread");
  const [tail] = of("tail");
  const claims = Object.fromEntries(of("claims").map((d) => [d.name, d.number]));
  const unknown = of("unknown").sort((a, b) => b.low - a.low || (a.name < b.name ? -1 : 1));
  const holds = ["follows", "consistent"].reduce((sum, name) => sum + (claims[name] ?? 0), 0);
  const fails = ["does_not_follow", "conflicts"].reduce((sum, name) => sum + (claims[name] ?? 0), 0);
  return [
    {path: "queue-depth", title: t("q.which_depth"), answer: depths.length ? depths.join(t("sentence.space")) : none},
    {path: "compare", title: t("q.pair"), answer: total(of("verdict")) ? t("home.q.pair", {count: total(of("verdict")), sure: (verdicts["A faster"] ?? 0) + (verdicts["B faster"] ?? 0) + (verdicts.equal ?? 0), single: verdicts.none ?? 0, open: verdicts.undecided ?? 0}) : none},
    {path: "scaling", title: t("q.scaling"), answer: factor ? t("home.q.scaling", {drives: Number(factor.name), low: quotient(factor.low), high: quotient(factor.high), count: factor.number}) : none},
    {path: "same-drive", title: t("q.benches"), answer: spread ? t("home.q.benches", {device: spread.name, count: spread.number, ratio: quotient(spread.low)}) : none},
    {path: "tail", title: t("q.tail"), answer: tail?.number ? t("home.q.tail", {low: latency(tail.low), high: latency(tail.high), count: tail.number}) : none},
    {path: "claims", title: t("q.claims"), answer: total(of("claims")) ? t("home.q.claims", {count: total(of("claims")), holds, fails}) : none},
    {path: "coverage", title: t("q.coverage"), answer: unknown.length ? t("home.q.coverage", {fields: unknown.map((d) => t(`home.field.${d.name}`)).join(t("list.comma")), share: percent(unknown.at(-1).low), count: unknown[0].number}) : none},
    {path: "submissions/", title: t("home.add"), answer: t("home.q.add", {count: of("submissions")[0]?.number ?? 0})}
  ];
}
