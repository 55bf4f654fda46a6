"""
The identifiers of comparisons: which two configurations, and which of their quotients.

Both hash the key of a row and never a value, so that an address stays when a number is mended. They are kept nowhere:
a file of quotients would grow by a quarter; who asks computes them.
"""

from __future__ import annotations

KEY = ("workload_id", "metric", "basis")
"""What a quotient is of, beside its sides."""


def pair_sql() -> str:
    """
    Return the SQL of ``pair_id`` over columns of ``quotients``: two configurations, whichever of them is A.

    Sixteen hexadecimal digits of the MD5 of ``submission/configuration`` of both, the lesser first.
    """
    return pair_of_sql(*(_side(name) for name in "ab"))


def pair_of_sql(a: str, b: str) -> str:
    """Return the SQL of the pair of two sides, each an SQL expression of ``submission/configuration``."""
    return f"left(md5(least({a}, {b}) || ' ' || greatest({a}, {b})), 16)"


def quotient_sql() -> str:
    """
    Return the SQL of ``quotient_id`` over columns of ``quotients``: a load, a metric, a basis, and A before B.

    Sixteen hexadecimal digits of the MD5 of the key of the row.
    """
    sides = (part for name in "ab" for part in (_side(name), f"{name}_section"))
    return f"left(md5(concat_ws(' ', {', '.join((*KEY, *sides))})), 16)"


def _side(name: str) -> str:
    return f"{name}_submission_id || '/' || {name}_configuration_id"
