"""
The Spark session that reads, models and writes: on this machine by itself, on a cluster as what started it says.

``spark-submit``, an operator and a managed service state master, memory and places; what they state holds. What a
result depends on is stated here.
"""

from __future__ import annotations

import logging
import os
import sys
import warnings
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession
from pyspark.sql.functions import arrow_udf, udf

from ioledger.build.functions import NATIVE, functions
from ioledger.build.publish import SHUT
from ioledger.spark import FORMATTED, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


NAMES = {"varchar": "string", "hugeint": "decimal(38, 0)"}
"""Types that Spark names otherwise."""


def register(session: SparkSession) -> None:
    """Make every function of comparisons, and the format of numbers, known to a session."""
    for each in functions():
        made = udf if each.kind is NATIVE else arrow_udf
        session.udf.register(each.name, made(_without_hints(each.call), spark_type(each.gives)))
    session.udf.register(FORMATTED, arrow_udf(_without_hints(_format_numbers), "string"))
    session.udf.register(TEXT, arrow_udf(_without_hints(_as_text), "string"))


def _without_hints(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function as one whose kind Spark does not guess from its annotations."""

    def pass_columns(*columns):  # type: ignore[no-untyped-def]  # noqa: ANN002, ANN202  (the point of it)
        return call(*columns)

    return pass_columns


def spark_type(kind: Any) -> str:  # noqa: ANN401  (a type of DuckDB, whose children it does not type)
    """Return what Spark calls a type of DuckDB."""
    if kind.id == "list":
        return f"array<{spark_type(dict(kind.children)['child'])}>"
    if kind.id == "struct":
        return f"struct<{', '.join(f'{name}: {spark_type(child)}' for name, child in kind.children)}>"
    return str(NAMES.get(kind.id, kind.id))


def _format_numbers(patterns: pa.Array[Any], values: pa.Array[Any]) -> pa.Array[Any]:
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


MEANT = {
    # what a number or a text is not is null, as the models expect of try_cast and of a division by nothing
    "spark.sql.ansi.enabled": "false",
    "spark.sql.legacy.sizeOfNull": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
    "spark.sql.sources.default": "parquet",
}
"""What the values of the marts rest on."""
LOCAL = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    # A machine that slept for two minutes would take its own worker for lost when it wakes, and end.
    "spark.network.timeout": "86400s",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.log.level": "ERROR",
}
"""What one machine needs, where nobody states something else."""
BARS = "spark.ui.showConsoleProgress"
"""Bars between the lines of a build: PySpark states them itself, so that nobody else is seen to."""
MEMORY, NOBODYS = "4g", "local[*]"
"""What the driver gets, and the master that Spark takes, where nobody states another."""
WAREHOUSE = "spark.sql.warehouse.dir"


def open_session(folder: Path) -> SparkSession:
    """
    Return a session that knows the functions of comparisons.

    ``folder`` takes its tables where nobody states another place for them (``spark.sql.warehouse.dir``), and whatever
    Spark leaves about. In a place that is stated each build has a folder of its own, by the time it began: nothing that
    lies there is replaced.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_DRIVER_MEMORY", MEMORY)
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    logging.getLogger("great_expectations").setLevel(logging.WARNING)
    conf = _stated_conf()
    if conf.get("spark.master", NOBODYS) == NOBODYS:
        conf.set("spark.master", os.environ.get("SPARK_MASTER", NOBODYS))
    if str(conf.get("spark.master")).startswith("local"):
        for name, value in LOCAL.items():
            conf.setIfMissing(name, value)
        conf.set(BARS, "false")
    for name, value in MEANT.items():
        conf.set(name, value)
    conf.setIfMissing("spark.app.name", "ioledger")
    place = conf.get(WAREHOUSE)
    begun = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    conf.set(WAREHOUSE, f"{place.rstrip('/')}/{begun}" if place else str(folder / "warehouse"))
    session = SparkSession.builder.config(conf=conf).getOrCreate()
    register(session)
    return session


def _stated_conf() -> SparkConf:
    """Return what spark-submit, ``PYSPARK_SUBMIT_ARGS`` and ``spark-defaults.conf`` state: Java knows, once it runs."""
    SparkContext._ensure_initialized()  # noqa: SLF001  (before it, PySpark takes all as not stated)
    return SparkConf()
