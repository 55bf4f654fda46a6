# ruff: noqa: INP001  (the site's framework names loaders)
"""Every rule with its area, stage, severity and text, as ``ioledger rules --json`` prints them."""

import subprocess
import sys

COMMAND = [sys.executable, "-m", "ingest", "rules", "--json"]
sys.stdout.write(subprocess.run(COMMAND, check=True, capture_output=True, text=True).stdout)  # noqa: S603  (a constant)
