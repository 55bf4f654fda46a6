"""
What fio itself takes the sizes in its options for, measured with its engine that moves nothing.

A size is taken as a block size: the bytes moved over the operations tell what fio understood. Sizes that are too large
for a buffer are taken as an offset, which fio's log of its operations tells. ``null`` means that fio refuses the text.
``python ingest/tests/fio_sizes_again.py`` records the table anew, with the fio that is installed.
"""

from __future__ import annotations

import csv
import io
import json
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLE = Path(__file__).parent / "fixtures" / "fio_sizes.csv"
BASES = ("", "1024", "1000")
_PREFIXES = ("k", "K", "m", "M", "g", "G")
_ENDS = ("", "b", "B", "i", "ib", "iB", "IB", "Ib")
_FACTORS = {"k": "4", "m": "2", "g": "1"}
BLOCKS = (
    *(_FACTORS[prefix.lower()] + prefix + end for prefix in _PREFIXES for end in _ENDS),
    "4096", "4096b", "4096B", "4096ib", "4096iB", "512", "1", "0", "-4k", "+4k", "010k", "0x1000", "0X1000", "0x1k",
    "0x10m", "0x1000b", "1.5k", "1.5", "1.5m", "4096.0", "64.0KiB", "4 k", "4k KiB", "4k ", "4kx", "4kbx", "4kix",
    "4kibibytes", "4x", "1e", "1e3", "1eb", "4s", "1_000", "k", "B", "k4", "(4k)", "4k.5",
)  # fmt: skip
OFFSETS = tuple(f"1{prefix}{end}" for prefix in ("g", "t", "T", "p", "P") for end in ("", "b", "i", "ib", "iB"))
_SAME = ("fio", "--ioengine=null", "--rw=read", "--number_ios=3", "--thread")


class Row(NamedTuple):
    """One size: the version of fio, ``kb_base`` as stated, how it was measured, the text, and fio's own answers."""

    tool_version: str
    kb_base: str
    measured_as: str
    stated: str
    reported: str
    """The text under ``job options``."""
    size_bytes: str


def version() -> str | None:
    """Return the version of the fio that is installed, null when there is none."""
    try:
        return subprocess.run(["fio", "--version"], capture_output=True, text=True, check=True).stdout.strip()  # noqa: S607
    except OSError:
        return None


def recorded() -> list[Row]:
    """Return the table as it was recorded."""
    rows = list(csv.reader(io.StringIO(TABLE.read_text(encoding="utf-8"))))
    assert tuple(rows[0]) == Row._fields
    return [Row(*row) for row in rows[1:]]


def measured() -> list[Row]:
    """Return the table as the fio that is installed gives it."""
    rows, found = [], version()
    assert found is not None
    for base in BASES:
        rows += [Row(found, base, "block", *answer) for answer in blocks(base, BLOCKS)]
        rows += [Row(found, base, "offset", text, text, offset(base, text)) for text in OFFSETS]
    return rows


def blocks(base: str, texts: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return each text, how fio reports it, and the bytes per operation; halves are asked for where fio refuses."""
    jobs = [part for text in texts for part in ("--name=a", *_stated(base), f"--bs={text}", "--size=4g")]
    report = _run([*_SAME, "--output-format=json", *jobs])
    if report is not None and len(report["jobs"]) == len(texts):
        return [_answer(text, job) for text, job in zip(texts, report["jobs"], strict=True)]
    if len(texts) == 1:
        return [(texts[0], "null", "null")]
    half = len(texts) // 2
    return blocks(base, texts[:half]) + blocks(base, texts[half:])


def _answer(text: str, job: dict[str, dict[str, str | int]]) -> tuple[str, str, str]:
    count, moved = int(job["read"]["total_ios"]), int(job["read"]["io_bytes"])
    assert count == 0 or moved % count == 0
    return text, str(job["job options"]["bs"]), str(moved // count) if count else "null"


def offset(base: str, text: str) -> str:
    """Return where the first operation went."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "operations.log")
        options = ("--name=a", *_stated(base), "--bs=4096", "--filesize=9007199254740992", f"--offset={text}")
        _run([*_SAME, "--output-format=json", *options, f"--write_iolog={log}"])
        return next(line.split()[3] for line in log.read_text(encoding="utf-8").splitlines() if " read " in line)


def _stated(base: str) -> tuple[str, ...]:
    return (f"--kb_base={base}",) if base else ()


def _run(command: list[str]) -> dict[str, list[dict[str, dict[str, str | int]]]] | None:
    """Return the report of a run, null when fio refused an option."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  (the lists above)
    if done.returncode or '{\n  "fio version"' not in done.stdout:
        return None
    found = json.loads(done.stdout[done.stdout.index('{\n  "fio version"') :])
    assert isinstance(found, dict)
    return found


if __name__ == "__main__":
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([Row._fields, *measured()])
