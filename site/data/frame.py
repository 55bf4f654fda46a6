# ruff: noqa: INP001  (a module of the site's scripts)
"""
The frame of the pages: what the site's framework makes of the source tree, which takes a processor for 15 seconds.

It is made of no data, so it is kept between builds: of the same sources the framework makes the same files. What has
changed in the tree, in the framework's configuration or in the packages makes it anew.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

from ioledger.build import add_files, identify_node, list_sources
from ioledger.build.site import FRAMEWORK
from ioledger.system import scratch_folder
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

KEPT = ROOT / "node_modules" / ".cache" / "ioledger" / "frames"
CODE = ("observablehq.config.js", "package-lock.json", "site/components", "site/messages", "tools/hermetic.mjs")
"""What a frame is made of beside the tree: the configuration with all that it imports, and the packages."""


def build(aside: Path, dist: Path, *, anew: bool) -> int:
    """Make the frame of the tree in ``aside`` into ``dist``, or take the kept one; return the framework's exit code."""
    place = KEPT / key(aside)
    if not anew and not dist.exists() and _taken(place, dist):
        print("the frame is that of an earlier build, whose sources were the same", flush=True)  # noqa: T201
        return 0
    code = subprocess.run(["node", str(FRAMEWORK), "build"], check=False).returncode  # noqa: S603, S607
    if code == 0:
        with suppress(OSError):  # one that cannot be kept is made anew
            _keep(dist, place)
    return code


def key(aside: Path) -> str:
    """Return the hash of all that the frame is made of."""
    digest = hashlib.sha256(identify_node().encode())
    for name in ("tree", "frame.json"):
        add_files(digest, aside, list_sources(aside / name))
    for name in CODE:
        add_files(digest, ROOT, list_sources(ROOT / name))
    return digest.hexdigest()


def _taken(place: Path, dist: Path) -> bool:
    """Copy a kept frame, whose pages are then drawn; return whether one was there to the end."""
    try:
        shutil.copytree(place, dist)
    except OSError:
        shutil.rmtree(dist, ignore_errors=True)
        return False
    return True


def _keep(dist: Path, place: Path) -> None:
    """Put a copy of a frame in its place, and away the one that was kept before."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with scratch_folder(place.parent) as aside:
        shutil.copytree(dist, aside / "made")
        for old in place.parent.iterdir():
            if not old.name.startswith("."):
                old.rename(aside / old.name)
        (aside / "made").rename(place)
