"""What a difference means to a comparison: roles of columns as data, one effect per column, the worst is the grade."""

from __future__ import annotations

import csv
from itertools import product

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ioledger.build.functions import register
from ioledger.comparison import effects
from ioledger.comparison.effects import COMPARED_TABLES, FLAGS, FORMS, canonical, role_effect, roles, words_of
from ioledger.tables.schema import ROOT, tables


def test_every_column_that_a_comparison_reads_has_a_role() -> None:
    """A new column says what it means to a comparison before anything can be compared with it."""
    found = [f"{table}.{column.name}" for table in COMPARED_TABLES for column in tables()[table].columns]
    assert sorted(set(found) - roles().keys()) == []


def test_roles_speak_in_words_that_exist() -> None:
    """Conditions ask for flags of a comparison, and comparable forms are those of the code."""
    asked = frozenset(word for role in roles().values() for word in words_of(role))
    by_values = {
        "both_unknown", "constant_side", "inferred_side", "on_against_off", "other_drives", "sync_against_async",
        "virtual_against_real", "weighty_option",
    }  # fmt: skip
    assert asked - {f"question={each}" for each in effects.QUESTIONS} == FLAGS - {"same_bench"} | by_values
    assert {role.compared_as for role in roles().values()} == set(FORMS)


def test_unknown_never_pleads_for_a_key() -> None:
    """Keys differ to X and are unknown to C, except for the base of a unit, without which there is no number."""
    keys = {name: (role.if_differs, role.if_unknown) for name, role in roles().items() if role.role == "key"}
    assert {name for name, effects in keys.items() if effects != ("X", "C")} == {
        "configurations.unit_base",
        "results.unit_basis",
    }
    silent = {"subject", "validity", "measure", "context"}
    assert {name for name, role in roles().items() if role.role in silent and role.if_differs} == set()


def test_a_misspelt_flag_or_column_is_said() -> None:
    """In silence it would make a comparison look better, or worse, than it is."""
    with pytest.raises(ValueError, match="no flag of a comparison: writting"):
        role_effect("drives.write_cache", "none", "enabled", "cleared,writting")
    with pytest.raises(ValueError, match="one question"):
        role_effect("drives.write_cache", "none", "enabled", "question=array,question=area")
    with pytest.raises(ValueError, match=r"'drives\.write_cash' has no role"):
        canonical("drives.write_cash", "none")


SAME = {
    "drives.write_cache": [["enabled", "Enabled "], ["disabled"], ["none"]],
    "configurations.filesystem": [["ext4", "EXT4"], ["ntfs"], ["raw"]],
    "configurations.kernel": [["6.1.0-18-amd64", "6.1.99", "Linux 6.1"], ["6.10.1"], ["5.15.0-91-generic"]],
    "configurations.operating_system": [["Debian 12", "debian  12"], ["Debian 11"], ["Linux"]],
    "results.engine": [["libaio", "LIBAIO"], ["io_uring"], ["psync"], ["Iometer", "iometer"], ["mmap"]],
    "configurations.cpu_nominal_hertz": [["2.5e9", "2500000000.0", "2600000000"], ["3e9"]],
    "configurations.tool_version": [["fio-3.33", "3.33"], ["3.3"], ["fio-3.35-12-gabcdef"]],
    "configurations.alignment_bytes": [["4096", "1048576"], ["512"], ["100"]],
    "configurations.measurement_area_bytes": [["0.02", "2e-2"], ["0.4"], ["1"]],
    "configurations.reported_run": [["all", "mean", "last"], ["best"]],
}
"""Texts of one list mean the same; texts of two lists do not."""


@pytest.mark.parametrize("column", SAME)
def test_one_thing_in_several_words(column: str) -> None:
    """Is one thing, and two things are two."""
    forms = [{canonical(column, text) for text in texts} for texts in SAME[column]]
    assert [len(each) for each in forms] == [1] * len(forms)
    assert len(set[str | None]().union(*forms)) == len(forms)
    assert None not in set[str | None]().union(*forms)


@pytest.mark.parametrize(
    ("column", "text"),
    [
        *((column, None) for column in ("drives.write_cache", "results.engine")),
        ("results.unit_basis", "unknown"),
        ("configurations.file_written", "unknown"),
        *(("configurations.measurement_area_bytes", text) for text in ("/", "4096/", "/960", "4096", "nan/1", "x/y")),
    ],
)
def test_what_cannot_be_told_is_unknown(column: str, text: str | None) -> None:
    """An area without its capacity says nothing of the seeks."""
    assert canonical(column, text) is None


