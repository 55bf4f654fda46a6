"""
dbt as a process that is kept: it reads the project once, and runs what standard input asks for on the database named.

dbt takes seconds to start and seconds more to read the project, so the build starts this process first and reads files
meanwhile; the models and their documentation then share what was read. A request is a line of JSON with dbt's
arguments. What dbt prints goes to standard output, and a line that begins with ``ENDED`` ends an answer: behind it, as
JSON, stand whether dbt succeeded and what it says of each model and test. When standard input ends, so does the
process, at once where it is busy: whoever asked is gone.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import MutableMapping

ENDED = "\x00ended "
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


def main() -> None:
    """Read the project, then answer requests until standard input ends."""
    slim(os.environ)
    gc.disable()  # the whole project stays in memory anyway; looking for what could go only costs time
    requests: SimpleQueue[str] = SimpleQueue()
    idle = Event()
    Thread(target=_listen, args=(requests, idle), daemon=True).start()
    from dbt.cli.main import dbtRunner  # noqa: PLC0415  (takes seconds, and nothing else of the package needs it)

    os.environ.pop(PATH, None)  # what was read before holds only for the same variables
    read: Any = dbtRunner().invoke(["parse", "--no-write-json", *FIXED])
    os.environ[PATH] = sys.argv[1]
    idle.set()
    while request := requests.get():
        idle.clear()
        done = read
        if read.success and not read.exception:
            done = dbtRunner(manifest=read.result).invoke([*json.loads(request), *FIXED])
        answer = _answer(done)
        idle.set()  # before whoever asked can know it
        print(answer, flush=True)  # noqa: T201  (the protocol)
    _leave()


def slim(variables: MutableMapping[str, str]) -> None:
    """Remove the variables that dbt and its database do not need."""
    for name in [name for name in variables if not name.upper().startswith(NEEDED)]:
        del variables[name]


def _leave() -> None:
    """Close the database and end, without taking the project apart first, which takes most of a second."""
    from dbt.adapters.duckdb.connections import DuckDBConnectionManager  # noqa: PLC0415  (as above)

    connections: Any = DuckDBConnectionManager
    connections.close_all_connections()
    sys.stdout.flush()
    os._exit(0)


def _listen(requests: SimpleQueue[str], idle: Event) -> None:
    """Hand on each line of standard input, and an empty one at its end."""
    for line in sys.stdin:
        requests.put(line)
    if not idle.is_set():
        os._exit(1)
    requests.put("")


def _answer(done: Any) -> str:  # noqa: ANN401  (dbt's own result)
    nodes = [
        {"unique_id": node.node.unique_id, "status": str(node.status), "message": str(node.message)}
        for node in getattr(done.result, "results", ())
    ]
    told = f"{done.exception}\n" if done.exception else ""
    return f"{told}{ENDED}{json.dumps([bool(done.success), nodes])}"


if __name__ == "__main__":
    main()
