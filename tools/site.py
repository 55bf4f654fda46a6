"""Build the pages of a finished database alone: ``tools/site.py BUILD DATA DIST``; ``DIST`` is replaced."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from ioledger.build.site import Site
from ioledger.system import scratch_folder


def main() -> int:
    """Build the site of the folders on the command line; return the exit code."""
    made, data, dist = (Path(name).absolute() for name in sys.argv[1:4])
    started = time.monotonic()
    with scratch_folder(dist.parent) as aside:
        with Site(data, made, aside / "dist") as pages:
            problems, found = pages.build()
        if problems:
            sys.stderr.write("".join(f"{problem}\n" for problem in problems))
            return 1
        if dist.exists():
            dist.rename(aside / "replaced")
        (aside / "dist").rename(dist)
    sys.stdout.write(f"{found} in {time.monotonic() - started:.1f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
