"""The rows of a page in files of their own, none heavier than a page may be."""

from __future__ import annotations

import hashlib
import json
import runpy
import sys
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ["device_id", "submission_id", "configuration_id", "workload_id", "load_profile", "point_id"]


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the module of the site that writes rows in parts."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "site" / "data"), *sys.path])
    return runpy.run_path(str(ROOT / "site" / "data" / "parts.py"))


@pytest.fixture
def groups(parts: dict[str, Any]) -> object:
    """Return the groups of two loads, one of them of a set."""
    connection = duckdb.connect()
    connection.execute("create table workloads (workload_id varchar, load_profile varchar)")
    connection.execute("insert into workloads values ('w', '4 KiB random read'), ('r', 'Restore')")
    connection.execute("create table points as select 'w' as workload_id")
    return parts["Groups"](connection)


def _steps(
    configuration: str, count: int, workload: str = "w", load: str = "4 KiB random read"
) -> list[tuple[str, ...]]:
    return [
        ("d", "s", configuration, workload, load, hashlib.sha256(f"{configuration} {i}".encode()).hexdigest()[:16])
        for i in range(count)
    ]


def test_a_group_that_weighs_too_much_is_split_by_configuration(
    parts: dict[str, Any], groups: object, tmp_path: Path
) -> None:
    """A reader loads the steps of one configuration at a time."""
    rows = _steps("one", 600) + _steps("two", 600)
    [group] = parts["swept"]((NAMES, rows), groups, "device_id", ("submission_id", "configuration_id"), tmp_path)["d"]
    assert group["of"] == ["s/one", "s/two"]
    assert not (tmp_path / "d" / "w.json").exists(), "what is split stands once"
    assert json.loads((tmp_path / "d" / "w" / "s" / "two.json").read_text())["sweeps"]["count"] == 600


def test_a_group_that_a_page_can_bear_is_one_file(parts: dict[str, Any], groups: object, tmp_path: Path) -> None:
    """What is light stays together."""
    [group] = parts["swept"]((NAMES, _steps("one", 5)), groups, "device_id", ("configuration_id",), tmp_path)["d"]
    assert "of" not in group
    assert (tmp_path / "d" / "w.json").exists()


def test_a_load_that_its_source_does_not_name_goes_by_its_definition(
    parts: dict[str, Any], groups: object, tmp_path: Path
) -> None:
    """Restore is the name of a profile, not of every load like it."""
    rows = _steps("one", 5, "r", "64 KiB sequential write")
    [group] = parts["swept"]((NAMES, rows), groups, "device_id", ("configuration_id",), tmp_path)["d"]
    assert (group["label"], group["is_one"]) == ("64 KiB sequential write", True)


def test_the_load_with_the_most_rows_comes_first(parts: dict[str, Any], tmp_path: Path) -> None:
    """The first view is the fullest."""
    rows = _steps("one", 2, "a", "A") + _steps("one", 3, "b", "B")
    listed = parts["by_load"]((NAMES, rows), "curves", "device_id", tmp_path)["d"]
    assert [(each["part"], each["label"]) for each in listed] == [("b", "B"), ("a", "A")]
