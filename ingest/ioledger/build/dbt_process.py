"""
dbt as a process that is kept: it reads the project once, and runs what standard input asks for.

dbt takes seconds to start and seconds more to read the project, so the build starts this process first and reads files
meanwhile; the models and their documentation then share what was read. A request is a line of JSON with dbt's
arguments. What dbt prints goes to standard output, and a line that begins with ``ENDED`` ends an answer: ``True`` or
``False`` behind it says whether dbt succeeded.
"""

from __future__ import annotations

import gc
import json
import sys
from typing import Any

ENDED = "\x00ended "
FIXED = ("--quiet", "--no-use-colors", "--log-level-file", "warn", "--profiles-dir", ".", "--project-dir", ".")
"""No debug log, which took a sixth of the models' time, and the project that the working directory is."""


def main() -> None:
    """Read the project, then answer requests until standard input ends."""
    gc.disable()  # the whole project stays in memory anyway; looking for what could go only costs time
    from dbt.cli.main import dbtRunner  # noqa: PLC0415  (takes seconds, and nothing else of the package needs it)

    read = dbtRunner().invoke(["parse", "--no-write-json", *FIXED])
    for line in sys.stdin:
        _answer(read if read.exception or not read.success else _invoke(read.result, json.loads(line)))


def _invoke(manifest: Any, arguments: list[str]) -> Any:  # noqa: ANN401  (dbt's own objects)
    from dbt.cli.main import dbtRunner  # noqa: PLC0415  (see main)

    return dbtRunner(manifest=manifest).invoke([*arguments, *FIXED])


def _answer(done: Any) -> None:  # noqa: ANN401  (dbt's own result)
    if done.exception:
        print(done.exception)  # noqa: T201  (the protocol)
    print(f"{ENDED}{bool(done.success)}", flush=True)  # noqa: T201  (the protocol)


if __name__ == "__main__":
    main()
