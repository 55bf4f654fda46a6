"""The command ``ioledger tools``."""

from __future__ import annotations

import click

from ioledger.cli import Command, say_json


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
