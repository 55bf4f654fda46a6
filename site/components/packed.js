// What of the pages' own data lies packed on the server: what a page loads only when a reader opens it. A fifth of the bytes
// are left. The JSON of numbers is among it, which is named with its ending. (Which raw files lie packed: site/data/served.py.)
const LATER = /^((ja\/)?content\/submissions\/[^/]+\/.+|parts\/(?!devices\/|submissions\/|curves\/)[^/]+\/.+|[rpksq]\/\w+)\.json$/;
export const liesPacked = (path) => LATER.test(path);
export const ENDING = ".gz";

// An answer that may be packed, as it is unpacked. Where a server says of a .gz that it is packed text, the browser has unpacked it.
const GZIP = [0x1f, 0x8b];
export async function opened(response) {
  const file = await response.blob();
  const start = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  const isStill = GZIP.every((byte, i) => start[i] === byte);
  return new Response(isStill ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file);
}
