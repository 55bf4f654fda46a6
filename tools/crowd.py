"""
Adds submissions to a folder of submissions, as honest people would: ``python tools/crowd.py DATA [COUNT]``.

The first is what CONTRIBUTING's own commands make of the recorded output of fio. The other COUNT (4 unless told) hold
generated fio reports: sweeps of two load profiles, three times each, sixty results. All of these have the same system,
device, configuration and load profiles, so whoever looks a row up by one of those names alone finds several. The last
one is a publication that prints numbers which others print too. Every test must pass with them as without them.

The generated submissions are the same in every run; the first shows the machine and the day on which it is made.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "ingest" / "tests")]

import made_reports as generate  # noqa: E402  (reports that the tests make, too)
from ioledger.readers.published import COLUMNS  # noqa: E402
from ioledger.submission import safe_yaml  # noqa: E402
from ioledger.submission.shape import FROM_YOU  # noqa: E402

FIXTURES = ROOT / "ingest" / "tests" / "fixtures"
PREPARED_SECONDS = 10
"""So long before the measurement its preparation had ended."""
COUNT = 4
STEPS = (
    "plan database --tool fio --target test.dat --depths 1-8 --quick -o measurement",
    "collect measurement/*.json --target measurement --submitted-by you -o measurement/manifest.yaml",
)
"""CONTRIBUTING's commands before a person completes the manifest; a test holds both together."""
PROFILES = {"database": (8192, 67), "file-server": (65536, 67)}
DEPTHS = (1, 2, 4, 8, 16)
REPETITIONS = 3
PRINTED = {"cmp-hdd": 864, "cmp-p3700": 192881}
FIGURE = {
    "is_canonical": "true", "quantity": "operations_per_second", "statistic": "peak", "record_kind": "measured",
    "value_kind": "measured", "load_profile": "Database", "operation": "mixed", "access_pattern": "random",
    "read_ratio": 0.67, "block_size_bytes": 8192, "queue_depth_low": 1, "queue_depth_high": 512,
    "queue_depth_origin": "stated", "load_basis": "outstanding", "printed_unit": "IO/s", "unit_base": "exact",
    "section": "Results",
}  # fmt: skip
CITATION = dict.fromkeys(("title", "publisher", "version", "date", "url"), "unknown")


def main() -> int:
    """Write the submissions, and print the folder of each; return the exit code."""
    parser = argparse.ArgumentParser(description="Add submissions to a folder of submissions, as honest people would.")
    parser.add_argument("data", metavar="DATA", type=Path, help="the folder of submissions")
    parser.add_argument("count", metavar="COUNT", type=_count, nargs="?", default=COUNT, help=f"{COUNT} unless told")
    arguments = parser.parse_args()
    data = arguments.data.resolve()
    made = [example(data), *(sweeps(data, number) for number in range(arguments.count))]
    for folder in (*made, publication(data)):
        print(folder)  # noqa: T201
    return 0


def _count(word: str) -> int:
    """Return a whole number from 0; raises ArgumentTypeError for another word."""
    if not (word.isascii() and word.isdecimal()):
        raise argparse.ArgumentTypeError(f"{word!r} is no number of submissions")  # noqa: TRY003, EM102  (its own words)
    return int(word)


def example(data: Path) -> Path:
    """Follow CONTRIBUTING with the recorded output of fio, as if it had been measured just now; return the folder."""
    with tempfile.TemporaryDirectory() as scratch:
        plan, collect = STEPS
        _ioledger(scratch, *plan.split())
        measurement = Path(scratch, "measurement")
        for ago, name in ((PREPARED_SECONDS, "preparation.1.json"), (0, "database.1.json")):
            report = (FIXTURES / "recorded" / name).read_text(encoding="utf-8")
            (measurement / name).write_text(_as_of(int(time.time()) - ago, report), encoding="utf-8")
        _ioledger(scratch, *(name for word in collect.split() for name in _expand_word(scratch, word)))
        manifest = measurement / "manifest.yaml"
        stated = manifest.read_text(encoding="utf-8").replace(FROM_YOU, "not written down")
        manifest.write_text(stated, encoding="utf-8")
        files = [*sorted(measurement.glob("*.json")), *sorted(measurement.glob("*.fio"))]
        added = _ioledger(scratch, "add", *map(str, files), "--manifest", str(manifest), "--data", str(data))
    return Path(added.strip())


