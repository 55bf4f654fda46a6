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
        (``StopTest()``, ``TestDone()``), ``IOGrunt.cpp`` (``Do_IOs()``, ``Record_IO()``,
        ``Grunt_Thread_Wrapper()``).

The lower edges of the latency bins are whole ticks of the timer, as Iometer computes them; three labels are inexact
("15 mS" is a 67th of a second, "30 mS" a 33rd, "4.7 s" is 4 s).

An instantaneous file holds updates: IOPS, throughput and mean latency over time. Iometer writes one row per worker and
update, a few milliseconds apart. One round of workers is one sample: rates add up, latencies are weighted with the
I/Os. Updates may also be set to count from the start of the run; such rows grow towards the final row and are no
samples. At the end come rows of the whole run; only those name their access specification.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from ioledger.model import UTF16, Bins, Checks, Finding, Premises, Reading, Refusal, Result, Tolerances, narrow
from ioledger.readers import MEBI, MILLI
from ioledger.readers.iometer import specs
from ioledger.readers.iometer.specs import PERCENT, as_json, workload
from ioledger.readers.iometer.text import NOT_A_NUMBER, NUMBER, STAMP, name_at, scan, units
from ioledger.tables.columns import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ioledger.model import Source
    from ioledger.readers.iometer.text import Header, Run, Scan, Unit

    Figures = dict[str, tuple[float, ...]]
    Places = list[tuple[str, Callable[[list[str]], tuple[str, ...]]]]

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
    reading = Reading(tool=TOOL)
    if source.data[:2] in UTF16:
        reading.encoding = "utf-16"
        what = "the file is UTF-16, which Iometer never writes: an editor saved it again"
        reading.refusals.append(Refusal("", what, f"{_ORIGINAL}.", "R-READ-8"))
        return reading
    text = _decode(source.data, reading)
    head = text[: specs.HEAD]
    if any(part in head for part in _FOREIGN) and (found := _RESAVED.search(head)):
        place = f"line {text.count(chr(10), 0, found.start()) + 1}"
        what = "the separators are those of a spreadsheet, which also spoils long numbers and time stamps"
        reading.refusals.append(Refusal(place, what, f"{_ORIGINAL}.", "R-READ-8"))
    elif specs.is_configuration(text):
        specs.read_configuration(text, reading)
    else:
        _read_runs(scan(text), source, reading)
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


PREFIXES = {"read": "Read ", "write": "Write ", "mixed": ""}
PRINTED = 1e-9  # six decimals of a millisecond
PRINTED_RATE = 1e-6  # finer than counts over the time all workers share: they stop one after another
_NETWORK = "a network test: its ALL row counts both ends of every connection, so its workers are read instead ({})"
_DIVISORS = (20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 67, 50, 33, 20, 10, 5, 2, 1)
_SECONDS = (2, 4, 5, 10)
_SHORT = 1e-5
_ROUNDS = 4
_NONE = (NOT_A_NUMBER,) * 4
_FOUR = re.compile(",".join([NUMBER.pattern] * 4), re.ASCII)
_UPDATED = {
    "read": ("Read IOps", "Read Binary", "Average Read Response Time", "Read I/Os"),
    "write": ("Write IOps", "Write Binary", "Average Write Response Time", "Write I/Os"),
}


def _read_runs(found: Scan, source: Source, reading: Reading) -> None:
    """Add everything that a scan found to the reading."""
    reading.document_count = found.test_count
    reading.tool_version = next((run.test.version for run in found.runs if run.test.version), None)
    formats = {run.header.source_format for run in found.runs if run.header}
    reading.source_format = ", ".join(sorted(formats)) or "csv"
    reading.refusals += found.refusals
    reading.warnings += found.findings
    reading.local_days = sorted({start.date() for run in found.runs if (start := _moment(run.started))})
    for run in found.runs:
        if run.header and run.is_closed and run.is_sound:
            _read_run(run, run.header, source, reading)


def _read_run(run: Run, header: Header, source: Source, reading: Reading) -> None:
    at = name_at(run)  # mirror workers, the other ends of network connections, are named in brackets
    is_mirrored = any(row.kind == "WORKER" and row.text.split(",", at + 1)[at].startswith("[") for row in run.rows)
    if header.is_instantaneous and is_mirrored:
        message = f"the run on line {run.line} is a network test, whose updates count both ends, and is excluded"
        reading.warnings.append(Finding("R-IOMETER-LINE-2", message, f"line {run.line}"))
        return
    found, faults = units(run, header, is_mirrored=is_mirrored)
    reading.refusals += faults
    point = ""
    for unit in found:
        results = _results(unit, run, header)
        reading.results += results
        if not results:
            message = f"the run completed no I/O; {int(unit.figures['Errors'])} I/Os failed"
            reading.warnings.append(Finding("R-IOMETER-EMPTY-1", message, f"line {unit.line}"))
        point = results[0].repetition if results else point
    if found and is_mirrored:
        pointer = point or f"line {run.line}"
        reading.warnings.append(Finding("R-IOMETER-LINE-2", _NETWORK.format(len(found)), pointer))
    if header.is_instantaneous and point:
        rows, findings = _samples(run, header, source, point, found[0].settings["# Workers"])
        samples = reading.rows.setdefault("samples", [])
        samples += [{"sample_index": index, **row} for index, row in enumerate(rows, len(samples) + 1)]
        reading.warnings += findings