EFFECTS = [
    ("configurations.setting_set", "Performance", "Default", "both_raw,cleared,deep,writes", None),
    ("settings.value", "C1", "C6", "both_raw,cleared,deep,writes", "B"),
    ("results.engine", "io_uring", "libaio", "both_raw,cleared,deep,writes", "B"),
    ("results.engine", "io_uring", "psync", "both_raw,cleared,deep,writes", "X"),
    ("results.engine", "io_uring", "psync", "both_raw,cleared,writes", "B"),
    ("configurations.filesystem", "raw", "ext4", "both_raw,cleared,deep,writes", "B"),
    ("configurations.filesystem", "raw", "ext4", "both_raw,buffered,cleared,deep,writes", "X"),
    ("results.is_direct", "false", "false", "both_raw,buffered,cleared,deep,writes", None),
    ("configurations.filesystem", "ext4", "zfs", "both_raw,cleared,deep,writes", "X"),
    ("configurations.filesystem", "ext4", "ext4", "both_raw,cleared,deep,writes", None),
    ("configurations.mount_options", "noatime", "noatime,discard", "both_raw,cleared,deep,writes", "X"),
    ("configurations.mount_options", "noatime", "noatime,discard", "both_raw,cleared,deep,reads", "B"),
    ("configurations.io_scheduler", "none", "bfq", "both_raw,cleared,deep,writes", "B"),
    ("drives.write_cache", "enabled", "disabled", "both_raw,cleared,deep,writes", "X"),
    ("drives.write_cache", "enabled", "disabled", "both_raw,cleared,deep,reads", None),
    ("drives.write_cache", "none", "enabled", "both_raw,cleared,deep,writes", "B"),
    ("drives.write_cache", "none", None, "both_raw,cleared,deep,writes", "C"),
    ("drives.lba_format", "512/4096", "4096/4096", "both_raw,cleared,deep,writes", "B"),
    ("drives.lba_format", "512/512", "4096/4096", "below_sector,both_raw,cleared,deep,writes", "X"),
    ("configurations.cpu_nominal_hertz", "2.5e9", "3.5e9", "both_raw,deep,small_fast,writes", "X"),
    ("configurations.cpu_nominal_hertz", "2.5e9", "3.5e9", "both_raw,cleared,deep,small_fast,writes", "B"),
    ("configurations.preconditioning_class", "filled", "aged", "both_raw,cleared,deep,writes", "X"),
    ("configurations.preconditioning_class", "filled", "aged", "both_raw,cleared,deep,reads", "B"),
    ("configurations.preconditioning_class", "aged", None, "both_raw,cleared,deep,writes", "C"),
    ("configurations.steady_state_class", "none", "none", "both_raw,cleared,deep,writes", "B"),
    ("configurations.steady_state_class", "pts", "none", "both_raw,cleared,deep,writes", "X"),
    ("configurations.steady_state_class", "pts", "none", "both_raw,cleared,deep,reads", None),
    ("configurations.measurement_area_bytes", "0.008", "1.0", "both_raw,cleared,deep,writes", "X"),
    ("configurations.measurement_area_bytes", "0.008", "1.0", "both_raw,cleared,deep,reads", "B"),
    ("configurations.measurement_area_bytes", "0.008", "1.0", "both_raw,cleared,deep,reads,rotating", "X"),
    ("configurations.virtualisation", "none", "kvm", "both_raw,cleared,deep,writes", "X"),
    ("configurations.virtualisation", None, None, "both_raw,cleared,deep,writes", "C"),
    ("configurations.virtualisation", None, None, "both_raw,cleared,deep,same_bench,writes", "B"),
    ("configurations.bios_version", None, None, "both_raw,cleared,deep,same_bench,writes", None),
    ("configurations.cpu_power_state", None, None, "both_raw,cleared,deep,writes", "B"),
    ("submissions.source_type", "raw_tool_output", "vendor_paper", "cleared,deep,writes", "B"),
    ("results.process_count", "1", "4", "both_raw,cleared,deep,writes", "B"),
    ("results.process_count", "1", "4", "both_raw,cleared,deep,sequential,writes", "X"),
    ("configurations.bios_version", None, "2.0", "both_raw,cleared,deep,writes", None),
    ("configurations.cpu_model", "C1", "C2", "both_raw,cleared,deep,writes", "B"),
    ("configurations.kernel", "6.1", "6.12", "both_raw,cleared,deep,writes", "B"),
    ("configurations.data_pattern", "zero", "incompressible", "both_raw,cleared,deep,writes", "X"),
    ("configurations.preconditioning_class", "aged", "pts", "writes", "B"),
    ("configurations.preconditioning_class", None, "pts", "reads", None),
    ("configurations.steady_state_class", "pts", "fio", "writes", "B"),
    ("configurations.steady_state_class", "none", "stated", "writes", "B"),
    ("configurations.steady_state_class", "pts", "pts", "writes", None),
    ("configurations.measurement_area_bytes", "100e9/400e9", "250e9/960e9", "writes", "B"),
    ("configurations.measurement_area_bytes", "100e9/400e9", "190e9/960e9", "writes", None),
    ("configurations.measurement_area_bytes", "16e9/1e12", "16e9/2e12", "writes", None),
    ("configurations.measurement_area_bytes", "16e9/1e12", "16e9/256e9", "writes", None),
    ("configurations.measurement_area_bytes", "16e9/1e12", "128e9/1e12", "writes", "X"),
    ("configurations.virtualisation", "kvm", "vmware", "", "B"),
    ("configurations.memory_bytes", "17179869184", "16000000000", "", None),
    ("configurations.memory_bytes", "17179869184", "34359738368", "", "B"),
    ("configurations.memory_bytes", "17179869184", "34359738368", "small_memory", "X"),
    ("configurations.run_time_seconds", "60", "240", "writes", None),
    ("configurations.run_time_seconds", "60", "300", "writes", "B"),
    ("configurations.file_written", "no", "yes", "reads", "X"),
    ("configurations.file_written", "no", "yes", "writes", None),
    ("configurations.mount_options", "noatime", "noatime,data=journal", "writes", "X"),
    ("configurations.mount_options", None, None, "writes", "B"),
    ("configurations.mount_options", None, None, "raw_device,writes", None),
    ("configurations.allocation_unit_bytes", "4096", "65536", "below_unit,writes", "X"),
    ("configurations.allocation_unit_bytes", None, None, "raw_device", None),
    ("configurations.io_scheduler", None, None, "", "B"),
    ("configurations.io_scheduler", None, None, "without_linux", None),
    ("configurations.raid_implementation", "operating_system", "controller", "array", "X"),
    ("configurations.raid_implementation", None, "controller", "array,question=array,single", None),
    ("configurations.raid_implementation", "operating_system", "controller", "array,question=array", "X"),
    ("configurations.raid_stripe_bytes", "16384", "65536", "array", "B"),
    ("configurations.raid_stripe_bytes", "16384", "65536", "array,sequential", "X"),
    ("configurations.controller_model", "PERC", "not applicable", "array", "X"),
    ("configurations.controller_cache_policy", "write_back", "write_through", "controller_cache,writes", "X"),
    ("configurations.controller_cache_policy", "write_back", "write_through", "controller_cache,reads", "B"),
    ("configurations.controller_cache_policy", "write_back", "write_through", "writes", None),
    ("configurations.data_pattern", "compressible", "incompressible", "writes", "B"),
    ("configurations.data_pattern", "compressible", "incompressible", "compressing,writes", "X"),
    ("configurations.data_pattern", "zero", None, "writes", "C"),
    ("configurations.reported_run", "best", "all", "", "B"),
    ("configurations.reported_run", "best", None, "both_raw", None),
    ("configurations.alignment_bytes", "4096", "512", "", "B"),
    ("configurations.alignment_bytes", "4096", "512", "misaligned,writes", "X"),
    ("configurations.filesystem", "zfs", None, "", "C"),
    ("drives.media_class", "virtual", "ssd_nvme", "", "X"),
    ("drives.media_class", "virtual", "virtual", "", None),
    ("drives.media_class", "hdd", "ssd_nvme", "", None),
    ("drives.media_class", None, "ssd_nvme", "", "C"),
    ("drives.write_cache", "none", "enabled", "same_device,writes", "X"),
    ("drives.write_cache", "enabled; none", "disabled", "writes", "X"),
    ("drives.link_negotiated", "PCIe 3.0 x4", "PCIe 3.0 x2", "big_block,same_device", "X"),
    ("drives.link_negotiated", "PCIe 3.0 x4", "PCIe 3.0 x2", "big_block", None),
    ("drives.overprovisioning", "factory", "28 %", "same_device,writes", "X"),
    ("drives.overprovisioning", "factory", "28 %", "writes", "B"),
    ("drives.firmware", "A", "B", "same_device", None),
    ("drives.firmware", "A", "B", "question=replication,same_device", "X"),
    ("drives.firmware", "A", None, "question=setting", "C"),
    ("drives.firmware", "A", "B", "question=firmware", None),
    ("drives.device_id", "a", "b", "question=array", "X"),
    ("drives.device_id", "a", "b", "", None),
    ("drives.role", "4 data", "1 data", "", "X"),
    ("drives.role", "4 data", "1 data", "question=array", None),
    ("drives.role", "1 data, 1 log", "1 data", "question=array", "X"),
    ("configurations.storage_topology", "single", "raid0", "", "X"),
    ("configurations.storage_topology", "single", "raid0", "question=array", None),
    ("settings.value", "on", "off", "question=setting", None),
    ("settings.value bios c-states", "on", "disabled", "", "B"),
    ("settings.value", "on", None, "", None),
    ("configurations.measurement_area_bytes", "0.01", "1", "question=area,writes", None),
    ("results.engine", "psync", "io_uring", "deep,question=engine", None),
    ("results.engine", "psync", None, "deep", "C"),
    ("results.engine", "libaio", None, "deep", "B"),
    ("results.engine", "Iometer", "libaio", "deep", "B"),
    ("results.engine", "sync", "psync", "deep", "B"),
    ("results.engine", "mmap", "posixaio", "deep", "X"),
    ("results.engine", "windowsaio", "libaio", "deep", "B"),
    ("results.process_count", "1", "4", "cleared,synchronous", "X"),
    ("results.process_count", "1", "4", "", "X"),
    ("results.queue_depth_low", "1, 2", "1, 4", "peak", "B"),
    ("results.queue_depth_low", "1, 2", "1, 4", "peak,saturated", None),
    ("results.queue_depth_origin", "stated", "job", "", None),
    ("results.queue_depth_origin", "inferred", "inferred", "", "B"),
    ("results.queue_depth_origin", "inferred", None, "", None),
    ("results.latency_kind", "total", "completion", "latency", "X"),
    ("results.latency_kind", "total", "completion", "", None),
    ("results.unit_basis", "unknown", "base2", "printed_throughput", "X"),
    ("results.load_basis", "users", "outstanding", "", "X"),
    ("results.access_pattern", None, None, "same_section", "C"),
    ("results.access_pattern", None, None, "", "X"),
    ("results.access_pattern", None, "random", "same_section", "X"),
    ("results.block_size_max_bytes", "4096", "8192", "", "X"),
    ("results.block_size_max_bytes", "4096", "8192", "question=block_size", None),
    ("results.read_ratio", "0.67", "0.66999", "", None),
    ("results.read_ratio", "0.67", "0.5", "question=write_share", None),
    ("results.job_options", '{"rate":"1m"}', '{"filename":"x"}', "", "X"),
    ("results.job_options", '{"filename":"y"}', '{"filename":"x"}', "", None),
    ("submissions.source_type", "press", "press", "", "B"),
    ("submissions.source_type", "excerpt", "excerpt", "", None),
    ("submissions.source_type", "raw_tool_output", "excerpt", "", None),
    ("submissions.source_type", "press", "excerpt", "", "B"),
    ("configurations.steady_state_class", "not applicable", "not applicable", "writes", None),
    ("configurations.steady_state_class", "not applicable", "none", "writes", "X"),
    ("configurations.io_scheduler", "not applicable", "none", "", "B"),
    ("configurations.cpu_nominal_hertz", "2e9", "3e9", "question=configurations.cpu_nominal_hertz", None),
]


