"""A submission is read whole or refused with every reason at once."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import spoil
from ioledger.submission import files, parse_value, shape, with_defaults
from ioledger.submission.rows import manifest_rows
from ioledger.submission.safe_yaml import dump_yaml, load_yaml
from ioledger.tables.schema import ROOT, SCHEMAS, tables

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.problems import Problem


def _problems(folder: Path) -> list[Problem]:
    return files.load_submission(folder, f"data/{folder.name}")[1]


RESERVED = """    reservations:
      - {kind: nearly_empty, effect: flagged, reason: 1 % of the drive was written, known_from: README.md}
      - {kind: unwritten_area, operation: read, effect: excluded, reason: never written, known_from: the paper}
"""
GUEST = "    system: guest\n"
OF_NO_KIND = RESERVED.replace("kind: nearly_empty", "kind: empty")
WITHOUT_SOURCE = RESERVED.replace(", known_from: README.md", "")
ADDED = {
    "a reason of one letter": ("bmc_firmware: {unknown: x}", "write 3 or more characters"),
    "none without a reason": ('bmc_firmware: {none: ""}', "{none: why"),
    "a setting that is a mapping": ("settings: {bios: {turbo: {unknown: nobody looked}}}", "Write a value"),
    "a bench key that is an id": ("bench_key: CZ1234567", "of the form"),
}
"""Lines of a wrong shape that are added to a system."""
SHAPED = {
    "a reservation of no kind": (GUEST, f"{GUEST}{OF_NO_KIND}", "one of unwritten_area"),
    "a version that loses a digit": ("firmware: {unknown: a virtio block device has none}", "firmware: 1.10", "quotes"),
    "a word outside its list": ("media_class: virtual", "media_class: floppy", "hdd, ssd_sas"),
    "a number in quotes": ("process_count: 1", 'process_count: "one"', "whole number"),
    "prose in a closed list": ("file_written: yes", "file_written: every block once", "Write one of yes, in_part, no"),
    "a word that no list has": ("filesystem: {value: ext4", "filesystem: {value: EXT4", "{other: text}"),
    "none of what is": ("capacity_bytes: ", "capacity_bytes: {none: lost} #", "cannot be none: it always exists"),
    "none of a closed list": ("storage_topology: single", "storage_topology: {none: one drive}", "single, independent"),
    "a comma in braces": ("media_class: virtual", "media_class: {unknown: no word, no page}", "quotes"),
    "a date that is none": ("submitted_on: 2026-11-21", "submitted_on: 2026-13-45", "a day that there was"),
    "a wrong hash": ("    sha256: ", "    sha256: 00", "sha256"),
}
"""Values of a wrong shape."""
SHAPED |= {case: ("    cpu_model:", f"    {line}\n    cpu_model:", words) for case, (line, words) in ADDED.items()}
SPOILED = {
    "a reservation without its source": (GUEST, f"{GUEST}{WITHOUT_SOURCE}", "R-MANIFEST-2", "lacks known_from"),
    "a missing field": ("    cpu_model:", "    cpu_modal:", "R-MANIFEST-2", "lacks cpu_model"),
    "an unknown key": ("affiliation: ", "intrest: none\naffiliation: ", "R-MANIFEST-3", "unknown key"),
    "an edition that is not known": ("edition: 2", "edition: 7", "R-MANIFEST-10", "edition 7"),
    "the edition before": ("edition: 2", "edition: 1", "R-MANIFEST-10", "Known here: 2"),
    "no edition": ("edition: 2\n", "", "R-MANIFEST-10", "lacks edition"),
    "an edition with decimals": ("edition: 2", "edition: 2.0", "R-MANIFEST-10", "edition 2.0"),
    "an unknown device": ("device: virtio-blk-256gib", "device: virtio", "R-MANIFEST-5", "virtio-blk-256gib"),
    "a tag": ("title: A small disk", "title: !!python/name:os.system x", "R-YAML-3", "tag"),
    "an anchor": ("title: A small disk", "title: &a A small disk", "R-YAML-3", "anchors"),
    "a key that stands twice": ("title: A small disk", "title: A\ntitle: B", "R-YAML-3", "twice"),
    "broken YAML": ("title: A small disk", "title: [A small disk", "R-YAML-2", "not valid YAML"),
    "a reason to come": ("cpu_model:", "bmc_firmware: {none: todo}\n    cpu_model:", "R-MANIFEST-9", "bmc_firmware"),
}
SPOILED |= {case: (old, new, "R-MANIFEST-4", words) for case, (old, new, words) in SHAPED.items()}


@pytest.mark.parametrize("case", SPOILED)
def test_a_spoiled_manifest_is_refused_with_place_and_remedy(case: str, submission: Path) -> None:
    """Each fault gives its rule id, a line in the manifest, and words that help."""
    old, new, rule, words = SPOILED[case]
    spoil(submission, old, new)
    found = [problem for problem in _problems(submission) if problem.rule == rule]
    assert found, f"{case} was not refused with {rule}"
    assert words in str(found[0])
    assert found[0].place.isdigit()
    assert found[0].file == f"data/{submission.name}/manifest.yaml"
    assert "\n" not in str(found[0])


def test_a_changed_file_is_refused_with_the_hash_it_has(submission: Path) -> None:
    """A file that differs from its stated hash is named, and the remedy states the actual hash."""
    (submission / "report.json").write_text("{}", encoding="utf-8")
    (problem,) = _problems(submission)
    assert problem.rule == "R-FILE-2"
    assert "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a" in problem.remedy


def test_defaults_lie_beneath_every_configuration_and_never_above() -> None:
    """A configuration's own value wins; a stated unknown or none replaces a default whole."""
    document = {
        "defaults": {"method": {"process_count": 1, "reported_run": "all"}},
        "configurations": {
            "a": {"method": {"process_count": 4}},
            "b": {"method": {"reported_run": {"unknown": "silent"}, "process_count": {"none": "no process"}}},
        },
    }
    merged = with_defaults(document)["configurations"]
    assert merged["a"]["method"] == {"process_count": 4, "reported_run": "all"}
    assert merged["b"]["method"] == {"process_count": {"none": "no process"}, "reported_run": {"unknown": "silent"}}


