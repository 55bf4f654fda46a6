import {html} from "npm:htl";

// Rows as site/data/parts.py packs them: by column, with texts that repeat once.
export function unpacked({count, columns}) {
  const rows = Array.from({length: count}, () => ({}));
  for (const [name, {values, texts, at}] of Object.entries(columns)) {
    for (let i = 0; i < count; i++) {
      const value = values ? values[i] : at[i] == null ? null : texts[at[i]];
      if (value != null) rows[i][name] = value;
    }
  }
  return rows;
}

// A file beside the pages, by the parts of its path; null where there is none.
export async function fetched(base, ...path) {
  const response = await fetch(`${base}/${path.map(encodeURIComponent).join("/")}.json`);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${path.join("/")} did not load (${response.status}). Reload the page.`);
  return response.json();
}

// The rows of a page's queries under one group of loads: a list per query, in the order of `queries`, empty where none is.
export async function part(page, name, queries, base = ".") {
  const found = name == null ? null : await fetched(base, "parts", ...page.split("/"), name);
  return queries.map((query) => found?.[query] ? unpacked(found[query]) : []);
}

const light = 15_000;

// A choice among the parts of a page; use with view(). The address keeps it, so that a chart can be shared. With one there
// is nothing to choose. A page opens with the first part that weighs little.
export function loads(groups, label = "Loads") {
  const asked = new URLSearchParams(location.search).get("part");
  const chosen = groups.some((d) => d.part === asked) ? asked : (groups.find((d) => d.bytes <= light) ?? groups[0])?.part ?? null;
  const form = html`<form class="sides" style="max-width: 30rem" hidden=${groups.length < 2}><label>${label}<select name="part">${groups.map((d) => html`<option value=${d.part} selected=${d.part === chosen}>${d.label}</option>`)}</select></label></form>`;
  form.value = chosen;
  form.oninput = () => {
    form.value = form.elements.part.value;
    history.replaceState(null, "", `?${new URLSearchParams({part: form.value})}${location.hash}`);
  };
  return form;
}

// What is drawn of one group of loads out of several: `read` gives its rows, `draw` an element of them.
export function byLoads(groups, read, draw) {
  const choice = loads(groups);
  const box = html`<div></div>`;
  const show = async () => {
    const wanted = choice.value;
    const drawn = await read(wanted).then(draw, (error) => html`<p class="note">${error.message}</p>`);
    if (wanted === choice.value) box.replaceChildren(drawn);
  };
  choice.addEventListener("input", show);
  show();
  return html`<div>${choice}${box}</div>`;
}
