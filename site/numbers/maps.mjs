// The map of the number pages for search engines, beside that of the pages that are browsed (site/data/machine_feed.py), which
// lies in the folder already where the site has an address; each page in every language.
import {existsSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {languages} from "../components/messages.js";
import {escaped} from "./html.js";

// Addresses that one file of a map may hold.
const MOST = 50_000;
const HEAD = `<?xml version='1.0' encoding='utf-8'?>\n`;
const SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const whole = (root, kind, addresses) => `${HEAD}<${root} ${SPACE}>\n${addresses.map((each) => `<${kind}><loc>${escaped(each)}</loc></${kind}>\n`).join("")}</${root}>\n`;

// `written` has the addresses of the pages. The map of the site becomes, or is, an index of all its parts.
export function writeMaps(written, out, address, most = MOST) {
  const first = join(out, "sitemap.xml");
  if (!address || !existsSync(first)) return;
  const root = address.replace(/\/$/, "");
  const known = readFileSync(first, "utf8");
  const names = Array.from(known.matchAll(/<sitemap>\s*<loc>[^<]*\/([^/<]+)<\/loc>/g), ([, name]) => name);
  if (!names.length) {
    writeFileSync(join(out, "sitemap-1.xml"), known);
    names.push("sitemap-1.xml");
  }
  const pages = languages.flatMap((language) => written.toSorted().map((path) => `${root}/${language === "en" ? "" : `${language}/`}${path.split("/").map(encodeURIComponent).join("/")}`));
  for (let start = 0; start < pages.length; start += most) {
    const name = `sitemap-numbers-${start / most + 1}.xml`;
    writeFileSync(join(out, name), whole("urlset", "url", pages.slice(start, start + most)));
    names.push(name);
  }
  writeFileSync(first, whole("sitemapindex", "sitemap", names.map((name) => `${root}/${name}`)));
}
