# ruff: noqa: INP001  (a script of the site, not a module)
"""
The source tree that the site's framework builds: one stub per page and language, and the modules that draw them.

Nothing of what was submitted is in it, so no text of a stranger can become Markdown, HTML or code: pages load it as
JSON. Of pages that are made, one per device or submission, one stub stands for all. The modules are those of ``site``
with two changes: a package is imported as ``npm:<name>``, which is how the framework serves it, and ``texts.js`` holds
the words themselves, because a browser reads no JSON by import everywhere. The words that only the index of the search
takes (``search.words.*``) are not in it: every page would load them.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from typing import TYPE_CHECKING

from ioledger.build.pages import LANGUAGES
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ioledger.build.pages import Messages, Page

IMPORTED = re.compile(
    r"""(^import\s*["']|^(?:import|export)\b[^"';=()]*?\bfrom\s*["']|\bimport(?:\.meta\.resolve)?\(\s*["'])"""
    r"""((?:@[\w-]+/)?[a-z][\w.-]*)(?=["'/])""",
    re.MULTILINE,
)
"""What stands before the name of a package in a module, and the name: no path, and none that has a scheme."""


def plant(site: Path, tree: Path, pages: Iterable[Page], messages: Messages) -> None:
    """Write the tree of these pages of ``site``; of one that stands already only what differs, and nothing is left."""
    wanted = dict(_modules(site))
    wanted["components/texts.js"] = (
        f"export default {json.dumps(_drawn(messages), ensure_ascii=False, sort_keys=True, indent=1)};\n"
    )
    for path in (site / "style.css", *sorted((site / "styles").rglob("*.css"))):
        wanted[path.relative_to(site).as_posix()] = path.read_text(encoding="utf-8")
    for page in pages:
        for language in LANGUAGES:
            for name in {stub_of(page.path), page.path}:  # the preview finds a made page by its brackets
                wanted["/".join((*prefix(language), f"{name[1:]}.md"))] = _stub(page, language, messages)
    for path in sorted(tree.rglob("*")):
        name = path.relative_to(tree).as_posix()
        if path.is_file() and name not in wanted and not name.startswith("."):
            path.unlink()
    for name, text in wanted.items():
        path = tree / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def _drawn(messages: Messages) -> dict[str, dict[str, str]]:
    """Give the messages that a page may show, by language."""
    return {
        language: {key: text for key, text in texts.items() if not key.startswith("search.words.")}
        for language, texts in messages.items()
    }


def _modules(site: Path) -> Iterator[tuple[str, str]]:
    """Give every module of pages and components as the framework takes it."""
    for folder in ("components", "pages"):
        for path in sorted((site / folder).rglob("*.js")):
            name = f"{folder}/{stub_of(path.relative_to(site / folder).as_posix())}"
            yield name, IMPORTED.sub(_from_npm, path.read_text(encoding="utf-8"))


def _from_npm(imported: re.Match[str]) -> str:
    """Return the import of a package as the framework serves it; it knows another version of DuckDB than ours."""
    before, name = imported.groups()
    return f"{before}npm:{name}@{_installed()[name]}" if name in _installed() else imported[0]


@cache
def _installed() -> dict[str, str]:
    """Return the versions of the packages that the project depends on."""
    known: dict[str, str] = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["dependencies"]
    return known


def style(site: Path) -> str:
    """Return what changes when the style sheet of ``site`` does, for pages that name it without its hash."""
    sheets = [site / "style.css", *sorted((site / "styles").rglob("*.css"))]
    return hashlib.sha256(b"".join(sheet.read_bytes() for sheet in sheets)).hexdigest()[:8]


def prefix(language: str) -> tuple[str, ...]:
    """Return the folder below which the pages of a language lie, if they lie in one."""
    return () if language == LANGUAGES[0] else (language,)


def stub_of(path: str) -> str:
    """Return a path without brackets, which the framework would take for a parameter."""
    return re.sub(r"\[(\w+)\]", r"_\1", path)


def _stub(page: Page, language: str, messages: Messages) -> str:
    """Return a page's Markdown: its head, and an expression that draws it, since that alone has a place to fill."""
    name, words = stub_of(page.path[1:]), messages[language]
    depth = name.count("/") + len(prefix(language))
    base = "/".join([".."] * depth) or "."
    up = f"{base}/"
    front = {
        "title": words[page.front.title],
        "description": words[page.front.description],
        "keywords": page.front.keywords,
        "language": language,
        "page": page.path,
    }
    lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in front.items())
    shown = json.dumps({"path": page.path, "language": language, "base": base})
    return f"""---
{lines}---

```js
import {{mount}} from "{up}components/mount.js";
import page from "{up}pages/{name}.js";
```

```js
mount(page, {shown})
```
"""
