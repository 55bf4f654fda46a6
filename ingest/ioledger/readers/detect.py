"""
Choose the reader of a file: exactly one, or a refusal.

Readers are the modules and packages of :mod:`ioledger.readers`; nothing lists them. A reader looks at the content only,
because names lie: fio's JSON is found in ``.txt``, ``.log`` and files without a suffix.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache
from typing import TYPE_CHECKING, Protocol, cast

from ioledger import checks
from ioledger import readers as package
from ioledger.model import Checks, Reading, Refusal, narrow
from ioledger.readers import coerce, concurrent, fio

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ioledger.model import Result, Source

_HEAD = 1 << 16
_UNPACK = "Unpack it, or pack it as zip or tar.xz."
_UNSUPPORTED = (
    (rb"\A7z\xbc\xaf\x27\x1c", "this is a 7-Zip archive, which is not opened", _UNPACK),
    (rb"\ARar!\x1a\x07", "this is a RAR archive, which is not opened", _UNPACK),
    (rb"\A\x28\xb5\x2f\xfd", "this is a zstd archive, which is not opened", _UNPACK),
    (
        rb"CrystalDiskMark \d.{0,80}\(C\)[ \d-]{1,20}hiyohiyo",
        "this is output of CrystalDiskMark, which is not read yet",
        "Run DiskSpd itself, which CrystalDiskMark starts, with -Rxml.",
    ),
    (
        (
            rb"Vdbench [\w ]{0,40}report, created |Vdbench distribution: |'flatfile\.html' contains Vdbench"
            rb"|: Vdbench version identifier|\bStarting RD=[^;\n]{1,200};"
        ),
        "this is output of Vdbench, which is not read yet",
        "Remove it, or submit it as an attachment; `ioledger tools` lists the formats that are read.",
    ),
)


def refuse_unsupported(data: bytes) -> Refusal | None:
    """Return that these bytes are of a tool or an archive that is not read yet, and what to do; null for any other."""
    head = narrow(data[:_HEAD])
    found = ((what, remedy) for shape, what, remedy in _UNSUPPORTED if re.search(shape, head))
    return next((Refusal("", what, remedy, "R-DETECT-5") for what, remedy in found), None)


HEAD_BYTES = 1 << 20
"""Where a format shows itself, unless something else wrote before it."""
MAX_FILE_BYTES = 512 << 20
MAX_TEXT_BYTES, MAX_LINES = 64 << 20, 1_000_000
"""Of a file that is more than one JSON report of fio: reading a text takes many times its size."""
NOTHING = Checks({}, {})
"""A reader without ``CHECKS`` has no checks, such as that of publications."""


class Reader(Protocol):
    """
    What a module in :mod:`ioledger.readers` offers; ``CHECKS`` too, where figures of the tool can be asked.

    ``VERSIONS`` says which version reads a format, by the first word of that. It is raised whenever the same bytes give
    other rows; a number that moved is then known to have moved because of it.
    """

    TOOL: str
    FORMATS: tuple[str, ...]
    VERSIONS: Mapping[str, str]

    def claims(self, head: bytes) -> bool:
        """Say whether these first bytes (1 MiB at most) are this tool's output."""

    def read(self, source: Source) -> Reading:
        """Turn a whole file into the normal form; bad bytes give refusals, never exceptions."""


@cache
def readers() -> tuple[Reader, ...]:
    """Return every reader, sorted by name: the modules of this package that have ``claims``."""
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    modules = (importlib.import_module(f"{package.__name__}.{name}") for name in names)
    return tuple(cast("Reader", module) for module in modules if hasattr(module, "claims"))


def detect(source: Source) -> Reader | Refusal:
    """Return the reader that recognises the file, or a refusal."""
    if not source.data.strip(b"\0 \t\r\n"):
        return Refusal("", "the file is empty", "Submit the file as the tool wrote it.", "R-DETECT-2")
    claimants = [reader for reader in readers() if reader.claims(source.data[:HEAD_BYTES])]
    if len(claimants) == 1:
        lines = source.data.count(b"\n") + source.data.count(b"\r")
        if len(source.data) <= MAX_TEXT_BYTES and lines <= MAX_LINES:
            return claimants[0]
        what = f"the text has {len(source.data):,} bytes and {lines:,} lines, more than the {MAX_TEXT_BYTES:,} or"
        what += f" {MAX_LINES:,} that are read"
        return Refusal("", what, "Split the file, or submit fio's JSON report.", "R-DETECT-4")
    if claimants:
        names = " and ".join(reader.TOOL for reader in claimants)
        return Refusal("", f"{names} both recognise this file", "Submit one tool's output per file.", "R-DETECT-3")
    return refuse_unsupported(source.data) or Refusal(
        "",
        "no reader recognises this file",
        "Submit the tool's own output, unedited; `ioledger tools` lists the formats that are read.",
        "R-DETECT-1",
    )


def read(source: Source) -> Reading:
    """
    Read a file with the reader that claims it; what no table can hold is taken out.

    A file that is one JSON report of fio, and most are, can hold nothing else: no other reader is asked, or loaded.

    Always returns a reading; a file that nothing can read has no results and at least one refusal. A reader that fails
    is this project's fault, and the refusal says so instead of showing a traceback.
    """
    tool, checks_of, versions = fio.TOOL, fio.CHECKS, fio.VERSIONS
    try:
        reading = fio.read_whole(source)
        if reading is None:
            reader = detect(source)
            if isinstance(reader, Refusal):
                return Reading(tool="unknown", refusals=[reader])
            tool, checks_of, versions = reader.TOOL, getattr(reader, "CHECKS", NOTHING), dict(reader.VERSIONS)
            reading = fio.read_parts(source) if tool == fio.TOOL else reader.read(source)
        reading.versions = versions
        coerce.fit(reading)
        if any(result.origin for result in reading.results[:1]):
            _check_excerpt(reading)
        else:
            checks.check(reading, checks_of)
            concurrent.add(reading, without=source.without)  # of figures that nothing refutes
    except Exception as error:  # noqa: BLE001  (the last line of defence for files of strangers)
        what = f"the {tool} reader failed ({type(error).__name__})"
        remedy = "This is a fault of ioledger: please report it with the file."
        return Reading(tool=tool, refusals=[Refusal("", what, remedy, "R-READ-1")])
    return reading


def _check_excerpt(reading: Reading) -> None:
    """Check excerpted results as those of their tools' files; add only findings that the excerpt does not state yet."""
    checks_of = {reader.TOOL: getattr(reader, "CHECKS", NOTHING) for reader in readers()}
    repetitions = {result.pointer: result.repetition for result in reading.results}
    known = {(finding.rule, repetitions.get(finding.pointer)) for finding in reading.warnings}
    by_tool: dict[str, list[Result]] = {}
    for result in reading.results:
        by_tool.setdefault(result.origin.tool if result.origin else "", []).append(result)
    for tool, results in by_tool.items():
        asked = Reading(tool=tool, results=results)
        checks.check(asked, checks_of.get(tool, NOTHING))
        reading.warnings += [
            finding
            for finding in asked.warnings
            if (finding.rule, repetitions.get(finding.pointer, finding.pointer)) not in known
        ]


def too_large(size: int) -> Refusal | None:
    """Say when this many bytes are more than what is read into memory (512 MiB)."""
    if size <= MAX_FILE_BYTES:
        return None
    what = f"the file has {size:,} bytes, more than the {MAX_FILE_BYTES:,} that are read"
    return Refusal("", what, "Split the run into several files.", "R-DETECT-4")
