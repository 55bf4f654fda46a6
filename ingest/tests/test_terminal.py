"""``ioledger add`` on a terminal: what the content does not tell is asked, and nothing half-written is left behind."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from conftest import COMMAND, FIXTURES
from ioledger.submission import safe_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUBMISSION = FIXTURES / "submission"
FOLDER = "2025-11-tess-tester-virtio-blk-256gib"
TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)
"""A program gets Control-C only from the terminal that it has taken for its own."""
LONGEST_WAIT_SECONDS = 120
PATIENCE_SECONDS = 20


class _Terminal:
    """A program behind a terminal: what it shows, and what a person types."""

    def __init__(self, program: subprocess.Popen[bytes], screen: int) -> None:
        self.program, self.screen, self.shown = program, screen, ""

    def wait_for(self, text: str) -> None:
        """Read what the program shows until the text stands there; fail when it ends before."""
        while text not in self.shown:
            try:
                ready, _, _ = select.select([self.screen], [], [], LONGEST_WAIT_SECONDS)
                self.shown += os.read(self.screen, 4096).decode() if ready else ""
            except OSError:
                ready = []
            assert ready, f"{text!r} never came: {self.shown}"
        self.shown = self.shown.partition(text)[2]

    def ended(self) -> int:
        """Return the exit code; the last words may be lost with the terminal, so they are not waited for."""
        return self.program.wait(timeout=LONGEST_WAIT_SECONDS)

    def given_up_with(self, key: str) -> int:
        """Press the key, and once more if nothing happens, as a person would; return the exit code.

        Python sleeps over a Control-C that comes in the moment between its question and its read.
        """
        time.sleep(0.3)
        self.type(key)
        try:
            return self.program.wait(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self.type(key)
            return self.ended()

    def type(self, text: str) -> None:
        """Press these keys."""
        os.write(self.screen, text.encode())


@contextmanager
def _terminal(*arguments: str | Path) -> Iterator[_Terminal]:
    screen, keyboard = pty.openpty()
    command = [sys.executable, "-c", TAKE_TERMINAL, str(COMMAND), *map(str, arguments)]
    program = subprocess.Popen(  # noqa: S603
        command, stdin=keyboard, stdout=keyboard, stderr=keyboard, start_new_session=True
    )
    os.close(keyboard)
    try:
        yield _Terminal(program, screen)
    finally:
        program.kill()
        program.wait()
        os.close(screen)


@pytest.fixture
def arguments(tmp_path: Path) -> list[str | Path]:
    """Return the command for two runs of the same point that hold no time."""
    text = (SUBMISSION / "manifest.yaml").read_text(encoding="utf-8").split("\nfiles:")[0]
    text = text.replace("repetition_count: 1", "repetition_count: 2")
    (tmp_path / "manifest.yaml").write_text(text, encoding="utf-8")
    for number, name in enumerate(("first.json", "second.json")):
        report = json.loads((SUBMISSION / "report.json").read_bytes())
        for key in ("timestamp", "timestamp_ms", "time"):
            report.pop(key, None)
        for job in report["jobs"]:
            job.pop("job_start", None)
            for operation in ("read", "write"):
                job[operation]["lat_ns"]["mean"] += number
                job[operation]["lat_ns"]["stddev"] += number
        (tmp_path / name).write_text(json.dumps(report), encoding="utf-8")
    files = [tmp_path / "first.json", tmp_path / "second.json"]
    return ["add", *files, "--manifest", tmp_path / "manifest.yaml", "--data", tmp_path / "data"]


def test_the_repetition_is_asked_until_the_answer_is_one(arguments: list[str | Path], tmp_path: Path) -> None:
    """An answer that is none is asked again; the manifest holds what was typed."""
    with _terminal(*arguments) as terminal:
        terminal.wait_for("Which repetition is first.json?")
        terminal.type("7\n")
        terminal.wait_for("Which repetition is first.json?")
        terminal.type("2\n")
        terminal.wait_for("Which repetition is second.json?")
        terminal.type("1\n")
        assert terminal.ended() == 0
    manifest, _ = safe_yaml.load_yaml((tmp_path / "data" / FOLDER / "manifest.yaml").read_bytes())
    assert {entry["path"]: entry["repetition"] for entry in manifest["files"]} == {"first.json": 2, "second.json": 1}


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_a_person_who_gives_up_leaves_nothing_behind(arguments: list[str | Path], tmp_path: Path, key: str) -> None:
    """Control-C and the end of input end the command with an error; there is no folder and no rest of one."""
    with _terminal(*arguments) as terminal:
        terminal.wait_for("Which repetition is first.json?")
        assert terminal.given_up_with(key) == 1
    assert not (tmp_path / "data").exists() or list((tmp_path / "data").iterdir()) == []


def test_a_program_in_the_place_of_a_person_gets_the_option_as_remedy(
    arguments: list[str | Path], tmp_path: Path
) -> None:
    """Without a terminal nothing is asked, and nothing is left behind."""
    command = [str(COMMAND), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)  # noqa: S603
    assert done.returncode == 1
    assert "--repetition first.json=NUMBER" in done.stderr
    assert done.stderr.endswith("2 problems; nothing was added\n")
    assert not (tmp_path / "data").exists() or list((tmp_path / "data").iterdir()) == []


def test_of_results_that_exist_only_what_they_cannot_tell_is_asked(tmp_path: Path) -> None:
    """What is declared already is not asked again, and an empty answer leaves a value unknown."""
    output = tmp_path / "manifest.yaml"
    common = ("--state", "firmware=1.2", "--submitted-by", "ann", "-o", output)
    with _terminal("collect", "--for", SUBMISSION / "report.json", *common) as terminal:
        terminal.wait_for("Model of the drive (nothing: unknown)")
        terminal.type("HGST 1TB\n")
        terminal.wait_for("Its ")
        terminal.wait_for("(hdd, ssd_sata, ssd_sas, ssd_nvme, ssd_optane, virtual")
        terminal.type("hdd\n")
        for question in ("Its capacity", "Model of the computer", "Its processor", "Operating system", "File system"):
            terminal.wait_for(question)
            terminal.type("\n")
        assert terminal.ended() == 0
    assert output.read_bytes().startswith(b"# yaml-language-server: $schema=")
    manifest, _ = safe_yaml.load_yaml(output.read_bytes())
    (device,) = manifest["devices"].values()
    assert [device[field]["value"] for field in ("model", "firmware", "media_class")] == ["HGST 1TB", "1.2", "hdd"]
    assert set(device["capacity_bytes"]) == set(manifest["systems"]["host"]["cpu_model"]) == {"unknown"}
