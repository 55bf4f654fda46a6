"""
Load generators that were busy themselves: what they measured may be their own speed, not that of the drive.

A tool that states the processor time of the whole machine tells less than one that states its own: one busy processor
of many does not show. All of them busy do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.readers.base import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.readers.base import Result

MOST = 0.9
"""Above this share of its time a process hardly waits for anything, so a faster drive would not get more from it."""


def findings(results: Iterable[Result], rule: str) -> Iterator[Finding]:
    """Yield a finding under a rule for each result that was measured while all processors were busy."""
    for result in results:
        busy = result.cpu_busy_ratio
        if busy is not None and busy > MOST:
            text = f"all processors of the machine were busy {busy:.0%} of the time"
            yield Finding(rule, f"{text}: the rate may be that of the load generator, not of the drive", result.pointer)
