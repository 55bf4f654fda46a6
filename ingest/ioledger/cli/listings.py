"""The commands ``ioledger rules`` and ``ioledger tools``."""

from __future__ import annotations

import click

from ioledger.cli import Command, say_json


@click.command(cls=Command)
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
        say_json(every())
        return
    area = ""
    for rule in every():
        if rule.area != area:
            area = rule.area
            click.echo(area)
        click.echo(f"  {rule.rule:<22}{'warns  ' if rule.severity == 'warn' else ''}{rule.text}")


@click.command(cls=Command)
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
        say_json(found)
        return
    for reader in detect.readers():
        click.echo(reader.TOOL)
        for line in reader.FORMATS:
            click.echo(f"  {line}")
