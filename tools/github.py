"""
What the scripts of the workflows have in common: GitHub's API, comments, and text of strangers as GitHub shows it.

A comment begins with a mark, by which the next one finds and replaces it. Needs only Python's own library.

Source: GitHub's REST API (pulls, commits, issue comments), version 2022-11-28.
"""

from __future__ import annotations

import json
import os
import re
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Api = Callable[[str, str, "dict[str, Any] | None"], Any]

LARGEST_REPORT_BYTES = 256 << 10
LONGEST_TEXT, LONGEST_PART, LONGEST_COMMENT = 300, 12_000, 60_000
MOST_ROWS = 50
LEFT_OUT = "_left_out"
REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
BOT = "github-actions[bot]"
PER_PAGE, MOST_PAGES = 100, 20


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


def table(head: tuple[str, ...], rows: Iterable[list[str]]) -> Iterator[str]:
    """Give the lines of a table; its cells are what :func:`code` returns."""
    yield ""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def objects(report: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the first rows of a part of a report; parts and rows of a wrong shape are left out."""
    value = report.get(name)
    return [row for row in value[:MOST_ROWS] if isinstance(row, dict)] if isinstance(value, list) else []


def left_out(report: dict[str, Any], name: str) -> Iterator[str]:
    """Give the line that says how many rows of a part are not shown, where there are any."""
    value, cut = report.get(name), report.get(name + LEFT_OUT, 0)
    more = max(0, len(value) - MOST_ROWS) if isinstance(value, list) else 0
    if count := more + (cut if isinstance(cut, int) and cut > 0 else 0):
        yield f"\n… and {code(count)} more."


def problems(report: dict[str, Any], name: str) -> Iterator[str]:
    """Give the table of problems or warnings of a report."""
    if listed := objects(report, name):
        cells = ([_place(row), *(code(row.get(key)) for key in ("what", "remedy", "rule"))] for row in listed)
        yield from table(("where", "what", "remedy", "rule"), cells)
        yield from left_out(report, name)


def _place(row: dict[str, Any]) -> str:
    return code(f"{row.get('file')}:{row.get('place')}" if row.get("place") else row.get("file"))


def comment(mark: str, lines: Iterable[str]) -> str:
    """Return a comment that begins with its mark and is no longer than GitHub takes."""
    return "\n".join((mark, *within(lines, LONGEST_COMMENT - len(mark))))


def within(lines: Iterable[str], longest: int = LONGEST_PART) -> Iterator[str]:
    """Give lines up to a length, and that there are more: one part of a comment is not to hide those after it."""
    for line in lines:
        longest -= len(line) + 1
        if longest < 0:
            yield "\n… the rest is in the run's log."
            return
        yield line


def read(path: Path) -> dict[str, Any]:
    """Return a report; raises ValueError for one that is a link, too large, or no JSON object."""
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


def found(path: Path) -> dict[str, Any] | None:
    """Return a report, or null where there is none that can be shown; the run's log says why."""
    try:
        return read(path)
    except ValueError as error:
        print(f"{path.name}: {error}")  # noqa: T201
        return None


def event() -> dict[str, Any]:
    """Return the event that a workflow was started by."""
    started: dict[str, Any] = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    return started


def repository_of(started: dict[str, Any]) -> str:
    """Return owner and name of an event's repository; raises ValueError for what is no such name."""
    name: str = started["repository"]["full_name"]
    if not REPOSITORY.fullmatch(name):
        message = f"{name!r} is no repository"
        raise ValueError(message)
    return name


def pull_request(repository: str, head: str, branch: str, ask: Api) -> dict[str, Any] | None:
    """Return the one open pull request into a branch that has this head, wherever its fork is now; else null."""
    for page in range(1, MOST_PAGES + 1):
        pulls = ask("GET", f"/repos/{repository}/pulls?state=open&per_page={PER_PAGE}&page={page}", None)
        same: list[dict[str, Any]] = [
            pull for pull in pulls if pull["head"]["sha"] == head and pull["base"]["ref"] == branch
        ]
        if same:
            return same[0] if len(same) == 1 else None
        if len(pulls) < PER_PAGE:
            break
    return None


def post(repository: str, number: int, text: str, ask: Api) -> None:
    """Write a comment, in the place of the workflow's own earlier one with the same first line."""
    mark = text.partition("\n")[0]
    for page in range(1, MOST_PAGES + 1):
        place = f"/repos/{repository}/issues/{number}/comments?per_page={PER_PAGE}&page={page}"
        comments = ask("GET", place, None)
        own = [
            each["id"] for each in comments if (each["user"] or {}).get("login") == BOT and _begins(each["body"], mark)
        ]
        if own:
            ask("PATCH", f"/repos/{repository}/issues/comments/{int(own[0])}", {"body": text})
            return
        if len(comments) < PER_PAGE:
            break
    ask("POST", f"/repos/{repository}/issues/{number}/comments", {"body": text})


def _begins(body: object, mark: str) -> bool:
    return isinstance(body, str) and body.startswith(mark)


def api(method: str, path: str, content: dict[str, Any] | None) -> Any:  # noqa: ANN401  (JSON)
    """Ask GitHub; raises urllib.error.HTTPError where it refuses. Runners name the address in ``GITHUB_API_URL``."""
    headers = {
        "Accept": "application/vnd.github+json",
        "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    data = None if content is None else json.dumps(content).encode()
    address = os.environ.get("GITHUB_API_URL", "https://api.github.com")
    request = urllib.request.Request(f"{address}{path}", data, headers, method=method)  # noqa: S310  (the runner's own)
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        return json.loads(answer.read() or b"null")
