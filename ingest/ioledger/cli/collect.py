"""The command ``ioledger collect``."""

from __future__ import annotations

import re
import sys
import textwrap
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ioledger.cli import STATEMENT, Command, end_with, refuse_call, say
from ioledger.problems import Problem

if TYPE_CHECKING:
    from ioledger.collect.draft import Runs

LINE = 100
"""Characters of a line that lists fields."""
QUESTIONS = {
    "model": "Model of the drive",
    "firmware": "Its firmware",
    "media_class": "Its medium (hdd, ssd_sata, ssd_sas, ssd_nvme, ssd_optane, virtual, …)",
    "capacity_bytes": "Its capacity in bytes",
    "system_model": "Model of the computer",
    "cpu_model": "Its processor",
    "operating_system": "Operating system",
    "filesystem": "File system, or raw",
}
"""What the results cannot tell, and what decides most of what they can be compared with."""


@click.command(cls=Command)
@click.argument(
    "results", nargs=-1, metavar="[RESULT]...", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--for", "existing", multiple=True, type=click.Path(exists=True, path_type=Path),
    help="File, folder or archive of existing results; this machine is read only if they name it.",
)  # fmt: skip
@click.option("--state", "statements", multiple=True, type=STATEMENT, metavar="FIELD=VALUE",
              help="Declare the value of a field, as --state model=PM9A3; a terminal asks for some.")  # fmt: skip
@click.option("--target", default=".", type=click.Path(exists=True), help="The measured file, or its folder.")
@click.option(
    "--device", type=click.Path(), help="Block device that was measured without a file system, as /dev/nvme0n1."
)
@click.option("--unchanged", is_flag=True, help="Declare that the machine has not changed since the runs ended.")
@click.option("--submitted-by", help="Your name as the submission shows it (default: git's user.name).")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write (default: print).")
@click.option("--replace", is_flag=True, help="Overwrite a manifest with other content.")
def collect(  # noqa: PLR0913  (one parameter per option)
    results: tuple[Path, ...], *, existing: tuple[Path, ...], statements: tuple[tuple[str, str], ...], target: str,
    device: str | None, unchanged: bool, submitted_by: str | None, output: Path | None, replace: bool,
) -> None:  # fmt: skip
    """
    Write a manifest with facts of this machine and of result files.

    Facts of the machine are recorded for runs that ended within a day. For older runs they are unknown, unless you
    declare with --unchanged that the machine is the same. With --for, results can be from any machine, and this machine
    is not read.

    Nothing is sent over a network. Each value states how it is known; an unknown value has a reason. Serial numbers and
    the machine id become salted hashes; host names and hardware addresses are removed. The command lists missing
    programs, and the values that they would add.

    \b
    Examples:
      ioledger collect plan/*.json --target plan -o manifest.yaml
      sudo ioledger collect run.json --device /dev/nvme0n1 -o manifest.yaml
      ioledger collect results.json --unchanged -o manifest.yaml
        24 of 42 required values are known
      ioledger collect --for pile.tar.xz --state model=PM9A3 --state media_class=ssd_nvme -o manifest.yaml
        4 of 42 required values are known
    """  # noqa: D301
    from ioledger.collect import THIS_MACHINE, draft, missing, run_text  # noqa: PLC0415
    from ioledger.loading.files import find_same_file  # noqa: PLC0415
    from ioledger.submission import safe_yaml  # noqa: PLC0415
    from ioledger.system import write_text  # noqa: PLC0415

    if not (existing or sys.platform.startswith("linux")):
        remedy = f"Name the results with --for, and fill in by hand: {', '.join(QUESTIONS)}."
        refuse_call(f"the facts of a machine are read on Linux only. {remedy}")
    if device is not None and not Path(device).is_block_device():
        what = "this is no block device" if Path(device).exists() else "there is none"
        refuse_call(f"{device}: {what}", "--device")
    asked = [*map(str, (*results, *existing)), target, *([device] if device else [])]
    if output is not None and find_same_file(output, asked) is not None:
        refuse_call(f"{output}: this is what was measured, and would be lost; name another file", "-o")
    submitter = submitted_by or run_text(THIS_MACHINE, "git", "config", "user.name")[0] or "unknown"
    found = _read_results(results, existing, target, device)
    stated = dict(statements)
    for field, question in QUESTIONS.items() if existing and sys.stdin.isatty() else ():
        if field not in stated:
            answer = click.prompt(f"{question} (nothing: unknown)", default="", show_default=False, err=True).strip()
            stated |= {field: answer} if answer else {}
    try:
        made = draft.draft(
            THIS_MACHINE, target, device, submitter, datetime.now(tz=UTC).date(),
            runs=found, unchanged=unchanged, is_elsewhere=bool(existing), statements=stated,
        )  # fmt: skip
    except LookupError as error:
        refuse_call(f"{error.args[0]}: no part of a manifest has such a field", "--state")
    name = output or Path("manifest.yaml")
    text = f"{draft.schema_hint(name)}\n{safe_yaml.dump_yaml(made)}"
    end_with(_check_statements(text, str(name), stated), "nothing was written")
    if output is None:
        click.echo(text, nl=False)
    else:
        is_other = output.is_file() and output.stat().st_size and output.read_bytes() != text.encode()
        if is_other and not replace:  # as a manifest that was edited
            remedy = "Name another file, or add --replace to overwrite it."
            lost = Problem(str(output), "", "the existing file has other content", remedy, "R-COLLECT-1")
            end_with([lost], "nothing was written")
        write_text(output, text)
    for program, adds in ({} if existing else missing()).items():
        say(f"missing {program}: {adds}")
    _print_summary(made, text, str(name))


