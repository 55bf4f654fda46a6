"""
The dataset that tests with known numbers rest on, whatever lies in ``data/``.

It holds the merged submissions named here, as they were merged: what they say never changes, and the state that one may
get later is left out. Beside them stand invented ones: two share all their names, and one is an excerpt of somebody
else's files, with a reply. ``python ingest/tests/dataset.py FOLDER`` writes it: the submissions to ``data/``, the
tables as a build publishes them to ``build/``, with what dbt remembers of the project in ``build/dbt``. The models'
tests are left to ``npm test``.
"""

from __future__ import annotations

import importlib
import json
import re
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tools"), str(Path(__file__).parent)]

import pyarrow.parquet as pq  # noqa: E402

import excerpted  # noqa: E402  (the project lies above this script)
import invented  # noqa: E402
from ioledger.build import checking, models, publish  # noqa: E402
from ioledger.submission import gather  # noqa: E402
from ioledger.submission.rows import raw_tables  # noqa: E402
from ioledger.tables import store  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable

    Row = dict[str, Any]

crowd: Any = importlib.import_module("crowd")

DELL = "2012-03-dell-r720"
BLOG = "2013-10-blog-s3700-corrected"
FUJITSU = "2016-03-fujitsu-p3700"
INTEL = "2019-12-intel-optane-queue-depth"
DISK = "2026-11-ioledger-virtual-disk"
PAPERS = (DELL, BLOG, FUJITSU, INTEL)
STATE = re.compile(r"^status:.*\n(?:[ \t]+.*\n)*", re.MULTILINE)
CROWD = 2


@cache
def table(build: Path, name: str) -> list[Row]:
    """Return the rows of a published mart, or of the raw table of that name where there is no mart."""
    mart = build / "marts" / f"{name}.parquet"
    rows: list[Row] = pq.read_table(mart if mart.exists() else build / "raw" / f"{name}.parquet").to_pylist()
    return rows


def merged(names: Iterable[str], data: Path) -> list[Path]:
    """Copy merged submissions into a folder of submissions, without the state that one has got since."""
    data.mkdir(parents=True, exist_ok=True)
    copies = []
    for name in names:
        folder = shutil.copytree(ROOT / "data" / name, data / name)
        manifest = folder / "manifest.yaml"
        manifest.write_text(STATE.sub("", manifest.read_text(encoding="utf-8")), encoding="utf-8")
        copies.append(folder)
    return copies


def write(folder: Path) -> Path:
    """Write submissions and build into a folder; return it. Raises AssertionError when a submission is not sound."""
    data = folder / "data"
    merged((*PAPERS, DISK), data)
    for number in range(CROWD):
        crowd.sweeps(data, number)
    excerpts = (excerpted.three_media, excerpted.reply)
    for make in (crowd.publication, invented.later, invented.reply, invented.effects, *excerpts):
        make(data)
    return built(folder)


def built(folder: Path) -> Path:
    """Build the submissions in ``data`` of a folder, without the models' tests; return the folder."""
    data, build = folder / "data", folder / "build"
    build.mkdir()
    with models.Dbt(build, ROOT / "build") as dbt:  # it reads meanwhile what differs from the project of the last build
        _build(data, build, dbt)
    for path in (build / "dbt").iterdir():
        if path.name != models.REMEMBERED:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return folder


def _build(data: Path, build: Path, dbt: models.Dbt) -> None:
    """Read the submissions, run the models, without their tests, and publish the tables."""
    gathered = gather.gather(gather.folders(data))
    assert gathered.problems == []
    built, problems = raw_tables(gathered)
    assert problems == []
    records, problems, findings = checking.run_suites(built)
    assert problems == []
    built["findings"] = store.extend_table("findings", built["findings"], findings)
    (build / "checks.json").write_text(json.dumps(records), encoding="utf-8")
    publish.fill_raw(dbt.database, built)
    done = dbt.run(("build", "--exclude-resource-type", "test", "unit_test", "--no-write-json"))
    assert done.returncode == 0, done.stdout
    publish.write(build, built, publish.marts_from(dbt.database))
    dbt.database.unlink()


if __name__ == "__main__":
    sys.stdout.write(f"{write(Path(sys.argv[1]))}\n")
