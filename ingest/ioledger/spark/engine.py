"""
A build by Spark: submissions read by its workers, models run by it, and the same files at the end as from DuckDB.

Expectations, and the files that a release holds, are made on the driver, a table at a time out of Arrow: it needs the
memory for the raw tables and the marts. What Spark made stays in its warehouse, as Parquet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.build import inputs, publish
from ioledger.build.pipeline import Stages, believed, refused
from ioledger.problems import Problem
from ioledger.spark import project, reading, tables
from ioledger.spark.session import opened
from ioledger.submission import duplicates
from ioledger.system import scratch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pyarrow as pa
    from pyspark.sql import SparkSession

    from ioledger.workspace import Workspace

REMEDY = "Look at the model of that name under models/, and at what is said of Spark in ingest/engines.md."


def build(place: Workspace, say: Callable[[str], None], *, data: Path | None = None) -> list[Problem]:
    """Make ``build/`` of a workspace by Spark; return what is wrong (nothing is replaced then)."""
    folder = data or place.data
    if problems := refused(place, folder, has_site=False):
        return problems
    scratch.finish(place.folder)
    with scratch.folder(place.folder) as aside:
        made = aside / "ready" / place.build.name
        made.mkdir(parents=True)
        stages = Stages(say)
        with stages.stage("spark"):
            session = opened(aside / "spark")
            stages.found = f"{session.version} at {session.sparkContext.master}"
        try:
            problems = _made(session, folder, made, stages)
        finally:
            session.stop()
        if not problems:
            (place.folder / inputs.PLACE).unlink(missing_ok=True)
            scratch.replace(made.parent, place.folder)
    return problems


def _made(session: SparkSession, folder: Path, made: Path, stages: Stages) -> list[Problem]:
    built, problems = _tables(session, folder, made, stages)
    if problems:
        return problems
    with stages.stage("models"):
        tables.put(session, tables.RAW, built)
        tables.put(session, tables.SEEDS, tables.seeds())
        failed = project.run(made / "dbt")
        derived = {} if failed else tables.derived(session)
        stages.found = f"{len(derived)} marts"
    if failed:
        return [Problem("models", "", " ".join(line.split()), REMEDY, "R-MODEL-1") for line in failed]
    with stages.stage("publish"):
        manifest = publish.write(made, built, derived)
        stages.found = f"{len(manifest.files)} Parquet files and ioledger.duckdb"
    return []


def _tables(
    session: SparkSession, folder: Path, made: Path, stages: Stages
) -> tuple[dict[str, pa.Table], list[Problem]]:
    """Read the submissions; return every raw table, and what is wrong with them."""
    with stages.stage("read"):
        gathered, rows = reading.read(session, folder)
        stages.found = f"{len(gathered.submissions)} submissions, {len(gathered.files)} files"
    if gathered.problems:
        return {}, gathered.problems
    with stages.stage("tables"):
        built, problems = reading.raw(rows)
        rows.unpersist()
        duplicates.write_seen(gathered, made / duplicates.PLACE)
        stages.found = f"{built['results'].num_rows:,} results in {len(built)} tables"
    if problems:
        return {}, problems
    return built, believed(built, made, stages)
