"""The command ``ioledger diff``: rows that two builds differ in, and whether files, manifest or reader changed."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

import released
from ioledger.cli.releases import diff
from ioledger.releases.diff import compare, format_headline, format_markdown, list_sections

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run

BASE = released.rows(red=100.0, blue=50.0, green=25.0)
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


def _compare(scratch: Path, after: released.Rows, before: released.Rows = BASE) -> Any:  # noqa: ANN401  (JSON)
    """Compare rows with others, by default with the base."""
    return compare(released.write(scratch / "a", before), released.write(scratch / "b", after), limit=None)


def _table(found: dict[str, Any], name: str) -> Any:  # noqa: ANN401
    return next(table for table in found["tables"] if table["name"] == name)


def _counts(table: dict[str, Any]) -> tuple[int, ...]:
    return tuple(table[change] for change in ("added", "removed", "changed"))


def _submission(name: str, rows: int, files: str, manifest: str, *readers: str) -> dict[str, Any]:
    return {"submission_id": name, "rows": rows, "files": files, "manifest": manifest, "readers": [*readers]}


def _altered(table: str, index: int, **values: object) -> released.Rows:
    """Return the base with other values in one row of a table."""
    rows = [row | values if number == index else row for number, row in enumerate(BASE[table])]
    return BASE | {table: rows}


def test_the_same_rows_are_no_difference(tmp_path: Path) -> None:
    """Also where the files have other bytes, and where raw tables are in the folder itself, as in version 0.1."""
    before = released.write(tmp_path / "a", BASE)
    after = shutil.copytree(before, tmp_path / "b")
    path = after / "raw" / "results.parquet"
    pq.write_table(pq.read_table(path), path, compression="gzip")
    for path in (before / "raw").glob("*.parquet"):
        path.rename(before / path.name)
    found = compare(before, after)
    assert (found["submissions"], found["tables"], list(list_sections(found))) == ([], [], [])
    assert format_headline(found) == "Nothing differs: every table has the same rows."


def test_rows_of_a_new_submission_are_added_and_those_of_one_that_is_gone_removed(tmp_path: Path) -> None:
    """In each table that has some, with their keys, and the submissions are listed."""
    found = _compare(tmp_path, released.rows(red=100.0, blue=50.0, gold=5.0))
    assert {table["name"]: _counts(table) for table in found["tables"]} == {
        "raw/files": (1, 1, 0), "raw/results": (1, 1, 0), "raw/submissions": (1, 1, 0), "marts/results": (1, 1, 0),
        "marts/pairs": (2, 2, 0),
    }  # fmt: skip
    assert found["submissions"] == [
        _submission("gold", 4, "added", "added"),
        _submission("green", 4, "removed", "removed"),
    ]
    rows = [(row["change"], row["key"]) for row in _table(found, "raw/results")["rows"]]
    assert rows == [("added", "result of gold"), ("removed", "result of green")]


def test_a_changed_value_has_old_new_and_a_ratio_of_two_numbers(tmp_path: Path) -> None:
    """Text, null and 0 have none."""
    before = _altered("results", 0, operations_per_second=0.0, throughput_bytes_per_second=100.0, queue_depth=None)
    values = {"operations_per_second": 1.0, "throughput_bytes_per_second": 110.0, "operation": "write"}
    found = _compare(tmp_path, _altered("results", 0, **values), before)
    (row,) = _table(found, "raw/results")["rows"]
    assert {cell["column"]: (cell["old"], cell["new"], cell["ratio"]) for cell in row["cells"]} == {
        "operation": ("read", "write", None),
        "operations_per_second": (0.0, 1.0, None),
        "throughput_bytes_per_second": (100.0, 110.0, pytest.approx(1.1)),
        "queue_depth": (None, 4, None),
    }
    assert _table(found, "raw/results")["columns"] == dict.fromkeys(sorted(cell["column"] for cell in row["cells"]), 1)


@pytest.mark.parametrize(
    ("after", "submission"),
    [
        (_altered("files", 0, source_sha256="other bytes"), _submission("red", 1, "changed", "same")),
        (_altered("submissions", 1, manifest_sha256="other"), _submission("blue", 1, "same", "changed")),
        (
            _altered("results", 2, reader_version="0.2.0", operations_per_second=50.0),
            _submission("green", 1, "same", "same", "fio json 0.1.0 → 0.2.0"),
        ),
        (_altered("marts/results", 0, operations_per_second=99.0), _submission("red", 1, "same", "same")),
    ],
    ids=["files", "manifest", "reader", "code"],
)
def test_which_input_of_a_submission_changed_is_told(
    after: released.Rows, submission: dict[str, Any], tmp_path: Path
) -> None:
    """By hashes and versions; where none of them did, the code that builds changed."""
    assert _compare(tmp_path, after)["submissions"] == [submission]


def test_columns_of_one_side_are_listed_and_change_no_row(tmp_path: Path) -> None:
    """A column more is no changed number, and neither is a whole number that is now stored as a float."""
    before = released.write(tmp_path / "a", BASE)
    after = shutil.copytree(before, tmp_path / "b")
    path = before / "marts" / "results.parquet"
    table = pq.read_table(path).drop_columns(["operation"])
    depth = table.column_names.index("queue_depth")
    pq.write_table(table.set_column(depth, "queue_depth", table["queue_depth"].cast(pa.float64())), path)
    (found,) = compare(before, after)["tables"]
    assert (found["columns_added"], found["columns_removed"], found["changed"], found["rows"]) == (
        ["operation"],
        [],
        0,
        [],
    )


def test_rows_without_their_whole_key_are_added_and_removed(tmp_path: Path) -> None:
    """Nothing matches them, nor a key that became a list; a table that one side lacks is added as a whole."""
    before = released.write(tmp_path / "a", BASE)
    after = shutil.copytree(before, tmp_path / "b")
    path = before / "marts" / "pairs.parquet"
    table = pq.read_table(path)
    (before / "marts" / "results.parquet").unlink()
    lists = pa.array([[text] for text in table["pair_id"].to_pylist()])
    for changed in (
        table.drop_columns(["pair_id"]), table.set_column(table.column_names.index("pair_id"), "pair_id", lists)
    ):  # fmt: skip
        pq.write_table(changed, path)
        found = compare(before, after)
        assert _counts(_table(found, "marts/pairs")) == (3, 3, 0)
    results = _table(found, "marts/results")
    assert (results["before"], *_counts(results), results["after"]) == (0, 3, 0, 0, 3)


def test_a_report_shows_what_strangers_wrote_as_text(tmp_path: Path) -> None:
    """No link, mention, table or markup comes of it."""
    text = format_markdown(_compare(tmp_path, released.rows(red=100.0, blue=50.0, **{"@all|<b>[x](http://y)\n": 5.0})))
    assert not {"<", "@"} & set(text)
    assert "&#64;all&#124;&#60;b&#62;" in text


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return two builds, the second of which has one submission more and another rate."""
    folder = tmp_path_factory.mktemp("builds")
    first = released.write(folder / "a", released.rows(red=100.0, blue=50.0))
    return first, released.write(folder / "b", released.rows(red=200.0, blue=50.0, green=25.0))


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
    """How much differs, which inputs do, and each value with its ratio; as Markdown, too, as a release carries it."""
    lines = [" ".join(line.split()) for line in called(*builds).stdout.splitlines()]
    assert "Tables that differ: 5. Rows: 6 added, 0 removed, 3 changed." in lines
    assert "green 4 added added same" in lines
    assert "red 2 same same same" in lines
    assert "marts/pairs 1 3 2 0 1 equal_count 1" in lines
    assert "result of red changed operations_per_second 100.0 200.0 2" in lines
    said = called(*builds, "--markdown").stdout
    assert said.startswith("# Changes from ")
    assert "| marts/pairs | 1 | 3 | 2 | 0 | 1 |" in said


