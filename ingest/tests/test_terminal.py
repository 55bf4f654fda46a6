"""``ioledger add`` on a terminal: what the content does not tell is asked, and nothing half-written is left behind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from conftest import FIXTURES
from ioledger.cli.add import add
from ioledger.cli.collect import collect
from ioledger.submission import safe_yaml

if TYPE_CHECKING:
    from pathlib import Path

SUBMISSION = FIXTURES / "submission"
FOLDER = "2025-11-tess-tester-virtio-blk-256gib"


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
    manifest, _ = safe_yaml.load_yaml((tmp_path / "data" / FOLDER / "manifest.yaml").read_bytes())
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
