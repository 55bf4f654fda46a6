/*---
words: media
nav: {section: compare, order: 110, name: nav.media}
queries: [media-ladder]
keywords: media comparison ladder hdd ssd nand optane sas nvme peak queue depth 1
---*/
import {html} from "htl";
import {absent, drives, ladder, ladderAnswer, ladderColumns, ladderFinding, quickestPairs} from "../components/charts/ladder.js";
import {figure, further, heading} from "../components/figure.js";
import {blockOf, chooseLoad, loadText} from "../components/loads.js";

const MOST = 8;

export default async function page({rows, t, state, link, number, base}) {
  const all = await rows("media-ladder");
  const {load, control} = chooseLoad(all, {t, state});
  const shown = all.filter((d) => d.load_profile === load);
  const list = drives(shown), usual = foremost(list);
  const isAll = list.length === usual.size || state.choice("all", ["1"], "") === "1";
  const drawn = isAll ? shown : shown.filter((d) => usual.has(d.device_id));
  const runs = shown.some((d) => d.run_count > 1 || d.peak_count > 1) ? "ladder.several_runs" : "ladder.one_run";
  return html`<div class="answers">
    ${heading({question: t("q.media"), answer: ladderFinding(quickestPairs(shown), t) ?? t("media.title"), sub: shown.length ? ladderAnswer(shown, {t, hasFinding: true}) : t("media.lede")})}
    ${shown.length ? figure({
      id: "ladder", question: t("ladder.question"),
      load: t("ladder.load", {load: loadText(load, t), runs: t(runs)}),
      controls: control,
      draw: (width) => ladder(drawn, {width, t, number, link, missing: absent(all, load), blockBytes: blockOf(load)}),
      rows: list, columns: ladderColumns({t, number, link}), note: t("ladder.note"), query: "media-ladder", t, state, link, most: 30, machine: `${base}/data/media-ladder.json`
    }) : html`<p class="note">${t("ladder.nothing")}</p>`}
    ${isAll ? null : html`<p class="all-rows"><a class="scripted" id="ladder-all" href=${state.search({all: "1"})} onclick=${(event) => { event.preventDefault(); state.set({all: "1"}); }}>${t("ladder.all", {count: list.length, most: MOST})}</a></p>`}
    <p>${t.rich("media.next")}</p>
    ${further(["media-stated"], {t, link})}
  </div>`;
}

function foremost(list) {
  const rank = (d) => d.operations_per_second != null ? 0 : d.peak_value != null ? 1 : 2;
  return new Set([...Map.groupBy(list, (d) => d.media_class).values()].flatMap((of) => of.toSorted((a, b) => rank(a) - rank(b) || (b.peak_value ?? 0) - (a.peak_value ?? 0)).slice(0, MOST)).map((d) => d.device_id));
}
