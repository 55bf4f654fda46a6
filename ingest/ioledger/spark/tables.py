"""Tables between Arrow and Spark: raw tables and seeds in, marts out; each lies as Parquet in Spark's warehouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import yaml

from ioledger.build import publish
from ioledger.tables.schema import ROOT, marts

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

RAW, SEEDS, MARTS = "raw", "main_seeds", "main"


def put(session: SparkSession, place: str, built: dict[str, pa.Table]) -> None:
    """Write tables into a database of Spark, in place of those that have their names."""
    session.sql(f"create database if not exists {place}")
    for name, table in built.items():
        session.createDataFrame(table).write.mode("overwrite").saveAsTable(f"{place}.{name}")


def seeds() -> dict[str, pa.Table]:
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


def derived(session: SparkSession) -> dict[str, pa.Table]:
    """Return the marts, typed and ordered as ``schemas/marts`` says."""
    found = {}
    for mart in marts().values():
        arriving = session.table(f"{MARTS}.{mart.name}").toArrow()
        with duckdb.connect(config=publish.SHUT) as connection:
            connection.register("arriving", arriving)
            connection.execute(f'create table main."{mart.name}" as from arriving')
            found[mart.name] = publish.ordered(connection, mart)
    return found
