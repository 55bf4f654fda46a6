"""The Iometer and ORION files that speed is measured with: real enough to be read without a word."""

from __future__ import annotations

import pytest

from bench import other_tools
from ingest.record import Source

KINDS = other_tools.kinds(20261121)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_the_bench_gives_results_and_no_warning(kind: str) -> None:
    """A refusal would be measured as speed, and a contradiction costs time that real files do not take."""
    read, data = KINDS[kind]
    reading = read(Source(kind, data))
    assert reading.results
    assert reading.refusals == []
    assert reading.warnings == []


def test_the_bench_makes_the_same_files_from_the_same_seed() -> None:
    """Numbers of two days compare only when they are of the same bytes."""
    assert {kind: data for kind, (_, data) in other_tools.kinds(1).items()} == {
        kind: data for kind, (_, data) in other_tools.kinds(1).items()
    }
