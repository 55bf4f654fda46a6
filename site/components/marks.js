// Media, one name, colour and symbol each, in the order of the pages, and how a number is marked: one rule for every chart and table.
import {svg} from "htl";
import {symbol, symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar, symbolTriangle, symbolWye} from "d3";

export const palette = {
  hdd: {light: "#56423c", dark: "#998876", type: symbolSquare},
  ssd_sas: {light: "#7e2e06", dark: "#d76b0f", type: symbolTriangle},
  ssd_sata: {light: "#837703", dark: "#d6da4d", type: symbolDiamond},
  ssd_pcie: {light: "#448264", dark: "#81fdc8", type: symbolCross},
  ssd_nvme: {light: "#1f447a", dark: "#437efe", type: symbolCircle},
  ssd_optane: {light: "#aa4ec5", dark: "#ffadfd", type: symbolStar},
  virtual: {light: "#626779", dark: "#85879b", type: symbolWye}
};

export const media = Object.keys(palette);
export const medium = (id) => id in palette
  ? {id, rank: media.indexOf(id), color: `var(--m-${id})`, key: `media.${id}`, type: palette[id].type}
  : {id, rank: media.length, color: "var(--ink-2)", type: symbolCircle, key: id === "mixed" ? "media.mixed" : id === "other" ? "media.other" : "media.unknown"};
export const mediumName = (id, t) => t(medium(id).key);
export const deviceName = (d) => d.short_name ?? d.device;
export const byMedium = (a, b) => medium(a.media_class).rank - medium(b.media_class).rank;

// The outline of a medium's symbol around (0, 0), with the area in square pixels; the star is thin and gets a quarter more.
export const symbolPath = (id, area = 64) => symbol(medium(id).type, id === "ssd_optane" ? area * 1.25 : area).digits(2)();

export const glyph = (id, size = 14) => svg`<svg class="glyph" width=${size} height=${size} viewBox="-7 -7 14 14" aria-hidden="true"><path d=${symbolPath(id, 72)} fill=${medium(id).color} /></svg>`;

// Verdicts under which a number is kept and shown, and enters no answer and no quotient: nothing was read from the medium.
const cacheVerdicts = new Set(["served by a cache", "area not written before", "drive nearly empty"]);
// Verdicts under which something else than the drive set the end: the drive does at least this.
const elsewhere = {"generator bound": "mark.generator_full", "host limited": "mark.host_limited"};
const slug = (verdict) => `reason.${verdict.replaceAll(/[ -]/g, "_")}`;

// {hollow, struck, bound, approximate, excluded, reasons}; `bound`: "at_least", "at_most" or null; `reasons`: message keys.
export function status(row) {
  const excluded = row.exclusions ?? [];
  const reserved = row.reservations ?? [];
  const struck = [...excluded, ...reserved].some((verdict) => cacheVerdicts.has(verdict));
  const limits = [...new Set(reserved.map((verdict) => elsewhere[verdict]).filter(Boolean))];
  const approximate = row.value_kind === "approximate";
  const minimum = row.statistic === "min" || row.value_kind === "minimum";
  const specification = row.origin === "stated" || row.value_kind === "stated_spec";
  const mechanics = row.origin === "bound of the mechanics";
  const edge = row.is_peak_at_edge === true;
  const bound = row.value_kind === "upper_bound" || mechanics ? "at_most" : row.value_kind === "lower_bound" || edge || limits.length ? "at_least" : null;
  const press = row.source_type === "press";
  return {
    struck, approximate, bound, hollow: struck || approximate || minimum, excluded: excluded.length > 0,
    reasons: [
      ...(approximate ? ["mark.approximate"] : []), ...(minimum ? ["mark.minimum"] : []),
      ...(row.value_kind === "lower_bound" ? ["mark.at_least"] : []), ...(edge ? ["mark.edge"] : []), ...limits,
      ...(press ? ["mark.press"] : []), ...(specification ? ["mark.specification"] : []), ...(mechanics ? ["mark.mechanics"] : []),
      ...[...excluded, ...reserved].filter((verdict) => !elsewhere[verdict]).map(slug)
    ]
  };
}

export const isExcluded = (row) => row.exclusions?.length > 0;
export const isLimited = (row) => row.reservations?.some((verdict) => verdict in elsewhere) ?? false;

export const withBound = (text, {bound, approximate}) => `${bound === "at_least" ? "≥ " : bound === "at_most" ? "≤ " : approximate ? "≈ " : ""}${text}`;

export const reasons = (row, t) => status(row).reasons.map((key) => t.has(key) ? t(key) : key.replace("reason.", "").replaceAll("_", " ")).join("; ") || null;
export const verdictText = (verdicts, t) => verdicts.map((verdict) => t.has(slug(verdict)) ? t(slug(verdict)) : verdict).join("; ");

export function drawSymbol({x, y, media_class, area = 64, hollow = false, struck = false, bound = null, color}) {
  const ink = color ?? medium(media_class).color;
  const reach = Math.sqrt(area) * (media_class === "ssd_optane" ? 1.05 : 0.72);
  const away = bound === "at_most" ? -1 : 1;
  return svg`<g transform=${`translate(${x.toFixed(1)},${y.toFixed(1)})`}>${bound ? svg`<path d=${`M${away * reach} 0h${away * 9}m${-away * 4} -3.5l${away * 4} 3.5l${-away * 4} 3.5`} fill="none" stroke=${ink} stroke-width="1.75"/>` : null}<path d=${symbolPath(media_class, area)} fill=${hollow ? "var(--surface)" : ink} stroke=${ink} stroke-width=${hollow ? 1.75 : 1} />${struck ? svg`<path d=${`M${(-reach).toFixed(1)} ${reach.toFixed(1)}L${reach.toFixed(1)} ${(-reach).toFixed(1)}`} stroke=${ink} stroke-width="1.75"/>` : null}</g>`;
}

// A mark with its tooltip, at least 24 px wide: a link, or an image if `href` is null. Its name includes the text that it shows.
export function linkMark({href, lines, x, y, width = 24, height = 24}, content) {
  const said = lines.filter(Boolean);
  const shown = [content].flat(Infinity).flatMap((node) => [" ", node]);
  const written = shown.map((node) => node?.textContent ?? node ?? "").join("").trim().replaceAll(/\s+/g, " ");
  const name = [...said.join("; ").includes(written) ? [] : [written], ...said].join("; ");
  // the tooltip has the lines of the name, which are not written twice
  const tip = name === said.join("; ") && !said.some((each) => each.includes("; ")) ? "" : said.join("\n");
  const target = svg`<rect x=${(x - width / 2).toFixed(1)} y=${(y - height / 2).toFixed(1)} width=${width} height=${height} fill="none"/>`;
  return href
    ? svg`<a class="mark" href=${href} aria-label=${name} data-tip=${tip}>${target}${shown}</a>`
    : svg`<g class="mark" role="img" aria-label=${name} data-tip=${tip}>${target}${content}</g>`;
}
