# ruff: noqa: INP001  (the site's framework names loaders)
"""The groups of loads that a page offers, in their order; ``site/data/parts.py`` writes what each shows."""

import sys

sys.path.insert(0, "site/data")
from page import PAGES

page = sys.argv[1].removeprefix("--page=")
sys.stdout.write((PAGES / "parts" / f"{page}.json").read_text(encoding="utf-8"))
