/*---
words: rules
nav: {section: method, order: 630, name: rules.nav}
documents: [rules]
keywords: rule error message refuse warn validation R-
---*/
import {html} from "htl";
import {count} from "../components/format.js";
import {table} from "../components/table.js";

export default async function rules({rows, t, fragment}) {
  const found = await rows("rules");
  const asked = fragment();
  const stages = [...new Set(found.map((d) => d.stage))].sort((a, b) => order(a) - order(b) || a.localeCompare(b, "en"));
  const refusing = found.filter((d) => d.severity === "refuse").length;
  const stat = (number, key) => html`<div><b>${count(number)}</b><span>${t(key)}</span></div>`;
  return html`<div>
    <h1>${t("rules.title")}</h1>
    <p class="lede">${t("rules.lede")}</p>
    <div class="stats">${stat(found.length, "rules.count")}${stat(refusing, "rules.refuse")}${stat(found.length - refusing, "rules.warn")}</div>
    ${stages.map((stage) => [stage, found.filter((d) => d.stage === stage)]).map(([stage, its]) => html`<details class="card fold" id=${`stage-${stage}`} open=${its.some((d) => d.rule === asked) || asked === `stage-${stage}`}>
      <summary><h2>${t(`rules.stage_${stage}`)}</h2><p>${t(`rules.about_${stage}`)}</p><span class="muted">${t("rules.folded", {count: its.length, refusing: its.filter((d) => d.severity === "refuse").length})}</span></summary>
      ${table(its, shape(t), {caption: t("rules.caption", {count: its.length, stage: t(`rules.stage_${stage}`)}), t})}</details>`)}
  </div>`;
}

const STAGES = ["reading", "submission", "numbers", "build", "command"];
const order = (stage) => (STAGES.indexOf(stage) + STAGES.length + 1) % (STAGES.length + 1);

const shape = (t) => [
  {label: t("rules.rule"), value: (d) => html`<a id=${d.rule} class="anchor" href=${`#${d.rule}`}>${d.rule}</a>`, head: true},
  {label: t("rules.holds"), value: (d) => d.text},
  {label: t("rules.otherwise"), value: (d) => html`<span class=${`badge badge-${d.severity === "refuse" ? "X" : "C"}`}>${t(d.severity === "refuse" ? "rules.refuses" : "rules.warns")}</span>`},
  {label: t("rules.area"), value: (d) => d.area.replaceAll("_", " ")}
];
