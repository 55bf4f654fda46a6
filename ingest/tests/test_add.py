"""``ioledger add``: files become a submission; what is wrong is said, what cannot be told asked, nothing is left."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tarfile
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import adding
from adding import FOLDER, added, changed, document_of, entries_of, refused_by, reported, submitted
from conftest import FIXTURES
from ioledger.add import Options, making, plain_name
from ioledger.cli.add import add
from ioledger.cli.collect import collect
from ioledger.submission import safe_yaml

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """Return a manifest without files, in which the method is unknown."""
    return adding.manifest(tmp_path)


def test_files_become_a_submission_with_repetitions_by_time(manifest: Path, tmp_path: Path) -> None:
    """The later file is the second repetition although its name comes first, and the bytes are the same."""
    later, sooner = reported(tmp_path / "a.json", 1_795_000_100), reported(tmp_path / "b.json", 1_795_000_001)
    job = tmp_path / "job.fio"
    job.write_text("; a job\n[global]\nrw=read\n[qd1]\niodepth=1\n", encoding="utf-8")
    folder = submitted(tmp_path, manifest, later, sooner, job)
    assert folder == tmp_path / "data" / FOLDER
    entries = entries_of(folder)
    linked = {name: (entry.get("role"), entry.get("repetition")) for name, entry in entries.items()}
    assert linked == {"a.json": (None, 2), "b.json": (None, 1), "job.fio": ("job", None)}
    assert {entry["configuration"] for entry in entries.values()} == {"ext4-file"}
    assert (folder / "a.json").read_bytes() == later.read_bytes()


def test_what_cannot_be_told_is_a_problem_with_an_option_as_remedy(manifest: Path, tmp_path: Path) -> None:
    """Names that stand twice, unreadable files, files without an order, no results, and a folder that exists."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").mkdir()
    first = reported(tmp_path / "a.json", 1_795_000_001)
    noise = tmp_path / "noise.txt"
    noise.write_text("hello", encoding="utf-8")
    same_time = reported(tmp_path / "c.json", 1_795_000_001)
    assert refused_by(tmp_path, manifest, first, manifest) == ["R-ADD-1"]
    assert refused_by(tmp_path, manifest, first, noise) == ["R-ADD-2"]
    assert refused_by(tmp_path, manifest, first, same_time) == ["R-ADD-3", "R-ADD-3"]
    assert refused_by(tmp_path, manifest, tmp_path / "pipe") == ["R-FILE-8"]
    assert refused_by(tmp_path, manifest, tmp_path / "empty") == ["R-ADD-8"]
    submitted(tmp_path, manifest, first, noise, attachments=frozenset({"noise.txt"}))
    changed(manifest, lambda document: document.update(submitted_by="TESTER"))
    again, problems = added(tmp_path, manifest, first)
    assert again is None
    assert [problem.rule for problem in problems] == ["R-ADD-5"]
    changed(manifest, lambda document: document.update(configurations={}))
    assert [problem.rule for problem in added(tmp_path, manifest, first)[1]] == ["R-ADD-3"]


def test_a_manifest_that_is_no_yaml_or_has_a_wrong_shape_is_refused(manifest: Path, tmp_path: Path) -> None:
    """The problems are those of the check, before anything is read."""
    report = reported(tmp_path / "a.json", 1_795_000_001)
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("licence:", "license:"), encoding="utf-8")
    assert set(refused_by(tmp_path, manifest, report)) == {"R-MANIFEST-2", "R-MANIFEST-3"}
    manifest.write_text("a: &b 1", encoding="utf-8")
    assert refused_by(tmp_path, manifest, report) == ["R-YAML-3"]
    manifest.write_text("[1]", encoding="utf-8")
    assert refused_by(tmp_path, manifest, report) == ["R-MANIFEST-4"]


def test_a_manifest_with_defaults_is_added(manifest: Path, tmp_path: Path) -> None:
    """What configurations share may stand once."""

    def change(document: dict[str, Any]) -> None:
        configuration = document["configurations"]["ext4-file"]
        document["defaults"] = {"software": configuration.pop("software"), "method": configuration.pop("method")}

    changed(manifest, change)
    folder = submitted(tmp_path, manifest, reported(tmp_path / "a.json", 1_795_000_001))
    assert document_of(folder)["configurations"]["ext4-file"]["method"]["cache_bypass"]["value"] == "direct"


