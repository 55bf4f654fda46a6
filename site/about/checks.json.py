# ruff: noqa: INP001  (the site's framework names loaders)
"""The outcome of every expectation in this build; whole numbers that a browser would round are written as text."""

import json
import os
import sys
from pathlib import Path

EXACT = 2**53
"""Larger whole numbers are not all numbers of JavaScript."""

checks = json.loads(Path(os.environ.get("IOLEDGER_BUILD", "build"), "checks.json").read_text(encoding="utf-8"))
for check in checks:
    for name, value in check.get("kwargs", {}).items():
        if isinstance(value, int | float) and abs(value) > EXACT:
            check["kwargs"][name] = f"{int(value):,}"
json.dump(checks, sys.stdout)
