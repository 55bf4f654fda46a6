"""A file's bytes are read whole; what lies beside results is told by its content, else by its name."""

from __future__ import annotations

import io
import json
import os
import zipfile
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from conftest import FIXTURES
from ioledger.loading.files import (
    NOTEBOOK,
    PAGE,
    PICTURE,
    PROGRAM,
    PROSE,
    SCRIPT,
    SHEET,
    SUBMISSION,
    TABLES,
    ignored_kind,
    load,
)
from ioledger.model import Source
from ioledger.problems import Problem

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("size", [0, 65_535, 65_537, 3_000_000])
def test_a_file_of_any_size_is_read_whole(tmp_path: Path, size: int) -> None:
    """Sizes around what is read first, and far above it."""
    path = tmp_path / "file"
    path.write_bytes(os.urandom(size))
    loaded = load(str(path))
    assert isinstance(loaded, Source)
    assert loaded.data == path.read_bytes()


@pytest.mark.parametrize("size", [10, 200_000])
def test_a_pipe_that_a_shell_hands_over_is_read_to_its_end(size: int) -> None:
    """What comes from ``<(...)`` has no size and comes in pieces."""
    data = os.urandom(size)
    reading, writing = os.pipe()

    def write() -> None:
        with open(writing, "wb") as stream:  # noqa: PTH123  (a descriptor)
            stream.write(data)

    writer = Thread(target=write)
    writer.start()
    loaded = load(f"/dev/fd/{reading}")
    writer.join()
    os.close(reading)
    assert isinstance(loaded, Source)
    assert loaded.data == data


def test_a_named_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    """Nobody writes it; the remedy is standard input."""
    os.mkfifo(tmp_path / "pipe")
    loaded = load(str(tmp_path / "pipe"))
    assert isinstance(loaded, Problem)
    assert (loaded.what, "standard input: -" in loaded.remedy) == ("it is a named pipe", True)


def _workbook() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
    return stream.getvalue()


BY_CONTENT = {
    "png": (b"\x89PNG\r\n\x1a\n" + bytes(50), PICTURE),
    "jpeg": (b"\xff\xd8\xff\xe0\x00\x10JFIF", PICTURE),
    "gif": (b"GIF89a" + bytes(20), PICTURE),
    "webp": (b"RIFF\x10\x20\x00\x00WEBPVP8 ", PICTURE),
    "drawing": (b'<?xml version="1.0"?>\n<!-- gnuplot -->\n<svg width="3">', PICTURE),
    "postscript": (b"%!PS-Adobe-3.0 EPSF", PICTURE),
    "page": (b"\n<!doctype html>\n<html>", PAGE),
    "page of Windows": ("<HTML><body>".encode("utf-16"), PAGE),
    "paper": (b"%PDF-1.7\n", PAGE),
    "script": (b"#!/bin/bash\n#SBATCH -n 4\nfio run.fio\n", SCRIPT),
    "workbook": (_workbook(), SHEET),
    "old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(50), SHEET),
    "program": (b"\x7fELF\x02\x01\x01", PROGRAM),
    "parquet": (b"PAR1" + bytes(50), TABLES),
    "notebook": (json.dumps({"cells": [{"cell_type": "code"}], "nbformat": 4}).encode(), NOTEBOOK),
    "licence": (b"MIT License\n\nCopyright (c) 2020", PROSE),
    "another licence": (b"Copyright (c) 2019, Somebody\n\nRedistribution and use in source and binary forms", PROSE),
    "nothing": (b"", "empty"),
    "blanks": (b" \r\n\0\0", "empty"),
}


@pytest.mark.parametrize("case", BY_CONTENT)
def test_a_kind_is_told_by_its_content_whatever_it_is_called(case: str) -> None:
    """A picture that is called like a result is a picture."""
    data, kind = BY_CONTENT[case]
    assert ignored_kind("results/run.json", data) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("plot.py", SCRIPT), ("Makefile", SCRIPT), ("job.SBATCH", SCRIPT), ("README", PROSE), ("readme.txt", PROSE),
        ("notes.md", PROSE), ("LICENSE-MIT", PROSE), ("CHANGELOG", PROSE), ("page.htm", PAGE),
        ("manifest.yaml", SUBMISSION), ("archive.zip!dir/plot.gp", SCRIPT),
        ("run.json", None), ("run.txt", None), ("readmes.json", None), ("run", None), ("table.csv", None),
        ("changes_in_iops.csv", None),
    ],
)  # fmt: skip
def test_a_name_tells_what_the_content_does_not(name: str, kind: str | None) -> None:
    """What neither tells is no known kind: somebody is told of it."""
    assert ignored_kind(name, b"what is this?") == kind


def test_no_result_of_any_tool_is_of_a_kind() -> None:
    """By its content; only files that no reader recognises are asked for, and this is the second guard."""
    found = {path: ignored_kind("run", path.read_bytes()) for path in sorted(FIXTURES.glob("*/*/input.*"))}
    found = {path: kind for path, kind in found.items() if path.parent.parent.name != "rejected"}
    assert len(found) > 50
    assert {path.parent.name: kind for path, kind in found.items() if kind is not None} == {}
