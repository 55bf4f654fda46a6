"""
A build by Spark: submissions read by its workers, models run by it, and the same files at the end as from DuckDB.

Expectations, and the files that a release holds, are made on the driver, a table at a time out of Arrow: it needs the
memory for the raw tables and the marts. What Spark made stays in its warehouse, as Parquet.
"""

from __future__ import annotations

import os
import pickle
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import yaml
from dbt.adapters.spark import session as dbt_session
from dbt.cli.main import dbtRunner
from pyspark.sql import SparkSession

from ioledger.build import BUILT, publish
from ioledger.build.pipeline import Stages, check_place, check_tables
from ioledger.problems import Problem
from ioledger.spark import to_spark
from ioledger.spark.session import open_session
from ioledger.submission.gather import combine, folders, gather_one, name_folder, summary
from ioledger.submission.rows import raw_tables
from ioledger.system import finish_replacement, replace_folders, scratch_folder
from ioledger.tables.arrow import write_stream
from ioledger.tables.schema import ROOT, arrow_schema, marts, tables
from ioledger.tables.store import faults, in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import DataFrame

    from ioledger.submission.files import Gathered
    from ioledger.workspace import Workspace

GATHERED = "gathered"
"""The name of the part that the driver needs, beside the names of tables."""
SCHEMA = "folder string, name string, content binary"


def read_submissions(session: SparkSession, data: Path) -> tuple[Gathered, DataFrame]:
    """Read every submission of a folder; return what was gathered, without its bytes and rows, and the rows."""
    paths = [(str(path), name_folder(path)) for path in folders(data)]
    several = session.sparkContext.defaultParallelism * 4
    given = session.createDataFrame(paths, "path string, shown string").repartition(min(several, max(1, len(paths))))
    rows = given.mapInArrow(_read, SCHEMA).persist()
    found = {row.folder: row.content for row in rows.where(rows.name == GATHERED).toLocalIterator()}
    return combine(pickle.loads(found[path]) for path, _ in paths), rows  # noqa: S301  (this program wrote it)


def _read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for path, name in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            gathered = gather_one(Path(path), name)
            made = {} if gathered.problems else raw_tables(gathered)[0]
            parts = {GATHERED: pickle.dumps(summary(gathered))} | {
                table: write_stream(rows) for table, rows in made.items() if rows.num_rows
            }
            columns = {"folder": [path] * len(parts), "name": list(parts), "content": list(parts.values())}
            yield pa.RecordBatch.from_pydict(columns)


def collect_tables(rows: DataFrame) -> tuple[dict[str, pa.Table], list[Problem]]:
    """Return every raw table by name, sorted, and its faults, from the rows that the workers made."""
    parts: dict[str, list[pa.Table]] = {name: [arrow_schema(table).empty_table()] for name, table in tables().items()}
    for row in rows.where(rows.name != GATHERED).toLocalIterator():
        parts[row.name].append(pa.ipc.open_stream(row.content).read_all())
    built = {name: in_order(tables()[name], pa.concat_tables(found)) for name, found in parts.items()}
    return built, [problem for name, table in built.items() for problem in faults(tables()[name], table)]


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


def run_models(files: Path, *select: str) -> list[str]:
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


RAW, SEEDS, MARTS = "raw", "main_seeds", "main"


def write_tables(session: SparkSession, place: str, built: dict[str, pa.Table]) -> None:
    """Write tables into a database of Spark, in place of those that have their names."""
    session.sql(f"create database if not exists {place}")
    for name, table in built.items():
        session.createDataFrame(table).write.mode("overwrite").saveAsTable(f"{place}.{name}")


def read_seeds() -> dict[str, pa.Table]:
    """Return what the project knows beforehand, typed as dbt types it on DuckDB."""
    stated = yaml.safe_load((ROOT / "models" / "seeds.yml").read_text(encoding="utf-8"))["seeds"]
    types = {seed["name"]: seed.get("config", {}).get("column_types", {}) for seed in stated}
    folder = ROOT / "models" / "seeds"
    with duckdb.connect() as connection:
        connection.execute("set allowed_directories = $folders", {"folders": [str(folder)]})
        connection.execute("set enable_external_access = false")
        return {
            path.stem: connection.read_csv(str(path), dtype=types.get(path.stem, {}), header=True).to_arrow_table()
            for path in sorted(folder.glob("*.csv"))
        }


def read_marts(session: SparkSession) -> dict[str, pa.Table]:
    """Return the marts, typed and ordered as ``schemas/marts`` says."""
    found = {}
    for mart in marts().values():
        arriving = session.table(f"{MARTS}.{mart.name}").toArrow()
        with duckdb.connect(config=publish.SHUT) as connection:
            connection.register("arriving", arriving)
            connection.execute(f'create table main."{mart.name}" as from arriving')
            found[mart.name] = publish.read_mart(connection, mart)
    return found


REMEDY = "Look at the model of that name under models/, and at ingest/engines.md."


def build(place: Workspace, say: Callable[[str], None], *, data: Path | None = None) -> list[Problem]:
    """Make ``build/`` of a workspace by Spark; return what is wrong (nothing is replaced then)."""
    folder = data or place.data
    if problems := check_place(place, folder, has_site=False):
        return problems
    finish_replacement(place.folder)
    with scratch_folder(place.folder) as aside:
        made = aside / "ready" / place.build.name
        made.mkdir(parents=True)
        stages = Stages(say)
        with stages.stage("spark"):
            session = open_session(aside / "spark")
            stages.found = f"{session.version} at {session.sparkContext.master}"
        try:
            problems = _build_stages(session, folder, made, stages)
        finally:
            session.stop()
        if not problems:
            (place.folder / BUILT).unlink(missing_ok=True)
            replace_folders(made.parent, place.folder)
    return problems


def _build_stages(session: SparkSession, folder: Path, made: Path, stages: Stages) -> list[Problem]:
    built, problems = _tables(session, folder, made, stages)
    if problems:
        return problems
    with stages.stage("models"):
        write_tables(session, RAW, built)
        write_tables(session, SEEDS, read_seeds())
        failed = run_models(made / "dbt")
        derived = {} if failed else read_marts(session)
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
    with stages.stage("read"):
        gathered, rows = read_submissions(session, folder)
        stages.found = f"{len(gathered.submissions)} submissions, {len(gathered.files)} files"
    if gathered.problems:
        return {}, gathered.problems
    with stages.stage("tables"):
        built, problems = collect_tables(rows)
        rows.unpersist()
        stages.found = f"{built['results'].num_rows:,} results in {len(built)} tables"
    if problems:
        return {}, problems
    return built, check_tables(built, made, stages)
