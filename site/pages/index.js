/*---
words: home
nav: none
queries: [media-ladder, home-facts, submissions]
keywords: storage benchmark results provenance ssd hdd optane nand
---*/
import {scaleLog} from "d3";
import {html} from "htl";
import {line, logTicks, surface, text, widthOf} from "../components/charts/draw.js";
import {drives, ladderColumns, ladderFinding, mediaStrip, quickestPairs} from "../components/charts/ladder.js";
import {figure} from "../components/figure.js";
import {latency, latencyTick, percent, quotient, times} from "../components/format.js";
import {loadText} from "../components/loads.js";
import {byMedium, drawSymbol, medium, mediumName} from "../components/marks.js";

const LOAD = "4 KiB random read";

export default async function page({rows, t, state, link, number}) {
  const [all, facts, submissions] = await Promise.all([rows("media-ladder"), rows("home-facts"), rows("submissions")]);
  const load = all.filter((d) => d.load_profile === LOAD);
  const counted = (fact) => facts.find((d) => d.fact === fact)?.number ?? 0;
  const pairs = quickestPairs(load);
  return html`<div class="answers home">
    <h1>${ladderFinding(pairs, t) ?? t("home.title")}</h1>
    <p class="sub">${pairs.length ? `${t("home.pairs", {count: pairs.length})}${t("sentence.space")}` : ""}${t("home.counts", {results: counted("results"), devices: counted("drives"), submissions: counted("submissions")})}</p>
    ${drives(load).some((d) => d.origin === "measured") ? figure({
      id: "ladder", question: t("home.by_medium"), load: loadText(LOAD, t),
      draw: (width) => mediaStrip(load, {width, t, number}) ?? html`<p class="note">${t("ladder.nothing")}</p>`,
      rows: drives(load), columns: ladderColumns({t, number, link}), note: [...t.rich("home.strip_note")], query: "media-ladder", t, state, link, most: 12
    }) : html`<p class="note">${t("ladder.nothing")}</p>`}
    <h2 class="hidden">${t("home.questions")}</h2>
    <ul class="questions">${questions(facts, {t}).map(({path, title, answer, picture}) => html`<li class="card question-card"><h3><a href=${link(path)}>${title}</a></h3><p>${answer}</p>${picture?.rows.length ? mini(picture.rows, {label: title, ...picture}) : null}</li>`)}</ul>
    <h2>${t("home.newest")}</h2>
    <ul class="newest">${submissions.slice(0, 6).map((d) => html`<li>
      <time datetime=${d.submitted_on}>${d.submitted_on}</time>
      <div><a href=${link(`submissions/${d.submission_id}`)}>${d.title}</a>${["active"].includes(d.status) ? null : html` <strong>${t.has(`status.${d.status}`) ? t(`status.${d.status}`) : d.status}</strong>`}
      <small>${[t(d.result_count ? "home.newest_results" : "home.newest_figures", {count: d.result_count || d.figure_count || 0}), t("home.newest_known", {share: percent(d.completeness_ratio ?? 0)})].join(" · ")}</small></div>
    </li>`)}</ul>
  </div>`;
}

