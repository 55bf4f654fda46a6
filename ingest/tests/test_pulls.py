"""The verdict on a pull request: what it takes, names and refuses, and what an approving review lets pass."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import excerpted
import hostile
import pulled
from ioledger import pulls
from ioledger.build import checking
from ioledger.pulls import verdict
from ioledger.readers import detect
from pulled import ALICE, LINK, MALLORY, MERGED, NEW, REPOSITORY, RUN

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.pulls.verdict import Verdict

    Submissions = dict[str, dict[str, bytes]]
    """Files of submissions by path, by a name for each submission."""

MANIFEST, REPORT = f"data/{MERGED}/manifest.yaml", f"data/{MERGED}/{hostile.REPORT}"
REVIEWERS = ("maintainer",)
SURRENDER = "We admit our claim was false"


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Submissions:
    """Return the files of a merged submission, of two new ones, and of a reply in the name of Fujitsu."""
    scratch = tmp_path_factory.mktemp("submissions")
    return {
        "merged": pulled.merged(scratch),
        "new": pulled.new(scratch),
        "second": pulled.new(scratch, "2026-11-mallory-other-disk"),
        "reply": pulled.held(excerpted.reply(scratch, "2026-12-mallory-reply", MERGED, "Fujitsu", SURRENDER)),
    }


@pytest.fixture(autouse=True)
def believed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Believe every number, which takes seconds to judge, in all tests but the first, where they are asked."""
    if not request.node.name.startswith("test_a_new_folder_passes"):
        monkeypatch.setattr(verdict, "check", lambda paths, data, plausibility: checking.check(paths, data))  # noqa: ARG005


@pytest.fixture
def repository(tmp_path: Path, submissions: Submissions) -> Path:
    """Return a repository with one merged submission and some code."""
    folder = tmp_path / "repository"
    pulled.repository(folder, {**submissions["merged"], "ingest/check.py": b"refuse()\n"})
    return folder


def _judged(folder: Path, files: pulled.Files, author: str = MALLORY, reviewers: tuple[str, ...] = ()) -> Verdict:
    head = pulled.commit(folder, "pull", files, parent="refs/heads/main^0")
    return verdict.judge(pulled.asked(folder, head, author, reviewers), folder.parent / "scratch")


def _rules(found: Verdict) -> set[str]:
    return {problem.rule for problem in found.problems}


def test_a_new_folder_passes_with_commit_author_and_size(repository: Path, submissions: Submissions) -> None:
    """What was judged is named by its commit; the comment says how much it is."""
    found = _judged(repository, submissions["new"])
    assert (found.has_passed, found.is_sound, found.problems, found.outside) == (True, True, [], [])
    assert (found.author, found.commit) == (MALLORY, pulls.git(repository, "rev-parse", "pull").decode().strip())
    size_bytes = sum(map(len, submissions["new"].values()))
    assert found.folders == [verdict.Folder(NEW, "Tess Tester", len(submissions["new"]), size_bytes)]


def test_code_of_the_pull_request_is_not_taken(repository: Path, submissions: Submissions) -> None:
    """Only files below the new folder are written; code beside it is named and waits for an approving review."""
    files = {**submissions["new"], "ingest/check.py": b"accept()\n", "sitecustomize.py": b"raise SystemExit(0)\n"}
    found = _judged(repository, files)
    assert [(each.path, each.how) for each in found.outside] == [
        ("ingest/check.py", "changed"), ("sitecustomize.py", "added"),
    ]  # fmt: skip
    assert (found.has_passed, found.needs_review, _rules(found)) == (False, True, {"R-PULL-1"})
    written = {path.name for path in (repository.parent / "scratch").iterdir()}
    assert written == {"data"}
    confirmed = _judged(repository, files, reviewers=REVIEWERS)
    assert (confirmed.has_passed, confirmed.confirmed_by, len(confirmed.outside)) == (True, ["maintainer"], 2)


def test_a_problem_is_named_by_the_path_that_the_pull_request_has(repository: Path, submissions: Submissions) -> None:
    """The scratch folder shows in no message."""
    found = _judged(repository, {**submissions["new"], f"data/{NEW}/run.sh": b"rm -rf /"})
    assert [(problem.file, problem.rule) for problem in found.problems] == [(f"data/{NEW}/run.sh", "R-FILE-3")]
    assert not found.is_sound


