// What a reader has chosen stands in the address. Only differences from the default are written, sorted by name; invalid values become the default.
import {html} from "htl";

// A spec: {name: {kind: "choice" | "text" | "list", allowed, fallback}}. No item of a list is the empty text.

// The values of a spec in the search part of an address. Never throws, whatever the address is.
export function parse(search, spec) {
  const given = new Map();
  for (const pair of search.replace(/^\?/, "").split("&")) {
    if (!pair) continue;
    const [name, ...rest] = pair.split("=");
    if (!given.has(decoded(name))) given.set(decoded(name), rest.join("="));
  }
  return Object.fromEntries(Object.entries(spec).map(([name, its]) => [name, given.has(name) ? read(given.get(name), its) : its.fallback]));
}

// The search part of an address for values, "" or "?name=value&…"; a value that is not allowed is left out.
export function write(values, spec) {
  const pairs = Object.keys(spec).sort().flatMap((name) => {
    const value = canonical(values[name], spec[name]);
    return same(value, spec[name].fallback) ? [] : [`${encoded(name)}=${[value].flat().map(encoded).join(",")}`];
  });
  return pairs.length ? `?${pairs.join("&")}` : "";
}

function read(raw, its) {
  if (its.kind !== "list") return canonical(decoded(raw), its);
  return canonical(raw === "" ? [] : raw.split(",").map(decoded), its);
}

// A value as a spec has it: of the allowed ones, a list in their order and each once.
function canonical(value, {kind, allowed, fallback}) {
  if (value == null) return fallback;
  if (kind === "text") return wellFormed(String(value));
  if (kind === "choice") return allowed.find((each) => String(each) === String(value)) ?? fallback;
  const wanted = new Set([value].flat().map(String));
  return allowed.filter((each) => wanted.has(String(each)));
}

const same = (a, b) => Array.isArray(a) || Array.isArray(b) ? JSON.stringify([a ?? []].flat()) === JSON.stringify([b ?? []].flat()) : a === b;
const wellFormed = (text) => text.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
const encoded = (value) => encodeURIComponent(wellFormed(String(value))).replaceAll("%20", "+").replaceAll("%2F", "/").replaceAll("%3A", ":");

function decoded(raw) {
  try { return decodeURIComponent(raw.replaceAll("+", " ")); } catch { return "\uFFFD"; }
}

// The state of a page. `where`: {search(), go(search, push)}, absent at build, where all is default; `redraw`: called after a change.
export function stateOf({where = null, redraw = () => {}} = {}) {
  const spec = {};
  const declared = (name, its) => {
    spec[name] = its;
    return where ? parse(where.search(), {[name]: its})[name] : its.fallback;
  };
  const state = {
    // Whether this is the drawing at build, for a page without scripts.
    isStatic: !where,
    choice: (name, allowed, fallback) => declared(name, {kind: "choice", allowed: [...allowed], fallback}),
    text: (name, fallback = "") => declared(name, {kind: "text", fallback}),
    list: (name, allowed, fallback = []) => declared(name, {kind: "list", allowed: [...allowed], fallback}),
    // Changes values and draws the page again; `push` is another view to go back from, without it the view is replaced.
    set(values, {push = true, draw = true} = {}) {
      if (!where) return;
      const before = where.search();
      const {turned, isLazy} = state.turned();
      const search = write({...parse(before, spec), ...turned, ...values}, spec);
      if (search === before) return;
      where.go(search, push);
      if (draw || isLazy) redraw();
    },
    // The search part of the address for other values than the present ones, for a link to another view of this page.
    search: (values) => write({...(where ? parse(where.search(), spec) : {}), ...values}, spec)
  };
  return Object.assign(state, controls(state));
}

// Controls with ids, so that the focus stays where it was when the page is drawn again. Without scripts they are hidden.
function controls(state) {
  const opened = new Set();
  const boxes = new Map();
  const open = (names = [...opened]) => state.list("open", names);
  const isOpen = (name) => { opened.add(name); return open().includes(name); };
  const chosen = ({name, options, fallback = options[0]?.value}) => state.choice(name, options.map((each) => each.value), fallback);
  return {
    isOpen,

    // Boxes opened or closed that the browser has not reported yet: {turned: values, isLazy: whether one must be drawn}.
    turned() {
      const now = [...boxes].filter(([, its]) => its.box.open !== its.isOpen);
      for (const [, its] of now) its.isOpen = its.box.open;
      const closed = new Set(now.filter(([, its]) => !its.isOpen).map(([name]) => name));
      const added = now.filter(([, its]) => its.isOpen).map(([name]) => name);
      return {turned: now.length ? {open: [...open().filter((name) => !closed.has(name)), ...added]} : {}, isLazy: now.some(([, its]) => its.isLazy)};
    },

    // A list to choose one of: {name, label, options: [{value, label}], fallback}.
    select({name, label, options, fallback}) {
      const value = chosen({name, options, fallback});
      const choice = html`<select id=${`state-${name}`} name=${name}>${options.map((each) => html`<option value=${each.value} selected=${each.value === value}>${each.label}</option>`)}</select>`;
      choice.onchange = () => state.set({[name]: choice.value});
      return html`<label class="control scripted"><span>${label}</span>${choice}</label>`;
    },

    // The same as buttons side by side, for few and short options; with `most` up to so many of them can be chosen.
    buttons({name, label, options, fallback, most}) {
      const values = most ? state.list(name, options.map((each) => each.value), fallback) : [chosen({name, options, fallback})];
      return html`<fieldset class="choices scripted"><legend>${label}</legend>${options.map((each, i) => {
        const isChosen = values.includes(each.value);
        const input = html`<input type=${most ? "checkbox" : "radio"} id=${`state-${name}-${i}`} name=${name} value=${each.value} checked=${isChosen} disabled=${!isChosen && values.length >= most}>`;
        input.onchange = () => state.set({[name]: !most ? each.value : isChosen ? values.filter((value) => value !== each.value) : [...values, each.value]});
        return html`<label>${input}<span>${each.label}</span></label>`;
      })}</fieldset>`;
    },

    // A field for words. While an input method composes them, nothing is drawn again.
    field({name, label, placeholder = ""}) {
      const input = html`<input type="search" id=${`state-${name}`} name=${name} value=${state.text(name)} placeholder=${placeholder} autocomplete="off" spellcheck="false">`;
      input.oninput = (event) => event.isComposing || state.set({[name]: input.value}, {push: false});
      input.addEventListener("compositionend", () => state.set({[name]: input.value}, {push: false}));
      return html`<label class="control scripted"><span>${label}</span>${input}</label>`;
    },

    // A box {name, summary, body}. A body that is a function is called, and the page drawn, when it opens; any other is always there.
    details({name, summary, body, className = "data"}) {
      const is = isOpen(name);
      const isLazy = typeof body === "function";
      const box = html`<details class=${className} id=${name} open=${is}><summary id=${`${name}-summary`}>${summary}</summary>${isLazy ? (is ? body() : null) : body}</details>`;
      const its = {box, isOpen: is, isLazy};
      boxes.set(name, its);
      box.ontoggle = () => {
        if (box.open !== its.isOpen) boxes.set(name, its); // another drawing may be on its way, which has a box of its own
        state.set({}, {draw: false});
      };
      return box;
    }
  };
}
