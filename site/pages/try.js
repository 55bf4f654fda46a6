/*---
title: try.title
description: try.description
nav: {section: data, order: 530, name: try.nav}
keywords: own files results gate compare before after install private
---*/
import {html} from "htl";
import {tried} from "../components/tried.js";

// Four commands for one's own files, each with what it prints of ten reports of fio, and what is sent anywhere.
export default function page({t}) {
  return html`<div><h1>${t("try.title")}</h1>
    <p class="lede">${t("try.lede")}</p>
    <h2 id="install">${t("try.install")}</h2>
    <p>${t.rich("try.install_text")}</p>
    <pre><code>pip install .</code></pre>
    ${tried.map(({id, command, output, code}) => html`<section><h2 id=${id}>${t(`try.${id}`)}</h2>
      <p>${t.rich(`try.${id}_text`)}</p>
      <pre tabindex="0"><code>$ ${command}
${output}</code></pre>
      <p class="small muted">${t("try.code", {code})}</p></section>`)}
    <p class="small muted">${t("try.files")}</p>
    <h2 id="sent">${t("try.sent")}</h2>
    <p>${t.rich("try.sent_text")}</p>
  </div>`;
}
