// The fonts of the site, made of the packages that carry them: Inter whole, and of Noto Sans JP the characters that are used.
import {cpSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import subsetFont from "subset-font";
import {makeOnce, root} from "./make-once.mjs";

const packages = join(root, "node_modules");
const japanese = join(packages, "@fontsource", "noto-sans-jp");
const inter = join(packages, "@fontsource-variable", "inter");
const NAME = "日本語";
const WEIGHTS = [400, 700];

// Whether a list of ranges as style sheets write it ("U+0000-00FF,U+0131") has a code point.
export const within = (ranges, code) => ranges.split(",").some((range) => {
  const [first, last = first] = range.replace("U+", "").split("-").map((number) => parseInt(number, 16));
  return first <= code && code <= last;
});

// Writes the fonts and fonts.css into a folder. Japanese stands in two files that only Japanese pages need: the signs that
// Inter and they lack (→ ≥ ○) and the name of the language, which stands on every page, have small files of their own.
export async function writeFonts(folder, characters) {
  const {latin} = JSON.parse(readFileSync(join(inter, "unicode.json"), "utf8"));
  const used = [...new Set(characters)].filter((sign) => !within(latin, sign.codePointAt(0))).sort();
  const inputs = [readFileSync(join(root, "package-lock.json")), readFileSync(fileURLToPath(import.meta.url)), used.join("")];
  cpSync(await makeOnce("fonts", inputs, (made) => make(made, used, latin)), folder, {recursive: true});
}

async function make(folder, used, latin) {
  const coverage = JSON.parse(readFileSync(join(japanese, "unicode.json"), "utf8"));
  const known = await selectSigns(join(japanese, "files", "noto-sans-jp-japanese-400-normal.woff2"), used);
  const script = used.filter((sign) => known.has(sign.codePointAt(0)) && sign >= "\u2e80");
  // Inter is preloaded, and where it comes late a page stays in the fallback: nothing moves under a reader's eyes.
  const faces = [face("Inter", "100 900", "inter.woff2", latin, "optional")];
  writeFileSync(join(folder, "inter.woff2"), readFileSync(join(inter, "files", "inter-latin-wght-normal.woff2")));
  const write = async (name, of, signs, family, weight) => {
    writeFileSync(join(folder, name), await subsetFont(readFileSync(join(japanese, "files", of)), signs.join(""), {targetFormat: "woff2"}));
    faces.push(face(family, weight, name, signs.map((sign) => `U+${sign.codePointAt(0).toString(16).toUpperCase()}`).join(",")));
  };
  for (const [part, ranges] of Object.entries(coverage)) {
    const signs = used.filter((sign) => !script.includes(sign) && within(ranges, sign.codePointAt(0)));
    const number = /^\[(\d+)\]$/.exec(part)?.[1];
    if (number && signs.length) await write(`signs-${number}.woff2`, `noto-sans-jp-${number}-400-normal.woff2`, signs, "Signs", "400");
  }
  await write("name.woff2", "noto-sans-jp-japanese-400-normal.woff2", [...NAME], "Signs", "400");
  for (const weight of script.length ? WEIGHTS : []) {
    await write(`jp-${weight}.woff2`, `noto-sans-jp-japanese-${weight}-normal.woff2`, script, "Noto Sans JP", String(weight));
  }
  writeFileSync(join(folder, "fonts.css"), faces.join(""));
}

const face = (family, weight, file, ranges, display = "swap") =>
  `@font-face{font-family:"${family}";font-weight:${weight};font-display:${display};src:url(${file}) format("woff2");unicode-range:${ranges}}\n`;

// Those of the signs that a font has: a subset of it maps them to glyphs (OpenType: the table cmap, formats 4 and 12).
async function selectSigns(path, signs) {
  const font = await subsetFont(readFileSync(path), signs.join(""), {targetFormat: "sfnt"});
  const tables = Array.from({length: font.readUInt16BE(4)}, (_, i) => 12 + 16 * i);
  const cmap = font.readUInt32BE(tables.find((at) => font.toString("latin1", at, at + 4) === "cmap") + 8);
  const found = new Set();
  const add = (first, last) => { for (let code = first; code <= last; code++) found.add(code); };
  for (let i = 0; i < font.readUInt16BE(cmap + 2); i++) {
    const at = cmap + font.readUInt32BE(cmap + 8 + 8 * i);
    const format = font.readUInt16BE(at);
    const count = format === 12 ? font.readUInt32BE(at + 12) : format === 4 ? font.readUInt16BE(at + 6) / 2 - 1 : 0;
    for (let j = 0; j < count; j++) {
      if (format === 12) add(font.readUInt32BE(at + 16 + 12 * j), font.readUInt32BE(at + 20 + 12 * j));
      else add(font.readUInt16BE(at + 16 + 2 * count + 2 + 2 * j), font.readUInt16BE(at + 14 + 2 * j));
    }
  }
  return found;
}
