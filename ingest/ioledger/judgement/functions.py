"""
The functions of judgement in SQL: what :mod:`ioledger.judgement.plugin` and everybody else registers.

Numbers go through numpy a chunk at a time. Every function takes nulls anywhere.
"""

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

from ioledger.comparison import statistics
from ioledger.judgement import evidence, grading, naming, peaks, quotients, scaling, uncertainty, verdicts, workload
from ioledger.judgement.limits import limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from duckdb.func import PythonUDFType
    from numpy.typing import NDArray

    Arrow = pa.Array[Any] | pa.ChunkedArray[Any]
    Type = sql.DuckDBPyType

VECTORISED, NATIVE, NULLS = func.ARROW, func.NATIVE, func.SPECIAL
_DOUBLE, _BIGINT, _BOOLEAN, _TEXT = sql.DOUBLE, sql.BIGINT, sql.BOOLEAN, sql.VARCHAR
_MOST_CODES = 1 << 62
_SIDE: dict[str, Type] = {
    **dict.fromkeys(("value", "variance", "degrees", "low_half", "high_half"), _DOUBLE),
    **dict.fromkeys(("needs_session", "is_held_back"), _BOOLEAN),
}
_JUDGED: dict[str, Type] = {
    **dict.fromkeys(("ratio", "low", "high"), _DOUBLE),
    "kind": _TEXT,
    **dict.fromkeys(("degrees", "p_value"), _DOUBLE),
    **dict.fromkeys(("verdict", "verdict_basis", "reason"), _TEXT),
    "variance": _DOUBLE,
}
_COMPARED_SIDE: tuple[Type, ...] = (
    _DOUBLE, _BIGINT, _DOUBLE, _DOUBLE, _DOUBLE, _BOOLEAN, _DOUBLE, _DOUBLE, _BIGINT, _BOOLEAN,
)  # fmt: skip
"""The fields of :class:`ioledger.comparison.statistics.Side`, in their order."""
_COMPARED: dict[str, Type] = {
    **dict.fromkeys(("ratio", "ratio_low", "ratio_high"), _DOUBLE),
    **dict.fromkeys(("ratio_interval_kind", "verdict", "reason"), _TEXT),
    **dict.fromkeys(("p_value", "tolerated_spread_ratio"), _DOUBLE),
}
_STATED: dict[str, Type] = {
    **dict.fromkeys(("verdict", "reason"), _TEXT),
    **dict.fromkeys(("a_count", "b_count", "a_session_count", "b_session_count"), _BIGINT),
    **dict.fromkeys(("grade", "unknown", "evidence"), _TEXT),
}
_INTERVAL: dict[str, Type] = dict.fromkeys(("value", "low", "high"), _DOUBLE)
_PEAK: dict[str, Type] = {
    **dict.fromkeys(("value", "variance", "degrees", "low", "high"), _DOUBLE),
    **dict.fromkeys(("plateau_count", "queue_depth"), _BIGINT),
    "highest_value": _DOUBLE,
    "highest_queue_depth": _BIGINT,
    "plateau_value": _DOUBLE,
}


@dataclass(frozen=True)
class Function:
    """A function with its types; over Arrow arrays it is vectorised, else it is called row by row."""

    name: str
    call: Callable[..., Any]
    takes: Sequence[Type]
    gives: Type
    kind: PythonUDFType = VECTORISED


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Make every function of judgement known to a connection and to the cursors that are made of it."""
    for each in functions():
        called = _with_parameters(each.call, len(each.takes))
        connection.create_function(each.name, called, list(each.takes), each.gives, type=each.kind, null_handling=NULLS)


def _with_parameters(call: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Return the function with so many parameters of its own, which is how DuckDB counts them."""

    def called(*columns: object) -> object:
        return call(*columns)

    parameters = [Parameter(f"column_{place}", Parameter.POSITIONAL_ONLY) for place in range(count)]
    vars(called)["__signature__"] = Signature(parameters)
    return called


