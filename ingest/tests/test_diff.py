"""The command ``ioledger diff``: builds in folders, and commits that are built aside by their own code."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

import releasing
from ioledger.cli.diff import diff

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    Run = Callable[..., CompletedProcess[str]]

BASE = releasing.rows(red=100.0, blue=50.0)
PROGRAM = """
import json, shutil, sys
from pathlib import Path

assert sys.argv[1:] == ["build", "--no-site"], sys.argv
tree = Path(__file__).parents[2]
rate = (tree / "data" / "rate").read_text().strip()
factor = (tree / "models" / "results.sql").read_text().strip()
print(f"  read         a rate of {rate}")
with (Path(KEPT) / "log").open("a") as log:
    log.write(f"{rate} {factor}\\n")
if rate == "none":
    sys.exit("there is no rate")
shutil.copytree(Path(KEPT) / f"{rate} {factor}", tree / "build")
"""
"""A project whose build copies one that a test has made, by what its data and its only model say."""


@pytest.fixture
def builds(tmp_path: Path) -> tuple[Path, Path]:
    """Return two builds, the second of which has one submission more."""
    more = releasing.rows(red=100.0, blue=50.0, green=25.0)
    return releasing.write(tmp_path / "a", BASE), releasing.write(tmp_path / "b", more)


def called(*arguments: str | Path) -> Result:
    """Call the command, and give its exit code and both outputs."""
    return CliRunner().invoke(diff, list(map(str, arguments)))


def test_its_exit_code_is_that_of_diff(ioledger: Run, builds: tuple[Path, Path]) -> None:
    """0 where nothing differs, 1 where something does, 2 when that cannot be told."""
    before, after = builds
    same = ioledger("diff", before, before)
    assert (same.returncode, same.stderr) == (0, "")
    assert "Nothing differs" in same.stdout
    differs = ioledger("diff", before, after)
    assert (differs.returncode, differs.stderr) == (1, "")
    nothing = called(before, before / "marts")
    assert (nothing.exit_code, nothing.stdout) == (2, "")
    assert "there is no manifest.json of a build" in nothing.stderr
    assert "[R-DIFFERENCE-1]" in nothing.stderr
    assert called(before).exit_code == 2
    assert called(before, after, "--json", "--markdown").exit_code == 2


def test_people_read_tables_with_every_count(builds: tuple[Path, Path]) -> None:
    """What is compared, how much differs, and why, table by table."""
    said = called(*builds).stdout
    assert "6 rows differ in 5 tables; 0 numbers and 0 words moved. Rows by cause: data 6." in said
    assert "green is new" in said
    assert "marts/quotients" in said


def test_programs_read_json(builds: tuple[Path, Path]) -> None:
    """With every row where all are asked for."""
    found: dict[str, Any] = json.loads(called(*builds, "--json", "--limit", "0").stdout)
    assert found["causes"] == {"data": 6}
    by_name = {table["name"]: table for table in found["tables"]}
    assert by_name["marts/quotients"]["added"] == 2
    assert len(by_name["marts/quotients"]["rows"]) == 2
    few = json.loads(called(*builds, "--json", "--limit", "1").stdout)
    by_name = {table["name"]: table for table in few["tables"]}
    assert (by_name["marts/quotients"]["added"], len(by_name["marts/quotients"]["rows"])) == (2, 1)


def test_a_report_is_markdown(builds: tuple[Path, Path]) -> None:
    """As a release carries it."""
    said = called(*builds, "--markdown").stdout
    assert said.startswith("# What differs from ")
    assert "| marts/quotients | 1 | 3 | 2 |" in said


class History:
    """A repository whose commits are built by a program of the test's own."""

    def __init__(self, folder: Path) -> None:
        """Make the repository, and the builds that its program gives."""
        self.checkout, self.kept = folder / "checkout", folder / "kept"
        self.kept.mkdir()
        for rate in (100.0, 200.0):
            for factor in (1, 3):
                rows = releasing.rows(red=rate, blue=50.0)
                rows["submissions"] = [releasing.submission(name, manifest_sha256=None) for name in ("red", "blue")]
                rows["files"][0] |= {"source_sha256": f"bytes with {rate}"}
                rows["marts/quotients"] = [releasing.quotient("red", "blue", rate / 50.0 * factor)]
                releasing.write(self.kept / f"{rate:.0f} select {factor}", rows, None)
        files = {
            "dbt_project.yml": "",
            "schemas/tables/none.json": "",
            "ingest/ioledger/__init__.py": "",
            "ingest/ioledger/__main__.py": PROGRAM.replace("KEPT", repr(str(self.kept))),
            "ingest/ioledger/readers/fio.py": 'TOOL = "fio"\nVERSIONS = {"json": "1"}\n',
            "models/quotients.sql": "from {{ ref('results') }}",
            "data/red/manifest.yaml": "title: red",
            "data/blue/manifest.yaml": "title: blue",
        }
        for name, text in files.items():
            path = self.checkout / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self._git("init", "-q")

    def _git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
        command = ["git", *identity, *arguments]
        done = subprocess.run(command, cwd=self.checkout, check=True, capture_output=True, text=True)  # noqa: S603
        return done.stdout.strip()

    def head_of(self, name: str) -> str:
        """Return the hash of a commit."""
        return self._git("rev-parse", name)

    @property
    def head(self) -> str:
        """The hash of the last commit."""
        return self.head_of("HEAD")

    def commit(self, name: str, rate: str, factor: int = 1) -> None:
        """Commit data and SQL under a tag."""
        (self.checkout / "data" / "rate").write_text(rate, encoding="utf-8")
        (self.checkout / "models" / "results.sql").write_text(f"select {factor}", encoding="utf-8")
        self._git("add", ".")
        self._git("commit", "-q", "-m", name)
        self._git("tag", name)

    def diff(self, *arguments: str | Path) -> Result:
        """Run the command in the repository."""
        places = ("--workspace", self.checkout, "--cache", self.kept / "cache")
        return called(*places, *arguments)

    def causes(self, *arguments: str) -> dict[str, int]:
        """Return the rows by cause between two commits."""
        done = self.diff(*arguments, "--json")
        assert done.exit_code == 1, done.stderr
        causes: dict[str, int] = json.loads(done.stdout)["causes"]
        return causes

    @property
    def built(self) -> list[str]:
        """What was built so far: data and SQL."""
        return (self.kept / "log").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def history(tmp_path: Path) -> History:
    """Return a repository without a commit."""
    return History(tmp_path)


