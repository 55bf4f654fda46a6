"""
Publishes a release: ``python tools/release.py pack FOLDER TAG``, then ``publish FOLDER TAG``, run by ``publish.yml``.

FOLDER is what ``ioledger release`` wrote. ``pack`` writes all of it as one archive without times and owners into
FOLDER before it is attested; ``publish`` uploads the archive and the files that others fetch by themselves.
"""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import tarfile
from pathlib import Path

TAG = re.compile(r"v\d+(\.\d+)*")
ALONE = (
    "SHA256SUMS",
    "release.json",
    "CITATION.cff",
    "download/ioledger.duckdb",
    "download/raw/latency_bins.parquet",
    "download/raw/samples.parquet",
)
"""Separate downloads: the database, the tables that it does not contain, and the identification of the release."""


def pack(folder: Path, tag: str) -> Path:
    """Write the files of a release as one archive into its folder; return the archive."""
    archive = folder / f"ioledger-{tag}.tar.gz"
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path != archive)
    with (
        archive.open("wb") as file,
        gzip.GzipFile("", "wb", 9, file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in files:
            entry = tarfile.TarInfo(f"ioledger-{tag}/{path.relative_to(folder).as_posix()}")
            entry.size, entry.mode = path.stat().st_size, 0o644
            with path.open("rb") as content:
                tar.addfile(entry, content)
    return archive


def main() -> int:
    """Pack, or create the release of an existing tag; return gh's exit code, or 1 for a tag or folder of no release."""
    command, folder, tag = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    missing = [name for name in ALONE if not (folder / name).is_file()]
    if not TAG.fullmatch(tag) or missing:
        print(f"{tag!r} is no tag such as v1.2" if not missing else f"{folder}: no {', '.join(missing)}")  # noqa: T201
        return 1
    if command == "pack":
        pack(folder, tag)
        return 0
    assets = [folder / f"ioledger-{tag}.tar.gz", *(folder / name for name in ALONE)]
    create = ["gh", "release", "create", tag, "--verify-tag", "--notes", f"The tables of {tag}.", "--"]
    return subprocess.run([*create, *map(str, assets)], check=False).returncode  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
