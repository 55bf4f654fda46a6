"""The functions of judgement as Spark knows them: the same ones that DuckDB has, over the same Arrow arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.functions import arrow_udf, udf

from ioledger.build.publish import SHUT
from ioledger.judgement.functions import NATIVE, functions
from ioledger.spark.dialect import FORMATTED, ROUNDED, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

NAMES = {"varchar": "string", "hugeint": "decimal(38, 0)"}
"""Types that Spark names otherwise."""


def register(session: SparkSession) -> None:
    """Make every function of judgement, and the format of numbers, known to a session."""
    for each in functions():
        made = udf if each.kind is NATIVE else arrow_udf
        session.udf.register(each.name, made(_without_hints(each.call), spark_type(each.gives)))
    session.udf.register(FORMATTED, arrow_udf(_without_hints(_formatted), "string"))
    session.udf.register(TEXT, arrow_udf(_without_hints(_as_text), "string"))
    session.udf.register(ROUNDED, arrow_udf(_without_hints(_rounded), "double"))


def _without_hints(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function as one whose kind Spark does not guess from its annotations."""

    def called(*columns):  # type: ignore[no-untyped-def]  # noqa: ANN002, ANN202  (the point of it)
        return call(*columns)

    return called


def spark_type(kind: Any) -> str:  # noqa: ANN401  (a type of DuckDB, whose children it does not type)
    """Return what Spark calls a type of DuckDB."""
    if kind.id == "list":
        return f"array<{spark_type(dict(kind.children)['child'])}>"
    if kind.id == "struct":
        return f"struct<{', '.join(f'{name}: {spark_type(child)}' for name, child in kind.children)}>"
    return str(NAMES.get(kind.id, kind.id))


def _formatted(patterns: pa.Array[Any], values: pa.Array[Any]) -> pa.Array[Any]:
    """Write numbers by Python's format, whose words and whose rounding DuckDB's are."""
    rows = zip(patterns.to_pylist(), values.to_pylist(), strict=True)
    return pa.array(
        [None if value is None else format(float(value), str(pattern)) for pattern, value in rows], pa.string()
    )


def _as_text(values: pa.Array[Any]) -> pa.Array[Any]:
    """Write values as DuckDB does, by DuckDB: identifiers are hashes of such texts."""
    with duckdb.connect(config=SHUT) as connection:
        connection.execute("set threads = 1")
        connection.register("arriving", pa.table({"value": values}))
        written = connection.sql("select cast(value as varchar) from arriving").to_arrow_table()
    found: pa.Array[Any] = written.column(0).combine_chunks()
    return found


def _rounded(values: pa.Array[Any], places: pa.Array[Any]) -> pa.Array[Any]:
    """Round half away from zero, each number to places of its own."""
    numbers = np.asarray(values.to_numpy(zero_copy_only=False), dtype=np.float64)
    scales = np.array([10.0 ** int(each or 0) for each in places.to_pylist()])
    multiples = np.abs(numbers) * scales
    whole = np.floor(multiples)
    found = np.copysign((whole + (multiples - whole >= 0.5)) / scales, numbers)  # noqa: PLR2004  (a half)
    made: pa.Array[Any] = pa.array(found, mask=np.asarray(pc.or_(pc.is_null(values), pc.is_null(places))))
    return made
