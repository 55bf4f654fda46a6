"""Problems in the forms that programs read, with texts that try to leave them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import jsonschema

from conftest import spoil
from ioledger.cli import check as reporting
from ioledger.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    Run = Callable[..., CompletedProcess[str]]

EVIL = "a\n::stop-commands::x\r::set-env name=PATH::/tmp,line=1::b%0A"


def test_an_annotation_names_file_line_and_rule() -> None:
    """GitHub puts it on the line of the pull request."""
    (line,) = reporting.github([Problem("data/x/manifest.yaml", "7", "it lacks y", "State it.", "R-MANIFEST-2")], [])
    assert line == "::error file=data/x/manifest.yaml,line=7,title=R-MANIFEST-2::it lacks y. State it."


def test_a_place_that_is_no_line_stands_in_the_message() -> None:
    """Pointers into JSON have no line."""
    (line,) = reporting.github([Problem("r.json", "0#/jobs/0", "bad", "Mend.", "R-X-1")], [])
    assert line == "::error file=r.json,title=R-X-1::0#/jobs/0: bad. Mend."


def test_a_strangers_text_cannot_end_the_command() -> None:
    """Every part is one line, and colons and commas in properties are escaped."""
    (line,) = reporting.github([Problem(EVIL, "", EVIL, EVIL, "R-X-1")], [])
    assert "\n" not in line
    assert "\r" not in line
    assert line.count("::") - line.split("::", 2)[2].count("::") == 2
    assert "line=1" not in line.split("::", 2)[1].split(",")


def test_only_the_first_fifty_are_annotated() -> None:
    """GitHub shows no more; the rest is counted."""
    lines = reporting.github([Problem("f", str(number), "w", "r", "R-X-1") for number in range(1, 61)], [])
    assert len(lines) == 51
    assert lines[-1] == "::notice::10 more problems are in the log"


def test_a_warning_is_an_annotation_and_a_result_of_its_own_level() -> None:
    """It fails no check."""
    warning = Problem("r.json", "7", "the file contains a home folder: ann", "Take it back.", "R-PRIVATE-1")
    (line,) = reporting.github([], [warning])
    assert line.startswith("::warning file=r.json,line=7,title=R-PRIVATE-1::")
    (run,) = reporting.sarif([], [warning], "1")["runs"]
    assert [result["level"] for result in run["results"]] == ["warning"]


def test_a_sarif_log_has_rules_results_and_places() -> None:
    """A line becomes a region, another place a logical location."""
    log = reporting.sarif(
        [Problem("a.yaml", "3", "w", "r", "R-B-1"), Problem("b.json", "0#/jobs", EVIL, "r", "R-A-1")], [], "1.2.3"
    )
    (run,) = log["runs"]
    assert log["version"] == "2.1.0"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["R-A-1", "R-B-1"]
    first, second = run["results"]
    assert (first["ruleId"], first["ruleIndex"]) == ("R-B-1", 1)
    assert first["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}
    assert second["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "0#/jobs"}]
    assert "\n" not in second["message"]["text"]


ADDRESS = "^(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+$"
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "items": {
            "type": "object",
            "required": ["tool", "results"],
            "properties": {
                "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
                    "type": "object", "required": ["name"], "properties": {"rules": {
                        "type": "array", "uniqueItems": True,
                        "items": {"type": "object", "required": ["id"], "properties": {"shortDescription": TEXT}},
                    }},
                }}},
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "results": {"type": "array", "items": {
                    "type": "object",
                    "required": ["message", "ruleId"],
                    "properties": {
                        "message": TEXT,
                        "level": {"enum": ["none", "note", "warning", "error"]},
                        "ruleIndex": {"type": "integer", "minimum": 0},
                        "locations": {"type": "array", "items": {"type": "object", "properties": {
                            "physicalLocation": {"type": "object", "required": ["artifactLocation"], "properties": {
                                "artifactLocation": {"type": "object", "properties": {
                                    "uri": {"type": "string", "pattern": ADDRESS},
                                }},
                                "region": {"type": "object", "properties": {"startLine": {"minimum": 1}}},
                            }},
                            "logicalLocations": {"type": "array"},
                        }}},
                    },
                }},
            },
        }},
    },
}  # fmt: skip
"""What the standard asks of the parts that are written here (its sections 3.13, 3.14, 3.19, 3.27 and 3.28)."""


def test_a_sarif_log_has_the_shape_of_the_standard() -> None:
    """Whatever stands in file, place and text: addresses are addresses, and every rule has its text."""
    places = ("1", "0", "", "line 3", EVIL)
    files = ("data/x/manifest.yaml", "the table results", EVIL, "data/ä b/[x]?#.json")
    problems = [Problem(file, place, EVIL, "r", "R-YAML-3") for file in files for place in places]
    log = reporting.sarif(problems, [], "1.2.3")
    jsonschema.Draft202012Validator(SARIF).validate(log)
    assert len(log["runs"][0]["results"]) == len(problems)
    (rule,) = log["runs"][0]["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"].startswith("A manifest is plain data")


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
