"""
The command ``ioledger check``, and its problems for programs: GitHub's workflow commands, and SARIF 2.1.0.

Source: the OASIS standard SARIF 2.1.0. Texts come from strangers' files, so nothing in them may end a command.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click
import msgspec

from ioledger import __version__
from ioledger.cli import (
    FOUND_PROBLEMS,
    Command,
    Folder,
    chosen,
    counted,
    in_workspace,
    need_build_extra,
    refuse_call,
    report,
    say,
    say_json,
    with_data,
)
from ioledger.problems import annotation, one_line
from ioledger.tables.schema import rules as every

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.problems import Problem
    from ioledger.workspace import Workspace

SHOWN_ANNOTATIONS = 50
"""GitHub shows ten errors of a step and fifty of a job."""


@click.command(cls=Command)
@click.argument("paths", nargs=-1, type=Folder(exists=True))
@click.option("--json", is_flag=True, help="Print the problems as a JSON array.")
@click.option("--github", is_flag=True, help="Print annotations for a pull request on GitHub.")
@click.option("--sarif", is_flag=True, help="Print a SARIF 2.1.0 log.")
@click.option("--plausibility", is_flag=True, help="Also check whether the numbers are plausible (a few seconds).")
@in_workspace
@with_data
def check(
    paths: tuple[Path, ...], workspace: Workspace, data: Path | None, *, plausibility: bool, **forms: bool
) -> None:
    """
    Check manifests, files and results of submissions; build nothing.

    Without a path, every folder under data/ is checked. For each path, the last lines name published drives with the
    same workloads, and the values that would improve its comparisons. --json lists every problem; the text lists three
    files per fault and counts the others.

    \b
    Examples:
      ioledger check
        18 submissions checked, 0 problems
      ioledger check data/2026-11-ioledger-virtual-disk-scrambled --plausibility
        It has workloads in common with NVMe SSD, nvme-a (10 of 81 workloads), …
      ioledger check --github
    """  # noqa: D301
    form = chosen(**forms)
    folder = data or workspace.data
    if not folder.is_dir() and (data or not paths):
        refuse_call(f"{folder}: there is no such folder; name a submission, --data or --workspace", "--data")
    if plausibility:
        need_build_extra("check --plausibility")
    from ioledger.build import checking  # noqa: PLC0415  (pyarrow loads only here)

    checked, problems, warnings = checking.check(paths, folder, plausibility=plausibility)
    if form == "json":
        levels = [("error", problems), ("warning", warnings)]
        say_json([{"level": level, **msgspec.to_builtins(each)} for level, found in levels for each in found])
    elif form == "sarif":
        say_json(sarif(problems, warnings, __version__))
    elif form == "github":
        click.echo("\n".join(github(problems, warnings)) or f"{counted(checked, 'submission')} checked, 0 problems")
    else:
        report(warnings, "warning: ")
        report(problems)
        for path in paths if not problems else ():
            from ioledger.add import guidance  # noqa: PLC0415  (it loads what reads files)

            for line in guidance.describe(path, workspace.database):
                say(line)
        say(f"{counted(checked, 'submission')} checked, {counted(len(problems), 'problem')}")
    if problems:
        sys.exit(FOUND_PROBLEMS)


def github(problems: list[Problem], warnings: list[Problem]) -> list[str]:
    """Return one ``::error`` per problem and ``::warning`` per warning (50 in all), where it stands in its file."""
    found = [("error", problem) for problem in problems] + [("warning", warning) for warning in warnings]
    lines = []
    for level, problem in found[:SHOWN_ANNOTATIONS]:
        is_line = problem.place.isdigit()
        place = {"line": problem.place} if is_line else {}
        where = "" if is_line or not problem.place else f"{problem.place}: "
        text = f"{where}{problem.what}. {problem.remedy}"
        lines.append(annotation(level, text, file=problem.file, **place, title=problem.rule))
    more = len(found) - SHOWN_ANNOTATIONS
    return [*lines, f"::notice::{more} more problems are in the log"] if more > 0 else lines


def sarif(problems: list[Problem], warnings: list[Problem], version: str) -> dict[str, Any]:
    """Return a SARIF log with one run: the rules that were broken, and a result per problem and per warning."""
    rules = sorted({problem.rule for problem in (*problems, *warnings)})
    texts = {rule.rule: rule.text for rule in every()}
    listed = [{"id": rule, "shortDescription": {"text": texts.get(rule, rule)}} for rule in rules]
    driver = {"name": "ioledger", "version": version, "rules": listed}
    results = [_format_result(problem, rules.index(problem.rule), "error") for problem in problems]
    results += [_format_result(warning, rules.index(warning.rule), "warning") for warning in warnings]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def _format_result(problem: Problem, index: int, level: str) -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": quote(problem.file)}}}
    if problem.place.isdigit() and int(problem.place) > 0:
        location["physicalLocation"]["region"] = {"startLine": int(problem.place)}
    elif problem.place:
        location["logicalLocations"] = [{"fullyQualifiedName": one_line(problem.place)}]
    text = one_line(f"{problem.what}. {problem.remedy}")
    named = {"ruleId": problem.rule, "ruleIndex": index, "level": level}
    return {**named, "message": {"text": text}, "locations": [location]}
