// The manifest of a submission of own results: what a person states in a form, what the rows tell, and unknown for the rest.

const NOT_STATED = {unknown: "not stated in the form of the site"};
const GIGABYTE = 1e9;
const only = (values) => new Set(values).size === 1 ? values[0] : null;
const slug = (text) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "").slice(0, 40);

// Files of a submission: results {name, path, sha256, repetition, job}, then job files and logs {…, role, run, point}.
export function handedIn({files, rows}) {
  const of = Map.groupBy(rows, (row) => row.source_path);
  const [taken, paths, points] = [new Set(["manifest.yaml"]), new Map(), new Map()];
  const began = ({name}) => of.get(name)?.map((row) => row.started_at ?? row.ended_at ?? "").sort()[0] ?? "";
  const results = files.filter((file) => file.status === "read" && file.result_count && of.has(file.name)).toSorted((a, b) => began(a) < began(b) ? -1 : began(a) > began(b) ? 1 : 0);
  const isOurs = (name) => results.some((file) => file.name === name);
  const jobs = files.filter((file) => file.is_setup && results.some(({linked}) => linked === file.name));
  const logs = files.filter((file) => file.status === "read" && file.point && isOurs(file.linked));
  for (const {name} of [...results, ...jobs, ...logs]) {
    const plain = name.split(/[/!]/).at(-1).replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[.-]+/, "") || "result";
    let path = plain;
    for (let n = 2; taken.has(path.toLowerCase()); n++) path = `${n}-${plain}`;
    taken.add(path.toLowerCase());
    paths.set(name, path);
  }
  const placed = ({name, sha256}, more) => ({name, path: paths.get(name), sha256, ...more});
  return [...results.map((file) => {
    const {name, linked} = file;
    const measured = JSON.stringify(of.get(name).map((row) => [row.operation, row.access_pattern, row.read_ratio, row.block_size_bytes, row.queue_depth, row.process_count, row.test_name]).sort());
    points.set(measured, (points.get(measured) ?? 0) + 1);
    return placed(file, {repetition: points.get(measured), ...(jobs.some((job) => job.name === linked) && {job: paths.get(linked)})});
  }), ...jobs.map((file) => placed(file, {role: "job"})), ...logs.map((file) => placed(file, {role: "log", run: paths.get(file.linked), point: file.point}))];
}

export function testedOn(rows) {
  const days = [...new Set(rows.map((row) => (row.started_at ?? row.ended_at)?.slice(0, 10)).filter(Boolean))];
  return [10, 7, 4].map((length) => only(days.map((day) => day.slice(0, length)))).find(Boolean) ?? "";
}

// {folder, manifest}. `stated`: fields of the form; `today`: yyyy-mm-dd; `validate`: compiled schema. Required and not stated is unknown.
export function manifestOf(stated, rows, files, {today, validate}) {
  const {vendor, model, capacity, preconditioning_class, file_written} = stated;
  const device = slug([vendor, model].filter(Boolean).join(" ")) || "drive";
  const commonValue = (name) => only(rows.map((row) => row[name]));
  const withoutEmpty = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value != null && value !== ""));
  const direct = commonValue("is_direct");
  const manifest = {
    edition: 2,
    title: stated.title, submitted_by: stated.submitted_by, submitted_on: today, tested_on: stated.tested_on || "unknown",
    licence: stated.licence, source_type: "raw_tool_output", affiliation: stated.affiliation,
    systems: {host: withoutEmpty({cpu_model: stated.cpu_model})},
    devices: {[device]: withoutEmpty({vendor, model, firmware: stated.firmware, media_class: stated.media_class, capacity_bytes: capacity ? Math.round(Number(capacity) * GIGABYTE) : null})},
    configurations: {[device]: {
      title: stated.title, system: "host",
      storage: {storage_topology: "single", drives: [{device, count: 1}]},
      software: withoutEmpty({operating_system: stated.operating_system, kernel: stated.kernel, tool: commonValue("tool"), tool_version: commonValue("tool_version")}),
      method: withoutEmpty({preconditioning_class, file_written: file_written === "unknown" ? null : file_written, latency_kind: only(rows.map((row) => row.latency_kind).filter(Boolean)), cache_bypass: direct == null ? null : direct ? "direct" : "buffered", process_count: commonValue("process_count")})
    }},
    files: files.map(({name, role, ...file}) => ({...file, ...(role ? {role} : {configuration: device})}))
  };
  // a value that is filled in may require another one
  for (let isComplete = false; !isComplete;) {
    validate(manifest);
    const missing = (validate.errors ?? []).filter(({keyword, instancePath}) => keyword === "required" && /^\/(systems|devices|configurations)\/[^/]+/.test(instancePath)).filter(({instancePath, params}) => at(manifest, instancePath)?.[params.missingProperty] === undefined);
    for (const {instancePath, params} of missing) at(manifest, instancePath)[params.missingProperty] = NOT_STATED;
    isComplete = missing.length === 0;
  }
  const who = slug(stated.submitted_by) || files[0].sha256.slice(0, 6); // a name without Latin letters
  return {folder: `${today.slice(0, 7)}-${who}-${device}`, manifest, problems: problemsIn(manifest, validate)};
}

const at = (document, pointer) => pointer.split("/").slice(1).reduce((value, key) => value?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], document);

function problemsIn(manifest, validate) {
  if (validate(manifest)) return [];
  const found = new Map();
  for (const {instancePath, message, params} of validate.errors) if (!found.has(instancePath)) found.set(instancePath, {place: `${instancePath.slice(1).replaceAll("/", ".")}${params.missingProperty ? `.${params.missingProperty}` : ""}`, message, format: params.format});
  return [...found.values()];
}

// A document as YAML. A text stands in double quotes, which JSON and YAML share, so that none is taken for a number or a date.
export function yaml(value, depth = 0) {
  const indent = "  ".repeat(depth);
  const entry = (inner) => inner != null && typeof inner === "object" && !("unknown" in inner) ? `\n${yaml(inner, depth + 1)}` : ` ${"object" === typeof inner && inner != null ? `{unknown: ${JSON.stringify(inner.unknown)}}` : JSON.stringify(inner)}\n`;
  if (Array.isArray(value)) return value.map((each) => `${indent}- ${yaml(each, depth + 1).trimStart()}`).join("");
  return Object.entries(value).map(([key, inner]) => `${indent}${key}:${entry(inner)}`).join("");
}
