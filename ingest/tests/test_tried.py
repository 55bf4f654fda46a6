"""What the page about one's own files shows is what the commands print."""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

from ioledger.tables.schema import ROOT

sys.path.insert(0, str(ROOT / "tools"))
own_results: Any = importlib.import_module("own_results")


def test_the_page_shows_the_real_output_of_its_commands() -> None:
    """All four, run on the same ten reports; where this fails, python tools/own_results.py writes the page's module."""
    written = own_results.text()
    assert own_results.SHOWN.read_text(encoding="utf-8") == written
    found = json.loads(written.partition("tried = ")[2].rstrip(";\n"))
    assert [(each["id"], each["code"]) for each in found] == [("parse", 0), ("gate", 1), ("plan", 0), ("report", 0)]
