"""
A reader that changes reads all of history again, and the report has every number that moved, by how much, and why.

A unit is changed on purpose: latencies of fio's JSON are taken for a thousand times what they are. What then moved is
worked out here row by row, and held against what ``ioledger diff`` says.
"""

from __future__ import annotations

import hashlib
import shutil
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pyarrow.parquet as pq
import pytest

import invented
import modelled
import releasing
from ioledger.problems import Problem
from ioledger.readers import fio
from ioledger.readers.fio import json_result
from ioledger.releases import difference, sides
from ioledger.releases.evidence import Evidence, evidence
from ioledger.submission import gather
from ioledger.tables.schema import PACKAGE, ROOT, marts, tables

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.releases.changes import Difference

SELECTED = ("+results", "+points", "+tail_latency", "+quotients")
NOW, NEXT = fio.VERSIONS["json"], "9.0.0"
Cell = tuple[str, str, str, Any, Any]
"""Table, key, column, old and new."""


class Again(NamedTuple):
    """Two builds of the same files, before and after a unit was changed, and what is said of them."""

    before: Path
    after: Path
    found: Difference


def _after(folder: Path, versions: dict[str, str]) -> Evidence:
    """Return what the code is with the reader of fio changed: its unit and its version."""
    package = shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path, old, new in (
        ("readers/fio/json_result.py", "value / per_second\n", "value / per_second * 1000\n"),
        ("readers/fio/__init__.py", f'"json": "{NOW}",', f'"json": "{versions["json"]}",'),
    ):
        text = (package / path).read_text(encoding="utf-8")
        assert text.count(old) == 1
        (package / path).write_text(text.replace(old, new), encoding="utf-8")
    return evidence(ROOT, package)


@pytest.fixture(scope="module")
def again(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Again:
    """Read and model a fio report and a publication, change the unit, and do it again."""
    scratch = tmp_path_factory.mktemp("again")
    folders = [_submission(scratch / "data"), invented.effects(scratch / "data")]
    builds = []
    with pytest.MonkeyPatch.context() as patch:
        for name in ("before", "after"):
            (scratch / name).mkdir()
            build = modelled.run(folders, scratch / name, *SELECTED, before=sample / "build")
            code = evidence(ROOT, PACKAGE) if name == "before" else _after(scratch / "package", fio.VERSIONS)
            builds.append(releasing.listed(build, code))
            patch.setitem(fio.VERSIONS, "json", NEXT)
            patch.setattr(json_result, "_seconds", _thousandfold)
            patch.setattr(gather, "refusing", frozenset)  # what the mistake makes impossible would be refused
    first, second = map(sides.of_folder, builds)
    assert not isinstance(first, Problem)
    assert not isinstance(second, Problem)
    return Again(builds[0], builds[1], difference.compare(first, second, None))


def _thousandfold(value: float | None, per_second: float) -> float | None:
    return None if value is None else value / per_second * 1000


def _submission(data: Path) -> Path:
    """Write the small sound submission: one fio report and its manifest."""
    folder = data / "2026-11-tester-disk"
    folder.mkdir(parents=True)
    fixture = releasing.FIXTURES / "submission"
    shutil.copy(fixture / "report.json", folder)
    text = (fixture / "manifest.yaml").read_text(encoding="utf-8")
    digest = hashlib.sha256((fixture / "report.json").read_bytes()).hexdigest()
    (folder / "manifest.yaml").write_text(text.replace("<sha256>", digest), encoding="utf-8")
    return folder


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


def test_every_number_that_moved_is_in_the_report_and_nothing_else(again: Again) -> None:
    """With what it was and what it is, in every table down to the quotients."""
    rows = [(table.name, row) for table in again.found.tables for row in table.rows]
    cells = {(name, row.key, move.column, move.old, move.new) for name, row in rows for move in row.moves}
    alone = {(name, row.key, row.change) for name, row in rows if row.change != "moved"}
    assert (cells, alone) == _moved(again.before, again.after)
    moved = {(name, column) for name, _, column, _, _ in cells}
    assert {("results", "latency_mean_seconds"), ("results", "completion_latency_max_seconds")} <= moved
    assert {("marts/results", "latency_mean_seconds"), ("marts/points", "latency_mean_seconds")} <= moved


def test_each_has_the_reader_for_its_cause(again: Again) -> None:
    """The bytes are the same and nothing but the reader differs, so no row has another cause."""
    assert set(again.found.causes) == {"reader version"}
    reasons = {row.reason for table in again.found.tables for row in table.rows}
    assert all(f"the reader fio json: {NOW} → {NEXT}, of the same bytes" in reason for reason in reasons)
    assert again.found.code.readers == [f"fio: json {NOW} → {NEXT}"]
    assert (again.found.code.models, again.found.code.judgement, again.found.code.reading) == ([], [], [])


def test_how_much_it_moved_is_told(again: Again) -> None:
    """A thousand times; what cannot be so long is withdrawn, and the finding about it is new for the same reason."""
    by_name = {table.name: table for table in again.found.tables}
    moves = [move for row in by_name["results"].rows for move in row.moves]
    ratios = [move.ratio for move in moves if move.column == "submission_latency_mean_seconds"]
    assert ratios
    assert ratios == pytest.approx([1000.0] * len(ratios))
    assert {move.new for move in moves if move.column == "latency_mean_seconds"} == {None}
    assert by_name["findings"].added == by_name["findings"].causes["reader version"] > 0


def test_what_another_reader_read_has_not_moved(again: Again) -> None:
    """The publication's rows are the same in every table."""
    rows = [row for table in again.found.tables for row in table.rows]
    assert [row for row in rows if invented.EFFECTS in f"{row.key} {row.about}"] == []


def test_every_result_says_who_read_it(again: Again) -> None:
    """By the reader's version before and after, with the edition of its manifest."""
    before, after = (pq.read_table(build / "marts" / "results.parquet").to_pylist() for build in again[:2])
    assert {(row["tool"], row["reader_version"]) for row in before} == {("fio", NOW), ("published", "0.1.0")}
    assert {(row["tool"], row["reader_version"]) for row in after} == {("fio", NEXT), ("published", "0.1.0")}
    assert {(row["edition"], row["collector_version"]) for row in before} == {(1, None)}


def test_a_build_says_what_made_it_beside_its_release_id(sample: Path) -> None:
    """In its manifest; the id is of the tables alone, so other code that gives the same tables gives the same id."""
    side = sides.of_folder(sample)
    assert not isinstance(side, Problem)
    assert side.evidence == evidence(ROOT, PACKAGE)
    assert difference.compare(side, msgspec.structs.replace(side, evidence=None)).is_same


def test_a_version_that_is_not_raised_does_not_hide_the_reader(again: Again) -> None:
    """Its code differs and the bytes are the same: the cause is told all the same."""
    first, second = map(sides.of_folder, again[:2])
    assert not isinstance(first, Problem)
    assert not isinstance(second, Problem)
    assert second.evidence is not None
    same = msgspec.structs.replace(second.evidence.readers["fio"], versions={"json": NOW})
    quiet = msgspec.structs.replace(second.evidence, readers=second.evidence.readers | {"fio": same})
    told = msgspec.structs.replace(second, evidence=quiet)
    assert set(difference.compare(first, told, None).causes) == {"reader version"}
