"""
Why a row differs between two builds: data, reader version, model or judgement; unknown where evidence does not decide.

A build is a function of files, manifests and code, so what is the same on both sides is no cause. Of a raw row, the
bytes of its file, its manifest and its reader are asked. Of a row that a model made, all that reaches its table is:
where only one thing differs, that is the cause of every row. Where several do, a row has the cause of its operands that
moved, which are those of the same submission, configuration and load. Nothing is guessed: of two things that may both
have moved a row, none is named alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ioledger.releases.code import COMPUTED, DATA, MODEL, READER, UNKNOWN, Code, listed
from ioledger.releases.matched import ADDED
from ioledger.rules import rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

BOOKKEEPING = ("reader_version", "manifest_sha256")
STATE = frozenset({"status", "status_reason", "status_changed_on", "superseded_by", "manifest_sha256"})
PLACED = frozenset({"configuration_id", "repetition_index"})
"""Columns of what is read from files that the manifest tells."""
MEASURED = frozenset({"results", "figures"})
BELIEVED = frozenset(rule.rule for rule in rules() if rule.stage == "numbers")
"""Rules that expectations hold; what breaks another is told where files and manifests are read."""


class Cause(NamedTuple):
    """Why a row differs: a word, and what shows it."""

    word: str
    reason: str


class Link(NamedTuple):
    """A measurement that a row is about: submission, configuration and load, as far as the row names them."""

    submission: str | None
    configuration: str | None
    workload: str | None


class File(NamedTuple):
    """What is known of a raw file on both sides: what became of it, and who reads it."""

    path: str
    change: str
    """In words, such as ``is new``; empty where its bytes are the same."""
    tool: str | None
    source_format: str | None
    versions: tuple[str | None, str | None] = (None, None)
    """The version that read it on each side, as its results say."""


class Handed(NamedTuple):
    """A submission that differs: what became of it, whether its manifest is another (null: unknown), and its state."""

    change: str
    is_manifest_other: bool | None
    state: str


AS_IT_WAS = Handed(change="", is_manifest_other=False, state="")


class Inputs(NamedTuple):
    """What both sides were made of: files that are read, by id, and submissions."""

    files: Mapping[str, File]
    submissions: Mapping[str, Handed]


class Raw(NamedTuple):
    """A raw row that differs: ``moved`` names its columns that do, nothing for one that one side has alone."""

    table: str
    submission: str | None
    file: File | None
    moved: str


class Operand(NamedTuple):
    """Raw rows that differ and that other rows are made of: table, how many, the first, and why they differ."""

    table: str
    rows: int
    key: str
    cause: Cause
    is_bookkeeping: bool = False
    """Whether only versions and hashes differ, which say how a row was made and are in no number."""

    @property
    def place(self) -> tuple[bool, bool, str, str]:
        """Where it stands among others in a reason: measurements first, then what is stated about them."""
        return self.is_bookkeeping, self.table not in MEASURED, self.table, self.key


def of_raw(row: Raw, inputs: Inputs, code: Code) -> Cause:
    """Return why a raw row differs."""
    handed = inputs.submissions.get(row.submission or "", AS_IT_WAS)
    if handed.change:
        return Cause(DATA, f"{row.submission} {handed.change}")
    if row.file is not None and row.file.change:
        return Cause(DATA, f"the file {row.file.path} {row.file.change}")
    columns = frozenset(row.moved.split(",")) if row.moved else frozenset[str]()
    if handed.state and (not columns or columns <= STATE or row.table == "files"):
        return Cause(DATA, f"the state of {row.submission}: {handed.state}")
    if row.file is not None and columns and columns <= PLACED and handed.is_manifest_other:
        return Cause(DATA, f"the manifest of {row.submission} says so")
    if row.table == "submissions" and "manifest_sha256" in columns:
        return Cause(DATA, f"the manifest of {row.submission} is another")
    nothing = f"bytes and manifest of {row.submission} and the code that reads them are the same"
    return _only(list(_possible(row, handed, code)), code, nothing)


def _possible(row: Raw, handed: Handed, code: Code) -> Iterable[Cause]:
    """Give everything that differs and may have moved a raw row."""
    if handed.is_manifest_other or (handed.is_manifest_other is None and code.both):
        said = "is another" if handed.is_manifest_other else "may be another: one side does not have its hash"
        yield Cause(DATA, f"the manifest of {row.submission} {said}")
    if row.file is None:
        if code.manifests:
            yield Cause(READER, code.manifests)
    elif all(row.file.versions) and row.file.versions[0] != row.file.versions[1]:
        name = " ".join(filter(None, (row.file.tool, row.file.source_format)))
        yield Cause(READER, f"the reader {name}: {row.file.versions[0]} → {row.file.versions[1]}, of the same bytes")
    elif differs := code.reader(row.file.tool, row.file.source_format):
        yield Cause(READER, f"{differs}; the bytes of {row.file.path} are the same")


def _only(possible: list[Cause], code: Code, nothing: str) -> Cause:
    """Return the one thing that may have moved a row; unknown where several may, or nothing does."""
    words = {cause.word for cause in possible}
    if len(words) == 1:
        return Cause(possible[0].word, "; ".join(cause.reason for cause in possible))
    if possible:
        return Cause(UNKNOWN, f"not told apart: {'; '.join(f'{word}: {reason}' for word, reason in possible)}")
    if code.untold:
        return Cause(UNKNOWN, f"{code.untold} does not say what code made it")
    return Cause(UNKNOWN, f"{nothing}; {code.engines} differs" if code.engines else nothing)


class Derived:
    """The causes of rows that are made of raw ones: by a model, or by the recomputation of claims."""

    def __init__(self, table: str, operands: Mapping[Link, list[Operand]], inputs: Inputs, code: Code) -> None:
        """Take a table, and the raw rows that differ by what they are about, whatever table they are in."""
        self._inputs, self._code, self._table = inputs, code, table
        raw = frozenset(COMPUTED.get(table, ())) or code.raw_tables(table)
        self._other = code.computing(table) if table in COMPUTED else code.reaching(table)
        self._narrow = {
            link: [operand for operand in found if operand.table in raw or not raw] for link, found in operands.items()
        }
        """The operands that say exactly so much of what they are about."""
        self._wide: dict[Link, list[Operand]] = {}
        """Those that say so much or more."""
        for link, found in self._narrow.items():
            for wider in {link, link._replace(workload=None), Link(link.submission, None, None)}:
                self._wide.setdefault(wider, []).extend(found)
        every = [operand for found in self._narrow.values() for operand in found]
        self._words = {operand.cause.word for operand in every}
        self._first = min(every, key=lambda operand: operand.place, default=None)

    def cause(self, links: Iterable[Link]) -> Cause:
        """Return why a row differs that is about these measurements."""
        about = list(links)
        for link in about:
            handed = self._inputs.submissions.get(link.submission or "")
            if handed and handed.change:
                return Cause(DATA, f"{link.submission} {handed.change}")
        if self._code.untold:
            return Cause(UNKNOWN, f"{self._code.untold} does not say what code made it")
        moved = self._moved(about)
        operand = _told(moved)
        everything = self._words | self._other.keys()
        if len(everything) == 1 and UNKNOWN not in everything:
            (word,) = everything
            reason = operand or self._other.get(word) or self._elsewhere()
            return Cause(word, reason)
        words = sorted({each.cause.word for each in moved})
        if words and not self._other and UNKNOWN not in words:
            return Cause(" and ".join(words), operand)
        told = [operand] if operand else [self._elsewhere()] if self._words else []
        told += self._other.values()
        if told:
            return Cause(UNKNOWN, f"not told apart: {'; '.join(told)}")
        return _only([], self._code, "all that it is made of is the same")

    def alone(self, change: str) -> Callable[[object], Cause]:
        """Return what gives the cause of a table that one side alone has: its model is new or gone."""
        cause = Cause(MODEL, f"the table is {'new' if change == ADDED else 'gone'}")
        return lambda _row: cause

    def _moved(self, about: Iterable[Link]) -> list[Operand]:
        """Return the operands of these measurements: of the load, of the configuration, and of the submission."""
        found: dict[tuple[str, str], Operand] = {}
        for link in about:
            near = [*self._wide.get(link, ())]
            near += self._narrow.get(link._replace(workload=None), ())
            near += self._narrow.get(Link(link.submission, None, None), ())
            found |= {(operand.table, operand.key): operand for operand in near}
        return list(found.values())

    def _elsewhere(self) -> str:
        if self._first is None:
            return ""
        return f"no row of its own moved, but {_named(self._first)}"


def _named(operand: Operand) -> str:
    more = f" and {operand.rows - 1} more" if operand.rows > 1 else ""
    return f"{operand.table} {operand.key}{more} moved: {operand.cause.reason}"


def _told(moved: list[Operand]) -> str:
    """Return the operands that moved, in words: measurements before what is stated about them."""
    ordered = sorted(moved, key=lambda operand: operand.place)
    if not ordered:
        return ""
    more = f"; and rows of {listed({operand.table for operand in ordered[1:]})}" if len(ordered) > 1 else ""
    return _named(ordered[0]) + more
