"""What ``ioledger parse`` shows to a person, and what it gives to programs by standard output."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import tarfile
import termios
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from conftest import COMMAND, FIXTURES
from ioledger.cli import main
from ioledger.cli import parse as parsing
from ioledger.cli.outputs import Output
from ioledger.loading.parse import TABLES
from ioledger.tables import is_written_here
from ioledger.tables.openmetrics import Exposition

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from forks import Forks

    Run = Callable[..., subprocess.CompletedProcess[str]]

REPORT = FIXTURES / "submission" / "report.json"
DOUBTFUL = FIXTURES / "fio" / "json-wrong-types" / "input.json"


class Shown(NamedTuple):
    """What a command showed on a terminal, and how it ended."""

    code: int
    lines: list[str]


@pytest.fixture
def on_terminal(forks: Forks, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Shown]:
    """Return what runs ``ioledger parse`` on a terminal of some width; both outputs are the screen."""
    for name in ("COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str | Path, width: int = 100) -> Shown:
        screen, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        with ThreadPoolExecutor(1) as reader:
            shown = reader.submit(lambda: b"".join(iter(lambda: _more(screen), b"")).decode())
            code = forks.call("parse", *arguments, screen=os.ttyname(terminal)).returncode
            os.close(terminal)
        os.close(screen)
        return Shown(code, re.sub(r"\x1b\[[\d;]*m", "", shown.result()).replace("\r\n", "\n").splitlines())

    return run


def _more(screen: int) -> bytes:
    """Return what the terminal shows next; nothing when the program has ended."""
    try:
        return os.read(screen, 1 << 16)
    except OSError:
        return b""


def test_on_a_terminal_results_are_a_table_with_units_whose_base_is_named(
    on_terminal: Callable[..., Shown], tmp_path: Path
) -> None:
    """33,500 reads of 8 KiB a second at 8 outstanding are 274.4 million bytes a second; a file's bytes are refused."""
    shutil.copy(REPORT, tmp_path / "a.json")
    shown = on_terminal(tmp_path, width=80)
    head = next(line for line in shown.lines if line.split()[:1] == ["file"])
    assert head.split() == ["file", "test", "operation", "block", "depth", "IOPS", "MB/s", "mean", "µs", "p99", "µs"]
    read = next(line.split() for line in shown.lines if " read " in line)
    assert (read[0], read[-6:]) == ("a.json", ["KiB", "8", "33,500", "274.4", "160", "320"])
    assert any("10⁶ bytes" in line and "2¹⁰" in line for line in shown.lines)
    assert shown.code == 0
    shown = on_terminal(REPORT, "--format", "parquet", width=500)
    assert (shown.code, "not for terminals" in shown.lines[-1]) == (2, True)


@pytest.mark.parametrize("width", [20, 60, 80, 200])
def test_no_line_of_the_table_is_wider_than_the_terminal(
    on_terminal: Callable[..., Shown], width: int, tmp_path: Path
) -> None:
    """Names are wrapped, and where even the figures do not fit they stand below each other."""
    far = tmp_path / ("a" * 60) / ("b" * 60)
    far.mkdir(parents=True)
    shutil.copy(REPORT, far / "one.json")
    (tmp_path / "two.json").write_bytes(REPORT.read_bytes() + b"\n")
    shown = on_terminal(tmp_path, "-q", width=width)
    held = [line for line in shown.lines if str(tmp_path) not in line]
    assert max(map(len, held)) <= width
    text = " ".join(shown.lines)
    assert text.count("33,500") == text.count("274.4") == 2
    assert "one.json" in text.replace(" ", "")


