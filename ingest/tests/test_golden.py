"""
Every fixture gives what stands beside it: ``expected.json`` when it is read, ``problem.txt`` when it is refused.

``expected.json`` names the version of the reader that read each format: nothing else is read without a new version.
``IOLEDGER_RECORD=1`` writes what is missing, and what a new version reads otherwise, and never anything else.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ioledger.model import Reading, Result, Source
from ioledger.readers import detect

FIXTURES = Path(__file__).parent / "fixtures"
INPUTS = sorted(FIXTURES.glob("*/*/input.*"))
READ = [path for path in INPUTS if path.parent.parent.name != "rejected"]
REFUSED = [path for path in INPUTS if path.parent.parent.name == "rejected"]
DEFAULTS = msgspec.structs.asdict(Result(pointer="", repetition="", source_format="", operation=""))
RECORDS = os.environ.get("IOLEDGER_RECORD") == "1" and "CI" not in os.environ
"""Whether expectations are written instead of failing; to be read line by line before they are committed."""
RAISE = (
    "The file gives other rows. Raise VERSIONS in the reader, say in CHANGELOG what moved, and record it with"
    " IOLEDGER_RECORD=1; where only findings changed, delete expected.json and record it."
)


def _read(path: Path) -> Reading:
    return detect.read(Source(path.name, path.read_bytes()))


def stated(result: Result) -> dict[str, Any]:
    """Return the columns of a result that say something."""
    fields = msgspec.structs.asdict(result)
    fields["bins"] = {kind: list(bins.rows()) for kind, bins in result.bins.items()}
    return {name: value for name, value in fields.items() if value != DEFAULTS[name] and name != "premises"}


def _word(source_format: str | None) -> str:
    return str(source_format).partition(" ")[0]


def _content(reading: Reading) -> bytes:
    words = {_word(result.source_format) for result in reading.results if result.origin is None}
    words |= {_word(reading.source_format)} & reading.versions.keys()
    content: dict[str, Any] = {
        "versions": {word: reading.versions[word] for word in sorted(words)},
        "results": [stated(result) for result in reading.results],
        "rows": reading.rows,
    }
    if reading.warnings:
        told = map(msgspec.structs.asdict, reading.warnings)
        content["warnings"] = [
            {name: value for name, value in each.items() if value or name != "values"} for each in told
        ]
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"


def _problems(reading: Reading) -> bytes:
    lines = [f"{each.place}: {each.what}. {each.remedy}  [{each.rule}]\n" for each in reading.refusals]
    return "".join(lines).encode()


def _is_recordable(found: bytes, path: Path) -> bool:
    """Say whether nothing stands there, or what an older version read; what no new version read has to be the same."""
    if not path.exists():
        return True
    if path.suffix != ".json":
        return False
    new, old = msgspec.json.decode(found), msgspec.json.decode(path.read_bytes())
    same = {word for word, version in new["versions"].items() if old["versions"].get(word) == version}
    now, before = ([row for row in each["results"] if _word(row["source_format"]) in same] for each in (new, old))
    return bool(new["versions"] != old["versions"] and now == before)


def _expected(path: Path, found: bytes) -> bytes:
    """Return what stands beside a fixture; record it first when that is asked for and it is new."""
    if RECORDS and _is_recordable(found, path):
        path.write_bytes(found)
    assert path.exists(), f"{path} is missing: run with IOLEDGER_RECORD=1, read it line by line, and commit it"
    return path.read_bytes()


def _name(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.parent.name}"


@pytest.mark.parametrize("path", READ, ids=_name)
def test_a_file_gives_the_results_that_stand_beside_it(path: Path) -> None:
    """Every column that a result states, every row of other tables and every warning is as this version recorded."""
    reading = _read(path)
    found = _content(reading)
    assert not reading.refusals
    assert msgspec.json.decode(found) == msgspec.json.decode(_expected(path.with_name("expected.json"), found)), RAISE


@pytest.mark.parametrize("path", REFUSED, ids=_name)
def test_a_refused_file_is_told_where_what_and_how_to_mend_it(path: Path) -> None:
    """Every problem is named at once, with place, remedy and rule."""
    found = _problems(_read(path))
    assert found
    assert found.decode() == _expected(path.with_name("problem.txt"), found).decode()


def test_every_format_of_every_reader_has_a_version_and_a_fixture() -> None:
    """A version that no fixture holds would hold nothing."""
    declared = {(reader.TOOL, word) for reader in detect.readers() for word in reader.VERSIONS}
    recorded = {path: msgspec.json.decode(path.with_name("expected.json").read_bytes()) for path in READ}
    assert {(path.parts[-3], word) for path, each in recorded.items() for word in each["versions"]} == declared


def test_a_record_never_replaces_what_a_version_read(tmp_path: Path) -> None:
    """Only a new fixture or a new version is written, and of a new version of one format no row of another."""
    path = tmp_path / "expected.json"
    one, other = ({"source_format": "json", "operation": name} for name in ("read", "write"))

    def reading(row: dict[str, str], **versions: str) -> bytes:
        return msgspec.json.encode({"versions": versions, "results": [row], "rows": {}})

    assert _is_recordable(reading(one, json="1"), path)
    path.write_bytes(reading(one, json="1", terse="1"))
    assert not _is_recordable(reading(other, json="1", terse="1"), path)
    assert not _is_recordable(reading(other, json="1", terse="2"), path)
    assert _is_recordable(reading(other, json="2", terse="1"), path)
