"""The library: a file or a folder in, Arrow tables out, and every problem as a row."""

from __future__ import annotations

import doctest
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ioledger
from conftest import FIXTURES
from ioledger.cli import parse as command
from ioledger.cli.outputs import Output
from ioledger.loading.parse import TABLES
from ioledger.tables.schema import arrow_schema, tables

REPORT = FIXTURES / "submission" / "report.json"
PROPERTIES = {"latency_percentiles": "percentiles", "latency_bins": "bins", "disk_counters": "disks"}
"""The tables that have a shorter name in the library."""


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder ``results`` below the current one, with one report."""
    (tmp_path / "results").mkdir()
    shutil.copy(REPORT, tmp_path / "results" / "report.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "results"


@pytest.fixture
def various(results: Path) -> Path:
    """Return the folder with a report more: one that is cut, one of wrong types, a histogram, a log, and noise."""
    (results / "cut.json").write_bytes(REPORT.read_bytes()[:1500])
    (results / "noise.bin").write_bytes(bytes(range(256)) * 64)
    for name in ("json-wrong-types", "json-plus", "log-latency"):
        found = next(iter(sorted((FIXTURES / "fio").glob(f"{name}*/input.*"))), None)
        if found is not None:
            shutil.copy(found, results / f"{name}{found.suffix}")
    return results


@pytest.mark.usefixtures("results")
def test_the_documented_example_is_true() -> None:
    """As it stands in the package's own words."""
    failed, tried = doctest.testmod(ioledger)
    assert (failed, tried > 2) == (0, True)


def test_a_file_is_read_as_a_folder_that_holds_it(results: Path) -> None:
    """By a path or its text; only the path in the rows is that of the file."""
    one, folder = ioledger.read(str(results / "report.json")), ioledger.read(results)
    assert one == folder
    assert (one.results.num_rows, one.files.num_rows) == (2, 1)
    assert isinstance(one, ioledger.Measurement)
    assert repr(one).startswith("Measurement(results: 2, percentiles: ")


def test_the_tables_are_those_that_the_command_writes(various: Path, tmp_path: Path) -> None:
    """Row by row; refused files are findings beside them."""
    wanted = [Output(name, tmp_path / f"{name}.parquet", "parquet") for name in TABLES]
    command.run((various,), wanted)
    measurement = ioledger.read(various)
    for name, path in ((name, tmp_path / f"{name}.parquet") for name in TABLES):
        table = getattr(measurement, PROPERTIES.get(name, name))
        written = pq.read_table(path)
        assert table.slice(0, written.num_rows).equals(written), name
        assert (table.num_rows > written.num_rows) == (name == "findings"), name


def test_columns_have_the_types_and_words_of_the_schemas(various: Path) -> None:
    """The unit and the description of a column are in its field."""
    measurement = ioledger.read(various)
    for name in TABLES:
        stated = arrow_schema(tables()[name])
        for field in getattr(measurement, PROPERTIES.get(name, name)).schema:
            assert (field.type, field.metadata) == (stated.field(field.name).type, stated.field(field.name).metadata)


def test_what_is_wrong_is_a_row_and_nothing_raises(various: Path) -> None:
    """Each file stands once, with its state; what cannot be read has its reason, rule and place."""
    measurement = ioledger.read(various)
    files = {Path(row["path"]).name: row for row in measurement.files.to_pylist() if row["document_index"] is None}
    assert files.keys() == {path.name for path in various.iterdir()}
    assert (files["report.json"]["status"], files["report.json"]["rule_id"]) == ("read", None)
    assert (files["noise.bin"]["status"], files["noise.bin"]["rule_id"]) == ("refused", "R-DETECT-1")
    refused = {row["source_path"] for row in measurement.findings.to_pylist() if row["rule_id"] == "R-DETECT-1"}
    assert refused == {str(various / "noise.bin")}
    numbers = Counter((row["file_id"], row["finding_index"]) for row in measurement.findings.to_pylist())
    assert set(numbers.values()) == {1}
    assert {index for _, index in numbers} <= set(range(1, len(numbers) + 1)), "none is without its number"
    assert sum(row["result_count"] for row in files.values()) == measurement.results.num_rows


SAME_RUN = {
    "formats-of-one-run": [("json", 3, None), ("terse v3", 0, 0), ("normal", 0, 0)],
    "formats-of-different-runs": [
        ("json", 3, None), ("terse v3", 2, None), ("normal", 1, None), ("terse v3", 0, 0), ("normal", 0, 1),
    ],
    "json-same-report-twice": [("json", 2, None), ("json", 0, 0)],
}  # fmt: skip
"""The documents of files: format, results, and which document is the same run."""


@pytest.mark.parametrize("case", SAME_RUN)
def test_a_document_that_says_again_what_another_says_is_ignored(case: str, tmp_path: Path) -> None:
    """It has its row and the document that stands for it; one of another run is read."""
    (given,) = (FIXTURES / "fio" / case).glob("input.*")
    shutil.copy(given, tmp_path)
    whole, *documents = ioledger.read(tmp_path).files.to_pylist()
    assert [(row["format"], row["result_count"]) for row in documents] == [each[:2] for each in SAME_RUN[case]]
    assert [row["document_index"] for row in documents] == list(range(len(documents)))
    told = [(row["status"], row["reason"], row["rule_id"] is None) for row in documents]
    assert told == [
        ("read", None, True) if same is None else ("ignored", f"the same run as document {same}", False)
        for *_, same in SAME_RUN[case]
    ]
    assert sum(row["result_count"] for row in documents) == whole["result_count"]
    assert len({row["file_id"] for row in (whole, *documents)}) == len(documents) + 1


def test_a_folder_without_files_gives_empty_tables_and_a_missing_one_raises(tmp_path: Path) -> None:
    """The columns are there, whatever was read."""
    empty = ioledger.read(tmp_path)
    assert {table.num_rows for table in empty} == {0}
    assert empty.results.column_names == ioledger.read(REPORT).results.column_names
    assert all(isinstance(table, pa.Table) for table in empty)
    with pytest.raises(FileNotFoundError, match="none"):
        ioledger.read(tmp_path / "none.json")


def test_importing_the_library_changes_nothing_around_it() -> None:
    """No variable is set, and nothing heavy is loaded before something is read."""
    program = (
        "import os, sys; before = dict(os.environ); import ioledger; "
        "print(dict(os.environ) == before, {'pyarrow', 'numpy', 'pandas', 'duckdb'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == "True set()\n"
