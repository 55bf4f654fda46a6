// Functions that run inside a page and return what is wrong with its look, as a list of short descriptions.

// Elements that reach beyond the window without scrolling inside a box of their own.
export function overflow() {
  const wide = document.documentElement.scrollWidth > innerWidth ? [`page: ${document.documentElement.scrollWidth} px`] : [];
  const out = [...document.querySelectorAll("main *")].filter((element) => {
    const {right, width} = element.getBoundingClientRect();
    return width > 0 && right > innerWidth + 1 && !element.closest(".table, .source, .cm-scroller, pre, textarea, svg");
  });
  return wide.concat(out.slice(0, 3).map((element) => `${element.tagName} ${element.className} ${element.textContent.slice(0, 30)}`));
}

// Text whose contrast with its ground is below 4.5, or 3 for large text.
export function contrasts() {
  const canvas = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d", {willReadFrequently: true});
  // Few colours lie on few grounds, and drawing one is slow: each pair is drawn once, each ground looked up once.
  const drawn = new Map();
  const layer = (ground, color) => {
    const key = `${ground} ${color}`;
    if (drawn.has(key)) return drawn.get(key);
    canvas.fillStyle = `rgb(${ground})`;
    canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    drawn.set(key, [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3));
    return drawn.get(key);
  };
  const grounds = new Map([[null, [255, 255, 255]]]);
  const groundOf = (element) => {
    if (!grounds.has(element)) grounds.set(element, layer(groundOf(element.parentElement), getComputedStyle(element).backgroundColor));
    return grounds.get(element);
  };
  const isOn = (element, shape) => {
    const [{x, y, width, height}, {left, right, top, bottom}] = [element.getBoundingClientRect(), shape.getBoundingClientRect()];
    return left <= x + width / 2 && x + width / 2 <= right && top <= y + height / 2 && y + height / 2 <= bottom;
  };
  const luminance = (rgb) => rgb.map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent.trim());
    const style = getComputedStyle(element);
    if (!own.length || !element.checkVisibility?.({checkVisibilityCSS: true}) || element.closest(":disabled, script, style, title")) continue;
    // In a chart a text may stand on the shape before it, unless a halo parts it from that.
    const before = element.closest("svg") && !element.matches(".halo") ? element.previousElementSibling : null;
    const shape = before?.matches("rect") && isOn(element, before) ? getComputedStyle(before).fill : "none";
    const ground = shape === "none" ? groundOf(element) : layer(groundOf(element), shape);
    const ink = element.closest("svg") ? style.fill : style.color;
    if (ink === "none") continue;
    const [a, b] = [luminance(ground), luminance(layer(ground, ink))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && +style.fontWeight >= 700);
    if (ratio < (large || element.closest("svg") ? 3 : 4.5)) found.add(`${ratio.toFixed(2)} ${element.tagName}.${element.className.baseVal ?? element.className}: ${own[0].textContent.trim().slice(0, 30)}`);
  }
  return [...found].slice(0, 5);
}

// Controls too small for a finger on a narrow screen, or for a pointer.
export function small() {
  const found = [];
  const least = innerWidth < 500 ? 43.5 : 23.5;
  for (const control of document.querySelectorAll("button, select, .button, .choices label, summary")) {
    const {height, width} = control.getBoundingClientRect();
    // The head of a table whose rows are shown as cards is there for readers of the screen only.
    const isClipped = control.closest("thead")?.getBoundingClientRect().width <= 2;
    if (width > 0 && height < least && !isClipped) found.push(`small: ${height} px ${control.textContent.trim().slice(0, 30)}`);
  }
  return found.slice(0, 5);
}

// Tables with neither a caption nor a heading above them, and charts without a name or marks.
export function labels() {
  const tables = [...document.querySelectorAll("main table")].filter((table) => !table.caption && !table.closest("details, .card, section, figure")?.querySelector("summary, h2, h3, figcaption")).map((table) => `no caption: ${table.textContent.trim().slice(0, 40)}`);
  const charts = [...document.querySelectorAll("main figure svg[role=img]")].filter((chart) => !chart.getAttribute("aria-label") && !chart.getAttribute("aria-labelledby") && !chart.querySelector("title") || chart.querySelectorAll("circle, path, line, rect, text").length < 4);
  return [...tables, ...charts.map((chart) => `chart: ${chart.outerHTML.slice(0, 80)}`)].slice(0, 5);
}

// How far what is on the screen has moved by itself since the page began to load, and what moved.
export function shifts() {
  return new Promise((done) => {
    const observer = new PerformanceObserver((list) => done({
      sum: list.getEntries().reduce((sum, {value, hadRecentInput}) => sum + (hadRecentInput ? 0 : value), 0),
      what: list.getEntries().flatMap(({sources}) => sources).slice(0, 4).map(({node}) => `${node?.nodeName ?? "?"}.${node?.className?.baseVal ?? node?.className ?? ""}`).join(", ")
    }));
    observer.observe({type: "layout-shift", buffered: true});
    setTimeout(() => done({sum: 0, what: ""}), 100);
  });
}

// What axe finds: a rule, how often, and the first place. Colours are measured by a function above. Of the rows of a table, which
// are alike, the first ones are looked at; `closed` says whether closed boxes are: on a narrow page the browser lays out a whole
// table for each style that axe asks for.
export async function violations({closed}) {
  const left = [...document.querySelectorAll(`tbody tr:nth-child(n+9)${closed ? "" : ", details:not([open]) > :not(summary)"}`)];
  const places = left.map((element) => {
    const place = document.createComment("");
    element.replaceWith(place);
    return place;
  });
  // A link in a text has to be underlined or alike: that it has another colour is not enough, and slow to find out.
  globalThis.axe.configure({noHtml: true, rules: [{id: "link-in-text-block", any: ["link-in-text-block-style"]}]});
  const {violations: found} = await globalThis.axe.run(document, {preload: false, resultTypes: ["violations"], rules: {"color-contrast": {enabled: false}}});
  places.toReversed().forEach((place, i) => place.replaceWith(left.at(-1 - i)));
  return found.map(({id, nodes}) => `${id} ${nodes.length}: ${nodes[0].target}`);
}
