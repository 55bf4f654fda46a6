"""A whole build of a copy of ``data/``, stage by stage, without and with the cache: ``python -m bench.build``."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Print what the build prints, and the seconds by the clock."""
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(ROOT / "data", Path(scratch) / "data")
        for name in ("from nothing", "again, nothing changed"):
            started = time.monotonic()
            command = [sys.executable, "-m", "ioledger", "build", "--no-site", "--workspace", scratch]
            done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)  # noqa: S603
            print(f"{name}: {time.monotonic() - started:.1f} s\n{done.stderr}{done.stdout}", flush=True)


if __name__ == "__main__":
    main()
