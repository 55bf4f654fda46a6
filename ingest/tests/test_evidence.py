"""A build says what code made it, by hashes that move when something moves that may move a number."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import msgspec
import pytest

from ioledger.readers import detect
from ioledger.releases.evidence import Evidence, evidence
from ioledger.tables.schema import PACKAGE, ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def now() -> Evidence:
    """Return what the code is."""
    return evidence(ROOT, PACKAGE)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of everything that is looked at."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "ingest" / "ioledger", ignore=ignored)
    for name in ("models", "schemas"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


def _of(copy: Path) -> Evidence:
    return evidence(copy, copy / "ingest" / "ioledger")


def _differing(before: Evidence, after: Evidence) -> set[str]:
    """Return what differs, as ``part.name``."""
    old, new = (msgspec.to_builtins(each) for each in (before, after))
    return {
        f"{part}.{name}"
        for part in old
        for name in old[part].keys() | new[part].keys()
        if old[part].get(name) != new[part].get(name)
    }


@pytest.mark.parametrize(
    ("path", "line", "differs"),
    [
        ("models/marts/points.sql", "-- a comment", set()),
        ("models/marts/points.sql", "select 1", {"models.points"}),
        ("models/intermediate/int_operands.sql", "select 1", {"models.int_operands"}),
        ("models/seeds/known_roles.csv", "a,b", {"seeds.known_roles"}),
        ("ingest/ioledger/readers/orion/text.py", "    # a comment", set()),
        ("ingest/ioledger/readers/orion/text.py", "X = 1", {"readers.orion"}),
        ("ingest/ioledger/readers/units.py", "X = 1", {"reading.readers"}),
        ("ingest/ioledger/readers/derived_csv.py", "X = 1", {"readers.derived_csv"}),
        ("ingest/ioledger/checks/per_result.py", "X = 1", {"reading.checks"}),
        ("ingest/ioledger/submission/rows.py", "X = 1", {"reading.submission"}),
        ("ingest/ioledger/judgement/verdicts.py", "X = 1", {"judgement.verdicts"}),
        ("ingest/ioledger/claims/audit.py", "X = 1", {"claims.audit"}),
        ("schemas/expectations/results_limits.json", " ", {"expectations.results_limits"}),
        ("ingest/ioledger/cli/build.py", "X = 1", set()),
    ],
)
def test_a_line_more_is_seen_where_it_may_move_a_number(
    path: str, line: str, differs: set[str], copy: Path, now: Evidence
) -> None:
    """Of models, seeds, readers and what they share, judgement, claims and expectations; a comment moves nothing."""
    with (copy / path).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    assert _differing(now, _of(copy)) == differs


def test_versions_of_readers_are_those_that_they_state(now: Evidence) -> None:
    """Read from their code without running it, as the code of another commit must be."""
    assert {name: reader.versions for name, reader in now.readers.items()} == {
        "derived_csv" if reader.TOOL == "excerpt" else reader.TOOL: reader.VERSIONS for reader in detect.readers()
    }


def test_models_say_what_they_read_and_whether_they_judge(now: Evidence) -> None:
    """Models, seeds and raw tables; a function of judgement is known by its name."""
    assert {"int_quotients_joined", "int_quotients_judged"} & {*now.models["int_quotients_answered"].reads}
    assert "raw.submissions" in now.models["submissions"].reads
    assert now.models["int_effects_judged"].is_judging
    assert not now.models["submissions"].is_judging
    assert any("known_roles" in model.reads for model in now.models.values())


def test_every_name_that_a_model_reads_is_one(now: Evidence) -> None:
    """A reference in other words than these would be a parent that nobody sees."""
    known = now.models.keys() | now.seeds.keys()
    for name, model in now.models.items():
        others = {each for each in model.reads if not each.startswith("raw.")}
        assert others <= known, name
        text = next((ROOT / "models").rglob(f"{name}.sql")).read_text(encoding="utf-8")
        assert text.count("ref(") + text.count("source(") >= len(model.reads) > 0, name


def test_code_of_a_time_before_versions_has_none(copy: Path) -> None:
    """So that its commits can be compared too."""
    path = copy / "ingest" / "ioledger" / "readers" / "derived_csv.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("VERSIONS", "OTHERS"), encoding="utf-8")
    (copy / "ingest" / "ioledger" / "judgement" / "functions.py").unlink()
    found = _of(copy)
    assert found.readers["derived_csv"].versions == {}
    assert not any(model.is_judging for model in found.models.values())
