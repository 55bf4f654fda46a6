"""
Publishes the tables of a tag as a release: ``python tools/release.py FOLDER TAG``, run by ``publish.yml``.

FOLDER holds the Parquet files, ``marts/``, the database and the manifest of a build. The marts are packed into one
archive, because the assets of a release have no folders. Needs Python's own library and GitHub's ``gh``.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from pathlib import Path

TAG = re.compile(r"v\d+(\.\d+)*")
ALONE = ("ioledger.duckdb", "manifest.json")
ARCHIVE = "marts.tar.gz"


def assets(folder: Path) -> list[Path]:
    """Pack the marts beside the tables and return every asset; raises FileNotFoundError when one is missing."""
    tables = sorted(folder.glob("*.parquet"))
    marts = sorted((folder / "marts").glob("*.parquet"))
    missing = [name for name in ALONE if not (folder / name).is_file()]
    if not tables or not marts or missing:
        message = f"{folder} holds no whole build: no {', '.join(missing) or 'tables'}"
        raise FileNotFoundError(message)
    with tarfile.open(folder / ARCHIVE, "w:gz") as archive:
        for path in marts:
            archive.add(path, f"marts/{path.name}")
    return [*tables, *(folder / name for name in ALONE), folder / ARCHIVE]


def main() -> int:
    """Create the release of an existing tag; return gh's exit code, or 1 for what is no tag of a release."""
    folder, tag = Path(sys.argv[1]), sys.argv[2]
    if not TAG.fullmatch(tag):
        print(f"{tag!r} is no tag of a release; tags are v1, v1.2 and so on")  # noqa: T201
        return 1
    command = ["gh", "release", "create", tag, "--verify-tag", "--notes", f"The tables of {tag}.", "--"]
    return subprocess.run([*command, *map(str, assets(folder))], check=False).returncode  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
