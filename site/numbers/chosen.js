// What a reader has chosen elsewhere on the site counts on the page of a number, too: light or dark, and the language. A page
// of a number exists once, in both languages; links to pages that exist in each lead to those of the language read last.
// Without scripts its header has both languages. A script of its own, which all of these pages share.
{
  const root = new URL(".", document.currentScript.src).href;
  const {theme, language} = localStorage;
  if (theme) document.documentElement.dataset.theme = theme;
  if (language === "ja") {
    document.documentElement.dataset.language = language;
    addEventListener("DOMContentLoaded", () => {
      for (const link of document.querySelectorAll("a[href]:not([hreflang])")) {
        const [, path] = link.href.startsWith(root) ? /^((?:|compare|sql|devices\/.+|submissions\/.+)(?:[?#].*)?)$/.exec(link.href.slice(root.length)) ?? [] : [];
        if (path != null) link.href = `${root}ja/${path}`;
      }
    });
  }
}
