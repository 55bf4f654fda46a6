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
from typing import TYPE_CHECKING

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from ioledger.spark import functions

if TYPE_CHECKING:
    from pathlib import Path

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


def opened(folder: Path) -> SparkSession:
    """
    Return a session that knows the functions of judgement.

    ``folder`` takes its tables where nobody states another place for them (``spark.sql.warehouse.dir``), and whatever
    Spark leaves about. In a place that is stated each build has a folder of its own, by the time it began: nothing that
    lies there is replaced.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_DRIVER_MEMORY", MEMORY)
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    logging.getLogger("great_expectations").setLevel(logging.WARNING)
    conf = _stated()
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
    functions.register(session)
    return session


def _stated() -> SparkConf:
    """Return what spark-submit, ``PYSPARK_SUBMIT_ARGS`` and ``spark-defaults.conf`` state: Java knows, once it runs."""
    SparkContext._ensure_initialized()  # noqa: SLF001  (before it, PySpark takes all as not stated)
    return SparkConf()
