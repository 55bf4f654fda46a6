"""
The dbt models on Spark: the same project, its target ``spark``, in this process and in the session that is open.

dbt-spark hands each statement to the session; on the way, what a model says is put into Spark's words.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from dbt.adapters.spark import session as dbt_session
from dbt.cli.main import dbtRunner
from pyspark.sql import SparkSession

from ioledger.spark.dialect import to_spark
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

MODEL = re.compile(r"\A(\s*(?:/\*.*?\*/)?\s*create (?:or replace )?table .*?\n\s*as\s)(.*)\Z", re.DOTALL)
"""A statement that makes the table of a model: what dbt writes, and what the model says."""
TABLES = ("run", "--target", "spark", "--threads", "1")


class Cursor(dbt_session.Cursor):  # type: ignore[misc]  # dbt-spark is not there when types are checked
    """The cursor of dbt-spark; what a model says is translated."""

    def execute(self, sql: str, *parameters: object) -> None:
        """Run a statement; see :class:`dbt.adapters.spark.session.Cursor`."""
        found = MODEL.match(sql)
        if found:
            sql = found[1] + to_spark(found[2], _columns)
        super().execute(sql, *parameters)


def _columns(name: str) -> list[str]:
    return list(SparkSession.active().table(name).columns)


def run(files: Path, *select: str) -> list[str]:
    """Run every model, or those selected; return what failed, a line each. dbt's own files go to ``files``."""
    dbt_session.Cursor = Cursor
    os.environ |= {"DBT_TARGET_PATH": str(files), "DBT_LOG_PATH": str(files), "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    places = ("--profiles-dir", str(ROOT), "--project-dir", str(ROOT))
    quiet = ("--log-level", "none", "--log-level-file", "none")
    selected = ("--select", *select) if select else ()
    done: Any = dbtRunner().invoke([*TABLES, *selected, *quiet, *places])
    nodes = getattr(done.result, "results", None) or ()
    failed = [f"{node.node.name}: {node.message}" for node in nodes if str(node.status) in {"error", "fail"}]
    return failed or ([] if done.success else [str(done.exception)])
