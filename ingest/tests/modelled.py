"""The models on submissions of a test's own: dbt on a fresh database, and the marts as a build publishes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import duckdb
import pyarrow.parquet as pq

from ioledger.build import models, publish
from ioledger.releases import FOLDERS
from ioledger.submission import gather
from ioledger.submission.rows import raw_tables
from ioledger.tables.schema import marts

if TYPE_CHECKING:
    from pathlib import Path


class Modelled(NamedTuple):
    """A folder that is laid out as a build, and what dbt says of each model and unit test, by name."""

    build: Path
    nodes: dict[str, dict[str, str]]


def run(folders: list[Path], scratch: Path, *arguments: str, before: Path) -> Modelled:
    """
    Run the models, without tests of the data, on the submissions in these folders; ``arguments`` are dbt's.

    ``before`` is a build whose dbt has read the project.
    """
    gathered = gather.gather(folders)
    assert gathered.problems == []
    built, problems = raw_tables(gathered)
    assert problems == []
    with models.Dbt(scratch, before) as dbt:
        publish.fill_raw(dbt.database, built)
        done = dbt.run(("build", "--no-write-json", *arguments))
        assert dbt.results, done.stdout
    for folder in FOLDERS:
        (scratch / folder).mkdir()
    for name, table in built.items():
        pq.write_table(table, scratch / "raw" / f"{name}.parquet")
    with duckdb.connect(dbt.database, read_only=True) as connection:
        made = connection.execute("select table_name from information_schema.tables where table_schema = 'main'")
        for name in sorted({row[0] for row in made.fetchall()} & marts().keys()):
            found = connection.sql(f'from main."{name}"').to_arrow_table()
            pq.write_table(found, scratch / "marts" / f"{name}.parquet")
    return Modelled(scratch, {node["unique_id"].split(".")[-1]: node for node in dbt.results})
