"""A manifest is read alike with libyaml and without it: the same values, the same lines, the same words of refusal."""

from __future__ import annotations

import pytest
import yaml

from ioledger.submission.safe_yaml import Lines, Mistake, load_yaml

EXAMPLE = b"""\
title: 'A drive: "fast"'
note: >-
  two lines
  of one text
drives:
  - {model: "X-1 \\u00b5", bytes: 1.5e9, url: "http://host/?id=1", cache: on}
  - {model: plain text, why?: 0x1F, date: 2026-11-22}
"""
REFUSED = (
    "a: {unknown: why? not}\n",
    "a: {b: the page\tdoes not}\n",
    "a: [1, 2\n",
    "a: 1\na: 2\n",
    "a: &anchor 1\nb: *anchor\n",
    "a: !tag 1\n",
    "",
    "a: " + "[" * 40 + "]" * 40 + "\n",
    "? [a]\n: 1\n",
)


def _read(text: bytes) -> tuple[object, Lines] | tuple[int, str, str]:
    try:
        return load_yaml(text)
    except Mistake as mistake:
        return mistake.line, mistake.what, mistake.rule


@pytest.mark.parametrize("text", [EXAMPLE, *map(str.encode, REFUSED)])
def test_libyaml_changes_nothing(text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes tabs and question marks in plain text, and has other words for what is wrong."""
    quick = _read(text)
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert quick == _read(text)


def test_a_manifest_is_read_with_libyaml_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyYAML is asked only where something is wrong or doubtful."""
    ordinary = EXAMPLE.replace(b"why?", b"why")
    expected = load_yaml(ordinary)
    monkeypatch.setattr(yaml.SafeLoader, "get_event", None)
    assert yaml.__with_libyaml__
    assert load_yaml(ordinary) == expected
