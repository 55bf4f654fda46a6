"""The Iometer and ORION files that speed is measured with: real enough to be read without a word."""

from __future__ import annotations

import pytest

from bench import other_tools
from ingest.record import Source

KINDS = other_tools.kinds(20261121)


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
    """What is measured reads every file, by columns or not."""
    reader, files = KINDS[kind]
    alone = sum(len(reader.read(Source(kind, data)).results) for data in files)
    assert other_tools.read(reader, files * 2) == 2 * alone


def test_the_bench_makes_the_same_files_from_the_same_seed() -> None:
    """Numbers of two days compare only when they are of the same bytes."""
    assert {kind: files for kind, (_, files) in other_tools.kinds(1).items()} == {
        kind: data for kind, (_, data) in other_tools.kinds(1).items()
    }
