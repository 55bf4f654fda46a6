// An answer as a Parquet file: one group of rows, one page per column, packed by gzip. The engine in the browser reads
// Parquet only with an extension from another host, so the file is written here, by the format's own description
// (parquet.thrift 2.10, Thrift's compact protocol). A type that has no place of its own in it is kept as text.
import {numeric} from "./answer.js";

const [BOOLEAN, INT32, INT64, , FLOAT, DOUBLE, BYTES, FIXED] = [0, 1, 2, 3, 4, 5, 6, 7];
const [UTF8, DECIMAL, DATE, UINT64] = [0, 5, 6, 14];
const [GZIP, PLAIN, RLE] = [2, 0, 3];
const [TRUE, FALSE, I32, I64, BINARY, LIST, STRUCT] = [1, 2, 5, 6, 8, 9, 12];
const MAGIC = [0x50, 0x41, 0x52, 0x31];
const DECIMAL_BYTES = 16;
const DECIMAL_MOST = 10n ** 38n;
const DAY = 86_400_000;

// The bytes of the file. `about` are names and texts to write into it, as the release and the query.
export async function parquet({columns, rows}, about = {}) {
  const parts = [Uint8Array.from(MAGIC)];
  const chunks = [];
  const names = unique(columns.map(({name}) => name));
  let at = MAGIC.length;
  for (const [i, column] of columns.entries()) {
    const chunk = kept(column, rows.map((row) => row[i]));
    const page = await gzipped(join([levels(chunk.values), chunk.bytes]));
    const header = thrift([[1, I32, 0], [2, I32, chunk.size = levels(chunk.values).length + chunk.bytes.length], [3, I32, page.length], [5, STRUCT, [[1, I32, rows.length], [2, I32, PLAIN], [3, I32, RLE], [4, I32, RLE]]]]);
    chunks.push({...chunk, name: names[i], at, packed: header.length + page.length, whole: header.length + chunk.size});
    parts.push(header, page);
    at += header.length + page.length;
  }
  const footer = thrift([
    [1, I32, 2],
    [2, LIST, STRUCT, [[[4, BINARY, "rows"], [5, I32, columns.length]], ...chunks.map(element)]],
    [3, I64, rows.length],
    [4, LIST, STRUCT, [[[1, LIST, STRUCT, chunks.map((chunk) => described(chunk, rows.length))], [2, I64, chunks.reduce((sum, {whole}) => sum + whole, 0)], [3, I64, rows.length]]]],
    [5, LIST, STRUCT, Object.entries(about).map(([key, value]) => [[1, BINARY, key], [2, BINARY, value]])],
    [6, BINARY, "ioledger"]
  ]);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, footer.length, true);
  return join([...parts, footer, length, Uint8Array.from(MAGIC)]);
}

// Names of which no two are equal: a later one of a name gets a number behind it.
function unique(names) {
  const taken = new Set();
  return names.map((name) => {
    let one = name;
    for (let number = 1; taken.has(one); number++) one = `${name}_${number}`;
    taken.add(one);
    return one;
  });
}

const element = ({kind, name, width, converted, precision, scale, isTime}) => [
  [1, I32, kind], ...(width ? [[2, I32, width]] : []), [3, I32, 1], [4, BINARY, name], ...(converted == null ? [] : [[6, I32, converted]]),
  ...(precision ? [[7, I32, scale], [8, I32, precision]] : []), ...(isTime ? [[10, STRUCT, [[8, STRUCT, [[1, FALSE], [2, STRUCT, [[2, STRUCT, []]]]]]]]] : [])
];

const described = ({kind, name, at, packed, whole}, count) => [
  [2, I64, at],
  [3, STRUCT, [[1, I32, kind], [2, LIST, I32, [PLAIN, RLE]], [3, LIST, BINARY, [name]], [4, I32, GZIP], [5, I64, count], [6, I64, whole], [7, I64, packed], [9, I64, at]]]
];

// A column as the format keeps it: {kind, converted, values, bytes}; as text where its type has no place or a value none.
function kept({type}, values) {
  const way = wayOf(type);
  const found = values.filter((value) => value != null);
  const read = way && found.map(way.read);
  if (!way || read.some((value) => value == null)) return {kind: BYTES, converted: UTF8, values, bytes: join(found.flatMap(text))};
  return {...way, values, bytes: way.write(read)};
}

