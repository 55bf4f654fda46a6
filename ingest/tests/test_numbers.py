"""The numbers that charts draw: the marts' own, with every result behind them, on a small submission of three runs."""

from __future__ import annotations

import hashlib
import json
import statistics
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import modelled
from hostile import FIXTURE, NAME, REPORT
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

DEPTHS = {4: (30000.0, 31000.0, 29000.0), 8: (50000.0, 52000.0, 51000.5), 16: (76100.0, 76300.0, 76207.0)}
BLOCK = 8192
TOLERANCE = 1e-11
MARTS = ("numbers", "number_operands", "quotients", "workloads", "configurations", "efficiencies")
RATES = ("operations_per_second", "throughput_bytes_per_second")


def _report(depth: int, rate: float) -> bytes:
    """
    Return fio's report of a mixed run: 67 % reads at this queue depth and total rate.

    The bytes are those of slightly more operations: fio's counts of operations and of bytes end at different moments.
    """
    report = json.loads((FIXTURE / REPORT).read_bytes())
    job = report["jobs"][0]
    job["job options"]["iodepth"] = str(depth)
    for operation, share in (("read", 0.67), ("write", 0.33)):
        part = job[operation]
        part["iops"] = rate * share
        part["total_ios"] = part["clat_ns"]["N"] = part["lat_ns"]["N"] = round(rate * share * 2)
        part["io_bytes"] = round(part["total_ios"] * 1.0006) * BLOCK
        part["bw_bytes"] = part["io_bytes"] // 2
        part["bw"] = part["bw_bytes"] // 1024
        part["io_kbytes"] = part["io_bytes"] // 1024
        part["lat_ns"]["mean"] = depth / rate * 1e9 * (0.9 if operation == "read" else 1.2)
    return json.dumps(report).encode()


