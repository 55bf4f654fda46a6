"""
Packs the site as GitHub Pages takes it: ``python tools/pages.py DIST artifact.tar``, run by ``publish.yml``.

One archive of plain files and folders, without links, owners and times. Needs only Python's own library.

Source: GitHub's "Using custom workflows with GitHub Pages" (the artifact ``github-pages`` is one tar file).
"""

from __future__ import annotations

import sys
import tarfile
from pathlib import Path


def pack(site: Path, archive: Path) -> int:
    """Write every file of a site into an archive, sorted; return how many. Raises ValueError where there is none."""
    files = sorted(path for path in site.rglob("*") if path.is_file())
    if not files:
        message = f"{site} holds no site"
        raise ValueError(message)
    with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as tar:
        for path in files:
            entry = tarfile.TarInfo(f"./{path.relative_to(site).as_posix()}")
            entry.size, entry.mode = path.stat().st_size, 0o644
            with path.open("rb") as content:
                tar.addfile(entry, content)
    return len(files)


def main() -> int:
    """Pack the folder on the command line."""
    print(f"{pack(Path(sys.argv[1]), Path(sys.argv[2])):,} files")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
