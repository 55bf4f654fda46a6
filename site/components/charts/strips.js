// One strip per submission: how many results are how far off, on a log axis of the difference; shaded beyond 5 %.
import {svg} from "htl";
import {count, percent} from "../format.js";
import {isNarrow, line, surface, text, widthOf} from "./draw.js";
import {cut} from "./plane.js";

const [FIRST, HEIGHT, STEPS] = [-12, 44, 3];
const edge = (bin) => 0.05 * 4 ** (bin / STEPS);

export function strips(rows, {width, t, link, chosen}) {
  const submissions = [...new Map(rows.map((row) => [row.submission_id, row])).values()];
  const narrow = isNarrow(width);
  const last = Math.max(6, ...rows.map(({bin}) => bin)) + 1;
  const [left, right] = narrow ? [4, width - 4] : [330, width - 150];
  const x = (bin) => left + (bin - FIRST) / (last - FIRST) * (right - left);
  const most = Math.sqrt(Math.max(...rows.map((row) => row.result_count)));
  const row = narrow ? 74 : 62, top = 12;
  const bottom = top + submissions.length * row;
  const marks = submissions.flatMap((its, i) => {
    const base = top + i * row + row - 10;
    const of = t("strips.of", {found: count(its.consistent_count), all: count(its.total_count)});
    const name = cut(its.title.split(": ")[0], narrow ? width - 24 - widthOf(of, 12) : left - 30);
    return [
      svg`<rect x=${x(0)} y=${base - HEIGHT} width=${x(3) - x(0)} height=${HEIGHT} fill="var(--warn)" opacity="0.1" />`,
      svg`<rect x=${x(3)} y=${base - HEIGHT} width=${right - x(3)} height=${HEIGHT} fill="var(--bad)" opacity="0.1" />`,
      svg`<a class="name" href=${link("consistency", {search: {part: its.submission_id}, hash: "law"})}>${text(name, {x: narrow ? 4 : 22, y: narrow ? base - HEIGHT - 4 : base - 18, size: 13, weight: its.submission_id === chosen ? 640 : 400})}</a>`,
      text(of, {x: narrow ? right : 22, y: narrow ? base - HEIGHT - 4 : base - 2, anchor: narrow ? "end" : "start", size: 12, fill: "var(--ink-3)"}),
      ...rows.filter((each) => each.submission_id === its.submission_id).map(({bin, result_count}) => {
        const height = Math.max(2, Math.sqrt(result_count) / most * HEIGHT);
        return svg`<rect x=${(x(bin) + 0.5).toFixed(1)} y=${(base - height).toFixed(1)} width=${Math.max(1, x(bin + 1) - x(bin) - 1).toFixed(1)} height=${height.toFixed(1)} fill=${bin < 0 ? "var(--accent)" : bin < 3 ? "var(--warn)" : "var(--bad)"}><title>${t("strips.bin", {count: result_count, from: bin === FIRST ? "0 %" : percent(edge(bin)), to: percent(edge(bin + 1))})}</title></rect>`;
      }),
      line(left, base, right, base, {stroke: "var(--line-strong)"}),
      narrow || !(its.nearly_count + its.missed_count) ? null : text(t("strips.off", {nearly: its.nearly_count, missed: its.missed_count}), {x: width - 6, y: base - 4, anchor: "end", size: 12, fill: "var(--ink-2)"})
    ];
  });
  const ticks = [-12, -9, -6, -3, 0, 3, ...last > 8 ? [6] : []].filter((bin) => !narrow || bin !== -9);
  return surface({width, height: bottom + 40, label: t("strips.label")}, marks,
    ticks.map((bin) => text(percent(edge(bin)), {x: x(bin), y: bottom + 14, anchor: bin === FIRST ? "start" : "middle", size: 12, fill: "var(--ink-2)"})),
    text(t("strips.axis"), {x: (left + right) / 2, y: bottom + 33, anchor: "middle", size: narrow ? 11 : 12.5, weight: 600, fill: "var(--ink-2)"}));
}

export function stripsAnswer(rows, {t}) {
  const totals = [...new Map(rows.map((row) => [row.submission_id, row])).values()];
  if (!totals.length) return {heading: t("strips.none"), sub: ""};
  const sum = (name) => totals.reduce((all, row) => all + row[name], 0);
  return {heading: t("strips.answer", {found: count(sum("consistent_count")), all: count(sum("total_count"))}), sub: t("strips.sub", {nearly: count(sum("nearly_count")), missed: count(sum("missed_count"))})};
}
