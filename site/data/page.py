# ruff: noqa: INP001  (a script of the site, not a module)
"""A page of a device or submission: the title and first words in Markdown, everything else drawn from its JSON."""

from __future__ import annotations

import json
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

LEDE_CHARACTERS = 300
PAGES = Path("site/.observablehq/cache/pages")


@contextmanager
def named(query: Path) -> Iterator[str]:
    """Give the text of a query; where it fails inside the block, the process ends and one line names the file."""
    import duckdb  # noqa: PLC0415  (most pages need no database)

    try:
        yield query.read_text(encoding="utf-8")
    except duckdb.Error as error:
        sys.exit(f"site/data/{query.name}: {' '.join(str(error).split())}")


def content(kind: str, argument: str) -> tuple[str, dict[str, Any]]:
    """Return the name behind ``--<parameter>=`` and the page's content."""
    name = argument.split("=", 1)[1]
    return name, json.loads((PAGES / kind / f"{name}.json").read_text(encoding="utf-8"))


def escaped(text: str) -> str:
    """Return text in which nothing is Markdown, HTML or an expression: punctuation stands as entities."""
    return re.sub(r"[^\w ,]", lambda match: f"&#{ord(match[0])};", " ".join(text.split()))


def page(title: str, keywords: str, words: str, body: str) -> str:
    """Return a page with its title as JSON, which is YAML too."""
    front = f"---\ntitle: {json.dumps(title)}\nkeywords: {json.dumps(keywords)}\nindex: true\n---\n"
    kind = ' class="lede"' if len(words) <= LEDE_CHARACTERS else ""
    lede = f"<p{kind}>{escaped(words)}</p>\n" if words else ""
    return f"{front}\n# {escaped(title)}\n\n{lede}\n```js\n{body}\n```\n"
