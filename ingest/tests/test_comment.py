"""The comment on a pull request: hostile data in, characters out, at the pull request that the event names."""

from __future__ import annotations

import importlib
import json
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

from ioledger.pulls import verdict
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

sys.path.insert(0, str(ROOT / "tools"))
comment: Any = importlib.import_module("comment")
comment_verdict: Any = importlib.import_module("comment_verdict")
github: Any = importlib.import_module("github")

EVIL = "<img src=x onerror=alert(1)> [x](javascript:alert(1)) @everyone #1 |\n| ``` </code> ![i](http://x/y.png) -->"
RUN: dict[str, Any] = {
    "repository": {"full_name": "owner/repo", "default_branch": "main"},
    "workflow_run": {"id": 7, "event": "pull_request", "head_branch": "a b&x", "head_sha": "abc",
                     "conclusion": "failure", "head_repository": {"owner": {"login": "mallory"}}},
}  # fmt: skip
PULL: dict[str, Any] = {
    "action": "opened",
    "repository": {"full_name": "owner/repo"},
    "pull_request": {"number": 7, "user": {"login": "mallory"}, "labels": [],
                     "head": {"sha": "abc", "repo": {"full_name": "mallory/repo"}}},
}  # fmt: skip
PASSED: dict[str, Any] = {"has_passed": True, "base": "0" * 40, "problem_count": 0, "states": [], "confirmed": []}


class _Api:
    """Answers as told, and remembers what was asked."""

    def __init__(self, *answers: Any) -> None:  # noqa: ANN401  (JSON)
        self.answers, self.asked = list(answers), list[tuple[str, str, dict[str, Any] | None]]()

    def __call__(self, method: str, path: str, content: dict[str, Any] | None) -> Any:  # noqa: ANN401
        self.asked.append((method, path, content))
        return self.answers.pop(0)


def _evil_report() -> dict[str, Any]:
    columns = {name for _, _, names in (*comment.PARTS, *comment.DIFFERENCE) for name in names}
    row = dict.fromkeys(("file", "place", "what", "remedy", "rule", *sorted(columns)), EVIL)
    parts = {part: [row] for _, part, _ in comment.PARTS}
    return {
        "checked": EVIL,
        "problem_count": 1,
        "problems": [row],
        "submissions": [{"id": EVIL, "title": EVIL, **parts}],
        "difference": {"headline": EVIL, **{part: [row] for _, part, _ in comment.DIFFERENCE}},
    }


def _evil_verdict() -> dict[str, Any]:
    names = ("kind", "about", "name", "text", "label", "path", "how", "file", "place", "what", "remedy", "rule")
    row = dict.fromkeys((*names, "size", "sha256"), EVIL)
    folder = {"name": EVIL, "tree": EVIL, "submitted_by": EVIL, "files": [row], "files_left_out": 3}
    parts = {part: [row] for part in ("voices", "outside", "problems", "warnings")}
    return {"has_passed": False, "base": EVIL, "problem_count": EVIL, "confirmed": [], "folders": [folder], **parts}


def _bodies() -> list[str]:
    return [
        comment.body(RUN, _evil_report()),
        comment_verdict.body(PULL, "failure", _evil_verdict(), _evil_report()),
    ]


@pytest.mark.parametrize("text", _bodies())
def test_every_text_is_characters_inside_code(text: str) -> None:
    """Outside of ``<code>`` only this project's own words and table lines remain."""
    inside = re.findall(r"<code>(.*?)</code>", text)
    assert len(inside) > 20
    assert all(re.fullmatch(r"(?:[A-Za-z0-9 ]|&#\d+;)*", part) for part in inside)
    outside = re.sub(r"<code>.*?</code>|</?(?:details|summary)>", "", text)
    mark, _, rest = outside.partition("\n")
    assert mark in {comment.MARK, comment_verdict.MARK}
    assert re.fullmatch(r"[A-Za-z0-9 _,.:;*#|\-\n…']*", rest), rest
    assert text.count("<!--") == 1


def test_a_column_that_no_row_has_is_left_out() -> None:
    """A verdict without evidence gets no empty column; what one row has is shown for all."""
    nearest = [{"a": "x", "verdict": "undecided"}, {"a": "y", "grade": "B"}]
    text = comment.body(RUN, {"submissions": [{"id": "s", "nearest": nearest, "nearest_left_out": 4}]})
    assert "| a | verdict | grade |" in text
    assert "evidence" not in text
    assert f"… and {comment.code(4)} more." in text


MISSHAPEN: list[dict[str, Any]] = [
    {},
    {"problems": "x", "submissions": 3},
    {"problems": [1, None], "submissions": [[]], "problems_left_out": "x"},
    {"submissions": [{"id": None, "warnings": {"a": 1}}], "folders": [{"files": 1}], "confirmed": 1, "voices": [{}]},
]


@pytest.mark.parametrize("report", MISSHAPEN)
def test_parts_of_a_wrong_shape_are_left_out(report: dict[str, Any]) -> None:
    """Whatever JSON object it is, there is a comment and no exception."""
    assert comment.body(RUN, report).startswith(comment.MARK)
    assert comment_verdict.body(PULL, "success", report, report).startswith(comment_verdict.MARK)


def test_the_comment_is_short_whatever_the_report_holds() -> None:
    """GitHub refuses more than 65 536 characters."""
    report = _evil_report()
    report["problems"] *= 100_000
    report["submissions"] *= 1000
    assert len(comment.body(RUN, report)) < 65_536


def test_only_a_small_plain_json_object_is_read(tmp_path: Path) -> None:
    """A link, a large file, a list, nesting without end, and no JSON; of none of them there is a report."""
    good = tmp_path / "good.json"
    good.write_text('{"checked": 1}', encoding="utf-8")
    assert github.found(good) == github.read(good) == {"checked": 1}
    (tmp_path / "link.json").symlink_to(good)
    for name, data in (("large", "[" + " " * 300_000 + "]"), ("list", "[]"), ("deep", "[" * 100_000), ("text", "x")):
        (tmp_path / f"{name}.json").write_text(data, encoding="utf-8")
    for name in ("link", "large", "list", "deep", "text", "missing"):
        with pytest.raises(ValueError, match=r"report|Expecting"):
            github.read(tmp_path / f"{name}.json")
        assert github.found(tmp_path / f"{name}.json") is None


def _open(number: int, head: str, base: str = "main") -> dict[str, Any]:
    return {"number": number, "head": {"sha": head}, "base": {"ref": base}}


def test_the_pull_request_is_the_one_whose_head_was_checked() -> None:
    """It is found by its commit, on any page, also when its fork is gone; another commit or kind of run gives none."""
    api = _Api([_open(number, "def") for number in range(100)], [_open(107, "abc"), _open(108, "abc", "other")])
    gone = {**RUN, "workflow_run": {**RUN["workflow_run"], "head_repository": None}}
    assert comment.pull_request(gone, api) == ("owner/repo", 107)
    assert [path for _, path, _ in api.asked] == [
        f"/repos/owner/repo/pulls?state=open&per_page=100&page={page}" for page in (1, 2)
    ]
    assert comment.pull_request(RUN, _Api([_open(8, "def")])) is None
    assert comment.pull_request(RUN, _Api([_open(8, "abc"), _open(9, "abc")])) is None
    pushed = {**RUN, "workflow_run": {**RUN["workflow_run"], "event": "push"}}
    assert comment.pull_request(pushed, _Api()) is None


def test_an_earlier_comment_is_replaced_and_a_strangers_is_not() -> None:
    """Only a comment of the workflow's own account that begins with the same mark is its own."""
    bot, stranger = {"login": "github-actions[bot]"}, {"login": "mallory"}
    mark = comment_verdict.MARK
    listed = [
        {"id": 1, "user": stranger, "body": mark}, {"id": 2, "user": bot, "body": comment.MARK},
        {"id": 3, "user": bot, "body": f"{mark}\nold"},
    ]  # fmt: skip
    api = _Api(listed, {})
    github.post("o/r", 7, f"{mark}\nnew", api)
    assert api.asked[1] == ("PATCH", "/repos/o/r/issues/comments/3", {"body": f"{mark}\nnew"})
    api = _Api(listed[:2], {})
    github.post("o/r", 7, f"{mark}\nnew", api)
    assert api.asked[1] == ("POST", "/repos/o/r/issues/7/comments", {"body": f"{mark}\nnew"})


def test_both_comments_name_the_commit() -> None:
    """And who opened the pull request."""
    assert comment.code("abc") in comment.body(RUN, {})
    text = comment_verdict.body(PULL, "success", PASSED, None)
    assert f"## Passed: the verdict of {comment.code('abc')} by {comment.code('mallory')}\n" in text


@pytest.mark.parametrize(
    ("result", "words"),
    [("cancelled", "was cancelled"), ("failure", "set-up failed"), ("skipped", "was not run")],
)
def test_a_check_without_a_verdict_ends_in_a_comment_that_says_so(result: str, words: str) -> None:
    """Cancelled, or ended before its time: that is no verdict, and looks like none."""
    text = comment_verdict.body(PULL, result, None, None)
    assert "## No verdict" in text
    assert words in text


def test_a_build_that_fails_after_the_verdict_is_no_success() -> None:
    """The heading is what counts."""
    text = comment_verdict.body(PULL, "failure", PASSED, None)
    assert "## Not to be merged as it is" in text
    assert "look at the run" in text


