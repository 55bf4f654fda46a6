"""What ``ioledger parse`` says of the files it was given: what is wrong, by rule, and counts by folder and in all."""

from __future__ import annotations

import os
import time
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import click

from ioledger.cli import counted, print_rows, report, say, say_json

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from ioledger.loading.copies import Chunk, File
    from ioledger.problems import Problem

FINDINGS = "findings"
COUNTS = ("files", "read", "ignored", "refused", "results", "findings")
UNKNOWN = "R-DETECT-1"
"""The rule of a file that no reader knows: below a folder it need not be a result."""
PATIENCE_SECONDS = 1.0
"""How long a person waits before progress is shown."""


class Verbosity(NamedTuple):
    """How much standard error shows, and to whom."""

    is_quiet: bool = False
    """Errors only."""
    is_detailed: bool = False
    """Every problem and every finding on a line of its own."""
    is_terminal: bool = False
    """A person reads along: problems are grouped by rule, and long work shows its progress."""
    has_findings_file: bool = False
    """Findings are written to a file."""
    is_json: bool = False
    """Counts and problems are printed as JSON at the end."""


class Summary:
    """Counts of the files that were read, with problems as they come, or grouped by rule at the end."""

    def __init__(self, verbosity: Verbosity, named: Container[str], paths: int, skipped: Counter[str]) -> None:
        """
        Begin.

        ``named`` are the files that were named themselves, ``paths`` is how many are to be read, and ``skipped`` counts
        what is not looked at, by kind; members of containers are added to it.
        """
        self.verbosity, self.named, self.paths, self.skipped = verbosity, named, paths, skipped
        self.folders: dict[str, Counter[str]] = {}
        self.kinds: Counter[str] = Counter()
        self.problems: list[Problem] = []
        self.findings: list[Problem] = []
        self.failed = self.setups = 0
        self.done: set[str] = set()
        self.begun, self.is_shown = time.monotonic(), False

    @property
    def total(self) -> Counter[str]:
        """Counts of all folders together."""
        return sum(self.folders.values(), Counter[str]())

    @property
    def is_grouped(self) -> bool:
        """Whether problems are grouped by rule, at the end."""
        return self.verbosity.is_terminal and not self.verbosity.is_detailed

    def add(self, chunk: Chunk) -> None:
        """Take in what a chunk of files gave."""
        for file in chunk.files:
            self._add_file(file)
        problems = chunk.problems
        self.problems += problems
        if self.is_grouped:
            self.findings += chunk.findings
        elif not self.verbosity.is_json:
            report([*problems, *chunk.findings])

    @property
    def shows_findings(self) -> bool:
        """Whether each finding, or an example, is shown."""
        verbosity = self.verbosity
        return (verbosity.is_terminal or verbosity.is_detailed) and not verbosity.is_quiet and not verbosity.is_json

    def _add_file(self, file: File) -> None:
        # a Path per file would take as long as reading it
        counts = self.folders.setdefault(os.path.dirname(file.source_path) or os.curdir, Counter())  # noqa: PTH120
        counts["files"] += 1
        counts[file.status] += 1
        counts["results"] += file.result_count
        counts["findings"] += file.finding_count
        self.setups += file.is_setup
        self.failed += file.status == "refused" and (file.rule != UNKNOWN or file.name in self.named)
        if file.status == "ignored":
            self.kinds[file.reason or ""] += 1
        self.skipped.update(file.passed_over)
        self.done.add(file.source_path)

    @property
    def has_more_than_rows(self) -> bool:
        """Whether the counts say more than the rows: several files, findings, or a file without a row."""
        total = self.total
        is_alone = total["files"] == 1 and not total["findings"] and not total["ignored"]
        return not is_alone or bool(total["read"] and not total["results"])

    def show_progress(self) -> None:
        """Say how far long work is, in one line that is written over."""
        if (
            self.verbosity.is_quiet
            or not self.verbosity.is_terminal
            or time.monotonic() - self.begun < PATIENCE_SECONDS
        ):
            return
        total = self.total
        line = f"reading: {len(self.done):,} of {self.paths:,} paths, {total['files']:,} files"
        rate = max(len(self.done), 1) / (time.monotonic() - self.begun)
        pace = f"{rate:,.0f}/s, {(self.paths - len(self.done)) / rate:,.0f} s left"
        click.echo(f"\r\033[K{line}, {total['results']:,} results, {pace}", nl=False, err=True)
        self.is_shown = True

    def end_progress(self) -> None:
        """Leave the line of the progress free."""
        if self.is_shown:
            click.echo("\r\033[K", nl=False, err=True)
            self.is_shown = False

    def print_problems(self) -> None:
        """Print problems that are grouped: one example for each rule, with their number."""
        if self.is_grouped and not self.verbosity.is_json:
            self._print_grouped(self.problems, "refused", "--details names each")
            self._print_grouped(self.findings, "findings", "--table findings FILE writes them, --details names each")

    def _print_grouped(self, problems: Iterable[Problem], kind: str, remedy: str) -> None:
        by_rule: dict[str, list[Problem]] = {}
        for problem in problems:
            by_rule.setdefault(problem.rule, []).append(problem)
        if any(len(alike) > 1 for alike in by_rule.values()) and not self.verbosity.is_quiet:
            say(f"{kind}, one example for each rule ({remedy}):")
        for _, alike in sorted(by_rule.items()):
            say(f"{len(alike):,} times: {alike[0]}" if len(alike) > 1 else str(alike[0]))

    def print_folders(self) -> None:
        """Print the counts of each folder as a table."""
        rows = [(folder, *(counts[name] for name in COUNTS)) for folder, counts in sorted(self.folders.items())]
        print_rows(("folder", *COUNTS), rows)

    def print_json(self) -> None:
        """Print the counts, and every problem, for programs."""
        total = self.total
        folders = [
            {"folder": folder, **{name: counts[name] for name in COUNTS}}
            for folder, counts in sorted(self.folders.items())
        ]
        counts = {name: total[name] for name in COUNTS}
        kinds = {"ignored_kinds": dict(sorted(self.kinds.items())), "skipped": dict(sorted(self.skipped.items()))}
        say_json(counts | kinds | {"folders": folders, "problems": self.problems})

    def format_counts(self) -> str:
        """Return the counts of all in one line."""
        total = self.total
        share = total["read"] / total["files"] if total["files"] else 0
        ignored = f", {total['ignored']} ignored ({format_kinds(self.kinds)})" if self.kinds else ""
        findings = f", {counted(total['findings'], 'finding')}" if total["findings"] else ""
        if findings and not self.verbosity.has_findings_file:
            findings += " (--table findings FILE writes them)"
        read = f"{counted(total['files'], 'file')}: {total['read']} read ({share:.0%}){ignored}"
        setup = " (a job file or configuration has none)" if self.setups and not total["results"] else ""
        return f"{read}, {total['refused']} refused, {counted(total['results'], 'result')}{setup}{findings}"


def format_kinds(kinds: Counter[str]) -> str:
    """Return kinds with how many there are of each, by name."""
    return ", ".join(f"{count} x {kind}" for kind, count in sorted(kinds.items()))