@pytest.mark.parametrize(("column", "a", "b", "context", "expected"), EFFECTS)
def test_an_effect_in_its_context(
    column: str, a: str | None, b: str | None, context: str, expected: str | None
) -> None:
    """The cases that roles tell apart, both ways round, and from values that are in comparable form already."""
    assert role_effect(column, a, b, context) == role_effect(column, b, a, context) == expected
    if column != "submissions.source_type":
        assert role_effect(column, canonical(column, a), canonical(column, b), context) == expected


WORDS = sorted(
    {text for texts in SAME.values() for same in texts for text in same}
    | {"pts", "fio", "stated", "aged", "filled", "raid0", "single", "hdd", "virtual", "best", "inferred", "press"}
    | {"raw_tool_output", "not applicable", "zfs", "btrfs", "1", "4", "0.5", "60", "300", "; ", "∞", "1e400", "-1"}
)
TEXTS = st.one_of(st.sampled_from(WORDS), st.text(max_size=12))
CONTEXTS = st.builds(
    lambda held, question: ",".join(sorted(held | ({f"question={question}"} if question else set()))),
    st.sets(st.sampled_from(sorted(FLAGS)), max_size=8),
    st.sampled_from((*effects.QUESTIONS, "")),
)
COLUMNS = st.sampled_from(sorted(roles()))
MAY_STAND = {"configurations.steady_state_class", "submissions.source_type", "results.queue_depth_origin"}
"""Columns of which equal values leave a reservation: two printed figures are not two measured ones."""


