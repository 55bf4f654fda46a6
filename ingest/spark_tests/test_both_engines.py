"""DuckDB and Spark: every word that is translated, and every mart of all that lies in data/, value by value."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from ioledger.build.functions import register
from ioledger.cli.build import build
from ioledger.spark import WORDS, to_spark
from ioledger.spark.session import open_session
from ioledger.tables.schema import ROOT, marts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

pytestmark = [
    pytest.mark.timeout(3600),  # by the clock: where other work runs, Java alone takes minutes to start
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of PySpark's sockets
]
NEAR, ZERO = 1e-11, 1e-14
"""
Relative, and absolute for differences of logarithms near zero: logarithms of Java and of C differ in the last bit, and
sums of them by a few.
"""
SAID = {
    "len": ["len([1, null, 3])", "len(cast(null as integer[]))"],
    "list_sum": ["list_sum([0.1, 0.2, 0.3])"],
    "list_avg": ["list_avg([1.0, 2.5])"],
    "list_max": ["list_max([1, 7, 3])"],
    "list_var_samp": ["list_var_samp([1.0, 2.0, 4.5])", "list_var_samp([1.0])"],
    "list_median": ["list_aggregate([3.0, 1.0, 2.0, 9.0], 'median')", "list_aggregate([3.0, 1.0, 2.5], 'mad')"],
    "list_sort": ["array_to_string(list_sort(['b', 'a']), ' ')"],
    "list_distinct": ["len(list_distinct(['b', 'a', 'b', null]))"],
    "list_contains": ["list_contains(['a'], 'a')", "list_contains(['a'], 'b')"],
    "list_has_all": ["list_has_all(['a', 'b'], ['b'])", "list_has_all(['a'], ['a', 'b'])"],
    "list_intersect": ["len(list_intersect(['a', 'b'], ['b', 'c']))"],
    "list_grade_up": ["array_to_string(list_grade_up([30, 10, 20]), ' ')"],
    "list_select": [
        "list_select(list(x), list_grade_up(list(y)))[1] from (values ('a', 2), ('b', 1), (null, 3)) as t(x, y)",
        "array_to_string(list_select(['a', 'b', 'c'], list_grade_up([30, 10, 20])), ' ')",
    ],
    "list_concat": ["array_to_string(list_concat(['a'], ['b', 'c']), '+')"],
    "list_filter": ["len(list_filter([1, 2, 3], lambda each: each > 1))"],
    "list_transform": ["list_sum(list_transform([1.0, 2.0], lambda each: each * each))"],
    "array_to_string": ["array_to_string(['a', null, 'b'], ', ')"],
    "contains": ["contains('lower_bound', 'bound')"],
    "string_split": ["array_to_string(string_split('a.b|c.d', '.'), ' ')", "len(string_split('', ', '))"],
    "regexp_matches": [r"regexp_matches('a zfs b', '\b(zfs|btrfs)\b')"],
    "isinf": ["isinf(cast('inf' as double))", "isinf(cast('-inf' as double))", "isinf(1.0)"],
    "to_microseconds": ["cast(timestamp '2026-01-02 03:04:05' + to_microseconds(1500001) as varchar)"],
}
"""What is asked of both, by the word that it tries; ``hash`` tells rows apart, by other numbers on each."""
RULES = [
    "list(x order by x desc nulls last)[1] from (values (1), (null), (3)) as t(x)",
    "len(list(x)) from (values (1), (null), (3)) as t(x)",
    "avg(x order by y) from (values (0.5, 2), (null, 1), (1.0, 3)) as t(x, y)",
    "first(x order by y) from (values ('a', 2), ('b', 1)) as t(x, y)",
    "arg_max(x, y) from (values ('a', 2), (null, 3), ('b', 1)) as t(x, y)",
    "arg_min(x, y) filter (where y > 1) from (values ('a', 2), ('b', 1)) as t(x, y)",
    "string_agg(x, '; ' order by y) from (values ('a', 2), ('b', 1), (null, 0)) as t(x, y)",
    "string_agg(distinct x, '; ' order by x) filter (where x <> 'c') from (values ('b'), ('a'), ('b'), ('c')) as t(x)",
    "sum(c) from (select 1 as a, 2 as c union all by name select 5 as c) as t",
    "max(b) from (select * replace (2 * a as a), a + 1 as b from (select 3 as a) as s) as t",
    "sum(a) from (select unnest(x) as a, unnest(y) as b from (select [1, 2] as x, ['x', 'y'] as y)) as t where b = 'y'",
    "arg_min(a, c)[2]['x'] from (select [{'x': 1}, {'x': 2}] as a, 3 as c) as t",
    "sum(b['x']) from (select unnest(a) as b from (select [{'x': 1}, {'x': 2}] as a) as s) as t",
    "list({'x': n}) filter (where n > 1)[1]['x'] from (values (1), (2)) as t(n)",
    "concat('a', null, 1)",
    "try_cast(concat('0x', left('fe64b35fe3c35f2dc1a5', 10)) as bigint)",
    "array_to_string(list_sort(list(x)), ', ') from (values (16), (2), (1)) as t(x)",
    "list_max(list_transform([{'a': 1.0}, {'a': 3.0}], lambda each: abs(each['a'] * n - 4))) from (select 2 as n)",
    "list_max(list_transform(x, lambda each: pow(each, y))) from (select [1.0, 2.0] as x, 2.0 as y)",
    "format('{:.2e}', 12345.678) || format('{:.6g}', 0.1) || format('{:.1f} TB', 12.25)",
    "round(0.0017111976882949999, 14)",
    "round(-2.5, 0)",
    "round(cast('-inf' as double), 12)",
    "round(1.0005, 3)",
    "7 // 2",
    "1.0 / nullif(0, 0)",
    "greatest(null, 3, 1)",
    "split_part('a to b', ' to ', -1)",
    r"regexp_replace('12.50', '\.?0+$', '')",
    r"regexp_extract('3.2 TB', '([0-9.]+) (GB|TB)$', 1)",
    "estimated(5, 1.0, 0.01, 0.0, 0.0)['low']",
    "job_key('-run oltp')",
]
"""Constructs that a rule translates, and functions of comparisons."""


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Return a session on this machine."""
    session = open_session(tmp_path_factory.mktemp("spark"))
    yield session
    session.stop()


