// Functions that run inside a page and return what is wrong with its look, as a list of short descriptions.

// Elements that reach beyond the window without scrolling inside a box of their own.
export function overflow() {
  const wide = document.documentElement.scrollWidth > innerWidth ? [`page: ${document.documentElement.scrollWidth} px`] : [];
  const out = [...document.querySelectorAll("main *")].filter((element) => {
    const {right, width} = element.getBoundingClientRect();
    return width > 0 && right > innerWidth + 1 && !element.closest(".table, .source, pre, textarea, svg");
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
  const luminance = (rgb) => rgb.map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent.trim());
    const style = getComputedStyle(element);
    if (!own.length || !element.checkVisibility?.({checkVisibilityCSS: true}) || element.closest(":disabled, script, style, title")) continue;
    const ground = groundOf(element);
    const ink = element.closest("svg") ? style.fill : style.color;
    if (ink === "none") continue;
    const [a, b] = [luminance(ground), luminance(layer(ground, ink))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && +style.fontWeight >= 700);
    if (ratio < (large || element.closest("svg") ? 3 : 4.5)) found.add(`${ratio.toFixed(2)} ${element.tagName}.${element.className.baseVal ?? element.className}: ${own[0].textContent.trim().slice(0, 30)}`);
  }
  return [...found].slice(0, 5);
}

// Controls and pictures without a name, and controls too small for a finger on a narrow screen.
export function names() {
  const found = [];
  for (const control of document.querySelectorAll("button, select, textarea, input, main svg")) {
    const name = control.getAttribute("aria-label") || control.labels?.[0]?.textContent || control.title || control.textContent;
    if (!name.trim() && !control.closest("[aria-hidden], button svg")) found.push(`no name: ${control.outerHTML.slice(0, 80)}`);
  }
  if (innerWidth < 500) {
    for (const control of document.querySelectorAll("button, select, .button, .choices label, details.data > summary")) {
      const {height, width} = control.getBoundingClientRect();
      if (width > 0 && height < 43.5) found.push(`small: ${height} px ${control.textContent.trim().slice(0, 30)}`);
    }
  }
  return found.slice(0, 5);
}
