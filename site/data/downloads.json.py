# ruff: noqa: INP001  (the site's framework names loaders)
"""The files of a build with their rows, size and hashes, from its manifest."""

import json
import os
import sys
from pathlib import Path

build = Path(os.environ.get("IOLEDGER_BUILD", "build"))
manifest = json.loads((build / "manifest.json").read_text(encoding="utf-8"))
files = [
    {"path": path, "size_bytes": (build / path).stat().st_size, **facts}
    for path, facts in sorted(manifest["files"].items())
    if (build / path).exists()
]
database = {"path": "ioledger.duckdb", "size_bytes": (build / "ioledger.duckdb").stat().st_size}
json.dump(
    {"release_id": manifest["release_id"], "written_with": manifest["written_with"], "files": [database, *files]},
    sys.stdout,
)
