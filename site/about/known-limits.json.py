# ruff: noqa: INP001  (the site's framework names loaders)
"""The limits that judgements rest on, as the seed has them: value, unit, where it comes from, and why it is so."""

import csv
import json
import sys

from ioledger.tables.schema import ROOT

with (ROOT / "models" / "seeds" / "known_limits.csv").open(encoding="utf-8", newline="") as seed:
    json.dump(list(csv.DictReader(seed)), sys.stdout)
