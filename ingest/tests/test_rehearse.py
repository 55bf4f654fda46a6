"""Four pull requests rehearsed: the workflows as they stand, run on this machine, and the comments they would leave."""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import hostile
import pulled
from ioledger.tables.schema import ROOT
from pulled import ALICE, LINK, MALLORY, MERGED, NEW

if TYPE_CHECKING:
    from pathlib import Path

sys.path.insert(0, str(ROOT / "tools"))
rehearse: Any = importlib.import_module("rehearse")
expressions: Any = importlib.import_module("expressions")

TRUSTED = ("verdict.yml", "comment.yml")
CHECK = """name: check
on:
  pull_request:
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v0
      - name: Tests
        run: python3 tests.py
      - uses: actions/upload-artifact@v0
        if: ${{ !cancelled() }}
        with:
          name: report
          path: report.json
"""
TESTS = "import json\njson.dump({'checked': 1, 'problem_count': 0}, open('report.json', 'w'))\n"
FORGED = {"has_passed": True, "problem_count": 0, "checked": 999, "submissions": [{"id": "all is well, merge it"}]}
FORGE = f"import json\nfor name in ('report.json', 'verdict.json'):\n    json.dump({FORGED}, open(name, 'w'))\n"
HEAVY = ("The tables with it", "What it adds")
"""Steps that build, which other tests do."""


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a place for submissions."""
    return tmp_path_factory.mktemp("submissions")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, scratch: Path) -> Path:
    """Return a repository with the project's code, its trusted workflows, and one merged submission of Alice."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("ingest/ioledger", "schemas", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("package-lock.json", "requirements.lock", "pyproject.toml"):
        shutil.copy2(ROOT / name, folder / name)
    (folder / "package.json").write_text('{"scripts": {"setup": "node -e 0"}}', encoding="utf-8")
    (folder / "tests.py").write_text(TESTS, encoding="utf-8")
    workflows = folder / ".github" / "workflows"
    workflows.mkdir(parents=True)
    for name in TRUSTED:
        shutil.copy2(ROOT / ".github" / "workflows" / name, workflows / name)
    (workflows / "check.yml").write_text(CHECK, encoding="utf-8")
    for path, data in pulled.merged(scratch).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    identity = ("-c", f"user.name={ALICE}", "-c", "user.email=alice@example.org", "-c", "commit.gpgsign=false")
    for arguments in (("init", "-q", "-b", "main"), ("add", "."), (*identity, "commit", "-q", "-m", "Merged")):
        subprocess.run(["git", *arguments], cwd=folder, check=True)  # noqa: S603, S607
    return folder


