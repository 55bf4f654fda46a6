"""An invented excerpt as a submission: two drives under one load, measured by somebody else; nothing of it is real."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FIXTURES = Path(__file__).parent / "fixtures"
NAME = "2026-11-tester-two-drives"
ROWS = (FIXTURES / "excerpt" / "fio-two-drives" / "input.csv").read_bytes()
FILES = {
    "excerpt.csv": ROWS,
    "mapping.csv": b"path_prefix,configuration_id\nresults/flash,flash\nresults/xpoint,xpoint\n",
    "LICENCE": b"MIT License\n\nCopyright (c) 2025 Ada Author\n",
}
LISTED = re.compile(r"  - path: (\S+)\n    sha256: (\S+)\n")


def write(data: Path, name: str = NAME) -> Path:
    """Write the excerpt into a folder of submissions; return its own folder."""
    folder = data / name
    folder.mkdir(parents=True)
    for file, content in FILES.items():
        (folder / file).write_bytes(content)
    (folder / "manifest.yaml").write_bytes((FIXTURES / "excerpted" / "manifest.yaml").read_bytes())
    return listed(folder)


def listed(folder: Path) -> Path:
    """Put the hashes of the files as they are now into the manifest."""
    manifest = folder / "manifest.yaml"

    def entry(found: re.Match[str]) -> str:
        data = (folder / found[1]).read_bytes()
        return f"  - path: {found[1]}\n    sha256: {hashlib.sha256(data).hexdigest()}\n"

    manifest.write_text(LISTED.sub(entry, manifest.read_text(encoding="utf-8")), encoding="utf-8")
    return folder


def changed(folder: Path, file: str, change: Callable[[str], str]) -> Path:
    """Change the text of a file of the excerpt, and list it as it is then."""
    path = folder / file
    before = path.read_text(encoding="utf-8")
    after = change(before)
    assert after != before, "nothing was changed"
    path.write_text(after, encoding="utf-8")
    return listed(folder)


def three_media(data: Path) -> Path:
    """Write the excerpt with a third drive of another medium, as fast as the first, so that media can be compared."""
    folder = write(data)
    names, *rows = csv.reader(ROWS.decode().splitlines())
    flash = "".join(_line(_another_run(dict(zip(names, row, strict=True)))) for row in rows if row[0] == "flash")
    changed(folder, "excerpt.csv", lambda text: text + _sata(flash))
    changed(folder, "mapping.csv", lambda text: f"{text}results/sata,sata\n")

    def described(text: str) -> str:
        for name in ("flash-2tb", "flash"):
            [entry] = re.findall(rf"^  {name}:\n(?:    .*\n)+", text, re.MULTILINE)
            text = text.replace(entry, entry + _sata(entry))
        return text

    return changed(folder, "manifest.yaml", described)


def _another_run(row: dict[str, str]) -> dict[str, str]:
    """Return a row with a larger spread and maximum of latency, and hardly another mean: another run at this speed."""
    factors = {"latency_stddev_seconds": 1.01, "latency_max_seconds": 1.01, "latency_mean_seconds": 1.0001}
    return row | {name: f"{float(row[name]) * by:.9g}" for name, by in factors.items() if row[name]}


def _line(row: dict[str, str]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow(row.values())
    return written.getvalue()


def _sata(text: str) -> str:
    """Return text of the flash drive as that of one behind SATA; a hash becomes another one."""
    text = re.sub(r"\b[0-9a-f]{64}\b", lambda found: hashlib.sha256(found[0].encode()).hexdigest(), text)
    renamed = text.replace("flash", "sata").replace("Flash", "Sata").replace("ssd_nvme", "ssd_sata")
    return renamed.replace("value: NVMe", "value: SATA").replace("nvme0n1", "sda")


def reply(
    data: Path, name: str = "2026-12-ada-reply", about: str = NAME, by: str = "Ada Author",
    text: str = "The folders are mine and complete.",
) -> Path:  # fmt: skip
    """Write what somebody says to a whole submission, as a submission with nothing but the reply."""
    folder = data / name
    folder.mkdir(parents=True)
    head = "reply_id,claim_submission_id,claim_id,replied_by,replied_on,reply"
    (folder / "replies.csv").write_text(f"{head}\nwhole,{about},,{by},2026-12-01,{text}\n", encoding="utf-8")
    (folder / "manifest.yaml").write_text(
        "edition: 2\ntitle: A reply\nsubmitted_by: Ada Author\nsubmitted_on: 2026-12-01\ntested_on: unknown\n"
        "licence: CC-BY-4.0\nsource_type: raw_tool_output\naffiliation: independent\n"
        "systems: {}\ndevices: {}\nconfigurations: {}\n"
        "files:\n  - path: replies.csv\n    sha256: <replies.csv>\n    role: publication\n",
        encoding="utf-8",
    )
    return listed(folder)


def main(folder: Path) -> None:
    """Write the excerpt, the reply to it and their build into a folder."""
    import dataset  # noqa: PLC0415  (only a site needs a build)

    three_media(folder / "data")
    reply(folder / "data")
    dataset.built(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
