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


def scaling_ideal(  # noqa: PLR0913, PLR0917  (the columns that decide, as SQL gives them)
    topology: str | None,
    drive_count: int | None,
    read_ratio: float | None,
    total_depth: float | None,
    block_bytes: int | None,
    stripe_bytes: int | None,
) -> float | None:
    """
    Return how many times one drive an array can do; null where that cannot be said.

    Without a depth, such as that of a peak, every drive counts as busy. Writes to RAID 5 and 6 that fill a stripe have
    no ideal here; a controller that gathers writes in a cache has none either, which the caller knows.
    """
    spread = max(1, block_bytes // stripe_bytes) if block_bytes and stripe_bytes else 1
    reached = math.inf if total_depth is None else total_depth * spread
    if not drive_count or reached <= 0:
        return None
    busy = float(min(drive_count, reached))
    if topology in {"single", "independent", "raid0"}:
        return busy
    if topology == "raid1":
        write_cost = 1.0
    elif topology == "raid10":
        write_cost = 1 / min(drive_count / 2, reached)
    elif topology in _PARITIES:
        parities, accesses, kept_busy = _PARITIES[topology]
        if read_ratio != 1 and 1 < spread >= drive_count - parities:
            return None
        write_cost = max(accesses / drive_count, 2 / min(drive_count / kept_busy, reached))
    else:
        return None
    return None if read_ratio is None else 1 / (read_ratio / busy + (1 - read_ratio) * write_cost)
