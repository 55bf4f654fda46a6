"""The verdict on a pull request as the workflow gives it: its own lines, reviews that confirm, and the comment."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

import pulled
from ioledger.build import checking
from ioledger.pulls import verdict
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    import pytest

sys.path.insert(0, str(ROOT / "tools"))
judging: Any = importlib.import_module("verdict")
report: Any = importlib.import_module("report")

GH = """#!{python}
import json, os, pathlib, sys
with open(os.environ["GH_LOG"], "a") as log: log.write(json.dumps(sys.argv[1:]) + "\\n")
answers = json.loads(pathlib.Path(os.environ["GH_ANSWERS"]).read_text())
print(json.dumps(next((answers[key] for key in answers if key in " ".join(sys.argv)), [])))
"""
APPROVED = {"user": {"login": "maintainer"}, "state": "APPROVED"}


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)  # noqa: S603, S607


class Case:
    """A repository with a pull request, a checkout of its base with the project's code, and a recording ``gh``."""

    def __init__(self, folder: Path, files: dict[str, Any], *, event: str = "pull_request_target") -> None:
        """Make them; ``files`` are what the pull request changes."""
        self.folder, self.event = folder, event
        origin, self.checkout = folder / "origin", folder / "checkout"
        base = pulled.repository(origin, pulled.merged(folder / "merged"))
        self.head = pulled.commit(origin, "pull", files, parent=base)
        _git(origin, "update-ref", "refs/pull/7/head", self.head)
        _git(origin, "update-ref", f"refs/heads/gh-readonly-queue/main/pr-7-{base}", self.head)
        _git(folder, "clone", "-q", str(origin), str(self.checkout))
        for name in ("tools", "ingest", "models", "schemas", "dbt_project.yml", "profiles.yml", "node_modules"):
            (self.checkout / name).symlink_to(ROOT / name)
        (self.checkout / ".venv").symlink_to(ROOT / ".venv")
        pull = {"number": 7, "user": {"login": pulled.MALLORY}, "head": {"sha": self.head}}
        group = {"head_sha": self.head, "base_sha": base, "head_ref": f"refs/heads/gh-readonly-queue/main/pr-7-{base}"}
        subject = {"merge_group": group} if event == "merge_group" else {"pull_request": pull}
        (folder / "event.json").write_text(json.dumps({"repository": {"full_name": "o/r"}, **subject}))
        self.answers: dict[str, Any] = {"/permission": {"role_name": "write"}, "pulls/7/reviews": [], "pulls/7": pull}
        (folder / "bin").mkdir()
        (folder / "bin" / "gh").write_text(GH.format(python=sys.executable))
        (folder / "bin" / "gh").chmod(0o755)

    def run(self, *, skipped: tuple[str, ...] = (), patch: pytest.MonkeyPatch | None = None) -> list[list[str]]:
        """Run the workflow's lines in order; return the calls of ``gh``. With ``patch`` numbers are believed, here."""
        (self.folder / "answers.json").write_text(json.dumps(self.answers))
        temporary = self.folder / "temporary"
        temporary.mkdir()
        environment = {
            **os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "RUNNER_TEMP": str(temporary),
            "GITHUB_WORKSPACE": str(self.checkout),
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"), "GITHUB_REPOSITORY": "o/r", "COMMIT": self.head,
            "GITHUB_OUTPUT": str(self.folder / "output"), "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GH_LOG": str(self.folder / "gh.log"), "GH_ANSWERS": str(self.folder / "answers.json"), "NUMBER": "7",
            "RUN": "https://example.org/run",
        }  # fmt: skip
        jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "verdict.yml").read_text(encoding="utf-8"))["jobs"]
        for job in jobs.values():
            result, place = "success", self.checkout
            for step in job["steps"]:
                name = step.get("name", "")
                if "download-artifact" in step.get("uses", "") and (temporary / "pull" / "status.txt").is_file():
                    (place / "verdict").mkdir()
                    for file in ("status.txt", "comment.md"):
                        (place / "verdict" / file).write_bytes((temporary / "pull" / file).read_bytes())
                output, condition = Path(environment["GITHUB_OUTPUT"]), step.get("if", "")
                is_sound = output.is_file() and "sound=true" in output.read_text()
                is_off = "pull_request_target" in condition and self.event != "pull_request_target"
                if "run" not in step or name in skipped or is_off or ("sound ==" in condition and not is_sound):
                    continue
                if name == "Judge" and patch:
                    code = _judge(environment, patch)
                else:
                    command = ["bash", "-eo", "pipefail", "-c", step["run"]]
                    done = subprocess.run(command, cwd=place, env=environment, check=False, capture_output=True)  # noqa: S603
                    code = done.returncode
                result = "success" if code == 0 and result == "success" else "failure"
            environment["RESULT"] = result if "judge" in job["name"].lower() else environment.get("RESULT", "success")
        return [json.loads(line) for line in (self.folder / "gh.log").read_text().splitlines()]


def _judge(environment: dict[str, str], patch: pytest.MonkeyPatch) -> int:
    with patch.context() as here:
        here.setattr(verdict, "check", lambda paths, data, plausibility: checking.check(paths, data))  # noqa: ARG005
        for name, value in environment.items():
            here.setenv(name, value)
        return int(judging.judge(Path(environment["RUNNER_TEMP"], "pull")))