def test_the_command_says_where_the_submission_is(ioledger: Run, manifest: Path, tmp_path: Path) -> None:
    """Standard output is the folder; a wrong option ends with 2; a refusal with 1."""
    reported(tmp_path / "r.json", 1_795_000_001)
    common = ("add", tmp_path / "r.json", "--manifest", manifest, "--data", tmp_path / "data")
    done = ioledger(*common)
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'data' / FOLDER}\n"), done.stderr
    assert ioledger(*common, "--subject", "again").returncode == 1
    for wrong in (("--repetition", "r.json"), ("--repetition", "no.json=2"), ("--configuration", "nope")):
        assert ioledger(*common, *wrong).returncode == 2


def _pile(folder: Path) -> Path:
    """Write what people have: results in folders, an archive, names of their own, a note, a manifest."""
    for number, name in enumerate(("測定 1.json", "run one.json", "deep/測定 1.json", "Ergebnis für SSD.json"), 1):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        reported(folder / name, 1_795_000_000 + number)
    reported(folder / "last.json", 1_795_000_009)
    with tarfile.open(folder / "more.tar.gz", "w:gz") as archive:
        archive.add(folder / "last.json", "last.json")
    (folder / "last.json").unlink()
    (folder / "notes.txt").write_text("as it was", encoding="utf-8")
    (folder / "manifest.yaml").write_text("of another time", encoding="utf-8")
    return folder


def test_folders_and_archives_are_added_whatever_their_files_are_called(manifest: Path, tmp_path: Path) -> None:
    """Names become plain, none is lost to another, and what no tool wrote is left out and told."""
    told: list[str] = []
    folder, problems = making.add(
        (_pile(tmp_path / "pile"),), manifest, tmp_path / "data", Options(), lambda *_: None, told.append
    )
    assert problems == []
    assert folder is not None
    entries = entries_of(folder)
    assert sorted(entries) == ["1-2.json", "1.json", "Ergebnis-fur-SSD.json", "last.json", "run-one.json"]
    assert sorted(entry["repetition"] for entry in entries.values()) == [1, 2, 3, 4, 5]
    assert any(
        line.endswith("notes.txt: left out, of no supported tool; to add it without reading: --attachment notes.txt")
        for line in told
    )
    assert any(line.endswith("run one.json: called run-one.json in the submission") for line in told)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("測定.json", "file.json"), ("試験_bw.1.log", "file_bw.1.log"), ("..json", "file.json"),
        ("con.json", "filecon.json"), ("-x.csv", "x.csv"), ("A.json", "A-2.json"), ("new/a.json", "a-2.json"),
        ("Über größe.json", "Uber-groe.json"),
    ],
)  # fmt: skip
def test_a_name_becomes_plain_and_keeps_its_end(path: str, name: str) -> None:
    """The end of a log's name says what it logs."""
    assert plain_name(path, {"a.json"}) == name


def test_added_again_an_unmerged_folder_of_ones_own_is_replaced(manifest: Path, tmp_path: Path) -> None:
    """Until the branch that pull requests go to has it."""
    first = reported(tmp_path / "a.json", 1_795_000_001)
    folder, _ = added(tmp_path, manifest, first)
    second, problems = added(tmp_path, manifest, first, reported(tmp_path / "b.json", 1_795_000_100))
    assert (second, problems) == (folder, [])
    assert sorted(entries_of(folder)) == ["a.json", "b.json"]  # type: ignore[arg-type]
    assert [path.name for path in (tmp_path / "data").iterdir()] == [FOLDER]
    git = ("git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@example.org")
    for command in (("init", "-q", "-b", "main"), ("add", "data"), ("commit", "-q", "-m", "x")):
        subprocess.run([*git, *command], check=True)  # noqa: S603
    _, problems = added(tmp_path, manifest, first)
    assert [(problem.rule, "is merged" in problem.what) for problem in problems] == [("R-ADD-5", True)]


