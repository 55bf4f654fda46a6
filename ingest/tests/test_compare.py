"""``ioledger compare``: quotients with verdicts and grades, what has none, and only the provenance that differs."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING

import duckdb
import pytest

from ioledger.cli import main
from ioledger.cli.compare import compared as compare
from ioledger.tables.schema import marts, tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    Run = Callable[..., CompletedProcess[str]]

SIDES = {
    "a_submission_id": "s1", "a_configuration_id": "fast", "b_submission_id": "s1", "b_configuration_id": "slow",
}  # fmt: skip
SENTENCE = (
    "A 4.00 times B [3.90, 4.10]: if direct I/O and write cache are equal, A faster, if runs spread by 10 %; "
    "grade C; same file set"
)
QUOTIENTS = [
    {"load_profile": "Database", "metric": "operations_per_second", "basis": "peak", "a_value": "200", "b_value": "50",
     "quotient_ratio": "4", "verdict": "A faster, if runs spread by 10 %", "verdict_sentence": SENTENCE,
     "comparability_grade": "C", "comparability_reasons": "direct I/O unknown; write cache unknown"},
    {"load_profile": "Restore", "metric": "throughput_bytes_per_second", "basis": "queue_depth=8",
     "verdict": "undecided", "verdict_sentence": SENTENCE, "comparability_grade": "C",
     "comparability_reasons": "direct I/O unknown"},
]  # fmt: skip
EXCLUDED = [
    {"load_profile": name, "metric": "operations_per_second", "bases": "peak", "reason": "key_differs",
     "reason_words": "file system differs: ext4 against zfs", "workload_id": name, "a_section": "x",
     "b_section": "x"} for name in ("File copy", "File server")
]  # fmt: skip
DIFFERENCES = [
    {"table_name": "drives", "column_name": "firmware", "effect": "none", "state": "differs"},
    {"table_name": "results", "column_name": "engine", "a_value": "libaio", "b_value": "psync", "effect": "B",
     "state": "differs"},
    {"table_name": "results", "column_name": "system_model", "effect": "B", "state": "unknown"},
]  # fmt: skip
MEASURED = [
    {"configuration_id": "fast", "peak_value": "123456.7"}, {"configuration_id": "slow", "peak_value": "0.5"},
]  # fmt: skip
TABLES = (
    "points", "peaks", "submissions", "configurations", "drives", "raw.settings", "quotients", "excluded_pairs",
    "configuration_differences",
)  # fmt: skip


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return a database with two submissions: s1 with fast and slow, s2 with slow and a name that tries to be SQL."""
    path = tmp_path / "some.duckdb"
    described = tables() | marts()
    with duckdb.connect(path) as connection:
        connection.execute("create schema raw")
        for name in TABLES:
            columns = ", ".join(f'"{column.name}" varchar' for column in described[name.removeprefix("raw.")].columns)
            connection.execute(f"create table {name} ({columns})")

        def put(table: str, **row: object) -> None:
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            insert = f"insert into {table} ({names}) values ({marks})"  # noqa: S608  (the test's own names)
            connection.execute(insert, list(row.values()))

        for submission, configuration, kernel in (
            ("s1", "fast", "6.1"), ("s1", "slow", "6.1"), ("s2", "slow", "5.4"), ("s2", "x' or '1'='1", "5.4"),
        ):  # fmt: skip
            put("configurations", submission_id=submission, configuration_id=configuration, kernel=kernel, title="t")
        put("drives", submission_id="s1", configuration_id="fast", firmware="A1", model="M")
        put("drives", submission_id="s1", configuration_id="slow", firmware="B2", model="M")
        put("raw.settings", submission_id="s1", configuration_id="fast", scope="bios", name="Turbo", value="on")
        put("configurations", submission_id="s3", configuration_id="alone", system_model="M", device_id="acme-1tb")
        for number, status, successor in ((1, "active", None), (2, "active", None), (4, "superseded", "s1")):
            put("submissions", submission_id=f"s{number}", status=status, superseded_by=successor)
        put("submissions", submission_id="s5", status="retracted")
        for number, configuration in ((4, "fast"), (4, "old"), (5, "wrong")):
            put("drives", submission_id=f"s{number}", configuration_id=configuration)
        for table, rows in (
            ("quotients", QUOTIENTS), ("excluded_pairs", EXCLUDED), ("configuration_differences", DIFFERENCES),
        ):  # fmt: skip
            for row in rows:
                put(table, **SIDES, **row)
        for row in MEASURED:
            of = {"submission_id": "s1", "section": "x", "workload_id": "File copy", "metric": "operations_per_second"}
            put("peaks", **of, **row)
    return path


