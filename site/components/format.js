// All formats of numbers, and sentences that are put together of parts. Input is SI. Three significant digits, never more than the source printed (`digits`). Null is an en dash.

export const none = "–";
const minus = "−";
const wholeNumber = new Intl.NumberFormat("en-US", {maximumFractionDigits: 0});

const withSign = (value, text) => value < 0 ? minus + text : text;

function plain(magnitude, digits = 3) {
  if (magnitude === 0) return "0";
  const exponent = Math.floor(Math.log10(Number(magnitude.toPrecision(digits))));
  const decimals = digits - 1 - exponent;
  return decimals >= 0 ? magnitude.toFixed(Math.min(decimals, 100)) : String(Number(magnitude.toPrecision(digits)));
}

// A magnitude in the largest step that leaves at least one after rounding: [[1e6, "M"], [1e3, "k"]] and the like, largest first.
const stepOf = (magnitude, steps, digits) => steps.find(([size]) => Number((magnitude / size).toPrecision(digits)) >= 1) ?? steps.at(-1);

function withUnit(value, steps, digits, space) {
  const [size, unit] = stepOf(Math.abs(value), steps, digits);
  return withSign(value, plain(Math.abs(value) / size, digits) + (unit && space + unit));
}
function shortest(value, steps, digits) {
  const [size, unit] = stepOf(Math.abs(value), steps, digits);
  return withSign(value, `${Number((Math.abs(value) / size).toPrecision(digits))} ${unit}`.trim());
}

const thousands = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];
const times_ = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]];

// How many significant digits a printed value has, at most three: 8.9e-6 has two, 9200 has two.
export function printedDigits(value) {
  if (value == null || value === 0) return 3;
  return Math.min(3, Number(Math.abs(value).toPrecision(12)).toExponential().replace(/e.*/, "").replace(".", "").length);
}

export const count = (value) => value == null ? none : withSign(value, wholeNumber.format(Math.abs(value)));

// Operations per second, or any bare magnitude: 58.6, 864, 9.21 k, 781 k, 1.92 M. `tight` is for heat cells: 9.21k.
export const iops = (value, {digits = 3, tight = false} = {}) => value == null ? none : withUnit(value, thousands, digits, tight ? "" : " ");

export const tick = (value) => shortest(value, thousands, 6);

export const latency = (seconds, {digits = 3, tight = false} = {}) => seconds == null ? none : withUnit(seconds, times_, digits, tight ? "" : " ");
export const latencyTick = (seconds) => shortest(seconds, times_, 6);

export function throughput(bytesPerSecond, {digits = 3} = {}) {
  if (bytesPerSecond == null) return none;
  const magnitude = Math.abs(bytesPerSecond) / 1e6;
  const rounded = Number(magnitude.toPrecision(digits));
  return withSign(bytesPerSecond, rounded >= 1000 ? wholeNumber.format(rounded) : plain(magnitude, digits));
}

export function quotient(ratio) {
  if (ratio == null) return none;
  const magnitude = Math.abs(ratio);
  if (Number(magnitude.toFixed(2)) < 0.1) return withSign(ratio, plain(magnitude, 2));
  const decimals = Number(magnitude.toFixed(2)) < 10 ? 2 : Number(magnitude.toFixed(1)) < 100 ? 1 : 0;
  return withSign(ratio, decimals ? magnitude.toFixed(decimals) : wholeNumber.format(magnitude));
}
export const times = (ratio) => ratio == null ? none : `${plain(ratio, ratio >= 100 ? 3 : 2)} ×`;

export function interval(low, high, format = quotient) {
  if (low == null && high == null) return none;
  if (low == null) return `≤ ${format(high)}`;
  if (high == null) return `≥ ${format(low)}`;
  return `${format(low)}–${format(high)}`;
}

export const percent = (ratio) => ratio == null ? none : `${share(Math.abs(ratio) * 100, ratio)} %`;
export const difference = (ratio) => ratio == null ? none : ratio > 0 ? `+${percent(ratio)}` : percent(ratio);
const share = (value, sign) => withSign(sign, value === 0 || value >= 9.95 ? value.toFixed(0) : value >= 0.0995 ? value.toFixed(1) : plain(value, 1));
export const oneIn = (ratio, t) => ratio == null ? none : ratio >= 1 ? t("tick.all") : t("tick.one_in", {n: tick(Number((1 / ratio).toPrecision(3)))});

export function full(value) {
  if (value == null) return none;
  const [whole, rest] = String(Math.abs(value)).split(".");
  return /e/.test(`${whole}${rest ?? ""}`) ? withSign(value, String(Math.abs(value))) : withSign(value, wholeNumber.format(Number(whole)) + (rest ? `.${rest}` : ""));
}

export const blockSize = (bytes) => bytes == null ? none : shortest(bytes, [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]], 4);
export const capacity = (bytes) => bytes == null ? none : shortest(bytes, [[1e15, "PB"], [1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]], 3);

export function depth({queue_depth: total, process_count: processes}, t) {
  if (total == null) return none;
  if (!(processes > 1) || total % processes) return count(total);
  return t("format.depth_in_all", {total: count(total), processes: count(processes), each: count(total / processes)});
}

export function sentences(parts, t) {
  if (!parts.length) return [];
  const nodes = [...parts.flatMap((part, i) => i ? [t("list.sentences"), ...part] : part), t("list.stop")];
  const [first] = nodes;
  if (first.nodeType === 3) first.data = first.data.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return nodes;
}

export const joinSentences = (parts, t) => parts.flatMap((nodes, i) => i ? [t("sentence.space"), ...nodes] : nodes);

export function span(values, format, t) {
  const [from, to] = [Math.min(...values), Math.max(...values)].map((value) => format(value));
  return from === to ? from : t("span", {from, to});
}

// Without spaces, hyphens and case: "980pro" finds the 980 PRO.
export const normalizeName = (text) => String(text ?? "").toLowerCase().replaceAll(/[\s_–-]/g, "");
