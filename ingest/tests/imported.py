"""Originals of an import, made small: a repository with fio's reports in four folders, and its archive."""

from __future__ import annotations

import io
import json
import tarfile
from typing import TYPE_CHECKING, Any, Literal

from conftest import FIXTURES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

STATED = FIXTURES / "import"
"""A mapping of three configurations, its reservations and its origin, as a person writes them."""


def report(**changed: object) -> bytes:
    """Return a report of fio with a reading and a writing side; ``read_ios`` changes one of its figures."""
    document: dict[str, Any] = json.loads((FIXTURES / "submission" / "report.json").read_text(encoding="utf-8"))
    document["jobs"][0]["read"]["total_ios"] = changed.get("read_ios", 67000)
    document["jobs"][0]["jobname"] = changed.get("name", "database")
    return json.dumps(document, indent=2).encode()


def originals() -> dict[str, bytes]:
    """Return the files of the repository by path: reports, one after text of another program, and what is no result."""
    return {
        "LICENSE": b"MIT License\n",
        "README.md": b"# Results\n",
        "results/HOST/DISK/one.json": report(name="disk"),
        "results/HOST/SSD/a_none.txt": report(name="a"),
        "results/HOST/SSD/b_none.txt": b"note: starting\nnote: really\n" + report(name="b"),
        "results/HOST/SSD/c_spdk.txt": report(name="c"),
        "results/HOST/SSD/notes.txt": b"nothing of interest\n",
    }


def write_archive(path: Path, files: Mapping[str, bytes]) -> Path:
    """Write the files into a tar archive, compressed as its name says."""
    mode: Literal["w:xz", "w:gz"] = "w:xz" if path.suffix == ".xz" else "w:gz"
    with tarfile.open(path, mode) as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def write_checkout(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write the files below a folder, with a hidden one as git keeps them."""
    for name, data in {**files, ".git/config": b"[core]\n"}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder
