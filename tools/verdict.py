"""
Gives the verdict on a pull request: ``python tools/verdict.py FOLDER``, run by ``verdict.yml``.

The checkout at hand is the base branch; the commit of the pull request is fetched as git's objects and never checked
out. FOLDER gets ``verdict.json``, and ``data/`` as it would be after the merge. The event of GitHub says which commit,
whose, and with which labels. Labels were given to what a maintainer saw: they count where the event is that one was
given or taken, and where GitHub still has them. A push takes them away, and so do another base branch and opening again
what was closed, to which anything may have been pushed meanwhile.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "ingest"), str(ROOT / "tools")]

import github  # noqa: E402  (it lies beside this script)
import msgspec  # noqa: E402

from ioledger.problems import one_line  # noqa: E402  (the package lies above this script)
from ioledger.pulls import objects, sized, verdict  # noqa: E402

if TYPE_CHECKING:
    from github import Api

    from ioledger.pulls.voices import Owner

QUEUED = re.compile(r"refs/heads/gh-readonly-queue/[\w./-]+/pr-(\d+)-(?:[0-9a-f]{40}|[0-9a-f]{64})", re.ASCII)
"""What GitHub calls the branch on which it tries a pull request of the merge queue."""
FETCHED = "refs/ioledger/head"
GIVEN = frozenset({"labeled", "unlabeled"})
"""The events by which a maintainer confirms something, or no longer does."""
DATA = "data"


def asked(event: dict[str, Any], ask: Api, repository: Path = ROOT) -> verdict.Asked:
    """Return what an event asks; raises LookupError for an event about no pull request, or a commit that is gone."""
    name = github.repository_of(event)
    base = objects.git(repository, "rev-parse", "HEAD").decode().strip()
    if "pull_request" in event:
        pull = event["pull_request"]
        head, ref = pull["head"]["sha"], f"refs/pull/{int(pull['number'])}/head"
        labels = _given(name, pull, ask) if event.get("action") in GIVEN else ()
    elif found := QUEUED.fullmatch(event.get("merge_group", {}).get("head_ref", "")):
        pull = ask("GET", f"/repos/{name}/pulls/{int(found[1])}", None)
        head = ref = event["merge_group"]["head_sha"]
        base, labels = event["merge_group"]["base_sha"], pull["labels"]
    else:
        message = "the event is about no pull request"
        raise LookupError(message)
    _fetch(repository, ref, head, base)
    given = frozenset(str(label["name"]) for label in labels)
    author = str((pull["user"] or {}).get("login", ""))
    return verdict.Asked(repository, base, head, author, given, _owner(repository, name, base, ask))


def _given(name: str, pull: dict[str, Any], ask: Api) -> list[dict[str, Any]]:
    """Return the labels that a pull request has now; those of the event may have been taken away since."""
    now: dict[str, Any] = ask("GET", f"/repos/{name}/pulls/{int(pull['number'])}", None)
    if now["head"]["sha"] != pull["head"]["sha"]:
        message = f"{pull['head']['sha']} is no longer the head: a later push took its place"
        raise LookupError(message)
    return list(now["labels"])


def _fetch(repository: Path, ref: str, *commits: str) -> None:
    """Fetch a commit and all before it, if its objects are sound; nothing of it is checked out."""
    if not all(objects.is_commit(commit) for commit in commits):
        message = "the event names no commit"
        raise LookupError(message)
    what = ("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "origin", f"+{ref}:{FETCHED}")
    objects.git(repository, "-c", "fetch.fsckObjects=true", *what)
    for commit in commits:
        try:
            objects.git(repository, "cat-file", "-e", f"{commit}^{{commit}}")
        except subprocess.CalledProcessError:
            message = f"{commit} is no longer there: a later push took its place"
            raise LookupError(message) from None


def _owner(repository: Path, name: str, base: str, ask: Api) -> Owner:
    """Return a function that tells the account whose merged pull request brought a submission."""

    @cache
    def owner(submission: str) -> str | None:
        commit = objects.added_in(repository, base, f"{DATA}/{submission}/manifest.yaml")
        if commit is None:
            return None
        pulls = ask("GET", f"/repos/{name}/commits/{commit}/pulls?per_page=100", None)
        found = {str(pull["user"]["login"]) for pull in pulls if pull.get("merged_at") and pull.get("user")}
        return found.pop() if len(found) == 1 else None

    return owner


def main() -> int:
    """Judge; return 1 for a pull request that must not be merged as it is."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    try:
        found = verdict.judge(asked(github.event(), github.api), folder)
    except (LookupError, subprocess.CalledProcessError) as error:
        reason = _reason(error)
        (folder / "verdict.json").write_bytes(sized.written({"unjudged": reason}))
        _say(reason)
        return 1
    (folder / "verdict.json").write_bytes(sized.written(msgspec.to_builtins(found)))
    with Path(os.environ.get("GITHUB_OUTPUT", os.devnull)).open("a", encoding="utf-8") as output:
        output.write(f"sound={str(found.is_sound).lower()}\n")
    for problem in found.problems[: sized.MOST_ROWS]:
        _say(str(problem))
    counted = f"{found.problem_count:,} problems, {len(found.folders)} new folders, {len(found.outside)} files outside"
    _say(f"{found.commit}: {counted}")
    return 0 if found.has_passed else 1


def _reason(error: LookupError | subprocess.CalledProcessError) -> str:
    """Return why there is no verdict: in our words, or in git's."""
    if isinstance(error, LookupError):
        return str(error.args[0])
    said = error.stderr.decode("utf-8", "replace").strip()
    return f"git {error.cmd[-1]}: {said or f'exit code {error.returncode}'}"


def _say(line: str) -> None:
    """Print a line that the runner takes for no command, whatever a stranger's file is called."""
    print(f"| {one_line(line, 2_000).replace('##[', '## [')}", flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
