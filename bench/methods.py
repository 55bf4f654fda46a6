"""
The ways of reading that are compared: ioledger's own, a bare parse, and what neighbouring tools do.

Each method takes paths and returns a number that shows the work was done (files, rows, samples, lines).
"""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pyarrow as pa

from ioledger.measurement import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Sample = tuple[str, object, str, dict[str, object]]

CHUNK_FILES = parse.CHUNK_FILES
YARDSTICK, PLAIN, BINS = "orjson.loads alone", "ioledger: results, percentiles", "ioledger: and histogram bins"
LOOP, JQ = "plain samples loop", "jq to CSV, the same rows"
HERE = Path(__file__).parent


def parse_only(paths: Sequence[str]) -> int:
    """Parse every file with ``orjson.loads`` and forget it: the yardstick. Returns how many are JSON."""
    count = 0
    for path in paths:
        with suppress(orjson.JSONDecodeError):
            count += bool(orjson.loads(Path(path).read_bytes()))
    return count


def _tables(paths: Sequence[str], names: tuple[str, ...]) -> int:
    made = parse.chunks(paths, lines=False, tables=names, processes=1)
    streams = (pa.ipc.open_stream(stream) for chunk in made for stream in chunk.tables.values())
    return sum(stream.read_all().num_rows for stream in streams)


def rows_of_results(paths: Sequence[str], processes: int) -> int:
    """Do what ``ioledger parse -o rows.parquet`` does up to Arrow, in this many processes; return the files read."""
    found = parse.chunks(paths, lines=False, tables=["results"], processes=processes)
    return sum(len(chunk.files) for chunk in found)


def results_and_percentiles(paths: Sequence[str]) -> int:
    """Read, hash, and make the Arrow tables of results and percentiles; return their rows."""
    return _tables(paths, ("results", "latency_percentiles"))


def with_histograms(paths: Sequence[str]) -> int:
    """Do the same and the table of histogram bins; return the rows of all three."""
    return _tables(paths, ("results", "latency_percentiles", "latency_bins"))


def samples_loop(paths: Sequence[str]) -> int:
    """
    Turn every report into a list of samples with metadata, with the standard library.

    It stands in for PerfKitBenchmarker's ``ParseResults``: per job and direction one sample for bandwidth, IOPS, and
    each latency statistic and percentile, each with a copy of the options as metadata.
    """
    samples = []
    for path in paths:
        report = json.loads(Path(path).read_bytes())
        for job in report["jobs"]:
            metadata = {**report["global options"], **job["job options"], "fio_job": job["jobname"]}
            for mode in ("read", "write"):
                if job[mode]["io_bytes"]:
                    samples += _samples_of(job[mode], {**metadata, "mode": mode})
    return len(samples)


def _samples_of(data: dict[str, object], metadata: dict[str, object]) -> list[Sample]:
    def sample(name: str, value: object, unit: str) -> Sample:
        return name, value, unit, dict(metadata)

    clat = data["clat_ns"]
    assert isinstance(clat, dict)  # noqa: S101  (narrows the type; the generator writes it so)
    made = [sample("bandwidth", data["bw"], "KB/s"), sample("iops", data["iops"], "")]
    made += [sample(f"latency:{name}", clat[name] / 1000, "usec") for name in ("min", "max", "mean", "stddev")]
    made += [sample(f"latency:p{name}", value / 1000, "usec") for name, value in clat["percentile"].items()]
    made += [sample(f"histogram:{name}", count, "") for name, count in clat.get("bins", {}).items()]
    return made


def jq_same_rows(paths: Sequence[str]) -> int:
    """Write the rows of results and percentiles with jq as CSV, every column that stands in a report; return them."""
    program = shutil.which("jq")
    if program is None:
        return 0
    lines = 0
    for start in range(0, len(paths), CHUNK_FILES):
        chunk = paths[start : start + CHUNK_FILES]
        command = [program, "-r", "-f", str(HERE / "same_rows.jq"), *chunk]
        done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603
        lines += done.stdout.count(b"\n")
    return lines


METHODS: dict[str, Callable[[Sequence[str]], int]] = {
    YARDSTICK: parse_only,
    PLAIN: results_and_percentiles,
    BINS: with_histograms,
    LOOP: samples_loop,
    JQ: jq_same_rows,
}
