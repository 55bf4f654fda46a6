/*---
words: limits
nav: {section: method, order: 650, name: limits.nav}
keywords: limitations caveats what this does not say
---*/
import {html} from "htl";

const PARTS = {sources: 4, excerpts: 3, comparisons: 4, measured: 1, units: 2};

export default function limits({t}) {
  return html`<div><h1>${t("limits.title")}</h1>
    <p class="lede">${t("limits.lede")}</p>
    ${Object.entries(PARTS).map(([part, count]) => html`<h2 id=${part}>${t(`limits.${part}`)}</h2>
      <ul>${Array.from({length: count}, (_, i) => html`<li>${t.rich(`limits.${part}_${i + 1}`)}</li>`)}</ul>`)}
  </div>`;
}
