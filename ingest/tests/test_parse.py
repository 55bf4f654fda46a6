"""Many files at once: chunks, processes, and files that appear whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ioledger
from conftest import FIXTURES
from ioledger.cli import parse as parsing
from ioledger.cli.outputs import STORED, Output
from ioledger.loading import files, parse
from ioledger.loading.copies import REASON

REPORT = FIXTURES / "submission" / "report.json"
SCREEN = Output("results", None, "jsonl")


def _results(path: Path) -> Output:
    """Return the results as they go to a file; its suffix says the format."""
    return Output("results", path, path.suffix[1:])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of a dozen reports of different bytes, one of them cut, in two subfolders."""
    for index in range(12):
        below = tmp_path / ("a" if index % 2 else "b")
        below.mkdir(exist_ok=True)
        (below / f"{index:02d}.json").write_bytes(REPORT.read_bytes() + b"\n" * index)
    (tmp_path / "a" / "07.json").write_bytes(REPORT.read_bytes()[:1500])
    (tmp_path / ".hidden").mkdir()
    shutil.copy(REPORT, tmp_path / ".hidden" / "report.json")
    (tmp_path / "link.json").symlink_to(REPORT)
    return tmp_path


DOUBTFUL = (
    "fio/json-wrong-types",
    "fio/json-two-runs",
    "fio/json-plus-3.42",
    "fio/log-throughput",
    "orion/matrix-iops-12c-mixed-cells",
)


@pytest.fixture
def various(folder: Path) -> Path:
    """Return the folder with reports that have bins, samples and findings beside the others."""
    for kind in DOUBTFUL:
        (source,) = (FIXTURES / kind).glob("input.*")
        shutil.copy(source, folder / "b" / f"{kind.replace('/', '-')}_bw{source.suffix}")
    smalls = range(1, 21)  # a matrix of latencies, which states no unit
    head, cells = (
        ",".join(f"{text(small):>7}" for small in smalls) for text in (str, lambda small: f"{small / 2:.2f}")
    )
    (folder / "a" / "matrix.csv").write_text(f"Large/Small,{head}\n          0,{cells}\n", encoding="ascii")
    return folder


