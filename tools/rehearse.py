"""
Runs here what GitHub would run for a pull request, and prints comments and statuses: ``npm run rehearse -- BRANCH``.

The workflows are read as GitHub reads them: those of ``pull_request`` from the merged commit, all others from the base.
Each job has a clone of its own, each step its own shell; what a job keeps, a later one finds. Actions have stand-ins,
which are listed first. Rights, runners and concurrency are GitHub's alone and have no effect here.

``npm run rehearse -- BRANCH`` runs the code of the branch, as you. Of a stranger's branch rehearse only the verdict,
which does not: ``npm run rehearse -- BRANCH --trusted``.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "ingest"), str(ROOT / "tools")]

import hub  # noqa: E402  (it lies beside this script)
from expressions import filled, holds  # noqa: E402

from ioledger.problems import one_line  # noqa: E402  (the package lies above this script)

if TYPE_CHECKING:
    from collections.abc import Iterator

STAND_INS = {
    "actions/checkout": "a clone of this repository at the commit, with the packages that lie here",
    "actions/setup-node": "the Node of this machine",
    "actions/setup-python": "the Python of this machine",
    "actions/upload-artifact": "a copy in a folder",
    "actions/download-artifact": "that copy; it fails where there is none",
}
KEPT_VARIABLES = (
    "PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "XDG_CACHE_HOME", "IOLEDGER_CORPUS", "IOLEDGER_IMPORTS",
    "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "UV_SYSTEM_CERTS",
)  # fmt: skip
LOCKS = ("package-lock.json", "requirements.lock", "pyproject.toml", "tools/uv.txt", "tools/bootstrap.mjs")
SHOWN_LINES = 40
FOLDER = ".github/workflows"
RUN = 1
DEFAULT_MINUTES = 360


class Workflow(NamedTuple):
    """A workflow that is run: its document, the event that starts it, and what that event says."""

    document: dict[str, Any]
    event_name: str
    event: dict[str, Any]

    @property
    def name(self) -> str:
        """What it calls itself."""
        return str(self.document["name"])


class Rehearsed(NamedTuple):
    """What came of it: how each job ended, the texts of the comments, and the statuses of commits in their order."""

    results: dict[str, str]
    comments: list[str]
    statuses: list[dict[str, Any]]


class Rehearsal:
    """One pull request, rehearsed: its stand-in for GitHub, what was kept, and what ran."""

    def __init__(self, github: hub.Hub, folder: Path, without: frozenset[str]) -> None:
        """Take a folder for everything; ``without`` names steps that are left out."""
        self.hub, self.folder, self.without = github, folder, without
        self.server = github.serve()
        self.results: dict[str, str] = {}
        """The result of every job, by workflow and job."""

    def triggered(self, *, trusted: bool) -> Iterator[Workflow]:
        """Give the workflows that a push to the pull request starts, in the order in which they end."""
        event = {"action": "opened", "number": hub.NUMBER, "pull_request": self.hub.pull} | self._repository()
        if trusted:
            untrusted = []
        else:
            untrusted = [Workflow(each, "pull_request", event) for each in self._of("pull_request", self.hub.merged)]
        labelled = event | ({"action": "labeled"} if self.hub.labels else {})
        yield from untrusted
        yield from (Workflow(each, "pull_request_target", labelled) for each in self._of("pull_request_target"))
        for run in untrusted:
            for each in self._of("workflow_run"):
                if run.name in _on(each)["workflow_run"]["workflows"]:
                    yield Workflow(each, "workflow_run", {"workflow_run": self._ended(run)} | self._repository())

    def _repository(self) -> dict[str, Any]:
        return {"repository": {"full_name": hub.NAME, "name": "ioledger", "default_branch": hub.BRANCH}}

    def _ended(self, run: Workflow) -> dict[str, Any]:
        jobs = [self.results.get(f"{run.name}.{job}", "skipped") for job in run.document["jobs"]]
        return {
            "id": RUN, "name": run.name, "event": run.event_name, "head_sha": self.hub.head, "head_branch": "rehearsed",
            "conclusion": "failure" if "failure" in jobs else "success", "head_repository": {"full_name": hub.NAME},
        }  # fmt: skip

    def _of(self, event: str, commit: str = "") -> list[dict[str, Any]]:
        """Return the workflows of a commit (default: of the base) that an event starts, by name of their files."""
        commit = commit or self.hub.base
        names = hub.git(self.hub.origin, "ls-tree", "-z", "--name-only", commit, f"{FOLDER}/").split("\0")
        texts = (hub.git(self.hub.origin, "show", f"{commit}:{name}") for name in names if name.endswith(".yml"))
        documents = [yaml.safe_load(text) for text in texts]
        return [each for each in documents if event in _on(each) and self._concerns(_on(each)[event] or {})]

    def _concerns(self, asked: dict[str, Any]) -> bool:
        """Say whether one of the changed paths is one that a workflow asks about."""
        if "paths" not in asked:
            return True
        changed = hub.git(self.hub.origin, "diff", "--name-only", "-z", self.hub.base, self.hub.merged).split("\0")
        return any(fnmatch.fnmatchcase(path, pattern) for path in changed for pattern in asked["paths"])

    def run(self, workflow: Workflow) -> None:
        """Run every job of a workflow, after those that it needs."""
        waiting = dict(workflow.document["jobs"])
        while waiting:
            done = {name for name in workflow.document["jobs"] if name not in waiting}
            name = next(each for each, job in waiting.items() if set(_needs(job)) <= done)
            self.results[f"{workflow.name}.{name}"] = self._job(workflow, name, waiting.pop(name))

    def _job(self, workflow: Workflow, name: str, job: dict[str, Any]) -> str:
        place = self.folder / f"{workflow.name}-{name}"
        (place / "temp").mkdir(parents=True)
        needs = {each: {"result": self.results[f"{workflow.name}.{each}"]} for each in _needs(job)}
        state = "success" if all(each["result"] == "success" for each in needs.values()) else "failure"
        values = {"github": self._github(workflow), "needs": needs, "runner": {"temp": str(place / "temp")}}
        if not holds(job.get("if"), values, state):
            _say(f"== {workflow.name} / {name}: skipped")
            return "skipped"
        values["env"] = {key: filled(text, values) for key, text in (workflow.document.get("env") or {}).items()}
        steps = _Steps(self, workflow, place, values, float(job.get("timeout-minutes", DEFAULT_MINUTES)))
        _say(f"== {workflow.name} / {name}")
        for step in job["steps"]:
            steps.run(step)
        return steps.state

    def _github(self, workflow: Workflow) -> dict[str, Any]:
        return {
            "event": workflow.event, "event_name": workflow.event_name, "token": "none", "repository": hub.NAME,
            "repository_owner": hub.NAME.partition("/")[0], "ref": f"refs/heads/{hub.BRANCH}", "ref_type": "branch",
        }  # fmt: skip


class _Steps:
    """The steps of a job, one after the other."""

    def __init__(
        self, rehearsal: Rehearsal, workflow: Workflow, place: Path, values: dict[str, Any], minutes: float
    ) -> None:
        self.rehearsal, self.workflow, self.place, self.values = rehearsal, workflow, place, values
        self.checkout, self.temp, self.state = place / "checkout", place / "temp", "success"
        self.seconds = minutes * 60
        self.values["steps"] = {}
        self.checkout.mkdir()
        (place / "event.json").write_text(json.dumps(workflow.event), encoding="utf-8")

    def run(self, step: dict[str, Any]) -> None:
        name = str(step.get("name") or step.get("uses", "").partition("@")[0])
        if name in self.rehearsal.without:
            _say(f"   {name}: left out")
            return
        if not holds(step.get("if"), self.values, self.state):
            _say(f"   {name}: skipped")
            return
        fault = self._uses(step) if "uses" in step else self._shell(step)
        _say(f"   {name}: {fault.splitlines()[0] if fault else 'ok'}")
        for line in fault.splitlines()[1:]:
            _say(f"      {one_line(line)}")
        if fault and not step.get("continue-on-error"):
            self.state = "failure"

    def _shell(self, step: dict[str, Any]) -> str:
        """Run the command of a step; return what went wrong, with the last lines that it printed."""
        output, text = self.place / "output", filled(step["run"], self.values)
        output.write_text("", encoding="utf-8")
        with tempfile.TemporaryFile() as printed:
            process = subprocess.Popen(  # noqa: S603
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", text],  # noqa: S607
                cwd=self.checkout, env=self._environment(step), stdin=subprocess.DEVNULL,
                stdout=printed, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            try:
                code = process.wait(self.seconds)
            except subprocess.TimeoutExpired:
                code = -signal.SIGALRM
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            printed.seek(0)
            said = printed.read().decode("utf-8", "replace").splitlines()
        outputs = dict(line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines() if "=" in line)
        if "id" in step:
            self.values["steps"][step["id"]] = {"outputs": outputs}
        return "\n".join([f"exit code {code}", *said[-SHOWN_LINES:]]) if code else ""

    def _environment(self, step: dict[str, Any]) -> dict[str, str]:
        """Return the variables of a step: none of this machine's own but what programs need to run."""
        port = self.rehearsal.server.server_address[1]
        own = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        stated = {**self.values["env"], **{key: filled(text, self.values) for key, text in step.get("env", {}).items()}}
        files = {"GITHUB_EVENT_PATH": "event.json", "GITHUB_OUTPUT": "output", "GITHUB_STEP_SUMMARY": "summary.md"}
        return {
            **own,
            **{name: str(self.place / file) for name, file in files.items()},
            "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_API_URL": f"http://127.0.0.1:{port}",
            "GITHUB_SERVER_URL": "https://github.com", "GITHUB_RUN_ID": str(RUN),
            "GITHUB_EVENT_NAME": self.workflow.event_name, "GITHUB_REPOSITORY": hub.NAME,
            "GITHUB_WORKSPACE": str(self.checkout), "RUNNER_TEMP": str(self.temp), "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(self.checkout / "ingest"),
            **stated,
        }  # fmt: skip

    def _uses(self, step: dict[str, Any]) -> str:
        """Do in place of an action what its stand-in does; return what went wrong."""
        action = step["uses"].partition("@")[0]
        given = {key: filled(text, self.values) for key, text in step.get("with", {}).items()}
        kept = self.rehearsal.folder / "artifacts" / self._run_of(given) / given.get("name", "")
        if action == "actions/checkout":
            return self._checkout(given)
        if action == "actions/upload-artifact":
            return _upload(given["path"], self.checkout, kept)
        if action == "actions/download-artifact":
            if not kept.is_dir():
                return f"there is no artifact {given['name']}"
            shutil.copytree(kept, self.checkout / given["path"], dirs_exist_ok=True)
            return ""
        return "" if action in STAND_INS else f"no stand-in for {action}"

    def _run_of(self, given: dict[str, str]) -> str:
        """Return the workflow whose artifacts are meant: this one, or the one that the event is about."""
        return str(self.workflow.event["workflow_run"]["name"]) if given.get("run-id") else self.workflow.name

    def _checkout(self, given: dict[str, str]) -> str:
        origin = self.rehearsal.hub
        usual = hub.MERGED if self.workflow.event_name == "pull_request" else f"refs/heads/{hub.BRANCH}"
        ref = f"refs/heads/{given['ref']}" if given.get("ref") else usual
        hub.git(self.place, "clone", "--quiet", "--no-checkout", "--no-hardlinks", str(origin.origin), "checkout")
        hub.git(self.checkout, "fetch", "--quiet", "origin", ref)
        hub.git(self.checkout, "checkout", "--quiet", "--detach", "FETCH_HEAD")
        if _digest(self.checkout) == _digest(ROOT):
            with (self.checkout / ".git" / "info" / "exclude").open("a", encoding="utf-8") as excluded:
                excluded.write("/.venv\n/node_modules\n")
            (self.checkout / ".venv").symlink_to(sys.prefix)
            if is_current(ROOT):
                (self.checkout / "node_modules").symlink_to(ROOT / "node_modules")
        return ""


