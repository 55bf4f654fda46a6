// The only place that knows display units. Everything that arrives is SI: bytes, seconds, operations per second.

const grouped = new Intl.NumberFormat("en-US", {maximumFractionDigits: 0});
const precise = (digits) => new Intl.NumberFormat("en-US", {maximumSignificantDigits: digits});
const three = precise(3);
const none = "–";

export const count = (value) => value == null ? none : grouped.format(value);

// Numbers on an axis: 500, 2k, 1M.
export const tick = (value) => value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : `${value}`;

// Operations per second, whole above 100.
export const iops = (value) => value == null ? none : value >= 100 ? grouped.format(value) : three.format(value);

// Throughput in base 2 or base 10; a page uses one of them and says which.
export const MIB = {name: "MiB/s", base: "base 2", bytes: 2 ** 20};
export const MB = {name: "MB/s", base: "base 10", bytes: 1e6};
export const throughputIn = (unit) => (bytesPerSecond) => bytesPerSecond == null ? null : bytesPerSecond / unit.bytes;
export const throughput = (bytesPerSecond, unit = MIB) =>
  bytesPerSecond == null ? none : `${iops(bytesPerSecond / unit.bytes)} ${unit.name}`;

export const microseconds = (seconds) => seconds == null ? null : seconds * 1e6;
export function latency(seconds) {
  if (seconds == null) return none;
  if (seconds < 1e-3) return `${three.format(seconds * 1e6)} µs`;
  return seconds < 1 ? `${three.format(seconds * 1e3)} ms` : `${three.format(seconds)} s`;
}

// Half up at one decimal, as the printed tables round; two decimals below one, where one would hide a loss, and two digits
// below a tenth.
export function quotient(ratio) {
  if (ratio == null) return none;
  if (ratio < 0.1) return precise(2).format(ratio);
  const digits = ratio < 1 ? 2 : 1;
  const rounded = Math.floor(ratio * 10 ** digits + 0.5 + 1e-9) / 10 ** digits;
  return rounded.toLocaleString("en-US", {minimumFractionDigits: digits, maximumFractionDigits: digits});
}
export const factor = (ratio) => ratio == null ? none : ratio.toFixed(2);
export const percent = (ratio) => ratio == null ? none : `${(ratio * 100).toFixed(0)} %`;
export const exact = (value) => value == null ? none : precise(6).format(value);

export function blockSize(bytes) {
  if (bytes == null) return none;
  return bytes >= 2 ** 20 ? `${three.format(bytes / 2 ** 20)} MiB` : bytes >= 1024 ? `${three.format(bytes / 1024)} KiB` : `${bytes} B`;
}
export function capacity(bytes) {
  if (bytes == null) return none;
  return bytes >= 1e12 ? `${three.format(bytes / 1e12)} TB` : `${three.format(bytes / 1e9)} GB`;
}

// The quantities a chart can show: how to read a row, how to name the axis with its unit and base, how to print a value.
export const quantities = {
  operations_per_second: {label: "IOPS (operations per second)", short: "IOPS", value: (d) => d.operations_per_second, text: (v) => `${iops(v)} IOPS`},
  throughput_bytes_per_second: {
    label: "Throughput (MiB/s, base 2)", short: "MiB/s",
    value: (d) => throughputIn(MIB)(d.throughput_bytes_per_second), text: (v) => `${iops(v)} MiB/s`
  },
  latency_mean_seconds: {
    label: "Mean latency (µs)", short: "µs", value: (d) => microseconds(d.latency_mean_seconds),
    text: (v) => latency(v / 1e6)
  },
  operations_per_second_per_drive: {label: "IOPS per drive", short: "IOPS per drive", value: (d) => d.operations_per_second_per_drive, text: (v) => `${iops(v)} IOPS per drive`},
  operations_per_second_per_gigabyte: {label: "IOPS per GB (10⁹ bytes)", short: "IOPS per GB", value: (d) => d.operations_per_second_per_gigabyte, text: (v) => `${three.format(v)} IOPS per GB`},
  throughput_bytes_per_second_per_drive: {
    label: "Throughput per drive (MiB/s, base 2)", short: "MiB/s per drive",
    value: (d) => throughputIn(MIB)(d.throughput_bytes_per_second_per_drive), text: (v) => `${iops(v)} MiB/s per drive`
  },
  throughput_bytes_per_second_per_gigabyte: {
    label: "Throughput per GB of 10⁹ bytes (MiB/s, base 2)", short: "MiB/s per GB",
    value: (d) => throughputIn(MIB)(d.throughput_bytes_per_second_per_gigabyte), text: (v) => `${three.format(v)} MiB/s per GB`
  }
};

// The smallest and largest repetition behind a geometric mean, in the unit its chart shows.
const ranges = {
  operations_per_second: (d) => [d.operations_min_per_second, d.operations_max_per_second],
  throughput_bytes_per_second: (d) => [d.throughput_min_bytes_per_second, d.throughput_max_bytes_per_second].map(throughputIn(MIB)),
  latency_mean_seconds: (d) => [d.latency_mean_min_seconds, d.latency_mean_max_seconds].map(microseconds)
};
export const rangeOf = (d, quantity) => ranges[quantity](d);
