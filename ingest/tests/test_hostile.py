"""A stranger's submission can be refused, and can do nothing else."""

from __future__ import annotations

import csv
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest

import hostile
from ioledger.build import publish
from ioledger.submission import gather, safe_yaml
from ioledger.submission.rows import raw_tables

if TYPE_CHECKING:
    from conftest import Run
    from ioledger.problems import Problem

SECONDS_FOR_ALL = 10


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, list[Problem]], float]:
    """Return the problems of every hostile submission, and how long checking all of them took."""
    made = hostile.write(tmp_path_factory.mktemp("hostile"))
    started = time.process_time()
    found = {name: gather.gather([path], lambda path: path.name).problems for name, (path, _) in made.items()}
    return found, time.process_time() - started


@pytest.mark.parametrize("case", hostile.CASES)
def test_a_hostile_submission_is_refused_by_its_rule(
    case: str, checked: tuple[dict[str, list[Problem]], float]
) -> None:
    """The rule is among the problems, every problem is one printable line, and no file appeared."""
    problems = checked[0][case]
    assert hostile.CASES[case][1] in {problem.rule for problem in problems}, [str(problem) for problem in problems]
    assert all(str(problem).isprintable() for problem in problems)
    assert not Path("hacked").exists()


def test_all_of_them_are_refused_in_ten_seconds(checked: tuple[dict[str, list[Problem]], float]) -> None:
    """At least forty, none of which can keep the gate busy."""
    problems, seconds = checked
    assert len(problems) >= 40
    assert all(problems.values())
    assert seconds < SECONDS_FOR_ALL


STRINGS = (
    "<script>window.hacked=1</script>",
    "\"'><img src=x onerror=window.hacked=1 data-hacked>",
    "</script></style></textarea><svg onload=window.hacked=1 data-hacked>",
    "[link](javascript:window.hacked=1) ![i](x) **bold** `code` | cell",
    "${globalThis.hacked=1} {{constructor.constructor('hacked=1')()}} #{7*7}",
    "'; drop table results; -- \"; copy results to '/tmp/hacked'; --",
    "$(touch hacked) `touch hacked` ; touch hacked | touch hacked && touch hacked",
    "../../../../etc/passwd %2e%2e%2f file:///etc/passwd",
    "__proto__ constructor toString NaN null undefined Infinity",
)


def test_text_that_tries_to_be_something_else_stays_text(tmp_path: Path, ioledger: Run) -> None:
    """Markup, templates, SQL, shell and paths are accepted; each is in a cell, whole, and none of them is run."""
    folder = hostile.sound(tmp_path / hostile.NAME)
    report = json.loads((folder / hostile.REPORT).read_bytes())
    report["jobs"][0]["jobname"] = STRINGS[0]
    hostile.replace(folder, json.dumps(report).encode(), hostile.REPORT)
    manifest, _ = safe_yaml.load_yaml((folder / "manifest.yaml").read_bytes())
    places = [(manifest, field) for field in ("title", "summary", "submitted_by")]
    cited = manifest["citation"] = {"date": "unknown", "url": "javascript:window.hacked=1"}
    places += [(cited, field) for field in ("title", "publisher", "version", "language", "note")]
    places += [(manifest["configurations"]["ext4-file"], "setting_set")]
    for (holder, field), text in zip(places, STRINGS, strict=True):
        holder[field] = text
    (folder / "manifest.yaml").write_text(safe_yaml.dump_yaml(manifest), encoding="utf-8")
    gathered = gather.gather([folder])
    built, problems = raw_tables(gathered)
    assert (gathered.problems, problems) == ([], [])
    publish.fill_raw(tmp_path / "scratch.duckdb", built)
    with duckdb.connect(tmp_path / "scratch.duckdb", read_only=True) as connection:
        rows = {name: connection.execute(f'from raw."{name}"').fetchall() for name in built}
    assert {name: len(found) for name, found in rows.items()} == {name: each.num_rows for name, each in built.items()}
    assert {*STRINGS, cited["url"]} <= {cell for found in rows.values() for row in found for cell in row}
    done = ioledger("parse", folder / hostile.REPORT, "-o", tmp_path / "rows.csv", "-o", tmp_path / "rows.jsonl")
    assert done.returncode == 0, done.stderr
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as opened:
        names = [row["test_name"] for row in csv.DictReader(opened)]
    lines = (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert names == [json.loads(line)["test_name"] for line in lines] == [STRINGS[0]] * 2
    assert not any(path.exists() for path in (Path("hacked"), Path("/tmp/hacked")))  # noqa: S108  (the string names it)