@pytest.mark.parametrize(
    ("most", "sizes"),
    [((100, 100), [11]), ((6, 100), [3, 3, 5]), ((3, 100), [3, 3, 2, 3]), ((100, 3), [3, 3, 2, 3])],
)
def test_what_lies_together_is_read_together_as_far_as_memory_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: tuple[int, int], sizes: list[int]
) -> None:
    """A folder with what is below it is not divided while it is small enough; a container is like a folder."""
    report = REPORT.read_bytes()
    monkeypatch.setattr(parse, "CHUNK_FILES", 1)
    monkeypatch.setattr(parse, "TOGETHER", most[0])
    monkeypatch.setattr(parse, "TOGETHER_BYTES", most[1] * len(report) + 500)
    for name in ("a/1", "a/2/3", "a/2/4", "b/5", "b/6", "b/7"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(report + name.encode())
    with tarfile.open(tmp_path / "c.tar", "w") as archive:
        for name in ("a/1", "a/2/3", "b/5", "b/6"):
            archive.add(tmp_path / name, name)
    found = list(files.list_files([tmp_path]))
    assert [len(chunk.files) for chunk in parse.chunks(found, lines=True, processes=1)] == sizes


def test_two_processes_give_the_same_lines_and_tables_as_one(various: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results, percentiles, bins, samples, findings and problems come in the order of the files, whoever read them."""
    monkeypatch.setattr(parse, "CHUNK_FILES", 4)
    monkeypatch.setattr(parse, "TOGETHER", 1)
    monkeypatch.setattr(parse, "SHARES", 1)
    found = list(files.list_files([various]))
    alone, shared = (list(parse.chunks(found, lines=True, tables=parse.TABLES, processes=count)) for count in (1, 2))
    assert len(alone) > 1
    assert shared == alone
    assert found == sorted(found)
    assert "R-FIO-CUT-1" in {problem.rule for chunk in alone for problem in chunk.problems}
    for name in parse.TABLES:
        assert any(pa.ipc.open_stream(chunk.tables[name]).read_all().num_rows for chunk in alone), name


@pytest.fixture
def aside(tmp_path: Path) -> Path:
    """Return a folder whose files are not read."""
    hidden = tmp_path / ".aside"
    hidden.mkdir()
    return hidden


def test_tables_are_written_in_every_format(various: Path, aside: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What belongs to a result is found by its id; the last line counts the findings."""
    wanted = [Output(name, aside / f"{name}.{kind}", kind) for name in parse.TABLES for kind in STORED]
    assert parsing.run((various,), wanted) == 1
    for name in parse.TABLES:
        whole = pa.ipc.open_file(str(aside / f"{name}.arrow")).read_all()
        for kind in (".parquet", ".csv", ".jsonl"):
            with duckdb.connect() as database:
                found = database.execute(f"from '{aside / name}{kind}'")
                assert [column for column, *_ in found.description or ()] == whole.column_names
                rows = found.fetchall()
            assert len(rows) == whole.num_rows
            assert kind != ".parquet" or pq.read_table(aside / f"{name}{kind}").equals(whole)
    results, bins = (pq.read_table(aside / f"{name}.parquet") for name in ("results", "latency_bins"))
    assert set(bins["result_id"].to_pylist()) <= set(results["result_id"].to_pylist())
    findings = pq.read_table(aside / "findings.parquet").num_rows
    assert capfd.readouterr().err.endswith(f", {findings} findings\n")
    parsing.run((various,), [], summary=True)
    assert f", {findings} findings (--table findings FILE writes them)" in capfd.readouterr().err


def test_what_gives_no_row_is_said(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A folder without files, a file of settings, what is not looked at; a file that is named twice is read once."""
    (folder / "node_modules").mkdir()
    (settings,) = (FIXTURES / "iometer" / "configuration").glob("input.*")
    for path, told in (
        (
            folder / "node_modules",
            f"{folder / 'node_modules'}: this folder has no files\n0 files: 0 read (0%), 0 refused, 0 results\n",
        ),
        (settings, "1 file: 1 read (100%), 0 refused, 0 results (a job file or configuration has none)\n"),
    ):
        assert parsing.run((path,), [SCREEN]) == 0
        assert capfd.readouterr() == ("", told)
    parsing.run((folder,), [], summary=True)
    once = capfd.readouterr().err
    assert once.splitlines()[-1] == "skipped: 1 x folder of generated files, 1 x hidden, 1 x link or device"
    parsing.run((folder, folder / "a", *sorted((folder / "a").iterdir())), [], summary=True)
    assert capfd.readouterr().err == once


@pytest.mark.parametrize("processes", [1, 2])
def test_the_table_of_files_tells_of_every_input_what_became_of_it(
    various: Path, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read and what was refused add up to what was handed in, and each result and finding has its file."""
    monkeypatch.setattr(parse, "CHUNK_FILES", 5)
    (various / "a" / "picture.png").write_bytes(b"\x89PNG\r\n")
    (various / "a" / "empty.json").write_bytes(b"")
    (various / "b" / "noise.bin").write_bytes(bytes(range(256)))
    shutil.copy(various / "a" / "01.json", various / "b" / "copy.json")
    with tarfile.open(various / "c.tar.gz", "w:gz") as archive:
        archive.add(various / "b" / "00.json", "there/00.json")
        archive.add(various / "b" / "fio-json-two-runs_bw.json", "two.json")
    found = list(files.list_files([various]))
    chunks = list(parse.chunks(found, lines=False, tables=parse.TABLES, processes=processes))
    made = {
        name: [row for chunk in chunks for row in pa.ipc.open_stream(chunk.tables[name]).read_all().to_pylist()]
        for name in parse.TABLES
    }
    documents = [row for row in made["files"] if row["document_index"] is not None]
    made["files"] = [row for row in made["files"] if row["document_index"] is None]
    members = [row["member_path"] for row in made["files"]]
    assert [row["path"] for row in made["files"]] == [*found[:-1], *[found[-1]] * 3]
    assert members == [*[None] * (len(found) - 1), "there/00.json", "two.json", None]
    records = [file for chunk in chunks for file in chunk.files]
    by_status = {"read": len(found) - 5, "refused": 2, "ignored": 5}
    assert by_status == Counter(row["status"] for row in made["files"]) == Counter(file.status for file in records)
    assert all(bool(file.problems) == (file.status == "refused") for file in records)
    assert {row["rule_id"] for row in made["files"] if row["status"] == "refused"} == {"R-DETECT-1", "R-FIO-CUT-1"}
    assert all(bool(row["reason"]) == (row["status"] != "read") for row in made["files"])
    assert sum(row["result_count"] for row in made["files"]) == len(made["results"])
    assert sum(row["finding_count"] for row in made["files"]) == len(made["findings"])
    told = [(file.result_count, file.finding_count) for file in records]
    assert [(row["result_count"], row["finding_count"]) for row in made["files"]] == told
    paths = {row["file_id"]: row["path"] for row in made["files"]}
    assert len(paths) == len(found) + 2
    assert all(paths[row["file_id"]] == row["source_path"] for name in ("results", "findings") for row in made[name])
    assert {paths[row["file_id"]].rpartition("/")[2] for row in made["samples"]} == {"fio-log-throughput_bw.log"}
    two = [(row["path"].rpartition("/")[2], row["document_index"], row["result_count"]) for row in documents]
    assert two == [("fio-json-two-runs_bw.json", 0, 2), ("fio-json-two-runs_bw.json", 1, 2)]
    copies = {row["member_path"] or row["path"]: row for row in made["files"] if row["duplicate_of"] is not None}
    assert [(row["status"], row["reason"], row["rule_id"]) for row in copies.values()] == [
        ("ignored", REASON, None)
    ] * 3
    firsts = [Path(row["duplicate_of"]).name for row in copies.values()]
    assert firsts == ["01.json", "00.json", "fio-json-two-runs_bw.json"]
    ids = [row["result_id"] for row in made["results"]]
    assert len(set(ids)) == len(ids)
    assert {row["result_id"] for row in made["latency_percentiles"]} <= set(ids)
    keys = [tuple(row.values())[:4] for row in made["latency_bins"]]
    assert len(set(keys)) == len(keys) > 0


def test_rows_of_a_repeated_file_are_written_once_whatever_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Across chunks, with percentiles alone, and as lines; the table of files names the first beside the others."""
    monkeypatch.setattr(parse, "CHUNK_FILES", 1)
    monkeypatch.setattr(parse, "TOGETHER", 1)
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        shutil.copy(REPORT, tmp_path / name / "report.json")
    found = list(files.list_files([tmp_path]))
    for processes in (1, 2):
        chunks = list(parse.chunks(found, lines=True, tables=["latency_percentiles"], processes=processes))
        assert [chunk.lines.count(b"\n") for chunk in chunks] == [2, 0, 0]
        counts = [pa.ipc.open_stream(chunk.tables["latency_percentiles"]).read_all().num_rows for chunk in chunks]
        assert (counts[0] > 0, counts[1:]) == (True, [0, 0])
        assert {tuple(chunk.tables) for chunk in chunks} == {("latency_percentiles",)}
        assert [chunk.files[0].duplicate_of for chunk in chunks] == [None, found[0], found[0]]
    monkeypatch.setattr(parse, "CHUNK_FILES", 500)
    together = ioledger.read(tmp_path)
    assert (together.results.num_rows, together.percentiles.num_rows) == (2, counts[0])
    rows = together.files.to_pylist()
    assert [(row["status"], row["duplicate_of"]) for row in rows] == [
        ("read", None), ("ignored", found[0]), ("ignored", found[0]),
    ]  # fmt: skip
    assert rows[0]["ended_at"] is not None


def test_logs_with_the_same_numbers_of_different_things_are_not_repeated(tmp_path: Path) -> None:
    """The name alone says whether a number is a rate or a latency."""
    for name in ("run_bw.1.log", "run_iops.1.log", "again_iops.1.log"):
        (tmp_path / name).write_bytes(b"500, 1000, 0, 4096\n1000, 1000, 0, 4096\n")
    (chunk,) = parse.chunks(list(files.list_files([tmp_path])), lines=False, tables=["samples"])
    rows = pa.ipc.open_stream(chunk.tables["samples"]).read_all().to_pylist()
    assert Counter(row["quantity"] for row in rows) == {"operations": 2, "throughput": 2}
    assert [file.duplicate_of is None for file in chunk.files] == [True, True, False]


def test_results_as_lines_are_the_same_whoever_writes_them(various: Path, aside: Path) -> None:
    """Lines are made without Arrow when nothing else is wanted."""
    parsing.run((various,), [_results(aside / "rows.jsonl")])
    parsing.run((various,), [_results(aside / "rows.arrow")])
    lines = [json.loads(line) for line in (aside / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = pa.ipc.open_file(str(aside / "rows.arrow")).read_all().to_pylist()
    assert lines == [{name: _text(value) for name, value in row.items()} for row in rows]
    assert lines[0]["ended_at"] == "2025-11-21T04:40:00.123000Z"


def _text(value: object) -> object:
    """Return a time as JSON has it, and anything else as it is."""
    return msgspec.to_builtins(value.replace(tzinfo=UTC)) if isinstance(value, datetime) else value


def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is below it would be missing from the rows without a word."""
    locked = tmp_path / "locked"
    locked.mkdir()
    shutil.copy(REPORT, tmp_path / "report.json")
    list_folder = os.scandir

    def refuse(folder: str) -> object:
        if folder == str(locked):
            raise PermissionError(13, "Permission denied")
        return list_folder(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    (chunk,) = parse.chunks(list(files.list_files([tmp_path])), lines=True)
    assert [(problem.rule, problem.file) for problem in chunk.problems] == [("R-FILE-8", str(locked))]
    assert chunk.lines.count(b"\n") == 2


HEAVY = (
    "xml.etree", "fractions", "pandas", "numpy", "pyarrow", "duckdb", "dbt", "great_expectations", "rich", "yaml",
    "jsonschema",
)  # fmt: skip


def test_rows_as_lines_need_no_library_but_msgspec_and_click() -> None:
    """``ioledger parse`` of one file starts at once, and a browser, which has no other, reads with the same code."""
    program = (
        f"import sys; sys.modules |= dict.fromkeys({HEAVY!r}); from ioledger.cli import main; "
        f"main(['parse', {str(REPORT)!r}], standalone_mode=False)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)  # noqa: S603
    assert done.stdout.count("\n") == 2


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are listed on Linux only")
def test_numpy_starts_no_threads_that_wait() -> None:
    """The threads of its BLAS would spin for a tenth of a second, and nothing here multiplies matrices."""
    program = "import os, ioledger.__main__, numpy; print(len(os.listdir('/proc/self/task')))"
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)  # noqa: S603
    assert done.stdout == "1\n"