def _read_results(results: tuple[Path, ...], existing: tuple[Path, ...], target: str, device: str | None) -> Runs:
    from ioledger.collect import draft  # noqa: PLC0415

    if existing and (results or device is not None):
        refuse_call("--for names results of another machine; RESULT and --device are of this one")
    if not (existing or results):
        return draft.Runs() if device is not None else draft.read_beside(Path(target))
    found, without, problems = draft.read(existing or results)
    if not (problems or found.files):
        what, remedy = "it contains no result", "Name files that fio, DiskSpd, Iometer or ORION wrote."
        problems = [Problem(str(path), "", what, remedy, "R-COLLECT-2") for path in without]
    end_with(problems, "nothing was written")
    for path in without:
        say(f"{path}: contains no result and is not used")
    return found


def _check_statements(text: str, shown: str, statements: dict[str, str]) -> list[Problem]:
    """Return what the manifest's schema has against the values that were declared; the others are not yet stated."""
    from ioledger.submission import safe_yaml, shape, with_defaults  # noqa: PLC0415

    document, lines = safe_yaml.load_yaml(text.encode())
    whole = with_defaults({**document, "files": [{"path": "x", "sha256": "0" * 64}]})
    found = shape.shape_problems(whole, shown, lines) if statements else []
    return [each for each in found if any(re.search(rf"\b{re.escape(field)} is ", each.what) for field in statements)]


def _print_summary(made: dict[str, Any], text: str, name: str) -> None:
    from ioledger.collect import draft  # noqa: PLC0415
    from ioledger.submission import safe_yaml, shape  # noqa: PLC0415

    known, total, reasons = draft.completeness(made)
    by_reason: dict[str, list[str]] = {}
    for field, reason in reasons.items():
        if not shape.is_placeholder(reason, is_reason=True):
            by_reason.setdefault(reason, []).append(field.removeprefix(f"{next(iter(made['configurations']))}."))
    for reason, fields in by_reason.items():
        say(textwrap.fill(f"unknown, {reason}: {', '.join(fields)}", LINE, subsequent_indent="  "))
    for problem in shape.placeholder_problems(made, name, safe_yaml.load_yaml(text.encode())[1]):
        if not any(words in problem.what for words in (shape.FROM_RESULTS, shape.FROM_EITHER)):
            say(f"{problem.file}:{problem.place}: {problem.what}")
    say(f"{known} of {total} required values are known")
