"""
Storage benchmark results you can trace to the file they came from.

>>> import ioledger
>>> measurement = ioledger.read("results/")
>>> measurement.results.column("operations_per_second").to_pylist()
[33500.0, 16500.0]
>>> measurement.files.column("status").to_pylist()
['read']

``ioledger.gate("before/", "after/")`` says whether a change made storage slower.

``results``, ``percentiles``, ``bins``, ``samples``, ``disks``, ``findings`` and ``files`` are tables of pyarrow. Units
are SI and bytes, and the last word of a column's name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from ioledger.gating.verdict import Verdict
    from ioledger.loading import Measurement

__all__ = ["Measurement", "Verdict", "__version__", "gate", "read"]
__version__ = "0.1.0"
MIN_ALPHA = 1e-9
"""Below it no number of runs decides anything."""


def read(path: str | os.PathLike[str]) -> Measurement:
    """
    Read a result file, or every one below a folder: what ``ioledger parse`` writes, as Arrow tables.

    Raises FileNotFoundError when the path is not there. Whatever is wrong with a file is a row: in ``files`` whether it
    was refused, in ``findings`` every reason with its rule and place.
    """
    from ioledger import loading  # noqa: PLC0415  (the command starts without it)

    return loading.read(path)


def gate(  # noqa: PLR0913  (one parameter for each option of the command)
    before: str | os.PathLike[str],
    after: str | os.PathLike[str],
    *,
    metrics: Sequence[str] = ("iops",),
    margin: float = 0.05,
    alpha: float = 0.05,
    trust_order: bool = False,
    history: bool = False,
    database: str | os.PathLike[str] | None = None,
) -> Verdict:
    """
    Judge a change by the runs before and after it, as ``ioledger gate`` does; ``str()`` is what that prints.

    Each side is a result file, a folder, an archive, or ``published:NAME``. ``metrics`` are ``iops``, ``throughput``,
    ``latency`` and ``p99``. A difference below ``margin``, a ratio less 1, counts as none; ``alpha`` is the share of
    equal changes that may be called better or worse, over all points together. ``trust_order``, ``history`` and
    ``database`` are those of the command. Raises FileNotFoundError when a path is not there, and ValueError for another
    metric and for a margin or alpha that is no ratio between 0 and 1. What cannot be read is in ``problems``.
    """
    if not (0 < margin < 1 and MIN_ALPHA <= alpha < 1):
        message = f"margin is {margin} and alpha is {alpha}; both are ratios above 0 and below 1, alpha at least 1e-9"
        raise ValueError(message)
    from pathlib import Path  # noqa: PLC0415

    from ioledger.gating.points import METRICS  # noqa: PLC0415  (the command starts without it)
    from ioledger.gating.run import Asked, judge  # noqa: PLC0415

    if not metrics or not {*metrics} <= METRICS.keys():
        message = f"metrics are {', '.join(metrics) or 'empty'}; choose from {', '.join(METRICS)}"
        raise ValueError(message)
    columns = tuple(dict.fromkeys(METRICS[metric] for metric in metrics))
    path = None if database is None else Path(database)
    return judge(before, after, Asked(columns, margin, alpha, trust_order, history, path))


def __getattr__(name: str) -> type:
    """Return a type that ``read`` or ``gate`` gives, for annotations; it loads when it is asked for."""
    home = {"Measurement": "ioledger.loading", "Verdict": "ioledger.gating.verdict"}.get(name)
    if home is None:
        message = f"module 'ioledger' has no attribute {name!r}"
        raise AttributeError(message)
    found: type = getattr(import_module(home), name)
    return found
