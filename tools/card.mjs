// The picture that a link to the site brings along where it is shared: 1200 x 630 pixels, drawn from the data of the build.
// `node tools/card.mjs card.json card.png`; site/data/machine.py writes the numbers. Programs that show such pictures take
// no SVG, and fonts are not theirs, so the letters are drawn as outlines of the site's own font.
import {readFileSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {scaleLog} from "d3";
import {Blob as FontFile, Buffer as Run, Face, Font, Variation, shape} from "harfbuzzjs";
import {media, palette, symbolPath} from "../site/components/marks.js";
import {messages} from "../site/components/messages.js";
import {canvas, circle, outlines, rectangle} from "./raster.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const INTER = join(root, "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2");
const [WIDTH, HEIGHT, MARGIN, LEFT, TOP] = [1200, 630, 60, 330, 250];
const [PAGE, INK, FAINT, LINE, ACCENT] = ["#ffffff", "#131c28", "#586577", "#dde2e9", "#0a5c8f"];
const TICKS = [100, 1000, 10_000, 100_000];

// Gives a function that writes text: (text, x, y, {size, weight, colour, anchor}) -> polygons.
async function writer() {
  // It converts fonts for subset-font, which is how it comes to be here.
  const {convert} = createRequire(createRequire(import.meta.url).resolve("subset-font"))("fontverter");
  const face = new Face(new FontFile(await convert(readFileSync(INTER), "truetype")), 0);
  return (text, x, y, {size, weight = 400, anchor = "start"}) => {
    const font = new Font(face);
    font.setVariations([new Variation("wght", weight)]);
    const run = new Run();
    run.addText(text);
    run.guessSegmentProperties();
    shape(font, run);
    const scale = size / face.upem;
    const glyphs = run.getGlyphInfosAndPositions();
    const length = glyphs.reduce((sum, {xAdvance}) => sum + xAdvance, 0) * scale;
    let at = x - {start: 0, middle: length / 2, end: length}[anchor];
    return glyphs.flatMap(({codepoint, xAdvance, xOffset, yOffset}) => {
      const found = outlines(font.glyphToPath(codepoint), {x: at + xOffset * scale, y: y - yOffset * scale, scale, flip: true});
      at += xAdvance * scale;
      return found;
    });
  };
}

// The bytes of the picture. `card` has counts and, by medium, what each drive gives: {results, devices, media: {ssd_nvme: [IOPS]}}.
export async function drawCard({results, devices, media: rates}) {
  const t = messages("en");
  const write = await writer();
  const {fill, png} = canvas(WIDTH, HEIGHT, PAGE);
  const text = (words, x, y, {colour = INK, ...options}) => fill(write(words, x, y, options), colour);
  const rows = media.filter((id) => rates[id]?.length);
  const step = Math.min(64, 290 / Math.max(1, rows.length));
  const along = scaleLog([30, 300_000], [LEFT, WIDTH - MARGIN]);
  fill(rectangle(0, 0, WIDTH, 10), ACCENT);
  text("ioledger", MARGIN, 76, {size: 26, weight: 660, colour: ACCENT});
  text(t("home.title"), MARGIN, 142, {size: 46, weight: 660});
  text(t("card.counts", {results, devices}), MARGIN, 188, {size: 25, colour: FAINT});
  for (const tick of TICKS) {
    fill(rectangle(along(tick), TOP - 18, 1, step * rows.length + 16), LINE);
    text(tick >= 1e3 ? `${tick / 1e3} k` : `${tick}`, along(tick), TOP + step * rows.length + 22, {size: 19, colour: FAINT, anchor: "middle"});
  }
  rows.forEach((id, i) => {
    const y = TOP + i * step + step / 2 - 12;
    text(t(`media.${id}`), LEFT - 24, y + 7, {size: 21, weight: 550, colour: palette[id].light, anchor: "end"});
    for (const rate of rates[id]) {
      const path = symbolPath(id, 190);
      fill(path.includes("A") ? circle(along(rate), y, 8) : outlines(path, {x: along(rate), y}), palette[id].light, 0.75);
    }
  });
  text(t("card.load"), WIDTH - MARGIN, HEIGHT - 24, {size: 19, colour: FAINT, anchor: "end"});
  return png();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [from, to] = process.argv.slice(2);
  writeFileSync(to, await drawCard(JSON.parse(readFileSync(from, "utf8"))));
}
