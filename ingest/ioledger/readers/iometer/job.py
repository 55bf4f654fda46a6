"""
What a configuration (``.icf``) adds to the results of its test: run time, ramp-up, size of the test file, cycling.

A result file states none of these but the size. The configuration is the one that the manifest names; when it has none
of the access specifications that were run, or another run time than was measured, it is another test's, and a finding
says so. Source: ``PageSetup.cpp``, ``SaveConfig()``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ioledger.readers.base import Finding
from ioledger.readers.iometer import icf

if TYPE_CHECKING:
    from ioledger.readers.base import Reading, Result

_RUN, _RAMP = "run time (s)", "ramp up time (s)"
_SETUP = {
    "run_seconds": _RUN,
    "ramp_seconds": _RAMP,
    "worker_cycling": "worker cycling",
    "target_cycling": "disk cycling",
    "queue_depth_cycling": "queue depth cycling",
}
_TARGET = {
    "maximum_size_sectors": "maximum size",
    "starting_sector": "starting sector",
    "data_pattern": "data pattern",
}
"""Names of the file's own headings by those of the settings."""
_SHORT, _LONG = 0.9, 1.1


def complete(reading: Reading, job: bytes) -> None:
    """Add what a configuration says to every result of a reading, with its origin."""
    text = job[: icf.MAX_CHARACTERS].decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    settings = icf.parse_icf(text)
    names = {result.test_name for result in reading.results}
    if names and not names & settings["access_specifications"].keys():
        message = "the configuration that the manifest names has none of the access specifications of this file"
        reading.warnings.append(Finding("R-IOMETER-JOB-1", message))
        return
    told = _told(settings)
    for result in reading.results:
        _describe(result, told)
        reading.warnings += _time(result, told.get(_RUN))


def _told(settings: dict[str, Any]) -> dict[str, Any]:
    """Return what a configuration says of every run: its setup, and what all of its disk workers have alike."""
    told = {heading: settings[name] for name, heading in _SETUP.items() if name in settings}
    workers = [worker for worker in settings["workers"] if worker.get("kind") == "DISK"]
    for name, heading in _TARGET.items():
        values = {worker.get(name) for worker in workers}
        if len(values) == 1 and None not in values:
            told[heading] = values.pop()
    return told


def _describe(result: Result, told: dict[str, Any]) -> None:
    """Add to a result's options what it does not state; a size of 0 states that no limit was set, or nothing."""
    stated = json.loads(result.job_options) if result.job_options else {}
    added = {name: value for name, value in told.items() if not stated.get(name)}
    result.job_options = json.dumps({**stated, **added}, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    result.workload_origins = "; ".join(f"{name}=job_file" for name in sorted(added)) or None
    if result.ramp_seconds is None and _RAMP in told:
        result.ramp_seconds = float(told[_RAMP])


def _time(result: Result, wanted: int | None) -> list[Finding]:
    """Compare the measured time with the one asked for; 0 runs until it is stopped."""
    lasted = result.duration_seconds
    if not wanted or not lasted or result.outcome != "ok" or _SHORT * wanted <= lasted <= _LONG * wanted:
        return []
    message = f"the run lasted {lasted:g} s, the configuration asks for {wanted} s"
    return [Finding("R-IOMETER-JOB-2", message, result.pointer)]
