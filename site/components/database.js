// DuckDB in the browser, over the database that every build publishes. Nothing here loads before the first query.
let opened;
const ELSEWHERE = "that the page does not load; ask with “ioledger sql”.";
const QUERY = /^(select|from|with|values|table|show|desc|describe|summarize|pivot|unpivot|\()/i;
const EXPLAIN = /^explain\s+(?:analyze\s+)?(?:\([^()]*\)\s*)?(.+)$/is;

// The engine with the database at `url`, opened once. Extensions stay off: they would be fetched from another host.
function connect(url) {
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
  await connection.query("attach 'ioledger.duckdb' as ioledger (read_only)");
  await connection.close();
  return database;
}

class Stopped extends Error {}

// Does some work on a connection of its own: what a query leaves behind, as a transaction that has failed, is gone with it.
// An engine that stops in the middle, as it does over some extensions that it cannot fetch, is started anew for the next query.
async function alone(database, work) {
  const connection = await database.connect();
  try {
    await connection.query("use ioledger");
    const found = await work(connection);
    await connection.close();
    return found;
  } catch (error) {
    if (!/^[A-Z][\w ]*Error: /.test(error.message)) {
      opened = undefined;
      await database.terminate();
      throw new Stopped(`The engine stopped: ${error.message.replace(/\.?$/, ".")} It is started anew. Perhaps this query needs an extension ${ELSEWHERE}`);
    }
    await connection.close();
    throw /\bextension\b/.test(error.message) ? new Error(`${error.message.split("\n\n")[0]} This needs an extension ${ELSEWHERE}`) : error;
  }
}

// The version of the engine. The command `ioledger sql` has another one.
export const version = async (url) => alone(await connect(url), async (connection) => rowsOf(await connection.query("select version()"))[0][0]);

// The columns and rows of a query: {columns: [{name, isNumber}], rows: [[text or null]]}. The text of a cell is the text that
// DuckDB itself gives the value, as `ioledger sql --csv` prints it; so the casts to text are the engine's, and nothing is
// rounded or read in another time zone on the way. Rows are read by position, because columns may share a name.
export async function ask(url, query) {
  const database = await connect(url);
  const statement = only(await statements(database, query));
  const described = await describe(database, statement);
  if (!described) return plain(await alone(database, (connection) => connection.query(statement)));
  const {from, columns} = described;
  const cells = columns.map((_, i) => `cast(#${i + 1} as varchar) as c${i}`).join(", ");
  return {columns, rows: rowsOf(await alone(database, (connection) => connection.query(`select ${cells} from ${from}`)))};
}

// The statements of a text, without the semicolons between them. DuckDB's own reader of words says where one ends, so that a
// semicolon in a string, a name or a comment is none. Each begins with its first word.
async function statements(database, query) {
  const bytes = new TextEncoder().encode(query);
  const {offsets} = await database.tokenize(query);
  const ends = [...offsets.filter((at) => bytes[at] === ";".charCodeAt(0)), bytes.length];
  return ends.map((end, i) => ({start: i ? ends[i - 1] + 1 : 0, end})).filter(({start, end}) => offsets.some((at) => at >= start && at < end))
    .map(({start, end}) => new TextDecoder().decode(bytes.slice(offsets.find((at) => at >= start), end)));
}

function only(found) {
  if (found.length === 1) return found[0];
  throw new Error(found.length ? `These are ${found.length} statements, and none of them was run: one answer is shown at a time. Leave one, or join them with “union all”.` : "There is no statement here.");
}

// A statement as part of another one, and its columns; null for `explain` of one, which cannot be a part. Some (`show tables`)
// have columns only as a part; they must be sound by themselves before they become one, and a mistake is said as the
// statement by itself has it. What is no query is refused: it could change what later ones find.
async function describe(database, statement) {
  if (!QUERY.test(statement)) return other(database, statement);
  const from = `(${statement}\n)`;
  const columnsOf = async (text) => ({from, columns: rowsOf(await alone(database, (connection) => connection.query(text))).map(([name, type]) => ({name, isNumber: /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$|^(FLOAT|DOUBLE|DECIMAL)/.test(type)}))});
  try {
    return await columnsOf(`describe ${statement}`);
  } catch (first) {
    if (first instanceof Stopped) throw first;
    await alone(database, sound(statement)).catch((error) => { throw /multiple statements/.test(error.message) ? first : error; });
    return columnsOf(`describe from ${from}`).catch((error) => { throw error instanceof Stopped ? error : first; });
  }
}

// A statement that does not begin as a query does: sound and an explanation of one, or refused.
async function other(database, statement) {
  await alone(database, sound(statement));
  const [, query] = EXPLAIN.exec(statement) ?? [];
  if (!query || !QUERY.test(query)) throw new Error("Only queries are answered here, each by itself, and the database is read-only. For anything else ask with “ioledger sql”.");
  return describe(database, query).then(() => null);
}

const sound = (statement) => async (connection) => (await connection.prepare(statement)).close();

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