def _ioledger(folder: str, *arguments: str) -> str:
    program = Path(sys.executable).with_name("ioledger")
    command = [str(program), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


def _expand_word(folder: str, word: str) -> list[str]:
    """Return the files that a word of a command means, as a shell does."""
    return sorted(str(path.relative_to(folder)) for path in Path(folder).glob(word)) if "*" in word else [word]


def _as_of(second: int, report: str) -> str:
    """Return a report of fio with another time at all its places."""
    for key, value in (("timestamp", second), ("timestamp_ms", second * 1000), ("time", f'"{time.ctime(second)}"')):
        report = re.sub(rf'("{key}" : )(\d+|"[^"]*")', rf"\g<1>{value}", report)
    return report


def sweeps(data: Path, number: int) -> Path:
    """Write a submission of generated sweeps; return its folder."""
    rng = random.Random(number)  # noqa: S311  (reproducible data, not secrets)
    folder = data / f"2023-11-crowd{number:03d}-disk"
    folder.mkdir(parents=True)
    document, service = _manifest(number), rng.uniform(60_000, 200_000)
    for profile, (block, percent) in PROFILES.items():
        for repetition in range(1, REPETITIONS + 1):
            jobs = [
                generate.fio_job(rng, index, (depth, block, percent), _latency(rng, service, depth))
                for index, depth in enumerate(DEPTHS)
            ]
            entry = _put(folder, f"{profile}.{repetition}.json", generate.fio_bytes(jobs, block))
            document["files"].append({**entry, "configuration": "ext4-file", "repetition": repetition})
    _finish(folder, document)
    return folder


def _latency(rng: random.Random, service: float, depth: int) -> tuple[float, float]:
    """Return the mean latency of reads and writes in ns: the device is half busy at a depth of eight."""
    reading = service * (1 + depth / 8) * rng.uniform(0.99, 1.01)
    return reading, reading * 0.7


def _manifest(number: int) -> dict[str, Any]:
    """Return the manifest of the sound submission among the fixtures, with the method of the generated reports."""
    document: dict[str, Any] = safe_yaml.load_yaml((FIXTURES / "submission" / "manifest.yaml").read_bytes())[0]
    document |= {"title": f"Disk {number} of many", "submitted_by": f"Person {number}", "files": []}
    document |= {"submitted_on": "2023-11-15", "tested_on": "2023-11-14", "collected_on": "2023-11-14"}
    method = document["configurations"]["ext4-file"]["method"]
    method |= {
        "measurement_area": "a file of 64 GiB",
        "measurement_area_bytes": 64 << 30,
    }
    method |= {"run_time_seconds": generate.RUNTIME_MS // 1000, "ramp_seconds": 0, "repetition_count": REPETITIONS}
    document["configurations"]["ext4-file"]["software"]["tool_version"] = generate.VERSION
    method["load_axis"] = f"outstanding I/Os {', '.join(map(str, DEPTHS))}"
    return document


def publication(data: Path) -> Path:
    """Write a publication with names and numbers that others have too; return its folder."""
    folder = data / "2023-11-crowd-paper"
    folder.mkdir(parents=True)
    document = {
        **_manifest(COUNT),
        "title": "A paper of the crowd",
        "source_type": "vendor_paper",
        "citation": CITATION,
    }
    configuration = document["configurations"].pop("ext4-file")
    document["configurations"] = {name: {**configuration, "title": name} for name in PRINTED}
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for line, (name, rate) in enumerate(PRINTED.items(), 1):
        said = {"configuration_id": name, "printed_value": rate, "printed_text": str(rate), "line": line}
        writer.writerow({**FIGURE, **said, "figure_id": f"{name}.peak"})
    document["files"].append({**_put(folder, "figures.csv", text.getvalue().encode()), "role": "publication"})
    _finish(folder, document)
    return folder


def _put(folder: Path, name: str, content: bytes) -> dict[str, str]:
    """Write a file of a submission; return its entry in the manifest."""
    (folder / name).write_bytes(content)
    return {"path": name, "sha256": hashlib.sha256(content).hexdigest()}


def _finish(folder: Path, document: dict[str, Any]) -> None:
    (folder / "manifest.yaml").write_text(safe_yaml.dump_yaml(document), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
