/*---
words: same_drive
nav: {section: load, order: 240, name: nav.benches}
queries: [same-drive-benches]
keywords: repeatability repetition variation bench confidence interval spread steady state snia randrepeat
---*/
import {html} from "htl";
import {benchColumns, benches, benchesAnswer, choices, onlyBench, selectSets} from "../components/charts/benches.js";
import {figure, heading} from "../components/figure.js";
import {chooseLoad, loadText} from "../components/loads.js";

const REPEATED = ["repeat-spread", "same-drive-intervals", "same-drive-steady"];

export default async function page({rows, t, state, link, number}) {
  const all = await rows("same-drive-benches");
  const {load, control} = chooseLoad(all.filter((d) => d.set_count > 1), {t, state});
  const shown = all.filter((d) => d.load_profile === load);
  const drives = choices(shown);
  const device = state.choice("drive", drives.map((d) => d.device_id), drives[0]?.device_id);
  const found = selectSets(shown, device);
  return html`<div class="answers">
    ${heading({question: t("q.benches"), answer: drives.length ? benchesAnswer(found, {t}) : t("same_drive.title"), sub: t("same_drive.lede")})}
    ${drives.length ? figure({
      id: "benches", question: t("benches.question"),
      load: t("benches.load", {load: loadText(load, t), runs: t(found.sets.some((d) => d.run_count > 1) ? "ladder.several_runs" : "ladder.one_run")}),
      controls: html`<div class="controls">${state.select({name: "drive", label: t("ladder.column.device"), options: drives.map((d) => ({value: d.device_id, label: t("benches.choice", {name: d.name, count: d.sets})})), fallback: drives[0].device_id})}
        ${control}</div>`,
      draw: (width) => benches(found, {width, t, number}),
      rows: [...found.sets, ...found.others], columns: benchColumns({t, number, link}), note: benchesNote(found, t), query: "same-drive-benches", t, state, link
    }) : html`<p class="note">${t("benches.nothing")}</p>`}
    <section class="card" id="repetitions"><h2>${t("repeat.title")}</h2><p>${t("repeat.text")}</p>
      <ul>${REPEATED.map((query) => html`<li><a href=${link("sql", {search: {query}})}>${t(`query.${query}`)}</a></li>`)}<li><a href=${link("first-round")}>${t("first_round.title")}</a></li></ul></section>
  </div>`;
}

const benchesNote = ({sets, others}, t) => [
  onlyBench(sets) ? t("benches.one_bench", {bench: onlyBench(sets)}) : null,
  t([...sets, ...others].some((d) => d.operations_per_second > 0) ? "benches.note" : "benches.note_depth_1"), t("benches.note_marks")
].filter(Boolean).join(t("sentence.space"));
