// An answer as a Parquet file. The engine in the browser reads and writes Parquet only with an extension from another host.
// A column whose type has no place in the format, or of which a value has none, is kept as text.
import {parquetWriteBuffer} from "hyparquet-writer";
import {numeric} from "./answer.js";

const TEXT = {type: "BYTE_ARRAY", converted_type: "UTF8", read: (text) => text};
const INT32 = {type: "INT32", read: Number};
const INT64 = {type: "INT64", read: BigInt};
const real = (text) => text === "nan" ? NaN : numeric(text);
const DAY_MILLISECONDS = 86_400_000;

const TYPES = [
  [/^BOOLEAN$/, {type: "BOOLEAN", read: (text) => text === "true"}], [/^U?(TINY|SMALL)INT$|^INTEGER$/, INT32], [/^(BIGINT|UINTEGER)$/, INT64],
  [/^UBIGINT$/, {...INT64, converted_type: "UINT_64"}], [/^FLOAT$/, {type: "FLOAT", read: real}], [/^DOUBLE$/, {type: "DOUBLE", read: real}],
  [/^DATE$/, {type: "INT32", converted_type: "DATE", read: (text) => /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) / DAY_MILLISECONDS : null}],
  [/^TIMESTAMP$/, {type: "INT64", logical_type: {type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MICROS"}, read: microseconds}]
];

// The bytes of the file. `about` are names and texts to write into it, as the release and the query.
export function parquet({columns, rows}, about = {}) {
  const taken = new Set();
  const kept = columns.map((column, i) => {
    let name = column.name;
    for (let number = 1; taken.has(name); number++) name = `${column.name}_${number}`;
    taken.add(name);
    const texts = rows.map((row) => row[i]);
    const {read, ...element} = [typeOf(column.type), TEXT].find(({read}) => texts.every((text) => text == null || read(text) != null));
    return {data: texts.map((text) => text == null ? null : read(text)), element: {...element, name, repetition_type: "OPTIONAL"}};
  });
  return new Uint8Array(parquetWriteBuffer({
    columnData: kept.map(({data, element: {name}}) => ({name, data})), schema: [{name: "rows", num_children: kept.length}, ...kept.map(({element}) => element)],
    kvMetadata: Object.entries(about).map(([key, value]) => ({key, value})), createdBy: "ioledger"
  }));
}

function typeOf(type) {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? (type === "HUGEINT" ? [null, 38, 0] : []);
  if (precision) return {type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, converted_type: "DECIMAL", precision: Number(precision), scale: Number(scale), read: unscaled};
  return TYPES.find(([form]) => form.test(type))?.[1] ?? TEXT;
}

const MOST = 10n ** 38n;
function unscaled(text) {
  const value = BigInt(text.replace(".", ""));
  return value < MOST && value > -MOST ? value : null;
}

function microseconds(text) {
  const [, whole, part = ""] = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  return whole ? BigInt(Date.parse(`${whole.replace(" ", "T")}Z`)) * 1000n + BigInt(part.padEnd(6, "0")) : null;
}
