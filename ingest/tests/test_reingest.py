"""
A reader that changes reads all of history again, and ``ioledger diff`` has every number that changed.

A unit is changed on purpose: latencies of fio's JSON are taken for a thousand times what they are. Which rows then
differ is worked out here row by row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow.parquet as pq
import pytest

import hostile
import invented
import released
from ioledger.readers import MICRO, fio
from ioledger.readers.fio import json_result
from ioledger.releases import FOLDERS, diff
from ioledger.submission import gather
from ioledger.submission.rows import raw_tables
from ioledger.tables.schema import marts, tables

if TYPE_CHECKING:
    from pathlib import Path

NOW, NEXT = fio.VERSIONS["json"], "9.0.0"
Cell = tuple[str, str, str, Any, Any]
"""Table, key, column, old and new."""


class Again(NamedTuple):
    """Two builds of the same files, before and after a unit was changed, and what differs."""

    before: Path
    after: Path
    found: dict[str, Any]


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> Again:
    """Read a fio report and a publication, change the unit, and do it again."""
    scratch = tmp_path_factory.mktemp("again")
    folders = [hostile.sound(scratch / "data" / "2026-11-tester-disk"), invented.effects(scratch / "data")]
    builds = []
    with pytest.MonkeyPatch.context() as patch:
        for name in ("before", "after"):
            for folder in FOLDERS:
                (scratch / name / folder).mkdir(parents=True)
            gathered = gather.gather(folders)
            built, problems = raw_tables(gathered)
            assert (gathered.problems, problems) == ([], [])
            for table, rows in built.items():
                pq.write_table(rows, scratch / name / "raw" / f"{table}.parquet")
            builds.append(released.listed(scratch / name))
            patch.setitem(fio.VERSIONS, "json", NEXT)
            patch.setattr(json_result, "NANO", MICRO)
            patch.setattr(gather, "refusing", frozenset)  # what the mistake makes impossible would be refused
    return Again(builds[0], builds[1], diff.compare(builds[0], builds[1], limit=None))


def _rows(build: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Return every row of a build by table and key."""
    found = {}
    for path in sorted(build.rglob("*.parquet")):
        name = path.relative_to(build).with_suffix("").as_posix()
        described = (marts() if name.startswith("marts/") else tables())[path.stem]
        for row in pq.read_table(path).to_pylist():
            key = "/".join(str(row[column]) for column in described.primary_key if row[column] is not None)
            found[name, key] = row
    return found


def _moved(before: Path, after: Path) -> tuple[set[Cell], set[tuple[str, str, str]]]:
    """Return every cell that moved, and every row that one build alone has, worked out row by row."""
    old, new = _rows(before), _rows(after)
    cells = {
        (name, key, column, value, new[name, key][column])
        for (name, key), row in old.items()
        if (name, key) in new
        for column, value in row.items()
        if value != new[name, key][column]
    }
    removed = {(*place, "removed") for place in old.keys() - new.keys()}
    return cells, removed | {(*place, "added") for place in new.keys() - old.keys()}


def test_every_number_that_changed_is_listed_and_nothing_else(again: Again) -> None:
    """With what it was and what it is, in every table; that cannot be so long is withdrawn, with a finding about it."""
    rows = [(table["name"], row) for table in again.found["tables"] for row in table["rows"]]
    cells = {
        (name, row["key"], cell["column"], cell["old"], cell["new"]): cell["ratio"]
        for name, row in rows
        for cell in row["cells"]
    }
    alone = {(name, row["key"], row["change"]) for name, row in rows if row["change"] != diff.CHANGED}
    assert (set(cells), alone) == _moved(again.before, again.after)
    ratios = [ratio for cell, ratio in cells.items() if cell[2] == "submission_latency_mean_seconds"]
    assert ratios == pytest.approx([1000.0] * len(ratios))
    assert {cell[4] for cell in cells if cell[0] == "raw/results" and cell[2] == "latency_mean_seconds"} == {None}
    assert {name for name, _, change in alone if change == diff.ADDED} >= {"raw/findings"}


def test_the_submission_has_the_same_files_and_another_reader(again: Again) -> None:
    """By hashes and by the version with every result; the publication, which another reader reads, is not listed."""
    (found,) = again.found["submissions"]
    assert (found["submission_id"], found["files"], found["manifest"]) == ("2026-11-tester-disk", "same", "same")
    assert found["readers"] == [f"fio json {NOW} → {NEXT}"]
    for build, version in zip(again[:2], (NOW, NEXT), strict=True):
        results = pq.read_table(build / "raw" / "results.parquet").to_pylist()
        assert {(row["tool"], row["reader_version"]) for row in results} == {("fio", version), ("published", "0.2.0")}
