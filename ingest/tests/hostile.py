"""Hostile submissions: a sound one, spoilt in one way each, with the rule that must refuse it."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Spoil = Callable[[Path], object]

FIXTURE = Path(__file__).parent / "fixtures" / "submission"
NAME = "2026-11-mallory-disk"
REPORT = "report.json"


def sound(folder: Path) -> Path:
    """Write the sound submission that every case spoils; return its folder."""
    folder.mkdir(parents=True)
    data = (FIXTURE / REPORT).read_bytes()
    (folder / REPORT).write_bytes(data)
    text = (FIXTURE / "manifest.yaml").read_text(encoding="utf-8")
    digest = hashlib.sha256(data).hexdigest()
    (folder / "manifest.yaml").write_text(text.replace("<sha256>", digest), encoding="utf-8")
    return folder


def _text(old: str, new: str) -> Spoil:
    """Replace text in the manifest, which must be there."""

    def spoil(folder: Path) -> None:
        path = folder / "manifest.yaml"
        text = path.read_text(encoding="utf-8")
        assert old in text, old
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return spoil


def _manifest(data: bytes) -> Spoil:
    return lambda folder: (folder / "manifest.yaml").write_bytes(data)


def _line(key: str, value: str) -> Spoil:
    """Give a key at the start of a line another value."""

    def spoil(folder: Path) -> None:
        path = folder / "manifest.yaml"
        lines = path.read_text(encoding="utf-8").splitlines()
        index = next(number for number, line in enumerate(lines) if line.startswith(f"{key}:"))
        lines[index] = f"{key}: {value}"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    return spoil


def add_file(folder: Path, name: str, data: bytes, role: str | None = None) -> None:
    """Put a file into the submission and list it with its hash."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    entry = f"  - path: {json.dumps(name)}\n    sha256: {digest}\n    configuration: ext4-file\n"
    with (folder / "manifest.yaml").open("a", encoding="utf-8") as manifest:
        manifest.write(entry + (f"    role: {role}\n" if role else ""))


def _file(name: str, data: bytes, role: str | None = None) -> Spoil:
    return lambda folder: add_file(folder, name, data, role)


def _report(change: Callable[[dict[str, object]], object], name: str = "other.json") -> Spoil:
    """Add a second report, changed, in the place of the first."""

    def spoil(folder: Path) -> None:
        report = json.loads((folder / REPORT).read_text(encoding="utf-8"))
        change(report)
        replace(folder, json.dumps(report).encode(), name)

    return spoil


def replace(folder: Path, data: bytes, name: str = "other.json") -> None:
    """Put another report in the place of the first."""
    path = folder / "manifest.yaml"
    path.write_text(path.read_text(encoding="utf-8").split("\nfiles:")[0] + "\nfiles:\n", encoding="utf-8")
    (folder / REPORT).unlink()
    add_file(folder, name, data)


def _only(data: bytes) -> Spoil:
    return lambda folder: replace(folder, data, "other.bin")


def _path(name: str) -> Spoil:
    return _text("path: report.json", f"path: {json.dumps(name)}")


def _link(name: str, target: str) -> Spoil:
    def spoil(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target)

    return spoil


def _folder_link(folder: Path) -> None:
    real = folder.with_name(f"2026-10-{folder.name[8:]}")
    folder.rename(real)
    folder.symlink_to(real, target_is_directory=True)


def _linked_folder(folder: Path) -> None:
    (folder / "real").mkdir()
    (folder / REPORT).rename(folder / "real" / REPORT)
    (folder / "sub").symlink_to("real", target_is_directory=True)
    _text("path: report.json", "path: sub/report.json")(folder)


def _folder_for_file(folder: Path) -> None:
    (folder / REPORT).unlink()
    (folder / REPORT).mkdir()


def _sparse(size: int) -> Spoil:
    """Make a file that is large and takes no space."""

    def spoil(folder: Path) -> None:
        with (folder / REPORT).open("r+b") as file:
            file.truncate(size)

    return spoil


def _crowd(folder: Path) -> None:
    """Make more files than a submission may hold; links to one file are quick to make."""
    (folder / "many").mkdir()
    first = folder / "many" / "0.json"
    first.write_bytes(b"{}")
    for number in range(1, 10_001):
        os.link(first, folder / "many" / f"{number}.json")


def _resaved(folder: Path) -> None:
    report = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    add_file(folder, "resaved.json", json.dumps(report, indent=7).encode())


def at_another_time(report: dict[str, object], *, seconds: int = 60) -> dict[str, object]:
    """Return the same run at another time."""
    again = json.loads(json.dumps(report))
    again["timestamp"] += seconds
    again["timestamp_ms"] += seconds * 1000
    for job in again["jobs"]:
        job["job_start"] = job.get("job_start", 0) + seconds * 1000
    return again  # type: ignore[no-any-return]


def _parts(**values: object) -> Spoil:
    """Give both directions of a report other values."""
    return _report(lambda report: [job[each].update(values) for job in report["jobs"] for each in ("read", "write")])  # type: ignore[attr-defined]


