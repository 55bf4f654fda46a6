"""The notebook runs from its first cell to its last, and shows what it says."""

from __future__ import annotations

import ast
import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from dataset import DISK
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

NOTEBOOK = ROOT / "ingest" / "notebooks" / "own-results.ipynb"


def _cells() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(NOTEBOOK.read_bytes())["cells"]
    return found


def _run(source: str, names: dict[str, Any]) -> Any:  # noqa: ANN401  (what a cell gives)
    """Run a cell; return the value of its last line where that is an expression, as a notebook would show it."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, str(NOTEBOOK), "exec"), names)  # noqa: S102  (the project's own notebook)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)  # noqa: S307


def test_the_notebook_reads_draws_and_compares_with_the_published_database(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every cell in order, with the tests' own dataset in the place of what lies in data/."""
    monkeypatch.setenv("IOLEDGER_WORKSPACE", str(sample))
    folder = shutil.copytree(sample / "data" / DISK, tmp_path / "own")
    for file in folder.rglob("*.json"):  # the same figures in other files: a run is not compared with itself
        file.write_bytes(file.read_bytes() + b"\n")
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = []
    for cell in (cell for cell in _cells() if cell["cell_type"] == "code"):
        source = "".join(cell["source"])
        if "parameters" in cell["metadata"].get("tags", []):
            assert {node.targets[0].id for node in ast.parse(source).body} == {"folder", "published"}  # type: ignore[attr-defined]
            source = f"folder = {str(folder)!r}\npublished = 'published:{DISK}/ext4-file'"
        shown.append(_run(source, names))
    _, measurement, rows, picture, verdict, (changes, code) = shown
    assert measurement.results.num_rows == 241
    assert rows[0].keys() >= {"queue_depth", "operations_per_second_mean"}
    assert picture._repr_html_().count("<svg") == 1 + len(names["series"])
    assert verdict._repr_html_().startswith("<p><strong>")
    assert (len(verdict.points), verdict.unmatched_before) == (80, ())
    assert (len(changes), code) == (5, verdict.exit_code)
    assert all(row.ratio == pytest.approx(1.0) for row in verdict.points), "they have the same figures"


def test_the_notebook_holds_no_output() -> None:
    """What it shows is made when it is run."""
    cells = _cells()
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells if cell["cell_type"] == "code")
    assert len({cell["id"] for cell in cells}) == len(cells)
