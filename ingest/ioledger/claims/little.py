"""
Little's law with the latency of one half of a mix: reads alone, or writes alone.

What is in flight divided by the mean latency is the rate. Where only reads have a printed latency, the mean latency
depends on the writes: ``share * latency + (1 - share) * other``. A claim about the rate may hold whatever the others
take, or only if they take less or more than a time that can be named.

Source  Little 1961, "A proof for the queuing formula L = lambda W"
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ioledger.claims.printed import fraction
from ioledger.claims.printings import line_of
from ioledger.readers.units import KILO, MICRO, MILLI, NANO, unit_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from ioledger.claims.printed import Printed, Row
    from ioledger.claims.recompute import Recomputed
    from ioledger.claims.wording import Coverage

_IN_FLIGHT = {"throughput": "bytes", "operations": None}
"""What is in flight for a rate: bytes, or a plain number of operations."""
_OTHERS = {"read": "writes", "write": "reads"}
_SCALES = ((1, "s"), (MILLI, "ms"), (MICRO, "\N{MICRO SIGN}s"), (NANO, "ns"))


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

    def others_at(self, rate: Fraction, latency: Fraction) -> Fraction:
        """Return the latency of the others at which the rate is this one, for a latency of the known part."""
        return (self.in_flight / rate - self.share * latency) / (1 - self.share)


def mixed(claim: Row, found: Recomputed, figures: Iterable[Row]) -> Mix | None:
    """Return the mix whose rate a claim is held against; null unless its one latency is that of a part of a mix."""
    over, under = found.pairs[0].numerator, found.pairs[0].denominator
    is_law = claim["formula"] == "ratio" and under is not None and under.unit.dimension == "time"
    rate = unit_of(claim["claimed_unit"]).dimension
    if not is_law or under is None or rate not in _IN_FLIGHT or over.unit.dimension != _IN_FLIGHT[rate]:
        return None
    fastest, _ = under.allowed
    latency = under.figure or next((one for one in figures if _is_latency(one, claim, under)), None)
    if latency is None or fastest is None or fastest <= 0 or over.low != over.high or under.low != under.high:
        return None
    operation, reads = latency["operation"], latency["read_ratio"]
    if operation not in _OTHERS or reads is None or not 0 < reads < 1:
        return None
    share = fraction(reads) if operation == "read" else 1 - fraction(reads)
    scales = found.pairs[0].scales
    second = scales[1] / under.unit.factor(KILO)
    return Mix(over.low * scales[0], under.low * scales[1], fastest * scales[1], share, operation, second)


def _is_latency(figure: Row, claim: Row, stated: Printed) -> bool:
    """Say whether a figure is the latency that a claim of the same line states as a number."""
    unit, line = unit_of(figure["printed_unit"]), line_of(claim)
    if figure["quantity"] != "latency" or figure["printed_value"] is None or figure["line"] != line or line is None:
        return False
    return fraction(figure["printed_value"]) * unit.factor(KILO) == stated.low * stated.unit.factor(KILO)


def assumption(mix: Mix, covered: Coverage) -> str:
    """Return what the rest of the mix must take for a claim to hold, which some latency of it allows."""
    low, high = (end.value if end is not None and end.value > 0 else None for end in (covered.low, covered.high))
    most = None if low is None else mix.others_at(low, mix.latency)
    if most is not None and low is not None and most <= 0:
        most = mix.others_at(low, mix.fastest)
    least = None if high is None else mix.others_at(high, mix.latency)
    if least is not None and high is not None and least <= 0:
        least = mix.others_at(high, mix.fastest)
    said = [f"less than {_time(most / mix.per_second)}"] if most is not None else []
    if least is not None and least > 0:
        said.insert(0, f"more than {_time(least / mix.per_second)}")
    return f"the {mix.others} take {' and '.join(said)} on average"


def _time(seconds: Fraction) -> str:
    scale, unit = next(((scale, unit) for scale, unit in _SCALES if seconds * scale >= 1), _SCALES[-1])
    return f"{float(seconds * scale):.3g} {unit}"