NEVER: dict[str, tuple[str, pulled.Files]] = {
    "a link out of the folder": ("R-PULL-2", {f"data/{NEW}/link.json": (LINK, b"../../ingest/check.py")}),
    "an executable file": ("R-PULL-2", {f"data/{NEW}/run.json": (RUN, b"{}")}),
    "a repository in the repository": ("R-PULL-2", {f"data/{NEW}/sub": (REPOSITORY, b"1" * 40)}),
    "a name of two lines": ("R-FILE-4", {f"data/{NEW}/a\nb": b"x"}),
    "a hidden file": ("R-FILE-4", {f"data/{NEW}/.hidden": b"x"}),
    "a device of Windows": ("R-FILE-4", {f"data/{NEW}/con.json": b"x"}),
    "an endless path": ("R-FILE-4", {f"data/{NEW}/{'a' * 60}/{'b' * 60}/{'c' * 80}": b"x"}),
    "a merged file changed": ("R-OWN-2", {REPORT: b"{}"}),
    "a merged file made a link": ("R-OWN-2", {REPORT: (LINK, b"manifest.yaml")}),
    "a file added to a merged folder": ("R-OWN-2", {f"data/{MERGED}/more.json": b"{}"}),
    "a merged manifest removed": ("R-OWN-2", {MANIFEST: None}),
}


@pytest.mark.parametrize("case", NEVER)
def test_what_no_review_lets_pass(case: str, repository: Path, submissions: Submissions) -> None:
    """Nothing of such a pull request is written anywhere, whoever approves it."""
    rule, files = NEVER[case]
    found = _judged(repository, {**submissions["new"], **files}, author=ALICE, reviewers=REVIEWERS)
    assert _rules(found) == {rule}
    assert not found.has_passed
    assert not (repository.parent / "scratch").exists()


BEFORE = b"title: x\n\nfiles: []\n"
STATES: list[tuple[bytes, bytes, bool]] = [
    (BEFORE, b"title: x\nstatus: {state: disputed}\n\nfiles: []\n", True),
    (BEFORE, b"title: x\n\nstatus:\n  state: disputed\n  reason: >-\n    a\n\n    b\n\nfiles: []\n", True),
    (BEFORE, BEFORE + b"\nstatus: {state: disputed}\n", True),
    (BEFORE, b"status: {state: disputed}\n" + BEFORE, True),
    (b"title: x\nstatus: {state: disputed}\nfiles: []\n", b"title: x\nstatus: {state: retracted}\nfiles: []\n", True),
    (b"title: x\nstatus: {state: disputed}\nfiles: []\n", b"title: x\nfiles: []\n", True),
    (BEFORE, b"title: x\nstatus: {state: disputed}\n# why\nfiles: []\n", False),
    (BEFORE, b"title: x \nstatus: {state: disputed}\n\nfiles: []\n", False),
    (BEFORE, b"title: x\nstatus: {state: disputed}\r\n\r\nfiles: []\n", False),
    (BEFORE, b"title: y\nstatus: {state: disputed}\n\nfiles: []\n", False),
    (BEFORE, b"title: x\nstatus: {state: disputed}\nstatus: {state: disputed}\n\nfiles: []\n", False),
    (b'title: "a\nstatus: b"\nfiles: []\n', b'title: "a\nstatus: c"\nfiles: []\n', False),
    (BEFORE, b"title: x\nstatus: [\n\nfiles: []\n", False),
]


@pytest.mark.parametrize(("before", "after", "is_alone"), STATES)
def test_a_change_of_the_status_is_told_from_every_other(
    before: bytes,
    after: bytes,
    is_alone: bool,  # noqa: FBT001
    tmp_path: Path,
) -> None:
    """In one line or in many, wherever it stands; by its bytes and by its values."""
    base = pulled.repository(tmp_path, {MANIFEST: before})
    head = pulled.commit(tmp_path, "pull", {MANIFEST: after}, parent=base)
    [change] = pulls.list_changes(tmp_path, base, head)
    assert pulls.is_state_alone(tmp_path, change) is is_alone


BESIDE: dict[str, pulled.Files] = {
    "a hidden folder": {"data/.hidden/manifest.yaml": b"title: x\n"},
    "a file right below data": {"data/README.md": b"x"},
    "data in capitals": {"DATA/2026-11-mallory-again/manifest.yaml": b"title: x\n"},
    "data in wide letters": {"\uff44ata/2026-11-mallory-again/manifest.yaml": b"title: x\n"},
    "a workflow": {".github/workflows/check.yml": b"on: push\n"},
}