@pytest.mark.parametrize(
    ("site", "place"), [("", "../.."), ("https://ledger.example/site/", "https://ledger.example/site")]
)
def test_a_manifest_has_a_short_line_a_file_and_shows_editors_the_schema(
    site: str, place: str, manifest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The published one, where the site's address is stated."""
    monkeypatch.setenv("IOLEDGER_SITE_URL", site)
    folder = submitted(tmp_path, manifest, reported(tmp_path / "a.json", 1_795_000_001))
    lines = (folder / "manifest.yaml").read_text(encoding="utf-8").splitlines()
    assert lines[0] == f"# yaml-language-server: $schema={place}/schemas/manifest.schema.json"
    assert re.fullmatch(r"- {path: a.json, sha256: '?\w{64}'?, configuration: ext4-file, repetition: 1}", lines[-1])


def test_a_message_points_at_what_was_handed_in(manifest: Path, tmp_path: Path) -> None:
    """Not at a folder that was made aside and is gone."""
    report = reported(tmp_path / "測定.json", 1_795_000_001)
    text = manifest.read_text(encoding="utf-8")
    line = next(n for n, each in enumerate(text.splitlines(), 1) if each.startswith("submitted_on:"))
    changed(manifest, lambda document: document.update(submitted_on="2026-11-01", collected_on="2026-11-01"))
    _, problems = added(tmp_path, manifest, report)
    assert [(problem.file, problem.place) for problem in problems if "submitted_on" in problem.what][:1] == [
        (str(manifest), str(line))
    ]
    changed(manifest, lambda document: document.update(submitted_on="2026-11-19", collected_on="2026-11-18"))
    folder, _ = added(tmp_path, manifest, report)
    _, problems = added(tmp_path, manifest, report, subject="again")
    assert {(problem.file, problem.rule) for problem in problems} == {(str(report), "R-FILE-7")}
    assert folder is not None
    assert list((tmp_path / "data").iterdir()) == [folder]


def test_files_that_content_does_not_tell_apart_get_the_configuration_that_is_stated_of_each(
    manifest: Path, tmp_path: Path
) -> None:
    """One of all is the rest's; a file's own goes before it."""
    first, second = reported(tmp_path / "a.json", 1_795_000_001), reported(tmp_path / "b.json", 1_795_000_100)
    changed(manifest, lambda made: made["configurations"].update(twin=made["configurations"]["ext4-file"]))
    _, problems = added(tmp_path, manifest, first, second)
    assert [problem.what for problem in problems] == ["the content fits ext4-file, twin"] * 2
    assert "--configuration a.json=NAME" in problems[0].remedy
    asked: list[str] = []

    def ask(question: str, answers: list[str]) -> str:
        asked.append(question)
        return answers["a.json" in question]

    folder, _ = making.add((first, second), manifest, tmp_path / "other", Options(subject="twins"), ask)
    assert asked[0] == "Which configuration does a.json belong to?"
    assert folder is not None
    assert folder.name == "2026-11-tester-twins"
    assert {entry["configuration"] for entry in entries_of(folder).values()} == {"twin", "ext4-file"}
    for given in (
        {"configurations": {"a.json": "twin", "b.json": "ext4-file"}},
        {"configurations": {None: "ext4-file", "a.json": "twin"}},
    ):
        folder, problems = added(tmp_path, manifest, first, second, **given)
        assert (folder is not None, problems) == (True, [])
        assert folder is not None
        told = {name: entry["configuration"] for name, entry in entries_of(folder).items()}
        assert told == {"a.json": "twin", "b.json": "ext4-file"}


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"repetitions": {"no.json": 2}}, "no file no.json is added"),
        ({"attachments": frozenset({"no.txt"})}, "no file no.txt is added"),
        ({"configurations": {"no.json": "ext4-file"}}, "no file no.json is added"),
        ({"configurations": {None: "nope"}}, "the manifest has no configuration nope"),
        ({"configurations": {"a.json": "nope"}}, "the manifest has no configuration nope"),
        ({"runs": {"no.log": "a.json"}}, "no file no.log is added"),
        ({"runs": {"a.json": "b.json"}}, "no file b.json is added"),
    ],
)
def test_an_option_that_names_nothing_is_refused(
    given: dict[str, Any], what: str, manifest: Path, tmp_path: Path
) -> None:
    """A typing error must not be passed over."""
    folder, (problem,) = added(tmp_path, manifest, reported(tmp_path / "a.json", 1_795_000_001), **given)
    assert (folder, problem.rule, problem.what) == (None, "R-ADD-7", what)


