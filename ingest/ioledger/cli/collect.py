"""The command ``ioledger collect``."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from ioledger.cli import say

WINDOWS_SCRIPT = Path(__file__).parents[1] / "collect" / "windows.ps1"
HEAD_BYTES = 1 << 16
MANIFEST = re.compile(rb"^(?:submitted_by|submitted_on|licence): ", re.MULTILINE)
"""Only a manifest may be written anew: results beside the target, and the target itself, are files of other kinds."""


@click.command()
@click.argument(
    "results", nargs=-1, metavar="[RESULT]...", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--target", default=".", type=click.Path(exists=True), help="The measured file or a folder beside it.")
@click.option(
    "--device", type=click.Path(), help="Block device that was measured without a file system, as /dev/nvme0n1."
)
@click.option(
    "--unchanged",
    is_flag=True,
    help="You declare that the machine is as it was when the runs ended; without it nothing is said of that.",
)
@click.option("--submitted-by", help="Your name as the submission shows it (default: git's user.name).")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write (default: print).")
@click.option("--windows-script", is_flag=True, help="Print the PowerShell script that does the same on Windows.")
def collect(  # noqa: PLR0913  (one parameter per option)
    results: tuple[Path, ...], *, target: str, device: str | None, unchanged: bool, submitted_by: str | None,
    output: Path | None, windows_script: bool,
) -> None:  # fmt: skip
    """
    Read from this machine what a manifest must say; nothing is sent anywhere.

    Tool, version and day are those of the RESULT files; without any, of those beside the target. What the machine tells
    holds for runs that ended within a day; for others it is left unknown, unless you declare it with --unchanged.

    Values are tagged as collected, or left unknown with the reason; what this machine does not have is none, with the
    reason. Serial numbers and the machine's own id become salted hashes; host names and hardware addresses are removed.
    Programs that are missing are named with what they would add; none is required.

    \b
    Examples:
      ioledger collect plan/*.json --target plan -o manifest.yaml
      sudo ioledger collect run.json --device /dev/nvme0n1 -o manifest.yaml
      ioledger collect results.csv --unchanged -o manifest.yaml
      ioledger collect --windows-script > collect.ps1
    """  # noqa: D301
    if windows_script:
        click.echo(WINDOWS_SCRIPT.read_text(encoding="utf-8"), nl=False)
        return
    from ioledger.collect import draft, machine  # noqa: PLC0415
    from ioledger.collect import results as runs  # noqa: PLC0415
    from ioledger.submission import safe_yaml  # noqa: PLC0415
    from ioledger.system import scratch  # noqa: PLC0415

    if not sys.platform.startswith("linux"):
        message = "this machine is not Linux; on Windows run the script that --windows-script prints"
        raise click.UsageError(message)
    if device is not None and not Path(device).is_block_device():
        message = f"{device}: this is no block device" if Path(device).exists() else f"{device}: there is none"
        raise click.BadParameter(message, param_hint="--device")
    asked = [*map(str, results), *(each for each in (target, device) if each is not None)]
    if output is not None and _would_be_lost(output, asked):
        message = f"{output}: this is what was measured, or no manifest, and would be lost; name another file"
        raise click.BadParameter(message, param_hint="-o")
    here = machine.this_machine()
    submitter = submitted_by or machine.heard(here, "git", "config", "user.name")[0] or "unknown"
    found, without = runs.read(results)
    for path in without:
        say(f"{path}: holds no result, so it tells nothing here")
    if not results and device is None:
        found = runs.beside(Path(target))
    today = datetime.now(tz=UTC).date()
    made = draft.draft(here, target, device, submitter, today, runs=found, unchanged=unchanged)
    text = safe_yaml.dump_yaml(made)
    if output is None:
        click.echo(text, nl=False)
    else:
        scratch.text(output, text)
    for program, adds in machine.missing(here).items():
        say(f"missing {program}: {adds}")
    _tell(made, text, str(output or "manifest.yaml"))


def _would_be_lost(output: Path, asked: list[str]) -> bool:
    """Say whether a file is there that is named as measured, or that is anything else than a manifest."""
    from ioledger.measurement import files  # noqa: PLC0415

    if files.same(output, asked) is not None:
        return True
    if not output.is_file() or not output.stat().st_size:
        return False
    with output.open("rb") as file:
        return MANIFEST.search(file.read(HEAD_BYTES)) is None


def _tell(made: dict[str, Any], text: str, name: str) -> None:
    """Say what is unknown and why, what is left to state and where, and how many values are known."""
    from ioledger.collect import draft  # noqa: PLC0415
    from ioledger.submission import safe_yaml, shape  # noqa: PLC0415

    known, total, reasons = draft.completeness(made)
    for field, reason in reasons.items():
        if not shape.is_placeholder(reason, is_reason=True):
            say(f"unknown {field}: {reason}")
    for problem in shape.placeholder_problems(made, name, safe_yaml.load_yaml(text.encode())[1]):
        if shape.FROM_RESULTS not in problem.what:  # what add fills in is nobody's work
            say(f"{problem.file}:{problem.place}: {problem.what}")
    say(f"{known} of {total} required values are known")
