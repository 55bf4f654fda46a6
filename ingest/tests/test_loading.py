"""A file's bytes are read whole, whatever its size and kind."""

from __future__ import annotations

import os
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from ioledger.measurement.files import load
from ioledger.problems import Problem
from ioledger.readers.base import Source

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
def test_a_pipe_is_read_to_its_end(tmp_path: Path, size: int) -> None:
    """What a shell hands over with ``<(...)`` has no size and comes in pieces."""
    path, data = tmp_path / "pipe", os.urandom(size)
    os.mkfifo(path)
    writer = Thread(target=path.write_bytes, args=[data])
    writer.start()
    loaded = load(str(path))
    writer.join()
    assert isinstance(loaded, Source)
    assert loaded.data == data


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """What cannot be read is a problem with a reason."""
    loaded = load(str(tmp_path))
    assert isinstance(loaded, Problem)
    assert "directory" in loaded.what