def test_two_files_with_the_same_bytes_are_said_to_be_one(manifest: Path, tmp_path: Path) -> None:
    """No number makes a copy a repetition."""
    first = reported(tmp_path / "a.json", 1_795_000_001)
    (tmp_path / "b.json").write_bytes(first.read_bytes())
    _, problems = added(tmp_path, manifest, first, tmp_path / "b.json")
    assert [problem.what for problem in problems] == [
        f"it is a copy of {tmp_path / name}, so it is not a repetition" for name in ("b.json", "a.json")
    ]


SUBMISSION = FIXTURES / "submission"
ASKED = "2025-11-tess-tester-virtio-blk-256gib"


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    """Return the arguments of ``add`` for two runs of the same point that hold no time."""
    text = (SUBMISSION / "manifest.yaml").read_text(encoding="utf-8").split("\nfiles:")[0]
    text = text.replace("repetition_count: 1", "repetition_count: 2")
    (tmp_path / "manifest.yaml").write_text(text, encoding="utf-8")
    for number, name in enumerate(("first.json", "second.json")):
        report = json.loads((SUBMISSION / "report.json").read_bytes())
        for key in ("timestamp", "timestamp_ms", "time"):
            report.pop(key, None)
        for job in report["jobs"]:
            job.pop("job_start", None)
            for operation in ("read", "write"):
                job[operation]["lat_ns"]["mean"] += number
                job[operation]["lat_ns"]["stddev"] += number
        (tmp_path / name).write_text(json.dumps(report), encoding="utf-8")
    files = [tmp_path / "first.json", tmp_path / "second.json"]
    return [*map(str, (*files, "--manifest", tmp_path / "manifest.yaml", "--data", tmp_path / "data"))]


@pytest.fixture
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what is typed come from a terminal."""
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True, raising=False)


@pytest.mark.usefixtures("_terminal")
def test_the_repetition_is_asked_until_the_answer_is_one(arguments: list[str], tmp_path: Path) -> None:
    """An answer that is none is asked again; the manifest holds what was typed."""
    done = CliRunner().invoke(add, arguments, input="7\n2\n1\n")
    assert done.exit_code == 0, done.output
    assert done.output.count("Which repetition is first.json?") == 2
    manifest, _ = safe_yaml.load_yaml((tmp_path / "data" / ASKED / "manifest.yaml").read_bytes())
    assert {entry["path"]: entry["repetition"] for entry in manifest["files"]} == {"first.json": 2, "second.json": 1}


@pytest.mark.usefixtures("_terminal")
def test_a_person_who_gives_up_leaves_nothing_behind(arguments: list[str], tmp_path: Path) -> None:
    """The end of input ends the command with an error; there is no folder and no rest of one."""
    done = CliRunner().invoke(add, arguments, input="2\n")
    assert (done.exit_code, "Which repetition is second.json?" in done.output) == (1, True)
    assert not (tmp_path / "data").exists() or list((tmp_path / "data").iterdir()) == []


def test_a_program_in_the_place_of_a_person_gets_the_option_as_remedy(arguments: list[str], tmp_path: Path) -> None:
    """Without a terminal nothing is asked, and nothing is left behind."""
    done = CliRunner().invoke(add, arguments)
    assert done.exit_code == 1
    assert "--repetition first.json=NUMBER" in done.output
    assert done.output.endswith("2 problems; nothing was added\n")
    assert not (tmp_path / "data").exists() or list((tmp_path / "data").iterdir()) == []


@pytest.mark.usefixtures("_terminal")
def test_of_results_that_exist_only_what_they_cannot_tell_is_asked(tmp_path: Path) -> None:
    """What is declared already is not asked again, and an empty answer leaves a value unknown."""
    output = tmp_path / "manifest.yaml"
    common = ("--state", "firmware=1.2", "--submitted-by", "ann", "-o", str(output))
    done = CliRunner().invoke(
        collect, ["--for", str(SUBMISSION / "report.json"), *common], input="HGST 1TB\nhdd\n" + "\n" * 5
    )
    assert done.exit_code == 0, done.output
    assert ("Its firmware" in done.output, "File system, or raw (nothing: unknown)" in done.output) == (False, True)
    manifest, _ = safe_yaml.load_yaml(output.read_bytes())
    (device,) = manifest["devices"].values()
    assert [device[field]["value"] for field in ("model", "firmware", "media_class")] == ["HGST 1TB", "1.2", "hdd"]
    assert set(device["capacity_bytes"]) == set(manifest["systems"]["host"]["cpu_model"]) == {"unknown"}
