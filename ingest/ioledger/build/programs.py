"""Other programs that the build runs: with their surroundings, without a terminal, and with what they said kept."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

SHOWN_LINES = 6


@contextmanager
def start_program(
    command: list[str], env: dict[str, str], *, stdin: int = subprocess.DEVNULL, stderr: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[str]]:
    """Start a program in the project's folder with these variables added; it is ended when the block is left."""
    program = subprocess.Popen(  # noqa: S603  (own programs, fixed arguments)
        command,
        cwd=ROOT,
        env={**os.environ, **env},
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=stderr,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        yield program
    finally:
        if program.poll() is None:
            if hasattr(os, "killpg"):
                with suppress(ProcessLookupError):
                    os.killpg(program.pid, signal.SIGKILL)
            program.kill()
        program.communicate()


def tail(printed: str, code: int) -> str:
    """Return the last lines that a program printed, on one line; its exit code where it printed none."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return " | ".join(lines[-SHOWN_LINES:]) or f"exit code {code}"
