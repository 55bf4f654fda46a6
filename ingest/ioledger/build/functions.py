"""The functions of comparisons in SQL, for :mod:`ioledger.build.dbt_process`; any argument may be null."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, cast

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from duckdb import func
from duckdb import sqltypes as sql

from ioledger import comparison
from ioledger.comparison import device_names, effects, statistics
from ioledger.readers import load_options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from duckdb.func import PythonUDFType
    from numpy.typing import NDArray

    Arrow = pa.Array[Any] | pa.ChunkedArray[Any]
    Type = sql.DuckDBPyType

VECTORISED, NATIVE, NULLS = func.ARROW, func.NATIVE, func.SPECIAL
_DOUBLE, _BIGINT, _BOOLEAN, _TEXT = sql.DOUBLE, sql.BIGINT, sql.BOOLEAN, sql.VARCHAR
_SIDE: dict[str, Type] = {
    "mean_logarithm": _DOUBLE,
    **dict.fromkeys(("run_count", "session_count", "value_count"), _BIGINT),
    **dict.fromkeys(("log_variance", "low_half", "high_half"), _DOUBLE),
    **dict.fromkeys(("is_held_back", "is_selected", "is_stated_bound"), _BOOLEAN),
}
"""
What ``compared`` takes of a side: ``log_variance`` is that of so many values, which are runs, or means of sessions.

``is_held_back``: something else than the drive was full, so its rate is a lower bound, its latency an upper one;
``is_selected``: the highest of several points, which has no spread of its own; ``is_stated_bound``: "more than".
"""
_COMPARED: dict[str, Type] = {
    **dict.fromkeys(("ratio", "ratio_low", "ratio_high"), _DOUBLE),
    **dict.fromkeys(("ratio_interval_kind", "verdict", "reason"), _TEXT),
    **dict.fromkeys(("p_value", "tolerated_spread_ratio"), _DOUBLE),
}
_INTERVAL: dict[str, Type] = dict.fromkeys(("value", "low", "high"), _DOUBLE)


@dataclass(frozen=True)
class Function:
    """A function with its types; over Arrow arrays it is vectorised, else it is called row by row."""

    name: str
    call: Callable[..., Any]
    takes: Sequence[Type]
    gives: Type
    kind: PythonUDFType = VECTORISED


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Make every function known to a connection and to the cursors that are made of it."""
    for each in functions():
        call = _with_parameters(each.call, len(each.takes))
        connection.create_function(each.name, call, list(each.takes), each.gives, type=each.kind, null_handling=NULLS)