@pytest.mark.parametrize(
    ("conclusion", "words"),
    [("cancelled", "It was cancelled"), ("failure", "Some of it failed"), ("timed_out", "longer than it may"),
     ("startup_failure", "could not start"), ("unheard_of", "did not end as it should")],
)  # fmt: skip
def test_a_run_without_a_report_ends_in_a_comment_that_says_so(conclusion: str, words: str) -> None:
    """How it ended, from GitHub's event; and that there is no report."""
    text = comment.body({"workflow_run": {**RUN["workflow_run"], "conclusion": conclusion}}, None)
    assert words in text
    assert comment.NO_REPORT in text


def test_a_fork_that_is_gone_is_said_to_be_gone() -> None:
    """Its owner may be gone too."""
    run = {"workflow_run": {**RUN["workflow_run"], "head_repository": None}}
    assert comment.GONE in comment.body(run, {})
    pull = {**PULL["pull_request"], "user": None, "head": {"sha": "abc", "repo": None}}
    assert comment_verdict.GONE in comment_verdict.body({"pull_request": pull}, "success", PASSED, None)
    assert comment_verdict.GONE in comment_verdict.body({"pull_request": pull}, "cancelled", None, None)


def test_what_is_said_of_others_comes_first() -> None:
    """Before files outside, problems and what it adds; each with the label that confirms it, or with none needed."""
    spoken = [
        {"kind": "reply", "about": "x", "name": "Fujitsu", "text": "We admit it", "label": "confirmed-reply"},
        {"kind": "retracted", "about": "y", "name": "mallory", "text": "wrong", "label": ""},
    ]
    outside = [{"path": ".github/workflows/check.yml", "how": "changed"}]
    found = {**PASSED, "voices": spoken, "outside": outside}
    text = comment_verdict.body(PULL, "success", found, {"submissions": []})
    places = [text.index(words) for words in ("speaks for", "Outside of the folder", "problems", "What it adds")]
    assert places == sorted(places)
    assert f"| needs {comment.code('confirmed-reply')} |" in text
    assert "| their own |" in text
    confirmed = comment_verdict.body(PULL, "success", {**found, "confirmed": ["confirmed-reply"]}, None)
    assert f"| yes, {comment.code('confirmed-reply')} |" in confirmed


def test_a_long_word_hides_no_label_that_it_waits_for() -> None:
    """Replies in one's own name may fill a comment; what a maintainer has to confirm stands before them."""
    own = {"kind": "reply", "about": "x", "name": "mallory", "text": "<" * 300, "label": ""}
    outside = [{"path": ".github/workflows/check.yml", "how": "changed"}]
    found = {**PASSED, "has_passed": False, "voices": [own] * 50, "outside": outside, "needed": ["confirmed-outside"]}
    text = comment_verdict.body(PULL, "failure", found, None)
    assert text.index(f"It waits for {comment.code('confirmed-outside')}.") < text.index("speaks for")
    assert f"| {comment.code('.github/workflows/check.yml')} |" in text


def test_a_commit_that_could_not_be_judged_is_told_why() -> None:
    """In characters: git's words may hold names of a stranger."""
    text = comment_verdict.body(PULL, "failure", {"unjudged": "@all its history <b>"}, None)
    assert "## No verdict" in text
    assert comment.code("@all its history <b>") in text


def test_a_push_takes_away_what_was_confirmed_before() -> None:
    """A maintainer confirmed what stood there then; labels of other kinds stay."""
    labels = [{"name": "confirmed-state"}, {"name": "bug"}]
    event = {**PULL, "action": "synchronize", "pull_request": {**PULL["pull_request"], "labels": labels}}
    api = _Api({})
    comment_verdict.withdraw(event, api)
    assert api.asked == [("DELETE", "/repos/owner/repo/issues/7/labels/confirmed-state", None)]
    api = _Api({})
    comment_verdict.withdraw({**event, "action": "reopened"}, api)
    assert len(api.asked) == 1
    api = _Api({})
    comment_verdict.withdraw({**event, "action": "edited"}, api)
    assert len(api.asked) == 1
    api = _Api()
    comment_verdict.withdraw({**event, "action": "labeled"}, api)
    assert api.asked == []
    assert all(label.startswith(comment_verdict.CONFIRMS) for label in verdict.LABELS)


def test_the_workflows_give_no_rights_that_are_not_named() -> None:
    """No default rights, no head of a pull request beside rights, every action by its full hash."""
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        text = path.read_text(encoding="utf-8")
        assert "\npermissions: {}\n" in text, path
        if "pull_request_target" in text or "workflow_run" in text:
            assert not re.search(r"\.head\b[^_]|head_ref|github\.head|merge_commit|refs/pull", text), path
            assert text.count("ref: ${{ github.event.repository.default_branch }}") == text.count("actions/checkout@")
        uses = re.findall(r"\buses: (\S+)(.*)", text)
        assert uses, path
        assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action) and "# v" in note for action, note in uses), path
        assert json.dumps(re.findall(r"secrets\.\w+", text)) == "[]", path
