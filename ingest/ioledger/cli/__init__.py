"""
The commands of ``ioledger``: what they take, what they print and how they end.

Exit codes: 0 when all is well, 1 when there are problems, 2 when the command was called wrongly. Results go to standard
output, everything else to standard error.
"""

from __future__ import annotations

import importlib
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from ioledger import __version__
from ioledger.problems import plain
from ioledger.readers import detect
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from ioledger.problems import Problem

FOUND_PROBLEMS = 1
DATA = ROOT / "data"
ELSEWHERE = ("add", "check", "collect", "compare", "parse", "plan", "rules")
"""Commands with a module of their own, ``ioledger.cli.<name>``."""


def _say(line: str) -> None:
    click.echo(line, err=True)


def _report(problems: list[Problem]) -> None:
    for problem in problems:
        _say(str(problem))


class Commands(click.Group):
    """The commands; a module is loaded when its command is called, because start-up is most of a small parse."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted([*super().list_commands(ctx), *ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name, null when there is none."""
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(importlib.import_module(f"ioledger.cli.{cmd_name}"), cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Call the command; what click would print about an interrupt is said once, by ``ioledger.system.ending``."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="ioledger %(version)s")
def main() -> None:
    """
    Storage benchmark results you can trace to the file they came from.

    \b
    Examples:
      ioledger parse result.json                  any result file to rows
      ioledger check data/2026-11-ann-drive       is my submission sound?
      ioledger build                              from raw files to site and database
      ioledger sql "select * from quotients"      ask the built database
    """  # noqa: D301  (\b keeps click from joining the lines)


@main.command()
@click.option(
    "--data", default=DATA, help="Submissions.",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
)  # fmt: skip
@click.option("--no-site", is_flag=True, help="Stop after the database; the site stays as it is.")
@click.option("--preview", is_flag=True, help="Then serve the pages with live reload instead of writing them.")
def build(data: Path, *, no_site: bool, preview: bool) -> None:
    """
    Build database and site from the submissions.

    Everything is made aside and replaces build/ and dist/ only when all of it has succeeded.

    \b
    Examples:
      ioledger build
      ioledger build --no-site
    """  # noqa: D301
    from ioledger.build import pipeline  # noqa: PLC0415  (heavy; other commands do without)

    problems = pipeline.build(data, _say, site=not (no_site or preview))
    _report(problems)
    if problems:
        _say(f"{len(problems)} problems; build/ and dist/ are as they were.")
        sys.exit(FOUND_PROBLEMS)
    if preview:
        sys.exit(pipeline.preview())
    _say('Open the site: npm start     Ask the database: .venv/bin/ioledger sql "select * from quotients limit 5"')


@main.command(
    epilog=f"DuckDB {version('duckdb')} answers. The page for SQL on the site runs another version in the browser; "
    "each answer there names both."
)
@click.argument("query")
@click.option("--csv", "form", flag_value="csv", help="Print CSV.")
@click.option("--json", "form", flag_value="json", help="Print a JSON array of objects.")
@click.option(
    "--database", default=ROOT / "build" / "ioledger.duckdb", type=click.Path(path_type=Path), help="File to ask."
)
def sql(query: str, form: str | None, database: Path) -> None:
    """
    Ask the built database; it is opened read-only.

    \b
    Examples:
      ioledger sql "select load_profile, quotient_ratio from quotients"
      ioledger sql "from scaling_factors" --csv > factors.csv
      ioledger sql "show tables"
    """  # noqa: D301
    from ioledger.cli.sql import ask  # noqa: PLC0415  (DuckDB loads only here)

    if (problem := ask(plain(query), database, form or "table")) is not None:
        _report([problem])
        sys.exit(FOUND_PROBLEMS)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def tools(*, as_json: bool) -> None:
    """
    List what is read, by tool and version.

    \b
    Example:
      ioledger tools
    """  # noqa: D301
    found = [{"tool": reader.TOOL, "formats": list(reader.FORMATS)} for reader in detect.readers()]
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2))
        return
    for reader in detect.readers():
        click.echo(reader.TOOL)
        for line in reader.FORMATS:
            click.echo(f"  {line}")
