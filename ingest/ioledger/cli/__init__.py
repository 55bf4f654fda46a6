"""
The commands of ``ioledger``: what they take, what they print and how they end.

Exit codes: 0 when all is well, 1 when there are problems, 2 when the command was called wrongly. Results go to standard
output, everything else to standard error. Where its reader goes away (``| head``) a command ends without a word;
``gate`` with the exit code of its verdict.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import sys
import textwrap
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
import msgspec

from ioledger import __version__, workspace
from ioledger.problems import Problem
from ioledger.system import finish_replacement
from ioledger.text_table import FILE_WIDTH, are_numbers, as_text, table_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from duckdb import DuckDBPyConnection

FOUND_PROBLEMS, CALLED_WRONGLY = 1, 2
WRONG_CALLS = frozenset({"R-ADD-7", "R-PLAN-1", "R-PLAN-3"})
"""Rules that only the arguments of a command break, whatever its inputs hold."""
COMMANDS = {
    "add": "add", "build": "build", "check": "check", "collect": "collect", "compare": "compare", "diff": "releases",
    "digest": "releases", "gate": "gate", "import": "add", "parse": "parse", "plan": "plan", "release": "releases",
    "report": "gate", "rules": "check", "sql": "sql", "tools": "check", "verify": "releases",
}  # fmt: skip
"""The module of each command; its function has the name of the command, with ``_`` behind it where that is taken."""
LEAST_WIDTH, AROUND = 12, 3
"""Characters that a text in a table needs, and what is around a column."""
SHOWN_FILES, SHOWN_LINES = 3, 10
"""So many files, and lines of one file, with the same fault are named; the others are counted."""
UNBUILT = "Run ioledger build first; in a checkout, npm run build."
BUILD_EXTRA = ("dbt", "great_expectations", "pandas")
"""What ``ioledger[build]`` adds."""


class Folder(click.Path):
    """A folder by its path; an empty path, which a script may leave, names none, and not the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """Return the path, resolved."""
        if not os.fspath(value):
            self.fail("the path is empty; name a folder, or leave it out.", param, ctx)
        return super().convert(value, param, ctx)


def share(value: str | float) -> float:
    """Return a share above 0 that is written as ``5%`` or ``0.05``, or end with a usage error."""
    found = re.fullmatch(r"(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6})\s*(%?)", str(value))
    number = float(found[1]) / (100 if found[2] else 1) if found else 0.0
    if not 0 < number < 1:
        refuse_call(f"{value}: write a share such as 5% or 0.05")
    return number


def match_words(pattern: str, form: str) -> Callable[[str], tuple[str, ...]]:
    """Return a type of options: the groups of a pattern; a usage error says which form to write."""

    def match(value: str) -> tuple[str, ...]:
        found = re.fullmatch(pattern, value, re.DOTALL)
        return found.groups() if found else refuse_call(f"{value}: write {form}")

    return match


FOLDER, EXISTING_FOLDER = (
    Folder(exists=exists, readable=False, file_okay=False, resolve_path=True, path_type=Path)
    for exists in (False, True)
)
STATEMENT = match_words("([^=]+)=(.+)", "FIELD=VALUE")


def _find_workspace(_context: click.Context, _parameter: click.Parameter, folder: Path | None) -> workspace.Workspace:
    """Return the workspace; a build that was killed while it replaced folders is finished first."""
    place = workspace.find(folder)
    finish_replacement(place.folder)
    return place


in_workspace = click.option(
    "--workspace", type=FOLDER, callback=_find_workspace,
    help=f"Folder with data/ and build/ (default: ${workspace.VARIABLE}, the current checkout, or your own).",
)  # fmt: skip
with_database = click.option(
    "--database", type=click.Path(path_type=Path), help="Database to read (default: the one that was built)."
)
with_data = click.option(
    "--data", type=FOLDER, envvar="IOLEDGER_DATA", help="Folder of the submissions (default: data/ of the workspace)."
)


OPTION_GROUPS = {
    "Options": "",
    "Output": "output format json csv markdown junit github table summary details quiet limit language",
    "Gate": "gate before after show power spread-from seed",
    "Place": "workspace data database base base-sha256 cache checkout",
}
"""Headings of a command's help, and the options below them; the others come first."""


class Command(click.Command):
    """A command whose help lists its own options first, then those of output and place under their headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in groups."""
        headings = {f"--{name}": heading for heading, names in OPTION_GROUPS.items() for name in names.split()}
        records: dict[str, list[tuple[str, str]]] = {heading: [] for heading in OPTION_GROUPS}
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) is not None:
                records[next((headings[name] for name in parameter.opts if name in headings), "Options")].append(record)
        for heading, found in records.items():
            if found:
                with formatter.section(heading):
                    formatter.write_dl(found)


