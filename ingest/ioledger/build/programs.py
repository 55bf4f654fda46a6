"""Other programs that the build runs: with their surroundings, without a terminal, and with what they said kept."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress

from ioledger.system import ending, scratch
from ioledger.tables.schema import ROOT

SHOWN_LINES = 6


def run(command: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """
    Run a program in the project's folder with these variables added; both its outputs are kept as text.

    It gets a session of its own: Control-C comes to this process alone, which ends the program and all that it started
    before it removes what they were making. It holds the locks of that too, should this process be killed.
    """
    program = None
    try:
        with ending.held():
            program = subprocess.Popen(  # noqa: S603  (own programs, fixed arguments)
                command,
                cwd=ROOT,
                env={**os.environ, **env},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
                pass_fds=scratch.locks(),
            )
        printed, told = program.communicate()
    except BaseException:
        with ending.held():
            _end(program)
        raise
    return subprocess.CompletedProcess(command, program.returncode, printed, told)


def _end(program: subprocess.Popen[str] | None) -> None:
    """End a program and what it started, which is in its group unless it chose another."""
    if program is None or program.poll() is not None:
        return
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
    program.kill()
    program.communicate()


def tail(done: subprocess.CompletedProcess[str]) -> str:
    """Return the last lines that a program printed, on one line."""
    lines = [line.strip() for line in (done.stdout + "\n" + done.stderr).splitlines() if line.strip()]
    return " | ".join(lines[-SHOWN_LINES:]) or f"exit code {done.returncode}"
