"""What ``npm test`` runs: each step ends in time, with all its processes, and says what is wrong in one line."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ioledger.tables.schema import ROOT

sys.path.insert(0, str(ROOT / "tools"))
checks: Any = importlib.import_module("checks")

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups are POSIX")
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
    return checks.Step(name, (sys.executable, "-c", code, *arguments), limit, needs)


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


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_step_beyond_its_limit_is_ended_with_all_its_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says so, what it printed before is shown, and the step beside it goes on."""
    monkeypatch.setattr(checks, "GRACE_SECONDS", 0.2)
    pids = tmp_path / "pids"
    steps = [_step("stubborn", STUBBORN, str(pids), limit=1.5), _step("other", "print('done')")]
    assert checks.run(steps) == [("stubborn", "no end within 1.5 s"), ("other", "")]
    assert [_is_gone(int(pid)) for pid in pids.read_text(encoding="utf-8").split()] == [True, True]
    said = capsys.readouterr().out
    assert "said before\n== stubborn: FAILED, no end within 1.5 s, " in said
    assert "done\n== other: ok, " in said


LEAVING = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep({LONG})"])
open(sys.argv[1], "w").write(str(child.pid))
"""
"""A program that ends by itself and leaves a child."""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.timeout(180)
@pytest.mark.parametrize("code", [0, 3])
def test_a_step_that_ends_by_itself_leaves_no_process(tmp_path: Path, code: int) -> None:
    """Whether it passed or failed, what it started ends with it."""
    pid = tmp_path / "pid"
    steps = [_step("leaving", f"{LEAVING}\nsys.exit({code})", str(pid))]
    assert checks.run(steps) == [("leaving", f"exit code {code}" if code else "")]
    assert _is_gone(int(pid.read_text(encoding="utf-8")))


TIDY = """
import signal, sys, time
from pathlib import Path
def tidy(*_):
    time.sleep(1)
    Path(sys.argv[1], "tidied").touch()
    sys.exit()
signal.signal(signal.SIGTERM, tidy)
Path(sys.argv[1], "ready").touch()
time.sleep(600)
"""


@pytest.mark.timeout(180)
@pytest.mark.parametrize("limit", [LONG, 3])
def test_a_child_has_time_to_tidy_up_although_its_step_has_ended(tmp_path: Path, limit: float) -> None:
    """The grace is that of the whole group, at an end of its own and at the time limit."""
    waits = "time.sleep(600)" if limit < LONG else ""
    code = (
        "import pathlib, subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', {TIDY!r}, sys.argv[1]])\n"
        f"while not pathlib.Path(sys.argv[1], 'ready').exists(): time.sleep(0.05)\n{waits}"
    )
    ended = checks.run([_step("leader", code, str(tmp_path), limit=limit)])
    assert ended == [("leader", f"no end within {limit} s" if waits else "")]
    assert (tmp_path / "tidied").exists()


def test_a_step_that_is_not_there_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing was checked, so the exit code is no success, and the names that there are stand beside the wrong one."""
    monkeypatch.setattr(sys, "argv", ["checks.py", "types", "typos"])
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit) as ended:
            checks.main()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended.value.code == 2
    names = ", ".join(step.name for step in checks.STEPS)
    assert f"no step is called typos. The steps are: {names}" in capsys.readouterr().err


def test_folders_of_runs_that_are_no_more_are_removed(tmp_path: Path) -> None:
    """One of this process's number can only be an old one; those of others that run stay."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    kept = {f"ioledger-sample-{os.getppid()}", f"ioledger-own-{os.getppid()}-aB3", "ioledger-notes", "else"}
    for name in kept | {f"ioledger-{kind}" for kind in (f"sample-{process.pid}", f"own-{process.pid}-x_Y1")}:
        (tmp_path / name / "data").mkdir(parents=True)
    (tmp_path / f"ioledger-sample-{os.getpid()}" / "data").mkdir(parents=True)
    checks.sweep(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == kept


def test_a_step_that_needs_a_failed_one_is_not_run(tmp_path: Path) -> None:
    """It has failed by that name, and its command was never started; one that only comes after it is run."""
    made, after = tmp_path / "made", tmp_path / "after"
    ended = checks.run(
        [
            _step("browser", "raise SystemExit(3)"),
            _step("pages", f"open({str(made)!r}, 'w')", needs=("browser",)),
            _step("others", f"open({str(after)!r}, 'w')")._replace(after=("browser",)),
        ]
    )
    assert ended == [("browser", "exit code 3"), ("pages", "not run without browser"), ("others", "")]
    assert not made.exists()
    assert after.exists()


LOGGED = """
import sys, time
from pathlib import Path
log, name, awaited = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
with log.open("a") as lines:
    print("begin", name, file=lines, flush=True)
    while awaited not in log.read_text():
        time.sleep(0.05)
    print("end", name, file=lines, flush=True)