def test_programs_read_json(builds: tuple[Path, Path]) -> None:
    """With every row where all are asked for."""
    for limit, shown in (("0", 2), ("1", 1)):
        found: dict[str, Any] = json.loads(called(*builds, "--json", "--limit", limit).stdout)
        by_name = {table["name"]: table for table in found["tables"]}
        assert by_name["marts/pairs"]["added"] == 2
        assert sum(row["change"] == "added" for row in by_name["marts/pairs"]["rows"]) == shown
    (cell,) = (cell for row in by_name["raw/results"]["rows"] for cell in row["cells"])
    assert cell == {"column": "operations_per_second", "old": 100.0, "new": 200.0, "ratio": 2.0}


@pytest.mark.parametrize("junk", [b"no table", b""])
def test_a_damaged_table_is_one_line(builds: tuple[Path, Path], junk: bytes, tmp_path: Path) -> None:
    """The exit code is not that of a difference."""
    damaged = shutil.copytree(builds[1], tmp_path / "b")
    (damaged / "raw" / "submissions.parquet").write_bytes(junk)
    done = called(builds[0], damaged)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "submissions.parquet" in done.stderr


class History:
    """A repository whose commits are built by a program of the test's own."""

    def __init__(self, folder: Path) -> None:
        """Make the repository, and the builds that its program gives."""
        self.checkout, self.kept = folder / "checkout", folder / "kept"
        self.kept.mkdir()
        for rate in ("100", "200"):
            released.write(self.kept / rate, released.rows(red=float(rate), blue=50.0))
        files = {
            "dbt_project.yml": "", "profiles.yml": "", "pyproject.toml": "", "schemas/tables/none.json": "",
            "models/none.sql": "", "ingest/ioledger/__init__.py": "",
            "ingest/ioledger/__main__.py": PROGRAM.replace("KEPT", repr(str(self.kept))),
        }  # fmt: skip
        for name, text in files.items():
            path = self.checkout / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def commit(self, name: str, rate: str) -> None:
        """Commit data under a tag."""
        (self.checkout / "data").mkdir(exist_ok=True)
        (self.checkout / "data" / "rate").write_text(rate, encoding="utf-8")
        released.commit(self.checkout)
        released.git(self.checkout, "tag", name)

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


def test_a_commit_that_does_not_build_and_what_is_none_are_told(history: History) -> None:
    """With what its own code said; nothing of it is cached."""
    history.commit("two", "none")
    done = history.diff("one", "two")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "two: its own code does not build it: there is no rate" in done.stderr
    assert "[R-DIFFERENCE-1]" in done.stderr
    assert len(list((history.kept / "cache").iterdir())) == 1
    done = history.diff("--", "one", "--output=hacked")  # a name that looks like an option is no option of git
    assert done.exit_code == 2
    assert "--output=hacked: it is no folder, and no commit of this checkout" in done.stderr
    assert not (history.checkout / "hacked").exists()