def test_a_commit_is_built_once_and_its_build_is_said(history: History) -> None:
    """By its own code, with what that prints; the second time it is there."""
    history.commit("one", "100")
    history.commit("two", "200")
    first = history.diff("one", "two")
    assert "one: building commit " in first.stderr
    assert "one: read         a rate of 100" in first.stderr
    second = history.diff("one", "two")
    assert (second.stdout, second.stderr) == (first.stdout, "")
    assert history.built == ["100 select 1", "200 select 1"]


def test_causes_come_from_the_files_of_the_commits(history: History) -> None:
    """Their data, their SQL, and both, which are told apart by building one's data with the other's code."""
    history.commit("v1", "100")
    history.commit("v2", "200")
    history.commit("v3", "100", 3)
    assert history.causes("v1", "v2") == {"data": 4}
    assert history.causes("v1", "v3") == {"model": 1}
    assert len(history.built) == 3
    assert history.causes("v2", "v3") == {"data": 3, "data and model": 1}
    assert history.built[3:] == ["200 select 3"]


def test_a_commit_that_cannot_be_built_is_told(history: History) -> None:
    """With what its own code said; nothing of it is kept."""
    history.commit("one", "100")
    history.commit("two", "none")
    done = history.diff("one", "two")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "two: its own code does not build it: " in done.stderr
    assert "there is no rate" in done.stderr
    assert "[R-DIFFERENCE-2]" in done.stderr
    assert len(list((history.kept / "cache").iterdir())) == 1


def test_what_is_no_commit_and_no_folder_is_told(history: History) -> None:
    """A name that looks like an option is no option of git."""
    history.commit("one", "100")
    done = history.diff("--", "one", "--output=hacked")
    assert done.exit_code == 2
    assert "--output=hacked: it is no folder, and no commit of this checkout" in done.stderr
    assert not (history.checkout / "hacked").exists()


def test_a_release_says_which_commit_it_is_of(history: History, tmp_path: Path) -> None:
    """Its tables lie in download/; code and data of two releases are told apart as those of their commits."""
    releases = []
    for name, rate, factor in (("v1", "100", 1), ("v2", "200", 3)):
        history.commit(name, rate, factor)
        release = tmp_path / "releases" / name
        rows = releasing.rows(red=float(rate), blue=50.0)
        rows["marts/quotients"] = [releasing.quotient("red", "blue", float(rate) / 50.0 * factor)]
        rows["files"][0] |= {"source_sha256": f"bytes with {float(rate)}"}
        releasing.write(release / "download", rows, releasing.CODE)
        (release / "release.json").write_text(json.dumps({"commit": history.head}), encoding="utf-8")
        releases.append(release)
    found = json.loads(history.diff(*releases, "--json").stdout)
    assert [found[side]["commit"][:7] for side in ("before", "after")] == [history.head_of("v1")[:7], history.head[:7]]
    assert history.built == ["100 select 3"]
    (releases[1] / "release.json").write_text('{"commit": "--output=x"}', encoding="utf-8")
    assert json.loads(history.diff(*releases, "--json").stdout)["after"]["commit"] is None


@pytest.mark.parametrize("junk", [b"no table", b""])
def test_a_table_that_its_manifest_does_not_know_is_no_difference_and_none_the_less(
    builds: tuple[Path, Path], junk: bytes
) -> None:
    """The manifest is not believed: what cannot be compared ends with a code of its own."""
    (builds[1] / "submissions.parquet").write_bytes(junk)
    done = called(builds[0], builds[1])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "1 tables are not those of its manifest, the first is submissions.parquet" in done.stderr


def test_an_empty_name_is_not_the_current_folder(builds: tuple[Path, Path]) -> None:
    """A variable of a script that was never set."""
    assert called("", builds[0]).exit_code == 2
    assert "it is empty" in called("", builds[0]).stderr
