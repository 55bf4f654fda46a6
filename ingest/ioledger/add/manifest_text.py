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
from ioledger.submission.manifest import STATEMENT, with_defaults

if TYPE_CHECKING:
    from collections.abc import Iterator

Change = tuple[int, int, str]
"""Where a piece of the text begins, where it ends, and what takes its place."""
HINT = "# yaml-language-server: $schema="
_HINTED = re.compile(rf"^{re.escape(HINT)}\S*manifest\.schema\.json$", re.MULTILINE)
"""The line where ``collect`` wrote it; it lay elsewhere then."""
FILES: tuple[str, ...] = ("file_defaults", "files")


def edit_text(text: str, document: dict[str, Any], schema: str) -> str:
    """
    Return a manifest's text with the values of a document, whose defaults are merged in; ``schema`` is its address.

    ``text`` is one that :func:`ioledger.submission.safe_yaml.load_yaml` reads.
    """
    edited = _splice(text, document)
    whole = _HINTED.sub(lambda _: f"{HINT}{schema}", edited, count=1) if HINT in edited else f"{HINT}{schema}\n{edited}"
    try:
        found = with_defaults(safe_yaml.load_yaml(whole.encode())[0])
    except safe_yaml.Mistake:
        found = {}
    is_same = {key: value for key, value in found.items() if key not in {"defaults", "file_defaults"}} == {
        key: value for key, value in with_defaults(document).items() if key != "file_defaults"
    }
    return whole if is_same else f"{HINT}{schema}\n{safe_yaml.dump_yaml(document)}"


def _splice(text: str, document: dict[str, Any]) -> str:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(node, yaml.MappingNode):
        return text
    found, _ = safe_yaml.load_yaml(text.encode())
    plain = {key: value for key, value in document.items() if key not in FILES}
    merged = with_defaults(found)
    left_out = FILES
    if "defaults" in found and merged["configurations"] != plain["configurations"]:
        merged, left_out = found, (*FILES, "defaults")  # what was filled in is no longer the same for all
    changes = [*_list_changes(text, node, merged, plain), *_list_removals(text, node, left_out)]
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    listed = {key: document[key] for key in FILES if key in document}
    return text.rstrip("\n") + "\n" + (safe_yaml.dump_yaml(listed) if listed else "")


def _list_changes(text: str, node: yaml.MappingNode, old: Any, new: dict[str, Any]) -> Iterator[Change]:  # noqa: ANN401
    """Give what is to be changed in a map so that it says what another does; keys of the old one stay."""
    own = {key.value: value for key, value in node.value}
    missing = {}
    for key, value in new.items():
        if key not in own:
            if not isinstance(old, dict) or key not in old or old[key] != value:
                missing[key] = value
        elif isinstance(own[key], yaml.MappingNode) and isinstance(value, dict) and not STATEMENT & value.keys():
            before = old.get(key) if isinstance(old, dict) else None
            yield from _list_changes(text, own[key], before, value)
        elif not isinstance(old, dict) or old.get(key) != value:
            yield own[key].start_mark.index, _end(own[key]), safe_yaml.dump_line(value)
    if missing:
        yield _add_keys(text, node, missing)


def _add_keys(text: str, node: yaml.MappingNode, missing: dict[str, Any]) -> Change:
    """Return the change that puts keys behind those of a map."""
    if node.flow_style or not node.value:
        at = node.end_mark.index - 1
        parts = ", ".join(f"{key}: {safe_yaml.dump_line(value)}" for key, value in missing.items())
        return at, at, (", " if node.value else "") + parts
    end = text.find("\n", _end(node.value[-1][1]))
    at = len(text) if end < 0 else end
    indent = " " * node.value[0][0].start_mark.column
    return at, at, "".join(f"\n{indent}{key}: {safe_yaml.dump_line(value)}" for key, value in missing.items())


def _list_removals(text: str, node: yaml.MappingNode, keys: tuple[str, ...]) -> Iterator[Change]:
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
