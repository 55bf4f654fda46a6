"""
fio: JSON and json+ reports, terse lines, the text that people read, logs and job files.

Claims  a file that holds at least one of them, whatever else it holds and whatever it is called.
Emits   the results of every format in the file, and of a job that stands in several those of the best: JSON, else
        terse, else normal; nothing twice.
Units   see the module of each format.
Source  fio 1.38 to 3.42, https://git.kernel.dk/cgit/fio
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.model import Checks, Reading, Refusal, Tolerances
from ioledger.readers.fio.decoding import decode_text

if TYPE_CHECKING:
    from ioledger.model import Source

TOOL = "fio"
FORMATS = (
    "fio JSON and json+, 2.0.10 to 3.42, local and client mode",
    "fio terse versions 2 to 5, and the lines of 1.38 to 1.59",
    "fio normal output, 1.38 to 3.42",
    "fio logs of throughput, IOPS and latency, histogram logs, plain and compressed",
    "fio job files, as the source of options",
)
VERSIONS = {
    "json": "0.2.0",
    "json+": "0.2.0",
    "terse": "0.2.0",
    "normal": "0.2.0",
    "log": "0.1.0",
    "histogram": "0.1.0",
    "job": "0.1.0",
}
"""What is read, by the first word of the format; see :class:`ioledger.readers.detect.Reader`."""
_JSON = Tolerances(
    rate_share=1e-3,
    printed_steps={"B/s": 1, "KiB/s": 1024, "kB/s": 1000},
    is_cut=True,
    block_share=0.01,
    bins_share=0.01,
    is_block_settled=True,
    are_blocks_in_flight=True,
    is_load_shared=True,
    depth_low=0.9,
    least_operations=100,
    unmeasured_by=("gtod_reduce", "disable_lat", "disable_clat", "disable_slat"),
)
_TEXT = _JSON._replace(rate_share=0.02, is_rounded=True, block_share=1e-3)
CHECKS = Checks(
    rules={
        "latency_within_run": "R-CHECK-1",
        "latency_part_within_total": "R-FIO-LATENCY-5",
        "latency_has_start": "R-FIO-LATENCY-5",
        "throughput_is_bytes_over_time": "R-CHECK-2",
        "bytes_are_blocks": "R-FIO-BLOCK-1",
        "mean_lies_between": "R-CHECK-2",
        "latency_is_not_zero": "R-FIO-LATENCY-2",
        "latency_is_carried": "R-CHECK-2",
        "latency_is_stated": "R-CHECK-2",
        "spread_lies_within": "R-CHECK-2",
        "time_is_stated": "R-CHECK-2",
        "latency_parts_add_up": "R-CHECK-1",
        "percentiles_rise": "R-CHECK-2",
        "percentiles_lie_between": "R-CHECK-2",
        "bins_add_up": "R-CHECK-1",
        "latency_is_of_every_operation": "R-CHECK-1",
        "processes_are_counted": "R-FIO-NUMJOBS-1",
        "depth_is_the_one_configured": "R-FIO-DEPTH-3",
        "not_more_outstanding": "R-CHECK-1",
        "not_fewer_outstanding": "R-FIO-DEPTH-1",
        "depth_is_known": "R-FIO-DEPTH-4",
        "mix_is_the_one_declared": "R-FIO-MIX-1",
        "reads_are_a_load": "R-FIO-MIX-2",
        "run_lasts_as_asked": "R-FIO-TIME-1",
        "process_waits": "R-FIO-CPU-1",
    },
    formats={"json": _JSON, "json+": _JSON, "normal": _TEXT, "terse": _TEXT},
)
MAX_TEXT_BYTES = 32 << 20
"""A file that is not one regular report is read as text, which takes many times its size."""
_VERSION_KEY = '"fio version"'

# Formats load when a file may have them: a single report is read in half the time, most of which is start-up.


def claims(head: bytes) -> bool:
    """Say whether the first bytes of a file contain a format of fio."""
    if _VERSION_KEY.encode() in head:
        return True
    from ioledger.readers.fio import human, jobfile, logs, terse  # noqa: PLC0415

    if logs.find(head):
        return True
    text = decode_text(head)[0]
    return _VERSION_KEY in text or any(part.find(text) for part in (terse, human, jobfile))


def read_whole(source: Source) -> Reading | None:
    """Read a file that is one JSON report and nothing else, which no other tool can have written; else null."""
    from ioledger.readers.fio import jobfile, json_decode, json_report  # noqa: PLC0415

    document = json_decode.regular(source.data)
    if document is None:
        return None
    report = json_decode.Report(document, source.data, 0, len(source.data), [])
    sections = jobfile.load_sections(source.job) if source.job else {}
    reading = json_report.read([report], without=source.without, sections=sections)
    if source.job is not None:
        reading.warnings += jobfile.strangers(sections, reading.results)
    return reading


def read(source: Source) -> Reading:
    """Read every format in the file."""
    return read_whole(source) or read_parts(source)


def read_parts(source: Source) -> Reading:
    """Read a file that is more or less than one regular report; see ``formats`` for what stands in several."""
    from ioledger.readers.fio import formats, jobfile, json_decode, logs  # noqa: PLC0415

    if json_decode.is_too_full(source.data):
        what = f"the file opens more than {json_decode.MAX_OBJECTS:,} objects and lists, many more than any report"
        return Reading(tool=TOOL, refusals=[Refusal("", what, "Split the file.", "R-FIO-LIMIT-1")])
    if logs.find(source.data):
        return logs.read(source)
    if len(source.data) > MAX_TEXT_BYTES:
        what = f"the file has {len(source.data):,} bytes and is more than one regular report: "
        what += f"at most {MAX_TEXT_BYTES:,} are read then"
        remedy = "Split the file; leave out reports of unfinished runs."
        return Reading(tool=TOOL, refusals=[Refusal("", what, remedy, "R-FIO-LIMIT-1")])
    sections = jobfile.load_sections(source.job)
    text, encoding, findings = decode_text(source.data)
    reading = formats.read(text, sections, without=source.without)
    reading.encoding = encoding
    reading.warnings[:0] = findings
    if source.job is not None:
        reading.warnings += jobfile.strangers(sections, reading.results)
    return reading
