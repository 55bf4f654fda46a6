# ruff: noqa: INP001  (the site's framework names loaders)
"""The results that the page of one submission lists."""

import sys

sys.path.insert(0, "site/data")
from page import PAGES

sys.stdout.write((PAGES / "results" / f"{sys.argv[1].split('=', 1)[1]}.json").read_text(encoding="utf-8"))
