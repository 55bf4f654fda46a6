"""The published lineage names every page that reads a mart, and asks no other host for anything."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import yaml

from ioledger.build import lineage
from ioledger.tables.schema import ROOT, marts

if TYPE_CHECKING:
    from pathlib import Path

SITE = ROOT / "site"
LOADED = re.compile(r"""["'(/]data/([a-z0-9-]+)\.arrow""")
NAMED = re.compile(r"\b(?:from|join)\s+\"?([a-z_]+)", re.IGNORECASE)


def _marts_of(page: Path) -> set[str]:
    queries = LOADED.findall(page.read_text(encoding="utf-8"))
    named = {
        name
        for query in queries
        for name in NAMED.findall((SITE / "data" / f"{query}.sql").read_text(encoding="utf-8"))
    }
    return named & set(marts())


EXPOSURES = yaml.safe_load((ROOT / "models" / "exposures.yml").read_text(encoding="utf-8"))["exposures"]
PAGES = {f"/{path.relative_to(SITE).with_suffix('').as_posix()}": path for path in sorted(SITE.rglob("*.md"))}
READING = {address: path for address, path in PAGES.items() if _marts_of(path)}


@pytest.mark.parametrize("address", READING)
def test_a_page_that_reads_marts_is_an_exposure_with_all_of_them(address: str) -> None:
    """Whoever changes a model sees in the lineage which pages it feeds."""
    url = re.sub(r"index$", "", address)
    (exposure,) = [found for found in EXPOSURES if found["url"] == url]
    stated = {re.sub(r"ref\('(\w+)'\)", r"\1", reference) for reference in exposure["depends_on"]}
    assert _marts_of(READING[address]) <= stated


def test_the_documentation_is_shut_in_and_names_no_folder(tmp_path: Path) -> None:
    """The policy stands first in the head, and the folder it was made in is gone."""
    made = tmp_path / "static_index.html"
    made.write_text(f'<html><head><title>x</title></head><body>"{ROOT}/models"</body></html>', encoding="utf-8")
    text = lineage.publish(made, tmp_path / "dist").read_text(encoding="utf-8")
    assert text.index("Content-Security-Policy") < text.index("<title>")
    assert "connect-src 'none'" in text
    assert str(ROOT) not in text
