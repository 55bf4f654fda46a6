"""
Judges a pull request and writes the comment on it, run by ``verdict.yml``.

``python tools/verdict.py judge FOLDER`` gives the verdict: the checkout at hand is the base branch; the commit of the
pull request is fetched as git's objects and never checked out. FOLDER gets ``verdict.json``, ``status.txt`` (state and
description of the commit status), and ``data/`` as it would be after the merge. ``python tools/verdict.py comment
FOLDER`` writes ``comment.md`` from these and from ``report.json``, where the build was made. Texts of strangers are
shown as characters.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "ingest")]


from ioledger import pulls  # noqa: E402
from ioledger.problems import one_line  # noqa: E402
from ioledger.pulls import verdict  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.pulls.verdict import Owner

QUEUED = re.compile(r"refs/heads/gh-readonly-queue/[\w./-]+/pr-(\d+)-(?:[0-9a-f]{40}|[0-9a-f]{64})", re.ASCII)
"""What the platform calls the branch on which it tries a pull request of the merge queue."""
FETCHED = "refs/ioledger/head"
WRITERS = frozenset({"admin", "maintain", "write"})
MAX_COMMENT = 60_000
"""A comment has at most 65,536 characters."""
SHOWN = 30
"""Rows of each table of the comment."""


def ask(path: str) -> Any:  # noqa: ANN401  (JSON)
    """Return what the API says of a path, all pages of a list."""
    done = subprocess.run(["gh", "api", "--paginate", path], check=True, capture_output=True, text=True)  # noqa: S603, S607
    return json.loads(done.stdout.replace("][", ",") or "null")


def read_request(event: dict[str, Any], repository: Path) -> verdict.PullRequest:
    """Return what an event is about; raises LookupError for one about no pull request, or a commit that is gone."""
    name = event["repository"]["full_name"]
    base = pulls.git(repository, "rev-parse", "HEAD").decode().strip()
    if "pull_request" in event:
        pull = event["pull_request"]
        head, ref = pull["head"]["sha"], f"refs/pull/{int(pull['number'])}/head"
    elif found := QUEUED.fullmatch(event.get("merge_group", {}).get("head_ref", "")):
        pull = ask(f"repos/{name}/pulls/{int(found[1])}")
        head = ref = event["merge_group"]["head_sha"]
        base = event["merge_group"]["base_sha"]
    else:
        message = "the event has no pull request"
        raise LookupError(message)
    _fetch(repository, ref, head)
    author = str((pull["user"] or {}).get("login", ""))
    return verdict.PullRequest(
        repository, base, head, author, reviewers(name, pull, author), _owner(repository, name, base)
    )


def reviewers(name: str, pull: dict[str, Any], author: str) -> tuple[str, ...]:
    """
    Return who approved the head of a pull request: accounts with write access that are not its author.

    The last review of an account counts, and only one of the judged commit: a later push leaves none.
    """
    last = {
        review["user"]["login"]: review
        for review in ask(f"repos/{name}/pulls/{int(pull['number'])}/reviews?per_page=100")
        if review["user"] and review["state"] in {"APPROVED", "CHANGES_REQUESTED", "DISMISSED"}
    }
    return tuple(
        login
        for login, review in sorted(last.items())
        if review["state"] == "APPROVED" and review["commit_id"] == pull["head"]["sha"]
        if login.casefold() != author.casefold()
        if ask(f"repos/{name}/collaborators/{login}/permission")["role_name"] in WRITERS
    )


def _fetch(repository: Path, ref: str, head: str) -> None:
    """Fetch a commit and all before it, if its objects are sound; nothing of it is checked out."""
    what = ("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "origin", f"+{ref}:{FETCHED}")
    pulls.git(repository, "-c", "fetch.fsckObjects=true", *what)
    try:
        pulls.git(repository, "cat-file", "-e", f"{head}^{{commit}}")
    except subprocess.CalledProcessError:
        message = f"{head} is gone: a later push replaced it"
        raise LookupError(message) from None


def _owner(repository: Path, name: str, base: str) -> Owner:
    """Return a function that gives the account whose merged pull request brought a submission."""

    @cache
    def owner(submission: str) -> str | None:
        commit = pulls.find_addition(repository, base, f"data/{submission}/manifest.yaml")
        if commit is None:
            return None
        brought = ask(f"repos/{name}/commits/{commit}/pulls?per_page=100")
        found = {str(pull["user"]["login"]) for pull in brought if pull.get("merged_at") and pull.get("user")}
        return found.pop() if len(found) == 1 else None

    return owner


def judge(folder: Path) -> int:
    """Judge the event's pull request in the runner's checkout; return 1 for one that must not be merged as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_bytes())
    try:
        found = verdict.judge(read_request(event, Path(os.environ["GITHUB_WORKSPACE"])), folder)
    except (LookupError, subprocess.CalledProcessError) as error:
        reason = _reason(error)
        (folder / "verdict.json").write_bytes(verdict.encode_report({"unjudged": reason}))
        (folder / "status.txt").write_text(f"error\n{one_line(reason, 130)}\n", encoding="utf-8")
        _say(reason)
        return 1
    (folder / "verdict.json").write_bytes(verdict.encode_report(found))
    (folder / "status.txt").write_text("\n".join(_status(found)) + "\n", encoding="utf-8")
    with Path(os.environ.get("GITHUB_OUTPUT", os.devnull)).open("a", encoding="utf-8") as output:
        output.write(f"sound={str(found.is_sound).lower()}\n")
    for problem in found.problems[: verdict.MOST_ROWS]:
        _say(str(problem))
    return 0 if found.has_passed else 1


def _status(found: verdict.Verdict) -> tuple[str, str]:
    """Return the state and the description of the commit status."""
    if not found.has_passed:
        return "failure", f"{found.problem_count:,} problems; the comment and the run list them"
    if not found.folders and not found.states:
        return "success", "no data judged: a reviewer must read the code"
    return "success", f"{sum(folder.file_count for folder in found.folders)} files of data judged"


def _reason(error: LookupError | subprocess.CalledProcessError) -> str:
    """Return why there is no verdict: in our words, or in those of the program that failed."""
    if isinstance(error, LookupError):
        return str(error.args[0])
    stderr = error.stderr.decode("utf-8", "replace") if isinstance(error.stderr, bytes) else error.stderr or ""
    return f"{error.cmd[0]} {error.cmd[-1]}: {stderr.strip() or f'exit code {error.returncode}'}"


def _say(line: str) -> None:
    """Print a line that the runner cannot parse as a command, for any file name."""
    print(f"| {one_line(line, 2_000).replace('##[', '## [')}", flush=True)  # noqa: T201


def comment(found: dict[str, Any], report: dict[str, Any] | None) -> str:
    """
    Return the comment on a pull request as Markdown.

    Dangerous paths come first, then what is wrong by rule, then one table with a row for each point of the submission
    and its nearest published drives, and last what would improve it.
    """
    if "unjudged" in found:
        return f"## No verdict\n\n{code(found['unjudged'])}\n"
    lines = [*_danger(found), *_head(found), *_problems(found)]
    for each in (report or {}).get("submissions", ()):
        lines += _submission(each)
    text = "\n".join(lines) + "\n"
    if len(text) <= MAX_COMMENT:
        return text
    return f"{text[:MAX_COMMENT].rpartition(chr(10))[0]}\n\n… The log of the run has the rest.\n"


