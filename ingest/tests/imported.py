"""Originals of an import, made small: a repository with fio's reports in four folders, its mapping and its archive."""

from __future__ import annotations

import csv
import io
import json
import tarfile
from typing import TYPE_CHECKING, Any, Literal

from conftest import FIXTURES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

COLUMNS = (
    "path_prefix", "path_regex", "files", "points", "configuration_id", "title", "scope", "device_id", "bench",
    "bench_known_from", "vendor", "vendor_known_from", "model", "model_known_from", "media_class",
    "media_class_known_from", "rotation_rpm", "rotation_rpm_known_from", "system", "system_known_from", "kernel",
    "kernel_known_from", "storage_topology", "storage_topology_known_from", "drive_count", "filesystem",
    "filesystem_known_from", "io_scheduler", "io_scheduler_known_from", "conditions", "device_state",
    "device_state_known_from", "settings",
)  # fmt: skip
COMMON = {
    "drive_count": "1", "bench": "host", "bench_known_from": "README.md", "storage_topology": "single",
    "storage_topology_known_from": "the file: disk_util", "filesystem": "raw",
    "filesystem_known_from": "the file: filename", "system": "ProLiant", "system_known_from": "folder name HOST",
    "kernel": "unknown", "kernel_known_from": "nothing states it", "conditions": "8 KiB, direct",
    "device_state": "unknown; 33,500 reads/s: partly unwritten (inferred)", "device_state_known_from": "results",
}  # fmt: skip
ROWS: tuple[dict[str, str], ...] = (
    {
        "path_prefix": "results/HOST/DISK", "files": "1", "points": "2", "configuration_id": "disk", "title": "A disk",
        "device_id": "disk-7200", "media_class": "hdd", "media_class_known_from": "folder name DISK",
        "rotation_rpm": "7200", "rotation_rpm_known_from": "inferred from the results", "vendor": "unknown",
        "vendor_known_from": "nothing states it", "model": "DISK", "model_known_from": "folder name DISK",
    },
    {
        "path_prefix": "results/HOST/SSD", "path_regex": r"_none\.txt$", "files": "2", "points": "4",
        "configuration_id": "ssd-none", "title": "An SSD, no scheduler", "device_id": "ssd", "media_class": "ssd_nvme",
        "media_class_known_from": "README.md", "io_scheduler": "none", "io_scheduler_known_from": "file name",
        "settings": "os.target=2ms; os.depth=8",
    },
    {
        "path_prefix": "results/HOST/SSD", "path_regex": r"_spdk\.txt$", "files": "1", "points": "2",
        "configuration_id": "ssd-spdk", "title": "An SSD, one process of many", "scope": "process", "device_id": "ssd",
        "io_scheduler": "not applicable: SPDK leaves the kernel out", "io_scheduler_known_from": "the file: ioengine",
    },
)  # fmt: skip
RESERVATIONS = (
    "path_prefix,operation,kind,effect,reason,known_from\n"
    "results/HOST/DISK,write,cache_served,excluded,a cache answers,inferred from the results\n"
    "results/,,changed_kernel,flagged,the kernel is changed,README.md\n"
)
ORIGIN = """\
title: Two drives of a stranger
summary: A disk and an SSD. Imported; not verified by its author.
submitted_by: ioledger
submitted_on: "2026-11-22"
tested_on: "2025"
affiliation: independent
measured_by: a stranger
repository: https://example.org/stranger/bench
commit: 0123456789abcdef0123456789abcdef01234567
licence: MIT
licence_file: LICENSE
licence_evidence: LICENSE, line 1
copyright: Copyright (c) 2025 a stranger
retrieved_on: "2026-11-22"
statement: {unknown: the README has no word on it}
excluded: pictures
citation: "a stranger: bench"
unstated: the repository does not state it
defaults:
  software:
    tool: {value: fio, how_known: declared, known_from: "the file: fio version"}
"""


def report(**changed: object) -> bytes:
    """Return a report of fio with a reading and a writing side; ``read_ios`` changes one of its figures."""
    document: dict[str, Any] = json.loads((FIXTURES / "submission" / "report.json").read_text(encoding="utf-8"))
    document["jobs"][0]["read"]["total_ios"] = changed.get("read_ios", 67000)
    document["jobs"][0]["jobname"] = changed.get("name", "database")
    return json.dumps(document, indent=2).encode()


def originals() -> dict[str, bytes]:
    """Return the files of the repository by path: reports, one after text of another program, and what is no result."""
    return {
        "LICENSE": b"MIT License\n",
        "README.md": b"# Results\n",
        "results/HOST/DISK/one.json": report(name="disk"),
        "results/HOST/SSD/a_none.txt": report(name="a"),
        "results/HOST/SSD/b_none.txt": b"note: starting\nnote: really\n" + report(name="b"),
        "results/HOST/SSD/c_spdk.txt": report(name="c"),
        "results/HOST/SSD/notes.txt": b"nothing of interest\n",
    }


def write_mapping(folder: Path, rows: tuple[dict[str, str], ...] = ROWS, columns: tuple[str, ...] = COLUMNS) -> Path:
    """Write the mapping, the reservations and the origin into a new folder; return the mapping."""
    folder.mkdir(parents=True)
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({**COMMON, **row} for row in rows)
    (folder / "mapping.csv").write_text(stream.getvalue(), encoding="utf-8")
    (folder / "reservations.csv").write_text(RESERVATIONS, encoding="utf-8")
    (folder / "origin.yaml").write_text(ORIGIN, encoding="utf-8")
    return folder / "mapping.csv"


def write_archive(path: Path, files: Mapping[str, bytes]) -> Path:
    """Write the files into a tar archive, compressed as its name says."""
    mode: Literal["w:xz", "w:gz"] = "w:xz" if path.suffix == ".xz" else "w:gz"
    with tarfile.open(path, mode) as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def write_checkout(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write the files below a folder, with a hidden one as git keeps them."""
    for name, data in {**files, ".git/config": b"[core]\n"}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder
