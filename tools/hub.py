"""
A stand-in for GitHub on this machine: a repository with one pull request, and the part of the API that the scripts ask.

The repository is a bare copy, so that nothing here changes the one at hand. Who brought a merged submission is answered
with the author's name in git, because no pull request is known here. Comments, statuses and labels are kept in memory.
"""

from __future__ import annotations

import json
import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

NAME, NUMBER, BRANCH, BOT = "owner/ioledger", 1, "main", "github-actions[bot]"
HEAD, MERGED = f"refs/pull/{NUMBER}/head", f"refs/pull/{NUMBER}/merge"
IDENTITY = ("-c", "user.name=rehearsal", "-c", "user.email=rehearsal@example.org")


class Hub:
    """The repository, the pull request, and what was written to it."""

    def __init__(self, checkout: Path, folder: Path, base: str, head: str, author: str, labels: list[str]) -> None:  # noqa: PLR0913, PLR0917
        """Copy a checkout's commits; raises subprocess.CalledProcessError for a name that is no commit."""
        self.origin, self.author = folder / "origin.git", author
        self.labels, self.comments = list(labels), list[dict[str, Any]]()
        self.statuses: list[dict[str, Any]] = []
        """What was said of commits, in this order: commit, context, state and description."""
        self.base, self.head = (
            git(checkout, "rev-parse", "--verify", "--end-of-options", f"{each}^{{commit}}") for each in (base, head)
        )
        git(folder, "clone", "--quiet", "--bare", "--no-hardlinks", str(checkout), str(self.origin))
        for name, commit in ((f"refs/heads/{BRANCH}", self.base), (HEAD, self.head)):
            git(self.origin, "update-ref", name, commit)
        self.merged = self._merged()
        git(self.origin, "update-ref", MERGED, self.merged)

    def _merged(self) -> str:
        """Return the commit of base and head together; raises ValueError where they conflict."""
        try:
            tree = git(self.origin, "merge-tree", "--write-tree", self.base, self.head)
        except subprocess.CalledProcessError:
            message = "the branch conflicts with its base"
            raise ValueError(message) from None
        parents = ("-p", self.base, "-p", self.head)
        return git(self.origin, *IDENTITY, "commit-tree", tree, *parents, "-m", "Merged for the rehearsal")

    @property
    def pull(self) -> dict[str, Any]:
        """The pull request as the API and the events show it."""
        return {
            "number": NUMBER,
            "user": {"login": self.author},
            "labels": [{"name": label} for label in self.labels],
            "base": {"ref": BRANCH, "sha": self.base},
            "head": {"sha": self.head, "ref": "rehearsed", "repo": {"full_name": NAME}},
        }

    def answer(self, method: str, path: str, content: dict[str, Any]) -> Any:  # noqa: ANN401  (JSON)
        """Answer a request; raises LookupError for what has no stand-in."""
        place, _, _ = path.partition("?")
        if found := re.fullmatch(rf"/repos/{NAME}/commits/([0-9a-f]+)/pulls", place):
            account = git(self.origin, "show", "--no-patch", "--format=%an", found[1])
            return [{"merged_at": "before", "user": {"login": account}}]
        if found := re.fullmatch(rf"/repos/{NAME}/issues/comments/(\d+)", place):
            self.comments[int(found[1])]["body"] = content["body"]
            return {}
        if found := re.fullmatch(rf"/repos/{NAME}/issues/{NUMBER}/labels/([\w-]+)", place):
            self.labels.remove(found[1])
            return {}
        if method == "POST" and (found := re.fullmatch(rf"/repos/{NAME}/statuses/([0-9a-f]+)", place)):
            self.statuses.append({"commit": found[1], **content})
            return {}
        places: dict[str, Any] = {
            f"GET /repos/{NAME}/pulls": [self.pull],
            f"GET /repos/{NAME}/pulls/{NUMBER}": self.pull,
            f"GET /repos/{NAME}/issues/{NUMBER}/comments": self.comments,
        }
        if f"{method} {place}" in places:
            return places[f"{method} {place}"]
        if f"{method} {place}" == f"POST /repos/{NAME}/issues/{NUMBER}/comments":
            self.comments.append({"id": len(self.comments), "user": {"login": BOT}, "body": content["body"]})
            return {}
        message = f"no stand-in for {method} {place}"
        raise LookupError(message)

    def serve(self) -> ThreadingHTTPServer:
        """Answer on a port of this machine until the server is shut down; return it."""
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                content = json.loads(self.rfile.read(length) or b"{}")
                try:
                    code, data = 200, json.dumps(hub.answer(self.command, self.path, content)).encode()
                except LookupError as error:
                    code, data = 404, str(error).encode()
                self.send_response(code)
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PATCH = do_DELETE = _answer  # noqa: N815  (names that http.server asks for)

            def log_message(self, *_: object) -> None:
                """Say nothing: the steps say what they ask."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server


def git(folder: Path, *arguments: str) -> str:
    """Return what git prints in a folder; raises CalledProcessError where it fails."""
    command = ["git", "-c", "commit.gpgsign=false", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603