def is_current(root: Path) -> bool:
    """
    Return whether the packages of Node are those of the lock, by the stamp that ``bootstrap.mjs`` leaves.

    A set-up would mend older ones, and through a link empty the folder that lies here.
    """
    stamp = root / "node_modules" / ".ioledger-lock"
    lock = hashlib.sha256((root / "package-lock.json").read_bytes()).hexdigest()
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == lock


def _digest(checkout: Path) -> str:
    """Return the hash of what says which packages a checkout needs."""
    held = ((checkout / name).read_bytes() if (checkout / name).is_file() else b"" for name in LOCKS)
    return hashlib.sha256(b"\0".join(held)).hexdigest()


def _upload(paths: str, checkout: Path, kept: Path) -> str:
    """Copy files and folders as an artifact: one file by its name, several below what their paths have in common."""
    found = [checkout / line for line in paths.split("\n") if line and (checkout / line).exists()]
    if not found:
        return ""  # GitHub warns, and keeps nothing
    kept.mkdir(parents=True, exist_ok=True)
    for path in found:
        if path.is_dir():
            shutil.copytree(path, kept, symlinks=True, dirs_exist_ok=True)
        else:
            shutil.copy2(path, kept / path.name, follow_symlinks=False)
    return ""


def _on(document: dict[Any, Any]) -> dict[str, Any]:
    """Return the events of a workflow; YAML 1.1 reads the word before them as true."""
    stated = document.get("on", document.get(True))
    if isinstance(stated, dict):
        return stated
    return dict.fromkeys([stated] if isinstance(stated, str) else stated or ())