def test_a_wide_table_on_a_narrow_terminal_stands_in_lines(on_terminal: Callable[..., Shown], tmp_path: Path) -> None:
    """Fifteen columns of four characters are no table that anybody reads, and neither are the ids of findings."""
    shutil.copy(REPORT, tmp_path / "a.json")
    shown = on_terminal(tmp_path / "a.json", "--table", "files", "-", "-q", width=80)
    assert max(len(line) for line in shown.lines if str(tmp_path) not in line) <= 80
    text = " ".join(" ".join(shown.lines).split())
    assert "status read" in text
    assert "result_count 2" in text
    head = next(
        line for line in on_terminal(DOUBTFUL, "--table", "findings", "-", width=200).lines if "rule_id" in line
    )
    assert ("message" in head, "file_id" in head) == (True, False)


def test_a_name_that_carries_terminal_sequences_does_not_reach_the_terminal(
    on_terminal: Callable[..., Shown], tmp_path: Path
) -> None:
    """A test may be called anything; what a terminal would obey is shown as its escape."""
    spoilt = REPORT.read_bytes().replace(b'"jobname": "', b'"jobname": "\\u001b[2J')
    (tmp_path / "run.json").write_bytes(spoilt)
    shown = on_terminal(tmp_path)
    assert any("\\x1b[2J" in line for line in shown.lines)
    assert not any("\x1b[2J" in line for line in shown.lines)


def test_of_refusals_and_findings_that_are_alike_one_is_told_and_how_many_more_there_are(
    on_terminal: Callable[..., Shown], tmp_path: Path
) -> None:
    """One example for each rule; the option names every one."""
    for number in range(3):
        (tmp_path / f"{number}.json").write_bytes(REPORT.read_bytes()[: 1500 + number])
        (tmp_path / f"doubtful{number}.json").write_bytes(DOUBTFUL.read_bytes() + b"\n" * number)
    grouped, each = on_terminal(tmp_path, width=500), on_terminal(tmp_path, "--details", width=500)
    assert (grouped.code, each.code) == (1, 1)
    cut, more = (line for line in grouped.lines if "[R-FIO-CUT-1]" in line)
    assert ("0.json" in cut, more) == (True, "  and the same fault in 2 more files  [R-FIO-CUT-1]")
    found = [line for line in grouped.lines if "doubtful" in line and "[R-" in line]
    assert found
    assert all("doubtful0.json" in line for line in found)
    refused = [line for line in each.lines if line.endswith("[R-FIO-CUT-1]")]
    assert [line.split(":")[0][-6:] for line in refused] == ["0.json", "1.json", "2.json"]
    assert sum("doubtful2.json" in line and "[R-" in line for line in each.lines) > 1
    assert "6 files: 3 read (50%), 3 refused" in each.lines[-1]


def test_quiet_leaves_errors_only(on_terminal: Callable[..., Shown], tmp_path: Path, ioledger: Run) -> None:
    """Findings and counts are not said; what was refused is."""
    shutil.copy(DOUBTFUL, tmp_path / "doubtful.json")
    (tmp_path / "cut.json").write_bytes(REPORT.read_bytes()[:1500])
    done = ioledger("parse", tmp_path, "--quiet")
    assert done.returncode == 1
    assert done.stdout
    assert [line.endswith("[R-FIO-CUT-1]") for line in done.stderr.splitlines()] == [True]
    assert ioledger("parse", tmp_path / "doubtful.json", "-q").stderr == ""
    shown = on_terminal(tmp_path, "-q", width=500)
    assert not any("files:" in line or "example" in line for line in shown.lines)


