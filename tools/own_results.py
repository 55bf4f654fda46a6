"""
Writes what the page "Try it on your own files" shows, ``site/components/tried.js``: four commands with their output.

The files are ten reports of fio 3.33, five before and five after the queue of a loop device was cut from 128 requests
to 4, in turns (``ingest/tests/fixtures/gate``). A test runs this again and compares.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILES = ROOT / "ingest" / "tests" / "fixtures" / "gate"
SHOWN = ROOT / "site" / "components" / "tried.js"
HEAD = "// What four commands print of ten reports of fio; written by tools/own_results.py, and held by a test.\n"
SETTING = "/sys/block/loop0/queue/nr_requests"
COMMANDS = {
    "parse": ["parse", "before", "--format", "table", "--quiet"],
    "gate": ["gate", "before", "after"],
    "plan": [
        "plan", "random-read-4k", "--tool", "fio", "--target", "test.dat", "--depths", "1,4,16", "--seconds", "60",
        "--gate", "--spread-from", "before", "--show", "60%",
        "--before", f"echo 128 >{SETTING}", "--after", f"echo 4 >{SETTING}",
    ],
    "report": ["report", "before", "after", "-o", "change.html"],
}  # fmt: skip


def tried() -> list[dict[str, object]]:
    """Run the commands in a folder that holds both sides; return each with what it prints and how it ends."""
    found: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory(prefix="ioledger-tried-") as folder:
        for side in ("before", "after"):
            with tarfile.open(FILES / f"{side}.tar.xz") as archive:
                archive.extractall(folder, filter="data")
        for name, arguments in COMMANDS.items():
            command = [sys.executable, "-m", "ioledger", *arguments]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
            lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
            typed = " ".join(f'"{each}"' if " " in each else each for each in ("ioledger", *arguments))
            output = "\n".join(lines).strip("\n")
            found.append({"id": name, "command": typed, "output": output, "code": done.returncode})
    return found


def text() -> str:
    """Return the module that the page takes them from."""
    return f"{HEAD}export const tried = {json.dumps(tried(), ensure_ascii=False, indent=2)};\n"


if __name__ == "__main__":
    SHOWN.write_text(text(), encoding="utf-8")
