"""
Problems for programs: GitHub's workflow commands, and SARIF 2.1.0.

Source: GitHub's "Workflow commands" (``%``, carriage return and newline are escaped in messages; ``:`` and ``,`` in
properties too), and the OASIS standard SARIF 2.1.0. Texts come from strangers' files, so nothing in them may end a
command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ioledger.problems import one_line
from ioledger.rules import rules as every

if TYPE_CHECKING:
    from ioledger.problems import Problem

SHOWN_ANNOTATIONS = 50
"""GitHub shows ten errors of a step and fifty of a job."""


def github(problems: list[Problem]) -> list[str]:
    """Return one ``::error`` command per problem (the first 50), at the line of the file where it stands."""
    lines = [_command(problem) for problem in problems[:SHOWN_ANNOTATIONS]]
    more = len(problems) - SHOWN_ANNOTATIONS
    return [*lines, f"::notice::{more} more problems are in the log"] if more > 0 else lines


def _command(problem: Problem) -> str:
    place = {"line": problem.place} if problem.place.isdigit() else {}
    properties = {"file": problem.file, **place, "title": problem.rule}
    where = "" if problem.place.isdigit() or not problem.place else f"{problem.place}: "
    message = one_line(f"{where}{problem.what}. {problem.remedy}")
    stated = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::error {stated}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")


def sarif(problems: list[Problem], version: str) -> dict[str, Any]:
    """Return a SARIF log with one run: the rules that were broken, and a result per problem."""
    rules = sorted({problem.rule for problem in problems})
    texts = {rule.rule: rule.text for rule in every()}
    listed = [{"id": rule, "shortDescription": {"text": texts.get(rule, rule)}} for rule in rules]
    driver = {"name": "ioledger", "version": version, "rules": listed}
    results = [_result(problem, rules.index(problem.rule)) for problem in problems]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def _result(problem: Problem, index: int) -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": quote(problem.file)}}}
    if problem.place.isdigit() and int(problem.place) > 0:
        location["physicalLocation"]["region"] = {"startLine": int(problem.place)}
    elif problem.place:
        location["logicalLocations"] = [{"fullyQualifiedName": one_line(problem.place)}]
    text = one_line(f"{problem.what}. {problem.remedy}")
    named = {"ruleId": problem.rule, "ruleIndex": index, "level": "error"}
    return {**named, "message": {"text": text}, "locations": [location]}
