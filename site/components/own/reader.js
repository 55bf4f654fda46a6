// The reader of files in its worker (site/reader/worker.js), loaded with the published values when files are first chosen.
// `load(path)` gives the JSON of a file of the site, `rows(query)` the rows of a query, `base` leads to the root of the site.
export function reader({load, rows, base}) {
  let loaded, published, checking, example, worker;

  async function start(onStep) {
    const settings = await load("data/reader.json");
    const folder = new URL(`${base}/${settings.worker}`, location).href;
    worker = new Worker(folder, {type: "module"});
    const ready = answer((step) => onStep({moved: step.moved, of: settings.packed_bytes}), {start: true});
    const beside = (name) => new URL(name, folder).href;
    const [workloads, points, text, module] = await Promise.all([rows("own-workloads"), rows("own-points"), fetch(beside(settings.example)).then((found) => found.text()), import(beside("manifest.js")), ready, fonts()]);
    published = {workloads, points};
    checking = module;
    example = {files: [{path: settings.example, file: new Blob([text])}], names: [settings.example]};
  }

  // Fonts load when a sign is first shown; this one loads before files are read. English pages with own files have no Japanese font.
  const fonts = () => Promise.allSettled([...document.fonts].filter(({family}) => document.documentElement.lang === "ja" || !family.includes("Noto")).map((face) => face.load()));

  const answer = (onStep, message) => new Promise((done, fail) => {
    worker.onerror = (event) => fail(new Error(event.message ?? "the worker did not start"));
    worker.onmessage = ({data}) => {
      if (data.failed) fail(new Error(data.failed));
      else if (data.ready || data.found || data.zip) done(data);
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
    checking: () => checking,
    pack: async (given) => (await answer(() => {}, {pack: given})).zip,
    example: async (onStep) => { await ready(onStep); return example; }
  };
}
