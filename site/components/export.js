// A figure as a file that can be cited alone: picture, question, answer, workload, source, release and address. It has no style sheet.

import {wrapped} from "./charts/draw.js";
import {escaped} from "./messages.js";

const margin = 24;
const FONT_MILLISECONDS = 500;
const HALO = {stroke: "var(--surface)", "stroke-width": "3.5", "stroke-linejoin": "round", "paint-order": "stroke"};
const COLOR = /(?:var|light-dark)\((?:[^()]|\([^()]*\))*\)/g;

// A drawing as text, with its colours as they are now (`colorOf` resolves one); hit areas and tooltips stay out, words stay text.
export function standalone(drawing, colorOf) {
  const copy = drawing.cloneNode(true);
  for (const target of copy.querySelectorAll('[pointer-events="all"], rect[fill="none"]:not([stroke])')) target.remove();
  for (const text of copy.querySelectorAll(".halo")) for (const [name, value] of Object.entries(HALO)) text.setAttribute(name, value);
  for (const node of copy.querySelectorAll("*")) for (const name of ["class", "data-tip", "tabindex"]) node.removeAttribute(name);
  return new XMLSerializer().serializeToString(copy).replace(/^<svg[^>]*>/, "").replace(/<\/svg>$/, "").replaceAll(COLOR, colorOf);
}

// The file: parts are {markup, x, y, width, height}; head and foot are lines of text around them.
export function document_({width, height, parts, title, answer, load, foot, colors, font, fontFace, metadata}) {
  const inner = width;
  let y = margin + 22;
  const out = [];
  const put = (text, size, weight, fill) => {
    for (const line of wrapped(text, inner, size)) {
      out.push(`<text x="${margin}" y="${y.toFixed(1)}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="start">${escaped(line)}</text>`);
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
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${(width + 2 * margin).toFixed(0)}" height="${total.toFixed(0)}" viewBox="0 0 ${(width + 2 * margin).toFixed(0)} ${total.toFixed(0)}" font-family="${escaped(font)}" text-anchor="start">
<title>${escaped(title)}</title><desc>${escaped(answer ?? "")}</desc>
<metadata>${escaped(JSON.stringify(metadata))}</metadata>
<style>${fontFace} text{font-variant-numeric:tabular-nums}</style>
<rect width="100%" height="100%" fill="${colors.surface}"/>
${out.join("\n")}
</svg>`;
}

// Whether a face with this range of signs has one that the text uses.
export function needed(range, text) {
  if (!range) return true;
  const ranges = [...range.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/gi)].map(([, from, to]) => [parseInt(from, 16), parseInt(to ?? from, 16)]);
  return [...text].some((sign) => ranges.some(([from, to]) => sign.codePointAt(0) >= from && sign.codePointAt(0) <= to));
}

// The fonts of the page that the file needs, as data addresses: a picture loads nothing from outside.
async function fontFaces(window, text) {
  const sheets = [...window.document.styleSheets].filter((sheet) => { try { return sheet.cssRules; } catch { return false; } });
  const faces = sheets.flatMap((sheet) => [...sheet.cssRules].filter((rule) => rule instanceof window.CSSFontFaceRule).map(({style}) => {
    const of = (name) => style.getPropertyValue(name);
    const [, address] = /url\(["']?([^"')]+)["']?\)/.exec(of("src")) ?? [];
    return {address: address && new window.URL(address, sheet.href ?? window.location.href), family: of("font-family"), weight: of("font-weight") || "100 900", range: of("unicode-range")};
  }));
  const written = await Promise.all(faces.filter(({address, range}) => address && needed(range, text)).map(async ({address, family, weight, range}) => {
    const file = await (await window.fetch(address)).blob();
    const data = await new Promise((done) => { const reader = new window.FileReader(); reader.onload = () => done(reader.result); reader.readAsDataURL(file); });
    return `@font-face{font-family:${family};font-weight:${weight};src:url(${data}) format("woff2");font-display:swap;${range ? `unicode-range:${range};` : ""}}`;
  }));
  return written.join("");
}

// Where the figure stands: below the public address of the site, if it has one, else where it is looked at.
export function addressOf({href, search}, root, site, id) {
  const page = href.split(/[?#]/)[0];
  const path = root != null && page.startsWith(root) ? page.slice(root.length) : null;
  return `${site && path != null ? site.replace(/\/?$/, "/") + path : page}${search}#${id}`;
}

// The figure that is shown, as the text of an SVG file.
async function svgOf(figure, {title, answer, load, source, query, root, t}) {
  const window = figure.ownerDocument.defaultView;
  const shown = [...figure.querySelectorAll(".wide, .narrow")].find((box) => box.getClientRects().length);
  const around = shown.getBoundingClientRect();
  const drawings = [...shown.querySelectorAll("svg")].filter((drawing) => !drawing.matches(".glyph") && !drawing.parentElement.closest("svg"));
  // the size it was drawn in, whatever room the page has
  const scale = drawings[0].viewBox.baseVal.width / drawings[0].getBoundingClientRect().width;
  const probe = figure.appendChild(figure.ownerDocument.createElement("span"));
  const color = (value) => { probe.style.color = value; return window.getComputedStyle(probe).color; };
  const parts = drawings.map((drawing) => {
    const box = drawing.getBoundingClientRect();
    const markup = standalone(drawing, color).replaceAll(/ href="([^"]*)"/g, (_, href) => ` href="${new window.URL(href, window.location.href).href}"`);
    return {markup, x: (box.left - around.left) * scale, y: (box.top - around.top) * scale, width: box.width * scale, height: box.height * scale, viewBox: drawing.getAttribute("viewBox")};
  });
  const colors = {surface: color("var(--surface)"), ink: color("var(--ink)"), muted: color("var(--ink-3)")};
  probe.remove();
  const release = root == null ? null : await window.fetch(new window.URL(`${root}data/release.json`, window.location.href)).then((answer) => answer.ok ? answer.json() : null).catch(() => null);
  const address = addressOf(window.location, root == null ? null : new window.URL(root, window.location.href).href, release?.address, figure.id);
  const version = release?.release_id?.slice(0, 12);
  const foot = [source, [version ? t("export.release", {release: version}) : null, address].filter(Boolean).join(" · ")].filter(Boolean);
  return document_({
    width: Math.max(...parts.map((part) => part.x + part.width)), height: Math.max(...parts.map((part) => part.y + part.height)),
    parts, title, answer, load, foot, font: window.getComputedStyle(figure).fontFamily, fontFace: await fontFaces(window, [title, answer, load, ...foot, ...parts.map((part) => part.markup)].join(" ")),
    colors, metadata: {title, answer, load, source, release: release?.release_id, address, query}
  });
}

async function pngOf(text, window) {
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

// Stores the figure as a file with the reader: "png" or "svg".
export async function save(figure, kind, options) {
  const window = figure.ownerDocument.defaultView;
  const text = await svgOf(figure, options);
  const blob = kind === "svg" ? new window.Blob([text], {type: "image/svg+xml"}) : await pngOf(text, window);
  const link = figure.ownerDocument.createElement("a");
  link.href = window.URL.createObjectURL(blob);
  link.download = `ioledger-${options.name}.${kind}`;
  link.click();
  window.setTimeout(() => window.URL.revokeObjectURL(link.href), 10_000);
}
