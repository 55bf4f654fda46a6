"""
Result files line by line: marks, the values that marks announce, rows.

All versions write ``Aborted test`` after the results of a run that was stopped (``GalileoView.cpp``, ``StopTest()``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.readers.base import Finding
from ioledger.readers.iometer.marks import MARKS, leave_test
from ioledger.readers.iometer.parts import Row, Run, Scan

if TYPE_CHECKING:
    from ioledger.readers.iometer.header import Header

LONGEST = 1 << 16
ROWS = frozenset({"ALL", "MANAGER", "WORKER"})
OTHER_ROWS = frozenset({"PROCESSOR", "DISK", "NETWORK", "UNKNOWN"})


def scan(text: str) -> Scan:
    """Read every line of a text; lines that are longer than any row count as strange ones."""
    found = Scan()
    for number, line in enumerate(text.split("\n"), 1):
        mark = MARKS.get(line.partition(",")[0]) if line[:1] in {"'", "T"} and len(line) <= LONGEST else None
        if mark:
            found.fill = None
            mark(found, number, line)
        elif found.run and found.run.header and not found.fill:
            _row(found, found.run, found.run.header, number, line if len(line) <= LONGEST else "?")
        else:
            _other(found, number, line if len(line) <= LONGEST else "?")
    _end(found)
    return found


def _other(scan: Scan, number: int, line: str) -> None:
    """Take a line that is neither a mark nor a row: a value, or one that is no part of a result file."""
    if scan.block is not None:
        scan.block.append((number, line))
    elif scan.fill:
        fill, scan.fill = scan.fill, None
        fill(scan, number, line)
    elif scan.run and not scan.run.is_sound and scan.run.header is None:
        return
    elif line == "Aborted test" and scan.test:
        scan.test.is_aborted = True
        if scan.last:  # null after a new specification, when no run was under way
            scan.last.is_aborted = True
    elif line:
        scan.strange.append(number)


def _row(scan: Scan, run: Run, header: Header, number: int, line: str) -> None:
    first, comma, rest = line.partition(",")
    kind = rest.partition(",")[0] if header.is_instantaneous and comma else first
    if kind not in ROWS:
        if line and kind not in OTHER_ROWS:
            scan.strange.append(number)
    elif (width := line.count(",") + 1) < header.width:
        run.is_sound = False
        scan.refuse(number, f"the {kind} row has {width} of {header.width} fields", "R-IOMETER-ROW-1")
    else:
        run.rows.append(Row(number, kind, line))


def _end(scan: Scan) -> None:
    """Take the end of the file."""
    if scan.run or scan.fill or scan.block is not None:
        line = scan.run.line if scan.run else scan.test.line if scan.test else 1
        what = f"the file ends inside the {'run' if scan.run else 'test'} that starts here"
        scan.refuse(line, what, "R-IOMETER-CUT-1")
        scan.run = None
    else:
        leave_test(scan)
    if scan.strange:
        message = f"{len(scan.strange)} lines are no part of a result file; the first is line {scan.strange[0]}"
        scan.findings.append(Finding("R-IOMETER-LINE-1", message, f"line {scan.strange[0]}"))
