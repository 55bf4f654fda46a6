"""
What a gate found: one row for each point and metric, one for each sweep, and the verdict on the whole.

It is written as text, HTML, JSON, Markdown, JUnit XML and annotations of GitHub.
"""

from __future__ import annotations

import dataclasses
import math
import textwrap
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from ioledger.comparison import METRIC_WORDS, Change, format_value, of_change
from ioledger.gating import Layout
from ioledger.problems import annotation, one_line
from ioledger.readers import binary_size
from ioledger.tables import MARKED
from ioledger.text_table import FILE_WIDTH, table_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from ioledger.gating.points import Point

OK, WORSE, UNREADABLE, UNDECIDED, NOTHING = range(5)
"""Exit codes: equal or better, worse, unreadable, undecided, nothing comparable."""
SUPPORT = 100_000
"""Operations a run from which on its p99 is more than advice."""
_NAMED = 3
"""How many points a sentence names."""
_MANY = 30
"""From more runs than this on it is better to let each last longer."""
_LEAST = ("at least three runs per side", "at least eight sessions before")
COLUMNS = ("point", "metric", "before", "after", "change", "95 % interval", "verdict")
_FIELDS = {"process_count": "processes", "is_direct": "direct", "target_kind": "target"}
_LAYOUTS = {
    Layout.UNDATED: "not every run states when it ran",
    Layout.BLOCKS: "all runs of one side came before those of the other",
    Layout.TOO_FEW: "fewer than three pairs of neighbouring runs of both sides",
    Layout.NOT_PAIRED: "the runs do not form pairs of both sides",
    Layout.FIXED: "pairs in a fixed order, which a periodic disturbance can follow",
    Layout.PAIRED: "pairs with a random first side",
    Layout.HISTORY: "sessions are compared, not runs",
}


