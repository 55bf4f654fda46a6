// What a page shows stands in its address: values survive the way there and back, whatever somebody puts in.
import assert from "node:assert/strict";
import {JSDOM} from "jsdom";
import {describe, test} from "./limits.mjs";

// A document with the events of a reader, which that of the build has not.
const {window} = new JSDOM("<!DOCTYPE html>", {url: "http://site/"});
globalThis.window = window;
for (const name of ["document", "Node", "NodeList", "HTMLCollection"]) globalThis[name] = window[name];

const {parse, stateOf, write} = await import("../components/state.js");

// Numbers that look random and are the same in every run (a linear congruential generator: Knuth, MMIX).
function random(seed) {
  let state = BigInt(seed);
  return (below) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 33n) % below;
  };
}

const SIGNS = [..."abcXYZ019-_.~ &=?#+%/:,;'\"<>\\|é日本語深度ー\u{1F4BE}\u0000\n"];
const word = (pick, most = 8) => Array.from({length: pick(most + 1)}, () => SIGNS[pick(SIGNS.length)]).join("");
const some = (pick, most, make) => [...new Set(Array.from({length: pick(most + 1)}, make))];

// A spec, and values that it allows.
function invented(pick) {
  const spec = {};
  const values = {};
  for (const name of some(pick, 5, () => word(pick, 5))) {
    const kind = ["choice", "text", "list"][pick(3)];
    const allowed = some(pick, 4, () => word(pick) || "x");
    if (kind === "text") [spec[name], values[name]] = [{kind, fallback: word(pick, 2)}, word(pick)];
    else if (kind === "choice") {
      const fallback = allowed[pick(allowed.length + 1)] ?? null;
      [spec[name], values[name]] = [{kind, allowed, fallback}, allowed[pick(allowed.length + 1)] ?? fallback];
    } else [spec[name], values[name]] = [{kind, allowed, fallback: allowed.filter(() => pick(4) === 0)}, allowed.filter(() => pick(2))];
  }
  return {spec, values};
}

describe("the address of a view", () => {
  test("gives back the values that were written, and whatever it was, is the same when it is read and written again", () => {
    for (let seed = 1; seed <= 1000; seed++) {
      const pick = random(seed);
      const {spec, values} = invented(pick);
      assert.deepEqual(parse(write(values, spec), spec), values, `seed ${seed}`);
      const names = [...Object.keys(spec), "other"];
      const address = `?${Array.from({length: pick(6)}, () => `${names[pick(names.length)]}${"=%"[pick(2)]}${word(pick)}`).join("&")}`;
      const once = write(parse(address, spec), spec);
      assert.equal(write(parse(once, spec), spec), once, `seed ${seed}: ${address}`);
    }
  });

  test("says nothing of what is as it is by itself, and the rest in the order of names", () => {
    const spec = {z: {kind: "choice", allowed: ["a", "b"], fallback: "a"}, b: {kind: "text", fallback: ""}, list: {kind: "list", allowed: ["x", "y"], fallback: []}};
    assert.equal(write({z: "a", b: "", list: []}, spec), "");
    assert.equal(write({z: "b", b: "4 KiB", list: ["y", "x"]}, spec), "?b=4+KiB&list=x,y&z=b");
  });

  test("refuses what is not allowed, half an escape, and a second value of one name", () => {
    const spec = {z: {kind: "choice", allowed: ["a", "b"], fallback: "a"}, list: {kind: "list", allowed: ["x", "y"], fallback: []}};
    assert.deepEqual(parse("?z=c&list=q,y,x,y", spec), {z: "a", list: ["x", "y"]});
    assert.deepEqual(parse("?z=%E6&z=b", spec), {z: "a", list: []});
    assert.equal(write({z: "nothing of these"}, spec), "");
  });

  test("holds half a character as the sign for one that is unknown", () => {
    const spec = {q: {kind: "text", fallback: ""}};
    assert.equal(parse(write({q: "a\ud83d"}, spec), spec).q, "a\ufffd");
  });
});

