"""
A manifest as its writer left it, with what was found put into it: comments, order and layout stay.

Only what differs is written: a value in the place of another, a key behind those of its map, and the list of files at
the end. What comes out is read again; where it does not say what it should, the whole is written anew instead.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

from ioledger.submission import safe_yaml
from ioledger.submission.manifest import with_defaults

if TYPE_CHECKING:
    from collections.abc import Iterator

Change = tuple[int, int, str]
"""Where a piece of the text begins, where it ends, and what takes its place."""
HINT = "# yaml-language-server: $schema="
_HINTED = re.compile(rf"^{re.escape(HINT)}\S*manifest\.schema\.json$", re.MULTILINE)
"""The line where ``collect`` wrote it; it lay elsewhere then."""
FILES: tuple[str, ...] = ("file_defaults", "files")


def edited(text: str, document: dict[str, Any], schema: str) -> str:
    """
    Return a manifest's text with the values of a document, whose defaults are merged in; ``schema`` is its address.

    ``text`` is one that :func:`ioledger.submission.safe_yaml.load_yaml` reads.
    """
    kept = _spliced(text, document)
    whole = _HINTED.sub(lambda _: f"{HINT}{schema}", kept, count=1) if HINT in kept else f"{HINT}{schema}\n{kept}"
    if not _says(whole, document):
        whole = f"{HINT}{schema}\n{safe_yaml.dump_yaml(document)}"
    return whole


def _says(text: str, document: dict[str, Any]) -> bool:
    """Say whether a text is read as this document."""
    try:
        found, _ = safe_yaml.load_yaml(text.encode())
    except safe_yaml.Mistake:
        return False
    wanted = with_defaults(document)
    merged = {key: value for key, value in with_defaults(found).items() if key not in {"defaults", "file_defaults"}}
    return merged == {key: value for key, value in wanted.items() if key != "file_defaults"}


def _spliced(text: str, document: dict[str, Any]) -> str:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    node = yaml.compose(text, Loader=safe_yaml.PlainLoader)
    if not isinstance(node, yaml.MappingNode):
        return text
    found, _ = safe_yaml.load_yaml(text.encode())
    plain = {key: value for key, value in document.items() if key not in FILES}
    merged = with_defaults(found)
    left_out = FILES
    if "defaults" in found and merged["configurations"] != plain["configurations"]:
        merged, left_out = found, (*FILES, "defaults")  # what was filled in is no longer the same for all
    changes = [*_changed(text, node, merged, plain), *_without(text, node, left_out)]
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    listed = {key: document[key] for key in FILES if key in document}
    return text.rstrip("\n") + "\n" + (safe_yaml.dump_yaml(listed) if listed else "")


def _changed(text: str, node: yaml.MappingNode, old: Any, new: dict[str, Any]) -> Iterator[Change]:  # noqa: ANN401
    """Give what is to be changed in a map so that it says what another does; keys of the old one stay."""
    own = {key.value: value for key, value in node.value}
    missing = {}
    for key, value in new.items():
        if key not in own:
            if not isinstance(old, dict) or key not in old or old[key] != value:
                missing[key] = value
        elif isinstance(own[key], yaml.MappingNode) and isinstance(value, dict) and not _is_stated(value):
            before = old.get(key) if isinstance(old, dict) else None
            yield from _changed(text, own[key], before, value)
        elif not isinstance(old, dict) or old.get(key) != value:
            yield own[key].start_mark.index, _end(own[key]), _flow(value)
    if missing:
        yield _added(text, node, missing)


def _is_stated(value: dict[str, Any]) -> bool:
    return bool({"unknown", "none", "value", "other"} & value.keys())


def _added(text: str, node: yaml.MappingNode, missing: dict[str, Any]) -> Change:
    """Return the change that puts keys behind those of a map."""
    if node.flow_style or not node.value:
        at = node.end_mark.index - 1
        parts = ", ".join(f"{key}: {_flow(value)}" for key, value in missing.items())
        return at, at, (", " if node.value else "") + parts
    end = text.find("\n", _end(node.value[-1][1]))
    at = len(text) if end < 0 else end
    indent = " " * node.value[0][0].start_mark.column
    return at, at, "".join(f"\n{indent}{key}: {_flow(value)}" for key, value in missing.items())


def _without(text: str, node: yaml.MappingNode, keys: tuple[str, ...]) -> Iterator[Change]:
    """Give the lines of these keys of a document, to be left out."""
    for key, value in node.value:
        if key.value in keys:
            end = text.find("\n", _end(value))
            yield key.start_mark.index, len(text) if end < 0 else end + 1, ""


def _end(node: yaml.Node) -> int:
    """Return where a value ends; PyYAML lets a map or list in block style end where the next thing begins."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        return _end(node.value[-1][1])
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        return _end(node.value[-1])
    return int(node.end_mark.index)


def _flow(value: object) -> str:
    """Return a value on one line."""
    return re.sub(r"\n\.\.\.\n?\Z", "", safe_yaml.dump_line(value)).rstrip("\n")