def _results(unit: Unit, run: Run, header: Header) -> list[Result]:
    """Return the results of one row; bins count reads and writes together, so the widest result carries them."""
    active = [name for name in ("read", "write") if unit.figures[f"{PREFIXES[name]}I/Os"]]
    if len(active) > 1:
        active.append("mixed")
    common = _common(unit, run, header)
    point = f"line {unit.line}"
    results = [
        Result(
            pointer=f"{point}, {operation}",
            repetition=point,
            operation=operation,
            is_aggregate=operation == "mixed",
            **common | workload(unit.spec, operation) | _measures(unit, operation),
        )
        for operation in active
    ]
    is_paced = unit.spec is not None and any(line.delay for line in unit.spec.lines)
    if results and not unit.settings["Connections"] and not is_paced:
        results[-1].premises = Premises(outstanding_count=unit.queue_depth)
    if results and unit.bins:
        low = edges(unit.ticks)
        high = (*low[1:], None)  # the last bin is open
        rows = zip(low, high, unit.bins, strict=True)
        results[-1].bins = {"total": Bins.of(row for row in rows if row[2])}
    return results


def _common(unit: Unit, run: Run, header: Header) -> dict[str, Any]:
    """Return the columns that all operations of a row share."""
    settings, test = unit.settings, run.test
    stated = {
        "test type": test.kind,
        "test description": test.description,
        "starting sector": settings["Starting Sector"],
        "maximum size": settings["Maximum Size"],
    }
    return {
        "tool_version": test.version,
        "source_format": header.source_format,
        "scope": unit.scope,
        "outcome": "aborted" if run.is_aborted else "ok",
        "started_at_local": _format_stamp(run.started),
        "ended_at_local": _format_stamp(run.ended),
        "test_name": unit.name,
        "queue_depth": unit.queue_depth,
        "queue_depth_origin": None if unit.queue_depth is None else "file",
        "outstanding_per_target_count": settings["Queue Depth"] or None,
        "target_count": settings["# Disks"] or None,
        "process_count": 1 if unit.scope == "worker" else settings["# Workers"] or None,
        "job_options": as_json(unit.spec, stated),
        "duration_seconds": unit.duration,
        "latency_kind": "total",
        "latency_resolution_seconds": max(1 / unit.ticks, PRINTED) if unit.ticks else None,
        "cpu_busy_ratio": _share(unit, "% CPU Utilization"),
        "cpu_user_ratio": _share(unit, "% User Time"),
        "cpu_system_ratio": _share(unit, "% Privileged Time"),
        "printed_unit": header.unit,
    }


def _share(unit: Unit, name: str) -> float | None:
    """Return a share of processor time; more than all of it is no share."""
    percent = unit.figures.get(name)
    return percent / PERCENT if percent is not None and percent <= PERCENT else None


def _measures(unit: Unit, operation: str) -> dict[str, Any]:
    """Return what one operation measured; the mixed figures are those that Iometer itself computed for both."""
    figures, prefix = unit.figures, PREFIXES[operation]
    if operation == "mixed":
        operations = figures["Read I/Os"] + figures["Write I/Os"]
        transferred = figures["Bytes Read"] + figures["Bytes Written"]
    else:
        operations = figures[f"{prefix}I/Os"]
        transferred = figures["Bytes Read" if operation == "read" else "Bytes Written"]
    printed = figures[f"{prefix}Binary"]
    return {
        "operation_count": int(operations),
        "transferred_bytes": int(transferred),
        "error_count": int(figures[f"{prefix}Errors"]),
        "operations_per_second": float(figures[f"{prefix}IOps"]),
        "operations_basis": "printed",
        "operations_resolution_per_second": PRINTED_RATE,
        "throughput_bytes_per_second": transferred / unit.duration if unit.duration else printed * MEBI,
        "printed_value": float(printed),
        "unit_basis": "exact" if unit.duration else "base2",
        "latency_mean_seconds": figures[f"Average {prefix}Response Time"] / MILLI or None,
        "latency_max_seconds": figures[f"Maximum {prefix}Response Time"] / MILLI or None,
    }


