// A figure as a file that can be cited alone: picture, question, answer, workload, source, release and address. It has no style sheet.

import {wrapText} from "./charts/draw.js";
import {escapeHtml} from "./messages.js";
import {give} from "./own/files.js";

const margin = 24;
const FONT_MILLISECONDS = 500;
const HALO = {stroke: "var(--surface)", "stroke-width": "3.5", "stroke-linejoin": "round", "paint-order": "stroke"};
const COLOR = /(?:var|light-dark|color-mix)\((?:[^()]|\([^()]*\))*\)/g;

// A drawing as text, with its colours as they are now (`colorOf` resolves one); hit areas and tooltips stay out, words stay text.
export function standalone(drawing, colorOf) {
  const copy = drawing.cloneNode(true);
  for (const target of copy.querySelectorAll('[pointer-events="all"], rect[fill="none"]:not([stroke])')) target.remove();
  for (const text of copy.querySelectorAll(".halo")) for (const [name, value] of Object.entries(HALO)) text.setAttribute(name, value);
  for (const node of copy.querySelectorAll("*")) for (const name of ["class", "data-tip", "tabindex"]) node.removeAttribute(name);
  return new XMLSerializer().serializeToString(copy).replace(/^<svg[^>]*>/, "").replace(/<\/svg>$/, "").replaceAll(COLOR, colorOf);
}

export function document_({width, height, parts, title, answer, load, foot, colors, font, fontFace, metadata}) {
  let y = margin + 22;
  const out = [];
  const put = (text, size, weight, fill) => {
    for (const line of wrapText(text, width, size)) {
      out.push(`<text x="${margin}" y="${y.toFixed(1)}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="start">${escapeHtml(line)}</text>`);
      y += size * 1.42;
    }
  };
  put(title, 22, 640, colors.ink);
  if (answer) put(answer, 15, 400, colors.ink);
  if (load) put(load, 13, 500, colors.muted);
  y += 4;
  const top = y;
  for (const part of parts) out.push(`<svg x="${(margin + part.x).toFixed(1)}" y="${(top + part.y).toFixed(1)}" width="${part.width.toFixed(1)}" height="${part.height.toFixed(1)}" viewBox="${part.viewBox}" overflow="visible">${part.markup}</svg>`);
  y = top + height + 24;
  for (const line of foot) put(line, 12, 400, colors.muted);
  const total = y + margin - 12;
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${(width + 2 * margin).toFixed(0)}" height="${total.toFixed(0)}" viewBox="0 0 ${(width + 2 * margin).toFixed(0)} ${total.toFixed(0)}" font-family="${escapeHtml(font)}" text-anchor="start">
<title>${escapeHtml(title)}</title><desc>${escapeHtml(answer ?? "")}</desc>
<metadata>${escapeHtml(JSON.stringify(metadata))}</metadata>
<style>${fontFace} text{font-variant-numeric:tabular-nums}</style>
<rect width="100%" height="100%" fill="${colors.surface}"/>
${out.join("\n")}
</svg>`;
}

// The fonts that the page shows, as data addresses: a picture loads nothing from outside.
async function fontFaces() {
  const nameOf = (family, weight) => `${family.replaceAll(/["']/g, "")} ${weight}`;
  const loaded = new Set([...window.document.fonts].filter(({status}) => status === "loaded").map(({family, weight}) => nameOf(family, weight)));
  const sheets = [...window.document.styleSheets].filter((sheet) => { try { return sheet.cssRules; } catch { return false; } });
  const rules = sheets.flatMap((sheet) => [...sheet.cssRules].filter((rule) => rule instanceof window.CSSFontFaceRule).map(({cssText, style}) => ({cssText, style, base: sheet.href ?? window.location.href})));
  const written = await Promise.all(rules.filter(({style}) => loaded.has(nameOf(style.fontFamily, style.fontWeight || "normal"))).map(async ({cssText, base}) => {
    const [, address] = /url\(["']?([^"')]+)["']?\)/.exec(cssText);
    const file = await (await window.fetch(new window.URL(address, base))).blob();
    const data = await new Promise((done) => { const reader = new window.FileReader(); reader.onload = () => done(reader.result); reader.readAsDataURL(file); });
    return cssText.replace(address, data);
  }));
  return written.join("");
}

async function svgOf(figure, {title, answer, load, source, query, root, t}) {
  const shown = [...figure.querySelectorAll(".wide, .narrow")].find((box) => box.getClientRects().length);
  const around = shown.getBoundingClientRect();
  const drawings = [...shown.querySelectorAll("svg")].filter((drawing) => !drawing.matches(".glyph") && !drawing.parentElement.closest("svg"));
  const scale = drawings[0].viewBox.baseVal.width / drawings[0].getBoundingClientRect().width;
  const probe = figure.appendChild(document.createElement("span"));
  const color = (value) => { probe.style.color = value; return window.getComputedStyle(probe).color; };
  const parts = drawings.map((drawing) => {
    const box = drawing.getBoundingClientRect();
    const markup = standalone(drawing, color).replaceAll(/ href="([^"]*)"/g, (_, href) => ` href="${new window.URL(href, window.location.href).href}"`);
    return {markup, x: (box.left - around.left) * scale, y: (box.top - around.top) * scale, width: box.width * scale, height: box.height * scale, viewBox: drawing.getAttribute("viewBox")};
  });
  const colors = {surface: color("var(--surface)"), ink: color("var(--ink)"), muted: color("var(--ink-3)")};
  probe.remove();
  const release = root == null ? null : await window.fetch(new window.URL(`${root}data/release.json`, window.location.href)).then((answer) => answer.ok ? answer.json() : null).catch(() => null);
  const address = `${window.location.href.split("#")[0]}#${figure.id}`;
  const version = release?.release_id?.slice(0, 12);
  const foot = [source, [version ? t("export.release", {release: version}) : null, address].filter(Boolean).join(" · ")].filter(Boolean);
  return document_({
    width: Math.max(...parts.map((part) => part.x + part.width)), height: Math.max(...parts.map((part) => part.y + part.height)),
    parts, title, answer, load, foot, font: window.getComputedStyle(figure).fontFamily, fontFace: await fontFaces(),
    colors, metadata: {title, answer, load, source, release: release?.release_id, address, query}
  });
}

async function pngOf(text) {
  const image = new window.Image();
  const address = window.URL.createObjectURL(new window.Blob([text], {type: "image/svg+xml"}));
  image.src = address;
  await image.decode();
  const canvas = window.document.createElement("canvas");
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  const draw = () => canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  // the fonts inside a picture load when it is first drawn, and nothing tells when they are there
  draw();
  await new Promise((resolve) => window.setTimeout(resolve, FONT_MILLISECONDS));
  draw();
  window.URL.revokeObjectURL(address);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

export async function save(figure, kind, options) {
  const text = await svgOf(figure, options);
  const blob = kind === "svg" ? new Blob([text], {type: "image/svg+xml"}) : await pngOf(text);
  give(`ioledger-${options.name}.${kind}`, blob, blob.type);
}
