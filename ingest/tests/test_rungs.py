"""Saved queries about drives side by side: the ladder, curves, benches, numbers of drives, blocks and tails."""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import modelled
from dataset import DISK, FUJITSU, ROOT
from ioledger.readers.published.figures import COLUMNS
from ioledger.submission import safe_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

FIXTURES = Path(__file__).parent / "fixtures"
FOLDER = "2026-11-tester-rungs"
DOUBT = {
    "kind": "doubtful",
    "effect": "excluded",
    "reason": "another number of threads is likely",
    "known_from": "page",
}
MEASURED = {  # configuration: at each queue depth of 4 KiB random reads, IOPS and mean latency in µs
    "ssd-here": {1: (10000, 99), 4: (36000, 110), 8: (30000, 265)},
    "ssd-there": {1: (12500, 79)},
    "ssd-doubtful": {1: (90000, 11)},
    "ssd-four": {1: (9900, 100), 4: (38000, 104)},
}
ASKED = ("configurations", "peaks", "points", "submissions", "validity_checks", "workloads")
"""The marts that the saved queries of one publication look at."""
Rows = list[dict[str, Any]]


def _figures() -> Iterator[dict[str, object]]:
    shared = {"is_canonical": "true", "value_kind": "measured", "unit_base": "exact", "section": "Results", "line": 1}
    load = {
        "operation": "read",
        "access_pattern": "random",
        "read_ratio": 1,
        "block_size_bytes": 4096,
        "process_count": 1,
    }
    load |= {"record_kind": "measured", "load_basis": "outstanding"}
    for configuration, steps in MEASURED.items():
        for depth, (rate, latency) in steps.items():
            said = {**shared, **load, "queue_depth": depth, "configuration_id": configuration}
            for name, statistic, value, unit in (
                ("operations_per_second", "point", rate, "IOPS"), ("latency", "mean", latency, "µs"),
            ):  # fmt: skip
                number = {"quantity": name, "statistic": statistic, "printed_value": value, "printed_unit": unit}
                yield {**said, **number, "printed_text": value, "figure_id": f"{configuration}.{depth}.{name}"}
    stated = {**shared, "record_kind": "stated_spec", "value_kind": "stated_spec"}
    claim = {"quantity": "operations_per_second", "printed_value": 15000, "printed_unit": "IOPS", "printed_text": "15K"}
    yield {**load, **stated, **claim, "queue_depth": 1, "configuration_id": "ssd-here", "figure_id": "stated"}
    seek = {"quantity": "seek_time", "statistic": "mean", "printed_value": 8.5, "printed_unit": "ms"}
    yield {
        **stated,
        **seek,
        "operation": "read",
        "printed_text": "8.5",
        "configuration_id": "disk",
        "figure_id": "seek",
    }


def _manifest() -> dict[str, Any]:
    text = (FIXTURES / "submission" / "manifest.yaml").read_text(encoding="utf-8")
    document: dict[str, Any] = safe_yaml.load_yaml(text.split("\nfiles:")[0].encode())[0]
    citation = dict.fromkeys(("title", "publisher", "version", "date", "url"), "invented")
    drive = {**document["devices"].pop("virtio-blk-256gib"), "vendor": "Maker", "link_negotiated": "unknown"}
    whole = document["configurations"].pop("ext4-file")
    count = {"ssd-four": 4}
    document["devices"] = {
        "quick": {**drive, "model": "Quick", "media_class": "ssd_nvme"},
        "slow": {**drive, "model": "Slow", "media_class": "hdd", "rotation_hertz": 120},
    }
    document["configurations"] = {
        name: {
            **whole,
            "storage": {
                **whole["storage"],
                "storage_topology": "independent" if name in count else "single",
                "drives": [{"device": "slow" if name == "disk" else "quick", "count": count.get(name, 1)}],
            },
            "software": {**whole["software"], "io_scheduler": "none"},
            **({"reservations": [DOUBT]} if name == "ssd-doubtful" else {}),
        }
        for name in (*MEASURED, "disk")
    }
    there = document["configurations"]["ssd-there"]
    there["software"] = {**there["software"], "io_scheduler": "mq-deadline"}
    return {**document, "source_type": "press", "citation": citation}


@pytest.fixture(scope="module")
def rungs(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> duckdb.DuckDBPyConnection:
    """Return the tables of one publication that measured a drive on two benches, alone and as one of four."""
    folder = tmp_path_factory.mktemp("data") / FOLDER
    folder.mkdir()
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_figures())
    content = text.getvalue().encode()
    (folder / "figures.csv").write_bytes(content)
    listed = [{"path": "figures.csv", "sha256": hashlib.sha256(content).hexdigest(), "role": "publication"}]
    (folder / "manifest.yaml").write_text(safe_yaml.dump_yaml({**_manifest(), "files": listed}), encoding="utf-8")
    asked = (f"+{mart}" for mart in ASKED)
    build = modelled.run([folder], tmp_path_factory.mktemp("dbt"), *asked, before=sample / "build")
    connection = duckdb.connect()
    for path in (*build.glob("raw/*.parquet"), *build.glob("marts/*.parquet")):
        connection.execute(f"create or replace view {path.stem} as from '{path}'")
    return connection


