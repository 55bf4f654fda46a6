"""A placeholder is no statement: neither what ``collect`` leaves to be filled in, nor what people write instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conftest import spoil
from ioledger.submission import files, shape

if TYPE_CHECKING:
    from pathlib import Path

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
