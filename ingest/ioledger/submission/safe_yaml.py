"""
YAML as a submission may use it, read and written: plain data with line numbers, and nothing that surprises.

Tags, anchors and aliases are refused (they can run code or blow up memory), duplicate keys are refused (one of the two
would be lost), and the words ``yes``, ``no``, ``on``, ``off`` and dates stay text (YAML 1.1 would turn them into
something else). So do whole numbers that are not written in plain decimals: in YAML 1.1 ``010`` is 8 and ``1:30`` is
90. The values otherwise follow YAML 1.1 as PyYAML reads it. What is written reads back to the same values: text that
either YAML 1.1 or this loader would take for a number, a date or a boolean is quoted.
"""

from __future__ import annotations

import math
import re
from typing import Any

import yaml

from ioledger.problems import Problem

MAX_BYTES = 2 << 20
MAX_DEPTH = 20
Path = tuple[str | int, ...]
Lines = dict[Path, int]
"""The line of every path in a document, from 1."""


class Mistake(Exception):  # noqa: N818  (it is not an error of the program)
    """Something in the text that is refused: line (from 1), what, remedy, rule id."""

    def __init__(self, line: int, what: str, remedy: str, rule: str) -> None:
        """Keep the four parts of a problem."""
        super().__init__(what)
        self.line, self.what, self.remedy, self.rule = line, what, remedy, rule

    def problem(self, file: str) -> Problem:
        """Return it as a problem of a file."""
        return Problem(file, str(self.line), self.what, self.remedy, self.rule)


_SafeLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""With libyaml, which takes a tenth of the time, where PyYAML has it."""


class PlainLoader(_SafeLoader):  # type: ignore[misc]
    """SafeLoader without dates, ``true`` and ``false`` as the only booleans, decimals and ``3.5e9`` as numbers."""


PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":timestamp", ":bool", ":float", ":int"))]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
PlainLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)\Z"), list("tf"))
PlainLoader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"^[-+]?(?:0|[1-9][0-9]*)\Z"), list("-+0123456789")
)
PlainLoader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(?:[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)\Z"),
    list("-+0123456789."),
)


def load_yaml(data: bytes) -> tuple[Any, Lines]:
    """Return the document and the line of every path in it; raise :class:`Mistake` for anything but plain YAML."""
    if len(data) > MAX_BYTES:
        raise Mistake(1, f"the manifest has {len(data):,} bytes", "Keep it under 2 MiB.", "R-YAML-1")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Mistake(line, "the text is not UTF-8", "Save the manifest as UTF-8.", "R-YAML-2") from None
    try:
        _refuse_surprises(text)
        loader = PlainLoader(text)
        node = loader.get_single_node()
        if node is None:
            raise Mistake(1, "the manifest is empty", "Let ioledger collect draft one.", "R-YAML-2")
        lines: Lines = {}
        _walk(node, (), lines)
        return loader.construct_document(node), lines
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = " ".join(str(getattr(error, "problem", None) or error).split())
        raise Mistake(mark.line + 1 if mark else 1, f"not valid YAML: {what}", "Mend the line.", "R-YAML-2") from None
    except (ValueError, OverflowError) as error:
        raise Mistake(1, f"a value cannot be read: {error}", "Put the value in quotes.", "R-YAML-2") from None


def _refuse_surprises(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_SafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        tag = getattr(event, "tag", None)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise Mistake(line, "anchors and aliases are not allowed", "Use defaults, or write it out.", "R-YAML-3")
        if tag:
            raise Mistake(line, f"the tag {tag} is not allowed", "Remove the tag.", "R-YAML-3")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise Mistake(line, f"more than {MAX_DEPTH} levels of nesting", "Flatten the manifest.", "R-YAML-1")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _walk(node: yaml.Node, path: Path, lines: Lines) -> None:
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _walk(item, (*path, index), lines)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise Mistake(line, "a key is not a word", "Use plain words as keys.", "R-YAML-3")
            if key.tag == "tag:yaml.org,2002:merge":
                raise Mistake(line, "merge keys are not allowed", "Use defaults, or write it out.", "R-YAML-3")
            here = (*path, key.value)
            if here in lines:
                raise Mistake(line, f"the key {key.value} appears twice", "Remove one of the two.", "R-YAML-3")
            lines[here] = line
            _walk(value, here, lines)


class _Dumper(yaml.SafeDumper):
    """SafeDumper that quotes what the loader would not read as text, and writes no anchors."""

    def ignore_aliases(self, _data: object) -> bool:
        """Write every value out."""
        return True


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    """Quote and escape text that holds anything but visible characters: YAML folds some line separators."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')


class _LineDumper(_Dumper):
    """The same with every map and list on the line."""


_Dumper.add_representer(str, _text)
_LineDumper.add_representer(str, _text)
_LineDumper.add_representer(dict, yaml.SafeDumper.represent_dict)
_Dumper.yaml_implicit_resolvers = _LineDumper.yaml_implicit_resolvers = {
    first: yaml.SafeDumper.yaml_implicit_resolvers.get(first, []) + PlainLoader.yaml_implicit_resolvers.get(first, [])
    for first in yaml.SafeDumper.yaml_implicit_resolvers.keys() | PlainLoader.yaml_implicit_resolvers.keys()
}


FOLDED = 120
ON_A_LINE = frozenset({"value", "other", "unknown", "none", "path", "device"})
"""Keys that make a map one statement: a value with its source, a file, a drive and its number."""


def _map(dumper: _Dumper, value: dict[str, Any]) -> yaml.MappingNode:
    """Write a statement on one line, and every other map key by key."""
    is_flat = bool(value.keys() & ON_A_LINE) and not any(isinstance(each, dict | list) for each in value.values())
    return dumper.represent_mapping("tag:yaml.org,2002:map", value.items(), flow_style=is_flat or not value)


_Dumper.add_representer(dict, _map)


def dump_yaml(document: dict[str, Any]) -> str:
    """Return the document as YAML in block style, keys in their order; each statement is one line, however long."""
    return yaml.dump(
        document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=math.inf, default_flow_style=False
    )


def dump_folded(document: dict[str, Any]) -> str:
    """Return the document with small maps on one line and long texts folded, which is how an import has written it."""
    return yaml.dump(
        document, Dumper=_LineDumper, sort_keys=False, allow_unicode=True, width=FOLDED, default_flow_style=None
    )
