"""The commit status that a maintainer requires: set by trusted code alone, pending first, and a success only once."""

from __future__ import annotations

import importlib
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

sys.path.insert(0, str(ROOT / "tools"))
status: Any = importlib.import_module("status")
expressions: Any = importlib.import_module("expressions")

WORKFLOWS = ROOT / ".github" / "workflows"
HEAD = "a" * 40
EVENT = {"repository": {"full_name": "o/r"}, "pull_request": {"number": 7, "head": {"sha": HEAD}}}
QUEUED = {"repository": {"full_name": "o/r"}, "merge_group": {"head_sha": "b" * 40}}
PASSED = {"commit": HEAD, "has_passed": True}


@pytest.mark.parametrize(
    ("result", "verdict", "state"),
    [
        ("success", PASSED, "success"),
        ("failure", PASSED, "failure"),
        ("cancelled", PASSED, "failure"),
        ("failure", {**PASSED, "has_passed": False}, "failure"),
        ("success", {**PASSED, "has_passed": "true"}, "failure"),
        ("success", {**PASSED, "commit": "b" * 40}, "error"),
        ("failure", {"unjudged": "the commit is gone"}, "error"),
        ("cancelled", None, "error"),
        ("failure", None, "error"),
        ("skipped", None, "error"),
        ("success", None, "error"),
    ],
)
def test_only_what_passed_whole_for_this_commit_succeeds(
    result: str, verdict: dict[str, Any] | None, state: str
) -> None:
    """Everything else is a failure, or an error where there is no verdict; GitHub takes 140 characters."""
    found = status.status(result, verdict, HEAD)
    assert found.state == state
    assert len(found.description) <= 140


@pytest.mark.parametrize(("event", "commit"), [(EVENT, HEAD), (QUEUED, "b" * 40)])
def test_the_status_stands_at_the_commit_that_would_be_merged(
    event: dict[str, Any], commit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a pull request and of a queue's group: first pending, then what the verdict is, with the run's address."""
    asked: list[tuple[str, str, dict[str, Any]]] = []
    monkeypatch.setattr(status.github, "event", lambda: event)
    monkeypatch.setattr(status.github, "api", lambda *given: asked.append(given))
    where = {"GITHUB_SERVER_URL": "https://h", "GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": "5"}
    for name, value in {**where, "VERDICT_RESULT": "success"}.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "verdict.json").write_text(json.dumps({**PASSED, "commit": commit}), encoding="utf-8")
    for word in ("pending", str(tmp_path)):
        monkeypatch.setattr(sys, "argv", ["status", word])
        assert status.main() == 0
    assert [(method, path) for method, path, _ in asked] == [("POST", f"/repos/o/r/statuses/{commit}")] * 2
    assert [content["state"] for _, _, content in asked] == ["pending", "success"]
    assert {(each["context"], each["target_url"]) for _, _, each in asked} == {
        ("ioledger/verdict", "https://h/o/r/actions/runs/5")
    }


def test_an_event_without_a_commit_sets_nothing() -> None:
    """A name that is no hash would be an address of its own."""
    for name in ("", "main", "../x", HEAD + "\n"):
        with pytest.raises(LookupError, match="no commit"):
            status.commit_of({"pull_request": {"head": {"sha": name}}})


def test_only_trusted_code_may_set_a_status() -> None:
    """No workflow that a pull request's own code starts has the right, and no job bears the status's name."""
    may, names = set(), set()
    for path in sorted(WORKFLOWS.glob("*.yml")):
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        names |= {job["name"] for job in workflow["jobs"].values()}
        if any("statuses" in job["permissions"] for job in workflow["jobs"].values()):
            may.add(path.name)
            assert "pull_request" not in workflow[True]
    assert may == {"verdict.yml"}
    assert status.CONTEXT not in names
    assert f"`{status.CONTEXT}`" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("event", "runs"),
    [
        ({"action": "opened", "pull_request": {"number": 7}}, True),
        ({"action": "edited", "pull_request": {"number": 7}, "changes": {"base": {"ref": {"from": "x"}}}}, True),
        ({"action": "edited", "pull_request": {"number": 7}, "changes": {"title": {"from": "x"}}}, False),
        ({"merge_group": {}}, True),
    ],
)
def test_another_base_is_judged_anew_and_another_title_ends_no_run(event: dict[str, Any], *, runs: bool) -> None:
    """A pull request into another branch got no verdict; a title waits in a group of its own."""
    workflow = yaml.safe_load((WORKFLOWS / "verdict.yml").read_text(encoding="utf-8"))
    values = {"github": {"event": event, "event_name": "pull_request_target", "ref": "r"}}
    for name in ("pending", "verdict", "status"):
        assert expressions.holds(workflow["jobs"][name]["if"], values, "success") is runs
    group = expressions.filled(workflow["concurrency"]["group"], values)
    assert group == ("verdict-7" if "pull_request" in event else "verdict-r") + ("" if runs else "-title")
