// What takes seconds to make and is the same for the same inputs: a folder per hash of the inputs, kept between builds.
import {createHash} from "node:crypto";
import {existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const cacheFolder = join(root, "node_modules", ".cache", "ioledger");
const DAY = 86_400_000;

// Returns the folder that `make` has filled for these inputs, strings or bytes. It is made aside and put in place by renaming;
// whoever comes second finds it there. Others of the name go when they are a day old.
export async function makeOnce(name, inputs, make) {
  const digest = createHash("sha256");
  for (const input of inputs) digest.update(input).update("\0");
  const folder = join(cacheFolder, `${name}-${digest.digest("hex").slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cacheFolder, {recursive: true});
  const aside = mkdtempSync(join(cacheFolder, "making-"));
  try {
    await make(aside);
    renameSync(aside, folder);
    for (const old of readdirSync(cacheFolder)) if (old.startsWith(`${name}-`) && Date.now() - statSync(join(cacheFolder, old)).mtimeMs > DAY) rmSync(join(cacheFolder, old), {recursive: true, force: true});
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(aside, {recursive: true, force: true});
  }
  return folder;
}
