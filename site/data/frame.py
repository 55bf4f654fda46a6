"""
The source tree that the site's framework builds, and the frame of the pages, which it makes of the tree.

Nothing of what was submitted is in it, so no text of a stranger can become Markdown, HTML or code: pages load it as
JSON. Of pages that are made, one per device or submission, one stub stands for all. ``texts.js`` holds the words,
because a browser reads no JSON by import everywhere, without ``search.words.*``, which only the search's index takes.

The frame takes a processor for 15 seconds, so one of the same sources is kept between builds.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

from ioledger.build import add_files, identify_node, list_sources
from ioledger.build.pages import LANGUAGES
from ioledger.build.site import FRAMEWORK
from ioledger.system import scratch_folder
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ioledger.build.pages import Messages, Page

CACHE = ROOT / "node_modules" / ".cache" / "ioledger" / "frames"
CODE = (
    "observablehq.config.js", "package-lock.json", "site/components", "site/messages", "tools/hermetic.mjs",
    "tools/make-once.mjs",
)  # fmt: skip
"""What a frame is made of beside the tree: the configuration with all that it imports, and the packages."""
IMPORTED = re.compile(
    r"""(^import\s*["']|^(?:import|export)\b[^"';=()]*?\bfrom\s*["']|\bimport(?:\.meta\.resolve)?\(\s*["'])"""
    r"""((?:@[\w-]+/)?[a-z][\w.-]*)(?=["'/])""",
    re.MULTILINE,
)
"""What stands before the name of a package in a module, and the name: no path, and none that has a scheme."""

INSTALLED = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["dependencies"]
"""The versions of the packages that the project depends on."""


def plant(site: Path, tree: Path, pages: Iterable[Page], messages: Messages) -> None:
    """Write the tree of these pages of ``site``; of one that stands already only what differs, and nothing is left."""
    wanted = dict(_modules(site))
    drawn = {
        language: {key: text for key, text in texts.items() if not key.startswith("search.words.")}
        for language, texts in messages.items()
    }
    texts = json.dumps(drawn, ensure_ascii=False, sort_keys=True, indent=1)
    wanted["components/texts.js"] = f"export default {texts};\n"
    wanted |= {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in _sheets(site)}
    for page in pages:
        for folder, language in zip(("", "ja/"), LANGUAGES, strict=True):
            for name in {stub_of(page.path), page.path}:  # the preview finds a made page by its brackets
                wanted[f"{folder}{name[1:]}.md"] = _stub(page, language, folder, messages[language])
    for path in sorted(tree.rglob("*")):
        name = path.relative_to(tree).as_posix()
        if path.is_file() and name not in wanted and not name.startswith("."):
            path.unlink()
    for name, text in wanted.items():
        path = tree / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def _modules(site: Path) -> Iterator[tuple[str, str]]:
    """Give every module of pages and components as the framework takes it."""
    for folder in ("components", "pages"):
        for path in sorted((site / folder).rglob("*.js")):
            name = f"{folder}/{stub_of(path.relative_to(site / folder).as_posix())}"
            yield name, IMPORTED.sub(_from_npm, path.read_text(encoding="utf-8"))


def _from_npm(imported: re.Match[str]) -> str:
    """Return the import of a package as the framework serves it; it knows another version of DuckDB than ours."""
    before, name = imported.groups()
    return f"{before}npm:{name}@{INSTALLED[name]}" if name in INSTALLED else imported[0]


def style(site: Path) -> str:
    """Return what changes when the style sheet of ``site`` does, for pages that name it without its hash."""
    return hashlib.sha256(b"".join(sheet.read_bytes() for sheet in _sheets(site))).hexdigest()[:8]


def _sheets(site: Path) -> list[Path]:
    return [site / "style.css", *sorted((site / "styles").rglob("*.css"))]


def stub_of(path: str) -> str:
    """Return a path without brackets, which the framework would take for a parameter."""
    return re.sub(r"\[(\w+)\]", r"_\1", path)


def _stub(page: Page, language: str, folder: str, words: dict[str, str]) -> str:
    """Return a page's Markdown: its head, and an expression that draws it, since that alone has a place to fill."""
    name = stub_of(page.path[1:])
    base = "/".join([".."] * f"{folder}{name}".count("/")) or "."
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
import {{mount}} from "{base}/components/mount.js";
import page from "{base}/pages/{name}.js";
```

```js
mount(page, {shown})
```
"""


def build(aside: Path, dist: Path, *, anew: bool) -> int:
    """Make the frame of the tree in ``aside`` into ``dist``, or take the kept one; return the framework's exit code."""
    place = CACHE / key(aside)
    if not anew and not dist.exists() and _copy_frame(place, dist):
        print("the frame is that of an earlier build, whose sources were the same", flush=True)  # noqa: T201
        return 0
    code = subprocess.run(["node", str(FRAMEWORK), "build"], check=False).returncode  # noqa: S603, S607
    if code == 0:
        with suppress(OSError):  # one that cannot be kept is made anew
            _keep(dist, place)
    return code


def key(aside: Path) -> str:
    """Return the hash of all that the frame is made of."""
    digest = hashlib.sha256(identify_node().encode())
    for name in ("tree", "frame.json"):
        add_files(digest, aside, list_sources(aside / name))
    for name in CODE:
        add_files(digest, ROOT, list_sources(ROOT / name))
    return digest.hexdigest()


def _copy_frame(place: Path, dist: Path) -> bool:
    """Copy a kept frame, whose pages are then drawn; return whether one was there to the end."""
    try:
        return bool(shutil.copytree(place, dist))
    except OSError:
        shutil.rmtree(dist, ignore_errors=True)
        return False


def _keep(dist: Path, place: Path) -> None:
    """Put a copy of a frame in its place, and away the one that was kept before."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with scratch_folder(place.parent) as aside:
        shutil.copytree(dist, aside / "made")
        for old in place.parent.iterdir():
            if not old.name.startswith("."):
                old.rename(aside / old.name)
        (aside / "made").rename(place)
