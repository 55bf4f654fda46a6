// Words for readers: both languages are complete, say the same, and stand nowhere but in their files.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {readFileSync, readdirSync} from "node:fs";
import {dirname, join} from "node:path";
import {describe, test} from "./limits.mjs";

const {condition} = await import("../components/conditions.js");
const {languages, messages} = await import("../components/messages.js");
const places = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();
const links = (text) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, path]) => path).sort();
const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

describe("the messages", () => {
  test("have the same keys in every language, sorted, one to a line", () => {
    for (const language of languages) {
      const text = readFileSync(join("site", "messages", `${language}.json`), "utf8");
      const keys = Object.keys(JSON.parse(text));
      assert.deepEqual(keys, [...keys].sort(), `${language}.json is not sorted`);
      assert.equal(text.split("\n").length, keys.length + 3, `${language}.json has other lines than one for each key`);
      assert.deepEqual(keys, Object.keys(messages.all("en")), language);
    }
  });

  test("have the same places for values and lead to the same pages in every language", () => {
    for (const [key, english] of Object.entries(messages.all("en"))) {
      const japanese = messages.all("ja")[key];
      // The form for one may leave the count out; the other language may write it.
      const without = (names) => key.endsWith(".one") ? names.filter((name) => name !== "count") : names;
      assert.deepEqual(without(places(japanese)), without(places(english)), key);
      assert.deepEqual(links(japanese), links(english), key);
    }
  });

  test("are not empty, and English ones have no Japanese but its name", () => {
    for (const language of languages) for (const [key, text] of Object.entries(messages.all(language))) assert.ok(text.length > 0 || key.endsWith(".space"), `${language} ${key}`);
    for (const [key, text] of Object.entries(messages.all("en"))) if (!key.startsWith("language.")) assert.doesNotMatch(text, JAPANESE, key);
  });

  test("of Japanese use the terms of the field: full-width brackets, レイテンシー, キュー深度", () => {
    for (const [key, text] of Object.entries(messages.all("ja"))) {
      assert.doesNotMatch(text, /レイテンシ(?!ー)|[Qq]ueue depth|キューの深さ/u, key);
      if (!/[`\]]/.test(text)) assert.doesNotMatch(text, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\(/u, `${key}: half-width bracket`);
    }
  });

  test("name every condition that can stand between two drives", () => {
    const [head, ...lines] = readFileSync(join("models", "seeds", "known_roles.csv"), "utf8").trim().split("\n").map((row) => row.split(","));
    const named = lines.filter((row) => ["key", "reservation", "subject"].includes(row[head.indexOf("role")])).map((row) => row[head.indexOf("label")]);
    assert.ok(named.length > 50);
    assert.deepEqual(named.filter((label) => condition(label, messages("ja")) === label), []);
  });

  test("are the only words in code: pages and components name keys that exist", () => {
    const known = messages.all("en");
    for (const path of modules()) {
      for (const [, key] of readFileSync(path, "utf8").matchAll(/\bt(?:\.rich|\.html)?\("([^"]+)"/g)) assert.ok(key in known, `${path}: there is no message ${key}`);
    }
  });

  test("are all read: a module names each, or the beginning of it", () => {
    const folders = ["components", "pages", "numbers"].map((name) => join("site", name));
    const files = folders.flatMap((folder) => readdirSync(folder, {recursive: true}).filter((name) => /\.m?js$/.test(name)).map((name) => join(folder, name)));
    const found = [...files, ...["card", "draw", "finish"].map((name) => join("tools", `${name}.mjs`))].map((path) => keysIn(readFileSync(path, "utf8")));
    const whole = new Set(found.flatMap((each) => each.whole));
    const begun = [...new Set(found.flatMap((each) => each.begun)), ...[...whole].filter((key) => key.includes(".")).map((key) => `${key}.`)];
    const isRead = (key) => whole.has(key) || begun.some((start) => key.startsWith(start));
    assert.deepEqual(Object.keys(messages.all("en")).filter((key) => !isRead(key)), []);
    assert.deepEqual(["axis.nobody", "nobody.at.all"].filter(isRead), []);
  });

  test("are the only words in code: no template of a page or component has a label", () => {
    for (const path of modules()) assert.deepEqual(labels(readFileSync(path, "utf8")), [], path);
  });
});

// The words of a module that can be keys of messages: those that stand there whole (`words: media` names two of its page), and
// the beginnings of those whose rest is a value, as in `grade.${letter}` or worded("status", row.status, t).
function keysIn(code) {
  const whole = [...code.matchAll(/(?<![\w.-])[a-z][\w-]*(?:\.[\w-]+)+|(?<=")\w+(?=")/g)].map(([key]) => key);
  const named = [...code.matchAll(/^words: (\w+)$/gm)].flatMap(([, name]) => [`${name}.title`, `${name}.description`]);
  const begun = [...code.matchAll(/[`"]([a-z][\w-]*[._](?:[\w.-]*[._])?)(?:\$\{|")/g), ...code.matchAll(/\bworded\("(\w+)"/g)].map(([, start]) => start);
  return {whole: [...whole, ...named], begun};
}

// The modules of pages, and those that they import, one through the other.
function modules() {
  const left = readdirSync(join("site", "pages"), {recursive: true}).filter((name) => name.endsWith(".js")).map((name) => join("site", "pages", name));
  const found = new Set();
  while (left.length) {
    const path = left.pop();
    if (found.has(path)) continue;
    found.add(path);
    for (const [, name] of readFileSync(path, "utf8").matchAll(/^(?:import|export)\b[^"]*?"(\.[^"]+\.js)";/gm)) left.push(join(dirname(path), name));
  }
  return found;
}

// Words of three letters and more between two tags of a template, and in attributes that readers meet; abbreviations are the
// same in both languages.
function labels(code) {
  const plain = code.replaceAll(/<(style|script|metadata|pre)\b[^]*?<\/\1>/g, "");
  const found = [...plain.matchAll(/<[a-z][^<>`]*>([^<>`${}]+)(?=<\/)/g), ...plain.matchAll(/\b(?:title|aria-label|placeholder|alt|label)="([^"$]+)"/g)].map(([, text]) => text.trim());
  return found.filter((text) => /\p{L}{3,}/u.test(text.replaceAll(/&\w+;|\b\p{Lu}+\b/gu, "")));
}

describe("a message", () => {
  const of = {en: {plain: "{n} of {total}", "runs": "{count} runs", "runs.one": "1 run", rich: "**No** `{x}` for {what}, see [{name}](limits#a)"}};
  const t = messages("en", {of, link: (path) => `../${path}`});

  test("takes its values, groups whole numbers, and has a form for one", () => {
    assert.equal(t("plain", {n: 10697, total: "78.0"}), "10,697 of 78.0");
    assert.equal(t("runs", {count: 1}), "1 run");
    assert.equal(t("runs", {count: 0}), "0 runs");
  });

  test("sets Latin letters apart from the Japanese beside them, and nothing else", () => {
    const t = messages("ja", {of: {ja: {list: "{list}は不明です。", which: "最も高いのは{array}です", closed: "（{n}）、{n}。"}}});
    const shown = (nodes) => nodes.map((node) => node.textContent).join("");
    for (const say of [t, (...of) => shown(t.rich(...of))]) {
      assert.equal(say("list", {list: "Optane SSD"}), "Optane SSD は不明です。");
      assert.equal(say("list", {list: "ハードディスク"}), "ハードディスクは不明です。");
      assert.equal(say("which", {array: "2 × P3700"}), "最も高いのは 2 × P3700 です");
      assert.equal(say("closed", {n: "4 KiB"}), "（4\u00a0KiB）、4\u00a0KiB。");
    }
  });

  test("keeps a number and its unit on one line, in the text and in its values, and leaves other words apart", () => {
    const t = messages("en", {of: {en: {unit: "95 % of {rate} IOPS take {time}, {share} % less than 4 KiB", words: "in 4 sets of {n} Mini disks, 2 × P3700, 8 kinds"}}});
    const said = "95\u00a0% of 9.21\u00a0k\u00a0IOPS take 78.0\u00a0µs, 5\u00a0% less than 4\u00a0KiB";
    const values = {rate: "9.21 k", time: "78.0 µs", share: 5};
    assert.equal(t("unit", values), said);
    assert.equal(t.rich("unit", values).map((node) => node.textContent).join(""), said);
    assert.equal(t.html("unit", values), said);
    assert.equal(t("words", {n: 3}), "in 4 sets of 3 Mini disks, 2 × P3700, 8 kinds");
  });

  test("that is not known, or lacks a value, is an error", () => {
    assert.throws(() => t("none"), /there is no message none in en/);
    assert.throws(() => t("plain", {n: 1}), /the message plain lacks \{total\}/);
    assert.throws(() => messages("de"), /no messages in de/);
  });

  test("becomes nodes or HTML, in which a stranger's text stays a text and a path leads from here", () => {
    const box = document.createElement("p");
    const bold = document.createElement("b");
    box.append(...t.rich("rich", {what: [bold, "<i>"], name: "limits"}));
    assert.equal(box.innerHTML, '<strong>No</strong> <code>{x}</code> for <b></b>&lt;i&gt;, see <a href="../limits#a">limits</a>');
    assert.equal(t.html("rich", {what: "<i>", name: "&"}), '<strong>No</strong> <code>{x}</code> for &lt;i&gt;, see <a href="../limits#a">&amp;</a>');
  });
});