@lru_cache(maxsize=64)
def edges(ticks_per_second: float | None) -> tuple[float, ...]:
    """Return the lower edges of the 21 bins in seconds; without a known timer, as if its ticks were short."""
    if not ticks_per_second or ticks_per_second * _SHORT < 1:
        return (0.0, *(1 / divisor for divisor in _DIVISORS), *map(float, _SECONDS))
    ticks = (ticks_per_second // divisor for divisor in _DIVISORS)
    return (0.0, *(tick / ticks_per_second for tick in ticks), *map(float, _SECONDS))


def _samples(
    run: Run, header: Header, source: Source, point: str, worker_count: int | None
) -> tuple[list[dict[str, Any]], list[Finding]]:
    """Return rows of the table ``samples`` without their index, and why there are none."""
    count = worker_count or 1
    places: Places = [(of, itemgetter(*(header.places[name] for name in names))) for of, names in _UPDATED.items()]
    # a row of the whole run, and not of an update, has an access specification as its fourth field
    rows = [row for row in run.rows if row.kind == "WORKER" and row.text.split(",", 4)[3:4] == [""]]
    updates = [_update(row.fields(), places) for row in rows]
    rounds = [updates[start : start + count] for start in range(0, len(updates), count)]
    start, ends = _moment(run.started), [_moment(workers[-1][0]) for workers in rounds]
    figures = [[update[2] for update in workers] for workers in rounds]
    counts = [sum(one[3] for row in workers for one in row.values()) for workers in figures]
    is_growing = all(a < b for a, b in pairwise(counts))
    why = ""
    if start is None or None in ends:
        why = "the time stamps of the run on line {} cannot be read"
    elif len({tuple(name for _, name, _ in workers) for workers in rounds}) > 1:
        why = "the workers of the run on line {} do not take turns"
    elif any(one is _NONE for workers in figures for row in workers for one in row.values()):
        why = "the updates of the run on line {} contain values that are not numbers"
    elif is_growing and len(counts) >= _ROUNDS and counts[-1] > counts[0] * len(counts) / 2:
        why = "the updates of the run on line {} count from its start"
    if start is None or why:
        message = f"{why.format(run.line)}, so its updates give no samples"
        return [], [Finding("R-IOMETER-LINE-2", message, point)]
    repetition_id = identity(source.sha256, f"point {point}")
    found: list[dict[str, Any]] = []
    for end, workers in zip(ends, figures, strict=True):
        offset_seconds = round(((end or start) - start).total_seconds(), 3)
        for sample in _of_round(workers):
            result_id = identity(source.sha256, f"{point}, {sample['operation']}")
            ids = {"repetition_id": repetition_id, "offset_seconds": offset_seconds, "result_id": result_id}
            found.append(ids | sample)
    return found, []


@lru_cache(maxsize=4096)
def _moment(stamp: str | None) -> datetime | None:
    """Return a time stamp as the clock showed it, of which no zone is known; null where there is no such time."""
    if stamp and STAMP.fullmatch(stamp):
        whole, _, milliseconds = stamp.rpartition(":")
        with suppress(ValueError):
            return datetime.fromisoformat(whole) + timedelta(milliseconds=int(milliseconds))
    return None


def _format_stamp(stamp: str | None) -> str | None:
    """Return a time stamp in ISO 8601."""
    moment = _moment(stamp)
    return moment.isoformat(timespec="milliseconds") if moment else None


def _update(fields: list[str], places: Places) -> tuple[str, str, Figures]:
    """Return time stamp and worker of an update, and IOPS, throughput, latency and I/Os by active operation."""
    found: Figures = {}
    for operation, texts_of in places:
        texts = texts_of(fields)
        if texts[-1] != "0":
            found[operation] = tuple(map(float, texts)) if _FOUR.fullmatch(",".join(texts)) else _NONE
    return fields[0], fields[2], found


def _of_round(workers: list[Figures]) -> Iterator[dict[str, Any]]:
    """Give IOPS, throughput and latency of one update for each operation that completed any I/O."""
    for operation in _UPDATED:
        active = [figures[operation] for figures in workers if operation in figures and figures[operation][3]]
        if not active:
            continue
        iops, rate, count = (float(sum(one[at] for one in active)) for at in (0, 1, 3))
        mean = sum(one[2] * one[3] for one in active) / count / MILLI
        yield {"operation": operation, "quantity": "operations", "operations_per_second": iops}
        yield {"operation": operation, "quantity": "throughput", "throughput_bytes_per_second": rate * MEBI}
        yield {"operation": operation, "quantity": "total_latency", "latency_seconds": mean}