def _submitted_again(folder: Path) -> None:
    """Submit a run twice more, as if it had been repeated."""
    report = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    for number in (1, 2):
        add_file(folder, f"again-{number}.json", json.dumps(at_another_time(report, seconds=60 * number)).encode())


def _renamed(name: str) -> Spoil:
    """Give the folder another name, as a neighbour of the first."""
    return lambda folder: folder.rename(folder.with_name(name))


def _folders_of_one_name(folder: Path) -> None:
    for number, name in enumerate(("Logs/a.txt", "logs/b.txt")):
        add_file(folder, name, f"note {number}".encode(), "attachment")


def _edited(folder: Path) -> None:
    data = (folder / REPORT).read_text(encoding="utf-8")
    (folder / REPORT).write_text(data.replace("1", "9", 1), encoding="utf-8")


def _job(name: str) -> Callable[[dict[str, object]], object]:
    def change(report: dict[str, object]) -> None:
        report["jobs"][0]["jobname"] = name  # type: ignore[index]

    return change


def _bomb() -> bytes:
    """Return a zlib stream of log records that inflates to 64 MiB."""
    record = struct.pack("<QQI4xQ", 1, 1, 0, 4096)
    return zlib.compress(record * ((64 << 20) // len(record)), 9)


ALIASES = "a: &a [x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 8)}]\n" for n in range(9)
)

CASES: dict[str, tuple[Spoil, str]] = {
    "a folder name that leaves data": (lambda folder: folder.rename(folder.with_name("..2026-11")), "R-FOLDER-1"),
    "a folder that is a link": (_folder_link, "R-FILE-5"),
    "no manifest": (lambda folder: (folder / "manifest.yaml").unlink(), "R-MANIFEST-1"),
    "a manifest that is a link": (_link("manifest.yaml", "/etc/passwd"), "R-MANIFEST-1"),
    "a folder of another month": (_renamed("2026-09-mallory-disk"), "R-FOLDER-3"),
    "a folder whose name ends in a line break": (_renamed(f"{NAME}\n"), "R-FOLDER-1"),
    "a hash that ends in a line break": (
        _text("    sha256: ", f'    sha256: "{"a" * 64}\\n" #'), "R-FILE-2",
    ),
    "a start of the machine without a zone": (
        _text("    memory_bytes: ", '    booted_at: "2026-11-21T09:00:00"\n    memory_bytes: '), "R-MANIFEST-4",
    ),
    "a licence that SPDX does not know": (_line("licence", "Free-For-All-1.0"), "R-MANIFEST-4"),
    "a number in base 8": (_text("    repetition: 1", "    repetition: 01"), "R-MANIFEST-4"),
    "a required value left out": (_text("    memory_bytes: ", "    cpu_microcode_: "), "R-MANIFEST-2"),
    "an unknown key": (_line("affiliation", "independent\n__proto__: {polluted: true}"), "R-MANIFEST-3"),
    "a number that overflows": (_text("value: 274877906944", "value: 99999999999999999999999"), "R-MANIFEST-4"),
    "a title without end": (_line("title", "x" * 5000), "R-MANIFEST-4"),
    "a licence that is a script": (_line("licence", "<script>alert(1)</script>"), "R-MANIFEST-4"),
    "a state that does not exist": (_line("affiliation", "independent\nstatus: {state: deleted}"), "R-MANIFEST-4"),
    "a manifest that is a list": (_manifest(b"[1, 2]\n"), "R-MANIFEST-4"),
    "a device that is not there": (_text("device: virtio-blk-256gib", "device: '../../etc'"), "R-MANIFEST-5"),
    "a report that is only attached": (
        _text("    configuration: ext4-file\n    repetition: 1\n", "    role: attachment\n"), "R-READ-7",
    ),
    "a reservation that stands twice": (
        _text("    conditions: ", "    reservations:\n" + "      - {kind: doubtful, effect: flagged, reason: x, "
              "known_from: README}\n" * 2 + "    conditions: "), "R-MANIFEST-4",
    ),
    "a file of no configuration": (_text("    configuration: ext4-file\n", ""), "R-MANIFEST-6"),
    "a test years before its run": (_line("tested_on", "2016-03"), "R-MANIFEST-8"),
    "a test after its submission": (_line("tested_on", "2031-01-01"), "R-MANIFEST-8"),
    "the words that collect leaves": (_text("steady_state: none",
                                              'steady_state: {unknown: "only you know: please state it"}'),
                                      "R-MANIFEST-9"),
    "a manifest of three megabytes": (_manifest(b"# " + b"x" * (3 << 20)), "R-YAML-1"),
    "a manifest in UTF-16": (_manifest("title: x".encode("utf-16")), "R-YAML-2"),
    "a manifest with NUL bytes": (_manifest(b"title: \x00x\n"), "R-YAML-2"),
    "a number of a million digits": (_manifest(b"a: 1" + b"0" * 1_000_000 + b"\n"), "R-YAML-2"),
    "aliases that grow without end": (_manifest(ALIASES.encode()), "R-YAML-3"),
    "a tag that runs a command": (_line("title", "!!python/object/apply:os.system ['touch hacked']"), "R-YAML-3"),
    "ten thousand levels": (_manifest(b"[" * 10_000), "R-YAML-1"),
    "a key that stands twice": (_line("licence", "MIT\nlicence: CC0-1.0"), "R-YAML-3"),
    "a terminal escape in the title": (_line("title", '"\\e]0;owned\\a\\e[31mred"'), "R-TEXT-1"),
    "a lone surrogate in the title": (_line("title", '"a\\ud800b"'), "R-YAML-2"),
    "a job's name of a megabyte": (_report(_job("x" * (1 << 20))), "R-FIO-LINE-1"),
    "a job's name of three pages": (_report(_job("x" * 3000)), "R-TEXT-3"),
    "a terminal escape in a job's name": (_report(_job("\x1b[2J\x1b]8;;http://x\x07click")), "R-TEXT-1"),
    "a formula in a job's name": (_report(_job("@SUM(1+1)*cmd|' /C calc'!A0")), "R-TEXT-2"),
    "a file listed twice": (lambda folder: _file("REPORT.json", (folder / REPORT).read_bytes())(folder), "R-FILE-1"),
    "a second manifest in capitals": (_file("Manifest.YAML", b"title: another", "attachment"), "R-FILE-1"),
    "a second manifest that is not listed": (
        lambda folder: (folder / "Manifest.YAML").write_text("title: another"), "R-FILE-3",
    ),
    "two folders that are one elsewhere": (_folders_of_one_name, "R-FILE-1"),
    "a name that Unicode writes in two ways": (_path("re\u0301port.json"), "R-FILE-4"),
    "a file edited after its hash": (_edited, "R-FILE-2"),
    "a file that is not listed": (lambda folder: (folder / "run.sh").write_text("rm -rf /"), "R-FILE-3"),
    "a path that leaves the folder": (_path("../../etc/passwd"), "R-FILE-4"),
    "a path that is a device of Windows": (_path("aux.json"), "R-FILE-4"),
    "a link to a file outside": (_link(REPORT, "/etc/passwd"), "R-FILE-5"),
    "a folder in the path that is a link": (_linked_folder, "R-FILE-5"),
    "a file that is not there": (lambda folder: (folder / REPORT).unlink(), "R-FILE-6"),
    "a folder in the place of a file": (_folder_for_file, "R-FILE-6"),
    "the same file twice": (lambda folder: _file("copy.json", (folder / REPORT).read_bytes())(folder), "R-FILE-7"),
    "the same run saved again": (_resaved, "R-FILE-9"),
    "the same run as three repetitions": (_submitted_again, "R-FILE-9"),
    "a run of no time": (_parts(runtime=0), "R-CHECK-2"),
    "a rate that bytes over time refute": (_parts(bw=5, bw_bytes=5120), "R-CHECK-2"),
    "a run of the year 2100": (
        _report(lambda report: report.update(timestamp=4_102_444_800, timestamp_ms=4_102_444_800_000)), "R-FIO-LINE-1",
    ),
    "a run twice in one file": (
        lambda folder: replace(folder, b"\n".join(
            json.dumps(each).encode() for report in [json.loads((folder / REPORT).read_bytes())]
            for each in (report, at_another_time(report))
        )), "R-FILE-9",
    ),
    "three gigabytes": (_sparse(3 << 30), "R-FILE-10"),
    "ten thousand files": (_crowd, "R-FILE-10"),
    "a file of 600 megabytes": (_sparse(600 << 20), "R-DETECT-4"),
    "a program in the place of a report": (_only(b"\x7fELF" + bytes(4096)), "R-DETECT-1"),
    "an archive in the place of a report": (_only(b"PK\x03\x04" + bytes(4096)), "R-DETECT-1"),
    "a file of NUL bytes": (_only(bytes(1 << 20)), "R-DETECT-2"),
    "a report cut off": (lambda folder: replace(folder, (folder / REPORT).read_bytes()[:900]), "R-FIO-CUT-1"),
    "a compressed log that grows without end": (_file("x_iops.1.log.fz", _bomb(), "log"), "R-FIO-LIMIT-1"),
    "a report of nothing": (_report(lambda report: report.update(jobs=[])), "R-READ-2"),
    "a state without a reason": (_line("affiliation", "independent\nstatus: {state: disputed}"), "R-STATE-1"),
    "superseded by nothing": (
        _line("affiliation", "independent\nstatus: {state: superseded, reason: old, changed_on: 2026-11-21}"),
        "R-STATE-2",
    ),
    "superseded by itself": (
        _line("affiliation", "independent\nstatus: {state: superseded, reason: old, changed_on: 2026-11-21, "
                          f"superseded_by: {NAME}}}"), "R-STATE-2",
    ),
}  # fmt: skip


def write(folder: Path) -> dict[str, tuple[Path, str]]:
    """Write every hostile submission below a folder; return the path and the rule of each by its name."""
    made = {}
    for index, (name, (spoil, rule)) in enumerate(CASES.items()):
        submission = sound(folder / f"{index:02d}" / NAME)
        spoil(submission)
        left = [path for path in submission.parent.iterdir() if path.name == NAME]
        made[name] = (left or list(submission.parent.iterdir()))[0], rule
    return made
