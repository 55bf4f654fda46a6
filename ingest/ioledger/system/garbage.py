"""Python's search for garbage in cycles, left out where many objects are made that have none."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def left() -> Iterator[None]:
    """Keep Python from looking for garbage in cycles, a tenth of the time: what readers make has none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
