"""What several tests share: a sound submission to copy and spoil, and the command as a person runs it."""

from __future__ import annotations

import atexit
import gc
import io
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import HealthCheck, settings

from forks import Forks
from ioledger import checks
from ioledger.readers import detect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ioledger.model import Reading
    from modelled import Modelled

    Run = Callable[..., subprocess.CompletedProcess[str]]

YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FIXTURES = Path(__file__).parent / "fixtures"
MEASURED = pytest.StashKey[str]()
"""How the documented way was measured on this machine; the summary of a run says it."""

EXAMPLES = 400 if os.environ.get("IOLEDGER_VERIFY") else 40
settings.register_profile(  # an example that takes long says something of what else runs there
    "ioledger", max_examples=EXAMPLES, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ioledger")

os.environ.pop("IOLEDGER_WORKSPACE", None)  # a person's own place is none of a test
COMMAND = Path(sys.executable).with_name("ioledger")


def pytest_collection_finish() -> None:
    """Collect garbage seldom, and never what is loaded by now: readers make many objects, and few in cycles."""
    gc.set_threshold(100_000, 20, 20)
    gc.freeze()
    atexit.register(gc.unfreeze)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say whether the documented way was measured or took recorded output, which no count of passed tests shows."""
    if MEASURED in config.stash:
        terminalreporter.write_line(f"the documented way: {config.stash[MEASURED]}")


@cache
def description(model: Path) -> dict[str, Any]:
    """Return what the YAML file beside a model says about it and its unit tests."""
    found: dict[str, Any] = yaml.load(model.with_suffix(".yml").read_text(encoding="utf-8"), YAML)  # noqa: S506
    return found


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the tests' own dataset: the one that ``npm test`` has made, or one made now."""
    from dataset import write  # noqa: PLC0415  (most tests do without it)

    made = os.environ.get("IOLEDGER_SAMPLE")
    return Path(made) if made else write(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="session")
def benches(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Modelled:
    """Return the models, with their unit tests, on benches of which it is known what is true."""
    import judged_benches  # noqa: PLC0415  (most tests do without them)
    import modelled  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("benches")
    folders = judged_benches.write(folder.with_name(f"{folder.name}-data"))
    return modelled.run(folders, folder, "--exclude-resource-type", "test", before=sample / "build")


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    """Return a copy of a small sound submission: one fio report and its manifest."""
    from hostile import sound  # noqa: PLC0415  (most tests do without the others)

    return sound(tmp_path / "2026-11-tester-disk")


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """Return what calls the command without loading it each time."""
    made = Forks(COMMAND)
    yield made
    made.close()


@pytest.fixture
def ioledger(forks: Forks) -> Run:
    """Return a function that runs ``ioledger`` with arguments and gives exit code and both outputs."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        done = forks.call(*arguments)
        outputs = (io.TextIOWrapper(io.BytesIO(output), "utf-8").read() for output in (done.stdout, done.stderr))
        return subprocess.CompletedProcess(done.args, done.returncode, *outputs)

    return run


def remember(sample: Path, build: Path) -> None:
    """Leave in ``build/`` what an earlier build leaves there: what dbt has read of the project takes it seconds."""
    from ioledger.build import models  # noqa: PLC0415  (most tests do without dbt)

    (build / "dbt").mkdir(parents=True)
    shutil.copy(sample / "build" / "dbt" / models.REMEMBERED, build / "dbt")
    (build / "ioledger.duckdb").touch()


def input_of(case: str) -> bytes:
    """Return the bytes of a fixture, such as ``fio/json-3.33``."""
    (path,) = (FIXTURES / case).glob("input.*")
    return path.read_bytes()


def ask(reading: Reading) -> None:
    """Ask a reading what its tool's figures must satisfy."""
    (reader,) = (reader for reader in detect.readers() if reading.tool == reader.TOOL)
    checks.check(reading, getattr(reader, "CHECKS", detect.NOTHING))


def spoil(folder: Path, old: str, new: str) -> None:
    """Replace text in a submission's manifest; fail when the text is not there."""
    path = folder / "manifest.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in the manifest"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


TOLD_BY_FILES = (
    "tool",
    "tool_version",
    "cache_bypass",
    "run_time_seconds",
    "process_count",
    "measurement_area_bytes",
    "data_pattern",
    "latency_kind",
    "load_axis",
)


def leave_open(folder: Path) -> None:
    """Make unknown what files tell, so that the output of any tool may be put beside the manifest."""
    path = folder / "manifest.yaml"
    text = re.sub(r"(?m)^tested_on: .*$", "tested_on: unknown", path.read_text(encoding="utf-8"))
    text = text.replace("how_known: collected", "how_known: declared")
    for field in TOLD_BY_FILES:
        text, count = re.subn(rf"(?m)^( +{field}): .*$", r"\1: {unknown: the files tell it}", text)
        assert count == 1, field
    path.write_text(text, encoding="utf-8")
