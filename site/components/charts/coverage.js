// What is known of the conditions of each submission: a row per submission, a column per condition, grouped by section.
import {html, svg} from "htl";
import {condition, joinWords} from "../conditions.js";
import {percent} from "../format.js";
import {title} from "../records.js";
import {linkMark} from "../marks.js";
import {table} from "../table.js";
import {cutText, isNarrow, line, surface, text, widthOf} from "./draw.js";

export const sections = ["system", "device", "storage", "software", "method"];

export function shareOf(cell) {
  if (!cell || !cell.asked_count) return {kind: "not_asked", share: 0};
  const known = cell.stated_count + cell.collected_count + cell.inferred_count;
  const share = known / cell.asked_count;
  if (!known) return {kind: "unknown", share: 0};
  if (cell.collected_count * 2 > known) return {kind: "collected", share};
  return {kind: cell.inferred_count * 2 > known ? "inferred" : "stated", share};
}

export function bySubmission(rows) {
  return Array.from(Map.groupBy(rows, (row) => row.submission_id).values(), (of) => ({...of[0], cells: new Map(of.map((row) => [row.field, row]))}));
}

export function fieldsOf(rows) {
  const found = new Map(rows.map((row) => [row.field, row]));
  return [...found.values()].sort((a, b) => sections.indexOf(a.component) - sections.indexOf(b.component) || a.place - b.place);
}

const cellWords = ({kind, share}, t) => kind === "not_asked" ? t("known.not_asked") : kind === "unknown" ? t("known.unknown") : share > 0.995 ? t(`known.${kind}`) : t("coverage.share", {kind: t(`known.${kind}`), share: percent(share)});

function cell(x, y, size, {kind, share}) {
  if (kind === "not_asked") return line(x + size / 2 - 4, y + size / 2, x + size / 2 + 4, y + size / 2, {stroke: "var(--line-strong)", width: 1.5});
  const color = kind === "collected" ? "var(--good)" : "var(--accent)";
  const height = Math.max(share ? 3 : 0, Math.round((size - 2) * share));
  return [
    svg`<rect x=${x} y=${y} width=${size} height=${size} rx="3" fill="var(--surface)" stroke=${share ? color : "var(--line-strong)"} stroke-width="1" />`,
    height ? svg`<rect x=${x + 1} y=${y + 1 + size - 2 - height} width=${size - 2} height=${height} rx="2" fill=${color} fill-opacity=${kind === "inferred" ? 0.4 : 0.92} />` : null,
    kind === "collected" && share > 0.5 ? svg`<path d=${`M${x + size * 0.27} ${y + size * 0.53}l${size * 0.17} ${size * 0.17}l${size * 0.3} ${-size * 0.36}`} fill="none" stroke="var(--surface)" stroke-width="1.75" />` : null
  ];
}

const completenessOf = (each) => each.completeness_ratio ?? null;
const address = (each, link) => link(`submissions/${each.submission_id}`, {hash: "coverage"});

