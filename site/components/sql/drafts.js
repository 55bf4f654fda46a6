// Queries that were typed and replaced, and those that were run, latest first. They are kept in this browser only.
const KEY = "ioledger.queries";
const MOST = 30;

export function drafts(storage = globalThis.localStorage) {
  // A browser may refuse to keep anything; then they last as long as the page.
  let here = [];
  const read = () => {
    try { here = JSON.parse(storage.getItem(KEY)) ?? here; } catch { /* what is there is no list of ours */ }
    return Array.isArray(here) ? here.filter((text) => typeof text === "string") : [];
  };
  return {
    all: read,
    keep(text) {
      if (!text.trim()) return;
      here = [text, ...read().filter((each) => each !== text)].slice(0, MOST);
      try { storage.setItem(KEY, JSON.stringify(here)); } catch { /* kept in the page alone */ }
    }
  };
}