// Eight questions, each with its answer in figures, four also with a picture of them; a fact that is not there is said to be missing.
export function questions(facts, {t}) {
  const of = (fact) => facts.filter((d) => d.fact === fact);
  const none = t("home.q.none");
  const range = (low, high) => low === high ? low : t("span", {from: low, to: high});
  const joined = (list, words) => list.length ? list.map(words).join(t("list.comma")) : null;
  const media = (fact) => of(fact).map((d) => ({...d, media_class: d.name})).sort((a, b) => a.low - b.low || byMedium(a, b));
  const knees = media("knee"), limitedMedia = media("knee_held"), tails = media("tail");
  const depths = [
    knees.length ? t("home.q.depth", {list: joined(knees, (d) => t(d.low === d.high ? "home.q.knee" : "home.q.knees", {medium: mediumName(d.media_class, t), low: d.low, high: d.high}))}) : null,
    limitedMedia.length ? t("home.q.depth_held", {list: joined(limitedMedia, (d) => mediumName(d.media_class, t))}) : null
  ].filter(Boolean);
  const factors = of("factor").sort((a, b) => a.name - b.name);
  const [pair] = of("pair");
  const [spread] = of("spread");
  const claims = Object.fromEntries(of("claims").map((d) => [d.name, d.number]));
  const total = Object.values(claims).reduce((sum, n) => sum + n, 0);
  const sum = (...names) => names.reduce((all, name) => all + (claims[name] ?? 0), 0);
  const [within] = of("within");
  const named = (d) => d.media_class === "usb" ? {label: t("home.usb"), media_class: "ssd_sata"} : {label: mediumName(d.media_class, t), media_class: d.media_class};
  const ratio = (value) => `${quotient(value).replace(/\.?0+$/, "")} ×`;
  return [
    {path: "compare", title: t("q.pair"), answer: pair ? t("home.q.pair", {range: `${range(quotient(pair.low), quotient(pair.high))} ×`, count: pair.number}) : none,
      picture: {rows: pair ? [{label: "990 PRO ÷ 980 PRO", low: pair.low, high: pair.high, media_class: "ssd_nvme"}] : [], tick: ratio, from: 1}},
    {path: "queue-depth", title: t("q.which_depth"), answer: depths.length ? depths.join(t("sentence.space")) : none,
      picture: {rows: knees.map((d) => ({...named(d), low: d.low, high: d.high})), tick: String, from: 1}},
    {path: "tail", title: t("q.tail"), answer: tails.length ? t("home.q.tail", {list: joined(tails, (d) => `${d.media_class === "usb" ? t("home.usb") : mediumName(d.media_class, t)} ${range(latency(d.low), latency(d.high))}`)}) : none,
      picture: {rows: tails.map((d) => ({...named(d), low: d.low, high: d.high})), tick: latencyTick}},
    {path: "scaling", title: t("q.scaling"), answer: factors.length ? t("home.q.scaling", {list: joined(factors, (d) => t("home.q.drives", {drives: d.name, ratio: `${range(quotient(d.low), quotient(d.high))} ×`}))}) : none,
      picture: {rows: factors.map((d) => ({label: t("home.drives", {drives: d.name}), low: d.low, high: d.high, media_class: "ssd_nvme"})), tick: ratio, from: 1}},
    {path: "within", title: t("within.question", {rate: "50 k", limit: "1 ms"}), answer: within?.number ? t("home.q.within", {yes: within.low, tail: within.high, count: within.number}) : none},
    {path: "same-drive", title: t("q.benches"), answer: spread ? t("home.q.benches", {device: spread.name, count: spread.number, ratio: times(spread.low).replace(" ×", "")}) : none},
    {path: "claims", title: t("q.claims"), answer: total ? t("home.q.claims", {count: total, holds: sum("follows", "consistent"), fails: sum("does_not_follow", "conflicts")}) : none},
    {path: "your-result", title: t("home.own"), answer: t("home.q.own")}
  ];
}

const MINI = {width: 262, row: 22, left: 8};

function mini(rows, {label, tick, from = Infinity}) {
  const [low, high] = [Math.min(from, ...rows.map((row) => row.low)), Math.max(...rows.map((row) => row.high))];
  const x = scaleLog([low / 1.05, high * 1.15], [MINI.left + Math.min(120, Math.max(...rows.map((row) => widthOf(row.label, 12)))) + 14, MINI.width - 12]);
  const ticks = logTicks(x.domain());
  const usualTicks = ticks.filter((_, i) => i % Math.ceil(ticks.length / 4) === 0);
  const bottom = rows.length * MINI.row + 4;
  return surface({width: MINI.width, height: bottom + 20, label},
    usualTicks.map((value) => [line(x(value), 2, x(value), bottom), text(tick(value), {x: x(value), y: bottom + 15, anchor: "middle", size: 11.5, fill: "var(--ink-2)"})]),
    rows.map((row, i) => {
      const y = i * MINI.row + 14, {color} = medium(row.media_class);
      return [
        text(row.label, {x: MINI.left, y: y + 4, size: 12, fill: "var(--ink-2)"}), line(x(row.low), y, x(row.high), y, {stroke: color, width: 3, opacity: 0.5}),
        ...[...new Set([row.low, row.high])].map((value) => drawSymbol({x: x(value), y, media_class: row.media_class, area: 40}))
      ];
    }));
}
