"""
Comments on a pull request what it adds: ``python tools/comment.py report.json``, run by ``comment.yml``.

The report was made by a run that a stranger's pull request controls, so it is hostile data: it must be small, plain
JSON, and every text in it is shown as characters inside ``<code>``, where GitHub renders no Markdown, link or mention.
Which pull request is meant comes from GitHub's event, never from the report. Needs only Python's own library.

Source: GitHub's events (``workflow_run``) and REST API (pulls, issue comments).
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.parse
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Api = Callable[[str, str, "dict[str, Any] | None"], Any]

MARK = "<!-- ioledger -->"
LARGEST_REPORT_BYTES = 256 << 10
LONGEST_TEXT, LONGEST_COMMENT = 300, 60_000
MOST_ROWS = 50
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
REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")


def code(value: object) -> str:
    """Return any value as characters that GitHub shows as they are: every sign is an entity inside ``<code>``."""
    text = "" if value is None else str(value)
    text = text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
    shown = (c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return (
        "<code>"
        + "".join(c if c == " " or (c.isascii() and c.isalnum()) else f"&#{ord(c)};" for c in shown)
        + "</code>"
    )


def body(report: dict[str, Any]) -> str:
    """Return the comment for a report; parts of a wrong shape are left out, and the length is capped."""
    lines = list(_lines(report))
    kept: list[str] = []
    for line in lines:
        if sum(map(len, kept)) + len(line) + len(kept) > LONGEST_COMMENT:
            kept.append("… the rest is in the run's log.")
            break
        kept.append(line)
    return "\n".join([MARK, *kept])


def _lines(report: dict[str, Any]) -> Iterator[str]:
    problems = _objects(report.get("problems"))
    count = report.get("problem_count")
    yield f"**{code(count if isinstance(count, int) else '?')} problems** in {code(report.get('checked'))} submissions."
    if problems:
        yield from _table(
            ("where", "what", "remedy", "rule"),
            ([_place(row), *_cells(row, "what", "remedy", "rule")] for row in problems),
        )
    for found in _objects(report.get("submissions")):
        yield f"\n### {code(found.get('id'))}"
        names = ("title", "status", "source_count", "result_count", "warning_count", "completeness_ratio")
        yield from _table(("what", "value"), ([name, code(found[name])] for name in names if name in found))
        yield from _parts(found, PARTS)
    differs = report.get("difference")
    if isinstance(differs, dict):
        yield "\n### What differs from before"
        yield f"\n{code(differs.get('headline'))}"
        yield from _parts(differs, DIFFERENCE)


def _parts(found: dict[str, Any], parts: tuple[tuple[str, str, tuple[str, ...]], ...]) -> Iterator[str]:
    """Give a table for each part that there is, with the columns that any of its rows has."""
    for title, part, columns in parts:
        if listed := _objects(found.get(part)):
            shown = tuple(name for name in columns if any(name in row for row in listed))
            yield f"\n{title}"
            yield from _table(shown, (_cells(row, *shown) for row in listed))


def _objects(value: object) -> list[dict[str, Any]]:
    return [row for row in value[:MOST_ROWS] if isinstance(row, dict)] if isinstance(value, list) else []


def _place(row: dict[str, Any]) -> str:
    return code(f"{row.get('file')}:{row.get('place')}" if row.get("place") else row.get("file"))


def _cells(row: dict[str, Any], *names: str) -> list[str]:
    return [code(row.get(name)) for name in names]


def _table(head: tuple[str, ...], rows: Iterator[list[str]]) -> Iterator[str]:
    yield ""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def pull_request(event: dict[str, Any], api: Api) -> tuple[str, int] | None:
    """Return repository and number of the open pull request whose head the event's run checked, or None."""
    run, repository = event["workflow_run"], event["repository"]["full_name"]
    if run["event"] != "pull_request" or not REPOSITORY.fullmatch(repository):
        return None
    owner, branch = run["head_repository"]["owner"]["login"], run["head_branch"]
    head = urllib.parse.quote(f"{owner}:{branch}", safe="")
    found = api("GET", f"/repos/{repository}/pulls?state=open&head={head}", None)
    numbers = [pull["number"] for pull in found if pull["head"]["sha"] == run["head_sha"]]
    return (repository, int(numbers[0])) if len(numbers) == 1 else None


def post(repository: str, number: int, text: str, api: Api) -> None:
    """Write the comment, in the place of an earlier one of this workflow."""
    comments = api("GET", f"/repos/{repository}/issues/{number}/comments?per_page=100", None)
    earlier = [c["id"] for c in comments if c["user"]["login"] == "github-actions[bot]" and c["body"].startswith(MARK)]
    if earlier:
        api("PATCH", f"/repos/{repository}/issues/comments/{int(earlier[0])}", {"body": text})
    else:
        api("POST", f"/repos/{repository}/issues/{number}/comments", {"body": text})


def read(path: Path) -> dict[str, Any]:
    """Return the report; raises ValueError for one that is a link, too large, or no JSON object."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST_REPORT_BYTES:
        message = "the report is no small plain file"
        raise ValueError(message)
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        report = None
    if isinstance(report, dict):
        return report
    message = "the report is no JSON object"
    raise ValueError(message)


def _api(method: str, path: str, content: dict[str, Any] | None) -> Any:  # noqa: ANN401  (JSON)
    headers = {
        "Accept": "application/vnd.github+json",
        "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    data = None if content is None else json.dumps(content).encode()
    request = urllib.request.Request(f"https://api.github.com{path}", data, headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  (a fixed host)
        return json.load(answer)


def main() -> int:
    """Comment; a run that belongs to no open pull request is left alone."""
    text = body(read(Path(sys.argv[1])))
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    found = pull_request(event, _api)
    if found is None:
        print("no open pull request has this head; nothing to say")  # noqa: T201
        return 0
    post(*found, text, _api)
    return 0


if __name__ == "__main__":
    sys.exit(main())
