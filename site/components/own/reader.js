// The reader of files in its worker (site/reader/worker.js), loaded with the published values when files are first chosen.
// `load(path)` gives the JSON of a file of the site, `rows(query)` the rows of a query, `base` leads to the root of the site.
//   read(chosen, onStep) -> {rows, lines, files, findings, workloads}: what the worker says, with the rows of its JSON lines
//   published()          -> {workloads, points}, when it has loaded
//   example()            -> files that the site brings along
export function reader({load, rows, base}) {
  let loaded;
  let published;
  let example;
  let worker;

  // onStep({moved, of}) while it loads; it throws what went wrong.
  async function start(onStep) {
    const told = await load("data/reader.json");
    const folder = new URL(`${base}/${told.worker}`, location).href;
    worker = new Worker(folder, {type: "module"});
    const ready = answer((step) => onStep({moved: step.moved, of: told.packed_bytes}), {start: true});
    const [workloads, points, text] = await Promise.all([rows("own-workloads"), rows("own-points"), fetch(new URL(told.example, folder)).then((found) => found.text()), ready]);
    published = {workloads, points};
    example = {files: [{path: told.example, file: new Blob([text])}], names: [told.example]};
  }

  // Asks the worker, and gives its answer; steps on the way go to `onStep`.
  const answer = (onStep, message) => new Promise((done, fail) => {
    worker.onerror = (event) => fail(new Error(event.message ?? "the worker did not start"));
    worker.onmessage = ({data}) => {
      if (data.failed) fail(new Error(data.failed));
      else if (data.ready || data.found) done(data);
      else onStep(data);
    };
    worker.postMessage(message);
  });

  const ready = (onStep) => loaded ??= start(onStep).catch((error) => { worker?.terminate(); loaded = undefined; throw error; });
  return {
    async read(chosen, onStep) {
      await ready(onStep);
      const {lines, found} = await answer(({reading}) => onStep({reading, of: chosen.files.length}), chosen);
      return {...found, lines, rows: lines.split("\n").filter(Boolean).map((line) => JSON.parse(line))};
    },
    published: () => published,
    example: async (onStep) => { await ready(onStep); return example; }
  };
}
