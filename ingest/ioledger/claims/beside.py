"""
What else the same publication prints about a claim: other figures of the same measurements, and limits of throughput.

A publication that prints 222 ms and 227 ms for one measurement gives two values for what is derived from it. A stated
limit of throughput bounds the block size at which a claimed rate is possible.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from ioledger.claims.printed import fraction
from ioledger.readers.units import KIBI, KILO, OPERATIONS, unit_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ioledger.claims.audit import Audit
    from ioledger.claims.printed import Row

_LIMIT = re.compile(r"[kKMGT]B/s(ec)?")
_DIGITS = 9
"""Values that agree to this many decimals are told once."""


def other_values(claim: Row, audit: Audit) -> str | None:
    """Return the values that other printings of the operands give, joined; null when there are none."""
    if not audit.above or len(audit.above) > 1 or len(audit.below) > 1:
        return None
    numerators = audit.above[0], *audit.above[0].others
    denominators = (audit.below[0], *audit.below[0].others) if audit.below else (None,)
    own = audit.above[0].low, audit.below[0].low if audit.below else None
    pairs = ((n.low, d.low if d is not None else None) for n, d in product(numerators, denominators))
    values = (_value(claim["formula"], *pair) for pair in pairs if pair != own)
    known = {(round(float(value), _DIGITS), f"{float(value):.6g}") for value in values if value is not None}
    return ", ".join(text for _, text in sorted(known)) or None


def _value(formula: str, n: Fraction, d: Fraction | None) -> Fraction | None:
    if formula == "bound":
        return n
    if d is None:
        return None
    if formula == "difference":
        return n - d
    if not d or formula not in {"ratio", "percent_change"}:
        return None
    return n / d if formula == "ratio" else 100 * (n / d - 1)


def limit_reason(
    claim: Row, audit: Audit, figures: Iterable[Row], devices: Mapping[str, str], counts: Mapping[str, int]
) -> str | None:
    """
    Return which block sizes a stated limit of throughput allows at a claimed rate of operations; null for other claims.

    ``devices`` and ``counts`` say of each configuration what its drives are called and how many there are. The lowest
    limit of the device counts, once per drive.
    """
    ends = [claim[name] for name in ("claimed_value", "claimed_high", "claimed_low")]
    rate = next((fraction(end) for end in ends if end is not None), Fraction(0))
    if claim["claimed_unit"] not in OPERATIONS or rate <= 0:
        return None
    figure = audit.above[0].figure if audit.above else None
    configuration = figure["configuration_id"] if figure is not None else None
    limits = [limit for limit in figures if _is_limit(limit)]
    is_of_one = len({limit["device"] for limit in limits}) == 1
    device, count = devices.get(configuration or ""), counts.get(configuration or "", 1)
    mine = [limit for limit in limits if (is_of_one if device is None else _model(limit) in device)]
    if not mine:
        return None
    lowest = min(mine, key=lambda limit: (_bytes_per_second(limit), limit["printed_text"]))
    largest = count * _bytes_per_second(lowest) / rate
    return _limited(lowest, rate, count, largest) if largest >= 1 else None


def _is_limit(figure: Row) -> bool:
    is_stated = figure["quantity"] == "throughput" and figure["record_kind"] == "limit" and figure["is_canonical"]
    is_known = figure["unit_basis"] != "unknown" and _LIMIT.fullmatch(figure["printed_unit"] or "")
    return bool(is_stated and is_known and (figure["printed_value"] or 0) > 0)


def _unit_bytes(limit: Row) -> Fraction:
    return unit_of(limit["printed_unit"], limit["unit_basis"]).factor(KILO)


def _bytes_per_second(limit: Row) -> Fraction:
    return fraction(limit["printed_value"]) * _unit_bytes(limit)


def _model(limit: Row) -> str:
    """Return the word by which a limit names its device: "P3700 series" is of every P3700."""
    return (limit["device"] or "").split(" ")[0]


def _limited(limit: Row, rate: Fraction, count: int, largest: Fraction) -> str:
    following = 2 ** (math.floor(largest).bit_length())
    size = f"{following // KIBI} KiB" if following >= KIBI else f"{following} bytes"
    drives = f", times {count} drives," if count > 1 else ""
    return (
        f"The stated limit of {limit['printed_text']}{drives} allows blocks of at most {math.floor(largest)} bytes at "
        f"this rate; blocks of {size} would need {float(rate * following / _unit_bytes(limit)):.0f} "
        f"{limit['printed_unit']}"
    )
