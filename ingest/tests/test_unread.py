"""Output of tools that are not read yet is recognised by its content, and said to be theirs."""

from __future__ import annotations

import pytest

from conftest import FIXTURES, input_of
from ioledger.model import Source
from ioledger.readers import detect

CRYSTAL, VDBENCH = "CrystalDiskMark", "Vdbench"
OTHERS = {
    "the console": b"Vdbench distribution: vdbench50407 Tue Jun 05  9:49:29 MDT 2018\n",
    "totals": b"<pre>\nRun totals\n\n<i><b>13:49:00.013 Starting RD=rd1; I/O rate: 50; elapsed=60</b></i>\n",
    "a flat file": b"<pre>\n*\n* 'flatfile.html' contains Vdbench generated information in columns.\n",
    "an older flat file": b"<pre>\n* Run       : Name of run from RD=\n* version   : Vdbench version identifier\n",
}


def _told(data: bytes) -> list[str]:
    return [each.what for each in detect.read(Source("input", data)).refusals if each.rule == "R-DETECT-5"]


@pytest.mark.parametrize(
    ("tool", "data"),
    [
        (CRYSTAL, input_of("rejected/crystaldiskmark-text")),
        (CRYSTAL, input_of("rejected/crystaldiskmark-text").decode().encode("utf-16")),
        (VDBENCH, input_of("rejected/vdbench-summary")),
        *((VDBENCH, data) for data in OTHERS.values()),
    ],
)
def test_the_usual_files_are_said_to_be_of_their_tool(tool: str, data: bytes) -> None:
    """Whatever the file is called, and in UTF-16 too."""
    assert _told(data) == [f"this is output of {tool}, which is not read yet"]


@pytest.mark.parametrize(
    ("start", "name"),
    [(b"7z\xbc\xaf\x27\x1c\0\4", "7-Zip"), (b"Rar!\x1a\x07\x01\0", "RAR"), (b"Rar!\x1a\x07\0", "RAR")],
)
def test_an_archive_that_is_not_opened_is_said_to_be_one(start: bytes, name: str) -> None:
    """With what to do; text that begins with its letters is none."""
    (refusal,) = detect.read(Source("runs", start + bytes(range(256)))).refusals
    assert (refusal.what, refusal.rule) == (f"this is a {name} archive, which is not opened", "R-DETECT-5")
    assert refusal.remedy == "Unpack it, or pack it as zip or tar.xz."
    assert _told(b"Rar! said the reader of 7z archives\n") == []


def test_what_only_names_a_tool_is_none_of_its_files() -> None:
    """A note about them is a note; output of a tool that is read stays what it is."""
    assert _told(b"We compared fio with CrystalDiskMark 8.0.4 and Vdbench.\n") == []
    assert _told((FIXTURES / "submission" / "report.json").read_bytes()) == []
