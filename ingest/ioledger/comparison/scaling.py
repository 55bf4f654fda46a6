"""
What an array can be expected to do, from the number of its drives that can be busy.

With ``D`` outstanding requests, each spread over ``max(1, block // stripe)`` drives, ``P`` requests reach drives at
once, and ``p = min(n, P)`` of ``n`` drives can be busy. The ideal is a factor against one drive at depth
``max(1, D / n)``; against one drive at the same depth as the array it has to be multiplied by what one drive does at
``max(1, D / n)``, and divided by what it does at ``D``.

Source  writes per write: D. A. Patterson, G. Gibson, R. H. Katz, A Case for Redundant Arrays of Inexpensive Disks, 1988
(two for mirrors, four for RAID 5), and six for RAID 6; what is busy at low depth follows from the count above.
"""

from __future__ import annotations

import math

_PARITIES = {"raid5": (1, 4.0, 2), "raid6": (2, 6.0, 3)}
"""By topology: drives of parity in a stripe, accesses for a small write, and drives that one keeps busy."""
_PARALLEL = frozenset({"single", "independent", "raid0"})


def scaling_ideal(  # noqa: PLR0913, PLR0917  (the columns that decide, as SQL gives them)
    topology: str | None,
    drive_count: int | None,
    read_ratio: float | None,
    total_depth: float | None,
    block_bytes: int | None,
    stripe_bytes: int | None,
    is_depth_assumed: bool | None,  # noqa: FBT001  (SQL has no names for arguments)
) -> float | None:
    """
    Return how many times one drive an array can do; null where that cannot be said.

    ``read_ratio`` is the share of reads (0 to 1). Without a depth, or with an assumed one such as that of a peak, every
    drive counts as busy. Writes to RAID 5 and 6 that fill a stripe have no ideal here, for they read nothing before;
    a controller that gathers writes in a cache has none either, which the caller knows.
    """
    if drive_count is None or drive_count < 1:
        return None
    spread = max(1, block_bytes // stripe_bytes) if block_bytes and stripe_bytes else 1
    reached = math.inf if is_depth_assumed or total_depth is None else total_depth * spread
    if reached <= 0:
        return None
    busy = min(drive_count, reached)
    if topology in _PARALLEL:
        return float(busy)
    if read_ratio is None:
        return None
    write = _write_cost(topology, drive_count, reached)
    writes = 1 - read_ratio
    if write is None or (writes > 0 and _fills_stripe(topology, drive_count, spread)):
        return None
    return 1 / (read_ratio / busy + writes * write)


def _write_cost(topology: str | None, drive_count: int, reached: float) -> float | None:
    """Return the time that a write takes, in times of one access to one drive, when all that can be is busy."""
    if topology == "raid1":
        return 1.0
    if topology == "raid10":
        return 1 / min(drive_count / 2, reached)
    if topology in _PARITIES:
        _, accesses, held = _PARITIES[topology]
        return max(accesses / drive_count, 2 / min(drive_count / held, reached))
    return None


def _fills_stripe(topology: str | None, drive_count: int, spread: int) -> bool:
    """Say whether a request is as large as the data of a whole stripe, so that its parity is known without reading."""
    return topology in _PARITIES and spread > 1 and spread >= drive_count - _PARITIES[topology][0]
