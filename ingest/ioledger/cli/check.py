"""The commands ``ioledger check``, ``rules`` and ``tools``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click
import msgspec

from ioledger import cli
from ioledger.problems import annotation

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.problems import Problem
    from ioledger.workspace import Workspace

SHOWN_ANNOTATIONS = 50
"""GitHub shows ten errors of a step and fifty of a job."""


@click.command(cls=cli.Command)
@click.argument("paths", nargs=-1, type=cli.EXISTING_FOLDER)
@click.option("--json", is_flag=True, help="Print the problems as a JSON array.")
@click.option("--github", is_flag=True, help="Print annotations for a pull request on GitHub.")
@click.option("--plausibility", is_flag=True, help="Also check whether the numbers are plausible (a few seconds).")
@cli.in_workspace
@cli.with_data
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
    form = cli.choose_form(**forms)
    folder = data or workspace.data
    if not folder.is_dir() and (data or not paths):
        cli.refuse_call(f"{folder}: there is no such folder; name a submission, --data or --workspace", "--data")
    if plausibility:
        cli.need_build_extra("check --plausibility")
    from ioledger.build import checking  # noqa: PLC0415  (pyarrow loads only here)

    total, problems, warnings = checking.check(paths, folder, plausibility=plausibility)
    if form == "json":
        levels = [("error", problems), ("warning", warnings)]
        cli.say_json([{"level": level, **msgspec.to_builtins(each)} for level, found in levels for each in found])
    elif form == "github":
        click.echo("\n".join(github(problems, warnings)) or f"{cli.pluralise(total, 'submission')} checked, 0 problems")
    else:
        cli.report(warnings, "warning: ")
        cli.report(problems)
        for path in paths if not problems else ():
            from ioledger.add import guidance  # noqa: PLC0415  (it loads what reads files)

            for line in guidance.describe(path, workspace.database):
                cli.say(line)
        cli.say(f"{cli.pluralise(total, 'submission')} checked, {cli.pluralise(len(problems), 'problem')}")
    if problems:
        sys.exit(cli.FOUND_PROBLEMS)


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


@click.command(cls=cli.Command)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def rules(*, as_json: bool) -> None:
    """
    List the rules for submissions, files, numbers and command lines.

    \b
    Examples:
      ioledger rules
        R-FILE-7              A result file is in one submission only, so that each run counts once. …
      ioledger rules --json
        [{"area": "build", "rule": "R-MODEL-1", …}, …]
    """  # noqa: D301
    from ioledger.tables.schema import rules as every  # noqa: PLC0415

    if as_json:
        cli.say_json(every())
        return
    area = ""
    for rule in every():
        if rule.area != area:
            area = rule.area
            click.echo(area)
        click.echo(f"  {rule.rule:<22}{'warns  ' if rule.severity == 'warn' else ''}{rule.text}")


@click.command(cls=cli.Command)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def tools(*, as_json: bool) -> None:
    """
    List the supported tools and format versions.

    \b
    Examples:
      ioledger tools
        fio
          fio JSON and json+, 2.0.10 to 3.42, local and client mode
      ioledger tools --json
        [{"tool": "excerpt", "formats": ["excerpt.csv: …"]}, …]
    """  # noqa: D301
    from ioledger.readers import detect  # noqa: PLC0415

    found = [{"tool": reader.TOOL, "formats": list(reader.FORMATS)} for reader in detect.readers()]
    if as_json:
        cli.say_json(found)
        return
    for reader in detect.readers():
        click.echo(reader.TOOL)
        for line in reader.FORMATS:
            click.echo(f"  {line}")
