"""
A submission of many tools for tests of what is kept of it, and random changes of it: ``Mixed``.

It holds reports of fio, one with logs of throughput, latency and histograms, one with several points, one that takes
its options from a job file; two runs of ORION in folders of their own, each a summary with its matrices; two Iometer
files; a preparation, and a text that is only kept. A change may break what the manifest says: a log may lose its run,
a report its job file.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from conftest import FIXTURES, leave_open

if TYPE_CHECKING:
    import random
    from pathlib import Path

    File = tuple[bytes, dict[str, Any]]

STEM = "shelf_20190329_1057"
MATRIX = "Large/Small,      1,     14\n          0, {}, {}\n          1\n          2\n"
LARGE = "Large/Small,      0,      1\n          5,  70.15\n          6,  71.32\n"
JOB = "[global]\nioengine=libaio\niodepth={}\n[database]\nrw=randrw\nbs=16k\n"
_TIMES = re.compile(rb'("(?:mean|stddev)"\s*:\s*)([1-9]\d*\.\d+)')
_TITLE = re.compile(r"(?m)^title: .*$")


def fixture(case: str) -> bytes:
    """Return the input of a case of a reader: ``fio/json-3.33``."""
    (path,) = (FIXTURES / case).glob("input.*")
    return path.read_bytes()


def varied(report: bytes, number: int) -> bytes:
    """Return the report of another run of the same test."""
    return _TIMES.sub(lambda found: b"%s%.6f" % (found[1], float(found[2]) * (1 + number / 1000)), report)


class Mixed:
    """The submission as bytes and entries by path; ``write`` puts it into a folder as it is now."""

    def __init__(self, submission: Path) -> None:
        """Take the sound submission of one report, and lay the files of other tools beside it."""
        leave_open(submission)
        text = (submission / "manifest.yaml").read_text(encoding="utf-8")
        head = text.partition("files:\n")[0]
        self.head = re.sub(r"(?m)^( +repetition_count): 1$", r"\1: {unknown: it differs}", head)
        self.count = 0
        self.report = (submission / "report.json").read_bytes()
        self.files: dict[str, File] = {}
        for number in range(4):
            self.put(f"fio/{number}.json", varied(self.report, number), repetition=number + 1)
        self.put("two.json", fixture("fio/json-numjobs-apart"))
        self.put("layout.json", varied(self.report, 77), role="preparation")
        self.put("plan.fio", JOB.format(4).encode(), role="job")
        self.put("old.txt", fixture("fio/terse-1.59"), job="plan.fio")
        self.put("run_bw.1.log", b"500, 1000, 0, 0\n500, 490, 1, 0\n1000, 1010, 0, 0\n", role="log", run="fio/0.json")
        self.put("run_lat.1.log", b"500, 250000, 0, 0\n500, 260000, 1, 0\n", role="log", run="fio/0.json")
        for thread in (1, 2):
            data = fixture("fio/log-histogram") + b"\n" * thread
            self.put(f"run_clat_hist.{thread}.log", data, role="log", run="fio/0.json")
        summary = fixture("orion/summary-10.2")
        for folder, by in (("orion", 0), ("orion-again", 1)):
            self.put(f"{folder}/{STEM}_summary.txt", summary + b"\n" * by)
            self.put(f"{folder}/{STEM}_iops.csv", MATRIX.format(144, 412 + by).encode())
            self.put(f"{folder}/{STEM}_lat.csv", MATRIX.format("6.91", f"33.9{8 - by}").encode())
            self.put(f"{folder}/{STEM}_mbps.csv", LARGE.encode() + b"\n" * by)
        self.put("sweep.csv", fixture("iometer/csv-56-depth-sweep"))
        self.put("mixed.csv", fixture("iometer/csv-59-reads-and-writes"))
        self.put("notes.txt", b"kept beside the results", role="attachment")

    def put(self, path: str, data: bytes, **entry: Any) -> None:  # noqa: ANN401  (any value of a manifest)
        """Put a file here, in place of another of its path."""
        self.files[path] = (data, entry)

    def write(self, folder: Path) -> None:
        """Make the folder hold this, and nothing else; a file that is as it was is not touched."""
        lines = [self.head, "files:\n"]
        for path, (data, entry) in self.files.items():
            own = {"path": path, "sha256": hashlib.sha256(data).hexdigest(), "configuration": "ext4-file", **entry}
            lines += [f"  - {json.dumps(own)}\n"]
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if not place.is_file() or place.read_bytes() != data:
                place.write_bytes(data)
        (folder / "manifest.yaml").write_text("".join(lines), encoding="utf-8")
        for found in [path for path in folder.rglob("*") if path.is_file()]:
            if found.name != "manifest.yaml" and found.relative_to(folder).as_posix() not in self.files:
                found.unlink()

    def change(self, choice: random.Random) -> str:
        """Change something at random; return what."""
        self.count += 1
        kind = choice.choice(("edit", "edit", "delete", "rename", "add", "entry", "head", "job", "swap"))
        path = choice.choice(sorted(self.files))
        data, entry = self.files[path]
        if kind == "edit":
            self.files[path] = (self._edited(path, data), entry)
        elif kind == "delete" and len(self.files) > 8:
            del self.files[path]
        elif kind == "rename":
            self._rename(path, f"moved-{self.count}/{path.rpartition('/')[2]}")
        elif kind == "add":
            self.put(f"new-{self.count}.json", varied(self.report, 100 + self.count))
        elif kind == "entry":
            self.files[path] = (data, self._told(entry, choice))
        elif kind == "head":
            self.head = _TITLE.sub(f"title: Change {self.count}", self.head)
            if choice.random() < 0.5:
                stated = choice.choice(["fio-3.36", "fio-3.33", "{unknown: lost}"])
                self.head = re.sub(r"(?m)^( +tool_version): .*$", rf"\1: {stated}", self.head)
        elif kind == "job" and "plan.fio" in self.files:
            self.put("plan.fio", JOB.format(1 << choice.randrange(4)).encode(), role="job")
        elif kind == "swap":
            other = choice.choice(sorted(self.files))
            self.files[path], self.files[other] = (self.files[other][0], entry), (data, self.files[other][1])
        return f"{kind} {path}"

    def _edited(self, path: str, data: bytes) -> bytes:
        edited = varied(data, self.count) if path.endswith(".json") else data
        return edited if edited != data else data + b"\n"

    def _rename(self, path: str, new: str) -> None:
        """Give a file another path, for those too that name it."""
        found = {}
        for name, (data, entry) in self.files.items():
            told = {key: new if key in {"run", "job"} and value == path else value for key, value in entry.items()}
            found[new if name == path else name] = (data, told)
        self.files = found

    def _told(self, entry: dict[str, Any], choice: random.Random) -> dict[str, Any]:
        """Return an entry that says something else."""
        told = dict(entry)
        if told.get("role") == "log":
            reports = sorted(path for path in self.files if path.endswith(".json"))
            told["run"] = choice.choice(reports or [""])
            told["point"] = choice.choice(["0#/jobs/0", "0#/jobs/1"])
        elif "role" not in told:
            told["repetition"] = choice.randrange(1, 9)
        return told
