"""The raw files of a commit: those of every submission, by the hashes that the tables have of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ioledger.problems import Problem
from ioledger.releases import digest, hashes

if TYPE_CHECKING:
    from pathlib import Path

RULE = "R-RELEASE-5"
REMEDY = "Check out the commit that the release names, without changes."
MANIFEST = "manifest.yaml"
FILES = ("submission_id", "path", "source_sha256", "member_path", "document_index")


def files(data: Path, tables: Path) -> tuple[int, list[Problem]]:
    """Return how many files lie below ``data``, and each that is not as the tables in a folder have it."""
    try:
        handed_in = _rows(tables / "files.parquet", FILES)
        submissions = _rows(tables / "submissions.parquet", ("submission_id",))
    except digest.UnreadableError as error:
        return 0, [Problem(str(error.path), "", error.what, digest.REMEDY, "R-RELEASE-1")]
    listed = {
        f"{row['submission_id']}/{row['path']}": row["source_sha256"]
        for row in handed_in
        if row["member_path"] is None and row["document_index"] is None
    }
    manifests = {f"{row['submission_id']}/{MANIFEST}": row.get("manifest_sha256") for row in submissions}
    listed |= {name: stated for name, stated in manifests.items() if stated is not None}
    unhashed = manifests.keys() - listed.keys()
    present = {name: path for name, path in hashes.below(data) if name not in unhashed}
    return len(present), list(hashes.problems(listed, present, data, ("the release", REMEDY, RULE)))


def _rows(path: Path, columns: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the rows of a table; raises UnreadableError where one of these columns is not there."""
    table = digest.read(path)
    if missing := [name for name in columns if name not in table.column_names]:
        raise digest.UnreadableError(path, ValueError(f"it has no column {', '.join(missing)}"))
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows
