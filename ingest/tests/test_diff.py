"""The command ``ioledger diff``: rows that two builds differ in, and whether files, manifest or reader changed."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

import releasing
from ioledger.cli.diff import diff
from ioledger.releases.diff import (
    Difference,
    Submission,
    Table,
    compare,
    format_headline,
    format_markdown,
    list_sections,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    Run = Callable[..., CompletedProcess[str]]

BASE = releasing.rows(red=100.0, blue=50.0, green=25.0)
PROGRAM = """
import shutil, sys
from pathlib import Path

assert sys.argv[1:] == ["build", "--no-site"], sys.argv
tree = Path(__file__).parents[2]
rate = (tree / "data" / "rate").read_text()
with (Path(KEPT) / "log").open("a") as log:
    log.write(rate + "\\n")
if rate == "none":
    sys.exit("there is no rate")
shutil.copytree(Path(KEPT) / rate, tree / "build")
"""
"""A project whose build copies one that a test has made, by what its data say."""


def _compare(scratch: Path, after: releasing.Rows, limit: int | None = None) -> Difference:
    """Compare the base with other rows."""
    return compare(releasing.write(scratch / "a", BASE), releasing.write(scratch / "b", after), limit=limit)


def _table(found: Difference, name: str) -> Table:
    return next(table for table in found.tables if table.name == name)


def _submission(found: Difference, name: str) -> Submission:
    return next(each for each in found.submissions if each.submission_id == name)


def _altered(table: str, index: int, **values: object) -> releasing.Rows:
    """Return the base with other values in one row of a table."""
    rows = [row | values if number == index else row for number, row in enumerate(BASE[table])]
    return BASE | {table: rows}


def test_the_same_rows_are_no_difference(tmp_path: Path) -> None:
    """Also where the files have other bytes."""
    before, after = (releasing.write(tmp_path / name, BASE) for name in "ab")
    path = after / "raw" / "results.parquet"
    pq.write_table(pq.read_table(path), path, compression="gzip")
    found = compare(before, after)
    assert (found.submissions, found.tables) == ([], [])
    assert format_headline(found) == "Nothing differs: every table has the same rows."
    assert list(list_sections(found)) == []


def test_raw_tables_of_version_0_1_are_compared_too(tmp_path: Path) -> None:
    """Its builds have them in the folder itself."""
    before, after = (releasing.write(tmp_path / name, BASE) for name in "ab")
    for path in (before / "raw").glob("*.parquet"):
        path.rename(before / path.name)
    assert compare(before, after).tables == []


def test_rows_of_a_new_submission_are_added(tmp_path: Path) -> None:
    """In each table that has some, and the submission is listed as added."""
    found = _compare(tmp_path, releasing.rows(red=100.0, blue=50.0, green=25.0, gold=5.0))
    assert {table.name: (table.added, table.removed, table.changed) for table in found.tables} == {
        "raw/files": (1, 0, 0), "raw/results": (1, 0, 0), "raw/submissions": (1, 0, 0), "marts/results": (1, 0, 0),
        "marts/pairs": (3, 0, 0),
    }  # fmt: skip
    assert found.submissions == [Submission("gold", 4, "added", "added", [])]
    assert [row.key for row in _table(found, "raw/results").rows] == ["result of gold"]


def test_rows_of_a_submission_that_is_gone_are_removed(tmp_path: Path) -> None:
    """With their keys."""
    found = _compare(tmp_path, releasing.rows(red=100.0, blue=50.0))
    assert {row.change for table in found.tables for row in table.rows} == {"removed"}
    assert _submission(found, "green").files == "removed"
    assert (_table(found, "marts/pairs").before, _table(found, "marts/pairs").after) == (3, 1)


def test_a_changed_number_has_old_new_and_ratio(tmp_path: Path) -> None:
    """And the hash of its file says that the file changed, while manifest and reader did not."""
    after = _altered("results", 0, operations_per_second=110.0)
    after["files"] = _altered("files", 0, source_sha256="other bytes")["files"]
    found = _compare(tmp_path, after)
    (row,) = _table(found, "raw/results").rows
    (cell,) = row.cells
    assert (cell.column, msgspec.json.decode(cell.old), msgspec.json.decode(cell.new)) == (
        "operations_per_second",
        100.0,
        110.0,
    )
    assert cell.ratio == pytest.approx(1.1)
    assert _table(found, "raw/results").columns == {"operations_per_second": 1}
    assert _submission(found, "red") == Submission("red", 2, "changed", "same", [])


def test_a_ratio_needs_two_numbers_and_an_old_one_that_is_not_0(tmp_path: Path) -> None:
    """Text, null and 0 have none."""
    before = _altered("results", 0, operations_per_second=0.0, operation="read", queue_depth=None)
    after = _altered("results", 0, operations_per_second=1.0, operation="write", queue_depth=4)
    found = compare(releasing.write(tmp_path / "a", before), releasing.write(tmp_path / "b", after))
    (row,) = _table(found, "raw/results").rows
    assert {
        cell.column: (msgspec.json.decode(cell.old), msgspec.json.decode(cell.new), cell.ratio) for cell in row.cells
    } == {
        "operation": ("read", "write", None),
        "operations_per_second": (0.0, 1.0, None),
        "queue_depth": (None, 4, None),
    }


def test_a_changed_manifest_is_told_by_its_hash(tmp_path: Path) -> None:
    """The files are the same."""
    found = _compare(tmp_path, _altered("submissions", 1, manifest_sha256="other"))
    assert found.submissions == [Submission("blue", 1, "same", "changed", [])]


def test_another_version_of_a_reader_is_told(tmp_path: Path) -> None:
    """By format, with both versions."""
    found = _compare(tmp_path, _altered("results", 2, reader_version="0.2.0", operations_per_second=50.0))
    assert found.submissions == [Submission("green", 1, "same", "same", ["fio json 0.1.0 → 0.2.0"])]
    assert _table(found, "raw/results").columns == {"operations_per_second": 1, "reader_version": 1}


def test_where_no_input_changed_the_submission_says_so(tmp_path: Path) -> None:
    """Its rows differ, and files, manifest and reader are the same: the code that builds changed."""
    found = _compare(tmp_path, _altered("marts/results", 0, operations_per_second=99.0))
    assert found.submissions == [Submission("red", 1, "same", "same", [])]


def test_counts_are_of_all_rows_and_few_are_shown(tmp_path: Path) -> None:
    """The first of each change by key."""
    many = {f"s{number:03}": float(number + 1) for number in range(40)}
    before = releasing.rows(**many)
    after = releasing.rows(**{name: value * 2 for name, value in many.items()})
    after["results"] = [*after["results"][1:], releasing.result("t", 1.0)]
    after["submissions"] = [*after["submissions"], releasing.submission("t")]
    found = compare(releasing.write(tmp_path / "a", before), releasing.write(tmp_path / "b", after), limit=3)
    results = _table(found, "raw/results")
    assert (results.added, results.removed, results.changed) == (1, 1, 39)
    assert [(row.change, row.key) for row in results.rows] == [
        ("added", "result of t"),
        *(("changed", f"result of s{number:03}") for number in (1, 2, 3)),
        ("removed", "result of s000"),
    ]


def test_columns_of_one_side_are_listed_and_change_no_row(tmp_path: Path) -> None:
    """A column more is no changed number, and neither is a whole number that is now stored as a float."""
    before, after = (releasing.write(tmp_path / name, BASE) for name in "ab")
    path = before / "marts" / "results.parquet"
    table = pq.read_table(path).drop_columns(["operation"])
    depth = table.column_names.index("queue_depth")
    pq.write_table(table.set_column(depth, "queue_depth", table["queue_depth"].cast(pa.float64())), path)
    (found,) = compare(before, after).tables
    assert (found.columns_added, found.columns_removed, found.changed, found.rows) == (["operation"], [], 0, [])


def test_rows_without_their_whole_key_are_added_and_removed(tmp_path: Path) -> None:
    """Nothing matches them; a table that one side lacks is added as a whole."""
    before, after = (releasing.write(tmp_path / name, BASE) for name in "ab")
    path = before / "marts" / "pairs.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["pair_id"]), path)
    (before / "marts" / "results.parquet").unlink()
    found = compare(before, after)
    pairs, results = (_table(found, f"marts/{name}") for name in ("pairs", "results"))
    assert (pairs.added, pairs.removed, pairs.changed) == (3, 3, 0)
    assert (results.before, results.added, results.after) == (0, 3, 3)


def test_a_key_that_became_a_list_is_compared_as_text(tmp_path: Path) -> None:
    """As of a build of an earlier edition, where the names stood in one text."""
    before, after = (releasing.write(tmp_path / name, BASE) for name in "ab")
    path = after / "marts" / "pairs.parquet"
    table = pq.read_table(path)
    lists = pa.array([[text] for text in table["pair_id"].to_pylist()])
    pq.write_table(table.set_column(table.column_names.index("pair_id"), "pair_id", lists), path)
    pairs = _table(compare(before, after), "marts/pairs")
    assert (pairs.added, pairs.removed, pairs.changed) == (3, 3, 0)


def test_a_report_shows_what_strangers_wrote_as_text(tmp_path: Path) -> None:
    """No link, mention, table or markup comes of it."""
    text = format_markdown(_compare(tmp_path, releasing.rows(red=100.0, blue=50.0, **{"@all|<b>[x](http://y)\n": 5.0})))
    assert not {"<", "@"} & set(text)
    assert "&#64;all&#124;&#60;b&#62;" in text


@pytest.fixture
def builds(tmp_path: Path) -> tuple[Path, Path]:
    """Return two builds, the second of which has one submission more and another rate."""
    more = releasing.rows(red=200.0, blue=50.0, green=25.0)
    first = releasing.write(tmp_path / "a", releasing.rows(red=100.0, blue=50.0))
    return first, releasing.write(tmp_path / "b", more)


def called(*arguments: str | Path) -> Result:
    """Call the command, and give its exit code and both outputs."""
    return CliRunner().invoke(diff, list(map(str, arguments)))


def test_its_exit_code_is_that_of_diff(ioledger: Run, builds: tuple[Path, Path]) -> None:
    """0 where nothing differs, 1 where something does, 2 when the two cannot be compared."""
    before, after = builds
    same = ioledger("diff", before, before)
    assert (same.returncode, same.stderr) == (0, "")
    assert "Nothing differs" in same.stdout
    differs = ioledger("diff", before, after)
    assert (differs.returncode, differs.stderr) == (1, "")
    nothing = called(before, before / "marts")
    assert (nothing.exit_code, nothing.stdout) == (2, "")
    assert "it does not contain the manifest.json of a build" in nothing.stderr
    assert "[R-DIFFERENCE-1]" in nothing.stderr
    assert called(before).exit_code == 2
    assert called(before, after, "--json", "--markdown").exit_code == 2
    assert called("", before).exit_code == 2
    assert "it is empty" in called("", before).stderr


def test_people_read_submissions_tables_and_rows(builds: tuple[Path, Path]) -> None:
    """How much differs, which inputs do, and each value with its ratio."""
    lines = [" ".join(line.split()) for line in called(*builds).stdout.splitlines()]
    assert "Tables that differ: 5. Rows: 6 added, 0 removed, 3 changed." in lines
    assert "green 4 added added same" in lines
    assert "red 2 same same same" in lines
    assert "marts/pairs 1 3 2 0 1 equal_count 1" in lines
    assert "result of red changed operations_per_second 100.0 200.0 2" in lines


def test_programs_read_json(builds: tuple[Path, Path]) -> None:
    """With every row where all are asked for."""
    for limit, shown in (("0", 2), ("1", 1)):
        found: dict[str, Any] = json.loads(called(*builds, "--json", "--limit", limit).stdout)
        by_name = {table["name"]: table for table in found["tables"]}
        assert by_name["marts/pairs"]["added"] == 2
        assert sum(row["change"] == "added" for row in by_name["marts/pairs"]["rows"]) == shown
    (cell,) = (cell for row in by_name["raw/results"]["rows"] for cell in row["cells"])
    assert cell == {"column": "operations_per_second", "old": 100.0, "new": 200.0, "ratio": 2.0}


def test_a_report_is_markdown(builds: tuple[Path, Path]) -> None:
    """As a release carries it."""
    said = called(*builds, "--markdown").stdout
    assert said.startswith("# Changes from ")
    assert "| marts/pairs | 1 | 3 | 2 | 0 | 1 |" in said


@pytest.mark.parametrize("junk", [b"no table", b""])
def test_a_damaged_table_is_one_line(builds: tuple[Path, Path], junk: bytes) -> None:
    """The exit code is not that of a difference."""
    (builds[1] / "raw" / "submissions.parquet").write_bytes(junk)
    done = called(*builds)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "submissions.parquet" in done.stderr


class History:
    """A repository whose commits are built by a program of the test's own."""

    def __init__(self, folder: Path) -> None:
        """Make the repository, and the builds that its program gives."""
        self.checkout, self.kept = folder / "checkout", folder / "kept"
        self.kept.mkdir()
        for rate in ("100", "200"):
            releasing.write(self.kept / rate, releasing.rows(red=float(rate), blue=50.0))
        files = {
            "dbt_project.yml": "", "profiles.yml": "", "pyproject.toml": "", "schemas/tables/none.json": "",
            "models/none.sql": "", "ingest/ioledger/__init__.py": "",
            "ingest/ioledger/__main__.py": PROGRAM.replace("KEPT", repr(str(self.kept))),
        }  # fmt: skip
        for name, text in files.items():
            path = self.checkout / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self._git("init", "-q")

    def _git(self, *arguments: str) -> None:
        identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *identity, *arguments], cwd=self.checkout, check=True, capture_output=True)  # noqa: S603, S607

    def commit(self, name: str, rate: str) -> None:
        """Commit data under a tag."""
        (self.checkout / "data").mkdir(exist_ok=True)
        (self.checkout / "data" / "rate").write_text(rate, encoding="utf-8")
        self._git("add", ".")
        self._git("commit", "-q", "-m", name)
        self._git("tag", name)

    def diff(self, *arguments: str | Path) -> Result:
        """Run the command in the repository."""
        return called("--workspace", self.checkout, "--cache", self.kept / "cache", *arguments)


