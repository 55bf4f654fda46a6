"""
Configurations (``.icf``): the settings of a test, which the result file does not repeat.

Only here stand run time, ramp-up, cycling steps, size of the test file, data pattern and which worker does what. A key
is a line that begins with an apostrophe, its values are the lines below. Every section may be missing.
Source: ``PageSetup.cpp``, ``Manager.cpp`` and ``AccessSpecList.cpp``, ``SaveConfig()``; ``ICF_ifstream.cpp``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ioledger.readers.base import Finding, Refusal
from ioledger.readers.iometer.entries import VERSION, entries, first, take_setup, take_worker
from ioledger.readers.iometer.specs import NAMES, parse_block

if TYPE_CHECKING:
    from ioledger.readers.base import Reading

_SECTION = re.compile(r"^'(?:TEST SETUP|RESULTS DISPLAY|ACCESS SPECIFICATIONS|MANAGER LIST) ={8}", re.MULTILINE)
HEAD, MAX_CHARACTERS = 1 << 16, 1 << 20


def find(text: str) -> bool:
    """Say whether a text is a configuration."""
    return not text.startswith("'Test Type,") and _SECTION.search(text, 0, HEAD) is not None


def read(text: str, reading: Reading) -> None:
    """Say what a configuration holds; it gives no results, but a cut or a template is refused."""
    reading.source_format, reading.document_count, reading.is_setup = "icf", 1, True
    if len(text) > MAX_CHARACTERS:
        what = f"the configuration has more than the {MAX_CHARACTERS:,} characters that are read"
        reading.refusals.append(Refusal("", what, "Submit the file as Iometer saved it.", "R-IOMETER-ICF-3"))
        return
    settings = parse_icf(text)
    reading.tool_version = settings.get("tool_version")
    lines = text.rstrip().split("\n")
    if len(lines) < 2 or not VERSION.fullmatch(lines[-1]) or not VERSION.fullmatch(lines[0]):  # noqa: PLR2004
        what = "the configuration does not begin and end with the version, so it is cut"
        reading.refusals.append(
            Refusal(f"line {len(lines)}", what, "Submit the file as Iometer saved it.", "R-IOMETER-ICF-1")
        )
    for line in settings["unread_lines"]:
        reading.warnings.append(Finding("R-IOMETER-ICF-2", f"line {line} was not understood", f"line {line}"))


def parse_icf(text: str) -> dict[str, Any]:
    """
    Return the settings of a configuration; what the file does not state is absent.

    Keys: ``tool_version``, ``test_description``, ``run_seconds`` (0 runs until stopped), ``ramp_seconds``,
    ``record_results``, ``test_type``, ``disk_worker_count``, ``network_worker_count``, ``worker_cycling``,
    ``target_cycling``, ``queue_depth_cycling``, ``access_specifications`` (lines by name, in bytes, percent and
    milliseconds), ``workers`` (each with its manager's number, load, test-file size in sectors, specifications and
    number of targets), and ``unread_lines`` with the numbers of lines that make no sense.
    """
    found: dict[str, Any] = {"workers": [], "unread_lines": []}
    version = VERSION.match(text)
    if version:
        found["tool_version"] = version[1]
    block: list[tuple[int, str]] = []
    manager = 0
    for entry in entries(text):
        key = entry.key
        if key.startswith(("access specification name", "size,")):
            mark = "'Access specification name" if key[0] == "a" else "'size,"
            block += [(entry.line, mark), *((entry.line + 1 + step, value) for step, value in enumerate(entry.values))]
        elif key.startswith("manager id"):
            manager += 1
        elif key == "worker":
            found["workers"].append({"manager": manager, "name": first(entry), "target_count": 0})
        elif found["workers"] and take_worker(found["workers"][-1], entry):
            continue
        elif not take_setup(found, entry):
            found["unread_lines"].append(entry.line)
    specs, findings = parse_block(block)
    found["access_specifications"] = {
        name: [dict(zip(NAMES, line, strict=True)) for line in spec.lines] for name, spec in specs.items()
    }
    found["unread_lines"] += [int(finding.pointer.removeprefix("line ")) for finding in findings]
    found["unread_lines"].sort()
    return found