def _rank(effect: str | None) -> int:
    return "BCX".index(effect) + 1 if effect else 0


@given(COLUMNS, TEXTS, TEXTS, CONTEXTS)
def test_the_order_of_the_sides_does_not_matter(column: str, a: str, b: str, context: str) -> None:
    """A against B is as comparable as B against A."""
    assert role_effect(column, a, b, context) == role_effect(column, b, a, context)
    assert role_effect(column, a, None, context) == role_effect(column, None, a, context)


@given(COLUMNS, TEXTS, CONTEXTS)
def test_what_is_equal_and_known_has_no_effect(column: str, value: str, context: str) -> None:
    """Except where the role says that equal is not enough."""
    if canonical(column, value) is not None and column not in MAY_STAND:
        assert role_effect(column, value, value, context) is None


@given(COLUMNS, TEXTS, CONTEXTS)
def test_nothing_improves_by_not_being_known(column: str, value: str, context: str) -> None:
    """Leaving out what is equal never lifts a grade, unless both sides share a bench that hides it."""
    known, half, none = (role_effect(column, a, b, context) for a, b in ((value, value), (value, None), (None, None)))
    if column not in MAY_STAND and canonical(column, value) is not None:
        assert _rank(known) <= _rank(half)
    if "same_bench" not in context:
        assert _rank(none) >= _rank(known) or column in MAY_STAND


