"""Effects of area, settings and clock: an invented publication that measured all three, through the whole pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from dataset import table
from invented import EFFECTS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def build(sample: Path) -> Path:
    """Return the folder with the mart on effects."""
    return sample / "build"


def _rows(build: Path, changed: str) -> list[dict[str, Any]]:
    """Return the effects on the rate of what was changed, as the invented publication measured them."""
    return [
        row
        for row in table(build, "effects")
        if (row["submission_id"], row["changed_column"], row["metric"]) == (EFFECTS, changed, "operations_per_second")
    ]


def _effects(build: Path, changed: str, *pair: str) -> dict[tuple[str, str], Any]:
    """Return the effects of a change by load profile and basis, between two configurations."""
    rows = [row for row in _rows(build, changed) if (row["a_configuration_id"], row["b_configuration_id"]) == pair]
    return {(row["a_load_profile"], row["basis"]): row for row in rows}


def _pairs(rows: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(row["a_configuration_id"], row["b_configuration_id"]) for row in rows}


def test_the_area_alone_differs_and_its_effect_is_the_quotient(build: Path) -> None:
    """16 GiB of 256 GiB are a sixteenth; the whole drive is slower, and the four depths and the peak are compared."""
    rows = _rows(build, "measurement_area_bytes")
    assert _pairs(rows) == {("base", "whole")}
    assert len(rows) == 10
    row = _effects(build, "measurement_area_bytes", "base", "whole")["Database", "queue_depth=8"]
    assert (row["a_text"], row["b_text"]) == ("17179869184/274877906944", "274877906944/274877906944")
    assert row["effect_ratio"] == 0.75


def test_settings_are_one_change_with_all_that_belongs_to_them(build: Path) -> None:
    """The default is the base; what changed along is named, and the processor matters at 150 000 IO/s of 8 KiB."""
    rows = _rows(build, "setting_set")
    assert _pairs(rows) == {("base", "tuned")}
    changed = "configurations.power_plan, settings.value bios power profile, settings.value os governor"
    assert {row["changed_with"] for row in rows} == {changed}
    relevant = {(row["a_load_profile"], row["basis"]) for row in rows if row["is_processor_relevant"]}
    assert relevant == {("Database", "queue_depth=8"), ("Database", "peak")}
    assert _effects(build, "setting_set", "base", "tuned")["Database", "queue_depth=8"]["effect_ratio"] == 2.5


def test_a_clock_twice_as_fast_is_followed_in_part(build: Path) -> None:
    """72 000 over 60 000 at twice the clock is an elasticity of ln 1.2 / ln 2; at 64 KiB there is none."""
    assert _pairs(_rows(build, "cpu_nominal_hertz")) == {("base", "fast")}
    rows = _effects(build, "cpu_nominal_hertz", "base", "fast")
    assert {row["changed_with"] for row in rows.values()} == {"configurations.cpu_model"}
    assert rows["Database", "queue_depth=8"]["elasticity_ratio"] == pytest.approx(0.263034405834)
    assert rows["File server", "queue_depth=8"]["elasticity_ratio"] == 0
