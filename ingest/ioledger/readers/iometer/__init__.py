"""
Iometer: result files (``results.csv``), instantaneous files (``inst….csv``) and configurations (``.icf``).

Claims  lines that begin with ``'Test Type,Test Description`` or ``'Target Type,Target Name``, and the section lines of
        a configuration, also when a spreadsheet or an editor saved them again, to say why those are refused.
Emits   one point per run: reads and writes that completed any I/O, with scope ``all``, and ``mixed`` beside them when
        both did, marked as an aggregate. MANAGER, WORKER and DISK rows are parts of the ALL row: they are not emitted,
        only compared with it, so whoever takes the results that are no aggregates counts every I/O once. A network
        test is the exception: its ALL row counts both ends of every connection, so its workers are emitted instead,
        with scope ``worker``, and the mirror workers (``[Worker 9]``) are left out.
        Updates in an instantaneous file become samples. It ends in the same ALL row as the result file of the same
        test, so only one of the two may be submitted as a result.
        A configuration gives no results; where the manifest names it as the job of a result file, run time, ramp-up,
        size of the test file and cycling are taken from it.
Units   bytes, counts and ticks; rates per second; milliseconds; percent. ``MBps`` without a base is 2^20 bytes, as
        ``MiBps (Binary)`` and ``MBps (Binary)`` are. Throughput is bytes over the raw run time, and the figure in
        2^20 bytes is kept as printed. The run time leaves the ramp out, the time stamps include it. They are local
        time without a zone and no instant, so ``started_at`` and ``ended_at`` stay null, and they are kept as
        ``started_at_local`` and ``ended_at_local``.
        The raw run time counts ticks of "Processor Speed": processor clocks until 2008, timer ticks in 1.1.0.
        A response time begins before the I/O is handed to the system and ends when its completion is taken: latency
        of the kind ``total``. "Queue Depth" counts outstanding I/Os per pair of worker and target, "# Disks" counts
        the pairs; the product is the queue depth. Sectors have no stated size and stay sectors.
Source  Iometer's ``ManagerList.cpp``, ``Manager.cpp`` and ``Worker.cpp`` (``SaveResults()``), ``GalileoView.cpp``
        (``StopTest()``, ``TestDone()``), ``IOGrunt.cpp`` (``Do_IOs()``, ``Record_IO()``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ioledger.model import UTF16, Checks, Finding, Reading, Refusal, Tolerances, narrow
from ioledger.readers.units import MEBI

if TYPE_CHECKING:
    from ioledger.model import Source

TOOL = "iometer"
FORMATS = (
    "result CSV with 56 columns, 2003.05.10 to 2008.06.18",
    "result CSV with 59 columns, 1.1.0-RC1",
    "result CSV with 80 columns and 21 latency bins, 1.1.0",
    "instantaneous CSV with 81 columns, 1.1.0",
    "configuration (.icf), all versions: settings, no results",
)
VERSIONS = {"csv": "0.1.0", "instantaneous": "0.1.0", "icf": "0.1.0"}
"""What is read, by the first word of the format; see :class:`ioledger.readers.detect.Reader`."""
CHECKS = Checks(
    rules={
        "latency_within_run": "R-CHECK-1",
        "throughput_is_bytes_over_time": "R-CHECK-1",
        "rate_is_operations_over_time": "R-CHECK-1",
        "bytes_are_blocks": "R-CHECK-1",
        "mean_lies_between": "R-CHECK-2",
        "bins_add_up": "R-CHECK-1",
        "machine_is_idle": "R-CHECK-1",
        "not_more_outstanding": "R-CHECK-1",
        "not_fewer_outstanding": "R-CHECK-1",
        "run_lasts_as_asked": "R-IOMETER-JOB-1",
    },
    formats={
        "": Tolerances(
            printed_steps=dict.fromkeys(("MBps", "MiBps", "MBps (Binary)", "MiBps (Binary)"), MEBI),
            depth_high=1 / 0.95,
            time_high=1.1,
        )
    },
)
_MARKS = re.compile(
    rb"""^(?:\xef\xbb\xbf)?["']?(?:'Test Type[,;\t]"""
    rb"""|'Target Type[,;\t]Target Name|TimeStamp[,;\t]"?'Target Type"""
    rb"""|'(?:TEST SETUP|RESULTS DISPLAY|ACCESS SPECIFICATIONS|MANAGER LIST) ={8})""",
    re.MULTILINE,
)
_RESAVED = re.compile(r"""^["']?(?:'Test Type|'Target Type|TimeStamp)(?:[;\t]|,Test Description,)""", re.MULTILINE)
_FOREIGN = ("Type;", "Type\t", "Stamp;", "Stamp\t", ",Test Description,")  # looked for first: twenty times as fast
_ORIGINAL = "Submit the file as Iometer wrote it"


def claims(head: bytes) -> bool:
    """Say whether these bytes are an Iometer result file or configuration, original or saved again."""
    plain = narrow(head) if head[:2] in UTF16 else head.replace(b"\r", b"\n")
    return b"'" in head and _MARKS.search(plain) is not None


def read(source: Source) -> Reading:
    """Read every run of every test in the file, or the settings of a configuration."""
    from ioledger.readers.iometer import specs  # noqa: PLC0415  (files of other tools are read without these)
    from ioledger.readers.iometer.results import read_runs  # noqa: PLC0415
    from ioledger.readers.iometer.text import scan  # noqa: PLC0415

    reading = Reading(tool=TOOL)
    if source.data[:2] in UTF16:
        reading.encoding = "utf-16"
        what = "the file is UTF-16, which Iometer never writes: an editor saved it again"
        reading.refusals.append(Refusal("", what, f"{_ORIGINAL}.", "R-IOMETER-LINE-1"))
        return reading
    text = _decode(source.data, reading)
    head = text[: specs.HEAD]
    if any(part in head for part in _FOREIGN) and (found := _RESAVED.search(head)):
        place = f"line {text.count(chr(10), 0, found.start()) + 1}"
        what = "the separators are those of a spreadsheet, which also spoils long numbers and time stamps"
        reading.refusals.append(Refusal(place, what, f"{_ORIGINAL}.", "R-IOMETER-LINE-1"))
    elif specs.is_configuration(text):
        specs.read_configuration(text, reading)
    else:
        read_runs(scan(text), source, reading)
    if source.job is not None:
        specs.complete(reading, source.job)
    return reading


def _decode(data: bytes, reading: Reading) -> str:
    """Return the text with plain line ends: UTF-8, else the code page of western Windows, with a finding."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"line {line} is not UTF-8: names are read as Windows-1252 and may be wrong"
        reading.warnings.append(Finding("R-IOMETER-LINE-2", message, f"line {line}"))
        text, reading.encoding = data.decode("cp1252", errors="replace"), "cp1252"
    return text.rstrip("\0").replace("\r\n", "\n").replace("\r", "\n")