@given(COLUMNS, TEXTS)
def test_a_comparable_form_is_its_own(column: str, value: str) -> None:
    """What is comparable already stays as it is."""
    found = canonical(column, value)
    assert canonical(column, found) == found


def test_keys_that_differ_are_never_waived_by_a_bench() -> None:
    """Sharing a bench excuses what nobody could read, not what was read and differs."""
    for column, role in roles().items():
        for held, b in product(("both_raw,same_bench", "both_raw"), ("other", None)):
            if role.role == "key" and role.applies_to == "all" and role.compared_as == "text":
                assert role_effect(column, "one", b, held) == ("X" if b else "C")


def test_sql_says_the_same() -> None:
    """Nulls on either side, many rows at once, and each row as Python answers it."""
    pairs = [(column, a, b, context) for column, a, b, context, _ in EFFECTS] + [("settings.value", None, None, None)]
    with duckdb.connect() as connection:
        register(connection)
        connection.execute("create table pairs (place int, name varchar, a varchar, b varchar, context varchar)")
        connection.executemany(
            "insert into pairs values (?, ?, ?, ?, ?)", [(at, *pair) for at, pair in enumerate(pairs)]
        )
        found = connection.execute(
            "select role_effect(name, a, b, context), canonical(name, a) from pairs order by place"
        ).fetchall()
        assert connection.execute('select load_options(null), load_options(\'{"fsync":"8"}\')').fetchone() == (
            "{}",
            '{"fsync":8}',
        )
        with pytest.raises(duckdb.Error, match="has no role"):
            connection.execute("select role_effect('drives.colour', 'red', 'blue', '')")
    assert found == [(role_effect(*pair), canonical(*pair[:2])) for pair in pairs]


def test_the_seed_of_roles_has_every_column() -> None:
    """In the order of the schemas, which is how models list differences."""
    with (ROOT / "models" / "seeds" / "known_roles.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [f"{row['table_name']}.{row['column_name']}" for row in rows] == list(roles())
    assert {row["label"] for row in rows} >= {"write cache", "block format", "I/O engine"}
    assert all(row["label"] and row["reason"] for row in rows)
