"""
What a file contradicts in itself: one place for every tool, where every reading passes.

Every rule is asked of the columns that all readers fill, and of the premises that they state with them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ioledger.checks import latencies, per_run
from ioledger.checks.per_result import RESULT_CHECKS, Asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.model import Checks, Finding, Reading, Result, Tolerances


def check(reading: Reading, asked_of: Checks) -> None:
    """
    Ask everything of what was read: findings are added to it, and values that cannot be become null.

    ``asked_of`` is what its reader states. A tool that prints its figures twice, rounds, cuts, or counts while
    operations are under way is checked within that, and no further.

    One result after the other: of a file with two results arrays would take longer to make than to ask.
    """
    found: list[Finding] = []
    repetitions_of: dict[str, list[Result]] = {}
    for result in reading.results:
        repetitions_of.setdefault(result.repetition, []).append(result)
    for results in repetitions_of.values():
        form = _form(asked_of, results[0].source_format)
        if form is not None:
            exact, checks = form
            _check_together(results, checks, Asked(exact, asked_of.rules, found))
    if found:
        reading.warnings = reading.warnings + found


@cache
def _form(asked_of: Checks, source_format: str) -> tuple[Tolerances, list[Callable[[Result, Asked], None]]] | None:
    """Return how exact a format is, and what is asked of each of its results; null where nothing is."""
    exact = asked_of.formats.get(source_format.partition(" ")[0]) or asked_of.formats.get("")
    return None if exact is None else (exact, [check for check in RESULT_CHECKS if check.__name__ in asked_of.rules])


def _check_together(results: list[Result], checks: list[Callable[[Result, Asked], None]], asked: Asked) -> None:
    """Ask everything of one repetition; the report of an unfinished run only what no latency can be."""
    is_shared = asked.exact.is_load_shared
    run = per_run.longest_run(results)
    for result in results:
        latencies.withdraw_longer(result, run, asked)
        if "latency_part_within_total" in asked.rules:
            latencies.withdraw_parts(result, asked)
        if not result.is_partial:
            for check in checks:
                check(result, asked)
            if not is_shared:
                per_run.check_alone(result, asked)
    if is_shared and not results[0].is_partial:
        per_run.check(results, asked)