def test_quotients_and_differences_of_two_configurations(database: Path) -> None:
    """
    The kernel and the model are the same, the firmware differs, and a setting is stated on one side only.

    What only the runs tell stands below, where it differs.
    """
    found, problems = compare(database, "fast", "s1/slow")
    assert problems == []
    assert found is not None
    assert (found.a, found.b) == (("s1", "fast"), ("s1", "slow"))
    assert [(row["load_profile"], row["comparability_grade"]) for row in found.quotients] == [
        ("Database", "C"),
        ("Restore", "C"),
    ]
    assert found.differences == [
        {"field": "drive: firmware", "a": "A1", "b": "B2", "effect": "none"},
        {"field": "setting: bios turbo", "a": "on", "b": "unknown", "effect": ""},
        {"field": "result: engine", "a": "libaio", "b": "psync", "effect": "B"},
    ]
    assert found.same_count == 2


def test_two_that_cannot_be_divided_are_still_put_side_by_side(database: Path) -> None:
    """No quotient, but what differs is listed."""
    found, _ = compare(database, "s2/slow", "s1/slow")
    assert found is not None
    assert found.quotients == []
    assert {"field": "kernel", "a": "5.4", "b": "6.1", "effect": ""} in found.differences


@pytest.mark.parametrize(
    ("name", "what", "remedy"),
    [
        ("slow", "2 configurations are called slow", "Use one of: s1/slow, s2/slow."),
        ("slwo", "no configuration is called slwo", "Did you mean s1/slow, s2/slow?"),
        ("s1/none", "no configuration is called s1/none", "Did you mean s1/fast, s1/slow?"),
        ("s2/slwo", "no configuration is called s2/slwo", "Did you mean s2/slow?"),
        ("s3/fast", "no configuration is called s3/fast", "Did you mean s1/fast, s3/alone?"),
        ("s9/fast", "no configuration is called s9/fast", "Did you mean s1/fast"),
        ("/fast", "no configuration is called /fast", "Did you mean s1/fast?"),
        ("x/s1/fast", "no configuration is called x/s1/fast", "Did you mean s1/fast"),
        ("nothing like it", "no configuration is called nothing like it", "List them with `ioledger sql"),
        ("fast' or '1'='1", "no configuration is called fast' or '1'='1", "Did you mean s2/x' or '1'='1"),
        ("s1", "s1 is a submission, not a configuration", "Use one of its own: s1/fast, s1/slow."),
        ("acme-1tb", "acme-1tb is a device, not a configuration", "Use one that has it: s3/alone."),
        ("s4", "s4 is a superseded submission", "Use one of s1: s1/fast, s1/slow."),
        ("s4/fast", "s4/fast is of the superseded submission s4", "Use one of s1: s1/fast."),
        ("old", "old is of the superseded submission s4", "Use one of s1: s1/fast, s1/slow."),
        ("s5/wrong", "s5/wrong is of the retracted submission s5", "List them with `ioledger sql"),
    ],
)
def test_a_name_that_stands_for_no_one_configuration_is_refused(
    name: str, what: str, remedy: str, database: Path
) -> None:
    """It is said what it stands for instead, and the remedy is what to give: the nearest names, not a list of all."""
    found, problems = compare(database, name, "fast")
    assert found is None
    assert [(problem.rule, problem.what) for problem in problems] == [("R-COMPARE-1", what)]
    assert problems[0].remedy.startswith(remedy)


def test_two_wrong_names_are_told_once_each(database: Path) -> None:
    """The same one twice is one problem, and a right one is none."""
    for a, b, wrong in (("fats", "solw", ["fats", "solw"]), ("fats", "fats", ["fats"]), ("fast", "fats", ["fats"])):
        _, problems = compare(database, a, b)
        assert [problem.what for problem in problems] == [f"no configuration is called {name}" for name in wrong]


@pytest.mark.parametrize("other", ["fast", "s1/fast"])
def test_a_configuration_is_not_compared_with_itself(other: str, ioledger: Run, database: Path) -> None:
    """In whichever spelling: that nothing in common would be told of it is wrong."""
    done = ioledger("compare", "fast", other, "--database", database)
    told = "compare: both names are one configuration, s1/fast. Name another one instead of one of them."
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{told}  [R-COMPARE-2]\n")


