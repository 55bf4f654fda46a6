"""
What the other submissions hold, as the last build saw it, so that checking one folder does not read all of them.

A build leaves ``build/known/runs.parquet``: a row per file, and per measured run in it. A submission counts as known
while its manifest has the bytes, and this package the code, that the build saw; every other one is read. So nothing is
missed when there is no build, or an old one; it only takes longer.
"""

from __future__ import annotations

import hashlib
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from ioledger.submission.manifest import NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.readers.base import Result
    from ioledger.submission.gather import Gathered

PLACE = Path("known") / "runs.parquet"
VALUES = ("operation", "operation_count", "transferred_bytes", "duration_seconds", "latency_mean_seconds")
"""What identifies a measured run."""
FEWEST_OPERATIONS = 1000
"""A result of fewer operations may agree with another by chance."""
TYPES: tuple[pa.DataType, ...] = (
    *(pa.string(), pa.string(), pa.string(), pa.string()),
    *(pa.int64(), pa.int64(), pa.float64(), pa.float64()),
)
SCHEMA = pa.schema(list(zip(("submission_id", "path", "sha256", *VALUES), TYPES, strict=True)))
Values = tuple[Any, ...]
_VALUES = attrgetter(*VALUES)
Status = dict[str, str]


class Known(NamedTuple):
    """Submissions that need not be read: the state of each by name, and the file that holds their runs."""

    states: dict[str, Status]
    path: Path | None


class Place(NamedTuple):
    """A file that is known: its submission, its path there, its hash, and the values of a run or None."""

    submission_id: str
    path: str
    sha256: str
    values: Values | None


NOTHING = Known({}, None)


def values_of(result: Result) -> Values | None:
    """Return what identifies a measured result, or None when it states too little."""
    values: Values = _VALUES(result)
    if None in values or result.is_aggregate or (result.operation_count or 0) < FEWEST_OPERATIONS:
        return None
    return values


def fingerprint() -> str:
    """Return the SHA-256 of this package's code, tests left out: other code may read other values."""
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*.py") if "tests" not in path.relative_to(folder).parts):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def write(gathered: Gathered, roles: frozenset[str], path: Path) -> None:
    """Write the files of these roles and their runs, with the hash of every manifest and its state."""
    rows = []
    for read in gathered.files:
        if read.entry.get("role", "result") in roles:
            file = (read.submission_id, read.entry["path"], read.sha256)
            runs = [values_of(result) for result in (read.reading.results if read.reading else ())]
            rows += [(*file, *values) for values in [values for values in runs if values] or [(None,) * len(VALUES)]]
    submissions = {
        submission.id: {
            "manifest": _hash(submission.folder),
            "status": submission.manifest.get("status", {"state": "active"}),
        }
        for submission in gathered.submissions
    }
    notes = {"fingerprint": fingerprint(), "submissions": msgspec.json.encode(submissions)}
    columns = zip(*sorted(rows, key=str), strict=True) if rows else [()] * len(SCHEMA)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA.with_metadata(notes)), path, compression="zstd")


def load(folders: Iterable[Path], path: Path) -> Known:
    """Return which of these folders the last build knows as they are now; none when there is no usable build."""
    try:
        notes = pq.read_schema(path).metadata or {}
        seen = msgspec.json.decode(notes[b"submissions"]) if notes[b"fingerprint"].decode() == fingerprint() else {}
    except (OSError, KeyError, ValueError, pa.ArrowException):
        return NOTHING
    as_seen = [
        folder.name for folder in folders if folder.name in seen and seen[folder.name]["manifest"] == _hash(folder)
    ]
    return Known({name: seen[name]["status"] for name in as_seen}, path)


def _hash(folder: Path) -> str | None:
    """Return the SHA-256 of a folder's manifest, None without one that can be read."""
    try:
        return hashlib.sha256((folder / NAME).read_bytes()).hexdigest()
    except OSError:
        return None


def places(known: Known, hashes: set[str], runs: set[Values]) -> Iterator[Place]:
    """Give the known files that have one of these hashes or hold one of these runs."""
    if known.path is None or not known.states:
        return
    counts = {run[1] for run in runs}
    with pq.ParquetFile(known.path) as file:
        for batch in file.iter_batches():
            wanted = _is_in(batch["sha256"], hashes) | _is_in(batch["operation_count"], counts)
            for row in batch.filter(pa.array(wanted)).to_pylist():
                values = tuple(row[name] for name in VALUES)
                if row["submission_id"] in known.states and (row["sha256"] in hashes or values in runs):
                    yield Place(row["submission_id"], row["path"], row["sha256"], values if values in runs else None)


def _is_in(column: pa.Array[Any], wanted: set[Any]) -> Any:  # noqa: ANN401  (an array of numpy)
    import pyarrow.compute as pc  # noqa: PLC0415  (only where something is known)

    return pc.is_in(column, pa.array(sorted(wanted), column.type)).to_numpy(zero_copy_only=False)
