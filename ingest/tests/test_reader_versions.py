"""
What each version of a reader reads from the fixtures stands in a table: nothing else is read without a new version.

A row of ``fixtures/readings.csv`` is a fixture, a format in it, the version of the reader, and the hash of the rows
that this gives. ``IOLEDGER_RECORD=1`` writes the rows of new fixtures and of new versions, and never others.
"""

from __future__ import annotations

import csv
import hashlib
import io
from typing import Any, NamedTuple

import msgspec
import pytest

import test_golden
from ioledger.model import Result, Source
from ioledger.readers import detect

TABLE = test_golden.FIXTURES / "readings.csv"
RAISE = (
    "{tool} {word} reads other rows from {fixture} under version {version}. Raise VERSIONS[{word!r}] in the reader, "
    "say in CHANGELOG what moved, and record it with IOLEDGER_RECORD=1."
)
RECORD = "{fixture} is not in readings.csv as {tool} {word} {version}: record it with IOLEDGER_RECORD=1."
GONE = "{fixture} gives nothing as {tool} {word} {version} any more: take out its row, or mend the reader."


class Key(NamedTuple):
    """What rows were read from, and by what."""

    fixture: str
    input_sha256: str
    tool: str
    word: str
    version: str


Readings = dict[Key, str]


def _rows(results: list[Result], others: dict[str, list[dict[str, Any]]]) -> str:
    """Return the hash of rows: every column that a result states, and every row of other tables."""
    told = msgspec.json.encode([[test_golden.stated(result) for result in results], others])
    return hashlib.sha256(msgspec.json.encode(msgspec.json.decode(told), order="sorted")).hexdigest()


def _found() -> Readings:
    """Return the hash of what is read now from every fixture, by format."""
    found: Readings = {}
    for path in test_golden.READ:
        data = path.read_bytes()
        reading = detect.read(Source(path.name, data))
        words = {result.source_format.partition(" ")[0] for result in reading.results if result.origin is None}
        own = str(reading.source_format).partition(" ")[0]
        for word in sorted(words | ({own} if own in reading.versions else set())):
            of_word = [each for each in reading.results if own == word or each.source_format.partition(" ")[0] == word]
            others = reading.rows if own == word else {}
            place = path.parent.relative_to(test_golden.FIXTURES).as_posix()
            key = Key(place, hashlib.sha256(data).hexdigest(), reading.tool, word, reading.versions[word])
            found[key] = _rows(of_word, others)
    return found


def _stored() -> Readings:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {Key(*row[:-1]): row[-1] for row in list(csv.reader(file))[1:]}


def _faults(found: Readings, stored: Readings) -> list[str]:
    """Say of each fixture and format what to do, where the table does not hold what is read."""
    faults = []
    for key in sorted(found.keys() | stored.keys()):
        if key not in found:
            faults.append(GONE.format(**key._asdict()))
        elif key not in stored:
            faults.append(RECORD.format(**key._asdict()))
        elif found[key] != stored[key]:
            faults.append(RAISE.format(**key._asdict()))
    return faults


def _recorded(found: Readings, stored: Readings) -> Readings:
    """Return the table with what is new in it; a row that stands is never replaced."""
    return found | {key: digest for key, digest in stored.items() if key in found}


def _text(readings: Readings) -> str:
    stream = io.StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow([*Key._fields, "rows_sha256"])
    rows.writerows([*key, digest] for key, digest in sorted(readings.items()))
    return stream.getvalue()


@pytest.fixture(scope="module")
def found() -> Readings:
    """Return what is read now."""
    return _found()


def test_nothing_else_is_read_without_a_new_version(found: Readings) -> None:
    """The message says which reader, what to raise, and where to say it."""
    if test_golden.RECORDS:
        TABLE.write_text(_text(_recorded(found, _stored() if TABLE.exists() else {})), encoding="utf-8")
    assert "\n".join(_faults(found, _stored())) == ""


def test_every_format_of_every_reader_has_a_version_and_a_reading(found: Readings) -> None:
    """A version that no fixture holds would hold nothing."""
    declared = {(reader.TOOL, word) for reader in detect.readers() for word in reader.VERSIONS}
    assert {(key.tool, key.word) for key in found} == declared


def test_a_record_never_replaces_what_a_version_read(found: Readings) -> None:
    """Only a new fixture or a new version is written."""
    key = next(iter(found))
    other, newer = dict.fromkeys([key], "0" * 64), key._replace(version="9")
    assert _recorded({key: found[key]}, other) == other
    assert _recorded({newer: found[key]}, other) == {newer: found[key]}
    assert _faults({newer: found[key]}, other) == [GONE.format(**key._asdict()), RECORD.format(**newer._asdict())]
    assert _faults({key: found[key]}, other) == [RAISE.format(**key._asdict())]