def test_queue_depths_stand_in_the_order_of_their_numbers(database: Path) -> None:
    """As text, 16 would come before 2; so it is with quotients, and with what has none."""
    with duckdb.connect(database) as connection:
        connection.execute("""
            insert into quotients
            select known.* replace ('queue_depth=' || depth as basis)
            from quotients as known, unnest([16, 2, 128]) as many(depth) where load_profile = 'Database'
        """)
        connection.execute("""
            insert into excluded_pairs
            select known.* replace (listed as bases)
            from excluded_pairs as known, unnest(['queue_depth=16, queue_depth=2', 'queue_depth=1']) as many(listed)
            where load_profile = 'File copy'
        """)
    found, _ = compare(database, "fast", "s1/slow")
    assert found is not None
    bases = [row["basis"] for row in found.quotients if row["load_profile"] == "Database"]
    assert bases == ["peak", "queue_depth=2", "queue_depth=16", "queue_depth=128"]
    bases = [row["bases"] for row in found.excluded if row["load_profile"] == "File copy"]
    assert bases == ["peak", "queue_depth=1", "queue_depth=2, queue_depth=16"]


def test_a_name_that_looks_like_sql_is_a_name(database: Path) -> None:
    """Names are bound, so a quote in one is a quote."""
    found, problems = compare(database, "x' or '1'='1", "s1/fast")
    assert problems == []
    assert found is not None
    assert found.a == ("s2", "x' or '1'='1")


def test_the_command_prints_a_block_for_each_quotient(ioledger: Run, database: Path) -> None:
    """What all of them have against them is said once, below; what was considered and has none, by its reason."""
    done = ioledger("compare", "fast", "s1/slow", "--database", database)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("""\
A  s1/fast
B  s1/slow

Database, IOPS, peak
  A 4.00 times B [3.90, 4.10]: if the unknown are equal, A faster, if runs spread by 10 %; grade C; same file set
  unknown or different: write cache unknown
Restore, throughput, queue depth 8
  A 4.00 times B [3.90, 4.10]: if the unknown are equal, A faster, if runs spread by 10 %; grade C; same file set

In each of these 2, unknown or different:
  direct I/O unknown

Considered, without a quotient:
  File server, IOPS, peak
  File copy, IOPS, peak
    peak: A 123,457 IOPS, B 0.5 IOPS
    grade X, key differs: file system differs: ext4 against zfs

Grades: A same conditions; B reservations, each named; C if what is unknown is equal; X a condition that decides \
differs, or a check forbids it: no quotient.
""")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["drive:", "firmware", "A1", "B2"] in lines
    assert ["result:", "engine", "libaio", "psync", "B"] in lines
    assert "2 fields are the same." in done.stdout


def test_a_pair_that_was_never_considered_says_so(ioledger: Run, database: Path) -> None:
    """Without a quotient and without a reason there is no load profile in common."""
    printed = ioledger("compare", "s3/alone", "fast", "--database", database).stdout
    assert "No quotient: the two have no load profile in common." in printed
    assert "Considered" not in printed


def test_a_field_that_only_the_runs_judge_has_their_effect(database: Path) -> None:
    """The configuration states it, and a comparison reads it of the results."""
    with duckdb.connect(database) as connection:
        connection.execute("update configurations set system_model = 'X' where configuration_id = 'fast'")
    found, _ = compare(database, "fast", "s1/slow")
    assert found is not None
    assert {"field": "system_model", "a": "X", "b": "unknown", "effect": "B"} in found.differences


@pytest.mark.parametrize("columns", [80, 120])
def test_lines_keep_within_a_terminal(columns: int, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences wrap at spaces, and the names of fields stay whole."""
    screen = Terminal()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", str(columns))
    main(["compare", "fast", "s1/slow", "--database", str(database)], standalone_mode=False)
    printed = re.sub(r"\x1b\[\d*m", "", screen.getvalue())
    assert max(len(line) for line in printed.splitlines()) <= columns
    assert "grade C; same file set" in " ".join(printed.split())


def test_the_command_prints_json(ioledger: Run, database: Path, tmp_path: Path) -> None:
    """Exit code 1 for a name that is not there, and for a database that is not there."""
    printed = json.loads(ioledger("compare", "fast", "s1/slow", "--database", database, "--json").stdout)
    assert printed["a"] == ["s1", "fast"]
    assert printed["quotients"][0]["verdict_sentence"] == SENTENCE
    assert ioledger("compare", "fast", "none", "--database", database).returncode == 1
    missing = ioledger("compare", "a", "b", "--database", tmp_path / "none.duckdb")
    assert (missing.returncode, "R-SQL-1" in missing.stderr) == (1, True)


class Terminal(io.StringIO):
    """Standard output of somebody who reads it."""

    def isatty(self) -> bool:
        """Return that it is one."""
        return True
