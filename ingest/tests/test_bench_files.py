"""The Iometer and ORION files that speed is measured with: real enough to be read without a word."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from bench import other_tools
from ingest.record import Source

if TYPE_CHECKING:
    from collections.abc import Callable
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
    """What is measured reads every file, by columns or not."""
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
