// What a reader has chosen stands in the address. Only differences from the default are written, sorted by name; invalid values become the default.
import {html} from "htl";

// A spec: {name: {kind: "choice" | "text" | "list", allowed, fallback}}. Items of a list have no commas.

export function parse(search, spec) {
  const given = new URLSearchParams(search);
  return Object.fromEntries(Object.entries(spec).map(([name, its]) => [name, canonical(given.get(name), its)]));
}

// The search part of an address for values, "" or "?name=value&…"; a value that is not allowed is left out.
export function write(values, spec) {
  const given = new URLSearchParams();
  for (const name of Object.keys(spec).sort()) {
    const value = canonical(values[name], spec[name]);
    if (String(value) !== String(spec[name].fallback)) given.set(name, value);
  }
  const text = given.toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%3A", ":");
  return text && `?${text}`;
}

function canonical(value, {kind, allowed, fallback}) {
  if (value == null) return fallback;
  if (kind === "text") return String(value);
  if (kind === "choice") return allowed.find((each) => String(each) === String(value)) ?? fallback;
  const wanted = new Set(String(value).split(","));
  return allowed.filter((each) => wanted.has(String(each)));
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
      const search = state.search(values);
      if (!where || search === where.search()) return;
      where.go(search, push);
      if (draw) redraw();
    },
    search: (values) => write({...(where ? parse(where.search(), spec) : {}), ...values}, spec)
  };
  return Object.assign(state, controls(state));
}

// Controls with ids, so that the focus stays where it was when the page is drawn again. Without scripts they are hidden.
function controls(state) {
  const boxes = new Set();
  const open = () => state.list("open", boxes);
  const isOpen = (name) => { boxes.add(name); return open().includes(name); };
  const chosen = ({name, options, fallback = options[0]?.value}) => state.choice(name, options.map((each) => each.value), fallback);
  return {
    isOpen,
    select({name, label, options, fallback}) {
      const value = chosen({name, options, fallback});
      const choice = html`<select id=${`state-${name}`} name=${name}>${options.map((each) => html`<option value=${each.value} selected=${each.value === value}>${each.label}</option>`)}</select>`;
      choice.onchange = () => state.set({[name]: choice.value});
      return html`<label class="control scripted"><span>${label}</span>${choice}</label>`;
    },
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
      const head = html`<summary id=${`${name}-summary`}>${summary}</summary>`;
      const box = html`<details class=${className} id=${name} open=${is}>${head}${isLazy ? (is ? body() : null) : body}</details>`;
      head.onclick = () => state.set({open: [...open().filter((each) => each !== name), ...box.open ? [] : [name]]}, {draw: isLazy});
      return box;
    }
  };
}
