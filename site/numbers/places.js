// The raw files that pages quote. A file is read and searched once.
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {cells, lines} from "../components/locate.js";

// A reader of the files below a folder: file(submission, path) -> {lines, line(pointer), cells(n)}, or null.
export function files(folder) {
  const known = new Map();
  const read = (submission, path) => {
    if (!folder || path.split("/").includes("..")) return null;
    let text;
    try { text = readFileSync(join(folder, submission, path), "utf8"); } catch { return null; }
    const rows = text.split(/\r\n|\n|\r/);
    if (rows.at(-1) === "") rows.pop();
    let places;
    const line = (pointer) => {
      const told = /^line (\d+)/.exec(pointer ?? "");
      if (told) return Number(told[1]) <= rows.length ? Number(told[1]) : null;
      return (places ??= lines(text)).get(pointer) ?? null;
    };
    return {lines: rows, line, cells: (n) => cells(rows[0], rows[n - 1])};
  };
  return (submission, path) => {
    const key = `${submission}/${path}`;
    if (!known.has(key)) known.set(key, read(submission, path));
    return known.get(key);
  };
}
