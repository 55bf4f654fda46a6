const hosts = [[/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/, ""], [/^https:\/\/gitlab\.com\/[\w.-]+(\/[\w.-]+)+$/, "/-"]];
const encodePath = (path) => path.split("/").map(encodeURIComponent).join("/");

// The address of a file (with its line) or folder at its origin; null for an unknown host. A member of an archive has the archive's address.
export function originAddress(repository, commit, path, {line, kind = "blob"} = {}) {
  const middle = hosts.find(([form]) => form.test(repository ?? ""))?.[1];
  if (middle == null || !/^[0-9a-f]{40}$/.test(commit ?? "")) return null;
  const inside = path ? `/${encodePath(path.split("!")[0])}` : "";
  return `${repository}${middle}/${kind}/${commit}${inside}${line ? `#L${line}` : ""}`;
}