def _needs(job: dict[str, Any]) -> list[str]:
    needs = job.get("needs", [])
    return [needs] if isinstance(needs, str) else list(needs)


def readable(body: str) -> list[str]:
    """Return a comment as a person reads it in a terminal: entities as signs, control characters as their escapes."""
    plain = html.unescape(re.sub(r"</?code>", "`", body))
    return [one_line(line, 2_000) for line in plain.split("\n")]


def rehearse(  # noqa: PLR0913  (what is rehearsed, and how much of it)
    checkout: Path, base: str, branch: str, author: str, labels: list[str], *, trusted: bool, without: frozenset[str]
) -> Rehearsed:
    """Run what a pull request starts; return how each job ended, and what would be posted."""
    with tempfile.TemporaryDirectory(prefix="ioledger-rehearsal-") as scratch:
        folder = Path(scratch).resolve()
        rehearsal = Rehearsal(hub.Hub(checkout, folder, base, branch, author, labels), folder, without)
        try:
            for workflow in rehearsal.triggered(trusted=trusted):
                rehearsal.run(workflow)
        finally:
            rehearsal.server.shutdown()
            rehearsal.server.server_close()
        return Rehearsed(rehearsal.results, [each["body"] for each in rehearsal.hub.comments], rehearsal.hub.statuses)


