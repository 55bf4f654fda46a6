"""
Builds the tables a second time and compares: ``python tools/reproducible.py``.

Every Parquet file of ``build/`` must come out with the same bytes from a second build of the same commit. The second
one runs DuckDB with one thread instead of two: no sum may depend on the order in which rows arrive.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = ROOT / "build" / "manifest.json"


def hashes() -> dict[str, str]:
    """Return the SHA-256 of every Parquet file as the last build states it."""
    return {name: entry["sha256"] for name, entry in json.loads(MANIFEST.read_text(encoding="utf-8"))["files"].items()}


def main() -> int:
    """Build again; return 1 when a file differs."""
    first = hashes()
    command = [str(Path(sys.executable).with_name("ioledger")), "build", "--no-site"]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "IOLEDGER_DBT_THREADS": "1"})  # noqa: S603
    second = hashes()
    differing = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
    for name in differing:
        print(f"{name}: two builds gave different bytes")  # noqa: T201
    print(f"{len(first)} files compared, {len(differing)} differ")  # noqa: T201
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
