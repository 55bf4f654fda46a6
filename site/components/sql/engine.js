// DuckDB in the browser. Nothing loads before the first query. The database is read by ranges, or whole where the server gives no ranges.
import {unzip} from "../packed.js";

const NAME = "ioledger.duckdb";
const MAGIC = "DUCK";
const QUERY = /^(select|from|with|values|table|show|desc|describe|summarize|pivot|unpivot|\()/i;
const NUMBER = /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$|^(FLOAT|DOUBLE|DECIMAL)/;

const refusal = (key, values = {}) => Object.assign(new Error(key), {key, values});
// What DuckDB itself says is wrong with a query. `at` is the place in its text, counted in UTF-16 units, or null.
const mistake = (message, at) => Object.assign(new Error(message), {at});
const isMistake = (error) => error.at !== undefined;

// The engine over the database at `url`. It opens with the first query; a query that is cancelled leaves it open.
export function engine(url) {
  let opened;
  let running = null;
  let isCancelled = false;

  const connect = (onEngine) => opened ??= open(url, onEngine).catch((error) => { opened = undefined; throw error; });

  // Runs `work` on a connection of its own, so that no failed transaction stays. An engine that stopped is started again at the next query.
  async function alone({database}, work) {
    const connection = await database.connect();
    try {
      await connection.query("use ioledger; set errors_as_json = true");
      const found = await work(connection);
      await connection.close();
      return found;
    } catch (error) {
      if (isCancelled || error.key || isMistake(error) || parseMessage(error)) {
        await connection.close();
        if (isCancelled) throw refusal("sql.cancelled");
        const {message} = parseMessage(error) ?? error;
        if (/\bextension\b/.test(message)) throw refusal("sql.extension", {what: message.split("\n\n")[0]});
        throw error;
      }
      opened = undefined;
      await database.terminate();
      throw refusal("sql.stopped", {what: error.message.replace(/\.?$/, ".")});
    } finally {
      running = null;
    }
  }

  const placing = (statement, before, work) => async (connection) => {
    try {
      return await work(connection, `${before}${statement.text}`);
    } catch (error) {
      throw placeMistake(error, statement, before);
    }
  };
  const within = (before, statement, after) => placing(statement, before, (connection, text) => connection.query(`${text}${after}`));
  const sound = (statement) => placing(statement, "", async (connection, text) => (await connection.prepare(text)).close());
  const inSteps = (before, statement, after) => placing(statement, before, async (connection, text) => {
    running = connection;
    const batches = [];
    for await (const batch of await connection.send(`${text}${after}`)) batches.push(batch);
    return batches;
  });

  // The columns of a query. `show tables` and the like have columns only inside `from (…)`. What is no query is refused.
  async function describeColumns(database, statement) {
    if (!QUERY.test(statement.text)) {
      await alone(database, sound(statement));
      throw refusal("sql.only-queries");
    }
    const columnsOf = async (before, after) => rowsOf([await alone(database, within(before, statement, after))]).map(([name, type]) => ({name, type, isNumber: NUMBER.test(type)}));
    try {
      return await columnsOf("describe ", "");
    } catch (first) {
      if (!isMistake(first)) throw first;
      await alone(database, sound(statement)).catch((error) => { throw /multiple statements/.test(error.message) ? first : error; });
      return columnsOf("describe from (", "\n)").catch((error) => { throw isMistake(error) ? first : error; });
    }
  }

  return {
    // Cells are cast to text by DuckDB, as `ioledger sql --csv` prints them, and read by position, because names may repeat.
    async ask(query, {onEngine = () => {}} = {}) {
      isCancelled = false;
      const database = await connect(onEngine);
      const statement = only(await statements(database.database, query));
      const columns = await describeColumns(database, statement);
      if (isCancelled) throw refusal("sql.cancelled");
      const cells = columns.map((_, i) => `cast(#${i + 1} as varchar) as c${i}`).join(", ");
      return {columns, rows: rowsOf(await alone(database, inSteps(`select ${cells} from (`, statement, "\n)")))};
    },
    async cancel() {
      isCancelled = true;
      await running?.cancelSent().catch(() => {});
    },
    async arrow(query) {
      isCancelled = false;
      const database = await connect();
      const {text} = only(await statements(database.database, query));
      return alone(database, (connection) => connection.useUnsafe((bindings, id) => bindings.runQuery(id, text)));
    },
    async version() {
      return rowsOf([await alone(await connect(), (connection) => connection.query("select version()"))])[0][0];
    },
    async moved() {
      const {database, size, isWhole} = await connect();
      if (isWhole) return {bytes: size, size, isWhole};
      const {totalFileReadsCold, totalFileReadsAhead} = await database.exportFileStatistics(NAME);
      return {bytes: totalFileReadsCold + totalFileReadsAhead, size, isWhole};
    }
  };
}

// Extensions stay off: they would be fetched from another host.
async function open(url, onEngine) {
  const duckdb = await import("@duckdb/duckdb-wasm");
  const worker = new URL(import.meta.resolve("@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js"), location).href;
  const packed = new URL(import.meta.resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm.gz"), location).href;
  // A worker made from a blob keeps the page's content security policy, so that a query cannot reach another host either.
  const script = URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(worker)})`], {type: "text/javascript"}));
  const database = new duckdb.AsyncDuckDB(new duckdb.VoidLogger(), new Worker(script));
  const wasm = URL.createObjectURL(await fetchEngine(packed, onEngine));
  await database.instantiate(wasm);
  [script, wasm].forEach(URL.revokeObjectURL);
  await database.open({filesystem: {forceFullHTTPReads: false, allowFullHTTPReads: false, reliableHeadRequests: true}});
  const size = await rangesOf(url);
  const bytes = size == null ? await whole(url) : null;
  if (bytes) await database.registerFileBuffer(NAME, bytes);
  else {
    // Nothing is read ahead: DuckDB asks for the blocks that it needs, and keeps them.
    await database.registerFileURL(NAME, url, duckdb.DuckDBDataProtocol.HTTP, true);
    await database.collectFileStatistics(NAME, true);
  }
  const connection = await database.connect();
  await connection.query("set autoinstall_known_extensions = false; set autoload_known_extensions = false");
  await connection.query(`attach '${NAME}' as ioledger (read_only)`);
  await connection.close();
  return {database, size: size ?? bytes.length, isWhole: size == null};
}

// The engine is stored as .gz; a browser has already unpacked it if the server declares the encoding. `onRead` gets the bytes read so far.
async function fetchEngine(url, onRead) {
  const found = await fetch(url);
  if (!found.ok) throw refusal("sql.no-engine", {status: found.status});
  let read = 0;
  const counted = new TransformStream({transform(bytes, stream) { onRead(read += bytes.length); stream.enqueue(bytes); }});
  const {body} = await unzip(new Response(found.body.pipeThrough(counted)));
  return new Response(body, {headers: {"content-type": "application/wasm"}}).blob();
}

async function rangesOf(url) {
  const response = await fetch(url, {headers: {range: "bytes=0-15"}});
  const total = /^bytes 0-15\/(\d+)$/.exec(response.headers.get("content-range") ?? "");
  if (response.status !== 206 || !total || response.headers.get("content-encoding")) {
    await response.body?.cancel();
    return null;
  }
  const start = new TextDecoder("latin1").decode(await response.arrayBuffer());
  return start.includes(MAGIC) ? Number(total[1]) : null;
}

async function whole(url) {
  const found = await fetch(url);
  if (!found.ok) throw refusal("sql.no-database", {status: found.status});
  return new Uint8Array(await found.arrayBuffer());
}

async function statements(database, query) {
  const bytes = new TextEncoder().encode(query);
  const {offsets} = await database.tokenize(query);
  const ends = [...offsets.filter((at) => bytes[at] === ";".charCodeAt(0)), bytes.length];
  return ends.map((end, i) => ({first: offsets.find((at) => at >= (i ? ends[i - 1] + 1 : 0)), end})).filter(({first, end}) => first < end)
    .map(({first, end}) => ({text: new TextDecoder().decode(bytes.slice(first, end)), start: first, query: bytes}));
}

function only(found) {
  if (found.length === 1) return found[0];
  throw found.length ? refusal("sql.several", {count: found.length}) : refusal("sql.no-statement");
}

// What DuckDB says: its words, and the byte of the text that it speaks of, if any; null for what it does not say itself.
export function parseMessage(error) {
  const [, kind, json] = /^(?:([A-Z][\w ]*) Error: )?(\{.*\})$/s.exec(error.message) ?? [];
  if (json) {
    const {exception_type: type = kind, exception_message: message, position} = JSON.parse(json);
    return {message: `${type} Error: ${message}`, position: position == null ? null : Number(position)};
  }
  return /^[A-Z][\w ]*Error: /.test(error.message) ? {message: error.message, position: null} : null;
}

function placeMistake(error, {start, query}, before) {
  const found = parseMessage(error);
  if (!found) return error;
  const at = found.position == null ? null : found.position - new TextEncoder().encode(before).length;
  const inText = at == null || at < 0 || start + at > query.length ? null : new TextDecoder().decode(query.slice(0, start + at)).length;
  return mistake(found.message, inText);
}

function rowsOf(batches) {
  return batches.flatMap((batch) => {
    const columns = batch.schema.fields.map((_, i) => batch.getChildAt(i));
    return Array.from({length: batch.numRows}, (_, row) => columns.map((column) => column.get(row)));
  });
}
