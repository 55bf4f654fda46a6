"""
fio: the human output (``--output-format=normal``, the default).

Claims  lines ``name: (groupid=…, jobs=…): err=…``.
Emits   one result per block and operation; "Run status group" lines repeat sums of the blocks and give none.
Units   as each line states them; bytes and throughput have three or four digits, counts and run times are whole.
Source  fio's ``stat.c``, ``show_thread_status_normal()``; options come from the banner (``init.c``, ``add_job()``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ioledger.readers.base import Finding, Reading, Refusal, Result
from ioledger.readers.fio import jobfile, latency, normal_measures, point_checks, text_checks
from ioledger.readers.fio.jobfile import parse_job
from ioledger.readers.fio.normal_block import HEADER, Block, is_torn
from ioledger.readers.fio.options import workload
from ioledger.readers.fio.runs import Run, mark, options_of, superseded
from ioledger.readers.fio.text import holding, numbered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.readers.fio.options import Options
    from ioledger.readers.fio.point_checks import Sought
    from ioledger.readers.fio.jobfile import Sections

ALL_CLIENTS = "All clients"
_ENDS = ("Run status group", "Disk stats")
_PERCENT = 100


def find(text: str) -> bool:
    """Say whether the text holds a block of fio's human output."""
    return any(HEADER.search(line) for line in holding(text, ": (groupid="))


def has_torn(text: str) -> bool:
    """Say whether the text holds the header of a block that is cut off."""
    return any(is_torn(line) for line in holding(text, ": (groupid="))


def read(text: str, sections: Sections | None = None) -> Reading:
    """Read every block of a text; banners and job sections in it, or given, tell the options."""
    reading = Reading(tool="fio", source_format="normal", results=[], warnings=[], refusals=[])
    found = list(_blocks(text))
    known = {**parse_job(text), **(sections or {})}
    reading.document_count = len(found)
    reading.tool_version = next((run.version for run, _ in found if run.version), None)
    partial = superseded(
        (((run.index, block.name, block.group, block.pid), block.place, _counters(block)) for run, block in found),
        is_process_known=True,
    )
    for run, block in found:
        its_sections = {} if block.name == ALL_CLIENTS else known
        options = options_of(block.name, block.group, block.jobs, run.banners, its_sections)
        results = list(_results(block, run, options, reading))
        sought = point_checks.sought(block.latency_target, block.latency_depth, options.values)
        point_checks.seek(results, sought)
        reading.results += results
        reading.warnings += latency.withheld_of_point(results, options.values, is_ramp_known=options.is_complete)
        if block.place not in partial:
            reading.warnings += _findings(block, results, options, sought)
    reading.refusals += [_cut(block.place) for _, block in found if not block.directions and not block.is_whole]
    reading.local_days = sorted({block.day for _, block in found if block.day is not None})
    mark(reading, partial)
    if has_torn(text):
        reading.refusals += [_torn(place) for place, line in numbered(text) if is_torn(line)]
    return reading


def _blocks(text: str) -> Iterator[tuple[Run, Block]]:
    """Yield every block with the run it belongs to."""
    run, block = Run(), None
    for place, line in numbered(text):
        header = HEADER.search(line) if "(groupid=" in line else None
        if header:
            if block:
                yield run, block
            block = Block(place, line, header)
            run.is_closed = True
        elif block and (line.startswith(_ENDS) or is_torn(line)):
            yield run, block
            block = None
        elif block and line[:1] in {" ", "\t"} and "(g=" not in line:
            block.take(place, line)
        elif line:
            following = run.after(line)
            if block and following is not run:
                yield run, block
                block = None
            run = following
    if block:
        yield run, block


def _torn(place: str) -> Refusal:
    remedy = "Submit the block whole and as fio wrote it, or without it."
    return Refusal(place, "the header of this block is cut off", remedy, "R-FIO-CUT-1")


def _cut(place: str) -> Refusal:
    remedy = "Submit the block whole and as fio wrote it, or without it."
    return Refusal(place, "this block is cut off before its first figures end", remedy, "R-FIO-CUT-1")


def _counters(block: Block) -> list[tuple[float, ...]]:
    """Return the numbers of a block that only grow while a job runs, the run time first."""
    runtimes = tuple(float(one.figures.runtime) for one in block.directions if one.figures)
    return [runtimes, tuple(float(count) for count in block.issued)] if runtimes else []


def _results(block: Block, run: Run, options: Options, reading: Reading) -> Iterator[Result]:
    is_all = block.name == ALL_CLIENTS
    user, system = block.cpu
    common: dict[str, Any] = {
        "repetition": block.place,
        "tool_version": run.version,
        "source_format": "normal",
        "scope": "all" if is_all else run.scope(block.jobs),
        "outcome": "error" if block.error else run.outcome,
        "test_name": block.name,
        "group_index": block.group,
        "error_code": block.error or None,
        "cpu_user_ratio": None if user is None else user / _PERCENT,
        "cpu_system_ratio": None if system is None else system / _PERCENT,
    }
    for direction in block.directions:
        is_sum = is_all or (direction.operation == "mixed" and len(block.directions) > 1)
        pointer = direction.place
        measured = normal_measures.columns(block, direction, reading)
        merged = common | workload(options, direction.operation, block.jobs) | measured
        result = Result(pointer=pointer, operation=direction.operation, is_aggregate=is_sum, **merged)
        normal_measures.take_rates(result, direction)
        yield result


def _findings(block: Block, results: list[Result], options: Options, sought: Sought | None) -> Iterator[Finding]:
    if not results and block.is_whole:
        failed = f" (error {block.error})" if block.error else ""
        yield Finding("R-FIO-EMPTY-1", f"the job {block.name!r} completed no I/O{failed}", block.place)
    elif results and not options.values and block.name != ALL_CLIENTS:
        message = f"neither a banner nor a job file tells the options of {block.name!r}"
        yield Finding("R-FIO-BANNER-1", message, block.place)
    if results and block.error:
        yield Finding("R-FIO-ERROR-1", f"the job {block.name!r} ended with error {block.error}", block.place)
    if results and not block.issued:
        yield Finding("R-FIO-CUT-1", "the block has no line of issued I/Os: it is cut off or edited", block.place)
    for result in results:
        yield from text_checks.settled(result)
    yield from jobfile.findings(options, block.place)
    yield from point_checks.of_point(results, options.values, sought, is_complete=options.is_complete)
