"""
What bounds a claimed rate: Little's law for one half of a mix, a stated limit of throughput, and the stated loads.

What is in flight divided by the mean latency is the rate. Where only reads have a printed latency, the mean latency
depends on the writes: ``share * latency + (1 - share) * other``. A claim about the rate may hold whatever the others
take, or only if they take less or more than a time that can be named.

Source  Little 1961, "A proof for the queuing formula L = lambda W"
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ioledger.claims.printed import fraction, line_of
from ioledger.readers.units import KIBI, KILO, MICRO, MILLI, NANO, OPERATIONS, unit_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ioledger.claims.printed import Printed, Row
    from ioledger.claims.recompute import Recomputed

_IN_FLIGHT = {"throughput": "bytes", "operations": None}
"""What is in flight for a rate: bytes, or a plain number of operations."""
_OTHERS = {"read": "writes", "write": "reads"}
_SCALES = ((1, "s"), (MILLI, "ms"), (MICRO, "\N{MICRO SIGN}s"), (NANO, "ns"))
_LIMIT = re.compile(r"[kKMGT]B/s(ec)?")
_BASES = {"outstanding I/Os": frozenset({"outstanding", "outstanding_per_drive"})}
"""What the axis of a result may count, by the unit of a stated series; other units are their own axis."""


@dataclass(frozen=True)
class Mix:
    """What is in flight, the latency of one operation in the same raw units, its share, and a second in that unit."""

    in_flight: Fraction
    latency: Fraction
    fastest: Fraction
    share: Fraction
    operation: str
    per_second: Fraction

    @property
    def others(self) -> str:
        """Return what the rest of the mix is: writes or reads."""
        return _OTHERS[self.operation]

    @property
    def ceiling(self) -> Fraction:
        """Return the rate that is not reached even if the others take no time."""
        return self.in_flight / (self.share * self.fastest)

    def others_at(self, rate: Fraction | None) -> Fraction | None:
        """Return the latency of the others at which the rate is this one; null for a rate that is none."""
        if rate is None or rate <= 0:
            return None
        latencies = (
            (self.in_flight / rate - self.share * own) / (1 - self.share) for own in (self.latency, self.fastest)
        )
        first, last = latencies
        return first if first > 0 else last

    def assumption(self, low: Fraction | None, high: Fraction | None) -> str:
        """Return what the rest of the mix must take for a rate between two ends, which some latency of it allows."""
        most, least = self.others_at(low), self.others_at(high)
        parts = [f"more than {_time(least / self.per_second)}"] if least is not None and least > 0 else []
        parts += [f"less than {_time(most / self.per_second)}"] if most is not None else []
        return f"the {self.others} take {' and '.join(parts)} on average"


def mix_of(claim: Row, found: Recomputed, figures: Iterable[Row]) -> Mix | None:
    """Return the mix whose rate a claim states; null unless its one latency is that of a part of a mix."""
    over, under = found.above[0], found.below[0] if found.below else None
    rate = unit_of(claim["claimed_unit"]).dimension
    if claim["formula"] != "ratio" or under is None or under.unit.dimension != "time":
        return None
    if rate not in _IN_FLIGHT or over.unit.dimension != _IN_FLIGHT[rate]:
        return None
    fastest, _ = under.allowed
    latency = under.figure or next((one for one in figures if _is_latency(one, claim, under)), None)
    if latency is None or fastest is None or fastest <= 0 or over.low != over.high or under.low != under.high:
        return None
    operation, reads = latency["operation"], latency["read_ratio"]
    if operation not in _OTHERS or reads is None or not 0 < reads < 1:
        return None
    share = fraction(reads) if operation == "read" else 1 - fraction(reads)
    scale, second = found.scales[1], found.scales[1] / under.unit.factor(KILO)
    return Mix(over.low * found.scales[0], under.low * scale, fastest * scale, share, operation, second)


def _is_latency(figure: Row, claim: Row, stated: Printed) -> bool:
    """Say whether a figure is the latency that a claim of the same line states as a number."""
    unit, line = unit_of(figure["printed_unit"]), line_of(claim)
    if figure["quantity"] != "latency" or figure["printed_value"] is None or figure["line"] != line or line is None:
        return False
    return fraction(figure["printed_value"]) * unit.factor(KILO) == stated.low * stated.unit.factor(KILO)


def _time(seconds: Fraction) -> str:
    scale, unit = next(((scale, unit) for scale, unit in _SCALES if seconds * scale >= 1), _SCALES[-1])
    return f"{float(seconds * scale):.3g} {unit}"


def limit_reason(
    claim: Row, figure: Row | None, figures: Iterable[Row], devices: Mapping[str, str], counts: Mapping[str, int]
) -> str | None:
    """
    Return which block sizes a stated limit of throughput allows at a claimed rate of operations; null for other claims.

    ``figure`` is the first operand; ``devices`` and ``counts`` say of each configuration what its drives are called and
    how many there are. The lowest limit of the device counts, once per drive.
    """
    ends = [claim[name] for name in ("claimed_value", "claimed_high", "claimed_low")]
    rate = next((fraction(end) for end in ends if end is not None), Fraction(0))
    if claim["claimed_unit"] not in OPERATIONS or rate <= 0:
        return None
    configuration = figure["configuration_id"] if figure is not None else None
    limits = [limit for limit in figures if _is_limit(limit)]
    is_of_one = len({limit["device"] for limit in limits}) == 1
    device, count = devices.get(configuration or ""), counts.get(configuration or "", 1)
    # a limit names its device by the first word: "P3700 series" is of every P3700
    mine = [
        each for each in limits if (is_of_one if device is None else (each["device"] or "").split(" ")[0] in device)
    ]
    if not mine:
        return None
    unit, lowest = min(
        ((unit_of(limit["printed_unit"], limit["unit_basis"]).factor(KILO), limit) for limit in mine),
        key=lambda each: (each[0] * fraction(each[1]["printed_value"]), each[1]["printed_text"]),
    )
    largest = math.floor(count * unit * fraction(lowest["printed_value"]) / rate)
    if largest < 1:
        return None
    following = 2 ** largest.bit_length()
    size = f"{following // KIBI} KiB" if following >= KIBI else f"{following} bytes"
    drives = f", times {count} drives," if count > 1 else ""
    return (
        f"The stated limit of {lowest['printed_text']}{drives} allows blocks of at most {largest} bytes at this rate; "
        f"blocks of {size} would need {float(rate * following / unit):.0f} {lowest['printed_unit']}"
    )


def _is_limit(figure: Row) -> bool:
    is_stated = figure["quantity"] == "throughput" and figure["record_kind"] == "limit" and figure["is_canonical"]
    is_known = figure["unit_basis"] != "unknown" and _LIMIT.fullmatch(figure["printed_unit"] or "")
    return bool(is_stated and is_known and (figure["printed_value"] or 0) > 0)


def load_bases(claim: Row) -> frozenset[str]:
    """Return what the axis counts whose loads a claim lists."""
    return _BASES.get(claim["claimed_unit"], frozenset({claim["claimed_unit"]}))


def load_of(figure: Row) -> int | None:
    """Return the load of a figure on the axis of its publication; null where it is a peak over several."""
    is_per_drive = figure["load_basis"] == "outstanding_per_drive"
    load = figure["outstanding_per_target_count" if is_per_drive else "queue_depth"]
    return None if load is None else int(load)


def loads_outside(claim: Row, stated: frozenset[int], figures: Iterable[Row]) -> list[int]:
    """Return the loads at which results are printed although the stated series does not have them."""
    loads = {
        load_of(figure)
        for figure in figures
        if figure["record_kind"] == "measured"
        and figure["queue_depth_origin"] == "stated"
        and figure["load_basis"] in load_bases(claim)
    }
    return sorted(load for load in loads - stated if load is not None)
