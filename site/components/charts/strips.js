// One strip per submission: how many results are how far off, on a log axis of the difference; shaded beyond 5 %.
import {scaleLinear} from "d3";
import {svg} from "htl";
import {count, percent} from "../format.js";
import {isNarrow, line, round, rowChart} from "./draw.js";

const [FIRST, HEIGHT, STEPS] = [-12, 44, 3];
const edge = (bin) => percent(0.05 * 4 ** (bin / STEPS));
const colorOf = (bin) => bin < 0 ? "var(--accent)" : bin < STEPS ? "var(--warn)" : "var(--bad)";
const totals = (rows) => [...new Map(rows.map((row) => [row.submission_id, row])).values()];

export function strips(rows, {width, t, link, chosen}) {
  const last = Math.max(6, ...rows.map(({bin}) => bin)) + 1;
  const most = Math.sqrt(Math.max(...rows.map((row) => row.result_count)));
  const ticks = [-12, -9, -6, -3, 0, 3, ...last > 8 ? [6] : []].filter((bin) => !isNarrow(width) || bin !== -9);
  const bar = ({bin, result_count}, x, base) => {
    const height = Math.max(2, Math.sqrt(result_count) / most * HEIGHT);
    return svg`<rect x=${round(x(bin) + 0.5)} y=${round(base - height)} width=${Math.max(1, round(x(1) - x(0) - 1))} height=${round(height)} fill=${colorOf(bin)}><title>${t("strips.bin", {count: result_count, from: bin === FIRST ? "0 %" : edge(bin), to: edge(bin + 1)})}</title></rect>`;
  };
  return rowChart({
    width, label: t("strips.label"), columns: [{}], axes: [{scale: (range) => scaleLinear([FIRST, last], range), ticks: () => ticks, words: edge, title: t("strips.axis")}],
    groups: [{rows: totals(rows).map((its) => ({
      name: its.title.split(": ")[0], href: link("consistency", {search: {part: its.submission_id}, hash: "law"}), isStrong: its.submission_id === chosen, note: t("strips.of", {found: count(its.consistent_count), all: count(its.total_count)}),
      texts: [its.nearly_count + its.missed_count ? t("strips.off", {nearly: its.nearly_count, missed: its.missed_count}) : null], short: null, height: HEIGHT + 14,
      marks: (y, [x], base = y + HEIGHT / 2) => [
        [[0, STEPS, "var(--warn)"], [STEPS, last, "var(--bad)"]].map(([from, to, color]) => svg`<rect x=${round(x(from))} y=${base - HEIGHT} width=${round(x(to) - x(from))} height=${HEIGHT} fill=${color} opacity="0.1" />`),
        rows.filter((each) => each.submission_id === its.submission_id).map((each) => bar(each, x, base)), line(x(FIRST), base, x(last), base, {stroke: "var(--line-strong)"})
      ]
    }))}]
  });
}

export function stripsAnswer(rows, {t}) {
  if (!rows.length) return {heading: t("strips.none"), sub: ""};
  const sum = (name) => count(totals(rows).reduce((all, row) => all + row[name], 0));
  return {heading: t("strips.answer", {found: sum("consistent_count"), all: sum("total_count")}), sub: t("strips.sub", {nearly: sum("nearly_count"), missed: sum("missed_count")})};
}