def _asked(name: str, connection: duckdb.DuckDBPyConnection) -> Rows:
    answer = connection.cursor().sql((ROOT / "site" / "queries" / f"{name}.sql").read_text(encoding="utf-8"))
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()]


def test_a_ladder_has_measured_stated_and_mechanical_rungs(rungs: duckdb.DuckDBPyConnection) -> None:
    """At queue depth 1 and at the peak; what is excluded is on none, and a peak of one depth is none."""
    rows = _asked("ladder", rungs)
    found = {(row["rung"], row["origin"], row["configuration_id"]): row["operations_per_second"] for row in rows}
    assert found == {
        ("queue depth 1", "bound of the mechanics", "disk"): pytest.approx(1 / (0.0085 + 0.5 / 120)),
        ("queue depth 1", "measured", "ssd-here"): 10000,
        ("queue depth 1", "stated", "ssd-here"): 15000,
        ("queue depth 1", "measured", "ssd-there"): 12500,
        ("peak", "measured", "ssd-here"): 36000,
    }
    assert {row["evidence"] for row in rows} == {"printed figure", "stated", "bound of the mechanics"}


def test_an_operating_curve_says_which_steps_are_beaten(rungs: duckdb.DuckDBPyConnection) -> None:
    """Eight requests give less than four, and later; the share of the peak is that of the curve."""
    here = [row for row in _asked("operating-curves", rungs) if row["configuration_id"] == "ssd-here"]
    assert [(row["queue_depth"], row["is_beaten"]) for row in here] == [(1, False), (4, False), (8, True)]
    assert [row["share_of_peak_ratio"] for row in here] == pytest.approx([10 / 36, 1, 30 / 36])


def test_an_operating_curve_shows_what_is_excluded_as_such(rungs: duckdb.DuckDBPyConnection) -> None:
    """It is still a curve; the reason stands beside it."""
    rows = _asked("operating-curves", rungs)
    assert {row["configuration_id"] for row in rows if row["is_excluded"]} == {"ssd-doubtful"}
    assert all(row["verdicts"] for row in rows if row["is_excluded"])


def test_one_drive_on_two_benches_shows_how_far_they_lie_apart(rungs: duckdb.DuckDBPyConnection) -> None:
    """Equal load, depth and processes; four drives are another storage, and doubtful numbers do not count."""
    rows = _asked("same-drive", rungs)
    assert [(row["queue_depth"], row["io_scheduler"], row["operations_per_second"]) for row in rows] == [
        (1, "none", 10000),
        (1, "mq-deadline", 12500),
    ]
    assert {row["spread_ratio"] for row in rows} == {1.25}


def test_several_drives_are_held_against_the_fewest_at_the_same_load(rungs: duckdb.DuckDBPyConnection) -> None:
    """At equal queue depth in total and the same scheduler: four drives give 38/36 of one, 0.26 each."""
    rows = [row for row in _asked("drives-scaling", rungs) if row["queue_depth"] == 4]
    assert [(row["drive_count"], row["factor_ratio"]) for row in rows] == [(1, 1), (4, pytest.approx(38 / 36))]
    assert rows[1]["efficiency_ratio"] == pytest.approx(38 / 36 / 4)
    assert rows[1]["operations_per_drive_per_second"] == 9500


@pytest.fixture(scope="module")
def tables(sample: Path) -> duckdb.DuckDBPyConnection:
    """Return the database of the tests' own dataset."""
    return duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True)


def test_block_sizes_stand_beside_each_other_by_operation(tables: duckdb.DuckDBPyConnection) -> None:
    """Of each size the best of all depths: the drive of the paper at 8 and 64 KiB, random and mixed."""
    rows = [row for row in _asked("block-sizes", tables) if row["configuration_id"] == "p3700-1x"]
    mixed = [row for row in rows if (row["access_pattern"], row["operation"]) == ("random", "mixed")]
    assert {row["submission_id"] for row in mixed} == {FUJITSU}
    assert {
        (row["block_size_bytes"], row["read_ratio"]): (row["operations_per_second"], row["queue_depth"])
        for row in mixed
    } == {(8192, 0.67): (193000, 512), (65536, 0.67): (30000, 512), (65536, 0.5): (29000, 512)}


def test_a_tail_is_told_at_each_depth_and_as_a_multiple_of_the_median(tables: duckdb.DuckDBPyConnection) -> None:
    """One row per step, operation and kind of latency; too few operations for p99.9 leave it null."""
    rows = [row for row in _asked("tail-by-depth", tables) if row["submission_id"] == DISK]
    keys = [
        (row["load_profile"], row["operation"], row["latency_kind"], row["section"], row["queue_depth"]) for row in rows
    ]
    assert len(set(keys)) == len(keys) > 1
    supported = [row for row in rows if row["is_p999_supported"]]
    assert supported
    for row in supported:
        assert row["tail_ratio"] == pytest.approx(row["p999_seconds"] / row["median_seconds"])
        assert row["median_seconds"] <= row["p99_seconds"] <= row["p999_seconds"]
    unsupported = [row for row in rows if not row["is_p999_supported"]]
    assert unsupported
    assert {(row["p999_seconds"], row["tail_ratio"]) for row in unsupported} == {(None, None)}