describe("the state of a page", () => {
  // A page with an address; `seen` lists the changes of it, `drawn` counts how often the page was drawn again.
  function opened(search = "") {
    const page = {search, seen: [], drawn: 0};
    page.state = stateOf({where: {search: () => page.search, go: (next, push) => { page.search = next; page.seen.push(`${push ? "push" : "replace"} ${next}`); }}, redraw: () => page.drawn++});
    return page;
  }

  test("is the fallback when pages are drawn at build, and nothing changes it", () => {
    const state = stateOf();
    assert.equal(state.choice("sort", ["iops", "latency"], "iops"), "iops");
    state.set({sort: "latency"});
    assert.equal(state.choice("sort", ["iops", "latency"], "iops"), "iops");
    assert.equal(state.isStatic, true);
  });

  test("keeps other choices when one is made, goes to another view for a choice and stays for typing", () => {
    const page = opened("?sort=latency");
    page.state.choice("sort", ["iops", "latency"], "iops");
    page.state.text("q");
    page.state.set({q: "optane"}, {push: false});
    page.state.set({sort: "iops"});
    page.state.set({sort: "iops"});
    assert.deepEqual(page.seen, ["replace ?q=optane&sort=latency", "push ?q=optane"]);
    assert.equal(page.drawn, 2);
  });

  test("gives the address of another view for a link", () => {
    const page = opened("?q=a");
    page.state.text("q");
    page.state.choice("part", ["x", "y"], "x");
    assert.equal(page.state.search({part: "y"}), "?part=y&q=a");
  });

  test("is set by a list to choose from, by buttons and by a field, which have names and ids", () => {
    const page = opened();
    const select = page.state.select({name: "part", label: "Load", options: [{value: "a", label: "A"}, {value: "b", label: "B"}]});
    assert.equal(select.textContent, "LoadAB");
    const choice = select.querySelector("select");
    choice.value = "b";
    choice.dispatchEvent(new window.Event("change"));
    const buttons = page.state.buttons({name: "unit", label: "Unit", options: [{value: "i", label: "IOPS"}, {value: "m", label: "MB/s"}]});
    buttons.querySelectorAll("input")[1].dispatchEvent(new window.Event("change"));
    const field = page.state.field({name: "q", label: "Words"}).querySelector("input");
    field.value = "深度";
    field.dispatchEvent(new window.Event("input"));
    assert.deepEqual(page.seen, ["push ?part=b", "push ?part=b&unit=m", "replace ?part=b&q=%E6%B7%B1%E5%BA%A6&unit=m"]);
    assert.deepEqual([choice.id, field.id], ["state-part", "state-q"]);
  });

  test("waits while an input method composes a word", () => {
    const page = opened();
    const field = page.state.field({name: "q", label: "Words"}).querySelector("input");
    field.value = "しn";
    field.dispatchEvent(Object.assign(new window.Event("input"), {isComposing: true}));
    assert.deepEqual(page.seen, []);
    field.value = "深";
    field.dispatchEvent(new window.Event("compositionend"));
    assert.deepEqual(page.seen, ["replace ?q=%E6%B7%B1"]);
  });

  test("knows which tables are open, and asks for the content of one only then", () => {
    let asked = 0;
    const page = opened("?open=two");
    const draw = () => [page.state.details({name: "one", summary: "One", body: document.createElement("p")}), page.state.details({name: "two", summary: "Two", body: () => { asked++; return "rows"; }})];
    const [one, two] = draw();
    assert.deepEqual([one.open, two.open, one.querySelectorAll("p").length, two.textContent, asked], [false, true, 1, "Tworows", 1]);
    one.open = true;
    one.dispatchEvent(new window.Event("toggle"));
    assert.deepEqual([page.search, page.drawn], ["?open=one,two", 0]);
    two.open = false;
    two.dispatchEvent(new window.Event("toggle"));
    assert.deepEqual([page.search, page.drawn], ["?open=one", 1]);
  });

  test("knows of a table that is open before the browser tells it, once", () => {
    const page = opened();
    const draw = () => {
      page.state.choice("sort", ["", "iops"], "");
      return page.state.details({name: "one", summary: "One", body: "rows"});
    };
    const box = draw();
    box.open = true;
    page.state.set({sort: "iops"});
    assert.equal(draw().open, true);
    box.dispatchEvent(new window.Event("toggle"));
    assert.deepEqual(page.seen, ["push ?open=one&sort=iops"]);
  });

  test("is told of a table that was opened while the page is drawn again", () => {
    const page = opened();
    const [shown, next] = [1, 2].map(() => page.state.details({name: "one", summary: "One", body: "rows"}));
    shown.open = true;
    shown.dispatchEvent(new window.Event("toggle"));
    assert.deepEqual([next.open, page.search], [false, "?open=one"]);
  });
});
