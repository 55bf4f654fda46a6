"""
Storage benchmark results you can trace to the file they came from.

>>> import ioledger
>>> measurement = ioledger.read("results/")
>>> measurement.results.column("operations_per_second").to_pylist()
[33500.0, 16500.0]
>>> measurement.files.column("status").to_pylist()
['read']

``results``, ``percentiles``, ``bins``, ``samples``, ``findings`` and ``files`` are tables of pyarrow. Units are SI and
bytes, and the last word of a column's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os

    from ioledger.measurement import Measurement

__all__ = ["Measurement", "__version__", "read"]
__version__ = "0.1.0"


def read(path: str | os.PathLike[str]) -> Measurement:
    """
    Read a result file, or every one below a folder: what ``ioledger parse`` writes, as Arrow tables.

    Raises FileNotFoundError when the path is not there. Whatever is wrong with a file is a row: in ``files`` whether it
    was refused, in ``findings`` every reason with its rule and place.
    """
    from ioledger import measurement  # noqa: PLC0415  (the command starts without it)

    return measurement.read(path)


def __getattr__(name: str) -> type:
    """Return the type that ``read`` gives, for annotations; it loads when it is asked for."""
    if name == "Measurement":
        from ioledger import measurement  # noqa: PLC0415

        return measurement.Measurement
    message = f"module 'ioledger' has no attribute {name!r}"
    raise AttributeError(message)