def code(value: object) -> str:
    """Return text as code, in which Markdown means nothing, in one line."""
    text = one_line("" if value is None else str(value), 300).replace("|", "\\|")
    return f"`` {text.replace('`', chr(39))} ``" if text else ""


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], count: int) -> Iterator[str]:
    """Give the lines of a table, and how many of its rows are left out."""
    heads, listed = list(heads), list(rows)
    yield from ("", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}")
    yield from (f"| {' | '.join(row)} |" for row in listed[:SHOWN])
    if count > SHOWN:
        yield f"\n… and {count - SHOWN:,} more."


def _danger(found: dict[str, Any]) -> Iterator[str]:
    dangerous = [each for each in found["outside"] if each["is_dangerous"]]
    if dangerous:
        yield "## This pull request changes code that runs: a maintainer must read it"
        rows = ([code(each["path"]), code(each["how"])] for each in dangerous)
        yield from table(("path", "what"), rows, len(dangerous))
        yield ""


def _head(found: dict[str, Any]) -> Iterator[str]:
    title = "Passed" if found["has_passed"] else "Do not merge yet"
    yield f"## {title}: {code(found['commit'][:12])} by {code(found['author'])}"
    yield "\nJudged by the code of the base branch; no code of the pull request was run."
    if not found["folders"] and not found["states"]:
        yield "\n**No data judged.** It adds no submission."
    for folder in found["folders"]:
        counts = f"{folder['file_count']} files, {folder['size_bytes']:,} bytes"
        yield f"\n{code(folder['name'])}: {counts}, submitted by {code(folder['submitted_by'])}."
    if found["confirmed_by"]:
        yield f"\nConfirmed by an approving review of this commit: {', '.join(map(code, found['confirmed_by']))}."
    elif found["needs_review"]:
        yield (
            "\nThe pull request changes more than one new folder: an approving review of this commit by a maintainer "
            "who is not its author confirms that. Then run this check again."
        )
    for voice in found["voices"]:
        whose = f" in the name of {code(voice['name'])}" if voice["name"] else ""
        yield f"\n- {code(voice['kind'])} about {code(voice['about'])}{whose}: {code(voice['text'])}"
    if counts := ", ".join(f"{code(name)} {count}" for name, count in found["outside_counts"].items()):
        yield f"\nFiles outside of the folder: {counts}."


def _problems(found: dict[str, Any]) -> Iterator[str]:
    """Give problems and warnings, grouped by rule with a count and one example."""
    for name, title in (("problems", "Problems"), ("warnings", "Check these before publication")):
        grouped: dict[str, list[dict[str, Any]]] = {}
        for each in found[name]:
            grouped.setdefault(each["rule"], []).append(each)
        if grouped:
            yield f"\n### {title}"
            rows = []
            for rule, (first, *others) in sorted(grouped.items()):
                texts = (f"{first['file']} {first['place']}", first["what"], first["remedy"])
                rows.append([rule, str(1 + len(others)), *map(code, texts)])
            yield from table(("rule", "count", "example", "what", "remedy"), rows, len(grouped))


def _submission(each: dict[str, Any]) -> Iterator[str]:
    points = each.get("points", [])
    count = each.get("point_count", len(points))
    yield f"\n### {code(each['id'])}: {count} points"
    rows = []
    for row in points:
        nearest = "; ".join(f"{code(near['device'])} {near['ratio']}" for near in row["nearest"])
        rows.append([code(row["workload"]), str(row["queue_depth"] or ""), row["value"], nearest])
    yield from table(("workload", "queue depth", "value", "nearest published drives"), rows, count)
    if each.get("improve"):
        options = " ".join(f"--state {name}=…" for name in each["improve"])
        yield f"\nThese values would improve its comparisons: `{options}`"


def main() -> int:
    """Judge, or write the comment."""
    command, folder = sys.argv[1], Path(sys.argv[2])
    if command == "judge":
        return judge(folder)
    found = json.loads((folder / "verdict.json").read_bytes())
    report = json.loads((folder / "report.json").read_bytes()) if (folder / "report.json").is_file() else None
    (folder / "comment.md").write_text(comment(found, report), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
