"""
The grammar of result files: tests, access specifications, runs, rows.

Iometer appends: one file may hold many tests, a test many access specifications, a specification many runs. Each run is
closed by a time stamp. 1.1.0 ends a test with ``'End Test``; all versions write ``Aborted test`` after the results of
a run that was stopped. Source: ``GalileoView.cpp``, ``StopTest()``; ``PageSetup.cpp`` and ``ManagerList.cpp``,
``SaveResults()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.readers.iometer.header import Header, header_of
from ingest.readers.iometer.parts import STAMP, Row, Run, Test, ending, test_kind
from ingest.readers.iometer.specs import Spec, parse_block
from ingest.record import Finding, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 1 << 16
ROWS = frozenset({"ALL", "MANAGER", "WORKER"})
OTHER_ROWS = frozenset({"PROCESSOR", "DISK", "NETWORK", "UNKNOWN"})
_WHOLE = "Submit the whole file as Iometer wrote it."


class Scan:
    """Everything that stands in a file, in order, and what is wrong with it."""

    def __init__(self) -> None:
        """Begin before the first line."""
        self.runs: list[Run] = []
        self.refusals: list[Refusal] = []
        self.findings: list[Finding] = []
        self.strange: list[int] = []
        self.test: Test | None = None
        self.test_count = 0
        self._first = 0
        self._run: Run | None = None
        self._last: Run | None = None
        self._block: list[tuple[int, str]] | None = None
        self._specs: dict[str, Spec] = {}
        self._stamp: str | None = None
        self._fill: Callable[[int, str], None] | None = None

    def take(self, number: int, line: str) -> None:
        """Take the next line: a mark, the value that a mark announced, or a row."""
        mark = self._mark(line) if line[:1] in {"'", "T"} else None
        if mark:
            self._fill = None
            mark(number, line)
        elif self._block is not None:
            self._block.append((number, line))
        elif self._fill:
            fill, self._fill = self._fill, None
            fill(number, line)
        elif self._run and not self._run.is_sound and self._run.header is None:
            return
        elif self._run and self._run.header:
            self._row(self._run, self._run.header, number, line)
        elif line == "Aborted test" and self.test:
            self._abort(self.test)
        elif line:
            self.strange.append(number)

    def end(self) -> None:
        """Take the end of the file."""
        is_cut = bool(self._run or self._fill or self._block is not None)
        if is_cut:
            line = self._run.line if self._run else self.test.line if self.test else 1
            what = f"the file ends inside the {'run' if self._run else 'test'} that starts here"
            self.refusals.append(Refusal(f"line {line}", what, _WHOLE, "R-IOMETER-CUT-1"))
            self._run = None
        elif self.test:
            self._leave_test()
        if self.strange:
            message = f"{len(self.strange)} lines are no part of a result file; the first is line {self.strange[0]}"
            self.findings.append(Finding("R-IOMETER-LINE-1", message, f"line {self.strange[0]}"))

    def _mark(self, line: str) -> Callable[[int, str], None] | None:
        """Return what a mark begins; inside a block of access specifications only its end and larger parts count."""
        return {
            "'Test Type": self._begin_test,
            "'Version": self._begin_version,
            "'Time Stamp": self._begin_stamp,
            "'Access specifications": self._begin_specs,
            "'End access specifications": self._end_specs,
            "'Results": self._begin_run,
            "'Target Type": self._take_header,
            "TimeStamp": self._take_header,
            "'End Test": self._end_test,
        }.get(line.partition(",")[0])

    def _begin_test(self, number: int, _: str) -> None:
        self._leave_run()
        self._leave_test()
        self.test, self.test_count, self._first = Test(number), self.test_count + 1, len(self.runs)
        self._block, self._specs, self._stamp, self._last = None, {}, None, None
        self._fill = self._fill_test

    def _fill_test(self, number: int, line: str) -> None:
        kind, _, description = line.partition(",")
        test = self._known_test(number)
        test.kind, test.description = test_kind(kind), description.strip() or None

    def _begin_version(self, number: int, _: str) -> None:
        self._known_test(number)
        self._fill = self._fill_version

    def _fill_version(self, number: int, line: str) -> None:
        self._known_test(number).version = line.strip() or None

    def _begin_stamp(self, _: int, __: str) -> None:
        if self._run:
            if self._run.header is None and self._run.is_sound:
                what = "the results that start here have no header line that names their columns"
                self.refusals.append(Refusal(f"line {self._run.line}", what, _WHOLE, "R-IOMETER-HEADER-2"))
            self._run.is_closed, self._last, self._run = True, self._run, None
        self._fill = self._fill_stamp

    def _fill_stamp(self, number: int, line: str) -> None:
        self._stamp = line if STAMP.fullmatch(line) else None
        if self._stamp is None:
            self.strange.append(number)

    def _begin_specs(self, number: int, _: str) -> None:
        self._leave_run()
        self._known_test(number)
        self._block, self._last = [], None

    def _end_specs(self, _: int, __: str) -> None:
        if self._block is not None:
            self._specs, findings = parse_block(self._block)
            self.findings += findings
        self._block = None

    def _begin_run(self, number: int, line: str) -> None:
        self._leave_run()
        self._end_specs(number, line)
        self._run = Run(number, self._known_test(number), self._specs, self._stamp)
        self.runs.append(self._run)
        self._last = None

    def _take_header(self, number: int, line: str) -> None:
        if self._run is None or self._run.header is not None:
            self._begin_run(number, line)
        header = header_of(line)
        if isinstance(header, str):
            self.refusals.append(Refusal(f"line {number}", header, _WHOLE, "R-IOMETER-HEADER-1"))
        if self._run:
            self._run.header, self._run.is_sound = (header, True) if isinstance(header, Header) else (None, False)

    def _row(self, run: Run, header: Header, number: int, line: str) -> None:
        fields = line.split(",")
        kind = fields[1 if header.is_instantaneous and len(fields) > 1 else 0]
        if kind not in ROWS:
            if line and kind not in OTHER_ROWS:
                self.strange.append(number)
        elif len(fields) < header.width:
            run.is_sound = False
            what = f"the {kind} row has {len(fields)} of {header.width} fields"
            self.refusals.append(Refusal(f"line {number}", what, _WHOLE, "R-IOMETER-ROW-1"))
        else:
            run.rows.append(Row(number, kind, fields))

    def _abort(self, test: Test) -> None:
        """Mark the run whose results were just saved; after a new specification no run was under way."""
        test.is_aborted = True
        if self._last:
            self._last.is_aborted = True

    def _end_test(self, number: int, _: str) -> None:
        self._leave_run()
        self._known_test(number).is_ended = True

    def _known_test(self, number: int) -> Test:
        """Return the current test; when the file begins without one, say so once and make one."""
        if self.test is None:
            what = "the head of the test is missing, and with it the version and the kind of test"
            self.refusals.append(Refusal(f"line {number}", what, _WHOLE, "R-IOMETER-HEAD-1"))
            self.test, self.test_count = Test(number), self.test_count + 1
        return self.test

    def _leave_run(self) -> None:
        """Give up a run that something else follows before its closing time stamp."""
        if self._run:
            place = f"line {self._run.line}"
            message = f"the run on {place} was never finished and is left out"
            self.findings.append(Finding("R-IOMETER-OPEN-1", message, place))
        self._run = None

    def _leave_test(self) -> None:
        if self.test:
            self.findings += ending(self.test, self.runs[self._first :])


def scan(text: str) -> Scan:
    """Read every line of a text; lines that are longer than any row count as strange ones."""
    found = Scan()
    for number, line in enumerate(text.split("\n"), 1):
        found.take(number, line if len(line) <= LONGEST else "?")
    found.end()
    return found