def test_a_value_says_how_it_is_known() -> None:
    """Plain values take the submission's way of knowing; unknown keeps its reason; a stated way wins."""
    assert parse_value(3, "declared") == (3, "declared", None, None)
    assert parse_value("unknown", "stated") == (None, "unknown", None, None)
    assert parse_value({"unknown": "not printed"}, "stated") == (None, "unknown", "not printed", None)
    assert parse_value({"none": "a raw device"}, "stated") == (None, "not_applicable", "a raw device", None)
    assert parse_value({"other": "FAT"}, "stated") == ("FAT", "stated", None, None)
    stated = {"value": 3.5e9, "how_known": "inferred", "note": "table", "known_from": "README"}
    assert parse_value(stated, "stated") == (3.5e9, "inferred", "table", "README")


def test_all_problems_come_at_once_but_of_another_edition_nothing_else_is_said(submission: Path) -> None:
    """What a later edition asks for, and the keys it knows, are no faults of the manifest."""
    spoil(submission, "media_class: virtual", "media_class: floppy")
    spoil(submission, "affiliation: independent", "affiliation: curious")
    assert len(_problems(submission)) == 2
    spoil(submission, "edition: 2", "edition: 3\nbenches: {}")
    assert [problem.rule for problem in _problems(submission)] == ["R-MANIFEST-10"]


def test_what_does_not_exist_is_not_applicable_and_not_unknown(submission: Path) -> None:
    """A text says so, a number stays null, the provenance tells both from unknown, and it counts as known."""
    before, _ = files.load_submission(submission)
    spoil(
        submission,
        "    firmware: {unknown: a virtio block device has none}",
        "    firmware: {none: a virtual disk has none}",
    )
    spoil(submission, "link_negotiated: {unknown:", "link_negotiated: {none:")
    spoil(
        submission, "allocation_unit_bytes: {value: 4096, how_known: collected}", "allocation_unit_bytes: {none: raw}"
    )
    after, problems = files.load_submission(submission)
    assert problems == []
    assert before is not None
    assert after is not None
    (configuration,), (drive,) = (manifest_rows(after)[name] for name in ("configurations", "drives"))
    assert (drive["firmware"], drive["link_negotiated"]) == ("not applicable", "not applicable")
    assert drive["model"] is None
    assert configuration["allocation_unit_bytes"] is None
    facts = {row["field"]: (row["value"], row["how_known"], row["note"]) for row in manifest_rows(after)["provenance"]}
    assert facts["firmware"] == ("not applicable", "not_applicable", "a virtual disk has none")
    assert facts["allocation_unit_bytes"] == ("not applicable", "not_applicable", "raw")
    assert facts["model"] == (None, "unknown", "a virtio block device names no model")
    (known_before,) = manifest_rows(before)["configurations"]
    assert configuration["known_field_count"] == known_before["known_field_count"] + 2


POWER = """      power_mean_watts: {value: 41.5, how_known: declared}
      power_idle_watts: {unknown: the meter was switched on with the runs}
      power_measured: computer
      power_instrument: a meter in the socket, 1 %
      power_interval_seconds: 1
"""


