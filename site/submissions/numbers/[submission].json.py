# ruff: noqa: INP001  (the site's framework names loaders)
"""The numbers of charts that the page of one submission can show, with the results behind them."""

import sys

sys.path.insert(0, "site/data")
from page import PAGES

sys.stdout.write((PAGES / "numbers" / f"{sys.argv[1].split('=', 1)[1]}.json").read_text(encoding="utf-8"))