export function coverage(rows, {width, t, link}) {
  const [submissions, fields] = [bySubmission(rows), fieldsOf(rows)];
  if (isNarrow(width)) return table(submissions, coverageColumns({t, fields, link}), {caption: t("coverage.label", {count: submissions.length, fields: fields.length}), t, id: "coverage-cards"});
  const [left, right, gap, row] = [268, width - 52, 12, 27];
  const groups = [...new Set(fields.map((field) => field.component))];
  const step = Math.min(25, (right - left - gap * (groups.length - 1)) / fields.length);
  const size = Math.round(step - 4);
  const placed = fields.map((field, i) => ({field, x: Math.round(left + i * step + groups.indexOf(field.component) * gap)}));
  const top = 34 + Math.min(170, Math.ceil(Math.max(...fields.map((field) => widthOf(condition(field.field, t), 11.5)))) + 10);
  return surface({width, height: top + submissions.length * row + 8, label: t("coverage.label", {count: submissions.length, fields: fields.length})},
    groups.map((section) => {
      const of = placed.filter(({field}) => field.component === section);
      const [from, to] = [of[0].x, of.at(-1).x + size];
      return [text(cutText(t(`coverage.section.${section}`), to - from + 8, 13), {x: from, y: 13, weight: 640}), line(from, 21, to, 21, {stroke: "var(--line-strong)"})];
    }),
    placed.map(({field, x}) => text(cutText(title(condition(field.field, t)), 165, 11.5), {x: x + size / 2 + 4, y: top - 8, size: 11.5, rotate: -90, fill: "var(--ink-2)"})),
    text(t("known.share"), {x: width, y: 13, anchor: "end", size: 12, fill: "var(--ink-3)"}),
    submissions.map((each, i) => {
      const y = top + i * row;
      return [
        svg`<a class="name" href=${address(each, link)}><rect x="0" y=${y - 2} width="200" height="25" fill="none" pointer-events="all" />${text(cutText(each.title.split(": ")[0], 206, 12.5), {x: 0, y: y + 15, size: 12.5})}</a>`,
        text(String(each.year ?? ""), {x: 256, y: y + 15, anchor: "end", size: 12, fill: "var(--ink-3)"}),
        placed.map(({field, x}) => {
          const its = shareOf(each.cells.get(field.field));
          return linkMark({href: null, lines: [title(condition(field.field, t)), each.title, cellWords(its, t)], x: x + size / 2, y: y + size / 2, width: step, height: row}, cell(x, y, size, its));
        }),
        completenessOf(each) == null ? null : text(percent(completenessOf(each)), {x: width, y: y + 15, anchor: "end", weight: 600})
      ];
    }));
}

const sharesOf = (each, fields, section) => fields.filter((field) => field.component === section).map((field) => shareOf(each.cells.get(field.field))).filter(({kind}) => kind !== "not_asked");
const countKnown = (cells) => cells.filter((cell) => cell.share >= 0.5).length;
const knownOf = (cells, t) => cells.length === 0 ? null : t("coverage.known_of", {known: String(countKnown(cells)), total: String(cells.length)});

export function coverageAnswer(rows, {t}) {
  if (!rows.length) return [t("coverage.answer.none")];
  const submissions = bySubmission(rows);
  const shares = fieldsOf(rows).map((field) => {
    const cells = submissions.map((each) => shareOf(each.cells.get(field.field))).filter(({kind}) => kind !== "not_asked");
    return {field: field.field, asked: cells.length, share: cells.reduce((sum, {share}) => sum + share, 0) / cells.length};
  }).filter(({asked}) => asked);
  const rare = shares.filter(({share}) => share < 0.25).toSorted((a, b) => a.share - b.share);
  const names = (of) => joinWords(of.slice(0, 4).map(({field}) => condition(field, t)), t);
  const [whole, nothing] = [shares.filter(({share}) => share > 0.995), shares.filter(({share}) => share === 0)];
  if (submissions.length === 1) {
    if (!nothing.length) return t.rich("coverage.answer.one_all", {known: whole.length, total: shares.length});
    return t.rich("coverage.answer.one", {known: whole.length, total: shares.length, names: names(nothing), count: nothing.length});
  }
  return rare.length ? t.rich("coverage.answer.rare", {names: title(names(rare)), count: submissions.length}) : t.rich("coverage.answer.well", {count: submissions.length});
}

export const coverageColumns = ({t, fields, link}) => [
  {id: "submission", label: t("column.submission"), value: (row) => html`<a href=${address(row, link)}>${row.title}</a><small>${row.year ?? ""}</small>`, sort: (row) => row.year, head: true},
  {id: "known", label: t("known.share"), value: (row) => percent(completenessOf(row)), sort: (row) => completenessOf(row), num: true},
  ...sections.filter((section) => fields.some((field) => field.component === section)).map((section) => ({
    id: section, label: t(`coverage.section.${section}`), value: (row) => knownOf(sharesOf(row, fields, section), t), sort: (row) => countKnown(sharesOf(row, fields, section))
  }))
];
