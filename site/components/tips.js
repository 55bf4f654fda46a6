// One tooltip for the page: the lines (data-tip) of the mark under the pointer or in focus. Escape closes it.
import {html} from "htl";

let tip = null;
let owner = null;

function show(mark) {
  // the mark is named by the same words
  if (!tip?.isConnected) tip = document.body.appendChild(html`<div class="tip" role="tooltip" aria-hidden="true" onpointerleave=${hide}></div>`);
  owner = mark;
  const [first, ...lines] = linesOf(mark);
  tip.replaceChildren(html`<strong>${first}</strong>`, ...lines.map((line) => html`<span>${line}</span>`));
  tip.hidden = false;
  const [at, box] = [mark.getBoundingClientRect(), tip.getBoundingClientRect()];
  const left = Math.max(8, Math.min(document.documentElement.clientWidth - box.width - 8, at.left + at.width / 2 - box.width / 2));
  tip.style.left = `${left}px`;
  tip.style.top = `${at.top - box.height - 6 >= 4 ? at.top - box.height - 6 : at.bottom + 6}px`;
}

function hide() {
  if (tip) tip.hidden = true;
  owner = null;
}

export const linesOf = (mark) => mark.dataset.tip ? mark.dataset.tip.split("\n") : mark.getAttribute("aria-label").split("; ");

export function listen({documentElement: root}) {
  if (root.dataset.tips) return;
  root.dataset.tips = "on";
  const find = (target) => target?.closest?.("[data-tip]");
  const follow = ({target}) => find(target) ? show(find(target)) : owner && !tip.contains(target) && hide();
  document.addEventListener("pointerover", follow);
  document.addEventListener("focusin", follow);
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", ({key}) => { if (key === "Escape") hide(); });
  document.addEventListener("scroll", hide, {passive: true, capture: true});
}
