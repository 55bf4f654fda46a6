"""
Successive reports of one run (``--status-interval``): all but the last are partial.

Text formats carry no time stamp. Reports of one job are cumulative, so every counter of a later one is at least that
of an earlier one, and its run time is longer. Reports that repeat a name without that are different jobs, and so are as
many of them as there were processes: each of these ends with a report of its own.
Source: fio's HOWTO, ``--status-interval``; ``stat.c``, ``__show_running_run_stats()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.readers.base import Finding
from ioledger.readers.fio.text_checks import sampling

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from ioledger.readers.base import Reading

Counters = list[tuple[float, ...]]
PARTIAL = "{} reports of unfinished runs are marked as partial: later reports continue their counters"
_LONGEST_CHAIN = 10_000


def superseded(reports: Iterable[tuple[Hashable, str, Counters]], *, is_process_known: bool) -> set[str]:
    """
    Return the points of reports that later ones continue; a report is its job's key, its point, its counters.

    Where a key does not name one process (``is_process_known``), reports with equal counters are those of several.
    """
    chains: dict[Hashable, list[tuple[str, Counters]]] = {}
    for key, point, counters in reports:
        chains.setdefault(key, []).append((point, counters))
    return {point for chain in chains.values() for point in _superseded(chain, is_process_known)}


def mark(reading: Reading, partial: set[str]) -> None:
    """Mark the results of superseded points, with a finding that counts them, and say what all samples describe."""
    for result in reading.results:
        result.is_partial = result.repetition in partial
        result.sampling_semantics = sampling(result)
    if marked := {result.repetition for result in reading.results if result.is_partial}:
        reading.warnings.append(Finding("R-FIO-PARTIAL-1", PARTIAL.format(len(marked))))


def _superseded(chain: list[tuple[str, Counters]], is_process_known: bool) -> list[str]:  # noqa: FBT001
    """Return the points that a later report continues; jobs of one name take turns, so the step may be above one."""
    count = len(chain)
    for step in range(1, count // 2 + 1 if count <= _LONGEST_CHAIN else 2):
        pairs = [(earlier, later) for (_, earlier), (_, later) in zip(chain, chain[step:], strict=False)]
        is_one_run = is_process_known or any(earlier != later for earlier, later in pairs)
        if count % step == 0 and is_one_run and all(_continues(*pair) for pair in pairs):
            return [point for point, _ in chain[: count - step]]
    return []


def _continues(earlier: Counters, later: Counters) -> bool:
    """Say whether every counter grew or stayed, and the first, the run time, grew unless all are equal."""
    if [len(row) for row in earlier] != [len(row) for row in later]:
        return False
    pairs = [pair for one, other in zip(earlier, later, strict=True) for pair in zip(one, other, strict=True)]
    return all(a <= b for a, b in pairs) and (earlier == later or earlier[0][0] < later[0][0])
