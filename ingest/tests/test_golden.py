"""Every fixture gives what stands beside it: ``expected.json`` when it is read, ``problem.txt`` when it is refused."""

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
"""Whether a missing expectation is written instead of failing; to be read line by line before it is committed."""


def _read(path: Path) -> Reading:
    return detect.read(Source(path.name, path.read_bytes()))


def stated(result: Result) -> dict[str, Any]:
    """Return the columns of a result that say something."""
    fields = msgspec.structs.asdict(result)
    fields["bins"] = {kind: list(bins.rows()) for kind, bins in result.bins.items()}
    return {name: value for name, value in fields.items() if value != DEFAULTS[name] and name != "premises"}


def _content(reading: Reading) -> bytes:
    content: dict[str, Any] = {"results": [stated(result) for result in reading.results], "rows": reading.rows}
    if reading.warnings:
        told = map(msgspec.structs.asdict, reading.warnings)
        content["warnings"] = [
            {name: value for name, value in each.items() if value or name != "values"} for each in told
        ]
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"


def _problems(reading: Reading) -> bytes:
    lines = [f"{each.place}: {each.what}. {each.remedy}  [{each.rule}]\n" for each in reading.refusals]
    return "".join(lines).encode()


def _expected(path: Path, found: bytes) -> bytes:
    """Return what stands beside a fixture; record it first when that is asked for and nothing stands there."""
    if RECORDS and not path.exists():
        path.write_bytes(found)
    assert path.exists(), f"{path} is missing: run with IOLEDGER_RECORD=1, read it line by line, and commit it"
    return path.read_bytes()


def _name(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.parent.name}"


@pytest.mark.parametrize("path", READ, ids=_name)
def test_a_file_gives_the_results_that_stand_beside_it(path: Path) -> None:
    """Every column that a result states, every row of other tables and every warning is as recorded."""
    reading = _read(path)
    found = _content(reading)
    assert not reading.refusals
    assert msgspec.json.decode(found) == msgspec.json.decode(_expected(path.with_name("expected.json"), found))


@pytest.mark.parametrize("path", REFUSED, ids=_name)
def test_a_refused_file_is_told_where_what_and_how_to_mend_it(path: Path) -> None:
    """Every problem is named at once, with place, remedy and rule."""
    found = _problems(_read(path))
    assert found
    assert found.decode() == _expected(path.with_name("problem.txt"), found).decode()
