// DuckDB in the browser, over the database that every build publishes. Nothing here loads before the first query.
let opened;

// The engine and a connection to the database at `url`, opened once. Extensions stay off: they would be fetched from another host.
export function connect(url) {
  return opened ??= open(url);
}

async function open(url) {
  const duckdb = await import("npm:@duckdb/duckdb-wasm@1.32.0");
  const worker = new URL(import.meta.resolve("npm:@duckdb/duckdb-wasm@1.32.0/dist/duckdb-browser-eh.worker.js"), location).href;
  const wasm = new URL(import.meta.resolve("npm:@duckdb/duckdb-wasm@1.32.0/dist/duckdb-eh.wasm"), location).href;
  // A worker made from a blob keeps the page's content security policy, so that a query cannot reach another host either.
  const script = URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(worker)})`], {type: "text/javascript"}));
  const database = new duckdb.AsyncDuckDB(new duckdb.VoidLogger(), new Worker(script));
  await database.instantiate(wasm);
  URL.revokeObjectURL(script);
  const found = await fetch(url);
  if (!found.ok) throw new Error(`The database did not load (${found.status}). Reload the page, or take the file from the downloads.`);
  await database.registerFileBuffer("ioledger.duckdb", new Uint8Array(await found.arrayBuffer()));
  const connection = await database.connect();
  await connection.query("set autoinstall_known_extensions = false; set autoload_known_extensions = false");
  await connection.query("attach 'ioledger.duckdb' as ioledger (read_only); use ioledger");
  return {database, connection};
}

// The columns and rows of a query: {columns: [{name, isNumber}], rows: [[text or null]]}. The text of a cell is the text that
// DuckDB itself gives the value, as `ioledger sql --csv` prints it; so the casts to text are the engine's, and nothing is
// rounded or read in another time zone on the way. Rows are read by position, because columns may share a name.
export async function ask(url, query) {
  const {database, connection} = await connect(url);
  const statement = only(await statements(database, query));
  const described = await describe(connection, statement);
  if (!described) return plain(await connection.query(statement));
  const {from, columns} = described;
  const cells = columns.map((_, i) => `cast(#${i + 1} as varchar) as c${i}`).join(", ");
  return {columns, rows: rowsOf(await connection.query(`select ${cells} from ${from}`))};
}

// The statements of a text, without the semicolons between them. DuckDB's own reader of words says where one ends, so that a
// semicolon in a string, a name or a comment is none.
async function statements(database, query) {
  const bytes = new TextEncoder().encode(query);
  const {offsets} = await database.tokenize(query);
  const ends = [...offsets.filter((at) => bytes[at] === ";".charCodeAt(0)), bytes.length];
  return ends.map((end, i) => ({start: i ? ends[i - 1] + 1 : 0, end})).filter(({start, end}) => offsets.some((at) => at >= start && at < end))
    .map(({start, end}) => new TextDecoder().decode(bytes.slice(start, end)));
}

function only(found) {
  if (found.length === 1) return found[0];
  throw new Error(found.length ? `These are ${found.length} statements, and none of them was run: one answer is shown at a time. Leave one, or join them with “union all”.` : "There is no statement here.");
}

// A statement as part of another one, and its columns; null for the few that cannot be a part, as `explain`. Some (`show
// tables`) have columns only as a part; they must be sound by themselves before they become one.
async function describe(connection, statement) {
  const from = `(${statement}\n)`;
  const ways = [() => connection.query(`describe ${statement}`), async () => { await (await connection.prepare(statement)).close(); return connection.query(`describe from ${from}`); }];
  for (const way of ways) {
    const found = await way().catch(() => null);
    if (found) return {from, columns: rowsOf(found).map(([name, type]) => ({name, isNumber: /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$|^(FLOAT|DOUBLE|DECIMAL)/.test(type)}))};
  }
  return null;
}

function rowsOf(result) {
  const columns = result.schema.fields.map((_, i) => result.getChildAt(i));
  return Array.from({length: result.numRows}, (_, row) => columns.map((column) => column.get(row)));
}

// The answer to a statement that cannot be part of another: words, whole numbers and yes or no have one text. Anything else
// would be guessed.
function plain(result) {
  const columns = result.schema.fields.map(({name, type}) => ({name, type: `${type}`, isNumber: /^Uint|^Int/i.test(`${type}`)}));
  const odd = columns.find(({type}) => !/^(Utf8|Bool|Null|U?[Ii]nt\d+)$/.test(type));
  if (odd) throw new Error(`The column ${odd.name} of this statement cannot be shown as text. Ask for it with “select”.`);
  return {columns, rows: rowsOf(result).map((cells) => cells.map((value) => value == null ? null : `${value}`))};
}

const quoted = (text) => text == null ? "" : /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
export const csv = ({columns, rows}) => [columns.map(({name}) => name), ...rows].map((cells) => `${cells.map(quoted).join(",") || '""'}\n`).join("");
