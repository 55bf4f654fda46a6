# ruff: noqa: INP001  (the site's framework names loaders)
"""The SQL of every dbt model by name; the method page loads it when a reader opens the first one."""

import json
import sys
from pathlib import Path

found = sorted(Path("models").glob("*/*.sql"))
json.dump({path.stem: path.read_text(encoding="utf-8").strip() for path in found}, sys.stdout)
