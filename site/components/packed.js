// Which data of pages lie packed (gzip) on the server: what a page loads on demand, and the JSON of numbers.
const LATER = /^((ja\/)?content\/submissions\/[^/]+\/.+|parts\/(?!devices\/|submissions\/|curves\/)[^/]+\/.+|[rpksq]\/\w+)\.json$/;
export const isGzipped = (path) => LATER.test(path);
export const ENDING = ".gz";

// An answer that may be packed, as it is unpacked. Where a server says of a .gz that it is packed text, the browser has unpacked it.
const GZIP = [0x1f, 0x8b];
export async function unzip(response) {
  const file = await response.blob();
  const start = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  const isStill = GZIP.every((byte, i) => start[i] === byte);
  return new Response(isStill ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file);
}