ASKED = """
import sys
from pathlib import Path
from ioledger.spark.session import open_session
session = open_session(Path(sys.argv[1]))
names = ("spark.master", "spark.sql.shuffle.partitions", "spark.sql.ansi.enabled", "spark.sql.warehouse.dir")
others = ("spark.network.timeout", "spark.ui.showConsoleProgress")
print(*(session.sparkContext.getConf().get(name) for name in names + others))
"""


def test_what_is_stated_to_spark_holds(tmp_path: Path) -> None:
    """
    Master, settings and place of tables; what the values of the marts rest on is the project's.

    So is what a machine alone needs: after a sleep its own worker is not taken for lost.
    """
    stated = {"spark.sql.shuffle.partitions": "7", "spark.sql.ansi.enabled": "true", "spark.sql.warehouse.dir": "/x"}
    arguments = " ".join(f"--conf {name}={value}" for name, value in stated.items())
    submitted = {"PYSPARK_SUBMIT_ARGS": f"--master local[1] {arguments} pyspark-shell", "SPARK_MASTER": "local[3]"}
    command = [sys.executable, "-c", ASKED, str(tmp_path)]
    done = subprocess.run(command, env=os.environ | submitted, check=True, capture_output=True, text=True)  # noqa: S603
    master, partitions, is_ansi, warehouse, lost_after, has_bars = done.stdout.split()
    assert (master, partitions, is_ansi) == ("local[1]", "7", "false")
    assert warehouse.removeprefix("file:").startswith("/x/2")
    assert (lost_after, has_bars) == ("86400s", "false")


def test_numbers_that_are_near_are_told_beside_open_ends() -> None:
    """An end that is open on both engines is equal, and no number to take from another."""
    expected = pa.table({"high": pa.array([1.0, float("inf"), None])}).replace_schema_metadata({"mart": "points"})
    found = pa.table({"high": pa.array([1.0 + 4e-12, float("inf"), None])})
    assert [*differences(found, expected)] == []
    assert [*last_bits(found, expected)] == ["points.high: 1 of 3, by up to 4.0e-12"]


def test_every_word_that_is_translated_is_tried() -> None:
    """Whoever adds a word says here what both engines make of it."""
    assert set(SAID) | {"hash"} == set(WORDS)


