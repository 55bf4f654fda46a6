/*---
words: own
nav: {section: data, order: 505, name: own.nav}
queries: [own-points, own-workloads]
keywords: own result files try private file drop upload compare browser private fio diskspd iometer orion submit
---*/
import {html} from "htl";
import {ownPanel} from "../components/own/panel.js";

let made = null;

export default async function page({t, state, file, rows, link, number, base}) {
  const make = async () => {
    const {bytes} = await file("data/reader.json") ?? {bytes: 0};
    return html`<div><h1>${t("own.title")}</h1>
      <p class="lede">${t("own.lede")}</p>
      ${ownPanel({t, state, link, number, load: file, rows, base, bytes, isLive: !state.isStatic})}
      <p>${t.rich("own.commands")}</p>
      <p class="small muted">${t("own.licences")}</p>
    </div>`;
  };
  return state.isStatic ? make() : made ??= await make();
}
