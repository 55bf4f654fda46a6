// Gives a page its data, words, links and state, and draws it again when the state changes. Pages do not know the framework.
import {html} from "htl";
import {messages} from "./messages.js";
import {ENDING, unzip, isGzipped} from "./packed.js";
import {stateOf} from "./state.js";

// Rows as the site step packs them: by column, with texts that repeat once. A value that is null has no key.
export function unpackRows({count, columns}) {
  const rows = Array.from({length: count}, () => ({}));
  for (const [name, {values, texts, at}] of Object.entries(columns)) {
    for (let i = 0; i < count; i++) {
      const value = values ? values[i] : at[i] == null ? null : texts[at[i]];
      if (value != null) rows[i][name] = value;
    }
  }
  return rows;
}

// What pages load of which there is a Japanese file beside the English one; site/data/glosses.py writes it.
const GLOSSED = /^(data\/(claims|checks|columns|sources|coverage|method|rules|submissions|tables)|content\/submissions)(\/.*)?\.json$/;

// `path`: English ("/devices/[device]"); `base`: way to the root; `id`: for the brackets; `read(path)`: JSON or null; `fragment()`: after #.
export function context({path, language, base, id = null, read, state, fragment = () => ""}) {
  const kind = path.includes("[") ? path.split("/")[1] : null;
  const link = (name, options = {}) => `${base}/${language === "en" ? "" : `${language}/`}${address(name, options)}`;
  const file = (name) => read(language !== "en" && GLOSSED.test(name) ? `${language}/${name}` : name);
  const json = (...names) => file(`${names.flatMap((name) => name.split("/")).map(encodeURIComponent).join("/")}.json`);
  return {
    path, language, base, kind, id, state, link, fragment,
    file,
    t: messages(language, {link}),
    // a number is a row of the page of its sweep, and the data have its address; pairs and claims have pages of their own
    number: (letter, name) => link(`${"qc".includes(letter) ? letter : "m"}/${String(name).split("#").map((part) => part.split("/").map(encodeURIComponent).join("/")).join("#")}`),
    rows: async (query) => plain(await requireAnswer(json("data", query), query)),
    part: async (page, name, queries) => {
      const found = name == null ? null : await json("parts", page, name);
      return queries.map((query) => found?.[query] ? unpackRows(found[query]) : []);
    },
    parts: async (page) => await json("parts", page) ?? [],
    content: async () => whole(await requireAnswer(json("content", kind, id), id)),
    later: async (name) => whole(await requireAnswer(json("content", kind, id, name), name))
  };
}

const isPacked = (value) => value != null && typeof value === "object" && "count" in value && "columns" in value;
const plain = (value) => isPacked(value) ? unpackRows(value) : value;
const whole = (content) => Object.fromEntries(Object.entries(content).map(([name, value]) => [name, plain(value)]));

// "queue-depth", {search: {part: "x"}, hash: "knees"} -> "queue-depth?part=x#knees"; search may be a text that is written already.
function address(name, {search = "", hash = ""}) {
  const path = name.replace(/^\//, "").replace(/^index$/, "");
  const query = typeof search === "string" ? search.replace(/^\?/, "") : new URLSearchParams(search).toString();
  return `${path}${query && `?${query}`}${hash && `#${String(hash).replace(/^#/, "")}`}`;
}

async function requireAnswer(answer, name) {
  const found = await answer;
  if (found == null) throw new Error(`there is no file for ${name}`);
  return found;
}

// Says of every text that is left in English on a page of another language that it is: names, titles, what sources say.
export function markLanguage(drawn, language) {
  if (language === "en") return drawn;
  const texts = document.createTreeWalker(drawn, 4);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const {parentElement: box} = node;
    if (box && /[a-z]{2,}[ -][a-z]{2,}/.test(node.data) && !/[\u3040-\u30ff\u4e00-\u9fff]/.test(box.textContent) && !box.closest("[lang], code, pre, script, style, option")) box.setAttribute("lang", "en");
  }
  return drawn;
}

