// One tooltip for the page: the lines (data-tip) of the mark under the pointer or in focus. Escape closes it.
let tip = null;
let owner = null;

function show(mark) {
  const document = mark.ownerDocument;
  if (!tip?.isConnected) {
    tip = document.createElement("div");
    tip.className = "tip";
    tip.setAttribute("role", "tooltip");
    tip.setAttribute("aria-hidden", "true"); // the mark is named by the same words
    tip.addEventListener("pointerleave", hide);
    document.body.append(tip);
  }
  owner = mark;
  tip.replaceChildren(...linesOf(mark).map((line, i, lines) => {
    const element = document.createElement(i === 0 ? "strong" : "span");
    element.textContent = line;
    if (i > 0 && i === lines.length - 1 && mark.hasAttribute("href")) element.className = "tip-go";
    return element;
  }));
  tip.hidden = false;
  const at = mark.getBoundingClientRect();
  const box = tip.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const left = Math.max(8, Math.min(room - box.width - 8, at.left + at.width / 2 - box.width / 2));
  const top = at.top - box.height - 6 >= 4 ? at.top - box.height - 6 : at.bottom + 6;
  tip.style.left = `${left}px`;
  tip.style.top = `${top}px`;
}

function hide() {
  if (tip) tip.hidden = true;
  owner = null;
}

// The lines of a mark; where it has none of its own, those that its name is made of.
export const linesOf = (mark) => mark.dataset.tip ? mark.dataset.tip.split("\n") : mark.getAttribute("aria-label").split("; ");

// Listens on the document, once; harmless where nobody points.
export function listen(document) {
  const root = document.documentElement;
  if (root.dataset.tips) return;
  root.dataset.tips = "on";
  const find = (target) => target?.closest?.("[data-tip]");
  document.addEventListener("pointerover", ({target}) => {
    const mark = find(target);
    if (mark) show(mark);
    else if (owner && !tip.contains(target)) hide();
  });
  document.addEventListener("focusin", ({target}) => { const mark = find(target); if (mark) show(mark); else hide(); });
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", ({key}) => { if (key === "Escape") hide(); });
  document.addEventListener("scroll", hide, {passive: true, capture: true});
}
