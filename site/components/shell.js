import {escapeHtml, languages} from "./messages.js";

// Scripts, and WebAssembly for the SQL page, from this site only. A blob is the unpacked SQL engine.
const POLICY = [
  "default-src 'self'", "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:", "style-src 'self' 'unsafe-inline'",
  "worker-src 'self' blob:", "connect-src 'self' blob:", "img-src 'self' data: blob:", "font-src 'self'", "object-src 'none'",
  "base-uri 'self'", "form-action 'none'"
].join("; ");
const THEME = `{const theme = localStorage.getItem("theme"); if (theme) document.documentElement.dataset.theme = theme}`;
// The page of what is not there may be drawn in another language than the one that the reader came from.
const KEPT = (language) => `localStorage.setItem("language", "${language}")`;
// A Japanese page waits a moment for its font, so that nothing moves. Without scripts it does not wait.
const WAIT = `{const root = document.documentElement; root.classList.add("waits"); Promise.race([Promise.all(["400", "700"].map((weight) => document.fonts.load(weight + ' 1em "Noto Sans JP"', "\u65e5\u6df1"))), new Promise((done) => setTimeout(done, 1500))]).finally(() => root.classList.remove("waits"))}`;
const SWITCH = `{const root = document.documentElement, now = root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'); localStorage.setItem('theme', root.dataset.theme = now === 'dark' ? 'light' : 'dark')}`;
const KEEP = "this.href = this.href.split(/[?#]/)[0] + location.search + location.hash";
// What a page without modules runs, as a file beside the pages: theme and language from the start, its button and its link.
export const frameScript = `${THEME}
localStorage.setItem("language", document.documentElement.lang);
if (document.documentElement.lang === "ja") ${WAIT}
addEventListener("DOMContentLoaded", () => {
  document.querySelector(".theme").onclick = () => ${SWITCH};
  document.querySelector("header a[hreflang]").onclick = function() { ${KEEP} };
});
`;
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#0a5c8f"/><path d="M5 8h14M5 12h14M5 16h14" stroke="#fff" stroke-width="1.4" opacity="0.55"/><circle cx="8" cy="16" r="2.1" fill="#fff"/><circle cx="12" cy="12" r="2.1" fill="#fff"/><circle cx="17" cy="8" r="2.1" fill="#fff"/></svg>
`;

const SECTIONS = [
  {section: "compare", name: "nav.compare"}, {section: "load", name: "nav.queue_depth"}, {section: "records", name: "nav.devices"},
  {section: "trust", name: "nav.claims"}, {section: "data", name: "nav.data"}, {section: "method", name: "nav.method"}
];

// Where a page lies: the way from it to the root of the site, and its address there. A path is English: "/media", "/devices/index".
export const rootOf = (path, language) => [...(language === "en" ? "" : "/"), ...path.slice(1).replaceAll(/[^/]/g, "")].map(() => "..").join("/") || ".";
export const addressOf = (path, language) => `${language === "en" ? "" : `${language}/`}${path.slice(1).replace(/(^|\/)index$/, "$1")}`;

export const head = ({base, language, path}) => `<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${base}/icon.svg" type="image/svg+xml">
<link rel="alternate" type="application/atom+xml" title="ioledger" href="${base}/feed.xml">
<script>${THEME}${path === "/404" ? "" : KEPT(language)}</script>
${preloads(language).map((name) => `<link rel="preload" as="font" type="font/woff2" href="${base}/fonts/${name}" crossorigin>`).join("\n")}
<link rel="stylesheet" href="${base}/fonts/fonts.css">
<noscript><style>.scripted { display: none !important; } .unscripted { display: block !important; } .sort { pointer-events: none; } .sort > [aria-hidden] { display: none; }</style></noscript>${language === "ja" ? `\n<script>${WAIT}</script>` : ""}`;

export const preloads = (language) => language === "ja" ? ["inter.woff2", "jp-400.woff2", "jp-700.woff2"] : ["inter.woff2"];

// What a head tells machines: {title, description, path, languages, address, card, jsonld}. Without `address` nothing that needs one.
export function about({title, description, path, language, of = languages, address = null, card = false, jsonld = null}) {
  const at = (other) => `${address}/${addressOf(path, other).split("/").map(encodeURIComponent).join("/")}`;
  const properties = {
    "og:type": "website", "og:site_name": "ioledger", "og:title": title, "og:description": description,
    "og:locale": language === "ja" ? "ja_JP" : "en_GB",
    ...(address && {"og:url": at(language)}), ...(address && card && {"og:image": `${address}/card.png`})
  };
  return [
    `<meta name="description" content="${escapeHtml(description)}">`,
    ...Object.entries(properties).map(([name, value]) => `<meta property="${name}" content="${escapeHtml(value)}">`),
    `<meta name="twitter:card" content="${address && card ? "summary_large_image" : "summary"}">`,
    ...(address ? [`<link rel="canonical" href="${escapeHtml(at(language))}">`] : []),
    ...(address && of.length > 1 ? [...of.map((other) => [other, at(other)]), ["x-default", at("en")]].map(([other, href]) => `<link rel="alternate" hreflang="${other}" href="${escapeHtml(href)}">`) : []),
    ...(jsonld ? [`<script type="application/ld+json">${JSON.stringify(jsonld).replaceAll("<", "\\u003c")}</script>`] : [])
  ].join("\n");
}

// Sections, pages of the present one, search, other language, theme. `isPlain`: number pages, with sections only.
export function header({t, base, path, section = null, navigation, isPlain = false}) {
  const home = `${base}/${addressOf("/index", t.language)}`;
  const link = (to) => escapeHtml(`${base}/${addressOf(to, t.language)}`);
  const sections = SECTIONS.flatMap(({section: id, name}) => {
    const pages = navigation.find((each) => each.section === id)?.pages ?? [];
    return pages.length ? [{id, name: t(name), pages}] : [];
  });
  const entries = sections.map(({id, name, pages}) => `<li><a href="${link(pages[0].path)}"${id === section ? ' aria-current="true"' : ""}>${escapeHtml(name)}</a></li>`).join("");
  const own = sections.find(({id}) => id === section)?.pages ?? [];
  const siblings = own.length > 1 && !isPlain ? own.map((page) => `<li><a href="${link(page.path)}"${page.path === path ? ' aria-current="page"' : ""}>${escapeHtml(t(page.name))}</a></li>`).join("") : "";
  return `<div class="bar">