def test_power_that_was_measured_and_power_that_a_maker_states_are_different_columns(submission: Path) -> None:
    """Neither is asked for, so a manifest without them is as complete as it was."""
    before, _ = files.load_submission(submission)
    assert before is not None
    spoil(submission, "      cache_bypass: ", f"{POWER}      cache_bypass: ")
    spoil(submission, "    memory_bytes: ", "    power_supply_watts: {none: fed by a battery}\n    memory_bytes: ")
    spoil(submission, "    media_class: ", "    stated_power_watts: 8.5\n    media_class: ")
    after, problems = files.load_submission(submission)
    assert problems == []
    assert after is not None
    (configuration,), (drive,) = (manifest_rows(after)[name] for name in ("configurations", "drives"))
    measured = ("power_mean_watts", "power_idle_watts", "power_measured", "power_interval_seconds")
    assert [configuration[name] for name in measured] == [41.5, None, "computer", 1]
    assert (configuration["power_supply_watts"], drive["stated_power_watts"]) == (None, 8.5)
    facts = {row["field"]: (row["unit"], row["how_known"], row["note"]) for row in manifest_rows(after)["provenance"]}
    assert facts["power_mean_watts"] == ("watts", "declared", None)
    assert facts["power_supply_watts"] == (None, "not_applicable", "fed by a battery")
    (bare,) = manifest_rows(before)["configurations"]
    assert bare["power_mean_watts"] is None
    assert bare["completeness_ratio"] == configuration["completeness_ratio"]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("2026-11-21T09:30:00Z", datetime(2026, 11, 21, 9, 30, tzinfo=UTC)),
        ('{value: "2026-11-21T09:30:00Z", how_known: collected}', datetime(2026, 11, 21, 9, 30, tzinfo=UTC)),
        ("unknown", None),
        ("{unknown: nobody wrote it down}", None),
    ],
)
def test_a_start_of_the_computer_is_an_instant(value: str, found: datetime | None, submission: Path) -> None:
    """In UTC, to the second; the facts keep the text."""
    spoil(submission, "    memory_bytes: ", f"    booted_at: {value}\n    memory_bytes: ")
    loaded, problems = files.load_submission(submission)
    assert problems == []
    assert loaded is not None
    rows = manifest_rows(loaded)
    (fact,) = [row for row in rows["provenance"] if row["field"] == "booted_at"]
    assert {row["booted_at"] for row in rows["configurations"]} == {found}
    assert fact["value"] == (None if found is None else "2026-11-21T09:30:00Z")


@pytest.mark.parametrize(
    ("old", "new", "missing"),
    [
        ("media_class: ", "media_class: hdd #", "rotation_hertz"),
        ("storage_topology: ", "storage_topology: {value: raid0} #", "raid_implementation, raid_stripe_bytes"),
        ("filesystem: ", "filesystem: xfs #", "allocation_unit_bytes"),
        ("operating_system: ", "operating_system: Debian GNU/Linux 12 #", "io_scheduler"),
        ("cache_bypass: ", "power_mean_watts: 41.5\n      cache_bypass: ", "power_measured"),
    ],
)
def test_what_one_value_makes_necessary_must_be_stated(submission: Path, old: str, new: str, missing: str) -> None:
    """A disk rotates, an array has stripes, a file system has a unit, Linux has a scheduler; unknown is a statement."""
    path = submission / "manifest.yaml"
    kept = [line for line in path.read_text(encoding="utf-8").splitlines() if line.split(":")[0].strip() not in missing]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    spoil(submission, old, new)
    (problem,) = files.load_submission(submission)[1]
    assert (problem.rule, problem.what.partition(" lacks ")[2]) == ("R-MANIFEST-2", missing)


def test_reservations_are_rows_in_their_order(submission: Path) -> None:
    """One row each, with the operation that it holds for, null for all."""
    spoil(submission, GUEST, f"{GUEST}{RESERVED}")
    loaded, problems = files.load_submission(submission)
    assert (problems, loaded is None) == ([], False)
    assert loaded is not None
    first, second = manifest_rows(loaded)["reservations"]
    assert (first["reservation_index"], first["kind"], first["operation"]) == (1, "nearly_empty", None)
    assert second == {
        "submission_id": loaded.id, "configuration_id": "ext4-file", "reservation_index": 2, "operation": "read",
        "kind": "unwritten_area", "effect": "excluded", "reason": "never written", "known_from": "the paper",
    }  # fmt: skip