function wayOf(type) {
  if (type === "BOOLEAN") return {kind: BOOLEAN, read: (text) => text === "true", write: bits};
  if (/^U?(TINY|SMALL)INT$|^INTEGER$/.test(type)) return {kind: INT32, read: Number, write: fixed(4, "setInt32")};
  if (/^(BIGINT|UINTEGER)$/.test(type)) return {kind: INT64, read: BigInt, write: fixed(8, "setBigInt64")};
  if (type === "UBIGINT") return {kind: INT64, converted: UINT64, read: BigInt, write: fixed(8, "setBigUint64")};
  if (type === "FLOAT") return {kind: FLOAT, read: real, write: fixed(4, "setFloat32")};
  if (type === "DOUBLE") return {kind: DOUBLE, read: real, write: fixed(8, "setFloat64")};
  if (type === "DATE") return {kind: INT32, converted: DATE, read: (text) => instant(text, /^\d{4}-\d\d-\d\d$/, DAY), write: fixed(4, "setInt32")};
  if (type === "TIMESTAMP") return {kind: INT64, isTime: true, read: microseconds, write: fixed(8, "setBigInt64")};
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? (type === "HUGEINT" ? [null, 38, 0] : []);
  return precision ? {kind: FIXED, width: DECIMAL_BYTES, converted: DECIMAL, precision: Number(precision), scale: Number(scale), read: unscaled, write: wide} : null;
}

const real = (text) => text === "nan" ? NaN : numeric(text);

// A day or time as a count of `unit` milliseconds since 1970; null for one before the year 0 or without end.
function instant(text, shape, unit) {
  if (!shape.test(text)) return null;
  const time = Date.parse(text.length > 10 ? `${text.replace(" ", "T")}Z` : text);
  return Number.isNaN(time) ? null : time / unit;
}

function microseconds(text) {
  const [, whole, part = ""] = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  return whole ? BigInt(instant(whole, /./, 1)) * 1000n + BigInt(part.padEnd(6, "0")) : null;
}

function unscaled(text) {
  const value = BigInt(text.replace(".", ""));
  return value < DECIMAL_MOST && value > -DECIMAL_MOST ? value : null;
}

const fixed = (width, set) => (values) => {
  const view = new DataView(new ArrayBuffer(width * values.length));
  values.forEach((value, i) => view[set](i * width, value, true));
  return new Uint8Array(view.buffer);
};

function wide(values) {
  const view = new DataView(new ArrayBuffer(DECIMAL_BYTES * values.length));
  values.forEach((value, i) => {
    view.setBigInt64(i * DECIMAL_BYTES, value >> 64n);
    view.setBigUint64(i * DECIMAL_BYTES + 8, BigInt.asUintN(64, value));
  });
  return new Uint8Array(view.buffer);
}

function bits(values) {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  values.forEach((value, i) => { if (value) bytes[i >> 3] |= 1 << (i & 7); });
  return bytes;
}

function text(value) {
  const bytes = new TextEncoder().encode(value);
  return [fixed(4, "setUint32")([bytes.length]), bytes];
}

// Which values are there: a bit each, with the length of it all before it.
function levels(values) {
  const packed = join([varint(Math.ceil(values.length / 8) << 1 | 1), bits(values.map((value) => value != null))]);
  return join([fixed(4, "setUint32")([packed.length]), packed]);
}

// A struct in Thrift's compact protocol: fields [id, type, value], a list [id, LIST, type of its items, items].
function thrift(fields) {
  let last = 0;
  const written = fields.flatMap(([id, type, ...value]) => {
    const head = Uint8Array.of(id - last << 4 | type);
    last = id;
    return [head, type === LIST ? list(...value) : single(type, value[0])];
  });
  return join([...written, Uint8Array.of(0)]);
}

function single(type, value) {
  if (type === TRUE || type === FALSE) return new Uint8Array(0);
  if (type === STRUCT) return thrift(value);
  if (type !== BINARY) return varint(value * 2);
  const bytes = new TextEncoder().encode(value);
  return join([varint(bytes.length), bytes]);
}

const list = (type, items) => join([items.length < 15 ? Uint8Array.of(items.length << 4 | type) : join([Uint8Array.of(0xF0 | type), varint(items.length)]), ...items.map((item) => single(type, item))]);

function varint(value) {
  const bytes = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push(left % 128 | 128);
  return Uint8Array.from([...bytes, left]);
}

async function gzipped(bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer());
}

function join(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => { bytes.set(part, at); return at + part.length; }, 0);
  return bytes;
}
