"""The sizes in fio's options are what fio itself takes them for; the table was recorded from fio 3.33."""

from __future__ import annotations

import pytest

import fio_sizes_again
from ioledger.readers.units import KIBI, option_size

TABLE = fio_sizes_again.recorded()
_REFUSED = {"0": 0}
"""No block has zero bytes, but it is a size: fio refuses it only as that."""


@pytest.mark.parametrize("base", fio_sizes_again.BASES)
def test_every_form_of_a_size_is_what_fio_takes_it_for(base: str) -> None:
    """With the default base, and with each that can be stated."""
    rows = [row for row in TABLE if row.kb_base == base]
    told = {row.stated: None if row.size_bytes == "null" else int(row.size_bytes) for row in rows} | _REFUSED
    assert len(told) == len({*fio_sizes_again.BLOCKS, *fio_sizes_again.OFFSETS})
    assert {stated: option_size(stated, int(base or KIBI)) for stated in told} == told


def test_fio_reports_a_size_as_it_was_stated() -> None:
    """So what a report says of an option is read like the option itself."""
    assert {row.stated for row in TABLE if row.reported not in {row.stated, "null"}} == set()


@pytest.mark.parametrize("text", ["4k,8k", "4k-8k", "4k/60:8k/40", "50%", "-1", "", "ib", "9" * 30, "0x" + "f" * 16])
def test_what_is_no_single_size_is_none(text: str) -> None:
    """Lists and ranges are taken apart before, and no file is larger than an exbibyte."""
    assert option_size(text) is None


@pytest.mark.skipif(fio_sizes_again.version() != TABLE[0].tool_version, reason="another fio, or none, is installed")
@pytest.mark.parametrize("base", ["", "1000"])
def test_the_fio_that_is_installed_gives_the_recorded_table(base: str) -> None:
    """The table is what fio says, not what someone wrote down."""
    rows = [row for row in TABLE if row.kb_base == base and row.size_bytes != "null"]
    blocks = [row for row in rows if row.measured_as == "block"]
    assert fio_sizes_again.blocks(base, [row.stated for row in blocks]) == [row[3:] for row in blocks]
    offsets = [row for row in rows if row.stated in {"1t", "1TiB", "1p"}]
    assert [fio_sizes_again.offset(base, row.stated) for row in offsets] == [row.size_bytes for row in offsets]