class Commands(click.Group):
    """The commands; a module is loaded when its command is called, because start-up is most of a small parse."""

    def list_commands(self, _: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return list(COMMANDS)

    def get_command(self, _: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name, null when there is none."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"ioledger.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name}_", None) or getattr(module, cmd_name)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="ioledger %(version)s")
def main() -> None:
    """
    Storage benchmark results you can trace to the file they came from.

    \b
    Examples:
      ioledger parse result.json                  read a result file of fio, DiskSpd, Iometer or ORION
      ioledger gate before/ after/                did a change make storage slower?
      ioledger check data/2026-11-ann-drive       check a submission
      ioledger build                              build database and site
      ioledger sql "show tables"                  query the built database
    """  # noqa: D301  (\b keeps click from joining the lines)


def choose_form(**forms: bool) -> str | None:
    """Return the form of output that was asked for, None for the one for people; two contradict each other."""
    asked = [name for name, is_asked in forms.items() if is_asked]
    if len(asked) > 1:
        refuse_call(f"{' and '.join(f'--{name}' for name in asked)} exclude each other; choose one.")
    return asked[0] if asked else None


def refuse_call(message: str, parameter: str | None = None) -> NoReturn:
    """End with a usage error, about one option or argument where it is named."""
    raise click.BadParameter(message, param_hint=parameter) if parameter else click.UsageError(message)


def say(line: str) -> None:
    """Print a line beside the results."""
    click.echo(line, err=True)


def say_json(found: object) -> None:
    """Print an object for programs."""
    click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2))


def end_with(problems: Sequence[Problem], conclusion: str = "") -> None:
    """Print problems; where there are any, end the command with a last line that says what follows."""
    report(problems)
    if problems:
        if conclusion:
            say(f"{pluralise(len(problems), 'problem')}; {conclusion}")
        is_wrong_call = all(problem.rule in WRONG_CALLS for problem in problems)
        sys.exit(CALLED_WRONGLY if is_wrong_call else FOUND_PROBLEMS)


def refuse(problem: Problem, code: int = FOUND_PROBLEMS) -> NoReturn:
    """Print what is wrong with an input, and end the command."""
    report([problem])
    sys.exit(code)


@contextmanager
def open_database(path: Path) -> Iterator[DuckDBPyConnection]:
    """Give the database of a build, read-only and without other files; end the command if the file is not one."""
    try:
        with workspace.open_database(path, UNBUILT) as connection:
            yield connection
    except workspace.UnusableError as error:
        refuse(error.problem)


def pluralise(count: int, noun: str) -> str:
    """Return a number with what it counts."""
    return f"{count} {noun}{'s' * (count != 1)}"


def report(
    problems: Iterable[Problem],
    prefix: str = "",
    *,
    files: int = SHOWN_FILES,
    lines: int = SHOWN_LINES,
    is_whole: bool = False,
) -> None:
    """Print problems, one line each; of many with the same fault the first few, and how many more there are."""
    alike: dict[tuple[str, str], dict[str, list[str]]] = {}
    for problem in problems:
        places = alike.setdefault((problem.rule, problem.remedy), {}).setdefault(problem.file, [])
        places.append(str(problem))
    for (rule, _), found in alike.items():
        shown = [*found.values()] if is_whole else [places[:lines] for places in [*found.values()][:files]]
        for line in chain.from_iterable(shown):
            say(f"{prefix}{line}")
        if len(found) > len(shown):
            say(f"  and the same fault in {pluralise(len(found) - len(shown), 'more file')}  [{rule}]")
        elif more := sum(map(len, found.values())) - sum(map(len, shown)):
            say(f"  and the same fault in {pluralise(more, 'more place')}  [{rule}]")


def output_width() -> int:
    """Return how many characters a line has: those of the terminal; elsewhere nothing is wrapped."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else FILE_WIDTH


def print_indented(text: str, depth: int = 1, width: int | None = None) -> None:
    """Print text for people by two spaces to the right per depth, wrapped to a width, by itself that of a terminal."""
    width = width or output_width()
    margin = "  " * depth
    click.echo(textwrap.fill(text, width, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False))


def print_table(
    names: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    is_first_whole: bool = False,
    width: int | None = None,
    text: Callable[[Any], str] = as_text,
) -> None:
    """Print rows for people as a table; each on lines of its own where figures and the starts of texts have no room."""
    width, is_terminal = width or output_width(), sys.stdout.isatty()
    least = 0
    for name, *values in zip(names, *rows, strict=True):
        size = max(map(len, (name, *map(text, values))))
        least += (size if are_numbers(values) else min(size, LEAST_WIDTH)) + AROUND - is_terminal
    if not rows or least <= width:
        shown = table_text(names, rows, is_first_whole=is_first_whole, width=width, is_terminal=is_terminal, text=text)
        click.echo(shown, nl=False)
        return
    for row in rows:
        print_indented(f"{names[0]} {text(row[0])}", depth=0, width=width)
        fields = zip(names[1:], row[1:], strict=True)
        print_indented(", ".join(f"{name} {text(value)}" for name, value in fields if value is not None), width=width)


def need_build_extra(command: str) -> None:
    """End a command that needs what ``ioledger[build]`` adds, where that is not installed."""
    missing = [name for name in BUILD_EXTRA if find_spec(name) is None]
    if missing:
        what = f"it needs {', '.join(missing)}, which the small installation does not include"
        remedy = "In a checkout: pip install '.[build]'. With a wheel: pip install 'FILE.whl[build]'."
        refuse(Problem(command, "", what, remedy, "R-SYSTEM-2"))
