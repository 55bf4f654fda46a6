"""
Comments on a pull request what the trusted code says of it: ``python tools/comment_verdict.py FOLDER``.

FOLDER holds ``verdict.json`` and, where the build was made, ``report.json``, both written by the code of the base
branch; the texts in them are still those of strangers. Where neither is there, the comment says that, and why. The
comment of an earlier push is replaced; a commit that is no longer the head gets none. After a push, and where a closed
pull request is opened again, the labels are taken away by which a maintainer confirmed what stood there before.
"""

from __future__ import annotations

import os
import sys
import urllib.error
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import comment
import github
from github import code, left_out, objects, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from github import Api

MARK = "<!-- ioledger verdict -->"
CONFIRMS = "confirmed-"
"""How the labels begin by which a maintainer confirms something."""
RENEWED = frozenset({"edited", "reopened", "synchronize"})
"""The events after which head or base may be another commit: GitHub tells nobody of a push to what is closed."""
UNFINISHED = {
    "cancelled": "The check was cancelled before it came to a verdict. Run it again, or push again.",
    "skipped": "The check was not run.",
}
FAILED = "The check ended before it came to a verdict: its set-up failed, or the commit is gone. Run it again."
GONE = "The fork is gone. What was pushed last is judged; nobody can push more."


def body(event: dict[str, Any], result: str, verdict: dict[str, Any] | None, report: dict[str, Any] | None) -> str:
    """Return the comment for an event, how the job ended, and what it left."""
    return github.comment(MARK, _lines(event["pull_request"], result, verdict, report))


def _lines(
    pull: dict[str, Any], result: str, verdict: dict[str, Any] | None, report: dict[str, Any] | None
) -> Iterator[str]:
    of = f"of {code(pull['head']['sha'])} by {code((pull['user'] or {}).get('login'))}"
    gone = f"\n{GONE}" if pull["head"].get("repo") is None else ""
    if verdict is None:
        yield f"## No verdict {of}\n\n{UNFINISHED.get(result, FAILED)}{gone}"
        return
    if "unjudged" in verdict:
        yield f"## No verdict {of}\n\n{code(verdict['unjudged'])}{gone}"
        return
    passed = verdict.get("has_passed") is True
    yield f"## {'Passed' if passed and result == 'success' else 'Not to be merged as it is'}: the verdict {of}{gone}"
    yield f"\nGiven by the code of {code(verdict.get('base'))}. No code of the pull request was run for it."
    if passed and result != "success":
        yield "\nThe files are as they should be, but what follows the verdict failed: look at the run."
    yield from _waits(verdict)
    yield from github.within(_spoken(verdict))
    yield from github.within(_outside(verdict))
    yield f"\n### {code(verdict.get('problem_count'))} problems"
    yield from github.within(github.problems(verdict, "problems"))
    if objects(verdict, "warnings"):
        yield "\n### Look at these before they are published for ever"
        yield from github.within(github.problems(verdict, "warnings"))
    yield from _folders(verdict)
    if report is not None:
        yield "\n## What it adds"
        yield from comment.lines(report)


def _waits(verdict: dict[str, Any]) -> Iterator[str]:
    """Say first which labels it waits for: what follows may be longer than a comment."""
    needed = verdict.get("needed")
    if isinstance(needed, list) and needed:
        yield f"\nIt waits for {', '.join(code(label) for label in needed)}."


def _spoken(verdict: dict[str, Any]) -> Iterator[str]:
    """Give what is said of others, or in their name: it comes first."""
    if spoken := objects(verdict, "voices"):
        yield "\n### It speaks for, or of, somebody"
        cells = (
            [*(code(row.get(key)) for key in ("kind", "about", "name", "text")), _confirmed(row.get("label"), verdict)]
            for row in spoken
        )
        yield from table(("what", "about", "whose, or in whose name", "words", "confirmed"), cells)
        yield from left_out(verdict, "voices")


def _confirmed(label: object, verdict: dict[str, Any]) -> str:
    """Say whether a maintainer has confirmed it, or nobody need do so."""
    if not label:
        return "their own"
    given = verdict.get("confirmed")
    return f"yes, {code(label)}" if isinstance(given, list) and label in given else f"needs {code(label)}"


def _outside(verdict: dict[str, Any]) -> Iterator[str]:
    if outside := objects(verdict, "outside"):
        yield "\n### Outside of the folder"
        yield "\nNothing here was checked: a person has to read it."
        yield from table(("path", "what"), ([code(row.get("path")), code(row.get("how"))] for row in outside))
        yield from left_out(verdict, "outside")


def _folders(verdict: dict[str, Any]) -> Iterator[str]:
    found = objects(verdict, "folders")
    if not found and not verdict.get("states"):
        yield "\nIt adds no submission."
    for folder in found:
        yield f"\n### {code(folder.get('name'))}"
        yield f"\nIts manifest says: submitted by {code(folder.get('submitted_by'))}. Tree {code(folder.get('tree'))}."
        cells = ([code(row.get(key)) for key in ("path", "size", "sha256")] for row in objects(folder, "files"))
        yield from table(("file", "bytes", "SHA-256"), cells)
        yield from left_out(folder, "files")


def withdraw(event: dict[str, Any], ask: Api) -> None:
    """Take the labels away that confirmed what stood there before a push, or before it was closed."""
    if event["action"] not in RENEWED:
        return
    pull, repository = event["pull_request"], github.repository_of(event)
    for label in pull["labels"]:
        if label["name"].startswith(CONFIRMS):
            name = urllib.parse.quote(label["name"], safe="")
            try:
                ask("DELETE", f"/repos/{repository}/issues/{int(pull['number'])}/labels/{name}", None)
            except urllib.error.HTTPError as error:
                if error.code != 404:  # noqa: PLR2004  (somebody took it away already)
                    raise


def main() -> int:
    """Comment; a commit that is no longer the head of its pull request gets none."""
    folder, event = Path(sys.argv[1]), github.event()
    withdraw(event, github.api)
    number, repository = int(event["pull_request"]["number"]), github.repository_of(event)
    now = github.api("GET", f"/repos/{repository}/pulls/{number}", None)
    if now["head"]["sha"] != event["pull_request"]["head"]["sha"]:
        print("the pull request has another head now; nothing to say")  # noqa: T201
        return 0
    verdict, report = (github.found(folder / name) for name in ("verdict.json", "report.json"))
    github.post(repository, number, body(event, os.environ["VERDICT_RESULT"], verdict, report), github.api)
    return 0


if __name__ == "__main__":
    sys.exit(main())
