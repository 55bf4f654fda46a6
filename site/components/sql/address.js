// A query in the address, behind `#` (never sent to a server), compressed to a third.

export async function packQuery(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function unpackQuery(written) {
  if (!/^[\w-]+$/.test(written ?? "")) return null;
  try {
    const bytes = Uint8Array.from(atob(written.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return new TextDecoder("utf-8", {fatal: true}).decode(await through(new DecompressionStream("deflate-raw"), bytes));
  } catch {
    return null;
  }
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export const parts = (hash) => Object.fromEntries(new URLSearchParams(hash.replace(/^#/, "")));

export function hashOf(values) {
  const given = Object.entries(values).filter(([, value]) => value != null && value !== false).map(([name, value]) => [name, value === true ? "" : value]);
  return given.length ? `#${new URLSearchParams(given)}` : "";
}
