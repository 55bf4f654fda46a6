/*---
words: missing
nav: none
---*/
import {html} from "htl";
import {languages, messages} from "../components/messages.js";

// One page answers for every address that is not there, so it speaks both languages; its links begin at the root of the site.
export default function page({base, language}) {
  const order = [language, ...languages.filter((other) => other !== language)];
  return html`<div>${order.map((each, i) => {
    const t = messages(each, {link: (path) => `${base}/${each === "en" ? "" : `${each}/`}${path}`});
    const heading = i ? html`<h2>${t("missing.title")}</h2>` : html`<h1>${t("missing.title")}</h1>`;
    return html`<section lang=${each}>${heading}<p class="lede">${t("missing.description")}</p><p>${t.rich("missing.where")}</p></section>`;
  })}</div>`;
}
