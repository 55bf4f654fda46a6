"""fio's terse lines: every version, and everything that shifts their fields."""

from __future__ import annotations

import pytest

from conftest import ask
from ioledger.readers.fio import terse
from ioledger.readers.fio.options import Section

PERCENTILES = ";".join([*(f"{p}.000000%={20 + 10 * p}" for p in range(1, 18)), "0%=0", "0%=0", "0%=0"])
BEFORE = "8000;7992;1998;1001;3;193;5.25;39.5;30;847;271.5;46.25"
AFTER = "39;848;276.75;47.0;7900;8100;99.5%;8000.0;10.0"
READ = f"{BEFORE};{PERCENTILES};{AFTER}"
NOTHING = f"0;0;0;0;0;0;0.0;0.0;0;0;0.0;0.0;{';'.join(['0%=0'] * 20)};0;0;0.0;0.0;0;0;0.0%;0.0;0.0"
TAIL = "4.500000%;30.400000%;6260;0;4;" + ";".join(["3.4%"] * 7 + ["4.54%"] * 22)
DISK = "vda;1;2;3;4;5;6;7;12.50%"


def _lines(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def _line(name: str = "job", *after: str, runtime: int = 1001) -> str:
    read = READ.replace(";1001;", f";{runtime};")
    return ";".join(("3", "fio-3.33", name, "0", "0", read, NOTHING, TAIL, *after))


@pytest.mark.parametrize("name", ["a;b", ";", "3;fio-2.1;x;0;0", "x;12%=3;y", "50.000000%=1;" * 3])
def test_semicolons_in_a_name_shift_nothing(name: str) -> None:
    """Fields are counted from the percentiles, so the name may hold anything."""
    (result,) = terse.read(_line(name)).results
    assert result.test_name == name
    assert result.operations_per_second == 1998
    assert result.group_index == 0


@pytest.mark.parametrize(
    ("after", "errors"),
    [
        ((), None),
        ((DISK,), None),
        ((DISK, DISK), None),
        (("7", "28"), 7),
        ((DISK, "7", "28", "a; description"), 7),
        (("just; words",), None),
    ],
)
def test_disks_errors_and_descriptions_may_follow(after: tuple[str, ...], errors: int | None) -> None:
    """Nine fields per disk, two for continue_on_error, the rest is the description."""
    (result,) = terse.read(_line("job", *after)).results
    assert result.error_count == errors
    assert result.operations_per_second == 1998


def test_a_banner_that_fio_left_out_proves_nothing_of_the_others() -> None:
    """Of two jobs of a command line fio 3.42 announces the second only; two processes are not both of it."""
    banner = "job: (g=1): rw=read, bs=4K-4K/4K-4K, ioengine=libaio, iodepth=4"
    text = _lines(banner, "fio-3.42", "Starting 2 processes", _line("first"), _line().replace(";job;0;", ";job;1;"))
    first, second = terse.read(text).results
    assert (first.queue_depth, first.outstanding_per_target_count) == (None, None)
    assert (second.queue_depth, second.outstanding_per_target_count, second.scope) == (None, 4, "job")


def test_lines_of_clients_are_told_by_their_sum() -> None:
    """Of later versions the lines of the client mode say nothing of hosts; the job file may have run on several."""
    sections = {"one": Section({"rw": "read", "iodepth": "4", "ioengine": "libaio"})}
    one, every = terse.read(_lines(_line("one"), _line("All clients")), sections).results
    assert (one.scope, one.process_count, one.outstanding_per_target_count) == ("client", None, 4)
    assert (every.is_aggregate, every.scope, every.block_size_bytes) == (True, "all", None)


def test_human_output_beside_it_tells_how_many_processes_a_line_covers() -> None:
    """Five processes in three jobs: the banners do not tell whose they are, the blocks do."""
    head = "{0}: (g={1}): rw=read, bs=4K-4K/4K-4K, ioengine=libaio, iodepth=4"
    jobs = [("a", 0, 2), ("c", 1, 1), ("d", 2, 2)]
    banners = [head.format(name, group) for name, group, _ in jobs]
    lines = [_line(name).replace(f";{name};0;", f";{name};{group};") for name, group, _ in jobs]
    blocks = [f"{name}: (groupid={group}, jobs={count}): err= 0: pid=1" for name, group, count in jobs]
    results = terse.read(_lines(*banners, "fio-3.33", "Starting 5 processes", *lines, "", *blocks)).results
    assert [(result.queue_depth, result.scope) for result in results] == [(8, "group"), (4, "job"), (8, "group")]


def test_a_job_without_a_name_has_a_banner_too() -> None:
    """``[;a]`` is a section with an empty name: its two processes are not those of the job after it."""
    nameless = ": (g=0): rw=randread, bs=4K-4K/4K-4K, ioengine=libaio, iodepth=8"
    named = "job: (g=1): rw=read, bs=4K-4K/4K-4K, ioengine=libaio, iodepth=4"
    text = _lines(nameless, "...", named, "fio-3.33", "Starting 3 processes", _line().replace(";job;0;", ";job;1;"))
    (result,) = terse.read(text).results
    assert (result.queue_depth, result.outstanding_per_target_count) == (None, 4)


def test_a_job_file_tells_what_a_banner_does_not() -> None:
    """Options of the job file win over the banner; absent ones are then known to be at their default."""
    sections = {
        "job": Section({"rw": "randrw", "rwmixread": "100", "bs": "4k,8k", "iodepth": "32", "ioengine": "psync"})
    }
    (result,) = terse.read(_line(), sections).results
    assert result.read_ratio == 1.0
    assert result.block_size_bytes == 4096
    assert result.outstanding_per_target_count == 1
    assert result.is_direct is False
    assert result.workload_origins is not None
    assert "rwmixread=job_file" in result.workload_origins


@pytest.mark.parametrize(
    ("before", "runtimes", "partial"),
    [
        ("", (1000, 2000, 3000), [True, True, False]),
        ("", (1002, 1001, 1002), [False, False, False]),
        ("", (1001, 1002), [True, False]),
        ("Starting 2 processes\n", (1001, 1002), [False, False]),
    ],
)
def test_lines_that_later_ones_continue_are_partial(
    before: str, runtimes: tuple[int, ...], partial: list[bool]
) -> None:
    """Lines are cumulative with --status-interval; as many as processes are one each, and so are parallel jobs."""
    reading = terse.read(before + _lines(*(_line(runtime=runtime) for runtime in runtimes)))
    assert [result.is_partial for result in reading.results] == partial
    assert ("R-FIO-PARTIAL-1" in [finding.rule for finding in reading.warnings]) == any(partial)


def test_a_job_that_did_nothing_gives_a_finding_and_no_result() -> None:
    """An error before the first operation leaves zeros, which are not measurements."""
    text = f"3;fio-3.42;full;0;28;{NOTHING};{NOTHING};{TAIL}"
    reading = terse.read(text)
    assert not reading.results
    assert [(finding.rule, finding.pointer) for finding in reading.warnings] == [("R-FIO-EMPTY-1", "line 1")]


@pytest.mark.parametrize(
    ("text", "last", "kind"),
    [("1", "190", "total"), ("", "190", "total"), ("0", "190", "completion"), ("0", "900", "total")],
)
def test_percentiles_are_of_the_total_latency_where_the_job_asked_for_them(text: str, last: str, kind: str) -> None:
    """With ``lat_percentiles`` fio prints them in the place of those of completion, which they then exceed."""
    line = _line().replace("17.000000%=190", f"17.000000%={last}")
    (result,) = terse.read(line, {"job": Section({"rw": "read", "lat_percentiles": text})}).results
    assert result.percentiles.keys() == {kind}


def test_reads_of_a_job_that_writes_may_be_verification() -> None:
    """A banner does not tell ``verify``: reads after the writes are no depth beyond the configured one."""
    banner = "job: (g=0): rw=randwrite, bs=4K-4K/4K-4K, ioengine=libaio, iodepth=1"
    line = f"3;fio-3.33;job;0;0;{READ};{READ};{TAIL}"
    text = _lines(banner, "fio-3.33", "Starting 1 process", line)
    reading, told = terse.read(text), terse.read(text, {"job": Section({"rw": "randwrite", "verify": "0"})})
    ask(reading)
    ask(told)
    assert [finding.rule for finding in reading.warnings] == ["R-FIO-MIX-2"]
    assert "R-FIO-MIX-2" not in {finding.rule for finding in told.warnings}


def test_a_line_with_a_lost_field_is_refused_and_its_neighbours_are_read() -> None:
    """The refusal names the line."""
    spoilt = _line().replace(";7992;", ";", 1).replace("job;0;", "job;")
    reading = terse.read(_lines(_line(), spoilt))
    assert len(reading.results) == 1
    assert [(refusal.rule, refusal.place) for refusal in reading.refusals] == [("R-FIO-LINE-1", "line 2")]


@pytest.mark.parametrize("prefix", ["> ", "2026-03-11T17:13:19.123456789Z stdout F ", "[pod/fio-0/fio] ", "fio-1  | "])
def test_prefixes_of_logs_are_taken_off(prefix: str) -> None:
    """Container runtimes and Markdown put something before each line."""
    (result,) = terse.read(prefix + _line()).results
    assert result.test_name == "job"


def test_reports_of_a_job_that_only_writes_continue_each_other() -> None:
    """Its reads have no run time; that of the writes grows."""

    def line(runtime: int) -> str:
        return ";".join(("3", "fio-3.33", "job", "0", "0", NOTHING, READ.replace(";1001;", f";{runtime};"), TAIL))

    assert [result.is_partial for result in terse.read(_lines(line(1001), line(2001))).results] == [True, False]
