"""
Runs ``ingest/spark_tests`` in an environment of their own: ``.spark``, made from ``requirements-spark.lock``.

It needs a Java of at least 17 on the path. pyspark comes as source and is built on arrival: it is the Java archives
with Python beside them. Arguments go to pytest.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE, LOCK = ROOT / ".spark", ROOT / "requirements-spark.lock"
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=256m"
"""
Many small queries: what Java would gain from compiling them well, it would lose by compiling. Where the room for what
is compiled is full, it compiles nothing more.
"""


def steps(python: Path) -> list[list[str]]:
    """Return the commands that fill the environment of this interpreter."""
    uv = [
        sys.executable,
        "-m",
        "uv",
        "--no-config",
        "pip",
        "sync",
        "--python",
        str(python),
        "--require-hashes",
        str(LOCK),
    ]
    own = [str(python), "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
    return [uv, own]


def main(arguments: list[str]) -> int:
    """Make the environment where the lock has changed, then run the tests; return their exit code."""
    python = PLACE / ("Scripts" if os.name == "nt" else "bin") / "python"
    stamp, key = PLACE / ".lock-of", hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != key:
        venv.create(PLACE, clear=True)
        for step in steps(python):
            subprocess.run(step, check=True)  # noqa: S603  (no shell, and nothing a stranger wrote)
        stamp.write_text(key, encoding="utf-8")
    command = [str(python), "-m", "pytest", "ingest/spark_tests", *arguments]
    return subprocess.run(command, check=False, cwd=ROOT, env={"JAVA_TOOL_OPTIONS": QUICK} | os.environ).returncode  # noqa: S603


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
