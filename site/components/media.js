// Media: one name, colour and symbol each, in the order of the pages. tests/palette.test.mjs checks contrast and colour blindness.
import {svg} from "htl";
import {symbol, symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar, symbolTriangle, symbolWye} from "d3";

export const palette = {
  hdd: {light: "#56423c", dark: "#998876"},
  ssd_sas: {light: "#7e2e06", dark: "#d76b0f"},
  ssd_sata: {light: "#837703", dark: "#d6da4d"},
  ssd_pcie: {light: "#448264", dark: "#81fdc8"},
  ssd_nvme: {light: "#1f447a", dark: "#437efe"},
  ssd_optane: {light: "#aa4ec5", dark: "#ffadfd"},
  virtual: {light: "#626779", dark: "#85879b"}
};
const symbols = {
  hdd: symbolSquare, ssd_sas: symbolTriangle, ssd_sata: symbolDiamond, ssd_pcie: symbolCross, ssd_nvme: symbolCircle,
  ssd_optane: symbolStar, virtual: symbolWye
};

export const media = Object.keys(palette);
// What is of no known medium, or of several: grey, circle.
const nothing = {rank: media.length, color: "var(--ink-2)", type: symbolCircle};

// {id, rank, color (a CSS colour), key (the message of its name)}
export const medium = (id) => id in palette
  ? {id, rank: media.indexOf(id), color: `var(--m-${id})`, key: `media.${id}`, type: symbols[id]}
  : {id, ...nothing, key: id === "mixed" ? "media.mixed" : id === "other" ? "media.other" : "media.unknown"};
export const mediumName = (id, t) => t(medium(id).key);
export const byMedium = (a, b) => medium(a.media_class).rank - medium(b.media_class).rank;

// The outline of a medium's symbol around (0, 0), with the area in square pixels; the star is thin and gets a quarter more.
export const symbolPath = (id, area = 64) => symbol(medium(id).type, id === "ssd_optane" ? area * 1.25 : area).digits(2)();

// A symbol for running text: a heading, a cell. It repeats what the word beside it says.
export const glyph = (id, size = 14) => svg`<svg class="glyph" width=${size} height=${size} viewBox="-7 -7 14 14" aria-hidden="true"><path d=${symbolPath(id, 72)} fill=${medium(id).color} /></svg>`;