"""
"""A program that waits for a line of another."""


def test_a_step_begins_when_those_before_it_have_ended(tmp_path: Path) -> None:
    """One that waits lets the next one go first, and what is not asked for is not waited for."""
    log = tmp_path / "log"
    build, sample, tests, types = (
        _step(name, LOGGED, str(log), name, awaited, limit=60)
        for name, awaited in (("build", "end types"), ("sample", ""), ("tests", ""), ("types", ""))
    )
    tests = tests._replace(needs=("sample", "elsewhere"), after=("build",))
    assert checks.run([build, sample, tests, types]) == [(name, "") for name in ("build", "sample", "tests", "types")]
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines.index("end sample") < lines.index("begin types")
    assert lines.index("end build") < lines.index("begin tests")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.timeout(180)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C and a cancelled run end the steps that run, and start no other."""
    pids, never = tmp_path / "pids", tmp_path / "never"
    forbidden = f"open({str(never)!r}, 'w')"
    code = (
        f"import signal, sys; sys.path.insert(0, {str(ROOT / 'tools')!r}); import checks\n"
        "checks.GRACE_SECONDS, checks.AT_ONCE = 0.2, 2\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it\n"
        f"step = lambda name, *command: checks.Step(name, (sys.executable, '-c', *command))\n"
        f"checks.STEPS = (step('build', {STUBBORN!r}, {str(pids)!r}), step('b', 'import time; time.sleep({LONG})'),"
        f" step('c', {forbidden!r}))\nsys.argv = ['checks']\nsys.exit(checks.main())"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:  # noqa: S603
        while not (pids.exists() and len(pids.read_text(encoding="utf-8").split()) > 1):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=15)
        if process.poll() is None:  # Python sleeps over a signal that comes just before it waits: a person asks again
            process.send_signal(number)
        assert process.wait(timeout=120) == checks.INTERRUPTED
    assert [_is_gone(int(pid)) for pid in pids.read_text(encoding="utf-8").split()] == [True, True]
    assert not never.exists()


def test_a_step_that_only_begins_when_the_run_is_interrupted_ends_with_it(tmp_path: Path) -> None:
    """Its process was not there yet when the others were ended."""
    running, made = checks.Running(), tmp_path / "made"
    running.end()
    code = f"import time; time.sleep(5); open({str(made)!r}, 'w')"
    assert checks._run(_step("late", code), set(), running).fault  # noqa: SLF001
    assert not made.exists()


def test_the_parts_of_the_tests_take_about_the_same_time() -> None:
    """Each file stands in one of them, and the times that are known are those of files that are there."""
    parts = checks.parted(checks.TESTS, checks.PARTS)
    names = [Path(name).stem.removeprefix("test_") for part in parts for name in part]
    assert sorted(names) == sorted(set(names))
    assert checks.SECONDS.keys() <= set(names)
    taken = [
        sum(checks.SECONDS.get(Path(name).stem.removeprefix("test_"), checks.SHORT) for name in part) for part in parts
    ]
    assert max(taken) - min(taken) <= 2 * checks.SHORT


def test_files_that_share_a_dataset_of_their_own_are_in_one_part() -> None:
    """It is built once."""
    together = [
        {Path(name).stem.removeprefix("test_") for name in part} & {*checks.TOGETHER}
        for part in checks.parted(checks.TESTS, checks.PARTS)
    ]
    assert [found for found in together if found] == [{*checks.TOGETHER}]
    using = {path.stem for path in Path(__file__).parent.glob("test_*.py") if MADE_BENCHES in path.read_text("utf-8")}
    assert using - {Path(__file__).stem} == {f"test_{name}" for name in checks.TOGETHER}


MADE_BENCHES = "made_benches"
"""A fixture that takes the models seconds, and lasts as long as its process."""


def test_every_step_has_a_limit_and_waits_only_for_what_comes_before() -> None:
    """No step waits for ever, and none for itself."""
    seen: set[str] = set()
    for step in checks.STEPS:
        assert 0 < step.limit_seconds <= 30 * 60
        assert {*step.needs, *step.after} <= seen
        seen.add(step.name)


def test_only_steps_that_need_the_sample_are_told_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one may run while it is made."""
    monkeypatch.delenv("IOLEDGER_SAMPLE", raising=False)
    monkeypatch.setattr(checks, "SAMPLE", tmp_path)
    told = {step.name: checks._environment(step).get("IOLEDGER_SAMPLE") for step in checks.STEPS}  # noqa: SLF001
    assert {name for name, place in told.items() if place} == {
        step.name for step in checks.STEPS if "sample" in step.needs
    }
    assert told["tests 1"] == str(tmp_path)


def test_the_second_build_goes_beside_the_tests_when_it_is_asked_for() -> None:
    """It needs the built site, and comes before the tests: one processor works on it for long."""
    assert checks.asked([], verify=False) == [*checks.STEPS]
    names = [step.name for step in checks.asked([], verify=True)]
    assert names[:3] == ["build", "sample", "verify"]
    assert names[3:] == [step.name for step in checks.STEPS[2:]]
    assert checks.asked(["verify"], verify=True) == [checks.VERIFY]
    assert checks.VERIFY.needs == ("build",)


def test_every_test_has_a_limit(pytestconfig: pytest.Config) -> None:
    """A test that hangs is one failure after some minutes, long before the step is ended."""
    tests = [step for step in checks.STEPS if step.name.startswith("tests ")]
    assert len(tests) == checks.PARTS
    assert 0 < float(pytestconfig.getini("timeout")) < min(step.limit_seconds for step in tests)


def test_every_file_of_tests_is_run_once() -> None:
    """By one of the steps that run pytest, a new file too."""
    files = [word for step in checks.STEPS for word in step.command if "ingest/tests/test_" in word]
    assert sorted(files) == sorted(f"ingest/tests/{path.name}" for path in Path(__file__).parent.glob("test_*.py"))