def test_every_kind_of_reservation_has_words_and_a_grade() -> None:
    """The manifest, the table and the seed that says what follows name the same kinds in the same order."""
    shape = json.loads((SCHEMAS / "manifest.schema.json").read_text(encoding="utf-8"))
    configuration = shape["properties"]["configurations"]["additionalProperties"]["properties"]
    stated = configuration["reservations"]["items"]["properties"]["kind"]["enum"]
    (column,) = [column for column in tables()["reservations"].columns if column.name == "kind"]
    with (ROOT / "models" / "seeds" / "known_reservations.csv").open(encoding="utf-8", newline="") as seed:
        known_kinds = [row["kind"] for row in csv.DictReader(seed)]
    assert stated == list(column.words) == known_kinds


EXAMPLE = b"""\
title: 'A drive: "fast"'
note: >-
  two lines
  of one text
drives:
  - {model: "X-1 \\u00b5", bytes: 1.5e9, url: "http://host/?id=1", cache: on}
  - {model: plain text, why?: 0x1F, date: 2026-11-22, is_new: true, count: 007}
"""


def test_only_plain_numbers_and_booleans_are_no_text() -> None:
    """Words, days and numbers of YAML 1.1 stay text; what is written is read as it was."""
    found, lines = load_yaml(EXAMPLE)
    assert found == {
        "title": 'A drive: "fast"',
        "note": "two lines of one text",
        "drives": [
            {"model": "X-1 \u00b5", "bytes": 1.5e9, "url": "http://host/?id=1", "cache": "on"},
            {"model": "plain text", "why?": "0x1F", "date": "2026-11-22", "is_new": True, "count": "007"},
        ],
    }
    assert (lines["note",], lines["drives", 1, "date"]) == (2, 7)
    assert load_yaml(dump_yaml(found).encode())[0] == found


OPEN = (
    shape.FROM_YOU, shape.FROM_RESULTS, shape.FROM_EITHER, "TODO", "todo.", "tbd", "T.B.D.", "FIXME", "???", "---",
    "unknown", "todo: ask Ann", "to come", "<model>", "[model]", "-", "why", "reason", "later", "n/a", "xxx",
)  # fmt: skip
REASONS = (
    "the article does not state it", "not asked: ipmitool is missing", "the hypervisor shows no DMI data",
    "several processes; the number is not stated", "state of the drive was not recorded", "the tester did not note it",
    "Windows has none to choose", "the results do not state it", "lost with the notes", "not measured",
    "nobody knows; the drive was sold", "added later by the maker, who does not say when",
)  # fmt: skip
VALUES = ("none", "To do lists of a database", "unknown", "state of the art", "todo list server, 4 users", "direct")


FORMS = ("?", "???", "-", "...", "tbc", "to come", "<model>", "…")


@pytest.mark.parametrize(
    ("texts", "is_reason", "is_open"),
    [(OPEN, True, True), (REASONS, True, False), (FORMS, False, True), (VALUES, False, False)],
    ids=["what asks for a reason", "a reason", "a form that was not filled in", "a value"],
)
def test_words_that_ask_for_a_statement_are_none(texts: tuple[str, ...], *, is_reason: bool, is_open: bool) -> None:
    """Whoever wrote them; a value is open only where it says nothing else."""
    found = {text: shape.is_placeholder(text, is_reason=is_reason) for text in texts}
    assert found == dict.fromkeys(texts, is_open)


def test_every_placeholder_is_one_line_with_its_place(submission: Path) -> None:
    """Anywhere: a reason, a value, a note, a title."""
    spoil(submission, "title: A small disk", "title: TBD")
    spoil(submission, "steady_state: none", "steady_state: {unknown: todo}")
    spoil(submission, "load_axis: outstanding I/Os 8", "load_axis: FIXME")
    spoil(submission, "note: clock rate in /proc/cpuinfo", "note: todo")
    loaded, problems = files.load_submission(submission)
    assert loaded is None
    assert {problem.rule for problem in problems} == {"R-MANIFEST-9"}
    lines = (submission / "manifest.yaml").read_text(encoding="utf-8").splitlines()
    told = [
        (lines[int(problem.place) - 1].split(":")[0].strip(), problem.what.split(" is ")[0]) for problem in problems
    ]
    assert sorted(told) == [
        ("cpu_nominal_hertz", "systems.guest.cpu_nominal_hertz.note"),
        ("load_axis", "configurations.ext4-file.method.load_axis"),
        ("steady_state", "configurations.ext4-file.method.steady_state"),
        ("title", "title"),
    ]


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_text_in_a_manifest_reads_back_as_the_same_text(text: str) -> None:
    """Numbers, dates, tags and control characters stay text."""
    document = {"a": {"value": text}, "b": [text, {"c": text}]}
    assert load_yaml(dump_yaml(document).encode())[0] == document
