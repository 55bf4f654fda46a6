"""
Sentences of this project in Japanese, by ``site/glosses/*.json``; ``{name}`` stands for what differs.

What an author wrote stays, because only whole sentences are looked up.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "glosses"
WRITTEN = (
    *("data/claims", "data/checks", "data/columns", "data/sources", "data/coverage"),
    *("data/method", "data/rules", "data/submissions", "data/tables", "content/submissions"),
)
"""What pages load of which there is a Japanese file beside the English one; ``components/mount.js`` has the same."""
PLACE = re.compile(r"\\\{(\w+)\\\}")
BRACKETS = re.compile(r"(.+) \(([^()]*(?:\([^()]*\)[^()]*)*)\)", re.DOTALL)
COMPUTED = re.compile(r"[^=]* = [^=]*")
CLAUSE = re.compile(r"; (?![^(]*\))")


class Glosses:
    """The sentences that are known in Japanese."""

    def __init__(self, folder: Path = FOLDER) -> None:
        """Read them."""
        files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
        known: dict[str, str] = {en: ja for file in files for en, ja in file.items()}
        self.whole = {en: ja for en, ja in known.items() if "{" not in en}
        self.shapes = [
            (re.compile(PLACE.sub(r"(?P<\1>.+?)", re.escape(en)), re.DOTALL), ja)
            for en, ja in sorted(known.items(), key=lambda each: -len(each[0]))
            if "{" in en
        ]
        self.found: dict[str, str | None] = {}

    def gloss(self, text: str) -> str | None:
        """Return what a sentence, or several clauses of them, says in Japanese; null where a part is not known."""
        if text not in self.found:
            self.found[text] = self._clauses(text) or self._sentence(text)
        return self.found[text]

    def _sentence(self, text: str) -> str | None:
        if text in self.whole:
            return self.whole[text]
        for shape, ja in self.shapes:
            if match := shape.fullmatch(text):
                parts = {name: self._sentence(value) or value for name, value in match.groupdict().items()}
                return ja.format_map(parts)
        return None

    def _clauses(self, text: str) -> str | None:
        """Translate ``Head: computation (what it allows); remark``, the form in which reasons are written."""
        head, _, rest = text.partition(": ")
        if not rest or self._sentence(head) is None:
            return None
        pieces = [self._piece(piece) for piece in CLAUSE.split(rest)]
        return None if None in pieces else f"{self._sentence(head)}：{'。'.join(map(str, pieces))}"  # noqa: RUF001  (Japanese)

    def _piece(self, text: str) -> str | None:
        if text in self.whole:
            return self.whole[text]
        if bracketed := BRACKETS.fullmatch(text):
            body = self._piece(bracketed[1])
            inside = [self._sentence(each) for each in bracketed[2].split("; ")]
            return None if body is None or None in inside else f"{body}（{'、'.join(map(str, inside))}）"  # noqa: RUF001
        return self._sentence(text) or (text if COMPUTED.fullmatch(text) else None)

    def of(self, content: Any) -> Any:  # noqa: ANN401  (anything that JSON can hold)
        """Return content with every text in Japanese that is known so; keys stay as they are."""
        if isinstance(content, str):
            return (self.gloss(content) or content) if " " in content or content.endswith(".") else content
        if isinstance(content, dict):
            return {key: self.of(value) for key, value in content.items()}
        return [self.of(each) for each in content] if isinstance(content, list | tuple) else content


def is_written(path: str) -> bool:
    """Tell whether a file of the pages' data has a Japanese one beside it."""
    return any(path == each or path.startswith(f"{each}/") for each in WRITTEN)