@pytest.fixture
def history(tmp_path: Path) -> History:
    """Return a repository with one commit."""
    found = History(tmp_path)
    found.commit("one", "100")
    return found


def test_a_commit_is_built_once_by_its_own_code(history: History) -> None:
    """That it is built is said; the second time its tables are there."""
    history.commit("two", "200")
    first = history.diff("one", "two")
    assert first.exit_code == 1, first.stderr
    assert "one: building commit " in first.stderr
    second = history.diff("one", "two")
    assert (second.stdout, second.stderr) == (first.stdout, "")
    assert (history.kept / "log").read_text(encoding="utf-8").split() == ["100", "200"]


def test_a_commit_that_does_not_build_is_told(history: History) -> None:
    """With what its own code said; nothing of it is cached."""
    history.commit("two", "none")
    done = history.diff("one", "two")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "two: its own code does not build it: there is no rate" in done.stderr
    assert "[R-DIFFERENCE-1]" in done.stderr
    assert len(list((history.kept / "cache").iterdir())) == 1


def test_what_is_no_commit_and_no_folder_is_told(history: History) -> None:
    """A name that looks like an option is no option of git."""
    done = history.diff("--", "one", "--output=hacked")
    assert done.exit_code == 2
    assert "--output=hacked: it is no folder, and no commit of this checkout" in done.stderr
    assert not (history.checkout / "hacked").exists()
