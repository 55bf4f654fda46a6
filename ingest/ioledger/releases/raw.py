"""The raw files of a commit: those of every submission, by the hashes that the tables have of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.problems import Problem
from ioledger.releases import digest, hashes

if TYPE_CHECKING:
    from pathlib import Path

RULE = "R-RELEASE-5"
REMEDY = "Check out the commit that the release names, without changes."
MANIFEST = "manifest.yaml"


def files(data: Path, tables: Path) -> tuple[int, list[Problem]]:
    """Return how many files lie below ``data``, and each that is not as the tables in a folder have it."""
    try:
        handed_in = digest.read(tables / "files.parquet").to_pylist()
        submissions = digest.read(tables / "submissions.parquet").to_pylist()
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
