"""What a page says, in English and in Japanese (``en.json``, ``ja.json``); where the site has a word, that word."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ioledger.gating.points import Point

from ioledger.report.look import NONE, block_size

LANGUAGES = ("en", "ja")


@cache
def _words(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(Path(__file__).with_name(f"{language}.json").read_text(encoding="utf-8"))
    return found


class Words:
    """The words of a language, by key; values in braces are put in."""

    def __init__(self, language: str) -> None:
        """Take ``en`` or ``ja``."""
        self.language = language
        self._words = _words(language)

    def __call__(self, key: str, **values: object) -> str:
        """Return a text; raises KeyError for one that there is not."""
        return self._words[key].format(**values)

    def load(self, point: Point) -> str:
        """Return a load in words, without its depth: pattern, operation, mix, block, processes."""
        pattern = self(point.access_pattern) if point.access_pattern in {"random", "sequential", "mixed"} else ""
        known = {"read", "write", "trim", "sync", "mixed"}
        operation = self(point.operation) if point.operation in known else point.operation
        parts = [f"{pattern} {operation}".strip()]
        if point.read_ratio is not None and 0 < point.read_ratio < 1:
            parts.append(self("reads", share=f"{100 * point.read_ratio:g}"))
        sizes = [each for each in (point.block_size_min_bytes, point.block_size_max_bytes) if each is not None]
        parts += [f" {NONE} ".join(dict.fromkeys(map(block_size, sizes)))] if sizes else []
        parts += [self("processes", count=point.process_count)] if (point.process_count or 1) > 1 else []
        parts += [self("buffered")] if point.is_direct is False else []
        return ", ".join(parts)
