"""
Comments on a pull request what its own run says: ``python tools/comment.py FOLDER``, run by ``comment.yml``.

FOLDER holds ``report.json``, where there is one. It was made by a run that a stranger's pull request controls, so it is
hostile data that decides nothing: it must be small, plain JSON, and every text in it is shown as characters inside
``<code>``, where GitHub renders no Markdown, link or mention. Which pull request is meant, and how the run ended, comes
from GitHub's event, never from the report. Needs only Python's own library.

Source: GitHub's event ``workflow_run``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import github
from github import code, left_out, objects, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from github import Api

MARK = "<!-- ioledger tests -->"
PARTS = (
    ("Warnings, by series", "warnings", ("rule_id", "load_profile", "count", "worst")),
    ("What cannot be used, or with a reservation, by series", "checks",
     ("verdict", "effect", "load_profile", "count", "quantity", "worst", "limit")),
    ("Quotients added, by grade", "grades", ("grade", "count")),
    ("Nearest comparable results", "nearest",
     ("a", "b", "load_profile", "metric", "verdict", "grade", "grade_columns", "evidence")),
    ("Not comparable with, and why", "not_comparable", ("other", "why", "columns", "count")),
)  # fmt: skip
"""What the comment says of a submission: title, part of the report, and its columns; what no row has is left out."""
DIFFERENCE = (
    ("The code that makes tables", "code", ("what",)),
    ("Tables that differ", "tables",
     ("table", "rows before", "after", "added", "removed", "moved", "numbers", "words", "causes")),
    ("Rows added and removed, the first of each table", "rows", ("table", "rows", "were", "first", "cause")),
    ("What moved, the first rows of each table", "cells",
     ("table", "row", "moved", "before", "after", "ratio", "cause")),
)  # fmt: skip
"""What the comment says of tables that differ from those before, in the same way."""
ENDS = {
    "success": "All of it passed.",
    "failure": "Some of it failed.",
    "cancelled": "It was cancelled before its end: run it again, or push again.",
    "timed_out": "It took longer than it may.",
    "startup_failure": "It could not start.",
}
NO_REPORT = "It left no report: its set-up failed, it was ended before, or its code writes none."
GONE = "The fork is gone; nobody can push more."


def body(event: dict[str, Any], report: dict[str, Any] | None) -> str:
    """Return the comment on a run; parts of a wrong shape are left out, and the length is capped."""
    return github.comment(MARK, _lines(event["workflow_run"], report))


def _lines(run: dict[str, Any], report: dict[str, Any] | None) -> Iterator[str]:
    yield f"## What the code of {code(run['head_sha'])} says of itself"
    yield "\nWritten by the pull request's own code and tests: it decides nothing. Another comment has the verdict."
    yield f"\n{ENDS.get(str(run.get('conclusion')), 'It did not end as it should.')} Run {code(run['id'])}."
    if run.get("head_repository") is None:
        yield f"\n{GONE}"
    if report is None:
        yield f"\n{NO_REPORT}"
    else:
        yield "\n<details><summary>Its report</summary>\n"
        yield from _problems(report)
        yield from lines(report)
        yield "\n</details>"


def _problems(report: dict[str, Any]) -> Iterator[str]:
    count = report.get("problem_count")
    yield f"{code(count if isinstance(count, int) else '?')} problems in {code(report.get('checked'))} submissions."
    yield from github.problems(report, "problems")


def lines(report: dict[str, Any]) -> Iterator[str]:
    """Give what a report says of submissions, and of what differs from before."""
    for found in objects(report, "submissions"):
        yield f"\n### {code(found.get('id'))}"
        names = ("title", "status", "source_count", "result_count", "warning_count", "completeness_ratio")
        yield from table(("what", "value"), ([name, code(found[name])] for name in names if name in found))
        yield from _parts(found, PARTS)
    yield from left_out(report, "submissions")
    differs = report.get("difference")
    if isinstance(differs, dict):
        yield "\n### What differs from before"
        yield f"\n{code(differs.get('headline'))}"
        yield from _parts(differs, DIFFERENCE)


def _parts(found: dict[str, Any], parts: tuple[tuple[str, str, tuple[str, ...]], ...]) -> Iterator[str]:
    """Give a table for each part that there is, with the columns that any of its rows has."""
    for title, part, columns in parts:
        if listed := objects(found, part):
            shown = tuple(name for name in columns if any(name in row for row in listed))
            yield f"\n{title}"
            yield from table(shown, ([code(row.get(name)) for name in shown] for row in listed))
            yield from left_out(found, part)


def pull_request(event: dict[str, Any], ask: Api) -> tuple[str, int] | None:
    """Return repository and number of the open pull request whose head the event's run checked, or None."""
    run = event["workflow_run"]
    if run["event"] != "pull_request":
        return None
    repository = github.repository_of(event)
    found = github.pull_request(repository, run["head_sha"], event["repository"]["default_branch"], ask)
    return (repository, int(found["number"])) if found else None


def main() -> int:
    """Comment; a run that belongs to no open pull request is left alone."""
    event = github.event()
    found = pull_request(event, github.api)
    if found is None:
        print("no open pull request has this head; nothing to say")  # noqa: T201
        return 0
    github.post(*found, body(event, github.found(Path(sys.argv[1]) / "report.json")), github.api)
    return 0


if __name__ == "__main__":
    sys.exit(main())
