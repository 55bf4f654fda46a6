// Media classes: one name, one colour and one symbol each, the same on every page. The order is that of the pages.
const classes = [
  ["hdd", "Hard disk", "square"],
  ["ssd_sas", "SAS SSD", "triangle"],
  ["ssd_sata", "SATA SSD", "diamond"],
  ["ssd_pcie", "PCIe SSD", "cross"],
  ["ssd_nvme", "NVMe NAND SSD", "circle"],
  ["ssd_optane", "Optane SSD", "star"],
  ["virtual", "Virtual disk", "wye"]
];
const known = new Map(classes.map(([id, label, symbol], rank) => [id, {id, label, symbol, rank, color: `var(--m-${id})`}]));

export const media = classes.map(([id]) => id);
export const medium = (id) => known.get(id) ?? {id, label: id ?? "not stated", symbol: "circle", rank: classes.length, color: "var(--m-mixed)"};
export const byMedium = (a, b) => medium(a.media_class).rank - medium(b.media_class).rank;

// Plot scales that give every medium its colour and symbol.
export const colorScale = {domain: media, range: media.map((id) => medium(id).color), unknown: "var(--m-mixed)"};
export const symbolScale = {domain: [...media, "other"], range: [...media, "other"].map((id) => medium(id).symbol)};

// Load profiles in the order of the reports they come from.
const profiles = ["database", "file_server", "file_copy", "streaming", "restore"];
const key = (name) => String(name).toLowerCase().replaceAll(/[ -]/g, "_");
export const profileRank = (name) => (profiles.indexOf(key(name)) + 1) || profiles.length + 1;
export const byProfile = (a, b) => profileRank(a.load_profile) - profileRank(b.load_profile) || String(a.load_profile).localeCompare(String(b.load_profile), "en");
export const profileLabel = (name) => name == null ? "not stated" : name.replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase());

// The load at which a number stands, in words: peak, or queue depth N.
export const loadLabel = (basis) => basis.replace("queue_depth=", "queue depth ").replace("_", " ");