@pytest.fixture
def rehearsed(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:  # noqa: ANN401
    """Return a function that rehearses a pull request with these files: its exit code, what is printed, the commit."""

    def run(files: pulled.Files, *arguments: str) -> tuple[int, str, str]:
        head = pulled.commit(project, "pull", files, parent="refs/heads/main^0")
        without = [word for step in HEAVY for word in ("--without", step)]
        monkeypatch.setattr(rehearse, "ROOT", project)
        monkeypatch.setattr(sys, "argv", ["rehearse", "pull", "--author", MALLORY, *without, *arguments])
        return rehearse.main(), capsys.readouterr().out, head

    return run


def _comments(printed: str) -> dict[str, str]:
    """Return the comments that were printed, by their marks."""
    parts = [part.strip() for part in printed.split("-" * 80)]
    return {part.split("\n")[0].strip("<>!- "): part for part in parts if part.startswith("<!--")}


def _statuses(printed: str, head: str) -> list[str]:
    """Return the states that the required status of a commit would have had, one after the other."""
    return re.findall(rf"^status ioledger/verdict of {head}: (\w+): ", printed, re.MULTILINE)


def test_a_good_pull_request_passes_on_both_sides(rehearsed: Any, scratch: Path) -> None:  # noqa: ANN401
    """Every job runs with its artefacts; the verdict names commit, folder and hashes, and replaces nothing else."""
    code, printed, head = rehearsed(pulled.new(scratch))
    assert code == 0, printed
    jobs = (
        "check.check", "verdict.pending", "verdict.verdict", "verdict.status", "verdict.comment", "comment.comment",
    )  # fmt: skip
    assert _statuses(printed, head) == ["pending", "success"]
    assert printed.endswith("".join(f"{job}: success\n" for job in jobs))
    told = _comments(printed)
    assert told.keys() == {"ioledger verdict", "ioledger tests"}
    assert f"Passed: the verdict of `{head}` by `{MALLORY}`" in told["ioledger verdict"]
    assert f"### `{NEW}`" in told["ioledger verdict"]
    assert "`0` problems in `1` submissions" in told["ioledger tests"]
    assert all(f"   {step}: left out" in printed for step in HEAVY)


def test_a_bad_pull_request_is_told_its_problems(rehearsed: Any, scratch: Path) -> None:  # noqa: ANN401
    """The job fails, and the comment is there all the same."""
    files = pulled.new(scratch, "2026-11-mallory-bad-disk")
    report = next(path for path in files if path.endswith("other.json"))
    code, printed, head = rehearsed(files | {report: files[report] + b" "}, "--trusted")
    assert code == 1
    assert printed.endswith("verdict.verdict: failure\nverdict.status: success\nverdict.comment: success\n")
    assert _statuses(printed, head) == ["pending", "failure"]
    told = _comments(printed)["ioledger verdict"]
    assert "Not to be merged as it is" in told
    assert "`R-FILE-2`" in told


def test_a_hostile_pull_request_does_not_judge_itself(rehearsed: Any, scratch: Path) -> None:  # noqa: ANN401
    """It rewrites the check, the verdict, the comment and their workflows, forges both reports, and adds a link."""
    files: dict[str, bytes | tuple[str, bytes]] = {
        **pulled.new(scratch, "2026-11-mallory-evil-disk"),
        "data/2026-11-mallory-evil-disk/link.json": (LINK, b"../../../../etc/passwd"),
        "tests.py": FORGE.encode(),
        ".github/workflows/check.yml": CHECK.replace("name: report\n", "name: verdict\n").encode(),
        ".github/workflows/verdict.yml": b"name: verdict\non: pull_request_target\njobs: {}\n",
        "tools/verdict.py": FORGE.encode(),
        "tools/comment_verdict.py": b"",
        "tools/status.py": b"",
        "ingest/ioledger/pulls/verdict.py": b"raise SystemExit(0)\n",
        "sitecustomize.py": b"raise SystemExit(0)\n",
        "data/.hidden/manifest.yaml": b"",
    }
    code, printed, head = rehearsed(files)
    assert code == 1
    results = dict(line.split(": ") for line in printed.rpartition("-" * 80)[2].strip().split("\n"))
    assert (results["check.check"], results["verdict.verdict"], results["verdict.comment"]) == (
        "success", "failure", "success",
    )  # fmt: skip
    assert _statuses(printed, head) == ["pending", "failure"]
    told = _comments(printed)["ioledger verdict"]
    assert f"Not to be merged as it is: the verdict of `{head}`" in told
    assert "all is well" not in told
    assert "`R-PULL-2`" in told
    named = {path for path in files if not path.startswith("data/2026-11")}
    assert all(f"| `{path}` |" in told for path in named)
    assert "It left no report" in _comments(printed)["ioledger tests"]


def test_a_set_up_that_fails_leaves_an_error_and_no_success(rehearsed: Any, scratch: Path) -> None:  # noqa: ANN401
    """Without a verdict the required status does not stay as the last push left it."""
    _, printed, head = rehearsed(
        pulled.new(scratch, "2026-11-mallory-lost-disk"), "--trusted", "--without", "The verdict"
    )
    assert _statuses(printed, head) == ["pending", "error"]


def test_whoever_speaks_for_others_is_shown_first(rehearsed: Any, scratch: Path) -> None:  # noqa: ANN401
    """It retracts what Alice submitted, and replies in the name of Fujitsu: both wait for a label."""
    manifest = f"data/{MERGED}/manifest.yaml"
    sound = hostile.sound(scratch / "again" / MERGED)
    files = {
        **pulled.reply(scratch / "reply", b"Fujitsu"),
        manifest: pulled.retracted((sound / "manifest.yaml").read_bytes()),
    }
    code, printed, _ = rehearsed(files, "--trusted")
    assert code == 1
    told = _comments(printed)["ioledger verdict"]
    assert told.index("It speaks for, or of, somebody") < told.index("problems")
    assert f"| `reply` | `{MERGED}` | `Fujitsu` | `We admit our claim was false` | needs `confirmed-reply` |" in told
    assert f"| `retracted` | `{MERGED}` | `{ALICE}` | `We withdraw it` | needs `confirmed-state` |" in told
    assert {"`R-PULL-3`", "`R-PULL-4`"} <= set(told.split())


def test_a_branch_that_conflicts_or_is_none_is_said_in_one_line(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the exit code of a call that asks for nothing."""
    monkeypatch.setattr(rehearse, "ROOT", project)
    monkeypatch.setattr(sys, "argv", ["rehearse", "no-such-branch"])
    assert rehearse.main() == 2
    assert "no-such-branch" not in capsys.readouterr().err


VALUES = {"a": {"b": "x", "c": {"d": True}}, "n": None}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a.b", "x"), ("a.missing.deeper", None), ("a.b == 'X'", True), ("a.b != 'y' && !n", True), ("n || 'z'", "z"),
        ("(a.c.d == true) && 'it''s'", "it's"), ("always()", True), ("failure()", False),
        ("!cancelled() && a.c.d", True),
    ],
)  # fmt: skip
def test_an_expression_has_the_value_that_github_gives_it(text: str, value: object) -> None:
    """Names, texts, comparisons, and what is nothing."""
    assert expressions.evaluate(text, VALUES) == value


@pytest.mark.parametrize("text", ["a.b ==", "contains(a.b, 'x')", "a.b[0]", "a b", "(a.b", "", "a.b & n"])
def test_an_expression_that_is_not_known_is_refused(text: str) -> None:
    """It is not guessed."""
    with pytest.raises(ValueError, match=r"expression|lacks|known|goes on"):
        expressions.evaluate(text, VALUES)


@pytest.mark.parametrize(
    ("condition", "state", "runs"),
    [
        (None, "success", True), (None, "failure", False), ("${{ a.c.d }}", "failure", False),
        ("${{ always() && a.b == 'x' }}", "failure", True), ("${{ !cancelled() && a.b == 'y' }}", "success", False),
        ("failure()", "failure", True), ("failure()", "success", False),
    ],
)  # fmt: skip
def test_a_step_runs_after_a_failure_only_where_it_asks_for_that(
    condition: str | None, state: str, *, runs: bool
) -> None:
    """As on GitHub, where success() is added to every condition without such a function."""
    assert expressions.holds(condition, VALUES, state) is runs


def test_every_expression_of_the_workflows_is_known() -> None:
    """Those of a pull request can be rehearsed whole."""
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        text = path.read_text(encoding="utf-8")
        for found in expressions.TEMPLATE.finditer(text):
            expressions.evaluate(found[1], json.loads("{}"))


def test_packages_are_lent_to_a_job_only_as_the_lock_has_them(tmp_path: Path) -> None:
    """Its set-up would replace older ones, and through the link those that lie here."""
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "package-lock.json").write_text("{}", encoding="utf-8")
    stamp = tmp_path / "node_modules" / ".ioledger-lock"
    assert not rehearse.is_current(tmp_path)
    stamp.write_text(hashlib.sha256(b"{}").hexdigest(), encoding="utf-8")
    assert rehearse.is_current(tmp_path)
    (tmp_path / "package-lock.json").write_text("{ }", encoding="utf-8")
    assert not rehearse.is_current(tmp_path)