<a class="brand" href="${home}">ioledger</a>
<nav class="sections" aria-label="${escapeHtml(t("nav.main"))}"><ul>${entries}</ul></nav>
<div class="tools">
${isPlain ? "" : `<details class="menu"><summary>${escapeHtml(t("nav.menu"))}</summary><nav aria-label="${escapeHtml(t("nav.menu"))}"><ul>${entries}</ul>${siblings && `<ul class="siblings">${siblings}</ul>`}</nav></details>
`}<a href="${link("/search")}"${path === "/search" ? ' aria-current="page"' : ""}>${escapeHtml(t("nav.search"))}</a>
${languages.filter((other) => other !== t.language).map((other) => `<a href="${escapeHtml(`${base}/${addressOf(path, other)}`)}" lang="${other}" hreflang="${other}"${isPlain ? "" : ` onclick="${KEEP}"`}>${escapeHtml(t(`language.${other}`))}</a>`).join("")}
<button class="theme scripted" type="button"${isPlain ? "" : ` onclick="${escapeHtml(SWITCH)}"`} aria-label="${escapeHtml(t("nav.theme"))}"${isPlain ? "" : ` title="${escapeHtml(t("nav.theme"))}"`}></button>
</div>
</div>${siblings && `
<nav class="siblings" aria-label="${escapeHtml(t("nav.section"))}"><ul>${siblings}</ul></nav>`}`;
}

export const footer = ({t}) => `<p>${t.html("footer.figures")}</p><p>${t.html("footer.licence")}</p>`;
