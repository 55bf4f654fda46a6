# ruff: noqa: INP001  (the site's framework names loaders)
"""The saved queries of the SQL page: name, title and text of each, as the pages and ``site/queries`` state them."""

import json
import sys
from pathlib import Path

import msgspec

from ioledger.build.pages import load_pages

_, saved, problems = load_pages(Path(__file__).parent.parent)
if problems:
    sys.exit("\n".join(map(str, problems)))
json.dump(msgspec.to_builtins(saved), sys.stdout)
