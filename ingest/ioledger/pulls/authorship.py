"""
Who speaks for whom in a pull request: states that it sets on merged submissions, and replies in somebody's name.

A manifest's ``submitted_by`` and a reply's ``replied_by`` are words of whoever wrote them. What is known of a person is
the account that opened the pull request, and the account whose pull request brought a merged submission.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ioledger.pulls import bounds, objects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from ioledger.pulls.bounds import Parted
    from ioledger.submission.files import FileRead

    Owner = Callable[[str], str | None]

ACTIVE, DISPUTED = "active", "disputed"


class Voice(msgspec.Struct, frozen=True):
    """
    Something that is said of, or in the name of, somebody.

    ``kind`` is the state that is set, or ``reply``; ``about`` the submission (and claim) that it is about; ``name`` in
    whose name: the account that owns the submission, or who is said to reply; null where nobody is known.
    ``needs_review`` is false where the author speaks for himself.
    """

    file: str
    kind: str
    about: str
    name: str | None
    text: str
    needs_review: bool


def states(repository: Path, found: Parted, author: str, owner: Owner) -> Iterator[Voice]:
    """
    Give every state that is set; ``owner`` tells the account that brought a merged submission.

    That a dispute is over is not for its owner alone to say.
    """
    for name, change in sorted(found.states.items()):
        stated = bounds.status_of(objects.blob(repository, change.new_blob))
        words = (stated.get("reason"), stated.get("superseded_by") and f"superseded by {stated['superseded_by']}")
        text = "; ".join(str(word) for word in words if word)
        whose = owner(name)
        is_own = whose is not None and _same(whose, author)
        kind = str(stated.get("state", ACTIVE))
        before = bounds.status_of(objects.blob(repository, change.old_blob)).get("state")
        is_settled = before == DISPUTED and kind != DISPUTED
        yield Voice(change.path, kind, name, whose, text, not is_own or is_settled)


def replies(read: Iterable[FileRead], author: str) -> Iterator[Voice]:
    """Give every reply that new files hold."""
    for each in read:
        for row in each.reading.rows.get("replies", ()) if each.reading else ():
            name = str(row.get("replied_by") or "")
            about = "/".join(str(row[key]) for key in ("claim_submission_id", "claim_id") if row.get(key))
            is_own = _same(name.removeprefix("@"), author)
            yield Voice(f"{bounds.DATA}/{each.submission_id}/{each.path}", "reply", about, name,
                        str(row.get("reply") or ""), not is_own)  # fmt: skip


def _same(name: str, account: str) -> bool:
    """Say whether a name is an account of GitHub, whose names have no capitals of their own."""
    return bool(account) and name.casefold() == account.casefold()
