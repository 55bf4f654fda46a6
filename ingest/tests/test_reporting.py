"""Problems in the forms that programs read, with texts that try to leave them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import spoil
from ioledger.cli import check as reporting
from ioledger.problems import Problem

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run

EVIL = "a\n::stop-commands::x\r::set-env name=PATH::/tmp,line=1::b%0A"


def test_an_annotation_names_file_line_and_rule() -> None:
    """GitHub puts it on the line of the pull request; a pointer stands in the message; a warning fails no check."""
    stated = Problem("data/x/manifest.yaml", "7", "it lacks y", "State it.", "R-MANIFEST-2")
    pointed = Problem("r.json", "0#/jobs/0", "bad", "Mend.", "R-X-1")
    assert reporting.github([stated], [pointed]) == [
        "::error file=data/x/manifest.yaml,line=7,title=R-MANIFEST-2::it lacks y. State it.",
        "::warning file=r.json,title=R-X-1::0#/jobs/0: bad. Mend.",
    ]
    lines = reporting.github([stated] * 60, [])
    assert (len(lines), lines[-1]) == (51, "::notice::10 more problems are in the log")


def test_a_strangers_text_cannot_end_the_command() -> None:
    """Every part is one line, and colons and commas in properties are escaped."""
    (line,) = reporting.github([Problem(EVIL, "", EVIL, EVIL, "R-X-1")], [])
    assert not {"\n", "\r"} & set(line)
    assert line.count("::") - line.split("::", 2)[2].count("::") == 2
    assert "line=1" not in line.split("::", 2)[1].split(",")


def test_the_command_annotates_and_keeps_its_exit_code(ioledger: Run, submission: Path) -> None:
    """A sound folder ends with 0, a spoilt one with 1."""
    assert ioledger("check", submission, "--github").returncode == 0
    spoil(submission, "media_class: virtual", "media_class: floppy")
    annotated = ioledger("check", submission, "--github")
    assert (annotated.returncode, annotated.stdout.count("::error file=")) == (1, 1)