def test_what_is_no_result_is_counted_below_a_folder_and_fails_where_it_is_named(ioledger: Run, tmp_path: Path) -> None:
    """Folders hold other things too; named itself, somebody meant it as a result. No other loses its rows."""
    shutil.copy(REPORT, tmp_path / "run.json")
    outputs = [part for suffix in ("csv", "parquet", "arrow", "jsonl") for part in ("-o", tmp_path / f"rows.{suffix}")]
    assert ioledger("parse", tmp_path / "run.json", *outputs).returncode == 0
    (tmp_path / "notes.txt").write_text("measured on a Tuesday\n", encoding="utf-8")
    for name in ("x.png", "y.png"):
        (tmp_path / name).write_bytes(b"\x89PNG\r\n" + name.encode())
    (tmp_path / "z.json").write_bytes(b"")
    below = ioledger("parse", tmp_path)
    kinds = "2 x a picture, 4 x an earlier output of ioledger, 1 x empty"
    told = f"9 files: 1 read (11%), 7 ignored ({kinds}), 1 refused, 2 results"
    assert (below.returncode, below.stderr.splitlines()[-1]) == (0, told)
    summary = json.loads(ioledger("parse", tmp_path, "--summary", "--json").stdout)
    assert summary["ignored_kinds"] == {"a picture": 2, "an earlier output of ioledger": 4, "empty": 1}
    for name, said in (("gone.json", "[R-FILE-8]"), ("notes.txt", "[R-DETECT-1]"), ("x.png", "it is a picture")):
        done = ioledger("parse", tmp_path / name, REPORT)
        assert (done.returncode, done.stdout.count("\n"), said in done.stderr) == (1, 2, True)


def test_an_archive_on_standard_input_is_read_as_one_in_a_file(tmp_path: Path) -> None:
    """By a pipe, and by a redirected file that is larger than what is read first."""
    noise = os.urandom(200_000)
    (tmp_path / "noise.bin").write_bytes(noise)
    with tarfile.open(tmp_path / "runs.tar.gz", "w:gz") as archive:
        archive.add(REPORT, "run.json")
        archive.add(tmp_path / "noise.bin", "noise.bin")
    command = [str(COMMAND), "parse", "-"]
    with (tmp_path / "runs.tar.gz").open("rb") as stream:
        redirected = subprocess.run(command, stdin=stream, capture_output=True, check=False)  # noqa: S603
    packed = (tmp_path / "runs.tar.gz").read_bytes()
    piped = subprocess.run(command, input=packed, capture_output=True, check=False)  # noqa: S603
    assert redirected.stdout == piped.stdout
    paths = [json.loads(line)["source_path"] for line in piped.stdout.splitlines()]
    assert paths == ["-!run.json"] * 2


@pytest.mark.parametrize("form", ["csv", "arrow", "parquet", "jsonl"])
@pytest.mark.parametrize("table", ["results", "findings"])
def test_standard_output_takes_every_format_of_a_table(form: str, table: str, forks: Forks) -> None:
    """A pipe gets the same rows as a file would."""
    data = forks.call("parse", DOUBTFUL, "--table", table, "-", "--format", form).stdout
    rows = {
        "csv": lambda: pa.csv.read_csv(io.BytesIO(data)).num_rows,
        "arrow": lambda: pa.ipc.open_file(data).read_all().num_rows,
        "parquet": lambda: pq.read_table(io.BytesIO(data)).num_rows,
        "jsonl": lambda: len(data.splitlines()),
    }[form]()
    assert rows == (2 if table == "results" else rows)
    assert rows > 0


