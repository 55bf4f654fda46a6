// DuckDB in the browser, over the database that every build publishes. Nothing here loads before the first query.
let connection;

// A connection to the database at `url`, opened once. Extensions stay off: they would be fetched from another host.
export function connect(url) {
  return connection ??= open(url);
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
  await database.open({query: {castBigIntToDouble: true, castTimestampToDate: true, castDecimalToDouble: true}});
  const found = await fetch(url);
  if (!found.ok) throw new Error(`The database did not load (${found.status}). Reload the page, or take the file from the downloads.`);
  await database.registerFileBuffer("ioledger.duckdb", new Uint8Array(await found.arrayBuffer()));
  const opened = await database.connect();
  await opened.query("set autoinstall_known_extensions = false; set autoload_known_extensions = false");
  await opened.query("attach 'ioledger.duckdb' as ioledger (read_only); use ioledger");
  return opened;
}

// The columns and rows of a query.
export async function ask(url, query) {
  const result = await (await connect(url)).query(query);
  return {columns: result.schema.fields.map(({name}) => name), rows: Array.from(result, (row) => row.toJSON())};
}

const quoted = (value) => value == null ? "" : /[",\n\r]/.test(`${value}`) ? `"${`${value}`.replaceAll('"', '""')}"` : `${value}`;
export const csv = ({columns, rows}) => [columns, ...rows.map((row) => columns.map((name) => row[name]))].map((cells) => cells.map(quoted).join(",")).join("\r\n");
