"""The command ``ioledger build``."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger.cli import FOLDER, Command, end_with, in_workspace, need_build_extra, refuse_call, say
from ioledger.problems import Problem
from ioledger.workspace import find

if TYPE_CHECKING:
    from ioledger.workspace import Workspace


@click.command(cls=Command)
@in_workspace
@click.option("--data", type=FOLDER, help="Submissions, inside the workspace (default: its data/).")
@click.option("--base", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Released ioledger.duckdb to compare your submissions with; it is only read.")  # fmt: skip
@click.option("--base-sha256", metavar="HEX", help="SHA-256 of that file, as the release states it.")
@click.option("--no-site", is_flag=True, help="Build the database only; leave the site unchanged.")
@click.option("--full-check", is_flag=True, help="Read every file and rebuild everything, without the cache.")
@click.option("--engine", type=click.Choice(["duckdb", "spark"]), default="duckdb", show_default=True,
              help="Engine of the models; Spark needs ioledger[spark] and builds no site.")  # fmt: skip
@click.option("--preview", is_flag=True, help="Serve the pages with live reload instead of writing them.")
def build(  # noqa: PLR0913  (one parameter per option)
    workspace: Workspace, data: Path | None, base: Path | None, base_sha256: str | None, *,
    no_site: bool, full_check: bool, engine: str, preview: bool,
) -> None:  # fmt: skip
    """
    Build database and site from the submissions of a workspace.

    A failed build leaves build/ and dist/ unchanged. A build reads only files that changed. With --base, one database
    contains your own and the released submissions, with comparisons between them.

    \b
    Examples:
      ioledger build --no-site
        publish      42 Parquet files and ioledger.duckdb                               21.0 s
      ioledger build --workspace mine --base ioledger.duckdb
        Ask the database: ioledger sql "from quotients limit 5" --workspace mine
      ioledger build --engine spark
    """  # noqa: D301
    if base_sha256 is not None and base is None:
        refuse_call("it is the hash of a --base; name that too", "--base-sha256")
    need_build_extra("build")
    if engine == "spark":
        _by_spark(workspace, data, has_base=base is not None, preview=preview)
        return
    from ioledger.build import pipeline  # noqa: PLC0415  (heavy; other commands do without)
    from ioledger.build.base import load  # noqa: PLC0415
    from ioledger.build.site import preview as serve_preview  # noqa: PLC0415

    say(f"workspace {workspace.folder}")
    under = None if base is None else load(base, base_sha256)
    if isinstance(under, Problem):
        problems = [under]
    else:
        problems = pipeline.build(
            workspace, say, data=data, under=under, site=not (no_site or preview), full_check=full_check
        )
    end_with(problems, "build/ and dist/ are unchanged.")
    if under is not None and not no_site:
        say("dist/ is as it was: a base brings no raw files for a site.")
    if preview:
        sys.exit(serve_preview(workspace))
    program = ".venv/bin/ioledger" if (workspace.folder / ".venv").is_dir() else "ioledger"
    site = "Open the site: npm start     " if (workspace.folder / "package.json").is_file() else ""
    place = "" if find() == workspace else f" --workspace {shlex.quote(str(workspace.folder))}"
    say(f'{site}Ask the database: {program} sql "from quotients limit 5"{place}')


def _by_spark(workspace: Workspace, data: Path | None, *, has_base: bool, preview: bool) -> None:
    """Build the database by Spark."""
    if has_base or preview:
        refuse_call("spark takes no --base and shows no --preview", "--engine")
    if missing := [name for name in ("pyspark", "dbt.adapters.spark") if find_spec(name) is None]:
        what = f"--engine spark needs {', '.join(missing)}, which no installation brings by itself"
        remedy = "In a checkout: pip install '.[spark]'. With a wheel: pip install 'FILE.whl[spark]'."
        end_with([Problem("build", "", what, remedy, "R-SYSTEM-2")])
    from ioledger.spark import engine  # noqa: PLC0415  (starts no Java before it is asked for)

    say(f"workspace {workspace.folder}")
    end_with(engine.build(workspace, say, data=data), "build/ is unchanged.")
    say("dist/ is unchanged: only ioledger build without --engine spark draws pages.")
