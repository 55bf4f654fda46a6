"""A file's bytes are read whole, whatever its size and kind."""

from __future__ import annotations

import os
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from ioledger.loading.files import load
from ioledger.model import Source
from ioledger.problems import Problem

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 3_000_000])
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


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """What cannot be read is a problem with a reason."""
    loaded = load(str(tmp_path))
    assert isinstance(loaded, Problem)
    assert "directory" in loaded.what
