"""
Proves that a pull request changes no row of another submission: ``python tools/own_rows.py BASE``.

BASE is a commit; its ``data/`` and the one at hand are read with the code at hand, and the raw tables compared. What a
change of the code moves is therefore not seen here: the golden files of the readers show that. That a merged submission
itself is not edited, the verdict says from its files.
"""

from __future__ import annotations

import io
import sys
import tarfile
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "ingest"))

from ioledger.problems import Problem  # noqa: E402  (the project lies above this script)
from ioledger.submission import gather  # noqa: E402
from ioledger.submission.rows import raw_tables  # noqa: E402
from ioledger.system import run_git  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

    Rows = dict[tuple[str, str], Counter[bytes]]


def ask_git(*arguments: str) -> bytes:
    """Return what git prints in the project's folder; raises CalledProcessError when it fails."""
    done = run_git(ROOT, *arguments)
    done.check_returncode()
    return done.stdout


def find_touched(base: str) -> set[str]:
    """Return the submissions whose files differ between a commit and the files at hand."""
    differing = ask_git("diff", "--name-only", "-z", "--end-of-options", base, "--", "data")
    new = ask_git("ls-files", "--others", "--exclude-standard", "-z", "--", "data")
    paths = (differing + new).decode("utf-8", "surrogateescape").split("\0")
    return {path.split("/")[1] for path in paths if path.count("/") > 1}


def count_rows(data: Path) -> Rows:
    """Return the raw rows of a folder of submissions, counted by table and submission."""
    built = raw_tables(gather.gather(gather.folders(data)))[0]
    owners = {row["result_id"]: row["submission_id"] for row in built["results"].to_pylist()}
    found: Rows = {}
    for name, table in built.items():
        for row in table.to_pylist():
            owner = row.get("submission_id") or owners[row["result_id"]]
            found.setdefault((name, owner), Counter())[orjson.dumps(row, default=str)] += 1
    return found


def list_problems(before: Rows, after: Rows, touched: set[str]) -> Iterator[Problem]:
    """Give each table and submission outside ``touched`` whose rows differ."""
    for name, owner in sorted(before.keys() | after.keys()):
        old, new = (rows.get((name, owner), Counter()) for rows in (before, after))
        if owner not in touched and old != new:
            what = f"{(old - new).total()} rows of {owner} are gone and {(new - old).total()} are new"
            remedy = "Change only files of your own submission."
            yield Problem(f"the table {name}", owner, what, remedy, "R-OWN-1")


def main(base: str) -> int:
    """Return 0 when the rows of all other submissions are the same, 1 with the problems otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(
            fileobj=io.BytesIO(ask_git("archive", "--format=tar", "--end-of-options", base, "data"))
        ) as tar:
            tar.extractall(folder, filter="data")
        before = count_rows(Path(folder) / "data")
    found = [*list_problems(before, count_rows(ROOT / "data"), find_touched(base))]
    for problem in found:
        print(problem)  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
