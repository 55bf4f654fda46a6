"""
A pull request may change only its own rows: the raw tables before and after, compared row by row.

Rows of submissions that the pull request does not touch must be the same. Rows of a merged submission that it does
touch must be the same too, but for its state: a submission is never edited, only superseded.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.problems import Problem
from ioledger.system.git import asked
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

Tables = dict[str, "pa.Table"]
LINE = "manifest.yaml, line "
"""A line of a manifest moves when its state is stated; that changes nothing."""

STATE_COLUMNS = ("status", "status_reason", "status_changed_on", "superseded_by", "manifest_sha256")


def git(*arguments: str) -> bytes:
    """Return what git prints in the project's folder; raises CalledProcessError when it fails."""
    done = asked(ROOT, *arguments)
    done.check_returncode()
    return done.stdout


def touched(base: str) -> set[str]:
    """Return the submissions whose files differ between a commit and the files at hand."""
    differing = git("diff", "--name-only", "-z", "--end-of-options", base, "--", "data")
    new = git("ls-files", "--others", "--exclude-standard", "-z", "--", "data")
    paths = (differing + new).decode("utf-8", "surrogateescape").split("\0")
    return {path.split("/")[1] for path in paths if path.count("/") > 1}


def ownership_problems(before: Tables, after: Tables, own: set[str]) -> Iterator[Problem]:
    """Report every submission outside ``own`` whose rows differ, and every merged one inside whose rows differ."""
    merged = set(before["submissions"]["submission_id"].to_pylist())
    for name in sorted(after):
        old, new = _by_submission(name, before), _by_submission(name, after)
        for identity in sorted(old.keys() | new.keys()):
            if old.get(identity) == new.get(identity) or (identity in own and identity not in merged):
                continue
            lost, found = _changes(old.get(identity, Counter()), new.get(identity, Counter()))
            what = f"{lost} rows of {identity} are gone and {found} are new"
            if identity in own:
                remedy = "Restore the merged file; submit a correction as a new folder, and set the state of this one."
                yield Problem(f"the table {name}", identity, what, remedy, "R-OWN-2")
            else:
                remedy = "Change only files of your own submission."
                yield Problem(f"the table {name}", identity, what, remedy, "R-OWN-1")


def _changes(old: Counter[bytes], new: Counter[bytes]) -> tuple[int, int]:
    return (old - new).total(), (new - old).total()


def _by_submission(name: str, built: Tables) -> dict[str, Counter[bytes]]:
    """Return the rows of a table, without the columns of the state, counted by submission."""
    table = built[name]
    owners = _owners(table, built)
    kept = [column for column in table.column_names if name != "submissions" or column not in STATE_COLUMNS]
    rows: dict[str, Counter[bytes]] = {}
    for owner, row in zip(owners, table.select(kept).to_pylist(), strict=True):
        if str(row.get("locator")).startswith(LINE):
            row["locator"] = None
        rows.setdefault(owner, Counter())[msgspec.json.encode(row)] += 1
    return rows


def _owners(table: pa.Table, built: Tables) -> list[Any]:
    """Return the submission of every row, by way of its result where the table names none."""
    if "submission_id" in table.column_names:
        return table["submission_id"].to_pylist()
    results = built["results"].select(["result_id", "submission_id"]).to_pylist()
    owner = {row["result_id"]: row["submission_id"] for row in results}
    return [owner[result] for result in table["result_id"].to_pylist()]