@dataclass(frozen=True, kw_only=True)
class PointVerdict:
    """
    One metric of a point, or of the whole sweep: what was found of it, and what it rests on.

    ``ratio`` is how many times as good after is, above 1 better; ``p_value`` is adjusted for all tests (Holm).
    Values are geometric means in SI units, null for the sweep. ``deviation`` is the standard deviation of single runs
    on the natural logarithm; ``shown_ratio`` the smallest loss that so many runs show in 80 of 100 cases.
    """

    metric: str
    change: Change
    margin: float
    point: Point | None = None
    reason: str | None = None
    is_advice: bool = False
    """Whether it is told and does not count: p99 below a hundred thousand operations."""
    before_count: int = 0
    after_count: int = 0
    before_value: float | None = None
    after_value: float | None = None
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    p_equivalence: float | None = None
    deviation: float | None = None
    shown_ratio: float | None = None
    repetitions: int | None = None
    """How many runs a side would decide it in 80 of 100 cases; null where that is not known, or it is decided."""
    is_suspect: bool = False
    """Whether it may be worse: a loss of the margin or more that is not certain."""
    operation_count: int | None = None
    """Operations of the run that made the fewest; 0 where one does not say."""
    before_places: tuple[str, ...] = ()
    after_places: tuple[str, ...] = ()
    apart: str = ""
    """What tells the point from another one of the same title, as :func:`distinguish` says it."""

    @property
    def title(self) -> str:
        """The point in words, as no other one is called."""
        return ", ".join(filter(None, (describe_point(self.point), self.apart)))

    @property
    def name(self) -> str:
        """The point in words, with its metric."""
        return f"{self.title}, {METRIC_WORDS[self.metric]}"

    @property
    def measured_change(self) -> float | None:
        """After divided by before, of the measured value: above 1 is slower where it is a latency."""
        return 1 / self.ratio if self.ratio and self.metric.startswith("latency") else self.ratio

    @property
    def speed(self) -> str | None:
        """``slower`` or ``faster`` where the point is worse or better."""
        return {Change.WORSE: "slower", Change.BETTER: "faster"}.get(self.change)

    @property
    def words(self) -> str:
        """The verdict in words, with its reason."""
        said = of_change(self.change, self.margin)
        said = f"{said}, {self.speed}" if self.speed else said
        return f"{said}: {self.reason}" if self.reason else said

    @property
    def cells(self) -> tuple[str, ...]:
        """The row in words and figures, as ``COLUMNS`` names them."""
        unit = f" {METRIC_WORDS[self.metric]}"
        values = [
            "" if value is None else format_value(value, self.metric).removesuffix(unit)
            for value in (self.before_value, self.after_value)
        ]
        ends = [each for each in (self.low, self.high) if each is not None]
        ends = sorted(1 / each for each in ends) if self.metric.startswith("latency") else ends
        interval = " to ".join(map(format_change, ends))
        change = "" if self.measured_change is None else format_change(self.measured_change)
        advice = " (advice)" if self.is_advice else ""
        return self.title, METRIC_WORDS[self.metric], *values, change, interval, f"{self.words}{advice}"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether after is better than before, worse, equal, or not decided, on the whole and point by point."""

    change: Change
    reason: str
    before: str
    after: str
    margin: float
    alpha: float
    layout: Layout
    trusts_order: bool = False
    points: tuple[PointVerdict, ...] = ()
    sweeps: tuple[PointVerdict, ...] = ()
    unmatched_before: tuple[Point, ...] = ()
    unmatched_after: tuple[Point, ...] = ()
    empty: tuple[str, ...] = ()
    """Where a run did no I/O: it failed, and keeps the whole from being equal or better."""
    copies: tuple[str, ...] = ()
    """Files with the bytes of another one of their side, whose runs count once."""
    unknown: tuple[str, ...] = ()
    """Files that no reader knows, and that are not named as results are: they are left out."""
    problems: tuple[str, ...] = ()
    """What could not be read, a line each; the verdict then says nothing of the change."""

    @property
    def exit_code(self) -> int:
        """0 equal or better, 1 worse, 2 unreadable, 3 undecided, 4 nothing comparable."""
        if self.problems:
            return UNREADABLE
        return {Change.WORSE: WORSE, Change.UNDECIDED: UNDECIDED, Change.NOT_COMPARABLE: NOTHING}.get(self.change, OK)

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        if self.problems:
            return f"unreadable: {self.reason}"
        said = of_change(self.change, self.margin)
        return f"{said}: {self.reason}" if self.reason else said

    @property
    def to_repeat(self) -> tuple[PointVerdict, ...]:
        """The undecided points that stand in the way, those that may be worse first."""
        open_ones = [row for row in self.points if row.change is Change.UNDECIDED and not row.is_advice]
        return tuple(sorted(open_ones, key=lambda row: (not row.is_suspect, row.ratio or math.inf)))

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        plain = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        head = {"verdict": plain.pop("change").value, "sentence": self.sentence, "exit_code": self.exit_code}
        del plain["reason"]  # the sentence has it
        rows = {name: [_flatten(row) for row in plain[name]] for name in ("points", "sweeps")}
        unmatched = {name: [each._asdict() for each in plain[name]] for name in ("unmatched_before", "unmatched_after")}
        repeat = [{"point": row.name, "repetitions": row.repetitions} for row in self.to_repeat]
        return {**head, **plain, "layout": self.layout.value, "repeat": repeat, **rows, **unmatched}

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of a table; the interval is that of the level that was asked for."""
        return tuple(name.replace("95", f"{100 * (1 - self.alpha):g}") for name in COLUMNS)

    def notes(self) -> Iterator[str]:
        """Give what a reader must know beside the table, a sentence each."""
        compared = [row for row in self.points if row.change is not Change.NOT_COMPARABLE]
        if compared:
            counts = sorted({(row.before_count, row.after_count) for row in compared})
            runs = " or ".join(f"{before} and {after}" for before, after in counts)
            what = "sessions" if self.layout is Layout.HISTORY else "runs"
            number = f"{len(compared)} point{'s' * (len(compared) > 1)}"
            allowed = (
                "; order trusted (--trust-order)" if self.trusts_order else ", so better and worse are not decided"
            )
            allowed = "" if self.layout.excludes_order else allowed
            yield f"{number} compared; {runs} {what}; {_LAYOUTS[self.layout]}{allowed}."
        shared = [row.point for row in self.points if row.point]
        marks = distinguish({*shared, *self.unmatched_before, *self.unmatched_after})
        for side, points in (("before", self.unmatched_before), ("after", self.unmatched_after)):
            if points:
                names = [", ".join(filter(None, (describe_point(each), marks[each]))) for each in points]
                yield f"Only {side}: {shorten(names)}."
        if self.empty:
            yield f"Did no I/O, so they failed: {shorten(self.empty)}."
        if self.copies:
            yield f"Copies of another file of their side, so their runs count once: {shorten(self.copies)}."
        if self.unknown:
            yield f"Ignored, because no reader recognises them: {shorten(self.unknown)}."
        if advice := [row for row in self.points if row.is_advice]:
            yield f"p99 is shown only as a hint and does not decide: {describe_operations(advice)}."
        yield from self._repeats()

    def _repeats(self) -> Iterator[str]:
        """Give which points to repeat, and how often a verdict on them needs."""
        rows = self.to_repeat
        if self.change is not Change.UNDECIDED or not rows:
            return
        if not self.layout.excludes_order and not self.trusts_order:
            yield "Run pairs in random order (ioledger plan --gate writes the jobs), or use --trust-order."
        for row in rows[:_NAMED]:
            shown = "" if row.shown_ratio is None else f" They can show a loss of {100 * (1 - row.shown_ratio):.0f} %."
            if row.repetitions is not None:
                longer = "; longer runs, or an idle machine, vary less" if row.repetitions > _MANY else ""
                spread = f" (runs vary by {100 * (row.deviation or 0):.0f} %{longer})"
                yield f"Repeat {row.name}: {row.repetitions} runs per side decide it in 80 of 100 cases{spread}.{shown}"
            elif row.p_value is None:
                yield f"Repeat {row.name}: {_LEAST[self.layout is Layout.HISTORY]}."
        if len(rows) > _NAMED:
            most = max((row.repetitions or 0 for row in rows), default=0)
            yield f"{len(rows) - _NAMED} more are undecided" + (f"; {most} runs per side decide all." if most else ".")

    def __str__(self) -> str:
        """Return what the command prints, for a file."""
        return self.text()

    def text(self, width: int = FILE_WIDTH, *, is_terminal: bool = False, has_problems: bool = True) -> str:
        """Return what the command prints: the verdict, a table of the points, problems, and notes, a paragraph each."""

        def wrap_line(line: str) -> str:
            return textwrap.fill(one_line(line), width, break_on_hyphens=False)

        rows = [[one_line(cell) for cell in row.cells] for row in (*self.points, *self.sweeps)]
        table = ""
        if rows:
            table = table_text(self.columns, rows, is_first_whole=True, width=width, is_terminal=is_terminal)
        sentence = self.sentence[:1].upper() + self.sentence[1:]
        problems = self.problems if has_problems else ()
        return "\n".join(
            [wrap_line(sentence), *([table.rstrip("\n")] if rows else []), *problems, *map(wrap_line, self.notes())]
        )

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        rows = (row.cells for row in (*self.points, *self.sweeps))
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>" for cells in rows)
        listed = "".join(f"<li>{escape(note)}</li>" for note in (*self.problems, *self.notes()))
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if body else ""
        return f"<p><strong>{escape(self.sentence)}</strong></p>{table}<ul>{listed}</ul>"


