"""
Publishes a release on GitHub: ``python tools/release.py FOLDER TAG``, run by ``publish.yml``.

``python tools/release.py --before FOLDER TAG`` unpacks the release before that tag into a folder, for ``--since``, and
tells its tag as the step's output; where there is none it writes nothing.

FOLDER is what ``ioledger release`` wrote. GitHub keeps no folders, so all of it is one archive; what is asked for alone
lies beside it. The archive holds no time and no owner. Needs Python's own library and GitHub's ``gh``.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

TAG = re.compile(r"v\d+(\.\d+)*")
ALONE = (
    "SHA256SUMS", "release.json", "CITATION.cff", "sbom.cdx.json", "download/ioledger.duckdb", "download/manifest.json",
    "download/latency_bins.parquet", "download/samples.parquet",
)  # fmt: skip
"""What others fetch by itself: the database and the tables that lie beside it, and what a release is told by."""
MAYBE = ("CHANGES.md",)


def assets(folder: Path, tag: str) -> list[Path]:
    """Pack a release beside its folder and return every asset; raises FileNotFoundError when one is missing."""
    if missing := [name for name in ALONE if not (folder / name).is_file()]:
        message = f"{folder} holds no whole release: no {', '.join(missing)}"
        raise FileNotFoundError(message)
    archive = folder.with_name(f"ioledger-{tag}.tar.gz")
    with (
        archive.open("wb") as file,
        gzip.GzipFile("", "wb", 9, file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(f"ioledger-{tag}/{path.relative_to(folder).as_posix()}")
            entry.size, entry.mode = path.stat().st_size, 0o644
            with path.open("rb") as content:
                tar.addfile(entry, content)
    present = [folder / name for name in MAYBE if (folder / name).is_file()]
    return [archive, *(folder / name for name in ALONE), *present]


def before(folder: Path, tag: str) -> str | None:
    """Unpack the newest release but this one into a folder; return its tag, None where there is none."""
    listed = ["gh", "release", "list", "--exclude-drafts", "--exclude-pre-releases", "--json", "tagName"]
    told = subprocess.run(listed, check=True, capture_output=True, text=True).stdout  # noqa: S603
    named: list[str] = [each["tagName"] for each in json.loads(told)]
    tags = [each for each in named if each != tag and TAG.fullmatch(each)]
    if not tags:
        return None
    folder.mkdir(parents=True)
    name = f"ioledger-{tags[0]}.tar.gz"
    subprocess.run(["gh", "release", "download", tags[0], "--pattern", name, "--dir", folder.parent], check=True)  # noqa: S603, S607
    with tempfile.TemporaryDirectory(dir=folder.parent) as aside, tarfile.open(folder.parent / name) as tar:
        tar.extractall(aside, filter="data")
        (Path(aside) / f"ioledger-{tags[0]}").replace(folder)
    return tags[0]


def main() -> int:
    """Create the release of an existing tag; return gh's exit code, or 1 for what is no tag of a release."""
    folder, tag = Path(sys.argv[-2]), sys.argv[-1]
    if not TAG.fullmatch(tag):
        print(f"{tag!r} is no tag of a release; tags are v1, v1.2 and so on")  # noqa: T201
        return 1
    if sys.argv[1] == "--before":
        found = before(folder, tag)
        with Path(os.environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as output:
            output.write(f"tag={found or ''}\n")
        return 0
    command = ["gh", "release", "create", tag, "--verify-tag", "--notes", f"The tables of {tag}.", "--"]
    return subprocess.run([*command, *map(str, assets(folder, tag))], check=False).returncode  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
