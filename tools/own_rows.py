"""
Proves that a pull request changes only its own rows: ``python tools/own_rows.py BASE``.

BASE is a commit; its ``data/`` and the one at hand are read with the code at hand, and the raw tables compared. What a
change of the code moves is therefore not seen here: the golden files of the readers show that.
"""

from __future__ import annotations

import io
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "ingest"))

from ioledger.submission import gather, ownership  # noqa: E402  (the project lies above this script)
from ioledger.submission.rows import raw_tables  # noqa: E402  (the project lies above this script)

if TYPE_CHECKING:
    import pyarrow as pa

    from ioledger.problems import Problem


def tables_at(base: str, folder: Path) -> dict[str, pa.Table]:
    """Return the raw tables of the ``data/`` of a commit, unpacked into a folder."""
    with tarfile.open(fileobj=io.BytesIO(ownership.git("archive", "--format=tar", base, "data"))) as tar:
        tar.extractall(folder, filter="data")
    return tables_in(folder / "data")


def tables_in(data: Path) -> dict[str, pa.Table]:
    """Return the raw tables of a folder of submissions."""
    return raw_tables(gather.gather(gather.folders(data)))[0]


def problems(base: str) -> list[Problem]:
    """Return a problem for every table with forbidden changes."""
    own = ownership.touched(base)
    with tempfile.TemporaryDirectory() as scratch:
        return list(ownership.ownership_problems(tables_at(base, Path(scratch)), tables_in(ROOT / "data"), own))


def main() -> int:
    """Compare; return 1 when a row changed that may not."""
    base = sys.argv[1]
    found = problems(base)
    for problem in found:
        print(problem)  # noqa: T201
    touched = len(ownership.touched(base))
    print(f"{touched} submissions touched, {len(found)} tables hold changes that may not be")  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
