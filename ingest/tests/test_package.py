"""The package as others get it: a wheel, in an environment of its own, far from the repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from packaging.requirements import Requirement

import gated
import ioledger as package
from conftest import COMMAND, FIXTURES
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    Installed = Callable[..., subprocess.CompletedProcess[str]]

REPORT = FIXTURES / "submission" / "report.json"
LARGEST_WHEEL_BYTES = 2_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel, built without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    _build("wheel", ROOT, folder)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """
    Return a function that runs a program in an environment that holds the wheel and its core dependencies only.

    They are links to the packages of the environment that runs the tests, so that nothing is fetched.
    """
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    (site,) = (folder / "venv").rglob("site-packages")
    for name in list_needed("ioledger", set()) - {"ioledger"}:
        found = distribution(name)
        for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            (site / top).symlink_to(str(found.locate_file(top)))
    python = folder / "venv" / "bin" / "python"
    options = ["--offline", "--no-deps", "--no-index", "--quiet", "--python", str(python)]
    subprocess.run([COMMAND.with_name("uv"), "pip", "install", *options, str(wheel)], check=True)  # noqa: S603
    empty, home = folder / "empty", folder / "home"
    empty.mkdir()
    home.mkdir()

    def run(program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [str(python.with_name(program)), *map(str, arguments)]
        environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=empty, env=environment)  # noqa: S603

    return run


def list_needed(name: str, seen: set[str]) -> set[str]:
    """Return a package and what it needs here without any extra."""
    seen.add(name)
    for requirement in map(Requirement, distribution(name).requires or ()):
        needed = requirement.name.lower()
        if needed not in seen and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            list_needed(needed, seen)
    return seen


def test_the_wheel_holds_what_the_package_reads_and_no_test(wheel: Path) -> None:
    """Every schema, rule, model and script of the checkout, and nothing that only the repository needs."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert wheel.stat().st_size < LARGEST_WHEEL_BYTES
    code = {path.relative_to(ROOT / "ingest") for path in (ROOT / "ingest" / "ioledger").rglob("*")}
    read = {
        Path("ioledger") / path.relative_to(ROOT) for name in ("schemas", "models") for path in (ROOT / name).rglob("*")
    }
    files = {path.as_posix() for path in code | read if path.suffix and path.suffix != ".pyc"}
    assert "ioledger/py.typed" in files
    metadata = {name for name in names if name.startswith("ioledger-")}
    assert names - metadata == files | {"ioledger/dbt_project.yml", "ioledger/profiles.yml"}


