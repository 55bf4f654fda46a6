"""
The states of a submission: active, disputed, superseded, retracted.

Nothing is deleted. A state other than active has a reason and a date; a superseded submission names another that takes
its place, which is there, has not the same fate in a circle, and is not retracted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ioledger.problems import Problem
from ioledger.submission.shape import line_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.submission.manifest import Submission


def stands(manifest: dict[str, Any]) -> bool:
    """Say whether a submission counts: one that is superseded or retracted is listed, kept as it was, and not used."""
    status = manifest.get("status")
    return not isinstance(status, dict) or status.get("state") not in {"superseded", "retracted"}


def problems(
    submissions: list[Submission], shown: dict[str, str], others: dict[str, dict[str, str]]
) -> Iterator[Problem]:
    """
    Report every state that lacks something or leads nowhere.

    ``shown`` is each submission's name in messages; ``others`` are the states of submissions that are not checked.
    """
    own = {submission.id: submission.manifest.get("status", {"state": "active"}) for submission in submissions}
    states = {**others, **own}
    for submission in submissions:
        status = states[submission.id]
        where, place = f"{shown[submission.id]}/manifest.yaml", str(line_of(("status",), submission.lines))
        missing = [field for field in ("reason", "changed_on") if field not in status]
        if status["state"] != "active" and missing:
            what = f"the state {status['state']} has no {' and no '.join(missing)}"
            yield Problem(where, place, what, "Say why and since when (yyyy-mm-dd).", "R-STATE-1")
        successor = status.get("superseded_by")
        if (status["state"] == "superseded") != (successor is not None):
            what = "superseded_by belongs to the state superseded, and to no other"
            yield Problem(where, place, what, "Name the folder that takes its place.", "R-STATE-2")
        elif successor is not None and not _leads_somewhere(submission.id, states):
            what = f"superseded_by {successor} leads to no submission that stands"
            yield Problem(where, place, what, "Name a folder under data/ that is not retracted.", "R-STATE-3")


def _leads_somewhere(identity: str, states: dict[str, dict[str, str]]) -> bool:
    """Follow superseded_by to a submission that is not superseded itself; a circle and a gap lead nowhere."""
    seen = set[str]()
    while identity in states and identity not in seen:
        if states[identity]["state"] != "superseded":
            return states[identity]["state"] != "retracted"
        seen.add(identity)
        identity = states[identity].get("superseded_by", "")
    return False
