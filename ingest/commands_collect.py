"""The command ``ioledger collect``."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

WINDOWS_SCRIPT = Path(__file__).parent / "collect" / "windows.ps1"


@click.command()
@click.option("--target", default=".", type=click.Path(exists=True), help="The measured file or a folder beside it.")
@click.option(
    "--device", type=click.Path(), help="Block device that was measured without a file system, as /dev/nvme0n1."
)
@click.option("--submitted-by", help="Your name as the submission shows it (default: git's user.name).")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write (default: print).")
@click.option("--windows-script", is_flag=True, help="Print the PowerShell script that does the same on Windows.")
def collect(
    *, target: str, device: str | None, submitted_by: str | None, output: Path | None, windows_script: bool
) -> None:
    """
    Read from this machine what a manifest must say; nothing is sent anywhere.

    Values are tagged as collected, or left unknown with the reason. Serial numbers become salted hashes; host names and
    hardware addresses are removed. Programs that are missing are named with what they would add; none is required.

    \b
    Examples:
      ioledger collect --target plan/test.dat -o manifest.yaml
      sudo ioledger collect --device /dev/nvme0n1 -o manifest.yaml
      ioledger collect --windows-script > collect.ps1
    """  # noqa: D301
    if windows_script:
        click.echo(WINDOWS_SCRIPT.read_text(encoding="utf-8"), nl=False)
        return
    from ingest import listing, scratch, yamlout  # noqa: PLC0415
    from ingest.collect import draft, machine  # noqa: PLC0415

    if not sys.platform.startswith("linux"):
        message = "this machine is not Linux; on Windows run the script that --windows-script prints"
        raise click.UsageError(message)
    asked = [each for each in (target, device) if each is not None]
    if output is not None and listing.same(output, asked) is not None:
        message = f"{output}: this is what was measured, and would be lost; name another file"
        raise click.BadParameter(message, param_hint="-o")
    here = machine.this_machine()
    submitter = submitted_by or (here.run(("git", "config", "user.name")) or "").strip() or "unknown"
    made = draft.draft(here, target, device, submitter, datetime.now(tz=UTC).date())
    text = yamlout.dump(made)
    if output is None:
        click.echo(text, nl=False)
    else:
        scratch.text(output, text)
    for program, adds in machine.missing(here).items():
        click.echo(f"missing {program}: {adds}", err=True)
    known, total, reasons = draft.completeness(made)
    for field, reason in reasons.items():
        click.echo(f"unknown {field}: {reason}", err=True)
    click.echo(f"{known} of {total} required values are known", err=True)