def test_the_source_archive_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    """It lists what it holds, so that the dataset and the site stay out of it."""
    _build("sdist", ROOT, tmp_path)
    (archive,) = tmp_path.glob("*.tar.gz")
    shutil.unpack_archive(archive, tmp_path, filter="data")
    (source,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert not {"data", "site", "bench", "tools"} & {path.name for path in source.iterdir()}
    _build("wheel", source, tmp_path)
    assert _bytes(tmp_path / wheel.name) == _bytes(wheel)


def _build(kind: str, source: Path, folder: Path) -> None:
    command = [sys.executable, "-c", f"import hatchling.build as b, sys; b.build_{kind}(sys.argv[1])", str(folder)]
    subprocess.run(command, cwd=source, check=True)  # noqa: S603


def _bytes(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("RECORD")}


def test_the_small_installation_reads_files_from_an_empty_folder(installed: Installed) -> None:
    """Lines and Parquet, without pandas, dbt or the repository."""
    missing = installed("python", "-c", "import pandas")
    assert "No module named 'pandas'" in missing.stderr
    where = installed("python", "-c", "import ioledger; print(ioledger.__file__)")
    assert str(ROOT) not in where.stdout
    assert "site-packages" in where.stdout
    lines = installed("ioledger", "parse", REPORT)
    assert (lines.returncode, lines.stdout.count("\n"), lines.stderr) == (0, 2, "")
    written = installed("python", "-m", "ioledger", "parse", REPORT, "-o", "x.parquet", "--table", "findings", "f.csv")
    assert (written.returncode, written.stderr) == (0, "")
    count = "import pyarrow.parquet as pq, sys; print(pq.read_table('x.parquet').num_rows, 'pandas' in sys.modules)"
    assert installed("python", "-c", count).stdout == "2 False\n"


GATE_SECONDS = 3.0


def test_the_small_installation_gates_two_folders_and_writes_a_page_in_a_moment(
    installed: Installed, tmp_path: Path
) -> None:
    """Forty files a side, in an empty environment and folder; seconds are those of processors."""
    sides = gated.paired(tmp_path, gated.rates(40, 0.01, 1), gated.rates(40, 0.01, 2))
    begun = os.times()
    done = installed("ioledger", "gate", *sides, "--junit", "gate.xml", "--markdown", "gate.md")
    ended = os.times()
    assert (done.returncode, done.stderr) == (0, "")
    assert "40 and 40 runs" in done.stdout
    taken = ended.children_user + ended.children_system - begun.children_user - begun.children_system
    assert taken < GATE_SECONDS
    page = installed("ioledger", "report", *sides, "-o", "change.html")
    assert (page.returncode, page.stdout, page.stderr) == (0, "change.html\n", "")
    called = "import ioledger, sys; v = ioledger.gate(*sys.argv[1:]); print(v.change, 'pandas' in sys.modules)"
    assert installed("python", "-c", called, *sides).stdout == "equal False\n"


def test_the_small_installation_has_every_command_of_a_contributor(installed: Installed, submission: Path) -> None:
    """Tools, rules, a plan, a manifest, and the check of a folder that lies anywhere."""
    assert installed("ioledger", "--version").stdout == f"ioledger {package.__version__}\n"
    for command in ("tools", "rules"):
        here = subprocess.run([COMMAND, command], capture_output=True, text=True, check=True)  # noqa: S603
        assert installed("ioledger", command).stdout == here.stdout
    planned = installed("ioledger", "plan", "database", "--tool", "fio", "--target", "test.dat", "--quick")
    assert (planned.returncode, planned.stdout.splitlines()[0]) == (0, "plan/database.fio")
    if sys.platform == "linux":
        collected = installed("ioledger", "collect", REPORT, "-o", "manifest.yaml", "--submitted-by", "Ann")
        assert (collected.returncode, "Traceback" in collected.stderr) == (0, False)
    checked = installed("ioledger", "check", submission)
    assert (checked.returncode, checked.stderr.splitlines()[-1]) == (0, "1 submission checked, 0 problems")


def test_the_small_installation_knows_a_build_and_checks_a_release(installed: Installed, sample: Path) -> None:
    """What tables are known by needs neither dbt nor Great Expectations; a build alone is no release."""
    known = installed("ioledger", "digest", sample / "build", "--json")
    stated = json.loads((sample / "build" / "manifest.json").read_bytes())
    assert (known.returncode, json.loads(known.stdout)["release_id"]) == (0, stated["release_id"])
    checked = installed("ioledger", "verify", sample / "build")
    assert (checked.returncode, "Traceback" in checked.stderr) == (1, False)
    assert "SHA256SUMS: it is missing" in checked.stderr


@pytest.mark.parametrize("command", [["build"], ["check", "--plausibility", "."]])
def test_a_command_that_needs_the_extra_says_so(installed: Installed, command: list[str]) -> None:
    """One line with what to install, for a checkout and for a wheel."""
    done = installed("ioledger", *command)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.endswith(
        "In a checkout: pip install '.[build]'. With a wheel: pip install 'FILE.whl[build]'.  [R-SYSTEM-2]\n"
    )
    assert done.stderr.count("\n") == 1


def test_a_checkout_that_was_copied_is_set_up_anew(tmp_path: Path) -> None:
    """Its ``.venv`` names the folder it came from, whose code would run; in place a second set-up does nothing."""
    node = shutil.which("node")
    assert node
    names = ("package-lock.json", "requirements.lock", "pyproject.toml", "tools", "node_modules/.ioledger-lock")
    copied = (*names, ".venv/.ioledger-lock", ".venv/bin/python")
    for name in copied:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile)(ROOT / name, tmp_path / name)
    environment = {"PATH": str(Path(node).parent / "nothing"), "PYTHON": "nothing"}
    command = [node, "tools/bootstrap.mjs"]
    begun = "setup: installing the site's packages (npm ci)\nsetup: installing the Python packages into .venv\n"
    for place, code, printed in ((ROOT, 0, ""), (tmp_path, 1, begun)):
        done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
        assert (done.returncode, done.stdout) == (code, printed), done.stderr