// Draws a page into an element and replaces it when the state changes; the newest drawing wins. The drawing of the build stands there before.
export async function mount(page, {path, language, base}) {
  const place = html`<div class="page"></div>`;
  const before = document.querySelector("main .page");
  const isThere = target() != null;
  const id = path.includes("[") ? decodeText(location.pathname.replace(/\/$/, "").split("/").at(-1).replace(/\.html$/, "")) : null;
  const given = context({path, language, base, id, read: reader(base), state: stateOf({where, redraw: () => draw().catch(failed)}), fragment: () => decodeText(location.hash.slice(1))});
  let newest = 0;

  async function draw() {
    const mine = ++newest;
    const {search} = location;
    const drawn = markLanguage(await page(given), language);
    if (mine !== newest) return;
    if (location.search !== search) await draw(); // what was opened meanwhile is closed in this drawing
    else keeping(place, () => place.replaceChildren(drawn));
  }

  function failed(error) {
    console.error(error);
    place.prepend(html`<p class="note error" role="alert">${given.t("page.failed", {what: error.message})}</p>`);
  }

  addEventListener("popstate", () => draw().catch(failed));
  await draw();
  if (before) {
    await untilChosen(before);
    takeOver(before, place);
  }
  if (!isThere) requestAnimationFrame(() => target()?.scrollIntoView({behavior: "instant"}));
  return place;
}

// What stands at the hash of the address. A browser that looked for it before the page was drawn found nothing.
const target = () => location.hash.length > 1 ? document.getElementById(decodeText(location.hash.slice(1))) : null;

// A list that a reader has opened is not taken away under the hand, for some seconds.
const PATIENCE = 5000;
function untilChosen(before) {
  const list = document.activeElement;
  if (!before.contains(list) || list.localName !== "select" || isChanged(list)) return null;
  return new Promise((done) => {
    for (const end of ["change", "blur"]) list.addEventListener(end, done, {once: true});
    setTimeout(done, PATIENCE);
  });
}

function isChanged(control) {
  if (control.localName === "select") return control.selectedIndex !== Math.max(0, Array.from(control.options).findIndex((option) => option.defaultSelected));
  return control.checked !== control.defaultChecked || control.value !== control.defaultValue;
}

// Keeps what a reader did before the scripts were there: what was chosen and typed, the place of the focus, and what is opened.
function takeOver(before, place) {
  for (const control of before.querySelectorAll("select[id], input[id]")) {
    const own = isChanged(control) && place.querySelector(`#${CSS.escape(control.id)}`);
    if (!own) continue;
    own.value = control.value;
    if ("checked" in control) own.checked = control.checked;
    for (const kind of ["input", "change"]) own.dispatchEvent(new Event(kind, {bubbles: true}));
  }
  for (const {id} of before.querySelectorAll("details[open][id]")) place.querySelector(`#${CSS.escape(id)}:not([open]) > summary`)?.click();
  const focused = focusedIn(before);
  if (!focused) return;
  const shown = new MutationObserver(() => {
    if (!place.isConnected) return;
    shown.disconnect();
    if (document.activeElement === document.body) focused(place)?.focus({preventScroll: true});
  });
  shown.observe(document.querySelector("main"), {childList: true, subtree: true}); // at once: what is pressed before the next frame counts
}

// A function that finds the focused element in another drawing, by id, or among those that are the same; null without focus.
function focusedIn(drawing) {
  const focused = document.activeElement;
  if (focused === drawing || !drawing.contains(focused)) return null;
  if (focused.id) return (other) => other.querySelector(`#${CSS.escape(focused.id)}`);
  const likeIt = (other) => [...other.querySelectorAll(focused.localName)].filter((each) => each.getAttribute("href") === focused.getAttribute("href") && each.textContent === focused.textContent);
  const place = likeIt(drawing).indexOf(focused);
  return (other) => likeIt(other)[place];
}

const where = {
  search: () => location.search,
  go: (search, push) => history[push ? "pushState" : "replaceState"](history.state, "", `${location.pathname}${search}${location.hash}`)
};

function reader(base) {
  const asked = new Map();
  return (path) => {
    if (!asked.has(path)) asked.set(path, fetchFile(`${base}/${path}`, isGzipped(decodeText(path))).catch((error) => { asked.delete(path); throw error; }));
    return asked.get(path);
  };
}

async function fetchFile(address, isSmall) {
  const response = await fetch(isSmall ? `${address}${ENDING}` : address);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return isSmall ? (await unzip(response)).json() : response.json();
}

function keeping(place, replace) {
  const focused = focusedIn(place);
  const {value, selectionStart, selectionEnd} = focused ? document.activeElement : {};
  const scrolled = [...place.querySelectorAll("[id]")].filter((box) => box.scrollLeft || box.scrollTop).map((box) => [box.id, box.scrollLeft, box.scrollTop]);
  replace();
  for (const [box, left, top] of scrolled) document.getElementById(box)?.scrollTo({left, top, behavior: "instant"});
  const next = focused?.(place);
  if (!next) return;
  next.focus({preventScroll: true});
  if (!/^(search|text)$/.test(next.type)) return;
  if (next.value !== value) next.value = value;
  next.setSelectionRange(selectionStart, selectionEnd);
}

function decodeText(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}
