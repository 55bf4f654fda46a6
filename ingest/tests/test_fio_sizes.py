"""Sizes in fio's options are what fio takes them for; ``fixtures/fio_sizes.csv`` was recorded from fio 3.33."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ioledger.readers.units import KIBI, option_size

with Path(__file__).with_name("fixtures").joinpath("fio_sizes.csv").open(encoding="utf-8", newline="") as file:
    TABLE = list(csv.DictReader(file))
_REFUSED = {"0": 0}
"""No block has zero bytes, but it is a size: fio refuses it only as that."""


@pytest.mark.parametrize("base", ["", "1024", "1000"])
def test_every_form_of_a_size_is_what_fio_takes_it_for(base: str) -> None:
    """With the default base, and with each that can be stated; null means that fio refuses the text."""
    rows = {row["stated"]: row["size_bytes"] for row in TABLE if row["kb_base"] == base}
    expected = {stated: None if size == "null" else int(size) for stated, size in rows.items()} | _REFUSED
    assert len(expected) > 90
    assert {stated: option_size(stated, int(base or KIBI)) for stated in expected} == expected


def test_fio_reports_a_size_as_it_was_stated() -> None:
    """So what a report says of an option is read like the option itself."""
    assert {row["stated"] for row in TABLE if row["reported"] not in {row["stated"], "null"}} == set()


@pytest.mark.parametrize("text", ["4k,8k", "4k-8k", "4k/60:8k/40", "50%", "-1", "", "ib", "9" * 30, "0x" + "f" * 16])
def test_what_is_no_single_size_is_none(text: str) -> None:
    """Lists and ranges are taken apart before, and no file is larger than an exbibyte."""
    assert option_size(text) is None