def functions() -> Iterable[Function]:
    """Give the functions."""
    members = dict.fromkeys(uncertainty.Member._fields, _DOUBLE)
    point: dict[str, Type] = {"queue_depth": _BIGINT, "repetition_index": _BIGINT, "value": _DOUBLE}
    sides = (*_SIDE.values(), *_SIDE.values())
    yield Function("estimated", _estimated, (_BIGINT, *[_DOUBLE] * 4), duckdb.struct_type(_INTERVAL))
    yield Function("judged", _judged, (_BOOLEAN, *sides, _DOUBLE, _TEXT, _TEXT), duckdb.struct_type(_JUDGED))
    compared = (_BOOLEAN, *_COMPARED_SIDE, *_COMPARED_SIDE, _DOUBLE)
    yield Function("compared", _compared, compared, duckdb.struct_type(_COMPARED))
    yield Function("judged_mean", _judged_mean, (_lists_of(members), _DOUBLE), duckdb.struct_type(_JUDGED))
    yield Function("holm", _holm, (duckdb.list_type(_DOUBLE),), duckdb.list_type(_DOUBLE))
    yield Function("peak_by_folds", _peak_by_folds, (_lists_of(point),), duckdb.struct_type(_PEAK))
    ideal = (_TEXT, _BIGINT, _DOUBLE, _DOUBLE, _BIGINT, _BIGINT, _BOOLEAN)
    yield Function("scaling_ideal", scaling.scaling_ideal, ideal, _DOUBLE, NATIVE)
    yield Function("job_key", _over_rows(evidence.job_key), (_TEXT,), _TEXT)
    yield Function("load_options", _over_rows(workload.effective_load_options), (_TEXT,), _TEXT)
    yield Function("canonical", _over_rows(grading.canonical), (_TEXT,) * 2, _TEXT)
    yield Function("role_effect", _over_rows(grading.role_effect), (_TEXT,) * 4, _TEXT)
    yield Function("applicable_columns", _over_rows(grading.applicable_columns), (_TEXT,), _TEXT)
    yield Function("role_reason", _over_rows(grading.role_reason), (_TEXT,) * 4, _TEXT)
    yield Function("evidence_level", _over_rows(evidence.evidence_level), (_BOOLEAN,) * 4, _TEXT)
    yield Function("replication", evidence.replication, (*[_DOUBLE] * 4, _BOOLEAN), _TEXT, NATIVE)
    described = tuple(_BIGINT if name == "capacity_bytes" else _TEXT for name in naming.Described._fields)
    yield Function("long_name", _names(naming.long_name), described, _TEXT, NATIVE)
    yield Function("short_name", _names(naming.short_name), described, _TEXT, NATIVE)
    yield Function("verdict_words", _over_rows(_words), tuple(_STATED.values()), _TEXT)


def _lists_of(fields: Mapping[str, Type]) -> Type:
    return duckdb.list_type(duckdb.struct_type(dict(fields)))


def _numbers(array: Arrow) -> uncertainty.Numbers:
    """Return numbers, NaN where they are null."""
    numbers = array if array.type == pa.float64() else array.cast(pa.float64())
    found: uncertainty.Numbers = numbers.to_numpy(zero_copy_only=False)
    return found


def _flags(array: Arrow) -> uncertainty.Flags:
    """Return flags, false where they are null."""
    found: uncertainty.Flags = cast("Arrow", pc.fill_null(array, pa.scalar(value=False))).to_numpy(zero_copy_only=False)
    return found


def _back(values: NDArray[Any]) -> pa.Array[Any]:
    """Return numbers as Arrow has them, null where they are not finite."""
    found: pa.Array[Any] = pa.array(values, mask=~np.isfinite(values))
    return found


def _texts(found: quotients.Texts) -> pa.Array[Any]:
    return pa.array(found.texts, pa.string()).take(found.codes)


def _rows(rows: Iterable[Sequence[Any] | None], fields: Mapping[str, Type]) -> pa.Array[Any]:
    """Return structs from rows, null for none; a number that is not finite becomes null."""
    types: dict[Type, pa.DataType] = {_DOUBLE: pa.float64(), _BIGINT: pa.int64(), _TEXT: pa.string()}
    made = [row and {name: _finite(value) for name, value in zip(fields, row, strict=True)} for row in rows]
    return pa.array(made, pa.struct([(name, types[kind]) for name, kind in fields.items()]))


def _finite(value: Any) -> Any:  # noqa: ANN401  (any value of a row)
    return None if isinstance(value, float) and not np.isfinite(value) else value


def _estimated(*columns: Arrow) -> pa.Array[Any]:
    found = uncertainty.estimated(*map(_numbers, columns))
    return pa.StructArray.from_arrays([_back(each) for each in found], list(_INTERVAL))


VERDICTS = ("equal", "A faster", "B faster", "undecided", None)
"""The words of a verdict by its number in the statistics; without a verdict there is none."""


def _compared(is_latency: Arrow, *columns: Arrow) -> pa.Array[Any]:
    """Compare two sides of many pairs: see :func:`ioledger.comparison.statistics.compare`."""
    count = len(_COMPARED_SIDE)
    a, b = (_compared_side(columns[start : start + count]) for start in (0, count))
    found = statistics.compare(a, b, _flags(is_latency), _numbers(columns[-1]))
    verdicts_found = [VERDICTS[code] for code in found.verdict]
    texts = [pa.array(each, pa.string()) for each in (found.ratio_interval_kind, verdicts_found, found.reason)]
    ratios = [_back(each) for each in (found.ratio, found.ratio_low, found.ratio_high)]
    numbers = [_back(each) for each in (found.p_value, found.tolerated_spread)]
    return pa.StructArray.from_arrays([*ratios, *texts, *numbers], list(_COMPARED))


