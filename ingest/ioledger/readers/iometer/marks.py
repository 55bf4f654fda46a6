"""
The marks of result files: lines that begin a test, a specification or a run, and the values that follow them.

Iometer appends: one file may hold many tests, a test many access specifications, a specification many runs. Each run is
closed by a time stamp. 1.1.0 ends a test with ``'End Test``. Source: ``GalileoView.cpp``, ``StopTest()``;
``PageSetup.cpp`` and ``ManagerList.cpp``, ``SaveResults()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.readers.base import Finding
from ioledger.readers.iometer.header import Header, header_of
from ioledger.readers.iometer.parts import KINDS, STAMP, Run, Scan, Test
from ioledger.readers.iometer.specs import parse_block

if TYPE_CHECKING:
    from collections.abc import Callable


def _begin_test(scan: Scan, number: int, _: str) -> None:
    leave_run(scan)
    leave_test(scan)
    scan.test, scan.test_count, scan.first = Test(number), scan.test_count + 1, len(scan.runs)
    scan.block, scan.specs, scan.stamp, scan.last = None, {}, None, None
    scan.fill = _fill_test


def _fill_test(scan: Scan, number: int, line: str) -> None:
    """Take the type of a test, printed as a number (``PageSetup.h``), and its description."""
    kind, _, description = line.partition(",")
    test = _known_test(scan, number)
    is_known = kind.isdecimal() and len(kind) == 1 and int(kind) < len(KINDS)
    test.kind, test.description = KINDS[int(kind)] if is_known else None, description.strip() or None


def _begin_version(scan: Scan, number: int, _: str) -> None:
    _known_test(scan, number)
    scan.fill = _fill_version


def _fill_version(scan: Scan, number: int, line: str) -> None:
    _known_test(scan, number).version = line.strip() or None


def _begin_stamp(scan: Scan, _: int, __: str) -> None:
    if scan.run:
        if scan.run.header is None and scan.run.is_sound:
            what = "the results that start here have no header line that names their columns"
            scan.refuse(scan.run.line, what, "R-IOMETER-HEADER-2")
        scan.run.is_closed, scan.last, scan.run = True, scan.run, None
    scan.fill = _fill_stamp


def _fill_stamp(scan: Scan, number: int, line: str) -> None:
    scan.stamp = line if STAMP.fullmatch(line) else None
    if scan.stamp is None:
        scan.strange.append(number)


def _begin_specs(scan: Scan, number: int, _: str) -> None:
    leave_run(scan)
    _known_test(scan, number)
    scan.block, scan.last = [], None


def _end_specs(scan: Scan, _: int, __: str) -> None:
    if scan.block is not None:
        scan.specs, findings = parse_block(scan.block)
        scan.findings += findings
    scan.block = None


def _begin_run(scan: Scan, number: int, line: str) -> None:
    leave_run(scan)
    _end_specs(scan, number, line)
    scan.run = Run(number, _known_test(scan, number), scan.specs, scan.stamp)
    scan.runs.append(scan.run)
    scan.last = None


def _take_header(scan: Scan, number: int, line: str) -> None:
    if scan.run is None or scan.run.header is not None:
        _begin_run(scan, number, line)
    header = header_of(line)
    if isinstance(header, str):
        scan.refuse(number, header, "R-IOMETER-HEADER-1")
    if scan.run:
        scan.run.header, scan.run.is_sound = (header, True) if isinstance(header, Header) else (None, False)


def _end_test(scan: Scan, number: int, _: str) -> None:
    leave_run(scan)
    _known_test(scan, number).is_ended = True


def _known_test(scan: Scan, number: int) -> Test:
    """Return the current test; when the file begins without one, say so once and make one."""
    if scan.test is None:
        what = "the head of the test is missing, and with it the version and the kind of test"
        scan.refuse(number, what, "R-IOMETER-HEAD-1")
        scan.test, scan.test_count = Test(number), scan.test_count + 1
    return scan.test


def leave_run(scan: Scan) -> None:
    """Give up a run that something else follows before its closing time stamp."""
    if scan.run:
        place = f"line {scan.run.line}"
        message = f"the run on {place} was never finished and is left out"
        scan.findings.append(Finding("R-IOMETER-OPEN-1", message, place))
    scan.run = None


def leave_test(scan: Scan) -> None:
    """Say what is worth saying about the end of a test; only 1.1.0, the version with bins, writes an end mark."""
    if scan.test is None:
        return
    runs, place = scan.runs[scan.first :], f"line {scan.test.line}"
    if scan.test.is_aborted:
        scan.findings.append(Finding("R-IOMETER-ABORT-1", f"the test on {place} was aborted", place))
    elif not scan.test.is_ended and any(run.header and run.header.bins for run in runs):
        message = f"the test on {place} has no 'End Test: it was stopped, or the file is cut"
        scan.findings.append(Finding("R-IOMETER-END-1", message, place))
    if not runs:
        scan.findings.append(Finding("R-IOMETER-EMPTY-1", f"the test on {place} has no results", place))


MARKS: dict[str, Callable[[Scan, int, str], None]] = {
    "'Test Type": _begin_test,
    "'Version": _begin_version,
    "'Time Stamp": _begin_stamp,
    "'Access specifications": _begin_specs,
    "'End access specifications": _end_specs,
    "'Results": _begin_run,
    "'Target Type": _take_header,
    "TimeStamp": _take_header,
    "'End Test": _end_test,
}
"""What a line begins, by its text before the first comma."""