def test_the_summary_for_programs_holds_counts_and_problems(ioledger: Run, tmp_path: Path) -> None:
    """The same numbers as the table and the last line, and nothing on standard error."""
    shutil.copy(REPORT, tmp_path / "run.json")
    (tmp_path / "cut.json").write_bytes(REPORT.read_bytes()[:1500])
    done = ioledger("parse", tmp_path, "--summary", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (1, "")
    assert [told[name] for name in ("files", "read", "refused", "ignored", "results")] == [2, 1, 1, 0, 2]
    assert [folder["folder"] for folder in told["folders"]] == [str(tmp_path)]
    assert [problem["rule"] for problem in told["problems"]] == ["R-FIO-CUT-1"]


def test_metrics_are_gauges_in_base_units_that_the_reference_parser_reads(ioledger: Run, tmp_path: Path) -> None:
    """Prometheus' own refuses what OpenMetrics does; hash and version are told once, and any name arrives."""
    odd = tmp_path / 'a"b\\c\nd.json'
    odd.write_bytes(REPORT.read_bytes())
    text = ioledger("parse", odd, "--format", "openmetrics").stdout
    assert text.endswith("\n# EOF\n")
    read: Any = text_string_to_metric_families
    families = {family.name: family for family in read(text)}
    assert {family.type for family in families.values()} == {"gauge"}
    assert all(name.endswith(family.unit) for name, family in families.items())
    assert families["ioledger_latency_mean_seconds"].unit == "seconds"
    rates = families["ioledger_operations_per_second"].samples
    assert [sample.value for sample in rates] == [33500.0, 16500.0]
    assert {sample.labels.pop("point").partition("#")[0] for sample in rates} == {str(odd)}
    assert rates[0].labels == {"operation": "read", "block": "8192", "depth": "8"}
    runs = families["ioledger_run_info"].samples
    assert [(len(run.labels["sha256"]), run.labels["version"]) for run in runs] == [(64, "fio-3.36")] * 2


@pytest.mark.parametrize("form", ["csv", "arrow", "parquet", "jsonl"])
@pytest.mark.parametrize("table", TABLES)
def test_a_table_that_was_written_here_is_recognised_by_its_content(form: str, table: str, tmp_path: Path) -> None:
    """Whatever it is called; a result or somebody else's table is none."""
    path = tmp_path / "anything"
    (sampled,) = (FIXTURES / "fio" / "log-throughput").glob("input.*")
    shutil.copy(sampled, tmp_path / "x_bw.log")
    (binned,) = (FIXTURES / "fio" / "json-plus-3.42").glob("input.*")
    assert parsing.run((DOUBTFUL, tmp_path / "x_bw.log", binned), [Output(table, path, form)]) == 0
    assert is_written_here(path.read_bytes())
    pq.write_table(pa.table({"source_path": ["a"]}), path)
    assert not is_written_here(path.read_bytes())
    assert not is_written_here(REPORT.read_bytes())
    assert not is_written_here(b'"source_path","mine"\n')
    assert is_written_here(Exposition().text().encode())


def test_an_output_in_the_folder_that_is_read_is_written_anew(ioledger: Run, tmp_path: Path) -> None:
    """Called twice it gives the same bytes, also none; a result in its place is not overwritten."""
    shutil.copy(REPORT, tmp_path / "run.json")
    outputs = ("-o", tmp_path / "rows.csv", "--table", "samples", tmp_path / "samples.jsonl")
    assert ioledger("parse", tmp_path, *outputs).returncode == 0
    first = (tmp_path / "rows.csv").read_bytes()
    done = ioledger("parse", tmp_path, *outputs)
    assert (done.returncode, (tmp_path / "rows.csv").read_bytes()) == (0, first)
    assert (tmp_path / "samples.jsonl").read_bytes() == b""
    (tmp_path / "run.csv").write_bytes(REPORT.read_bytes())
    assert ioledger("parse", tmp_path, "-o", tmp_path / "run.csv").returncode == 2
    assert (tmp_path / "run.csv").read_bytes() == REPORT.read_bytes()


def test_long_work_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One line that is written over, on a terminal only."""
    shutil.copytree(REPORT.parent, tmp_path / "results")
    monkeypatch.setattr(parsing, "CHUNK_FILES", 1)
    for is_terminal in (False, True):
        screen = io.StringIO()
        monkeypatch.setattr(screen, "isatty", lambda shown=is_terminal: shown)
        monkeypatch.setattr("sys.stderr", screen)
        parsing.run((tmp_path,), [])
        assert ("reading  [####" in screen.getvalue()) == is_terminal


def test_a_figure_whose_base_is_unknown_is_shown_as_printed(tmp_path: Path) -> None:
    """ORION's MBPS does not say whether it means 10⁶ or 2²⁰ bytes."""
    (summary,) = (FIXTURES / "orion" / "summary-10.2").glob("input.*")
    shutil.copy(summary, tmp_path / "summary.txt")
    shown = CliRunner().invoke(main, ["parse", str(tmp_path), "--format", "table"]).stdout
    assert "(base not stated)" in shown
