"""
dbt as a process that is started early: it reads the project, then runs the commands of one request on a database.

dbt takes seconds to start and seconds more to read the project, so the build starts this process first and reads files
meanwhile; the models and their documentation then share what was read. The request is a line of JSON: a list of lists
of dbt's arguments, each run where the one before succeeded. What dbt prints goes to standard output, and at its end,
behind ``ENDED``, stand as JSON whether dbt succeeded and what it says of each model and test of the first command. When
standard input ends before, so does the process: whoever asked is gone. ``profiles.yml`` names this module as a plug-in
of dbt-duckdb, too: every connection of dbt knows the functions of comparisons.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from threading import Thread
from typing import TYPE_CHECKING, Any

from dbt.adapters.duckdb.connections import DuckDBConnectionManager
from dbt.adapters.duckdb.plugins import BasePlugin
from dbt.cli.main import dbtRunner

from ioledger.build import ENDED
from ioledger.build.functions import register

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    import duckdb

PATH = "IOLEDGER_DBT_PATH"
NEEDED = (
    "DBT_", "DUCKDB_", "HOME", "IOLEDGER_", "LANG", "LC_", "PATH", "PYTHON", "SYSTEMROOT", "TEMP", "TMP", "TZ",
    "USERPROFILE",
)  # fmt: skip
"""
How the names of variables begin that are left to dbt. For each macro that a package does not have, it looks through all
of them for secrets: a sixth of the models' time with the ninety that npm leaves.
"""
FIXED = ("--warn-error", "--log-level", "none", "--log-level-file", "none", "--profiles-dir", ".", "--project-dir", ".")
"""
The project that the working directory is, and no log, which took a sixth of the models' time: what fails is in the
answer.
"""


class Plugin(BasePlugin):  # type: ignore[misc]  # (dbt is not read for types)
    """What dbt-duckdb asks for by this name."""

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        """Register the functions."""
        register(conn)


def main() -> None:
    """Read the project, answer the request, and end without taking the project apart, which takes most of a second."""
    slim(os.environ)
    gc.disable()  # the whole project stays in memory anyway; looking for what could go only costs time
    os.environ.pop(PATH, None)  # what was read before holds only for the same variables
    done: Any = dbtRunner().invoke(["parse", "--no-write-json", *FIXED])
    os.environ[PATH] = sys.argv[1]
    request, project, nodes = sys.stdin.readline(), done.result, list[dict[str, str]]()
    Thread(target=_end_with_caller, daemon=True).start()
    for command in json.loads(request or "[]"):
        if done.success and not done.exception:
            done = dbtRunner(manifest=project).invoke([*command, *FIXED])
            nodes = nodes or [
                {"unique_id": node.node.unique_id, "status": str(node.status), "message": str(node.message)}
                for node in getattr(done.result, "results", ())
            ]
    failure = f"{done.exception}\n" if done.exception else ""
    print(f"{failure}{ENDED}{json.dumps([bool(done.success), nodes])}")  # noqa: T201  (the protocol)
    connections: Any = DuckDBConnectionManager
    connections.close_all_connections()
    sys.stdout.flush()
    os._exit(0)


def _end_with_caller() -> None:
    sys.stdin.read()
    os._exit(1)


def slim(variables: MutableMapping[str, str]) -> None:
    """Remove the variables that dbt and its database do not need."""
    for name in [name for name in variables if not name.upper().startswith(NEEDED)]:
        del variables[name]


if __name__ == "__main__":
    main()
