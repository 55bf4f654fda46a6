"""Real-shaped files spoilt at random, by a generator: the accidents and attacks that files of strangers bring."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING
from unittest.mock import patch

from ioledger.model import Source
from ioledger.readers import detect
from ioledger.readers.fio import json_decode

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.model import Reading

NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
STRANGE_NUMBERS = (
    b"1e400", b"-1", b"0", b"NaN", b"Infinity", b"-Infinity", b"18446744073709551615", b"9" * 400, b"1" + b"0" * 400,
    b"1e-400", b"0x1F", b"1,5", b"", b'"12"', b"null", b"true", b"[]", b"{}",
)  # fmt: skip
NESTING = 10_000
LONGEST_SHIFTED = 40
UNHEARD = frozenset({"R-FIO-LINE-2"})
"""
What only the tolerant decoder says: a key stands twice, of which the last holds for both, or a number is too large
for any column, which is in a place that nobody reads.
"""
MEMBER = re.compile(rb'("[^"\n]{1,60}")(\s*:\s*)("[^"\n]{0,200}"|-?\d+(?:\.\d+)?)(?=[\s,}])')
"""A key of a JSON object with a text or a number: key, colon, value."""


def cut(rng: random.Random, data: bytes) -> bytes:
    """End the file somewhere."""
    return data[: rng.randrange(len(data) + 1)]


def behead(rng: random.Random, data: bytes) -> bytes:
    """Begin the file somewhere."""
    return data[rng.randrange(len(data) + 1) :]


def remove(rng: random.Random, data: bytes) -> bytes:
    """Take a piece out of the middle."""
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.randrange(1, 200) :]


def splice(rng: random.Random, data: bytes) -> bytes:
    """Put a piece of the file somewhere else."""
    start, place = rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)
    return data[:place] + data[start : start + rng.randrange(1, 2000)] + data[place:]


def double(_: random.Random, data: bytes) -> bytes:
    """Write the whole file twice."""
    return data + data


def flip(rng: random.Random, data: bytes) -> bytes:
    """Change single bytes."""
    spoilt = bytearray(data)
    for _ in range(rng.randrange(1, 20)):
        spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
    return bytes(spoilt)


def number(rng: random.Random, data: bytes) -> bytes:
    """Replace numbers with impossible ones."""
    found = list(NUMBER.finditer(data))
    for match in sorted(rng.sample(found, min(len(found), 3)), key=lambda match: -match.start()):
        data = data[: match.start()] + rng.choice(STRANGE_NUMBERS) + data[match.end() :]
    return data


def scale(rng: random.Random, data: bytes) -> bytes:
    """Multiply one number, so that the file contradicts itself."""
    found = list(NUMBER.finditer(data))
    if not found:
        return data
    match = rng.choice(found)
    return data[: match.end()] + b"0" * rng.randrange(1, 30) + data[match.end() :]


def lines(rng: random.Random, data: bytes) -> bytes:
    """Drop, repeat and swap lines."""
    every = data.splitlines(keepends=True)
    for _ in range(rng.randrange(1, 5)):
        index, other = rng.randrange(len(every)), rng.randrange(len(every))
        every[index], every[other] = every[other], rng.choice((every[index], b"", every[index] * 2))
    return b"".join(every)


def nest(rng: random.Random, data: bytes) -> bytes:
    """Put deep brackets into the file."""
    place, bracket = rng.randrange(len(data) + 1), rng.choice((b"[", b"{", b'{"a":', b"[{", b"<a>"))
    return data[:place] + bracket * NESTING + data[place:]


def encode(rng: random.Random, data: bytes) -> bytes:
    """Re-encode the text, add a byte-order mark, NULs or other line ends."""
    text = data.decode("utf-8", "replace")
    return rng.choice(
        (
            text.encode("utf-16"), b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"), data.replace(b"\n", b"\r"),
            data.replace(b" ", b"\0"), text.encode("utf-32"), data.replace(b".", b","), data + b"\0" * 1000,
        )
    )  # fmt: skip


MUTATIONS: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    cut, behead, remove, splice, double, flip, number, scale, lines, nest, encode,
)  # fmt: skip


def mutate(seed: int, data: bytes) -> bytes:
    """Return the file spoilt by one to three mutations; the same seed spoils it the same way."""
    rng = random.Random(seed)  # noqa: S311  (reproducible, not secret)
    for _ in range(rng.randrange(1, 4)):
        data = rng.choice(MUTATIONS)(rng, data) or b"\0"
    return data


def retype(rng: random.Random, key: bytes, colon: bytes, _: bytes) -> bytes:
    """Give a member a value that the tool would not write."""
    return key + colon + (rng.choice(STRANGE_NUMBERS) or b"[1, {}]")


def repeat(rng: random.Random, key: bytes, colon: bytes, value: bytes) -> bytes:
    """Write a member twice, the second time with the same value or another one."""
    other = rng.choice((value, b"7", b'"another"', b"1e400"))
    return b", ".join(rng.sample([key + colon + value, key + colon + other], 2))


def rename(rng: random.Random, _: bytes, colon: bytes, value: bytes) -> bytes:
    """Give a member another key, of those that decide how a report is read."""
    return rng.choice((b'"jobname"', b'"io_bytes"', b'"read"', b'"error"', b'"bins"', b'"unknown"')) + colon + value


def shift(rng: random.Random, key: bytes, colon: bytes, value: bytes) -> bytes:
    """Change a number a little or much, so that the report contradicts itself or hardly does."""
    factor = rng.choice((0, 0.5, 0.97, 0.9995, 1.0005, 1.03, 2, 1000, 1e12))
    if value.startswith(b'"') or len(value) > LONGEST_SHIFTED:
        return key + colon + value
    number = float(value) * factor
    return key + colon + (b"%.6f" % number if b"." in value else b"%d" % number)


CHANGES: tuple[Callable[[random.Random, bytes, bytes, bytes], bytes], ...] = (retype, repeat, rename, shift)


def alter(seed: int, data: bytes) -> bytes:
    """Return a JSON report with one to three members changed; the text around them stays."""
    rng = random.Random(seed)  # noqa: S311  (reproducible, not secret)
    for _ in range(rng.randrange(1, 4)):
        found = list(MEMBER.finditer(data))
        if not found:
            break
        match, change = rng.choice(found), rng.choice(CHANGES)
        data = data[: match.start()] + change(rng, *match.groups()) + data[match.end() :]
    return data


def lost(data: bytes) -> str | None:
    """Return what the typed decoder of fio reads of a report or says of it otherwise than the tolerant one, or None."""
    if json_decode.regular(data) is None:
        return None
    typed = detect.read(Source("report", data))
    with patch.object(json_decode, "regular", lambda _: None):
        tolerant = detect.read(Source("report", data))
    if typed.results != tolerant.results:
        return f"the rows differ: {len(typed.results)}, {len(tolerant.results)}"
    if typed.refusals != tolerant.refusals or _said(typed) != _said(tolerant):
        return f"the findings differ: {_said(typed)}, {_said(tolerant)}"
    return None


def _said(reading: Reading) -> list[tuple[str, str, str]]:
    return [(each.rule, each.pointer, each.message) for each in reading.warnings if each.rule not in UNHEARD]
