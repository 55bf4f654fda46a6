"""Other programs that the build runs: with their surroundings, without a terminal, and with what they said kept."""

from __future__ import annotations

import os
import subprocess

from ingest.tables import ROOT

SHOWN_LINES = 6


def run(command: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a program in the project's folder with these variables added; both its outputs are kept as text."""
    return subprocess.run(  # noqa: S603  (own programs, fixed arguments)
        command,
        cwd=ROOT,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def tail(done: subprocess.CompletedProcess[str]) -> str:
    """Return the last lines that a program printed, on one line."""
    lines = [line.strip() for line in (done.stdout + "\n" + done.stderr).splitlines() if line.strip()]
    return " | ".join(lines[-SHOWN_LINES:]) or f"exit code {done.returncode}"
