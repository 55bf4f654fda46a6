// A figure as a file says what it shows, where it is from, and needs nothing from outside.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {test} from "./limits.mjs";
import {html} from "htl";
import {widthOf, wrapped} from "../components/charts/draw.js";
import {addressOf, document_, needed, standalone} from "../components/export.js";
import {figure} from "../components/figure.js";
import {messages} from "../components/messages.js";
import {stateOf} from "../components/state.js";

const t = messages("en");
const options = {
  width: 1190, height: 400, parts: [{markup: "<path d='M0 0L1 1'/>", x: 0, y: 0, width: 1190, height: 400, viewBox: "0 0 1190 400"}], title: "How do media differ? <b> & \"more\"",
  answer: "One sentence.", load: "4 KiB random", foot: ["By somebody", "Data release 2026-11 · https://site/media#ladder"], colors: {surface: "#fff", ink: "#000", muted: "#555"},
  font: "Inter, sans-serif", fontFace: "", metadata: {release: "2026-11", address: "https://site/media#ladder", query: "media-ladder"}
};

test("a file holds title, answer, load, source, release and address, as text and as metadata", () => {
  const file = new DOMParser().parseFromString(document_(options), "image/svg+xml");
  assert.equal(file.querySelector("parsererror"), null);
  assert.equal(file.querySelector("title").textContent, options.title);
  const texts = [...file.querySelectorAll("text")].map((node) => node.textContent);
  for (const words of ["One sentence.", "4 KiB random", ...options.foot]) assert.ok(texts.includes(words), words);
  assert.deepEqual(JSON.parse(file.querySelector("metadata").textContent), options.metadata);
  // the trap of charts whose text is centred
  assert.equal(file.documentElement.getAttribute("text-anchor"), "start");
});

test("a drawing takes its styles along and leaves behind what needs the page", () => {
  const drawing = html`<div><svg viewBox="0 0 10 10" class="chart"><a href="p/1" data-tip="x"><text x="1" fill="var(--ink)" class="halo">8</text></a></svg></div>`.querySelector("svg");
  const text = standalone(drawing, () => "rgb(1, 2, 3)");
  for (const name of ["fill", "stroke"]) assert.match(text, new RegExp(`<text [^>]*\\b${name}="rgb\\(1, 2, 3\\)"[^>]*>8</text>`));
  assert.doesNotMatch(text, /var\(|class=|data-tip/);
  assert.match(drawing.outerHTML, /var\(/);
});

test("the address in a file is that of the site, with the view that is shown", () => {
  const here = {href: "http://127.0.0.1:1/ja/media?load=x#y", search: "?load=x"};
  assert.equal(addressOf(here, "http://127.0.0.1:1/", "https://who.github.io/ioledger", "ladder"), "https://who.github.io/ioledger/ja/media?load=x#ladder");
  assert.equal(addressOf(here, "http://127.0.0.1:1/", null, "ladder"), "http://127.0.0.1:1/ja/media?load=x#ladder");
  assert.equal(addressOf({href: "https://who.github.io/ioledger/", search: ""}, "https://who.github.io/ioledger/", "https://who.github.io/ioledger/", "ladder"), "https://who.github.io/ioledger/#ladder");
});

test("only the fonts whose signs are used travel along", () => {
  assert.ok(needed("U+0-FF, U+2212", "depth 1 − x"));
  assert.ok(!needed("U+3000-30FF, U+4E00-9FFF", "depth 1"));
  assert.ok(needed("U+3000-30FF, U+4E00-9FFF", "深度 1"));
  assert.ok(needed("", "x"));
});

test("long lines are broken within their width, in both scripts, and no sign is lost", () => {
  for (const words of ["With one I/O at a time, an Optane SSD answers 3.7 to 11.8 times as often as an NVMe NAND SSD.", "処理待ち I/O が一つのとき、同じ測定環境で Optane SSD の IOPS は NVMe NAND SSD の 6.5 ～ 7.5 倍です（2 組）。"]) {
    const lines = wrapped(words, 240, 13);
    assert.ok(lines.length > 1);
    assert.ok(lines.every((each) => widthOf(each, 13) <= 260));
    assert.equal(lines.join("").replaceAll(" ", ""), words.replaceAll(" ", ""));
  }
});

test("a figure is complete without scripts: question, answer, two drawings, table and ways on", () => {
  const drawing = (width) => html`<div>${width}</div>`;
  const box = figure({id: "ladder", question: "Q?", answer: "A.", load: "L.", note: "N.", query: "media-ladder", rows: [{v: 1}], columns: [{id: "v", label: "V", value: (d) => d.v}], draw: drawing, t, state: stateOf(), link: (path, {search}) => path + search});
  assert.deepEqual([".question", ".answer", ".load", ".reading"].map((name) => box.querySelector(name).textContent), ["Q?", "A.", "L.", "N."]);
  assert.deepEqual([box.querySelector(".wide").textContent, box.querySelector(".narrow").textContent], ["1190", "302"]);
  assert.equal(box.querySelector(".ways a[href='#ladder-table']").textContent, "Table");
  assert.equal(box.querySelector(".ways a[href='sql?query=media-ladder']").textContent, "SQL");
  assert.equal(box.querySelectorAll(".ways button").length, 2);
  assert.ok(box.querySelector("#ladder-table tbody tr"));
  assert.equal(figure({id: "x", question: "Q?", rows: [], columns: [], draw: drawing, t}).querySelector("details"), null);
});

test("the keyboard goes past the marks of a figure, which its table has too; of many with a link that says so", () => {
  const of = (count, rows) => figure({id: "x", question: "Q?", rows, columns: [{id: "v", label: "V", value: (d) => d.v}], draw: () => html`<div>${Array.from({length: count}, () => html`<a class="mark" href="p/1"></a>`)}</div>`, t, state: stateOf()});
  assert.equal(of(13, [{v: 1}]).querySelector(".skip").getAttribute("href"), "#x-table");
  assert.deepEqual([of(12, [{v: 1}]).querySelector(".skip"), of(13, []).querySelector(".skip")], [null, null]);
  assert.deepEqual([of(1, [{v: 1}]), of(1, [])].map((box) => box.querySelector("a.mark").getAttribute("tabindex")), ["-1", null]);
});