@pytest.mark.parametrize("case", BESIDE)
def test_what_stands_beside_the_folder_is_named_and_waits_for_a_review(
    case: str, repository: Path, submissions: Submissions
) -> None:
    """Hidden folders below data/ too."""
    found = _judged(repository, {**submissions["new"], **BESIDE[case]})
    assert ({problem.file for problem in found.problems}, _rules(found)) == (set(BESIDE[case]), {"R-PULL-1"})


def test_code_alone_needs_no_review_and_nothing_is_said_of_it(repository: Path, submissions: Submissions) -> None:
    """It is read by a person; below data/ even a hidden file needs a review, and so does a second folder."""
    found = _judged(repository, {"ingest/check.py": b"accept()\n"})
    assert (found.has_passed, found.is_sound, found.outside[0].path) == (True, False, "ingest/check.py")
    assert _rules(_judged(repository, {"data/.hidden": b"x"})) == {"R-PULL-1"}
    assert _rules(_judged(repository, {"Data/2026-11-mallory-again/manifest.yaml": b"x"})) == {"R-PULL-1"}
    both = _judged(repository, {**submissions["new"], **submissions["second"]})
    assert (_rules(both), both.needs_review, len(both.folders)) == ({"R-PULL-1"}, True, 2)


def test_a_state_is_set_by_whoever_brought_the_submission(repository: Path, submissions: Submissions) -> None:
    """Anybody else's change of it waits for an approving review, and stands first among what is said."""
    files = {MANIFEST: pulled.retracted(submissions["merged"][MANIFEST])}
    own = _judged(repository, files, author="Alice")
    assert (own.has_passed, own.states, own.voices[0].needs_review) == (True, [MERGED], False)
    found = _judged(repository, files)
    assert (_rules(found), found.needs_review) == ({"R-PULL-3"}, True)
    [voice] = found.voices
    assert (voice.kind, voice.about, voice.name, voice.text) == ("retracted", MERGED, ALICE, "We withdraw it")
    assert _judged(repository, files, reviewers=REVIEWERS).has_passed
    nobody = _judged(repository, files, author="")
    assert _rules(nobody) == {"R-PULL-3"}


def test_a_dispute_is_not_ended_by_its_owner_alone(repository: Path, submissions: Submissions) -> None:
    """Whoever disputed it had a maintainer's review; so has whoever says that it is over."""
    manifest = submissions["merged"][MANIFEST]
    disputed = pulled.retracted(manifest).replace(b"retracted", b"disputed")
    pulled.commit(repository, "main", {MANIFEST: disputed}, parent="refs/heads/main^0")
    found = _judged(repository, {MANIFEST: manifest}, author=ALICE)
    assert (_rules(found), found.needs_review) == ({"R-PULL-3"}, True)
    other = disputed.replace(b"We withdraw it", b"Its maker says otherwise")
    assert _judged(repository, {MANIFEST: other}, author=ALICE).has_passed


def test_histories_that_cross_are_not_judged(repository: Path, submissions: Submissions) -> None:
    """Compared with one of two common commits nothing is changed, and the merge would remove a merged folder."""
    first = pulled.commit(repository, "side", submissions["new"], parent="refs/heads/main^0")
    second = pulled.commit(repository, "main", {"README.md": b"x"}, parent="refs/heads/main^0")
    tree = pulls.git(repository, "merge-tree", "--write-tree", first, second).decode().strip()
    named = ("-c", "user.name=m", "-c", "user.email=m@example.org")
    parents = ("-p", second, "-p", first)
    main = pulls.git(repository, *named, "commit-tree", tree, *parents, "-m", "m").decode().strip()
    pulls.git(repository, "update-ref", "refs/heads/main", main)
    evil = pulls.git(repository, *named, "commit-tree", f"{second}^{{tree}}", *parents, "-m", "m").decode().strip()
    with pytest.raises(LookupError, match=r"crosses that of .* 2 times: rebase it"):
        verdict.judge(pulled.asked(repository, evil), repository.parent / "scratch")
    alone = pulled.commit(repository, "alone", submissions["new"])
    with pytest.raises(LookupError, match="no common ancestor"):
        verdict.judge(pulled.asked(repository, alone), repository.parent / "scratch")


