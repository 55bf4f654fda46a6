"""Effects of area, settings and clock: an invented publication that measured all three, through the whole pipeline."""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import modelled
import pytest
from derivations_again import AGAIN, table
from test_recomputed import agrees

from ingest import yamlout, yamlsafe
from ingest.figures import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator

FIXTURES = Path(__file__).parent / "fixtures"
MARTS = ("capacity_share_effects", "setting_set_effects", "processor_clock_effects", "saturation_fits")
SIZES = {"Database": 8192, "File server": 65536}
RATES = {  # at 8 KiB and 64 KiB, for depths 1, 2, 4 and 8
    "base": ((10e3, 19e3, 35e3, 60e3), (2e3, 3.9e3, 7e3, 12e3)),
    "whole": ((9e3, 17e3, 28e3, 45e3), (2e3, 3.5e3, 6e3, 9e3)),
    "tuned": ((10e3, 20e3, 40e3, 150e3), (2e3, 3.9e3, 7e3, 12e3)),
    "fast": ((11e3, 21e3, 40e3, 72e3), (2e3, 3.9e3, 7e3, 12e3)),
}


def _manifest() -> dict[str, Any]:
    """Return a manifest with four configurations, of which each but the first changes one thing."""
    text = (FIXTURES / "submission" / "manifest.yaml").read_text(encoding="utf-8")
    document: dict[str, Any] = yamlsafe.load(text.split("\nfiles:")[0].encode())[0]
    document |= {
        "source_type": "press",
        "citation": dict.fromkeys(("title", "publisher", "version", "date", "url"), "-"),
    }
    whole = document["configurations"].pop("ext4-file")
    guest = document["systems"]["guest"]
    document["systems"]["faster"] = {**guest, "cpu_nominal_hertz": 2 * 2596136000, "cpu_model": "Another"}
    method, software = whole["method"], whole["software"]
    settings = {"bios": {"Power profile": "Performance"}, "os": {"Governor": "performance"}}
    document["configurations"] = {
        "base": {**whole, "setting_set": "Default"},
        "whole": {**whole, "setting_set": "Default", "method": {**method, "measurement_area_bytes": 274877906944}},
        "tuned": {
            **whole,
            "setting_set": "Performance",
            "settings": settings,
            "software": {**software, "power_plan": "high"},
        },
        "fast": {**whole, "setting_set": "Default", "system": "faster"},
    }
    return document


def _figures() -> Iterator[dict[str, object]]:
    """Give one figure for every rate."""
    shared = {"is_canonical": "true", "quantity": "operations_per_second", "statistic": "point", "unit_base": "exact"}
    shared |= {"record_kind": "measured", "value_kind": "measured", "operation": "mixed", "access_pattern": "random"}
    shared |= {"load_basis": "outstanding", "section": "Results", "line": "1", "printed_unit": "IO/s"}
    for configuration, rates in RATES.items():
        for (profile, size), row in zip(SIZES.items(), rates, strict=True):
            for depth, rate in zip((1, 2, 4, 8), row, strict=True):
                load = {"load_profile": profile, "read_ratio": 0.67, "block_size_bytes": size, "queue_depth": depth}
                said = {"printed_value": rate, "printed_text": str(rate), "configuration_id": configuration}
                yield {**shared, **load, **said, "figure_id": f"{configuration}.{size}.{depth}", "process_count": 1}


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the marts on effects as the pipeline makes them from the invented publication."""
    folder = tmp_path_factory.mktemp("effects") / "2026-11-tester-effects"
    folder.mkdir()
    path = folder / "figures.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(_figures())
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest = {**_manifest(), "files": [{"path": "figures.csv", "sha256": digest, "role": "publication"}]}
    (folder / "manifest.yaml").write_text(yamlout.dump(manifest), encoding="utf-8")
    return modelled.run([folder], tmp_path_factory.mktemp("dbt"), *(f"+{mart}" for mart in MARTS))


def _effects(build: Path, mart: str, other: str) -> dict[tuple[str, str], Any]:
    """Return the effects of one mart by load profile and basis, of the pair whose second configuration is named."""
    rows = [row for row in table(build, mart) if other in row.values()]
    return {(row["load_profile"], row["basis"]): row for row in rows}


def test_the_area_alone_differs_and_its_effect_is_the_quotient(build: Path) -> None:
    """16 GiB of 256 GiB are a sixteenth; the whole drive is slower, and the four depths and the peak are compared."""
    rows = table(build, "capacity_share_effects")
    assert {(row["smaller_configuration_id"], row["larger_configuration_id"]) for row in rows} == {("base", "whole")}
    assert len(rows) == 10
    row = _effects(build, "capacity_share_effects", "whole")["Database", "queue_depth=8"]
    assert (row["smaller_area_ratio"], row["larger_area_ratio"], row["effect_ratio"]) == (0.0625, 1.0, 0.75)


def test_settings_are_one_change_with_all_that_belongs_to_them(build: Path) -> None:
    """The default is the base; what changed along is named, and the processor matters at 150 000 IO/s of 8 KiB."""
    rows = table(build, "setting_set_effects")
    assert {(row["base_configuration_id"], row["changed_configuration_id"]) for row in rows} == {("base", "tuned")}
    assert {row["changed_fields"] for row in rows} == {"bios setting Power profile, os setting Governor, power_plan"}
    relevant = {(row["load_profile"], row["basis"]) for row in rows if row["is_processor_relevant"]}
    assert relevant == {("Database", "queue_depth=8"), ("Database", "peak")}
    assert _effects(build, "setting_set_effects", "tuned")["Database", "queue_depth=8"]["effect_ratio"] == 2.5


def test_a_clock_twice_as_fast_is_followed_in_part(build: Path) -> None:
    """72 000 over 60 000 at twice the clock is an elasticity of ln 1.2 / ln 2; at 64 KiB there is none."""
    rows = _effects(build, "processor_clock_effects", "fast")
    assert {row["changed_fields"] for row in rows.values()} == {"cpu_model"}
    assert rows["Database", "queue_depth=8"]["elasticity_ratio"] == pytest.approx(0.263034405834)
    assert rows["File server", "queue_depth=8"]["elasticity_ratio"] == 0


def test_every_number_comes_out_the_same_by_another_way(build: Path) -> None:
    """All rows, by the second implementation."""
    derived = [(mart, column) for mart, column in AGAIN if mart in MARTS]
    assert {mart for mart, _ in derived} == set(MARTS)
    for mart, column in derived:
        for row in table(build, mart):
            assert agrees(row[column], AGAIN[mart, column](row, build)), (mart, column, row)
