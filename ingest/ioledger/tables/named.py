"""Configurations and tables by the names that people give them, and what they may have meant."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Pair = tuple[str, str]
"""A submission and a configuration of it."""
MOST_CHOICES = 5
"""So many names are offered in the place of a wrong one."""


def fitting(name: str, known: Iterable[Pair]) -> list[Pair]:
    """Return the configurations that are called so: ``configuration``, or ``submission/configuration``."""
    submission, is_both, configuration = name.rpartition("/")
    return [pair for pair in known if pair == (submission, configuration) or (not is_both and pair[1] == name)]


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return names that are like this one, the nearest first."""
    return get_close_matches(name, list(known), MOST_CHOICES)
