"""The command as a person uses it: help, exit codes, outputs, and refusals in one line each."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click
import duckdb
import pytest
from click.testing import CliRunner

from conftest import FIXTURES, spoil
from ioledger import __version__
from ioledger.cli import check as reporting
from ioledger.cli import main
from ioledger.problems import Problem
from ioledger.readers import detect
from ioledger.workspace import VARIABLE

if TYPE_CHECKING:
    from conftest import Run

REPORT = FIXTURES / "submission" / "report.json"
EVIL = "a\n::stop-commands::x\r::set-env name=PATH::/tmp,line=1::b%0A"
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
        (("parse", REPORT, "--table", "histograms", "rows.csv"), "'histograms' is not one of"),
        (("parse", REPORT, "-o", "rows.csv", "--table", "findings", "rows.csv"), "several outputs would write this"),
        (("parse", REPORT, "--table", "findings", "-", "--format", "openmetrics"), "is for results only"),
        (("parse", REPORT, "--json"), "belongs to --summary"),
        (("parse", REPORT, ""), "a name is empty"),
        (("parse", REPORT, "--summary", "-o", "-"), "the summary is printed there"),
        (("parse", REPORT, "-o", "rows.csv", "--format", "csv"), "extensions give the formats"),
        (("parse", REPORT, "-o", "rows.txt", "--format", "table"), "unknown extension"),
        (("parse", REPORT, "-o", "-", "--table", "findings", "-"), "standard output: several outputs"),
        (("check", ""), "the path is empty"),
        (("check", "--data", ""), "the path is empty"),
    ],
)
def test_a_wrong_call_ends_with_2(call: tuple[str | Path, ...], told: str, ioledger: Run) -> None:
    """Nothing is read or printed; an empty path is not the current folder."""
    done = ioledger(*call)
    assert (done.returncode, done.stdout, told in done.stderr) == (2, "", True), done.stderr


def test_tools_lists_every_reader_and_version_the_version(ioledger: Run) -> None:
    """The list comes from the readers themselves."""
    assert ioledger("--version").stdout == f"ioledger {__version__}\n"
    listed = json.loads(ioledger("tools", "--json").stdout)
    assert [entry["tool"] for entry in listed] == [reader.TOOL for reader in detect.readers()]
    assert all(entry["formats"] for entry in listed)


def test_check_prints_problems_for_programs(ioledger: Run, submission: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``--json`` gives the parts of each problem, ``--github`` an annotation, and the exit code stays 1."""
    monkeypatch.setenv(VARIABLE, str(submission.parent / "nowhere"))  # no other submissions are read
    assert ioledger("check", submission, "--github").returncode == 0
    spoil(submission, "media_class: virtual", "media_class: floppy")
    done = ioledger("check", submission, "--json")
    assert done.returncode == 1
    (problem,) = json.loads(done.stdout)
    assert problem["rule"] == "R-MANIFEST-4"
    assert problem["file"].endswith("manifest.yaml")
    assert set(problem) == {"level", "file", "place", "what", "remedy", "rule"}
    annotated = ioledger("check", submission, "--github")
    assert (annotated.returncode, annotated.stdout.count("::error file=")) == (1, 1)


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


def test_sql_without_a_database_says_what_to_run(ioledger: Run, tmp_path: Path) -> None:
    """The remedy is a command; its help names the engine, which is not the one of the site's page."""
    assert f"DuckDB {duckdb.__version__} runs the query." in " ".join(ioledger("sql", "--help").stdout.split())
    done = ioledger("sql", "select 1", "--database", tmp_path / "none.duckdb")
    assert done.returncode == 1
    assert "npm run build" in done.stderr


def test_an_annotation_names_file_line_and_rule() -> None:
    """GitHub puts it on the line of the pull request; a pointer stands in the message; a warning fails no check."""
    stated = Problem("data/x/manifest.yaml", "7", "it lacks y", "State it.", "R-MANIFEST-2")
    pointed = Problem("r.json", "0#/jobs/0", "bad", "Mend.", "R-X-1")
    assert reporting.github([stated], [pointed]) == [
        "::error file=data/x/manifest.yaml,line=7,title=R-MANIFEST-2::it lacks y. State it.",
        "::warning file=r.json,title=R-X-1::0#/jobs/0: bad. Mend.",
    ]
    lines = reporting.github([stated] * 60, [])
    assert (len(lines), lines[-1]) == (51, "::notice::10 more problems are in the log")


def test_a_strangers_text_cannot_end_the_command() -> None:
    """Every part is one line, and colons and commas in properties are escaped."""
    (line,) = reporting.github([Problem(EVIL, "", EVIL, EVIL, "R-X-1")], [])
    assert not {"\n", "\r"} & set(line)
    assert line.count("::") - line.split("::", 2)[2].count("::") == 2
    assert "line=1" not in line.split("::", 2)[1].split(",")