def _compared_side(columns: Sequence[Arrow]) -> statistics.Side:
    read = (_flags if kind is _BOOLEAN else _numbers for kind in _COMPARED_SIDE)
    return statistics.Side(*(each(column) for each, column in zip(read, columns, strict=True)))  # type: ignore[arg-type]


def _side(columns: Sequence[Arrow], kind: Arrow) -> quotients.Side:
    *numbers, needs_session, is_held_back = columns
    value, variance, degrees, low_half, high_half = map(_numbers, numbers)
    is_sessions = _flags(pc.match_substring(kind, "sessions"))
    flags = (_flags(needs_session), is_sessions, _flags(is_held_back))
    return quotients.Side(value, variance, degrees, low_half, high_half, *flags)


def _judged(is_latency: Arrow, *columns: Arrow) -> pa.Array[Any]:
    *sides, margin, a_kind, b_kind = columns
    a, b = _side(sides[: len(_SIDE)], a_kind), _side(sides[len(_SIDE) :], b_kind)
    return _judgements(a, b, _flags(is_latency), margin)


def _judgements(a: quotients.Side, b: quotients.Side, is_latency: uncertainty.Flags, margin: Arrow) -> pa.Array[Any]:
    margins = np.nan_to_num(_numbers(margin), nan=limit("margin"))
    found = quotients.judged(a, b, is_latency, margins)
    made = [_texts(each) if isinstance(each, quotients.Texts) else _back(each) for each in found]
    return pa.StructArray.from_arrays(made, list(_JUDGED))


def _judged_mean(lists: Arrow, margin: Arrow) -> pa.Array[Any]:
    """Judge geometric means of quotients like single quotients: against 1, which is exact."""
    whole = _in_one(lists)
    members = [_numbers(each) for each in pc.list_flatten(whole).flatten()]
    counts = pc.list_value_length(whole).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    starts = np.cumsum(counts) - counts
    means = np.empty((len(uncertainty.Mean._fields), len(whole)))
    for count in np.unique(counts):
        rows = np.flatnonzero(counts == count)
        places = starts[rows, None] + np.arange(count)
        means[:, rows] = uncertainty.averaged(uncertainty.Member(*(each[places] for each in members)))
    none, one = np.zeros(len(whole), dtype=np.bool_), np.ones(len(whole))
    # an open end of a mean is no statement: beside the exact 1, which does not scatter, it would decide by itself
    mean = quotients.Side(*uncertainty.Mean(*means), none, none, ~none)
    exact = quotients.Side(one, 0 * one, np.inf * one, 0 * one, 0 * one, none, none, none)
    return _judgements(mean, exact, none, margin)


def _holm(lists: Arrow) -> pa.Array[Any]:
    adjusted = [None if values is None else verdicts.holm(values) for values in lists.to_pylist()]
    return pa.array(adjusted, pa.list_(pa.float64()))


def _peak_by_folds(lists: Arrow) -> pa.Array[Any]:
    whole = _in_one(lists)
    owner = pc.list_parent_indices(whole).to_numpy().astype(np.int64)
    depth, *others = pc.list_flatten(whole).flatten()
    depths = np.nan_to_num(_numbers(depth), nan=-1).astype(np.int64)
    points = peaks.Points(owner, depths, *map(_numbers, others))
    return _rows(peaks.peaks_by_folds(points, len(whole)), _PEAK)


def _in_one(column: Arrow) -> pa.Array[Any]:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _over_rows(call: Callable[..., str | None]) -> Callable[..., pa.Array[Any]]:
    """
    Return a function of values as one of columns, which asks it once for rows that are equal.

    The rows of a chunk differ in few of their texts, and it is the texts that cost.
    """

    def over(*columns: Arrow) -> pa.Array[Any]:
        codes, count = np.zeros(len(columns[0]), dtype=np.int64), 1
        for column in columns:
            encoded: Any = pc.dictionary_encode(_in_one(column))
            size = len(encoded.dictionary)
            count *= size + 1
            if count > _MOST_CODES:
                codes = np.unique(codes, return_inverse=True)[1]
                count = len(codes) * (size + 1)
            codes = codes * (size + 1) + encoded.indices.fill_null(size).to_numpy().astype(np.int64)
        _, first, place = np.unique(codes, return_index=True, return_inverse=True)
        rows = zip(*(column.take(first).to_pylist() for column in columns), strict=True)
        return pa.array((call(*row) for row in rows), pa.string()).take(place)

    return over


def _words(*values: Any) -> str:  # noqa: ANN401  (values of a row)
    return verdicts.words(verdicts.Stated(*values))


def _names(call: Callable[[naming.Described], str]) -> Callable[..., str]:
    return lambda *values: call(naming.Described(*values))
