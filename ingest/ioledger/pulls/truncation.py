"""Truncate a report: long texts and lists are cut, with the amount that was removed."""

from __future__ import annotations

import json
from typing import Any

import msgspec

LARGEST_BYTES = 192 << 10
"""A comment of GitHub holds 65,536 characters; more than three times that is never shown."""
LONGEST_TEXT, MOST_ROWS = 400, 100
LEFT_OUT = "_left_out"
FEWEST = 1


def cut_to_size(report: dict[str, Any], largest: int = LARGEST_BYTES) -> dict[str, Any]:
    """
    Return a report of JSON values with long texts and lists cut, small enough when it is written.

    Beside a list that was cut stands ``<name>_left_out``: how many of its rows are not there.
    """
    text, rows = LONGEST_TEXT, MOST_ROWS
    while True:
        found: dict[str, Any] = _cut(report, text, rows)
        if len(json.dumps(found)) <= largest or rows == FEWEST:
            return found
        text, rows = max(40, text // 2), max(FEWEST, rows // 2)


def encode_report(report: dict[str, Any]) -> bytes:
    """Return a truncated report as one JSON document."""
    return json.dumps(cut_to_size(msgspec.to_builtins(report, enc_hook=str))).encode() + b"\n"


def _cut(value: Any, text: int, rows: int) -> Any:  # noqa: ANN401  (JSON)
    if isinstance(value, str):
        return value if len(value) <= text else f"{value[:text]}… ({len(value) - text:,} more characters)"
    if isinstance(value, list | tuple):
        return [_cut(each, text, rows) for each in value[:rows]]
    if not isinstance(value, dict):
        return value
    found: dict[str, Any] = {}
    for name, each in value.items():
        found[name] = _cut(each, text, rows)
        if isinstance(each, list | tuple) and len(each) > rows:
            found[name + LEFT_OUT] = len(each) - rows + int(value.get(name + LEFT_OUT, 0))
    return found
