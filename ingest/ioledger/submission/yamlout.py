"""
A manifest as YAML text that :mod:`ioledger.submission.yamlsafe` reads back to the same values.

Text that either YAML 1.1 or this project's loader would take for a number, a date or a boolean is quoted; there are no
anchors; small maps stand on one line.
"""

from __future__ import annotations

from typing import Any

import yaml

from ioledger.submission.yamlsafe import PlainLoader

WIDTH = 120


class _Dumper(yaml.SafeDumper):
    """SafeDumper that quotes what the loader would not read as text, and writes no anchors."""

    def ignore_aliases(self, _data: object) -> bool:
        """Write every value out."""
        return True


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    """Quote and escape text that holds anything but visible characters: YAML folds some line separators."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')


_Dumper.add_representer(str, _text)
_Dumper.yaml_implicit_resolvers = {
    first: yaml.SafeDumper.yaml_implicit_resolvers.get(first, []) + PlainLoader.yaml_implicit_resolvers.get(first, [])
    for first in yaml.SafeDumper.yaml_implicit_resolvers.keys() | PlainLoader.yaml_implicit_resolvers.keys()
}


def dump(document: dict[str, Any]) -> str:
    """Return the document as YAML, keys in their order."""
    return yaml.dump(
        document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH, default_flow_style=None
    )
