"""Problems in the forms that programs read, with texts that try to leave them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from conftest import spoil
from ioledger.cli import check as reporting
from ioledger.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    Run = Callable[..., CompletedProcess[str]]

ADDRESS = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+")
EVIL = "a\n::stop-commands::x\r::set-env name=PATH::/tmp,line=1::b%0A"


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


def test_a_sarif_log_has_rules_results_and_places() -> None:
    """A line becomes a region, another place a logical location, a file an address, whatever stands in their texts."""
    problems = [Problem("a.yaml", "3", "w", "r", "R-YAML-3"), Problem("ä b/[x]?#.json", "0", EVIL, "r", "R-A-1")]
    log = reporting.sarif(problems, [Problem(EVIL, EVIL, EVIL, "r", "R-A-1")], "1.2.3")
    assert (log["version"], log["$schema"]) == ("2.1.0", "https://json.schemastore.org/sarif-2.1.0.json")
    (run,) = log["runs"]
    driver, results = run["tool"]["driver"], run["results"]
    assert [rule["id"] for rule in driver["rules"]] == ["R-A-1", "R-YAML-3"]
    assert driver["rules"][1]["shortDescription"]["text"].startswith("A manifest is plain data")
    told = [(result["ruleId"], result["ruleIndex"], result["level"]) for result in results]
    assert told == [("R-YAML-3", 1, "error"), ("R-A-1", 0, "error"), ("R-A-1", 0, "warning")]
    places = [result["locations"][0] for result in results]
    assert all(ADDRESS.fullmatch(place["physicalLocation"]["artifactLocation"]["uri"]) for place in places)
    assert [place["physicalLocation"].get("region") for place in places] == [{"startLine": 3}, None, None]
    assert places[1]["logicalLocations"] == [{"fullyQualifiedName": "0"}]
    assert all("\n" not in result["message"]["text"] for result in results)


def test_the_command_prints_both_forms_and_keeps_its_exit_code(ioledger: Run, submission: Path) -> None:
    """A sound folder ends with 0, a spoilt one with 1, whatever is printed."""
    assert ioledger("check", submission, "--github").returncode == 0
    assert json.loads(ioledger("check", submission, "--sarif").stdout)["runs"][0]["results"] == []
    spoil(submission, "media_class: virtual", "media_class: floppy")
    annotated = ioledger("check", submission, "--github")
    assert (annotated.returncode, annotated.stdout.count("::error file=")) == (1, 1)
    logged = ioledger("check", submission, "--sarif")
    assert logged.returncode == 1
    assert json.loads(logged.stdout)["runs"][0]["results"][0]["ruleId"] == "R-MANIFEST-4"
