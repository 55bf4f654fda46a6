"""What a page of the site reads of own files: the rows of the command, and the workloads of the models."""

from __future__ import annotations

import contextlib
import io
import json
import re
import zipfile
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from ioledger.loading import browser
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., subprocess.CompletedProcess[str]]

MEMBERS = ROOT / "site" / "data" / "own-workloads.sql"


@pytest.fixture(scope="module")
def found(sample: Path) -> tuple[bytes, dict[str, Any]]:
    """Return the rows of the sample's submissions as a page reads them, and what it is told of them."""
    with contextlib.chdir(sample / "data"):
        lines, told = browser.read(sorted(path.name for path in (sample / "data").iterdir()))
    return lines, json.loads(told)


def test_rows_and_findings_are_those_of_the_command(
    found: tuple[bytes, dict[str, Any]], sample: Path, ioledger: Run, tmp_path: Path
) -> None:
    """The command names the rows of the same folders by their places below another one."""
    lines, told = found
    stored = tmp_path / "findings.jsonl"
    done = ioledger("parse", sample / "data", "-o", "-", "--format", "jsonl", "--table", "findings", stored)
    here = f"{sample / 'data'}/"
    by_id = {row["result_id"]: row for row in map(json.loads, done.stdout.splitlines())}
    own = {row["result_id"]: row for row in map(json.loads, lines.splitlines())}
    assert own.keys() == by_id.keys()
    for key, row in own.items():
        assert row | {"file_id": None} == by_id[key] | {
            "file_id": None,
            "source_path": by_id[key]["source_path"].removeprefix(here),
        }
    findings = [json.loads(line) for line in stored.read_text(encoding="utf-8").splitlines()]
    expected = sorted((row["source_path"].removeprefix(here), row["rule_id"]) for row in findings)
    assert sorted((each["file"], each["rule"]) for each in told["findings"]) == expected


def test_workloads_are_those_of_the_models(found: tuple[bytes, dict[str, Any]], sample: Path) -> None:
    """Each published row that covers its whole load has in the page the members that the database has."""
    query = re.sub(r"\s+where is_complete.*", "", MEMBERS.read_text(encoding="utf-8"), flags=re.DOTALL)
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as database:
        known = {identifier: list(members) for identifier, _, *members in database.execute(query).fetchall()}
        rows = database.execute("""
            select result_id, value_kind, if(is_whole_load and is_canonical and outcome = 'ok', workload_id, null)
            from results left join workloads using (workload_id) where not is_partial and is_complete
        """).fetchall()
    read = {json.loads(line)["result_id"] for line in found[0].splitlines()}
    wanted = {key: known[workload] for key, _, workload in rows if workload is not None and key in read}
    assert "lower_bound" in {kind for key, kind, _ in rows if key in wanted}
    published = {key for key, *_ in rows}
    assert {key: members for key, members in found[1]["workloads"].items() if key in published} == wanted


def test_a_zip_holds_the_manifest_and_the_files_under_their_new_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Members of an archive among them."""
    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile("runs.zip", "w") as archive:
        archive.writestr("a/one.txt", "1")
        archive.writestr("a/two.txt", "2")
    (tmp_path / "three.txt").write_text("3", encoding="utf-8")
    packed = browser.pack("folder", "title: x\n", {"runs.zip!a/two.txt": "2.txt", "three.txt": "three.txt"})
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "folder/manifest.yaml": b"title: x\n",
            "folder/2.txt": b"2",
            "folder/three.txt": b"3",
        }


def test_the_browser_has_the_msgspec_that_is_locked() -> None:
    """Both files are read by one version, so that both give the same rows."""
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    of_browser = (ROOT / "tools" / "reader.txt").read_text(encoding="utf-8")
    (version,) = re.findall(r"\nmsgspec==(\S+) --hash", of_browser)
    assert f"\nmsgspec=={version} " in locked
