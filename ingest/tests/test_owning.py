"""A new submission changes no row of another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import hostile
from ioledger.submission import gather
from ioledger.submission.rows import raw_tables
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

MINE, OTHER = "2026-11-mallory-disk", "2026-11-alice-disk"


def _tables(data: Path) -> dict[str, pa.Table]:
    gathered = gather.gather(gather.folders(data))
    assert gathered.problems == []
    return raw_tables(gathered)[0]


def test_a_submission_changes_no_row_of_another_even_if_both_have_a_file(tmp_path: Path) -> None:
    """``ioledger plan`` writes the same job file for everybody, and who hands it in later may stand before them."""
    job, earlier = b"[global]\nioengine=libaio\n[database]\nrw=randrw\nbs=8k\n", "2026-11-aaron-disk"
    first = hostile.sound(tmp_path / OTHER)
    hostile.add_file(first, "plan.fio", job, "job")
    before = _tables(tmp_path)
    second = hostile.sound(tmp_path / MINE)
    report = (second / hostile.REPORT).read_bytes()
    for key in (b'"mean" : ', b'"mean": ', b'"max": '):
        report = report.replace(key, key + b"1")
    hostile.replace(second, report, "mine.json")
    hostile.add_file(second, "plan.fio", job, "job")
    second.rename(tmp_path / earlier)
    after = _tables(tmp_path)
    assert after["results"].num_rows == 2 * before["results"].num_rows
    for name in tables():
        rows = after[name].to_pylist()
        assert [row for row in before[name].to_pylist() if row not in rows] == []
