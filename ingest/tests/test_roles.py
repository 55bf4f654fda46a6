"""What a difference means to a comparison: roles of columns as data, one effect per column, the worst is the grade."""

from __future__ import annotations

import csv
from itertools import product

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import FIXTURES
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
    (column, a or None, b or None, context, effect or None)
    for column, a, b, context, effect in csv.reader((FIXTURES / "role_effects.csv").read_text("utf-8").splitlines()[1:])
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
