import {html} from "npm:htl";

// Facts as a list of terms: [label, value, note]; what is not known is said, not left out.
export const facts = (entries) => html`<dl class="facts">${entries.filter(Boolean).map(([label, value, note]) =>
  html`<div><dt>${label}</dt><dd>${value ?? html`<span class="unknown">not stated</span>`}${note ? html` <small>${note}</small>` : null}</dd></div>`)}</dl>`;

export const unknown = (why) => html`<span class="unknown">unknown</span>${why && why !== "unknown" ? html`<small>${why}</small>` : null}`;

// Text that a manifest states, or null where it says "unknown".
export const known = (text) => text === "unknown" ? null : text;

const words = {
  stated: "stated by the source", collected: "collected by a program", declared: "declared by the submitter", inferred: "inferred", unknown: "unknown", not_applicable: "does not exist on this hardware"
};
export const howKnown = (how) => html`<span class=${`badge badge-quiet${how === "inferred" ? " badge-C" : ""}`} title=${words[how] ?? ""}>${how.replace("_", " ")}</span>`;

// An address from a submission, as a link only if it is a web address.
export const address = (text) => /^https?:\/\//i.test(text ?? "") ? html`<a href=${text} rel="noopener noreferrer nofollow">${text}</a>` : text;

const capitals = /\b(bios|bmc|cpu|id|io|lba|nand|os|raid|smt)\b/gi;
export const plain = (name) => String(name).replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase()).replace(capitals, (word) => word.toUpperCase());

// Where a raw file is shown, at a place if there is one.
export const place = (served, at, base = "..") => `${base}/source?${new URLSearchParams(at ? {file: served, at} : {file: served})}`;