def _flatten(row: PointVerdict) -> dict[str, Any]:
    values = {field.name: getattr(row, field.name) for field in dataclasses.fields(row)}
    derived = {"name": row.name, "words": row.words, "measured_change_ratio": row.measured_change, "speed": row.speed}
    return {**derived, **values, "change": row.change.value, "point": row.point and row.point._asdict()}


def shorten(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f"; and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{'; '.join(names[:_NAMED])}{more}"


def describe_operations(rows: Iterable[PointVerdict]) -> str:
    """Return how many operations the rows have, how many a p99 needs, and what to do."""
    least = min((row.operation_count for row in rows if row.operation_count is not None), default=0)
    if not least:
        return f"some runs do not state their operations; each needs {SUPPORT:,}"
    return f"a run made {least:,} operations and needs {SUPPORT:,}: run each {math.ceil(SUPPORT / least)} times as long"


def describe_point(point: Point | None) -> str:
    """Return a point in words: ``random read (70 % reads), 4 KiB, depth 8``; what is not stated is left out."""
    if point is None:
        return "whole sweep"
    pattern = {"random": "random ", "sequential": "sequential ", "mixed": "mixed "}.get(point.access_pattern or "", "")
    is_mix = point.read_ratio is not None and 0 < point.read_ratio < 1
    mix = f" ({100 * (point.read_ratio or 0):g} % reads)" if is_mix else ""
    blocks = [
        binary_size(size) for size in (point.block_size_min_bytes, point.block_size_max_bytes) if size is not None
    ]
    parts = [f"{pattern}{point.operation}{mix}", " to ".join(dict.fromkeys(blocks))]
    parts += [f"depth {point.queue_depth}"] if point.queue_depth is not None else []
    parts += [f"{point.process_count} processes"] if (point.process_count or 1) > 1 else []
    parts += ["buffered"] if point.is_direct is False else []
    return ", ".join(filter(None, parts))


def distinguish(points: Collection[Point]) -> dict[Point, str]:
    """Return for each point that shares its title with others what is not the same in all of them, in words."""
    by_title: dict[str, list[Point]] = {}
    for point in points:
        by_title.setdefault(describe_point(point), []).append(point)
    found = {}
    for alike in by_title.values():
        differ = [field for field in type(alike[0])._fields if len({getattr(each, field) for each in alike}) > 1]
        for point in alike:
            stated = {field: getattr(point, field) for field in differ}
            found[point] = ", ".join(
                f"{_FIELDS.get(field, field.replace('_', ' '))} {'not stated' if value is None else str(value).lower()}"
                for field, value in stated.items()
            )
    return found


def format_change(ratio: float) -> str:
    """Return a ratio as a change in percent."""
    return f"{100 * (ratio - 1):+.1f} %"


def write_markdown(verdict: Verdict) -> str:
    """Return the verdict as Markdown: first itself, then what is not equal."""
    shown = [row for row in (*verdict.points, *verdict.sweeps) if row.change is not Change.EQUAL]
    lines = [f"**{_escape(verdict.sentence)}**", ""]
    lines += [f"- {_escape(problem)}" for problem in verdict.problems]
    if shown:
        lines += [f"| {' | '.join(verdict.columns)} |", "|" + "---|" * len(COLUMNS)]
        lines += [f"| {' | '.join(map(_escape, row.cells))} |" for row in shown] + [""]
    equal = sum(row.change is Change.EQUAL for row in verdict.points)
    lines += [f"{equal} {of_change(Change.EQUAL, verdict.margin)}.", ""] if equal else []
    lines += [f"- {_escape(note)}" for note in verdict.notes()]
    return "\n".join(lines).rstrip() + f"\n\n{MARKED}\n"


def _escape(text: str) -> str:
    """Return text that Markdown shows as it is, in a table too."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|~!" else " " if c in "\r\n" else c for c in text)


def write_junit(verdict: Verdict) -> bytes:
    """Return the verdict as JUnit's XML: a test case for each point; worse is a failure, undecided is skipped."""
    rows = [row for row in (*verdict.points, *verdict.sweeps) if not row.is_advice]
    failed = sum(row.change is Change.WORSE for row in rows)
    skipped = sum(row.change in {Change.UNDECIDED, Change.NOT_COMPARABLE} for row in rows)
    counts = {"tests": len(rows) + len(verdict.problems), "failures": failed, "skipped": skipped}
    counts["errors"] = len(verdict.problems)
    suite = ET.Element("testsuite", {"name": "ioledger gate", **{name: str(count) for name, count in counts.items()}})
    for row in rows:
        case = ET.SubElement(suite, "testcase", {"classname": f"gate.{row.metric}", "name": row.title})
        said = "; ".join(filter(None, row.cells[2:]))
        if row.change is Change.WORSE:
            ET.SubElement(case, "failure", {"message": said}).text = "\n".join((*row.before_places, *row.after_places))
        elif row.change is not Change.EQUAL and row.change is not Change.BETTER:
            ET.SubElement(case, "skipped", {"message": said})
    for number, problem in enumerate(verdict.problems, 1):
        case = ET.SubElement(suite, "testcase", {"classname": "gate", "name": f"reading, problem {number}"})
        ET.SubElement(case, "error", {"message": problem})
    if not len(suite):  # a suite without a case passes for one that was not run
        suite.attrib |= {"tests": "1", "skipped": "1"}
        case = ET.SubElement(suite, "testcase", {"classname": "gate", "name": "points of both sides"})
        ET.SubElement(case, "skipped", {"message": verdict.sentence})
    for element in suite.iter():
        element.attrib = {name: _remove_unprintable(value) for name, value in element.attrib.items()}
        element.text = _remove_unprintable(element.text) if element.text else element.text
    ET.indent(suite)
    return b"%b\n" % ET.tostring(suite, encoding="utf-8", xml_declaration=True)


def _remove_unprintable(text: str) -> str:
    """Return text without the characters that no XML can hold."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def list_annotations(verdict: Verdict) -> Iterator[str]:
    """Give workflow commands of GitHub: an annotation for the whole, and one for each point that is worse."""
    levels = {Change.WORSE: "error", Change.UNDECIDED: "warning", Change.NOT_COMPARABLE: "error"}
    yield annotation(levels.get(verdict.change, "notice"), verdict.sentence, title="ioledger gate")
    for row in verdict.points:
        if row.change is Change.WORSE and not row.is_advice:
            yield annotation("error", "; ".join(filter(None, row.cells[2:])), title=row.name)
