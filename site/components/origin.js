// Where an excerpt comes from: addresses in the repository of its raw files, at the commit that was read.

const hosts = [[/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/, ""], [/^https:\/\/gitlab\.com\/[\w.-]+(\/[\w.-]+)+$/, "/-"]];
const encoded = (path) => path.split("/").map(encodeURIComponent).join("/");

// The address of a file (with its line) or folder at its origin; null for an unknown host. A member of an archive has the archive's address.
export function originAddress(repository, commit, path, {line, kind = "blob"} = {}) {
  const middle = hosts.find(([form]) => form.test(repository ?? ""))?.[1];
  if (middle == null || !/^[0-9a-f]{40}$/.test(commit ?? "")) return null;
  const inside = path ? `/${encoded(path.split("!")[0])}` : "";
  return `${repository}${middle}/${kind}/${commit}${inside}${line ? `#L${line}` : ""}`;
}

// Repository and commit as a manifest states them, for the page that has nothing but the files of a submission.
export function originOf(manifest) {
  const section = /^origin:\n((?:[ \t]+.*\n|\n)*)/m.exec(manifest.replace(/\r\n?/g, "\n"))?.[1] ?? "";
  const stated = (key) => new RegExp(`^[ \\t]+${key}:[ \\t]*["']?([^"'\\s]+)`, "m").exec(section)?.[1] ?? null;
  return {repository: stated("repository"), commit: stated("commit")};
}

// The cells of a line of CSV by the names in its header, without those that are empty.
export function cellsOf(header, line) {
  const [names, cells] = [header, line].map((text) => Array.from(text.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g), ([, cell]) => cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
  return new Map(names.map((name, i) => [name, cells[i]]).filter(([, cell]) => cell));
}
