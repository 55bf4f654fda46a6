# ruff: noqa: INP001  (the site's framework names loaders)
"""Every rule with its area, stage, severity and text, as ``ioledger rules --json`` prints them."""

from ioledger.cli import main

main(["rules", "--json"], standalone_mode=False)