def main() -> int:
    """Rehearse the branch of the command line; return 1 where a job failed."""
    given = _given()
    for action, what in STAND_INS.items():
        _say(f"{action}: {what}")
    _say(f"GitHub's API: on this machine; {given.author} opens the pull request into {given.base}\n")
    try:
        found = rehearse(
            ROOT, given.base, given.branch, given.author, given.label, trusted=given.trusted,
            without=frozenset(given.without),
        )  # fmt: skip
    except (ValueError, subprocess.CalledProcessError) as error:
        _say(str(getattr(error, "stderr", "") or error).strip())
        return 2
    for comment in found.comments:
        _say("\n" + "-" * 80)
        for line in readable(comment):
            _say(line)
    _say("-" * 80)
    for each in found.statuses:
        _say(one_line("status {context} of {commit}: {state}: {description}".format_map(each)))
    _say("-" * 80)
    for name, result in found.results.items():
        _say(f"{name}: {result}")
    return 1 if "failure" in found.results.values() else 0


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="npm run rehearse --", description="Run here what GitHub would run for a pull request."
    )
    parser.add_argument("branch", help="the branch or commit that would be merged")
    parser.add_argument("--base", default="main", help="what it would be merged into (default: main)")
    parser.add_argument("--author", default="somebody", help="the account that opens the pull request")
    parser.add_argument("--label", action="append", default=[], help="a label that it has; may be repeated")
    parser.add_argument("--trusted", action="store_true", help="run no code of the branch: the verdict alone")
    parser.add_argument("--without", action="append", default=[], metavar="STEP", help="leave out a step, by its name")
    return parser.parse_args()


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
