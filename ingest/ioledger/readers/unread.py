"""
What is recognised and not read yet, so that whoever has it is told so and need not guess.

Source: the files of CrystalDiskMark 5 to 8 and of Vdbench 5 (``summary.html``, ``totals.html``, ``flatfile.html``,
``histogram.html`` and what the program prints). Archives: the signatures in 7-Zip's ``7zFormat.txt`` and in RARLAB's
technote on RAR.
"""

from __future__ import annotations

import re

from ioledger.model import Refusal, narrow

_HEAD = 1 << 16
_SEEN = (
    (
        "CrystalDiskMark",
        re.compile(rb"CrystalDiskMark \d.{0,80}\(C\)[ \d-]{1,20}hiyohiyo"),
        "Run DiskSpd itself, which CrystalDiskMark starts, with -Rxml.",
    ),
    (
        "Vdbench",
        re.compile(
            rb"Vdbench [\w ]{0,40}report, created |Vdbench distribution: |'flatfile\.html' contains Vdbench"
            rb"|: Vdbench version identifier|\bStarting RD=[^;\n]{1,200};"
        ),
        "Leave it out, or hand it in beside results as an attachment; `ioledger tools` lists what is read.",
    ),
)


_PACKED = ((b"7z\xbc\xaf\x27\x1c", "7-Zip"), (b"Rar!\x1a\x07", "RAR"), (b"\x28\xb5\x2f\xfd", "zstd"))


def refusal(data: bytes) -> Refusal | None:
    """Return that these bytes are of a tool or an archive that is not read yet, and what to do; null for any other."""
    for start, archive in _PACKED:
        if data.startswith(start):
            what, remedy = (
                f"this is a {archive} archive, which is not opened",
                "Unpack it, or pack it as zip or tar.xz.",
            )
            return Refusal("", what, remedy, "R-DETECT-5")
    head = narrow(data[:_HEAD])
    for tool, shape, remedy in _SEEN:
        if shape.search(head):
            return Refusal("", f"this is output of {tool}, which is not read yet", remedy, "R-DETECT-5")
    return None
