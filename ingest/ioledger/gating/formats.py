"""A verdict as Markdown, JUnit XML and annotations of GitHub."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from ioledger.comparison.words import Change, of_change
from ioledger.gating.verdict import COLUMNS
from ioledger.problems import annotation
from ioledger.tables import MARKED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.gating.verdict import Verdict


def write_markdown(verdict: Verdict) -> str:
    """Return the verdict as Markdown: first itself, then what is not equal."""
    shown = [row for row in (*verdict.points, *verdict.sweeps) if row.change is not Change.EQUAL]
    lines = [f"**{_escape(verdict.sentence)}**", ""]
    lines += [f"- {_escape(problem)}" for problem in verdict.problems]
    if shown:
        lines += [f"| {' | '.join(verdict.columns)} |", "|" + "---|" * len(COLUMNS)]
        lines += [f"| {' | '.join(map(_escape, row.cells))} |" for row in shown] + [""]
    equal = sum(row.change is Change.EQUAL for row in verdict.points)
    lines += [f"{equal} {of_change(Change.EQUAL, verdict.margin)}.", ""] if equal else []
    lines += [f"- {_escape(note)}" for note in verdict.notes()]
    return "\n".join(lines).rstrip() + f"\n\n{MARKED}\n"


def _escape(text: str) -> str:
    """Return text that Markdown shows as it is, in a table too."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|~!" else " " if c in "\r\n" else c for c in text)


def write_junit(verdict: Verdict) -> bytes:
    """Return the verdict as JUnit's XML: a test case for each point; worse is a failure, undecided is skipped."""
    rows = [row for row in (*verdict.points, *verdict.sweeps) if not row.is_advice]
    failed = sum(row.change is Change.WORSE for row in rows)
    skipped = sum(row.change in {Change.UNDECIDED, Change.NOT_COMPARABLE} for row in rows)
    counts = {"tests": len(rows) + len(verdict.problems), "failures": failed, "skipped": skipped}
    counts["errors"] = len(verdict.problems)
    suite = ET.Element("testsuite", {"name": "ioledger gate", **{name: str(count) for name, count in counts.items()}})
    for row in rows:
        case = ET.SubElement(suite, "testcase", {"classname": f"gate.{row.metric}", "name": row.title})
        said = "; ".join(filter(None, row.cells[2:]))
        if row.change is Change.WORSE:
            ET.SubElement(case, "failure", {"message": said}).text = "\n".join((*row.before_places, *row.after_places))
        elif row.change is not Change.EQUAL and row.change is not Change.BETTER:
            ET.SubElement(case, "skipped", {"message": said})
    for number, problem in enumerate(verdict.problems, 1):
        case = ET.SubElement(suite, "testcase", {"classname": "gate", "name": f"reading, problem {number}"})
        ET.SubElement(case, "error", {"message": problem})
    if not len(suite):  # a suite without a case passes for one that was not run
        suite.attrib |= {"tests": "1", "skipped": "1"}
        case = ET.SubElement(suite, "testcase", {"classname": "gate", "name": "points of both sides"})
        ET.SubElement(case, "skipped", {"message": verdict.sentence})
    for element in suite.iter():
        element.attrib = {name: _remove_unprintable(value) for name, value in element.attrib.items()}
        element.text = _remove_unprintable(element.text) if element.text else element.text
    ET.indent(suite)
    return b"%b\n" % ET.tostring(suite, encoding="utf-8", xml_declaration=True)


def _remove_unprintable(text: str) -> str:
    """Return text without the characters that no XML can hold."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def list_annotations(verdict: Verdict) -> Iterator[str]:
    """Give workflow commands of GitHub: an annotation for the whole, and one for each point that is worse."""
    levels = {Change.WORSE: "error", Change.UNDECIDED: "warning", Change.NOT_COMPARABLE: "error"}
    yield annotation(levels.get(verdict.change, "notice"), verdict.sentence, title="ioledger gate")
    for row in verdict.points:
        if row.change is Change.WORSE and not row.is_advice:
            yield annotation("error", "; ".join(filter(None, row.cells[2:])), title=row.name)
