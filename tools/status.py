"""
Sets the commit status that a maintainer requires: ``python tools/status.py pending``, then with FOLDER in its place.

The status is called ``ioledger/verdict`` and stands at the head commit of the pull request, or of the merge queue's
group. Only a token that may write statuses sets it: a pull request's own workflow has none. A job of that workflow may
bear the same name, but then GitHub requires both, so the status is set to pending before anything else is done. FOLDER
holds ``verdict.json``, written by the code of the base branch; without it the job was cancelled or could not set up.

Source: GitHub's REST API (commit statuses), version 2022-11-28, and its "Troubleshooting required status checks".
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

import github

if TYPE_CHECKING:
    from github import Api

CONTEXT = "ioledger/verdict"
PENDING = "pending"


class Status(NamedTuple):
    """What is said of a commit: GitHub's word for the state, and one sentence."""

    state: str
    description: str


STARTED = Status(PENDING, "The code of main is looking at it.")
UNFINISHED = {
    "cancelled": Status("error", "The check was cancelled before it came to a verdict."),
    "skipped": Status("error", "The check was not run."),
}
FAILED = Status("error", "The check ended before it came to a verdict: its set-up failed, or the commit is gone.")


def status(result: str, verdict: dict[str, Any] | None, commit: str) -> Status:
    """Return the status for how the job ended and what it left; only what passed whole, for this commit, succeeds."""
    if verdict is None or verdict.get("commit") != commit:
        return UNFINISHED.get(result, FAILED)
    if verdict.get("has_passed") is not True:
        return Status("failure", "Not to be merged as it is: look at the comment, or at the run.")
    if result != "success":
        return Status("failure", "The files are as they should be, but what follows the verdict failed.")
    return Status("success", "Passed, by the code of main.")


def commit_of(event: dict[str, Any]) -> str:
    """Return the commit that an event is about; raises LookupError where it names none."""
    named = event["pull_request"]["head"]["sha"] if "pull_request" in event else event["merge_group"]["head_sha"]
    if not github.COMMIT.fullmatch(str(named)):
        message = "the event names no commit"
        raise LookupError(message)
    return str(named)


def post(event: dict[str, Any], found: Status, run: str, ask: Api) -> None:
    """Set the status, with the address of the run that says more."""
    content = {"state": found.state, "context": CONTEXT, "description": found.description, "target_url": run}
    ask("POST", f"/repos/{github.repository_of(event)}/statuses/{commit_of(event)}", content)


def main() -> int:
    """Say that it began, or how it ended."""
    event = github.event()
    if sys.argv[1] == PENDING:
        found = STARTED
    else:
        verdict = github.found(Path(sys.argv[1]) / "verdict.json")
        found = status(os.environ["VERDICT_RESULT"], verdict, commit_of(event))
    print(f"{CONTEXT}: {found.state}: {found.description}")  # noqa: T201
    run = "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}".format_map(os.environ)
    post(event, found, run, github.api)
    return 0


if __name__ == "__main__":
    sys.exit(main())
