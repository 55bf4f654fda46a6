"""The command as a person uses it: help, exit codes, outputs, and refusals in one line each."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click
import duckdb
import pytest
from click.testing import CliRunner

from conftest import FIXTURES, spoil
from ioledger import __version__
from ioledger.cli import main
from ioledger.readers import detect

if TYPE_CHECKING:
    from conftest import Run

REPORT = FIXTURES / "submission" / "report.json"
COMMANDS = main.list_commands(click.Context(main))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_examples(command: str, ioledger: Run) -> None:
    """``--help`` has a sentence, two examples to paste with what they print, and its options by what they are about."""
    done = ioledger(command, "--help")
    assert done.returncode == 0
    usage, sentence = done.stdout.split("\n\n")[:2]
    assert (usage[:7], sentence.strip()[-1]) == ("Usage: ", ".")
    examples = done.stdout.split("Example")[1].split("\n\n")[0]
    assert f"    ioledger {command}" in examples or f"| ioledger {command}" in examples
    shown = re.findall(r"^    \S.*\n      \S", examples, re.MULTILINE)
    assert len(shown) > 1, "two examples show what they print"
    headings = re.findall(r"^(\w+):$", done.stdout, re.MULTILINE)
    assert headings == [name for name in ("Options", "Output", "Gate", "Place") if name in headings]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("parse",), "Missing argument"),
        (("frobnicate",), "No such command"),
        (("parse", REPORT, "-o", "rows.xlsx"), "unknown extension"),
        (("parse", REPORT, "--table", "histograms", "rows.csv"), "'histograms' is not one of"),
        (("parse", REPORT, "-o", "rows.csv", "--table", "findings", "rows.csv"), "several outputs would write this"),
        (("check", ""), "the path is empty"),
        (("check", "--data", ""), "the path is empty"),
    ],
)
def test_a_wrong_call_ends_with_2(call: tuple[str | Path, ...], told: str, ioledger: Run) -> None:
    """Usage errors are told apart from problems in the data; an empty path is not the current folder."""
    done = ioledger(*call)
    assert (done.returncode, told in done.stderr) == (2, True), done.stderr


def test_the_version_is_printed(ioledger: Run) -> None:
    """One line, as tools do."""
    assert ioledger("--version").stdout == f"ioledger {__version__}\n"


def test_parse_prints_one_json_line_per_result_with_si_units(ioledger: Run) -> None:
    """67 000 reads of 8 KiB in two seconds are 33 500 IOPS and 274.432 MB/s."""
    done = ioledger("parse", REPORT)
    assert done.returncode == 0, done.stderr
    read, write = map(json.loads, done.stdout.splitlines())
    assert (read["operation"], write["operation"]) == ("read", "write")
    assert read["operations_per_second"] == 33_500
    assert read["throughput_bytes_per_second"] == 33_500 * 8192
    assert read["latency_mean_seconds"] == pytest.approx(160e-6)
    assert (read["block_size_bytes"], read["queue_depth"], read["read_ratio"]) == (8192, 8, 0.67)
    assert read["source_pointer"] == "0#/jobs/0/read"


def test_parse_names_what_it_refuses_and_reads_the_rest(ioledger: Run, tmp_path: Path) -> None:
    """A folder with one good, two bad files and an empty one gives the good rows, a line each, and exit code 1."""
    shutil.copy(REPORT, tmp_path / "good.json")
    (tmp_path / "empty.json").write_bytes(b"")
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)) * 64)
    (tmp_path / "cut.json").write_bytes(REPORT.read_bytes()[:1500])
    done = ioledger("parse", tmp_path)
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 2
    refused = done.stderr.splitlines()
    assert [Path(line.split(":")[0]).name for line in refused[:2]] == ["cut.json", "noise.bin"]
    assert refused[-1] == "4 files: 1 read (25%), 1 ignored (1 x empty), 2 refused, 2 results"
    assert "Traceback" not in done.stderr


def test_tools_lists_every_reader(ioledger: Run) -> None:
    """The list comes from the readers themselves."""
    listed = json.loads(ioledger("tools", "--json").stdout)
    assert [entry["tool"] for entry in listed] == [reader.TOOL for reader in detect.readers()]
    assert all(entry["formats"] for entry in listed)


def test_check_accepts_a_sound_submission_anywhere(ioledger: Run, submission: Path) -> None:
    """A submission can be checked before it is moved into ``data/``."""
    done = ioledger("check", submission)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "1 submission checked, 0 problems")


def test_check_prints_problems_for_programs(ioledger: Run, submission: Path) -> None:
    """``--json`` gives the parts of each problem, and the exit code stays 1."""
    spoil(submission, "media_class: virtual", "media_class: floppy")
    done = ioledger("check", submission, "--json")
    assert done.returncode == 1
    (problem,) = json.loads(done.stdout)
    assert problem["rule"] == "R-MANIFEST-4"
    assert problem["file"].endswith("manifest.yaml")
    assert set(problem) == {"level", "file", "place", "what", "remedy", "rule"}


def test_the_same_file_in_two_submissions_is_refused(ioledger: Run, submission: Path) -> None:
    """The same bytes would count twice, whoever hands them in."""
    other = submission.with_name("2026-11-other-disk")
    shutil.copytree(submission, other)
    done = ioledger("check", submission, other)
    assert done.returncode == 1
    assert "is the same file as" in done.stderr
    assert "[R-FILE-7]" in done.stderr


@pytest.mark.parametrize("way", ["data", "../here/data", "link", "./data/2026-11-tester-disk/.."])
@pytest.mark.parametrize("is_named", [True, False])
def test_the_folder_of_submissions_is_the_same_by_whatever_way_it_is_named(
    submission: Path, monkeypatch: pytest.MonkeyPatch, way: str, *, is_named: bool
) -> None:
    """From the current folder, with ``..`` and by a link it is one folder, and each submission stands there once."""
    here = submission.parent / "here"
    data = here / "data"
    data.mkdir(parents=True)
    submission.rename(data / submission.name)
    (here / "link").symlink_to(data, target_is_directory=True)
    monkeypatch.chdir(here)
    named = [str(Path(way) / submission.name)] if is_named else []
    done = CliRunner().invoke(main, ["check", *named, "--data", way])
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (0, "1 submission checked, 0 problems")


def test_every_command_resolves_the_folder_of_submissions_once() -> None:
    """What comes after the command line compares paths, so all of them are of one form."""
    context = click.Context(main)
    commands = [main.get_command(context, name) for name in main.list_commands(context)]
    options = [option for command in commands if command for option in command.params if "--data" in option.opts]
    assert len(options) > 1
    assert all(isinstance(option.type, click.Path) and option.type.resolve_path for option in options)


def test_a_problem_is_told_once_of_a_folder_that_is_named_from_here(
    submission: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One mistake is one line, with the file it stands in."""
    spoil(submission, "media_class: virtual", "media_class: floppy")
    monkeypatch.chdir(submission.parent.parent)
    done = CliRunner().invoke(main, ["check", "--data", submission.parent.name])
    first, last = done.stderr.splitlines()
    assert first.startswith(f"{submission}/manifest.yaml:")
    assert last == "1 submission checked, 1 problem"


def test_sql_without_a_database_says_what_to_run(ioledger: Run, tmp_path: Path) -> None:
    """The remedy is a command; its help names the engine, which is not the one of the site's page."""
    assert f"DuckDB {duckdb.__version__} runs the query." in " ".join(ioledger("sql", "--help").stdout.split())
    done = ioledger("sql", "select 1", "--database", tmp_path / "none.duckdb")
    assert done.returncode == 1
    assert "npm run build" in done.stderr
