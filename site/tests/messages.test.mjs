// Words for readers: both languages are complete, say the same, and stand nowhere but in their files.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {readFileSync, readdirSync} from "node:fs";
import {dirname, join} from "node:path";
import {describe, test} from "./limits.mjs";
import {condition} from "../components/conditions.js";
import {languages, messages} from "../components/messages.js";

const known = messages.all("en");
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
      assert.deepEqual(keys, Object.keys(known), language);
    }
  });

  test("are not empty, have the same places for values and lead to the same pages; English has no Japanese, Japanese the terms of the field", () => {
    for (const [key, english] of Object.entries(known)) {
      const japanese = messages.all("ja")[key];
      assert.ok((english && japanese) || key.endsWith(".space"), key);
      // The form for one may leave the count out; the other language may write it.
      const without = (names) => key.endsWith(".one") ? names.filter((name) => name !== "count") : names;
      assert.deepEqual(without(places(japanese)), without(places(english)), key);
      assert.deepEqual(links(japanese), links(english), key);
      if (!key.startsWith("language.")) assert.doesNotMatch(english, JAPANESE, key);
      assert.doesNotMatch(japanese, /レイテンシ(?!ー)|[Qq]ueue depth|キューの深さ/u, key);
      if (!/[`\]]/.test(japanese)) assert.doesNotMatch(japanese, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\(/u, `${key}: half-width bracket`);
    }
  });

  test("name every condition that can stand between two drives", () => {
    const [head, ...lines] = readFileSync(join("models", "seeds", "known_roles.csv"), "utf8").trim().split("\n").map((row) => row.split(","));
    const named = lines.filter((row) => ["key", "reservation", "subject"].includes(row[head.indexOf("role")])).map((row) => row[head.indexOf("label")]);
    assert.ok(named.length > 50);
    assert.deepEqual(named.filter((label) => condition(label, messages("ja")) === label), []);
  });

  test("are the only words of pages and components, which name keys that exist, and no template of which has a label", () => {
    for (const path of modules()) {
      const code = readFileSync(path, "utf8");
      for (const [, key] of code.matchAll(/\bt(?:\.rich|\.html)?\("([^"]+)"/g)) assert.ok(key in known, `${path}: there is no message ${key}`);
      assert.deepEqual(labels(code), [], path);
    }
  });

  test("are all read: a module names each, or the beginning of it", () => {
    const folders = ["components", "pages", "numbers"].map((name) => join("site", name));
    const files = folders.flatMap((folder) => readdirSync(folder, {recursive: true}).filter((name) => /\.m?js$/.test(name)).map((name) => join(folder, name)));
    const found = [...files, ...["card", "draw", "finish"].map((name) => join("tools", `${name}.mjs`))].map((path) => keysIn(readFileSync(path, "utf8")));
    const whole = new Set(found.flatMap((each) => each.whole));
    const begun = [...new Set(found.flatMap((each) => each.begun)), ...[...whole].filter((key) => key.includes(".")).map((key) => `${key}.`)];
    const isRead = (key) => whole.has(key) || begun.some((start) => key.startsWith(start));
    assert.deepEqual(Object.keys(known).filter((key) => !isRead(key)), []);
    assert.deepEqual(["axis.nobody", "nobody.at.all"].filter(isRead), []);
  });
});

// The words of a module that can be keys of messages: those that stand there whole (`words: media` names two of its page), and
// the beginnings of those whose rest is a value, as in `grade.${letter}` or codeWords("status", row.status, t).
function keysIn(code) {
  const whole = [...code.matchAll(/(?<![\w.-])[a-z][\w-]*(?:\.[\w-]+)+|(?<=")\w+(?=")/g)].map(([key]) => key);
  const named = [...code.matchAll(/^words: (\w+)$/gm)].flatMap(([, name]) => [`${name}.title`, `${name}.description`]);
  const begun = [...code.matchAll(/[`"]([a-z][\w-]*[._](?:[\w.-]*[._])?)(?:\$\{|")/g), ...code.matchAll(/\bcodeWords\("(\w+)"/g)].map(([, start]) => start);
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
  const said = (language, texts) => {
    const t = messages(language, {of: {[language]: texts}, link: (path) => `../${path}`});
    return (...of) => {
      const words = t(...of);
      assert.equal(t.rich(...of).map((node) => node.textContent).join(""), words);
      if (language === "en") assert.equal(t.html(...of), words);
      return words;
    };
  };

  test("takes its values, groups whole numbers, has a form for one, and keeps a number and its unit on one line, and no other words", () => {
    const say = said("en", {plain: "{n} of {total}", runs: "{count} runs", "runs.one": "1 run", unit: "95 % of {rate} IOPS take {time}, {share} % less than 4 KiB", words: "in 4 sets of {n} Mini disks, 2 × P3700, 8 kinds"});
    assert.equal(say("plain", {n: 10697, total: "78.0"}), "10,697 of 78.0");
    assert.deepEqual([1, 0].map((count) => say("runs", {count})), ["1 run", "0 runs"]);
    assert.equal(say("unit", {rate: "9.21 k", time: "78.0 µs", share: 5}), "95\u00a0% of 9.21\u00a0k\u00a0IOPS take 78.0\u00a0µs, 5\u00a0% less than 4\u00a0KiB");
    assert.equal(say("words", {n: 3}), "in 4 sets of 3 Mini disks, 2 × P3700, 8 kinds");
    assert.throws(() => say("none"), /there is no message none in en/);
    assert.throws(() => say("plain", {n: 1}), /the message plain lacks \{total\}/);
    assert.throws(() => messages("de"), /no messages in de/);
  });

  test("sets Latin letters apart from the Japanese beside them, and nothing else", () => {
    const say = said("ja", {list: "{list}は不明です。", which: "最も高いのは{array}です", closed: "（{n}）、{n}。"});
    for (const [key, values, words] of [
      ["list", {list: "Optane SSD"}, "Optane SSD は不明です。"], ["list", {list: "ハードディスク"}, "ハードディスクは不明です。"],
      ["which", {array: "2 × P3700"}, "最も高いのは 2 × P3700 です"], ["closed", {n: "4 KiB"}, "（4\u00a0KiB）、4\u00a0KiB。"]
    ]) assert.equal(say(key, values), words);
  });

  test("becomes nodes or HTML, in which a stranger's text stays a text and a path leads from here", () => {
    const t = messages("en", {of: {en: {rich: "**No** `{x}` for {what}, see [{name}](limits#a)"}}, link: (path) => `../${path}`});
    const box = document.createElement("p");
    box.append(...t.rich("rich", {what: [document.createElement("b"), "<i>"], name: "limits"}));
    assert.equal(box.innerHTML, '<strong>No</strong> <code>{x}</code> for <b></b>&lt;i&gt;, see <a href="../limits#a">limits</a>');
    assert.equal(t.html("rich", {what: "<i>", name: "&"}), '<strong>No</strong> <code>{x}</code> for &lt;i&gt;, see <a href="../limits#a">&amp;</a>');
  });
});
