"""The names of fio's logs: a run tells which it wrote, as its own arithmetic has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ioledger.readers.fio import log_names
from ioledger.readers.fio.log_names import ANY, LogName, Writer

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS = tuple(log_names.OPTIONS)
PREFIXES = st.sampled_from(["a", "b", "a_lat", "x.1", "logs/a", "C:\\logs\\b", ""])


def _writer(number: int, prefixes: Sequence[str | None], threads: int, *, is_shared: bool) -> Writer:
    """Return a job with these values of its three options, of which null is one that is not stated."""
    options = {"write_bw_log": prefixes[0], "write_lat_log": prefixes[1], "write_hist_log": prefixes[2]}
    told = {name: text for name, text in options.items() if text is not None}
    return Writer(f"job{number}", told | ({"per_job_logs": "0"} if is_shared else {}), threads, f"0#/jobs/{number}")


@st.composite
def _runs(draw: st.DrawFn) -> list[Writer]:
    count = draw(st.integers(1, 5))
    prefixes = st.lists(st.none() | PREFIXES, min_size=3, max_size=3)
    return [
        _writer(number, draw(prefixes), draw(st.integers(1, 4)), is_shared=draw(st.booleans()))
        for number in range(count)
    ]


def _as_fio_does(run: Sequence[Writer]) -> dict[str, set[str | None]]:
    """Return whose each file is that a run may open, thread by thread, as ``gen_log_name()`` prints them."""
    found: dict[str, set[str | None]] = {}
    thread_number = 0
    for writer in run:
        for _ in range(writer.threads or 1):
            thread_number += 1
            for kind, option in log_names.OPTIONS.items():
                prefix = (writer.options.get(option) or writer.name).replace("\\", "/").rpartition("/")[2]
                is_shared = "per_job_logs" in writer.options
                name = f"{prefix}_{kind}.log" if is_shared else f"{prefix}_{kind}.{thread_number}.log"
                found.setdefault(name, set()).add(None if is_shared else writer.repetition)
    return found


@given(_runs())
def test_a_run_names_its_logs_as_fio_does(run: list[Writer]) -> None:
    """The number counts threads over the whole run; a file that several append to is of no repetition."""
    told = {
        f"{name.prefix}_{name.kind}" + (".log" if name.number is None else f".{name.number}.log"): claim.repetition
        for name, claim in log_names.list_logs(run).items()
    }
    assert told == {name: owners.pop() for name, owners in _as_fio_does(run).items() if len(owners) == 1}
    among = log_names.list_logs(run, {"a"})
    assert among == {name: claim for name, claim in log_names.list_logs(run).items() if name.prefix == "a"}


@given(st.text("ab_.lat", min_size=1, max_size=12), st.sampled_from(KINDS), st.none() | st.integers(1, 10**6))
def test_a_name_says_what_it_was_made_of(prefix: str, kind: str, number: int | None) -> None:
    """Whatever stands before the kind, in whatever folder, packed or not."""
    made = f"{prefix}_{kind}" + (".log" if number is None else f".{number}.log")
    for name in (made, f"../deep/{made}", f"{made}.fz", f"C:\\logs\\{made}"):
        assert log_names.parse_name(name) == LogName(prefix, kind, number)


@pytest.mark.parametrize("name", ["run.log", "run_bw.log.txt", "run_hist.1.log", "_bw.log", "run_bw.one.log", "bw.log"])
def test_other_names_are_none_of_logs(name: str) -> None:
    """A log of a client has the host behind it, and none of the reports here is of one."""
    assert log_names.parse_name(name) is None


def test_threads_that_are_not_counted_leave_the_numbers_open() -> None:
    """The first of them is certain; then a name alone has to tell the job, and one that two jobs have tells none."""
    run = [
        Writer("grouped", {"write_bw_log": "one"}, None, "0#/jobs/0"),
        Writer("later", {"write_bw_log": "two"}, 1, "0#/jobs/1"),
        Writer("last", {"write_bw_log": "two"}, 1, "0#/jobs/2"),
    ]
    told = log_names.list_logs(run)
    assert told[LogName("one", "bw", 1)].repetition == "0#/jobs/0"
    assert told[LogName("one", "bw", ANY)].repetition == "0#/jobs/0"
    assert told[LogName("two", "bw", ANY)].repetition is None


@pytest.mark.parametrize(
    ("pattern", "text", "told"),
    [
        ("${RW}-${BS}-KERNEL", "randread-4k-KERNEL", {"RW": "randread", "BS": "4096"}),
        ("${BS}x${BS}", "4Kx4096B", {"BS": "4096"}),
        ("${BS}x${BS}", "4kx8k", None),
        ("${RW}", "", {"RW": ""}),
        ("a${RW}", "b", None),
        ("${A}${B}${C}${D}", "abcd", None),
    ],
)
def test_a_variable_of_a_job_file_has_one_value(pattern: str, text: str, told: dict[str, str] | None) -> None:
    """Sizes are compared in bytes; more variables than anybody writes into one name are not looked for."""
    assert log_names.values(pattern, text) == told
