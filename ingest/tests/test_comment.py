"""The comment on a pull request: hostile data in, characters out, at the pull request that the event names."""

from __future__ import annotations

import importlib
import json
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

sys.path.insert(0, str(ROOT / "tools"))
comment: Any = importlib.import_module("comment")

EVIL = "<img src=x onerror=alert(1)> [x](javascript:alert(1)) @everyone #1 |\n| ``` </code> ![i](http://x/y.png) -->"
EVENT: dict[str, Any] = {
    "repository": {"full_name": "owner/repo"},
    "workflow_run": {"event": "pull_request", "head_branch": "a b&x", "head_sha": "abc",
                     "head_repository": {"owner": {"login": "mallory"}}},
}  # fmt: skip


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


def test_every_text_is_characters_inside_code() -> None:
    """Outside of ``<code>`` only this project's own words and table lines remain."""
    text = comment.body(_evil_report())
    inside = re.findall(r"<code>(.*?)</code>", text)
    assert inside
    assert all(re.fullmatch(r"(?:[A-Za-z0-9 ]|&#\d+;)*", part) for part in inside)
    outside = re.sub(r"<code>.*?</code>", "", text)
    assert re.fullmatch(r"[A-Za-z0-9 _,.:*#|\-\n]*", outside.removeprefix(comment.MARK)), outside
    assert text.count("<!--") == 1


def test_a_column_that_no_row_has_is_left_out() -> None:
    """A verdict without evidence gets no empty column; what one row has is shown for all."""
    nearest = [{"a": "x", "verdict": "undecided"}, {"a": "y", "grade": "B"}]
    text = comment.body({"submissions": [{"id": "s", "nearest": nearest}]})
    assert "| a | verdict | grade |" in text
    assert "evidence" not in text


MISSHAPEN: list[dict[str, Any]] = [
    {},
    {"problems": "x", "submissions": 3},
    {"problems": [1, None], "submissions": [[]]},
    {"submissions": [{"id": None, "warnings": {"a": 1}}]},
]


@pytest.mark.parametrize("report", MISSHAPEN)
def test_parts_of_a_wrong_shape_are_left_out(report: dict[str, Any]) -> None:
    """Whatever JSON object it is, there is a comment and no exception."""
    assert comment.body(report).startswith(comment.MARK)


def test_the_comment_is_short_whatever_the_report_holds() -> None:
    """GitHub refuses more than 65 536 characters."""
    report = _evil_report()
    report["problems"] *= 100_000
    report["submissions"] *= 1000
    assert len(comment.body(report)) < 65_536


def test_only_a_small_plain_json_object_is_read(tmp_path: Path) -> None:
    """A link, a large file, a list, nesting without end, and no JSON."""
    good = tmp_path / "good.json"
    good.write_text('{"checked": 1}', encoding="utf-8")
    assert comment.read(good) == {"checked": 1}
    (tmp_path / "link.json").symlink_to(good)
    for name, data in (("large", "[" + " " * 300_000 + "]"), ("list", "[]"), ("deep", "[" * 100_000), ("text", "x")):
        (tmp_path / f"{name}.json").write_text(data, encoding="utf-8")
    for name in ("link", "large", "list", "deep", "text", "missing"):
        with pytest.raises(ValueError, match=r"report|Expecting"):
            comment.read(tmp_path / f"{name}.json")


def test_the_pull_request_is_the_one_whose_head_was_checked() -> None:
    """Owner and branch come from the event, quoted; another commit or another kind of run gives none."""
    api = _Api([{"number": 7, "head": {"sha": "abc"}}, {"number": 8, "head": {"sha": "def"}}])
    assert comment.pull_request(EVENT, api) == ("owner/repo", 7)
    assert api.asked[0][1] == "/repos/owner/repo/pulls?state=open&head=mallory%3Aa%20b%26x"
    assert comment.pull_request(EVENT, _Api([{"number": 8, "head": {"sha": "def"}}])) is None
    pushed = {**EVENT, "workflow_run": {**EVENT["workflow_run"], "event": "push"}}
    assert comment.pull_request(pushed, _Api()) is None


def test_an_earlier_comment_is_replaced_and_a_strangers_is_not() -> None:
    """Only a comment of the workflow's own account that begins with the mark is its own."""
    bot, stranger = {"login": "github-actions[bot]"}, {"login": "mallory"}
    listed = [{"id": 1, "user": stranger, "body": comment.MARK}, {"id": 2, "user": bot, "body": comment.MARK + "old"}]
    api = _Api(listed, {})
    comment.post("o/r", 7, "new", api)
    assert api.asked[1] == ("PATCH", "/repos/o/r/issues/comments/2", {"body": "new"})
    api = _Api(listed[:1], {})
    comment.post("o/r", 7, "new", api)
    assert api.asked[1] == ("POST", "/repos/o/r/issues/7/comments", {"body": "new"})


def test_the_workflows_give_no_rights_that_are_not_named() -> None:
    """No default rights, no head of a pull request beside rights, every action by its full hash."""
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        text = path.read_text(encoding="utf-8")
        assert "\npermissions: {}\n" in text, path
        assert "pull_request_target" not in text, path
        uses = re.findall(r"uses: (\S+)(.*)", text)
        assert uses, path
        assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action) and "# v" in note for action, note in uses), path
        assert json.dumps(re.findall(r"secrets\.\w+", text)) == "[]", path
