"""What ``ioledger parse`` says of the files it was given: what is wrong, by rule, and counts by folder and in all."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import click

from ioledger.cli import counted, print_table, report, say, say_json

if TYPE_CHECKING:
    from collections.abc import Container

    from ioledger.loading.copies import Chunk, File
    from ioledger.problems import Problem

COUNTS = ("files", "read", "ignored", "refused", "results", "findings")
UNKNOWN = "R-DETECT-1"
"""The rule of a file that no reader knows: below a folder it need not be a result."""
PATIENCE_SECONDS = 1.0
"""How long a person waits before progress is shown."""


class Summary:
    """Counts of the files that were read, with problems as they come; on a terminal one per rule at the end."""

    def __init__(  # noqa: PLR0913  (one for each option)
        self,
        named: Container[str],
        paths: int,
        skipped: Counter[str],
        *,
        is_quiet: bool = False,
        is_detailed: bool = False,
        is_json: bool = False,
    ) -> None:
        """Begin."""
        self.named, self.paths, self.skipped = named, paths, skipped
        self.is_quiet, self.is_detailed, self.is_terminal = is_quiet, is_detailed, sys.stderr.isatty()
        self.shows_problems = not is_json
        self.shows_findings = (self.is_terminal or is_detailed) and not is_quiet and not is_json
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

    def add(self, chunk: Chunk) -> None:
        """Take in what a chunk of files gave; print its problems unless these are grouped at the end."""
        for file in chunk.files:
            self._add_file(file)
        self.problems += chunk.problems
        self.findings += chunk.findings if self.is_terminal else ()
        if self.shows_problems and (self.is_detailed or not self.is_terminal):
            report([*chunk.problems, *chunk.findings], is_whole=self.is_detailed)

    def _add_file(self, file: File) -> None:
        # a Path per file would take as long as reading it
        counts = self.folders.setdefault(os.path.dirname(file.source_path) or os.curdir, Counter())  # noqa: PTH120
        counts.update({"files": 1, file.status: 1, "results": file.result_count, "findings": file.finding_count})
        self.setups += file.is_setup
        self.failed += file.status == "refused" and (file.rule != UNKNOWN or file.name in self.named)
        if file.status == "ignored":
            self.kinds[file.reason or ""] += 1
        self.skipped.update(file.passed_over)
        self.done.add(file.source_path)

    def show_progress(self) -> None:
        """Say how far long work is, in one line that is written over."""
        seconds = time.monotonic() - self.begun
        if self.is_terminal and not self.is_quiet and seconds >= PATIENCE_SECONDS:
            total, rate = self.total, max(len(self.done), 1) / seconds
            line = f"reading: {len(self.done):,} of {self.paths:,} paths, {total['files']:,} files"
            pace = f"{rate:,.0f}/s, {(self.paths - len(self.done)) / rate:,.0f} s left"
            click.echo(f"\r\033[K{line}, {total['results']:,} results, {pace}", nl=False, err=True)
            self.is_shown = True

    def end_progress(self) -> None:
        """Leave the line of the progress free."""
        if self.is_shown:
            click.echo("\r\033[K", nl=False, err=True)
            self.is_shown = False

    def print_grouped(self) -> None:
        """On a terminal print one example for each fault, with how many more there are."""
        if self.is_terminal and self.shows_problems and not self.is_detailed:
            for found, remedy in ((self.problems, ""), (self.findings, "--table findings FILE writes findings, ")):
                report(found, files=1, lines=1)
                if len({each.rule for each in found}) < len(found) and not self.is_quiet:
                    say(f"{remedy}--details names each")

    def print_counts(self, *, as_json: bool) -> None:
        """Print the counts of each folder as a table; for programs as JSON, with the problems."""
        folders = [(folder, [counts[name] for name in COUNTS]) for folder, counts in sorted(self.folders.items())]
        if not as_json:
            print_table(("folder", *COUNTS), [(folder, *counts) for folder, counts in folders])
            return
        total = self.total
        say_json(
            {
                **{name: total[name] for name in COUNTS},
                "ignored_kinds": dict(sorted(self.kinds.items())),
                "skipped": dict(sorted(self.skipped.items())),
                "folders": [{"folder": folder, **dict(zip(COUNTS, counts, strict=True))} for folder, counts in folders],
                "problems": self.problems,
            }
        )

    @property
    def has_more_than_rows(self) -> bool:
        """Whether the counts say more than the rows: several files, findings, or a file without a row."""
        total = self.total
        is_alone = total["files"] == 1 and not total["findings"] and not total["ignored"]
        return not is_alone or bool(total["read"] and not total["results"])

    def format_counts(self, *, has_findings_file: bool) -> str:
        """Return the counts of all in one line."""
        total = self.total
        share = total["read"] / total["files"] if total["files"] else 0
        ignored = f", {total['ignored']} ignored ({format_kinds(self.kinds)})" if self.kinds else ""
        findings = f", {counted(total['findings'], 'finding')}" if total["findings"] else ""
        if findings and not has_findings_file:
            findings += " (--table findings FILE writes them)"
        read = f"{counted(total['files'], 'file')}: {total['read']} read ({share:.0%}){ignored}"
        setup = " (a job file or configuration has none)" if self.setups and not total["results"] else ""
        return f"{read}, {total['refused']} refused, {counted(total['results'], 'result')}{setup}{findings}"


def format_kinds(kinds: Counter[str]) -> str:
    """Return kinds with how many there are of each, by name."""
    return ", ".join(f"{count} x {kind}" for kind, count in sorted(kinds.items()))
