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

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os

    from ioledger.gating.verdict import Verdict
    from ioledger.measurement import Measurement

__all__ = ["Measurement", "Verdict", "__version__", "gate", "read"]
__version__ = "0.1.0"
LEAST_ALPHA = 1e-9
"""Below it no number of runs decides anything."""


def read(path: str | os.PathLike[str]) -> Measurement:
    """
    Read a result file, or every one below a folder: what ``ioledger parse`` writes, as Arrow tables.

    Raises FileNotFoundError when the path is not there. Whatever is wrong with a file is a row: in ``files`` whether it
    was refused, in ``findings`` every reason with its rule and place.
    """
    from ioledger import measurement  # noqa: PLC0415  (the command starts without it)

    return measurement.read(path)


def gate(
    before: str | os.PathLike[str], after: str | os.PathLike[str], *, margin: float = 0.05, alpha: float = 0.05
) -> Verdict:
    """
    Judge a change of operations per second by the runs before and after it: what ``ioledger gate`` says.

    Each side is a result file, a folder, an archive, or ``published:NAME``. A difference below ``margin``, a ratio less
    1, counts as none; ``alpha`` is how often nothing may be called better or worse, over all points together. Raises
    FileNotFoundError when a path is not there, and ValueError for a margin or alpha that is no ratio between 0 and 1;
    what cannot be read stands in ``problems`` of the verdict.
    """
    if not (0 < margin < 1 and LEAST_ALPHA <= alpha < 1):
        message = f"margin is {margin} and alpha is {alpha}; both are ratios above 0 and below 1, alpha at least 1e-9"
        raise ValueError(message)
    from ioledger.gating.run import Asked, judged  # noqa: PLC0415  (the command starts without it)

    return judged(before, after, Asked(margin=margin, alpha=alpha))


def __getattr__(name: str) -> type:
    """Return a type that ``read`` or ``gate`` gives, for annotations; it loads when it is asked for."""
    if name == "Measurement":
        from ioledger import measurement  # noqa: PLC0415

        return measurement.Measurement
    if name == "Verdict":
        from ioledger.gating import verdict  # noqa: PLC0415

        return verdict.Verdict
    message = f"module 'ioledger' has no attribute {name!r}"
    raise AttributeError(message)
