// A point of one run that is one result says the number that the result says. There is one page then, that of the result,
// which has what rests on the point; the address of the point stays, and leads there.
import {bare, en, h, say} from "./html.js";
import {heading, metrics, metricsOf, sign} from "./values.js";

// The only result of a point, null where there are several.
export const onlyResult = (point) => point.runs?.length === 1 && point.runs[0].parts?.length === 1 ? point.runs[0].parts[0].id : null;

const checked = ({checks}) => new Set((checks ?? []).map(({name, verdict, effect}) => `${name} ${verdict} ${effect}`));
const alike = (one, other) => one.size === other.size && [...one].every((each) => other.has(each));

// Whether everything that the page of a point says stands on that of its result, too: the same metrics with the same values,
// load, depth and checks, and no interval of the first metric, of which alone it is shown.
export function saysTheSame(context, point, result) {
  const [its, own] = [metricsOf(point, context.workload(point).access_pattern), metricsOf(result, result.access_pattern)];
  if (!its.length || its.join() !== own.join() || its.some((metric) => point[metric] !== result[metric])) return false;
  if (metrics[its[0]].ends.some((end) => point[end] != null) || point.outlier_count) return false;
  const equal = ["submission_id", "configuration_id", "queue_depth"].every((name) => point[name] === result[name]);
  return equal && sign(point) === sign(result) && context.load(point)(en) === context.load(result)(en) && alike(checked(point), checked(result));
}

// The page at the address of such a point. A browser goes on by itself, with or without scripts.
export function forward(context, point, result) {
  const [metric] = metricsOf(result, result.access_pattern);
  const to = `${context.root}r/${result.id}`;
  const canonical = context.address ? `${context.address.replace(/\/$/, "")}/r/${result.id}` : to;
  return bare(h`<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width"><title>${context.load(result)(en)}, ${context.device(result)} | ioledger</title><meta http-equiv=refresh content="0;url=${to}"><link rel=canonical href="${canonical}"><link rel=stylesheet href="${context.root}style.css${context.style ?? ""}"><body class=number-page><main><section>${heading(metric, point[metric], {sign: sign(point)})}<p><a href="${to}">${say("number.one_page")}</a></section></main>`.text);
}
