"""What reading gives: a record of each file, and chunks of many with their rows."""

from __future__ import annotations

import msgspec

from ioledger.loading.archives import shown
from ioledger.problems import Problem  # noqa: TC001  (msgspec reads the annotations)


class File(msgspec.Struct):
    """
    What became of one file, or of one member of a container: what it gave, and what is wrong with it.

    ``reason`` and ``rule`` say why it was refused (for the first of its problems) or ignored (without a problem).
    """

    source_path: str
    """Place of the file, or of the container that holds it."""
    source_sha256: str | None = None
    result_count: int = 0
    finding_count: int = 0
    problems: list[Problem] = []
    member_path: str | None = None
    """Place inside the container; null for a file that lies in a folder."""
    status: str = "read"
    """``read``, ``refused`` or ``ignored``."""
    rule: str | None = None
    reason: str | None = None
    duplicate_of: str | None = None
    """Name of the first file with the same bytes, whose rows stand for both."""
    is_setup: bool = False
    """Whether it says how to measure, as a job file does, and has no results by nature."""
    repetition_id: str | None = None
    """Of a log the repetition that it belongs to: two logs with the same bytes may be those of two threads."""
    container: str | None = None
    """Of a container its form, as ``tar.xz``, whose members have records of their own; null for every other file."""
    passed_over: dict[str, int] = {}
    """Of a container how many members are not looked at, by what they are."""

    @property
    def name(self) -> str:
        """What messages call it: ``archive.tar.xz!dir/run.json`` for a member."""
        return shown(self.source_path, self.member_path)


class Chunk(msgspec.Struct):
    """What some files gave: a record of each, results as JSON lines, and tables by name as Arrow IPC streams."""

    files: list[File] = []
    lines: bytes = b""
    tables: dict[str, bytes] = {}

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with these files, in their order."""
        return [problem for file in self.files for problem in file.problems]
