"""The command ``ioledger check``."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from ioledger import __version__
from ioledger.tables.schema import ROOT


@click.command()
@click.argument(
    "paths",
    nargs=-1,
    type=click.Path(exists=True, readable=False, file_okay=False, resolve_path=True, path_type=Path),
)
@click.option("--json", "form", flag_value="json", help="Print the problems as a JSON array.")
@click.option("--github", "form", flag_value="github", help="Print annotations for a pull request on GitHub.")
@click.option("--sarif", "form", flag_value="sarif", help="Print a SARIF 2.1.0 log.")
@click.option("--beliefs", is_flag=True, help="Ask too whether the numbers can be believed (takes some seconds).")
@click.option("--data", default=ROOT / "data", envvar="IOLEDGER_DATA", help="Where the submissions lie.",
              type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path))  # fmt: skip
def check(paths: tuple[Path, ...], *, form: str | None, beliefs: bool, data: Path) -> None:
    """
    Check submissions without building: manifest, files, readers, duplicates.

    Without a path, every folder under data/ is checked. A path that lies outside data/ is checked against data/ for
    duplicates too.

    \b
    Examples:
      ioledger check
      ioledger check data/2026-11-ioledger-virtual-disk-scrambled --json
      ioledger check --github
    """  # noqa: D301
    from ioledger.build import checking  # noqa: PLC0415  (pyarrow loads only here)
    from ioledger.cli import reporting  # noqa: PLC0415

    checked, problems = checking.check(paths, data, beliefs=beliefs)
    if form == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(problems), indent=2))
    elif form == "sarif":
        click.echo(msgspec.json.format(msgspec.json.encode(reporting.sarif(problems, __version__)), indent=2))
    elif form == "github":
        click.echo("\n".join(reporting.github(problems)) or f"{checked} submissions checked, 0 problems")
    else:
        for problem in problems:
            click.echo(str(problem), err=True)
        click.echo(f"{checked} submissions checked, {len(problems)} problems", err=True)
    if problems:
        sys.exit(1)