def test_of_a_huge_manifest_no_byte_is_read(
    repository: Path, submissions: Submissions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its size is asked first."""
    monkeypatch.setattr(pulls, "read_blob", None)
    huge = submissions["merged"][MANIFEST] + b"status:\n" + b" #\n" * (1 << 20)
    assert _rules(_judged(repository, {MANIFEST: huge})) == {"R-OWN-2"}


def test_a_reply_is_given_in_ones_own_name(repository: Path, submissions: Submissions) -> None:
    """A name in the file is a word of whoever wrote it; the account that opens the pull request is known."""
    found = _judged(repository, submissions["reply"])
    assert (_rules(found), found.needs_review, found.is_sound) == ({"R-PULL-4"}, True, True)
    [voice] = found.voices
    assert (voice.kind, voice.about, voice.name) == ("reply", MERGED, "Fujitsu")
    assert voice.text == SURRENDER
    assert _judged(repository, submissions["reply"], reviewers=REVIEWERS).has_passed
    assert _judged(repository, submissions["reply"], author="FUJITSU").has_passed


def test_sizes_are_asked_before_anything_is_read(
    repository: Path, submissions: Submissions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of too many files, and of one that is too large, nothing is written."""
    with monkeypatch.context() as patch:
        patch.setattr(pulls, "MAX_FILES", 1)
        assert _rules(_judged(repository, submissions["new"])) == {"R-FILE-10"}
    monkeypatch.setattr(detect, "MAX_FILE_BYTES", 10)
    assert _rules(_judged(repository, submissions["new"])) == {"R-DETECT-4"}
    assert not (repository.parent / "scratch").exists()


def test_what_main_got_meanwhile_is_no_change_of_the_pull_request(repository: Path, submissions: Submissions) -> None:
    """It is compared with where it set out, and checked beside what main has now: a copy of a run there is found."""
    copy = {path.replace(NEW, "2026-11-mallory-again"): data for path, data in submissions["new"].items()}
    heads = [
        pulled.commit(repository, "pull", files, parent="refs/heads/main^0") for files in (submissions["second"], copy)
    ]
    pulled.commit(repository, "main", {**submissions["new"], "README.md": b"x"}, parent="refs/heads/main^0")
    sound, twice = (verdict.judge(pulled.asked(repository, head), repository.parent / head) for head in heads)
    assert (sound.has_passed, sound.outside, len(sound.folders)) == (True, [], 1)
    assert (repository.parent / heads[0] / "data" / NEW).is_dir()
    assert _rules(twice) & {"R-FILE-7", "R-FILE-9"}


def test_two_merged_copies_of_a_run_stop_no_pull_request_and_one_of_them_can_be_removed(
    repository: Path, submissions: Submissions
) -> None:
    """Both were green beside each other; the third is judged, and a review confirms that the copy goes."""
    copy = {path.replace(NEW, "2026-11-mallory-again"): data for path, data in submissions["new"].items()}
    for files in (submissions["new"], copy):
        pulled.commit(repository, "main", files, parent="refs/heads/main^0")
    third = _judged(repository, submissions["second"])
    assert (third.problems, third.has_passed) == ([], True)
    gone: pulled.Files = dict.fromkeys(copy)
    assert _rules(_judged(repository, gone)) == {"R-PULL-1"}
    assert _judged(repository, gone, reviewers=REVIEWERS).has_passed
    both: pulled.Files = dict.fromkeys((*copy, *submissions["new"]))
    assert _rules(_judged(repository, both, reviewers=REVIEWERS)) == {"R-OWN-2"}


def test_a_report_is_cut_to_size_and_says_how_much_is_gone(repository: Path, submissions: Submissions) -> None:
    """Unknown keys once made a report of more than a megabyte, which no comment could hold."""
    keys = b"".join(b"unknown_key_%d: 1\n" % number for number in range(2_000))
    manifest = f"data/{NEW}/manifest.yaml"
    found = _judged(repository, {**submissions["new"], manifest: submissions["new"][manifest] + keys})
    [problem] = found.problems
    assert problem.rule == "R-MANIFEST-3"
    assert problem.what.endswith(" and 1,988 more")
    long = {"problems": [{"what": "k" * 10_000}] * 5_000, "folders": [{"files": ["x"] * 300}]}
    report = json.loads(verdict.encode_report(long))
    assert len(report["problems"]) + report["problems_left_out"] == 5_000
    assert report["problems"][0]["what"].endswith("… (9,600 more characters)")
    assert len(report["folders"][0]["files"]) + report["folders"][0]["files_left_out"] == 300
