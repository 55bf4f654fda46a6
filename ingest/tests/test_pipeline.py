"""The built dataset: whole, typed, traceable, and untouched by a build that fails."""

from __future__ import annotations

import hashlib
import json
import shutil
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

import duckdb
import pyarrow.parquet as pq
import pytest

from conftest import spoil
from dataset import FUJITSU
from ioledger.tables.schema import ROOT, arrow_schema, marts, tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Run

pytestmark = pytest.mark.pipeline
BUILD = ROOT / "build"
PUBLISHED = sorted(name for name, table in (tables() | marts()).items() if table.published != "files")
PAPER_QUOTIENTS = {  # the table "Comparison with other storage media": HDD, SAS SSD, ioDrive2
    "Database": ("223.2", "3.0", "3.9"),
    "File server": ("38.6", "3.3", "1.6"),
    "File copy": ("36.8", "3.6", "1.6"),
    "Streaming": ("10.1", "3.0", "1.7"),
    "Restore": ("7.8", "4.4", "1.8"),
}


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    """Return a read-only connection to the published database."""
    with duckdb.connect(BUILD / "ioledger.duckdb", read_only=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def known(sample: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Return a read-only connection to the tests' own dataset, whose numbers are known."""
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as connection:
        yield connection


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_table_has_the_columns_of_its_schema(name: str, database: duckdb.DuckDBPyConnection) -> None:
    """The database shows a mart in place of the raw table of the same name, with the columns the schema defines."""
    table = marts().get(name) or tables()[name]
    place = "raw" if table.published == "merged" else "main"
    found = [row[0] for row in database.execute(f'describe {place}."{name}"').fetchall()]
    assert found == list(table.column_names)


@pytest.mark.parametrize(
    "name", [*(f"raw/{name}" for name in sorted(tables())), *(f"marts/{name}" for name in sorted(marts()))]
)
def test_a_parquet_file_has_schema_order_and_hash(name: str) -> None:
    """Arrow types and field metadata come from the schema, rows are in the table's order, and the manifest knows it."""
    folder, _, own = name.partition("/")
    table = {"marts": marts(), "raw": tables()}[folder][own]
    path = BUILD / f"{name}.parquet"
    read = pq.read_table(path)
    assert read.schema.equals(arrow_schema(table))
    assert read.schema.field(0).metadata == arrow_schema(table).field(0).metadata
    entry = json.loads((BUILD / "manifest.json").read_text(encoding="utf-8"))["files"][f"{name}.parquet"]
    assert entry["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert entry["rows"] == read.num_rows
    keys, order = ", ".join(table.primary_key), ", ".join(f"{column} nulls last" for column in table.order)
    with duckdb.connect() as connection:
        rows = f"read_parquet('{path}', file_row_number = true)"
        unequal = connection.execute(f"select count(*) - (select count(*) from (select distinct {keys} from {rows})) "  # noqa: S608
                                     f"from {rows}").fetchone()  # fmt: skip
        moved = connection.execute(
            f"select file_row_number, row_number() over (order by {order}, file_row_number) - 1 as place "  # noqa: S608
            f"from {rows} qualify file_row_number <> place"
        ).fetchall()
    assert (unequal, moved) == ((0,), [])


def test_every_result_leads_to_a_file_whose_hash_is_the_one_stated(database: duckdb.DuckDBPyConnection) -> None:
    """Submission, path, hash and place are there for every result, and the file on disk has that hash."""
    rows = database.execute("select distinct submission_id, source_path, source_sha256 from results").fetchall()
    assert rows
    for submission, path, digest in rows:
        assert hashlib.sha256((ROOT / "data" / submission / path).read_bytes()).hexdigest() == digest
    assert database.execute("select count(*) from results where source_pointer = ''").fetchone() == (0,)


@pytest.mark.parametrize("profile", PAPER_QUOTIENTS)
def test_the_quotients_of_the_fujitsu_table_come_out_as_printed(profile: str, known: duckdb.DuckDBPyConnection) -> None:
    """Rounded half up to one decimal, from the printed figures, by SQL."""
    query = """
        select b_configuration_id, ratio from quotients
        where load_profile = ? and queue_depth is null and a_configuration_id = 'cmp-p3700'
          and a_submission_id = ? and b_submission_id = a_submission_id
          and b_configuration_id in ('cmp-hdd', 'cmp-sas-ssd', 'cmp-iodrive2')
          and metric = case when load_profile in ('Streaming', 'Restore')
                            then 'throughput_bytes_per_second' else 'operations_per_second' end
    """
    found = dict(known.execute(query, [profile, FUJITSU]).fetchall())
    rounded = {name: str(Decimal(value).quantize(Decimal("0.1"), ROUND_HALF_UP)) for name, value in found.items()}
    hdd, sas, iodrive = PAPER_QUOTIENTS[profile]
    assert rounded == {"cmp-hdd": hdd, "cmp-sas-ssd": sas, "cmp-iodrive2": iodrive}


def test_a_build_that_fails_leaves_build_and_site_as_they_were(submission: Path, ioledger: Run, tmp_path: Path) -> None:
    """One bad submission stops the build before anything is replaced."""
    before = (BUILD / "manifest.json").read_bytes(), (ROOT / "dist" / "index.html").stat().st_mtime_ns
    other = tmp_path / "mine" / "data" / "2026-11-other-disk"
    shutil.copytree(submission, other)
    spoil(other, "media_class: virtual", "media_class: floppy")
    done = ioledger("build", "--workspace", tmp_path / "mine")
    assert done.returncode == 1
    assert "[R-MANIFEST-4]" in done.stderr
    assert "are unchanged" in done.stderr
    assert "Traceback" not in done.stderr
    assert ((BUILD / "manifest.json").read_bytes(), (ROOT / "dist" / "index.html").stat().st_mtime_ns) == before
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["data"]


def test_sql_csv_prints_every_value_in_the_words_of_the_database(ioledger: Run) -> None:
    """Both columns of one name, all digits of a large number, times in UTC, and the text of nested values."""
    query = (
        "select 1 as a, 2 as a, 170141183460469231731687303715884105727::hugeint as large, true as yes, "
        "date '2026-11-03' as day, timestamptz '2026-11-03 12:00:00+02' as moment, 1e-5::double as small, "
        "'\\x00a'::blob as bytes, [1.5, null] as list, {'k': 'v'} as struct, null as nothing"
    )
    assert ioledger("sql", "select 1 as one, 'x' as two where false", "--csv").stdout == "one,two\n"
    head, row = ioledger("sql", query, "--csv").stdout.splitlines()
    assert head == "a,a,large,yes,day,moment,small,bytes,list,struct,nothing"
    assert row.startswith("1,2,170141183460469231731687303715884105727,true,2026-11-03,2026-11-03 10:00:00+00,")
    assert row.endswith("1e-05,\\x00a,\"[1.5, NULL]\",{'k': v},")


def test_sql_answers_one_statement_and_drops_none(ioledger: Run) -> None:
    """Several are refused before one runs; a last semicolon, comments and semicolons in strings are none of them."""
    assert ioledger("sql", "select 'é;' as a; -- one; two", "--csv").stdout == "a\né;\n"
    assert ioledger("sql", "show tables; /* ; */", "--csv").stdout.startswith("name,one_row,question,row_count\n")
    for query in ("select 1; select 2", "select 1;;select 2;", "/* nothing */"):
        done = ioledger("sql", query, "--csv")
        assert (done.returncode, done.stdout, "[R-SQL-2]" in done.stderr) == (1, "", True), done.stderr


def test_sql_prints_no_json_object_that_lacks_a_column(ioledger: Run) -> None:
    """Two columns of one name would leave one of them out."""
    done = ioledger("sql", "select 1 as a, 2 as a", "--json")
    assert (done.returncode, done.stdout, "[R-SQL-2]" in done.stderr) == (1, "", True)
