"""
The Spark session that reads, models and writes: on this machine by itself, on a cluster as what started it says.

``spark-submit``, an operator and a managed service state master, memory and places; what they state holds. What a
result depends on is stated here.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from pyspark import SparkConf
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
    "spark.master": "local[2]",
    "spark.driver.memory": "4g",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
}
"""What one machine needs, where nobody states another master."""


def opened(folder: Path) -> SparkSession:
    """
    Return a session that knows the functions of judgement.

    ``folder`` takes its tables where nobody states another place for them (``spark.sql.warehouse.dir``), and whatever
    Spark leaves about.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = SparkConf()
    master = os.environ.get("SPARK_MASTER")
    if master:
        conf.setIfMissing("spark.master", master)
    if not conf.contains("spark.master"):
        for name, value in LOCAL.items():
            conf.setIfMissing(name, value)
    for name, value in MEANT.items():
        conf.set(name, value)
    conf.setIfMissing("spark.app.name", "ioledger")
    conf.setIfMissing("spark.sql.warehouse.dir", str(folder / "warehouse"))
    session = SparkSession.builder.config(conf=conf).getOrCreate()
    functions.register(session)
    return session
