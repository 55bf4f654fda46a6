"""What speed is measured with: files real enough to be read without a word, and a neighbour that does the same work."""

from __future__ import annotations

import csv
import random
import shutil
import subprocess
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from bench import methods, other_tools
from bench.generate import fio_files
from ioledger.measurement import parse
from ioledger.readers.base import Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType


def _kinds(seed: int) -> dict[str, tuple[ModuleType, Callable[[], list[bytes]]]]:
    return other_tools.kinds(random.Random(seed))  # noqa: S311  (reproducible, not secret)


KINDS = {kind: (reader, make()) for kind, (reader, make) in _kinds(20261121).items()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_the_bench_gives_results_and_no_warning(kind: str) -> None:
    """A refusal would be measured as speed; a contradiction costs time, which only a bare latency of 11.1 takes."""
    reader, files = KINDS[kind]
    for data in files:
        reading = reader.read(Source(kind, data))
        assert reading.results
        assert reading.refusals == []
        is_bare_latency = data.startswith(b"Large/Small,      1") and b"." in data
        assert [finding.rule for finding in reading.warnings] == ["R-ORION-9"] * is_bare_latency


@pytest.mark.parametrize("kind", KINDS)
def test_files_read_together_give_as_many_results(kind: str) -> None:
    """What is measured reads every file."""
    reader, files = KINDS[kind]
    alone = sum(len(reader.read(Source(kind, data)).results) for data in files)
    assert other_tools.read(reader, files * 2) == 2 * alone


def test_the_bench_makes_the_same_files_from_the_same_seed() -> None:
    """Numbers of two days compare only when they are of the same bytes."""
    first, again = ({kind: make() for kind, (_, make) in _kinds(1).items()} for _ in range(2))
    assert first == again


def test_no_two_runs_of_the_bench_have_the_same_figures() -> None:
    """A reader remembers what it has seen, and real runs of a sweep share their settings only."""
    _, make = _kinds(1)["ORION run of 12c, 1 disk, 5 files"]
    first, second = make(), make()
    assert all(one != other for one, other in zip(first, second, strict=True))


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_jq_writes_the_rows_that_ioledger_reads(tmp_path: Path) -> None:
    """The work that is compared is the same: every result with its operations, every percentile with its latency."""
    paths = [str(path) for path in fio_files(tmp_path, 40, seed=1)]
    names = ("results", "latency_percentiles")
    (chunk,) = parse.chunks(paths, lines=False, tables=names)
    tables = {name: pa.ipc.open_stream(chunk.tables[name]).read_all() for name in names}
    command = ["jq", "-r", "-f", str(methods.HERE / "same_rows.jq"), *paths]
    rows = list(csv.reader(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()))  # noqa: S603
    percentiles = [row for row in rows if row[3].endswith("lat_ns")]
    results = [row for row in rows if not row[3].endswith("lat_ns")]
    operations = tables["results"]["operation_count"].to_numpy()
    latencies = tables["latency_percentiles"]["latency_seconds"].to_numpy()
    assert sorted(int(row[17]) for row in results) == sorted(operations)
    assert sorted(float(row[5]) for row in percentiles) == pytest.approx(sorted(latencies * 1e9))
    assert methods.jq_same_rows(paths) == len(rows)
