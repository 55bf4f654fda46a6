// Loads in words: size, access, direction or share of reads, in this order. A profile's name never stands without its definition.
const definitions = {
  database: ["8 KiB", "random", 67], file_server: ["64 KiB", "random", 67], file_copy: ["64 KiB", "random", 50],
  streaming: ["64 KiB", "sequential", 100], restore: ["64 KiB", "sequential", 0]
};
const names = Object.keys(definitions);
const key = (profile) => String(profile ?? "").toLowerCase().replaceAll(/[ -]/g, "_");
const generic = /^(\S+ \S*B) (random|sequential)(?: (read|write)|, (\d+(?:\.\d+)?) % read)(?:, (.*))?$/;

// The name of a workload: that of its profile where all these submissions use it, else its definition.
export function profileOf({load_profile: profile, definition, naming_submissions: naming}, submissions) {
  const by = new Set(naming);
  return definition && key(profile) in definitions && !submissions.every((each) => by.has(each)) ? definition : profile;
}

export function loadParts(profile, t) {
  const id = key(profile);
  if (id in definitions) {
    const [block, access, read] = definitions[id];
    return {name: t(`load.name.${id}`), definition: define(block, access, read, t)};
  }
  const [, block, access, pure, share, options] = generic.exec(profile ?? "") ?? [];
  if (!block) return {name: null, definition: profile ?? t("state.unknown")};
  const definition = define(block, access, pure === "read" ? 100 : pure === "write" ? 0 : share, t);
  return {name: null, definition: [definition, ...(options ? options.split(", ").map((each) => optionWords(each, t)) : [])].join(t("list.comma"))};
}

const optionPatterns = [
  [/^norandommap=(?:true|1)$/, "norandommap"], [/^zonemode=zbd$/, "zonemode"], [/^max_open_zones=(\d+)$/, "max_open_zones"], [/^offset_increment=(\d+)z$/, "offset_increment"],
  [/^fsync=(\d+)$/, "fsync"], [/^fdatasync=(\d+)$/, "fdatasync"], [/^(\d+) streams?$/, "streams"], [/^random_distribution=zipf:([\d.]+)$/, "zipf"],
  [/^rate_iops=(\d+)$/, "rate_iops"], [/^thinktime=(\d+)$/, "thinktime"]
];
function optionWords(option, t) {
  for (const [pattern, name] of optionPatterns) {
    const [is, n] = pattern.exec(option) ?? [];
    if (is) return t(`load.option.${name}`, n == null ? {} : {n, count: Number(n)});
  }
  return option;
}

const pure = {100: "load.pure_read", 0: "load.pure_write"};
const define = (block, access, read, t) => t(pure[read] ?? "load.generic", {block, access: t(`load.access_${access}`), read});

export function loadText(profile, t) {
  const {name, definition} = loadParts(profile, t);
  return name ? t("load.named", {name, definition}) : definition;
}

const rank = (profile) => (names.indexOf(key(profile)) + 1) || names.length + 1;
export const byLoad = (a, b) => rank(a.load_profile) - rank(b.load_profile)
  || String(a.load_profile).localeCompare(String(b.load_profile), "en", {numeric: true});

// The workload to show, of those that rows have, and the control that chooses it: 4 KiB random reads at first.
export const FIRST = "4 KiB random read";
export function chooseLoad(rows, {t, state, name = "load"}) {
  const loads = [...new Set(rows.toSorted(byLoad).map((row) => row.load_profile))];
  const fallback = loads.includes(FIRST) ? FIRST : loads[0];
  return {
    load: state.choice(name, loads, fallback),
    control: loads.length > 1 ? state.select({name, label: t("column.load"), options: loads.map((value) => ({value, label: loadText(value, t)})), fallback}) : null
  };
}

export function blockOf(profile) {
  const [, size, unit] = /^(\d+) ([KM]?)i?B/.exec(definitions[key(profile)]?.[0] ?? profile) ?? [];
  return size ? size * {"": 1, K: 1024, M: 1048576}[unit] : null;
}
