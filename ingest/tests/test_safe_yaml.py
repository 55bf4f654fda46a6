"""YAML as a submission may use it: plain data, read with the line of every path."""

from __future__ import annotations

from ioledger.submission.safe_yaml import dump_yaml, load_yaml

EXAMPLE = b"""\
title: 'A drive: "fast"'
note: >-
  two lines
  of one text
drives:
  - {model: "X-1 \\u00b5", bytes: 1.5e9, url: "http://host/?id=1", cache: on}
  - {model: plain text, why?: 0x1F, date: 2026-11-22, is_new: true, count: 007}
"""


def test_only_plain_numbers_and_booleans_are_no_text() -> None:
    """Words, days and numbers of YAML 1.1 stay text; what is written is read as it was."""
    found, lines = load_yaml(EXAMPLE)
    assert found == {
        "title": 'A drive: "fast"',
        "note": "two lines of one text",
        "drives": [
            {"model": "X-1 \u00b5", "bytes": 1.5e9, "url": "http://host/?id=1", "cache": "on"},
            {"model": "plain text", "why?": "0x1F", "date": "2026-11-22", "is_new": True, "count": "007"},
        ],
    }
    assert (lines["note",], lines["drives", 1, "date"]) == (2, 7)
    assert load_yaml(dump_yaml(found).encode())[0] == found
