"""
What the dbt models cost: synthetic results, built by dbt and by the same SQL in plain DuckDB.

A synthetic submission measures two configurations of one drive under the five load profiles of the seed, at ten queue
depths, three times each: 480 results. Rates follow a saturating curve with 2 % of scatter drawn from a hash, so every
run makes the same numbers. One submission in two compares setting sets, the other firmware versions.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import duckdb
import orjson

from ingest.tables import arrow_schema, tables

ROOT = Path(__file__).resolve().parent.parent
PER_SUBMISSION = 480
RESULTS = """
insert into raw.results by name
with submissions as (select range as submission from range({submissions})),
configurations as (select range as configuration from range(2)),
profiles as (
    select * from (values
        ('random', 0.5, 65536, 29000.0), ('random', 0.67, 65536, 29500.0), ('random', 0.67, 8192, 193000.0),
        ('sequential', 1.0, 65536, 38000.0), ('sequential', 0.0, 65536, 29500.0)
    ) as listed(access_pattern, read_ratio, block_size_bytes, most)
),
loads as (select 1 << range as queue_depth from range(10)),
repetitions as (select range + 1 as repetition_index from range(3)),
operations as (select unnest(['read', 'write']) as operation),
points as (
    select *,
        format('{{}}-{{}}-{{}}-{{}}', submission, configuration, repetition_index, queue_depth)
        || access_pattern || read_ratio || block_size_bytes as point_id,
        case operation when 'read' then read_ratio else 1 - read_ratio end as share,
        1 + (hash(submission, configuration, repetition_index, queue_depth, block_size_bytes) % 1000) / 25000.0
        + submission % 50 / 20.0 as scatter
    from submissions, configurations, profiles, loads, repetitions, operations
),
rated as (
    select *, share * scatter * most * queue_depth / (queue_depth + 12.0) as rate,
        (queue_depth + 12.0) / (scatter * most) as latency
    from points
    where share > 0
)
select
    md5(point_id || operation) as result_id, point_id,
    format('submission-{{:06d}}', submission) as submission_id, 'configuration-' || configuration as configuration_id,
    md5(point_id) as source_sha256, point_id || '.json' as source_path, '0#/jobs/0/' || operation as source_pointer,
    repetition_index, 'fio' as tool, 'fio-3.42' as tool_version, 'fio_json' as source_format, 'job' as scope,
    false as is_aggregate, false as is_partial, 'ok' as outcome, operation, access_pattern, read_ratio,
    cast(block_size_bytes as bigint) as block_size_bytes, queue_depth, 1 as process_count,
    'outstanding' as load_basis, 60.0 as duration_seconds, cast(60 * rate as bigint) as operation_count,
    cast(60 * rate as bigint) * block_size_bytes as transferred_bytes, rate as operations_per_second,
    rate * block_size_bytes as throughput_bytes_per_second, 'total' as latency_kind, latency as latency_mean_seconds,
    'measured' as value_kind, 'point' as statistic, 'exact' as unit_basis, true as is_canonical
from rated
"""
OTHERS = (
    """
    insert into raw.submissions by name
    select distinct submission_id, 'Synthetic' as title, 'bench' as submitted_by, date '2026-01-01' as submitted_on,
        'CC-BY-4.0' as licence, 'raw_tool_output' as source_type, 'independent' as interest, 'active' as status
    from raw.results
    """,
    """
    insert into raw.configurations by name
    select distinct submission_id, configuration_id, configuration_id as title,
        case when right(submission_id, 1) in ('0', '2', '4', '6', '8') then configuration_id else 'Default' end
        as setting_set,
        'Maker' as system_vendor, 'Model' as system_model, 'Processor' as cpu_model, 3.0e9 as cpu_nominal_hertz,
        'none' as virtualisation, 'single' as storage_topology, 1 as drive_count, 'fio' as tool,
        'pts' as preconditioning_class, 'pts' as steady_state_class, cast(34359738368 as bigint) as measurement_area_bytes,
        'yes' as file_written, 'random' as data_pattern, 'direct' as cache_bypass, 1 as process_count,
        30 as known_field_count, 40 as required_field_count, 0.75 as completeness_ratio
    from raw.results
    """,
    """
    insert into raw.drives by name
    select submission_id, configuration_id, 1 as position_index, 'data' as role, 1 as drive_count,
        'drive-' || cast(right(submission_id, 6) as bigint) % 50 as device_id, 'Maker' as vendor,
        case when setting_set = 'Default' then configuration_id end as firmware, 'ssd_nvme' as media_class,
        cast(800000000000 as bigint) as capacity_bytes
    from raw.configurations
    """,
)


class Cost(NamedTuple):
    """What one build took: results, seconds of dbt and of plain DuckDB, peak memory in MiB, rows of all marts."""

    result_count: int
    dbt_seconds: float
    duckdb_seconds: float
    memory_mebibytes: float
    row_count: int


def fill(database: Path, results: int) -> int:
    """Write the raw tables of about so many synthetic results into a new DuckDB file; return how many there are."""
    with duckdb.connect(database) as connection:
        connection.execute("create schema raw")
        for name, table in tables().items():
            connection.register("arriving", arrow_schema(table).empty_table())
            connection.execute(f'create table raw."{name}" as from arriving')
            connection.unregister("arriving")
        connection.execute(RESULTS.format(submissions=max(results // PER_SUBMISSION, 1)))
        for statement in OTHERS:
            connection.execute(statement)
        counted = connection.execute("select count(*) from raw.results").fetchone()
    return int(counted[0]) if counted else 0


def build(scratch: Path, database: Path) -> None:
    """Build all models with dbt, without its tests, in a process of its own."""
    dbt = Path(sys.executable).with_name("dbt")
    command = [str(dbt), "--quiet", "build", "--profiles-dir", ".", "--exclude-resource-type", "test", "unit_test"]
    paths = {"IOLEDGER_DBT_PATH": str(database), "DBT_TARGET_PATH": str(scratch), "DBT_LOG_PATH": str(scratch)}
    environment = {**os.environ, **paths, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    subprocess.run(command, check=True, cwd=ROOT, env=environment)  # noqa: S603  (own program)


def repeat(scratch: Path, database: Path) -> None:
    """Run the SQL that dbt made, in its order, in this process; seeds are there already."""
    nodes = orjson.loads((scratch / "run_results.json").read_bytes())["results"]
    files = orjson.loads((scratch / "manifest.json").read_bytes())["nodes"]
    with duckdb.connect(database) as connection:
        connection.execute("set threads = 1")
        for node in nodes:
            described = files.get(node["unique_id"])
            if described and described["resource_type"] == "model":
                kind = "table" if described["config"]["materialized"] == "table" else "view"
                name = f'"{described["schema"]}"."{described["name"]}"'
                connection.execute(f"create or replace {kind} {name} as {node['compiled_code']}")


def measure(scratch: Path, results: int) -> Cost:
    """Build the marts of so many synthetic results twice, with dbt and without; return what it took."""
    scratch.mkdir()
    database = scratch / "models.duckdb"
    count = fill(database, results)
    started = time.monotonic()
    build(scratch, database)
    middle = time.monotonic()
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    repeat(scratch, database)
    ended = time.monotonic()
    with duckdb.connect(database, read_only=True) as connection:
        rows = "select sum(estimated_size) from duckdb_tables() where schema_name = 'main'"
        found = connection.execute(rows).fetchone()
    return Cost(count, middle - started, ended - middle, memory, int(found[0]) if found else 0)
