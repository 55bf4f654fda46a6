"""What the bench of the gate counts: triples made here, of which every verdict is known."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

import gated
from bench import gate_judged

if TYPE_CHECKING:
    from pathlib import Path

    from rich.table import Table

TRIPLES, SLOW, LEFT = 16, 3, 0.8
"""How many, in how many of the first the second equal run is slow, and what the capped runs keep."""


@pytest.fixture
def own(tmp_path: Path) -> gate_judged.Held:
    """Return triples in time whose equal runs are equal but for the first three, and one that was cut short."""
    noise = random.Random(1)  # noqa: S311  (noise, no secret)
    for triple in range(TRIPLES):
        factors = {"a": 1.0, "b": 0.7 if triple < SLOW else 1.0, "c": LEFT}
        for place, (kind, factor) in enumerate(factors.items()):
            report = gated.report({4: 10_000 * factor * noise.uniform(0.998, 1.002)}, gated.BEGIN + 3 * triple + place)
            (tmp_path / f"{triple:04}.{kind}.json").write_text(json.dumps(report), encoding="utf-8")
    (tmp_path / "0099.a.json").write_text(json.dumps(gated.report({4: 9_000.0}, gated.BEGIN + 999)), encoding="utf-8")
    return gate_judged.held(tmp_path)


def _rows(table: Table) -> list[tuple[str, ...]]:
    return [*zip(*([str(cell) for cell in column.cells] for column in table.columns), strict=True)]


def test_each_layout_counts_its_pairs_and_what_is_told_of_them(own: gate_judged.Held) -> None:
    """Three slow runs are a side of three, and are told; among five or eight they are noise."""
    assert len(own.triples) == TRIPLES
    turns, blocks = ("20.0 / 100 (5)", "0.0 / 100 (3)", "0.0 / 100 (2)"), ("0.0 / 100 (2)", "0.0 / 100 (1)")
    assert _rows(gate_judged.layouts(own)) == [
        (gate_judged.WELCH, *turns),
        (gate_judged.PAIRS, *turns),
        ("one block, then the other", *blocks, blocks[1]),
        ("two blocks far apart", *blocks, blocks[1]),
    ]


def test_shares_have_an_interval_and_normal_noise_stands_beside_them(
    own: gate_judged.Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One side of five that is told apart, and all that lost a fifth."""
    monkeypatch.setattr(gate_judged, "TRIALS", 40)
    rows = {row[:2]: row[3:] for row in _rows(gate_judged.powers(own, LEFT))}
    assert len(rows) == len(gate_judged.COUNTS) * 2
    alarms, equal, taken, cap = rows[gate_judged.PAIRS, "3 (5)"]
    assert alarms.startswith("20.0 (4 to 62), ")
    assert equal.startswith("80.0 (38 to 96), ")
    assert (taken.split(",")[0], cap) == ("100.0 (57 to 100)", "100.0 (57 to 100), 100.0")
    assert "capped runs reached 0.82" in gate_judged.noise(own)


@pytest.mark.parametrize(
    ("share", "count", "interval"), [(0.5, 100, (0.4038, 0.5962)), (0.0, 10, (0.0, 0.2775)), (1.0, 10, (0.7225, 1.0))]
)
def test_an_interval_of_a_share_is_wilsons(share: float, count: int, interval: tuple[float, float]) -> None:
    """Figures of R's ``prop.test`` without correction."""
    assert gate_judged.wilson(share, count) == pytest.approx(interval, abs=5e-5)
