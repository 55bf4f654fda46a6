// What a page shows stands in its address: values survive the way there and back, whatever somebody puts in.
import assert from "node:assert/strict";
import {JSDOM} from "jsdom";
import {describe, test} from "./limits.mjs";

// A document with the events of a reader, which that of the build has not.
const {window} = new JSDOM("<!DOCTYPE html>", {url: "http://site/"});
globalThis.window = window;
for (const name of ["document", "Node", "NodeList", "HTMLCollection"]) globalThis[name] = window[name];

const {parse, stateOf, write} = await import("../components/state.js");

const SIGNS = [..."abX09-_.~ &=?#+%/:,;'\"<>\\|é日ー\u{1F4BE}\u0000\n"];

test("an address gives back the values that were written, and whatever it was, is the same when it is read and written again", () => {
  for (const a of SIGNS) for (const b of SIGNS) {
    const [text, choice, list] = ["t", "c", "l"].map((letter) => letter + a + b);
    const allowed = [b + a, `${b}x`].map((value) => value.replaceAll(",", "."));
    const spec = {[text]: {kind: "text", fallback: a}, [choice]: {kind: "choice", allowed, fallback: allowed[0]}, [list]: {kind: "list", allowed, fallback: [allowed[0]]}};
    for (const values of [{[text]: b, [choice]: allowed[1], [list]: []}, {[text]: a, [choice]: allowed[0], [list]: allowed}]) assert.deepEqual(parse(write(values, spec), spec), values, write(values, spec));
    const once = write(parse(`?${text}=${b}${a}&${choice}%${a}&other=${b}&${list}=${allowed}%`, spec), spec);
    assert.equal(write(parse(once, spec), spec), once);
  }
});

test("an address says nothing of what is as it is by itself, and refuses what is not allowed, half an escape, a second value and half a character", () => {
  const spec = {z: {kind: "choice", allowed: ["a", "b"], fallback: "a"}, b: {kind: "text", fallback: ""}, list: {kind: "list", allowed: ["x", "y"], fallback: []}};
  for (const [values, address] of [[{z: "a", b: "", list: []}, ""], [{z: "b", b: "4 KiB", list: ["y", "x"]}, "?b=4+KiB&list=x,y&z=b"], [{z: "nothing of these"}, ""]]) assert.equal(write(values, spec), address);
  assert.deepEqual(parse("?z=c&list=q,y,x,y", spec), {z: "a", b: "", list: ["x", "y"]});
  assert.deepEqual(parse("?z=%E6&z=b", spec), {z: "a", b: "", list: []});
  assert.equal(parse(write({b: "a\ud83d"}, spec), spec).b, "a\ufffd");
});

describe("the state of a page", () => {
  // A page with an address; `seen` lists the changes of it, `drawn` counts how often the page was drawn again.
  function opened(search = "") {
    const page = {search, seen: [], drawn: 0};
    page.state = stateOf({where: {search: () => page.search, go: (next, push) => { page.search = next; page.seen.push(`${push ? "push" : "replace"} ${next}`); }}, redraw: () => page.drawn++});
    return page;
  }
  const happens = (element, name, more) => element.dispatchEvent(Object.assign(new window.Event(name), more));

  test("keeps other choices when one is made, goes to another view for a choice and stays for typing, and gives links their address", () => {
    const page = opened("?sort=latency");
    page.state.choice("sort", ["iops", "latency"], "iops");
    page.state.text("q");
    page.state.set({q: "optane"}, {push: false});
    assert.equal(page.state.search({sort: "iops"}), "?q=optane");
    page.state.set({sort: "iops"});
    page.state.set({sort: "iops"});
    assert.deepEqual([page.seen, page.drawn], [["replace ?q=optane&sort=latency", "push ?q=optane"], 2]);
  });

  test("is set by a list to choose from, by buttons and by a field, which have names and ids, and waits while an input method composes a word", () => {
    const page = opened();
    const select = page.state.select({name: "part", label: "Load", options: [{value: "a", label: "A"}, {value: "b", label: "B"}]});
    assert.equal(select.textContent, "LoadAB");
    const choice = select.querySelector("select");
    choice.value = "b";
    happens(choice, "change");
    const buttons = page.state.buttons({name: "unit", label: "Unit", options: [{value: "i", label: "IOPS"}, {value: "m", label: "MB/s"}]});
    happens(buttons.querySelectorAll("input")[1], "change");
    const field = page.state.field({name: "q", label: "Words"}).querySelector("input");
    field.value = "しn";
    happens(field, "input", {isComposing: true});
    assert.deepEqual(page.seen, ["push ?part=b", "push ?part=b&unit=m"]);
    field.value = "深度";
    happens(field, "compositionend");
    assert.equal(page.seen.at(-1), "replace ?part=b&q=%E6%B7%B1%E5%BA%A6&unit=m");
    field.value = "";
    happens(field, "input");
    assert.deepEqual([page.seen.at(-1), choice.id, field.id], ["replace ?part=b&unit=m", "state-part", "state-q"]);
  });

  test("knows which tables are open, asks for the content of one only then, and draws it again when it must", () => {
    let asked = 0;
    const page = opened("?open=two");
    const [one, two] = [document.createElement("p"), () => { asked++; return "rows"; }].map((body, i) => page.state.details({name: ["one", "two"][i], summary: ["One", "Two"][i], body}));
    assert.deepEqual([one.open, two.open, one.querySelectorAll("p").length, two.textContent, asked], [false, true, 1, "Tworows", 1]);
    one.querySelector("summary").click();
    assert.deepEqual([page.search, page.drawn], ["?open=one,two", 0]);
    two.querySelector("summary").click();
    assert.deepEqual([page.search, page.drawn], ["?open=one", 1]);
  });
});
