# ruff: noqa: INP001  (the site's framework names loaders)
"""What the page of one device shows."""

import sys

sys.path.insert(0, "site/data")
from page import PAGES

sys.stdout.write((PAGES / "devices" / f"{sys.argv[1].split('=', 1)[1]}.json").read_text(encoding="utf-8"))