def test_both_engines_say_the_same(spark: SparkSession) -> None:
    """A word means on Spark what it means on DuckDB, nulls and what is not finite included."""
    connection = duckdb.connect()
    register(connection)
    unlike = []
    for said in [*(each for words in SAID.values() for each in words), *RULES]:
        query = f"select {said}"
        expected = _first(connection.sql(query).to_arrow_table())
        found = _first(spark.sql(to_spark(query, lambda _: [])).toArrow())
        if not _same(found, expected):
            unlike.append(f"{said}: {found} on Spark, {expected} on DuckDB")
    assert not unlike


def test_every_mart_is_the_same_on_both_engines(tmp_path: Path) -> None:
    """Same rows, numbers within 1e-11 of each other, every word equal, over all of data/."""
    for engine in ("duckdb", "spark"):
        shutil.copytree(ROOT / "data", tmp_path / engine / "data")
        done = CliRunner().invoke(build, ["--workspace", str(tmp_path / engine), "--engine", engine, "--no-site"])
        assert done.exit_code == 0, done.output
    pairs = [tuple(_mart(tmp_path, each, name) for each in ENGINES) for name in marts()]
    unlike = [line for found, expected in pairs for line in differences(found, expected)]
    assert not unlike
    for found, expected in pairs:
        for line in last_bits(found, expected):
            print(line)  # noqa: T201  (shown by -rP)


ENGINES = ("spark", "duckdb")


def _mart(folder: Path, engine: str, name: str) -> pa.Table:
    table: pa.Table = pq.read_table(folder / engine / "build" / "marts" / f"{name}.parquet")
    return table.replace_schema_metadata({"mart": name})


def differences(found: pa.Table, expected: pa.Table) -> Iterator[str]:
    """Give a line for each column of two tables that differs, with the first row that does."""
    name = (expected.schema.metadata or {}).get(b"mart", b"").decode()
    if found.num_rows != expected.num_rows:
        yield f"{name}: {found.num_rows} rows, not {expected.num_rows}"
        return
    for column in expected.schema:
        a, b = found[column.name].combine_chunks(), expected[column.name].combine_chunks()
        rows = np.flatnonzero(~_near(a, b) if pa.types.is_floating(column.type) else ~_equal(a, b))
        if len(rows):
            first = int(rows[0])
            yield f"{name}.{column.name}: {len(rows)} rows, row {first}: {a[first].as_py()!r}, not {b[first].as_py()!r}"


def last_bits(found: pa.Table, expected: pa.Table) -> Iterator[str]:
    """Give a line for each column whose numbers are near and not the same: how many, and the largest difference."""
    name = (expected.schema.metadata or {}).get(b"mart", b"").decode()
    for column in (each for each in expected.schema if pa.types.is_floating(each.type)):
        a, b = (each[column.name].to_numpy().astype(np.float64) for each in (found, expected))
        is_apart = (a != b) & np.isfinite(a) & np.isfinite(b)
        if is_apart.any():
            largest = np.max(np.abs(a[is_apart] - b[is_apart]) / np.abs(b[is_apart]))
            yield f"{name}.{column.name}: {np.count_nonzero(is_apart)} of {len(b)}, by up to {largest:.1e}"


def _near(a: pa.Array[Any], b: pa.Array[Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    one, other = (each.to_numpy(zero_copy_only=False).astype(np.float64) for each in (a, b))
    same_nulls = np.asarray(a.is_null()) == np.asarray(b.is_null())
    near = np.isclose(one, other, rtol=NEAR, atol=ZERO, equal_nan=True)
    close: np.ndarray[Any, np.dtype[np.bool_]] = near & same_nulls
    return close


def _equal(a: pa.Array[Any], b: pa.Array[Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return np.fromiter((x == y for x, y in zip(a.to_pylist(), b.to_pylist(), strict=True)), dtype=np.bool_)


def _first(table: pa.Table) -> Any:  # noqa: ANN401  (any value)
    return table.column(0)[0].as_py()


def _same(one: Any, other: Any) -> bool:  # noqa: ANN401  (any value)
    if isinstance(one, float) or isinstance(other, float):
        return (
            one is not None
            and other is not None
            and bool(np.isclose(float(one), float(other), rtol=NEAR, atol=ZERO, equal_nan=True))
        )
    return bool(one == other)