@pytest.fixture(scope="module")
def database(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """Return a connection to the published tables of a submission with three runs at three depths."""
    folder = tmp_path_factory.mktemp("numbers") / NAME
    folder.mkdir()
    manifest, _, _ = (FIXTURE / "manifest.yaml").read_text(encoding="utf-8").partition("\nfiles:")
    manifest = manifest.replace("repetition_count: 1", "repetition_count: 3")
    manifest = manifest.replace("outstanding I/Os 8", f"outstanding I/Os {', '.join(map(str, DEPTHS))}")
    manifest += "\nfiles:\n"
    for depth, rates in DEPTHS.items():
        for run, rate in enumerate(rates, 1):
            data = _report(depth, rate)
            (folder / f"{depth}.{run}.json").write_bytes(data)
            digest = hashlib.sha256(data).hexdigest()
            manifest += (
                f"  - {{path: {depth}.{run}.json, sha256: {digest}, configuration: ext4-file, repetition: {run}}}\n"
            )
    (folder / "manifest.yaml").write_text(manifest, encoding="utf-8")
    scratch = tmp_path_factory.mktemp("dbt")
    build = modelled.run([folder], scratch, *(f"+{mart}" for mart in MARTS), before=sample / "build")
    with duckdb.connect() as connection:
        for path in [*build.glob("*.parquet"), *(build / "marts").glob("*.parquet")]:
            connection.execute(f"create or replace view \"{path.stem}\" as from '{path}'")
        yield connection


def _rows(database: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = database.sql(query).to_arrow_table().to_pylist()
    return found


def _page(database: duckdb.DuckDBPyConnection, name: str) -> list[dict[str, Any]]:
    """Return the rows of a page's query, which must not be empty."""
    rows = _rows(database, (ROOT / "site" / "data" / f"{name}.sql").read_text(encoding="utf-8"))
    assert rows, name
    return rows


def test_home_and_media_draw_the_peaks_of_the_mart(database: duckdb.DuckDBPyConnection) -> None:
    """A rate that was measured is drawn as measured, though the other rate over the block size would be larger."""
    peaks = {(row["load_profile"], row["metric"]): row["peak_value"] for row in _rows(database, "from peaks")}
    drawn = {(row["load_profile"], metric): row[metric] for row in _page(database, "media-peaks") for metric in RATES}
    assert drawn == peaks
    highest = pytest.approx(statistics.geometric_mean(DEPTHS[16]), 1e-3)
    assert peaks["Database", RATES[1]] / BLOCK > peaks["Database", RATES[0]] == highest


def test_media_draws_the_points_of_the_sweep_at_depth_one(database: duckdb.DuckDBPyConnection) -> None:
    """No depth 1 was measured, so nothing is drawn; with the depth named 4, the geometric mean of the three runs is."""
    query = (ROOT / "site" / "data" / "media-single.sql").read_text(encoding="utf-8")
    assert database.sql(query).fetchall() == []
    (row,) = _rows(database, query.replace("queue_depth = 1", "queue_depth = 4"))
    (sweep,) = _rows(database, "from points where queue_depth = 4")
    assert {name: row[name] for name in RATES} == {name: sweep[name] for name in RATES}
    assert row["operations_per_second"] == pytest.approx(statistics.geometric_mean(DEPTHS[4]), 1e-3)


def test_efficiency_divides_the_rate_of_the_mart(database: duckdb.DuckDBPyConnection) -> None:
    """Throughput per drive is the measured throughput over the drives, not IOPS times the block size."""
    peaks = {row["metric"]: row["peak_value"] for row in _rows(database, "from peaks")}
    for row in _page(database, "efficiency-drives"):
        for metric in RATES:
            assert row[f"{metric}_per_drive"] == peaks[metric] / row["drive_count"]
            assert row[f"{metric}_per_gigabyte"] == pytest.approx(
                peaks[metric] / row["capacity_bytes"] * 1e9, TOLERANCE
            )


def test_a_geometric_mean_has_both_halves_of_every_run(database: duckdb.DuckDBPyConnection) -> None:
    """Six results: reads and writes of three runs. Rates add, latencies are weighed, and the mean stands."""
    results = {row["result_id"]: row for row in _rows(database, "from results")}
    operands = defaultdict(list)
    for row in _rows(database, "from number_operands"):
        operands[row["number_id"]].append(row)
    means = _rows(database, "from numbers where number_kind = 'geometric_mean'")
    assert len(means) == 3 * len(DEPTHS)
    for number in means:
        metric = number["metric"]
        runs = defaultdict(list)
        for row in operands[number["number_id"]]:
            runs[row["repetition_id"]].append(results[row["result_id"]])
            assert results[row["result_id"]]["queue_depth"] == number["queue_depth"]
        assert [sorted(part["operation"] for part in parts) for parts in runs.values()] == [["read", "write"]] * 3
        weights = {"latency_mean_seconds": "operation_count"}.get(metric)
        values = [
            sum(part[metric] * part[weights] for part in parts) / sum(part[weights] for part in parts)
            if weights
            else sum(part[metric] for part in parts)
            for parts in runs.values()
        ]
        assert number["number_value"] == pytest.approx(statistics.geometric_mean(values), TOLERANCE)


def test_every_number_leads_to_results(database: duckdb.DuckDBPyConnection) -> None:
    """What a number is made of is a number too, down to geometric means and stated numbers, which have results."""
    numbers = {row["number_id"]: row for row in _rows(database, "from numbers")}
    with_results = {row["number_id"] for row in _rows(database, "from number_operands")}
    assert {row["number_kind"] for row in numbers.values()} == {"geometric_mean", "peak", "per_drive", "per_gigabyte"}
    for number_id, row in numbers.items():
        made_of = [row[side] for side in ("a_number_id", "b_number_id") if row[side]]
        assert (number_id in with_results) == (not made_of)
        assert all(made in numbers for made in made_of)


@pytest.mark.parametrize("name", ["media-peaks", "queue-depth", "efficiency-drives"])
def test_every_link_of_a_symbol_names_a_number_with_the_value_drawn(
    name: str, database: duckdb.DuckDBPyConnection
) -> None:
    """The address has the place of the number; with the metric that is shown it is the number."""
    numbers = {row["number_id"]: row["number_value"] for row in _rows(database, "from numbers")}
    shown = 0
    for row in _page(database, name):
        page, _, place = row["href"].partition("#n-")
        assert page == f"submissions/{NAME}"
        for metric in {number.partition("-")[2] for number in numbers if number.startswith(place)}:
            assert row[metric] == numbers[f"{place}-{metric}"]
            shown += 1
    assert shown > 1


def test_no_query_of_a_page_derives_a_rate() -> None:
    """IOPS and throughput follow from each other in the models only, where a test says when."""
    queries = sorted((ROOT / "site" / "data").glob("*.sql")) + sorted((ROOT / "site" / "queries").glob("*.sql"))
    found = [
        path.name for path in queries if "* block_size" in (text := Path(path).read_text()) or "/ block_size" in text
    ]
    assert found == []
