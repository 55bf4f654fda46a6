"""
The command ``ioledger`` as a process of its own, without what each start costs.

Loading it takes most of the time of a small call. Here one process has loaded every command and nothing more; a call is
a fork of it, with arguments, surroundings, folder, input and outputs of its own, and it ends as the command ends.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

LIMIT_SECONDS = 280
MODULES = (
    "rich.console", "rich.table", "rich.progress", "duckdb", "pyarrow.parquet",
    "jsonschema", "scipy.special", "ioledger.add.making", "ioledger.collect.draft", "ioledger.loading",
    "ioledger.releases.release", "ioledger.submission.rows",
)  # fmt: skip
"""What commands load when they need it."""
OUTPUT = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


class Forks:
    """The process that has loaded the command."""

    def __init__(self, command: Path) -> None:
        """Start it; ``command`` is what a person calls."""
        self._command = command
        self._server = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def close(self) -> None:
        """End the process; no call runs any more."""
        self._server.communicate()

    def call(
        self, *arguments: str | Path, screen: str = "", script: Path | None = None, **variables: str
    ) -> subprocess.CompletedProcess[bytes]:
        """
        Run ``ioledger`` with arguments, for at most ``LIMIT_SECONDS``, without input.

        ``screen`` is a terminal that takes both outputs; ``script`` is run in the place of the command.
        """
        command = [str(script or self._command), *map(str, arguments)]
        assert self._server.stdin
        assert self._server.stdout
        with tempfile.TemporaryDirectory() as scratch:
            outputs = [] if screen else [Path(scratch, name) for name in ("stdout", "stderr")]
            paths = [os.devnull, *map(str, outputs or (screen, screen))]
            environment = {**os.environ, **variables}
            call = {"words": command, "folder": str(Path.cwd()), "environment": environment, "paths": paths}
            self._server.stdin.write(json.dumps(call) + "\n")
            self._server.stdin.flush()
            code = int(self._server.stdout.readline())
            return subprocess.CompletedProcess(command, code, *(path.read_bytes() for path in outputs))


def _serve() -> None:
    """Load every command; make a fork for each line that comes, and tell its exit code."""
    import click  # noqa: PLC0415  (the tests' own process does not load them)

    from ioledger.cli import COMMANDS, main  # noqa: PLC0415

    for name in COMMANDS:
        main.get_command(click.Context(main), name)
    for module in MODULES:
        importlib.import_module(module)
    gc.freeze()  # what is loaded stays in memory that the forks share
    for line in sys.stdin:
        if not (pid := os.fork()):
            _end(_called(**json.loads(line)))
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)  # noqa: T201  (this is the answer)
    _end(0)


def _called(words: list[str], folder: str, environment: dict[str, str], paths: list[str]) -> int:
    """Be the command, or a script: in its folder, with its surroundings, input and outputs; return its exit code."""
    from ioledger.__main__ import main  # noqa: PLC0415

    signal.alarm(LIMIT_SECONDS)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    for number, path in enumerate(paths):
        opened = os.open(path, OUTPUT if number else os.O_RDONLY)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin, sys.stdout = open(0, encoding="utf-8"), open(1, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
    sys.argv = words
    if not words[0].endswith(".py"):
        return main()
    sys.path.insert(0, os.path.dirname(words[0]))  # noqa: PTH120
    try:
        runpy.run_path(words[0], run_name="__main__")
    except SystemExit as ended:
        if not isinstance(ended.code, str):
            return ended.code or 0
        print(ended.code, file=sys.stderr)  # noqa: T201
        return 1
    return 0


def _end(code: int) -> NoReturn:
    """End as the interpreter does, but for putting away what was loaded, which would copy all of it first."""
    atexit._run_exitfuncs()  # noqa: SLF001  (no other way leads to them)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    _serve()
