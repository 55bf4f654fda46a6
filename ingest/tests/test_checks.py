"""What ``npm test`` runs: each step ends in time, with all its processes, and says what is wrong in one line."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ioledger.tables.schema import ROOT

sys.path.insert(0, str(ROOT / "tools"))
checks: Any = importlib.import_module("checks")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="process groups are POSIX, and /proc is Linux")
LONG = 600
STUBBORN = f"""
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    "time.sleep({LONG})"])
open(sys.argv[1], "w").write(f"{{os.getpid()}} {{child.pid}}")
print("said before", flush=True)
time.sleep({LONG})
"""
"""A program with a child of its own; neither ends when it is asked to."""


def _step(name: str, code: str, *arguments: str, limit: float = LONG, needs: tuple[str, ...] = ()) -> Any:  # noqa: ANN401
    return checks.Step(name, (sys.executable, "-c", code, *arguments), needs, limit)


def _is_gone(pid: int) -> bool:
    """Return whether a process has ended; one that only waits to be asked for its exit code has."""
    for _ in range(50):
        try:
            state = (Path("/proc") / str(pid) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state in "ZX":
            return True
        time.sleep(0.1)
    return False


def test_a_step_beyond_its_limit_is_ended_with_all_its_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says so, what it printed before is shown, and the step beside it goes on."""
    monkeypatch.setattr(checks, "GRACE_SECONDS", 0.2)
    pids = tmp_path / "pids"
    steps = [_step("stubborn", STUBBORN, str(pids), limit=1.5), _step("other", "print('done')")]
    assert checks.run(steps, tmp_path) == {"stubborn": "no end within 1.5 s", "other": ""}
    assert [_is_gone(int(pid)) for pid in pids.read_text(encoding="utf-8").split()] == [True, True]
    said = capsys.readouterr().out
    assert "said before\n== stubborn: FAILED, no end within 1.5 s, " in said
    assert "done\n== other: ok, " in said


def test_a_step_that_fails_leaves_no_process_and_keeps_back_what_needs_it(tmp_path: Path) -> None:
    """A step that needs nothing of it is run."""
    pid, made = tmp_path / "pid", tmp_path / "made"
    child = f"subprocess.Popen([sys.executable, '-c', 'import time; time.sleep({LONG})'])"
    code = f"import subprocess, sys\nopen(sys.argv[1], 'w').write(str({child}.pid))\nsys.exit(3)"
    steps = [
        _step("build", code, str(pid)),
        _step("pages", f"open({str(made)!r}, 'w')", needs=("build",)),
        _step("types", "", needs=("elsewhere",)),
    ]
    assert checks.run(steps, tmp_path) == {"build": "exit code 3", "pages": "not run without build", "types": ""}
    assert not made.exists()
    assert _is_gone(int(pid.read_text(encoding="utf-8")))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C and a cancelled run end the steps that run, and start no other."""
    pids, never = tmp_path / "pids", tmp_path / "never"
    forbidden = f"open({str(never)!r}, 'w')"
    code = (
        f"import pathlib, signal, sys; sys.path.insert(0, {str(ROOT / 'tools')!r}); import checks\n"
        "checks.AT_ONCE, checks.GRACE_SECONDS = 2, 0.2\n"
        "for number in (signal.SIGINT, signal.SIGTERM): signal.signal(number, signal.default_int_handler)\n"
        "step = lambda name, *command: checks.Step(name, (sys.executable, '-c', *command))\n"
        f"checks.run([step('build', {STUBBORN!r}, {str(pids)!r}), step('b', 'import time; time.sleep({LONG})'),"
        f" step('c', {forbidden!r})], pathlib.Path({str(tmp_path)!r}))"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603
        while not (pids.exists() and len(pids.read_text(encoding="utf-8").split()) > 1):
            assert process.poll() is None
            time.sleep(0.05)
        while process.poll() is None:  # a signal just before Python waits is slept over: a person asks again
            process.send_signal(number)
            time.sleep(2)
    assert [_is_gone(int(pid)) for pid in pids.read_text(encoding="utf-8").split()] == [True, True]
    assert not never.exists()


def test_a_step_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing was checked, so the exit code is no success, and the names that there are stand beside the wrong one."""
    with pytest.raises(SystemExit) as ended:
        checks.main(["types", "typos"])
    assert ended.value.code == 2
    assert "no step is called typos. The steps are: build, sample, " in capsys.readouterr().err


def test_every_file_of_tests_is_run_once_and_no_step_waits_for_ever(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A test that hangs is one failure long before its step is ended; the second build is a step where it is wanted."""
    monkeypatch.delenv("IOLEDGER_VERIFY", raising=False)
    steps = checks.steps(tmp_path)
    files = [word for step in steps for word in step.command if "ingest/tests/test_" in word]
    assert sorted(files) == sorted(f"ingest/tests/{path.name}" for path in Path(__file__).parent.glob("test_*.py"))
    seen: set[str] = set()
    for step in steps:
        assert {*step.needs} <= seen
        seen.add(step.name)
    assert 0 < float(pytestconfig.getini("timeout")) < min(step.limit_seconds for step in steps)
    monkeypatch.setenv("IOLEDGER_VERIFY", "1")
    assert {step.name for step in checks.steps(tmp_path)} - seen == {"verify"}
    assert "IOLEDGER_SAMPLE" not in checks.environment(steps[0], tmp_path).keys() - os.environ.keys()