def _with_parameters(call: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Return the function with so many parameters of its own, which is how DuckDB counts them."""

    def pass_columns(*columns: object) -> object:
        return call(*columns)

    parameters = [Parameter(f"column_{place}", Parameter.POSITIONAL_ONLY) for place in range(count)]
    vars(pass_columns)["__signature__"] = Signature(parameters)
    return pass_columns


def functions() -> Iterable[Function]:
    """Give the functions."""
    yield Function("estimated", _estimate_columns, (_BIGINT, *[_DOUBLE] * 4), duckdb.struct_type(_INTERVAL))
    compared = (_BOOLEAN, *_SIDE.values(), *_SIDE.values(), _DOUBLE)
    yield Function("compared", _compare_columns, compared, duckdb.struct_type(_COMPARED))
    ideal = (_TEXT, _BIGINT, _DOUBLE, _DOUBLE, _BIGINT, _BIGINT)
    yield Function("scaling_ideal", comparison.scaling_ideal, ideal, _DOUBLE, NATIVE)
    yield Function("job_key", load_options.job_key, (_TEXT,), _TEXT, NATIVE)
    yield Function("load_options", load_options.effective_load_options, (_TEXT,), _TEXT, NATIVE)
    yield Function("canonical", effects.canonical, (_TEXT,) * 2, _TEXT, NATIVE)
    yield Function("role_effect", effects.role_effect, (_TEXT,) * 4, _TEXT, NATIVE)
    yield Function("applicable_columns", effects.applicable_columns, (_TEXT,), _TEXT, NATIVE)
    described = tuple(_BIGINT if name == "capacity_bytes" else _TEXT for name in device_names.Described._fields)
    yield Function("long_name", _names(device_names.long_name), described, _TEXT, NATIVE)
    yield Function("short_name", _names(device_names.short_name), described, _TEXT, NATIVE)


def _numbers(array: Arrow) -> statistics.Numbers:
    """Return numbers, NaN where they are null."""
    numbers = array if array.type == pa.float64() else array.cast(pa.float64())
    found: statistics.Numbers = numbers.to_numpy(zero_copy_only=False)
    return found


def _flags(array: Arrow) -> statistics.Flags:
    """Return flags, false where they are null."""
    found: statistics.Flags = cast("Arrow", pc.fill_null(array, pa.scalar(value=False))).to_numpy(zero_copy_only=False)
    return found


def _back(values: NDArray[Any]) -> pa.Array[Any]:
    """Return numbers as Arrow has them, null where they are not finite."""
    found: pa.Array[Any] = pa.array(values, mask=~np.isfinite(values))
    return found


def _estimate_columns(*columns: Arrow) -> pa.Array[Any]:
    found = statistics.estimate(*map(_numbers, columns))
    return pa.StructArray.from_arrays([_back(each) for each in found], list(_INTERVAL))


VERDICTS = ("equal", "A faster", "B faster", "undecided", None)
"""The words of a verdict by its number in the statistics; without a verdict there is none."""


def _compare_columns(is_latency: Arrow, *columns: Arrow) -> pa.Array[Any]:
    """Compare two sides of many pairs: see :func:`ioledger.comparison.statistics.compare`."""
    are_latencies = _flags(is_latency)
    a, b = (_side(columns[start : start + len(_SIDE)], are_latencies) for start in (0, len(_SIDE)))
    found = statistics.compare(a, b, are_latencies, _numbers(columns[-1]))
    verdicts = [VERDICTS[code] for code in found.verdict]
    texts = [pa.array(each, pa.string()) for each in (found.ratio_interval_kind, verdicts, found.reason)]
    ratios = [_back(each) for each in (found.ratio, found.ratio_low, found.ratio_high)]
    numbers = [_back(each) for each in (found.p_value, found.tolerated_spread)]
    return pa.StructArray.from_arrays([*ratios, *texts, *numbers], list(_COMPARED))


def _side(columns: Sequence[Arrow], are_latencies: statistics.Flags) -> statistics.Side:
    """Return one side of many comparisons from the columns of ``_SIDE``."""
    read = (_flags if kind is _BOOLEAN else _numbers for kind in _SIDE.values())
    given: Any = dict(zip(_SIDE, (each(column) for each, column in zip(read, columns, strict=True)), strict=True))
    is_selected, is_limited = given["is_selected"], given["is_held_back"]
    runs, sessions = (
        np.where(is_selected, 1, np.nan_to_num(given[name], nan=1)) for name in ("run_count", "session_count")
    )
    count = np.where(is_selected, 1, given["value_count"])
    is_measured = count >= statistics.MIN_RUNS
    variance = np.maximum(given["log_variance"], statistics.LEAST_VARIANCE) / np.maximum(count, 1)
    is_sessions = sessions >= statistics.MIN_SESSIONS
    low_half, high_half = given["low_half"], given["high_half"]
    return statistics.Side(
        given["mean_logarithm"],
        runs,
        np.where(is_measured, variance, np.nan),
        np.where(is_measured, count - 1, np.nan),
        np.where(is_sessions, 0, statistics.SESSION_SPREAD**2 / np.maximum(sessions, 1)),
        is_sessions,
        np.nan_to_num(low_half, nan=0, posinf=0),
        np.nan_to_num(high_half, nan=0, posinf=0),
        np.select([np.isinf(high_half) | is_limited & ~are_latencies, np.isinf(low_half) | is_limited], [1, -1], 0),
        given["is_stated_bound"],
    )


def _names(call: Callable[[device_names.Described], str]) -> Callable[..., str]:
    return lambda *values: call(device_names.Described(*values))