def _status(calls: list[list[str]]) -> dict[str, str]:
    """Return the fields of the last status that was set."""
    last = [call for call in calls if "statuses" in " ".join(call)][-1]
    return dict(field.split("=", 1) for field in last if "=" in field and not field.startswith("repos"))


BUILD = ("Set up", "Build with it", "Report")
"""Steps that the tests of the build and of the report cover."""


def test_a_sound_submission_passes_with_a_comment(tmp_path: Path) -> None:
    """Pending first, then success, and one comment that replaces the last; a review of this commit confirms all."""
    case = Case(tmp_path, {**pulled.new(tmp_path / "new"), "README.md": b"x"})
    case.answers["pulls/7/reviews"] = [{**APPROVED, "commit_id": case.head}]
    calls = case.run(skipped=BUILD)
    assert calls[0][:1] == ["api"]
    assert "state=pending" in calls[0]
    status = _status(calls)
    assert (status["state"], status["context"]) == ("success", "ioledger/verdict")
    comment = next(call for call in calls if call[:2] == ["pr", "comment"])
    assert {"--edit-last", "--create-if-none"} <= set(comment)
    assert "## Passed" in (tmp_path / "summary").read_text(encoding="utf-8")


def test_files_outside_of_the_folder_wait_for_a_review_of_this_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An approval of an older commit, of the author or without write access is none; no path that runs is hidden."""
    code = (".github/workflows/x.yml", "tools/zz.py", ".gitattributes")
    many = {f"docs/{number:03}.md": b"x" for number in range(300)}
    case = Case(tmp_path, {**pulled.new(tmp_path / "new"), **many, **dict.fromkeys(code, b"x"), "README.md": b"x"})
    old = {**APPROVED, "commit_id": "0" * 40}
    own = {**APPROVED, "commit_id": case.head, "user": {"login": pulled.MALLORY}}
    case.answers["pulls/7/reviews"] = [old, own, {**APPROVED, "commit_id": case.head}]
    case.answers["/permission"] = {"role_name": "read"}
    assert _status(case.run(skipped=BUILD, patch=monkeypatch))["state"] == "failure"
    summary = (tmp_path / "summary").read_text(encoding="utf-8")
    assert summary.startswith("## This pull request changes code that runs")
    first = summary.split("## Do not merge yet")[0]
    assert [path for path in (*code, "README.md") if path in first] == list(code)
    assert re.search(r"docs/ `` 300", summary)


def test_code_alone_is_told_to_be_unjudged(tmp_path: Path) -> None:
    """Its status says so: whether it may be merged is for a reviewer."""
    calls = Case(tmp_path, {"README.md": b"x"}).run(skipped=BUILD)
    status = _status(calls)
    assert (status["state"], status["description"]) == ("success", "no data judged: a reviewer must read the code")


def test_a_set_up_that_fails_is_an_error(tmp_path: Path) -> None:
    """No verdict is no success."""
    calls = Case(tmp_path, pulled.new(tmp_path / "new")).run(skipped=("Set up", "Judge", "Comment", *BUILD))
    assert _status(calls)["state"] == "error"


def test_a_merge_group_is_judged_against_what_is_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The author is that of the pull request; there is no comment."""
    calls = Case(tmp_path, pulled.new(tmp_path / "new"), event="merge_group").run(skipped=BUILD, patch=monkeypatch)
    assert _status(calls)["state"] == "success"
    assert not [call for call in calls if call[:2] == ["pr", "comment"]]


def test_the_comment_has_a_row_for_each_point_and_what_would_improve_it() -> None:
    """Numbers of any length and texts of strangers end no table."""
    found = {
        "has_passed": True, "commit": "a" * 40, "author": "eve|x`", "needs_review": False, "outside_counts": {},
        "folders": [{"name": "2026-11-x", "file_count": 2, "size_bytes": 9, "submitted_by": "eve"}],
        **{name: [] for name in ("states", "voices", "outside", "confirmed_by", "problems")},
        "warnings": [{"rule": "R-X-1", "file": "f", "place": "p", "what": "<b>" + "9" * 4300, "remedy": "r"}],
    }  # fmt: skip
    nearest = [{"device": "D", "ratio": "2 times"}]
    points = [
        {"workload": f"load {number}", "queue_depth": number, "value": "10 IOPS", "nearest": nearest}
        for number in range(60)
    ]
    text = judging.comment(
        found, {"submissions": [{"id": "2026-11-x", "point_count": 60, "points": points, "improve": ["firmware"]}]}
    )
    assert text.count("`` load ") == judging.SHOWN
    assert "and 30 more" in text
    assert "--state firmware=…" in text
    assert len(text) < judging.MAX_COMMENT
    assert "9" * 400 not in text
    assert all(line.count("|") - line.count("\\|") in {0, 5, 6} for line in text.splitlines() if line.startswith("|"))


def test_why_there_is_no_verdict_is_said(tmp_path: Path) -> None:
    """A commit that is gone; no name of a stranger's file is a command of the runner."""
    case = Case(tmp_path, {"README.md": b"x"})
    event = json.loads((tmp_path / "event.json").read_text())
    event["pull_request"]["head"]["sha"] = "0" * 40
    (tmp_path / "event.json").write_text(json.dumps(event))
    assert _status(case.run(skipped=BUILD))["state"] == "error"
    assert "is gone: a later push" in (tmp_path / "summary").read_text(encoding="utf-8")
