"""
A manifest as its writer left it, with what was found put into it: comments, order and layout stay.

Only what differs is written: a value in the place of another, a key behind those of its map, and the list of files at
the end. What comes out is read again; where it does not say what it should, the whole is written anew instead.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from ioledger.submission import safe_yaml
from ioledger.submission.manifest import STATEMENT, with_defaults
from ioledger.tables.schema import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Iterator

    Change = tuple[int, int, str]
    """Where a piece of the text begins, where it ends, and what takes its place."""

HINT = "# yaml-language-server: $schema="
_HINTED = re.compile(rf"^{re.escape(HINT)}\S*manifest\.schema\.json$\n?", re.MULTILINE)
"""The line where ``collect`` wrote it; it lay elsewhere then."""
FILES = frozenset({"file_defaults", "files"})
SCHEMA = "../../schemas/manifest.schema.json"
"""Where an editor finds the schema from a folder below data/, as long as the site's address is not stated."""


def schema(manifest: Path | None = None) -> str:
    """
    Return where an editor finds the schema: at the site's own address, and without one in the checkout.

    By default from a folder below data/, as it is merged; from a manifest that lies elsewhere, where it lies.
    """
    if stated := os.environ.get("IOLEDGER_SITE_URL"):
        return f"{stated.rstrip('/')}/schemas/manifest.schema.json"
    if manifest is None:
        return SCHEMA
    place = SCHEMAS / "manifest.schema.json"
    try:
        return Path(os.path.relpath(place.resolve(), manifest.resolve().parent)).as_posix()
    except ValueError:  # on another drive of Windows
        return place.resolve().as_uri()


def edit_text(text: str, document: dict[str, Any]) -> str:
    """Return a manifest's text, which can be read, with the values of a document, whose defaults are merged in."""
    text = _HINTED.sub("", text.removeprefix("\ufeff").replace("\r\n", "\n"), count=1)
    node, (before, _) = yaml.compose(text, Loader=yaml.SafeLoader), safe_yaml.load_yaml(text.encode())
    plain = {key: value for key, value in document.items() if key not in FILES}
    for start, end, new in sorted(_list_changes(text, node, before, plain), reverse=True):
        text = text[:start] + new + text[end:]
    listed = {key: value for key, value in document.items() if key in FILES}
    text = text.rstrip("\n") + "\n" + safe_yaml.dump_yaml(listed)
    try:
        is_same = with_defaults(safe_yaml.load_yaml(text.encode())[0]) == with_defaults(document)
    except safe_yaml.Mistake:
        is_same = False
    return f"{HINT}{schema()}\n{text if is_same else safe_yaml.dump_yaml(document)}"


def _list_changes(text: str, node: Any, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:  # noqa: ANN401
    """Give what is to be changed in a map so that it says what another does; other keys stay, but for files."""
    missing = {key: value for key, value in new.items() if key not in old}
    for key, value in node.value:
        name, end = key.value, _end(value)
        if name in FILES and name not in new:
            yield key.start_mark.index, end, ""
        elif name in new and old[name] != new[name]:
            if isinstance(new[name], dict) and isinstance(old[name], dict) and not STATEMENT & {*new[name], *old[name]}:
                yield from _list_changes(text, value, old[name], new[name])
            else:
                yield value.start_mark.index, end, safe_yaml.dump_line(new[name])
    if missing and node.value and not node.flow_style:
        indent = " " * node.value[0][0].start_mark.column
        at = text.find("\n", _end(node.value[-1][1]))
        at = len(text) if at < 0 else at
        yield at, at, "".join(f"\n{indent}{key}: {safe_yaml.dump_line(value)}" for key, value in missing.items())


def _end(node: yaml.Node) -> int:
    """Return where a value ends; PyYAML lets a map or list in block style end where the next thing begins."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)
