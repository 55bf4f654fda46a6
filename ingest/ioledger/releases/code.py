"""What differs between the code of two builds, and which tables that can reach."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ioledger.releases.evidence import Evidence, Reader
    from ioledger.releases.sides import Side

DATA, READER, MODEL, JUDGEMENT, UNKNOWN = "data", "reader version", "model", "judgement", "unknown"
CAUSES = (DATA, READER, MODEL, JUDGEMENT, UNKNOWN)
ENGINES = ("duckdb", "dbt-duckdb", "pyarrow", "python")
"""What may compute otherwise in another version."""
COMPUTED = {
    "claim_verdicts": ("claims", "figures", "drives", "configurations", "results"),
    "findings": ("results", "latency_percentiles", "latency_bins", "figures", "drives", "configurations"),
}
"""Raw tables that are worked out of others, with those that they are made of."""
NAMED = 3
"""So many names stand in a reason; the rest is counted."""


def listed(names: Iterable[str]) -> str:
    """Return names in a row, the first few of many."""
    found = sorted(names)
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return ", ".join(found[:NAMED]) + more


def _differing(before: Mapping[str, object], after: Mapping[str, object]) -> frozenset[str]:
    return frozenset(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


class Code:
    """The code of two builds; nothing is known of it where one of them does not say what made it."""

    def __init__(self, before: Side, after: Side) -> None:
        """Compare what the two sides tell."""
        self._sides = before, after
        self._told = (before.evidence, after.evidence)
        self.untold = listed(side.name for side in (before, after) if side.evidence is None)
        """The sides that do not say what made them; empty where both do."""

    @cached_property
    def both(self) -> tuple[Evidence, Evidence] | None:
        """What made each side, where both say it."""
        old, new = self._told
        return None if old is None or new is None else (old, new)

    def _names(self, part: str) -> frozenset[str]:
        return _differing(getattr(self.both[0], part), getattr(self.both[1], part)) if self.both else frozenset()

    @cached_property
    def models(self) -> frozenset[str]:
        """Models whose SQL differs, and those that only one side has."""
        return self._names("models")

    @cached_property
    def seeds(self) -> frozenset[str]:
        """Seeds that differ: roles, limits, profiles, objectives."""
        return self._names("seeds")

    @cached_property
    def judgement(self) -> frozenset[str]:
        """Modules of judgement that differ."""
        return self._names("judgement")

    @cached_property
    def claims(self) -> frozenset[str]:
        """Modules that recompute claims and differ."""
        return self._names("claims")

    @cached_property
    def expectations(self) -> frozenset[str]:
        """Suites of expectations that differ."""
        return self._names("expectations")

    @cached_property
    def rooms(self) -> frozenset[str]:
        """Rooms of code that all readers share and that differ."""
        return self._names("reading")

    @cached_property
    def engines(self) -> str:
        """What computes and differs in its version, in words; empty where nothing does."""
        old, new = (side.written_with for side in self._sides)
        return listed(
            f"{name} {old[name]} → {new[name]}"
            for name in ENGINES
            if name in old and name in new and old[name] != new[name]
        )

    def reader(self, tool: str | None, source_format: str | None) -> str:
        """Say how the reader of a format differs, or what it shares with all others; empty where nothing does."""
        if not self.both:
            return ""
        old, new = (evidence.readers.get(tool or "") for evidence in self.both)
        word = (source_format or "").partition(" ")[0]
        shared = f"{listed(self.rooms)}, which all readers share" if self.rooms else ""
        if old == new:
            return f"the code of {shared}, differs" if shared else ""
        then, now = _version(old, word), _version(new, word)
        name = f"{tool} {word}".strip()
        if then != now:
            return f"the reader {name}: {then or 'no version'} → {now or 'no version'}"
        if (old and old.sha256) == (new and new.sha256) and not shared:
            return ""
        what = f"the code of the reader {tool}" if old and new and old.sha256 != new.sha256 else f"the code of {shared}"
        return f"{what} differs, and {name} has {f'version {now}' if now else 'no version'} on both sides"

    @cached_property
    def manifests(self) -> str:
        """Say how the code that reads manifests differs; empty where it does not."""
        rooms = self.rooms & {"submission", "tables"}
        return f"the code that reads manifests ({listed(rooms)}) differs" if rooms else ""

    @cached_property
    def _reads(self) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for evidence in self.both or ():
            for name, model in evidence.models.items():
                found[name] = found.get(name, frozenset()) | frozenset(model.reads)
        return found

    def upstream(self, mart: str) -> frozenset[str]:
        """Return the mart with everything it is made of: models, seeds, and raw tables as ``raw.<name>``."""
        found, open_names = set[str](), [mart]
        while open_names:
            name = open_names.pop()
            if name not in found:
                found.add(name)
                open_names += self._reads.get(name, ())
        return frozenset(found)

    def reaching(self, mart: str) -> dict[str, str]:
        """Return what of the code that makes a mart differs, in words, by cause."""
        above, found = self.upstream(mart), {}
        if models := self.models & above:
            found[MODEL] = f"SQL differs in {listed(models)}"
        judging = any(
            name in evidence.models and evidence.models[name].is_judging
            for evidence in self.both or ()
            for name in above
        )
        judged = {f"{name}.py" for name in self.judgement if judging} | {f"{name}.csv" for name in self.seeds & above}
        if judged:
            found[JUDGEMENT] = f"judgement differs in {listed(judged)}"
        return found

    def computing(self, table: str) -> dict[str, str]:
        """Return what of the code that works out a raw table of ``COMPUTED`` differs, in words, by cause."""
        parts = {
            "claim_verdicts": ("the recomputation of claims", self.claims),
            "findings": ("belief", self.expectations),
        }
        what, differs = parts[table]
        return {JUDGEMENT: f"{what} differs in {listed(differs)}"} if differs else {}

    def raw_tables(self, mart: str) -> frozenset[str]:
        """Return the raw tables that a mart is made of; all of them where the code is not known."""
        return frozenset(name.removeprefix("raw.") for name in self.upstream(mart) if name.startswith("raw."))

    def told(self) -> Told:
        """Return all that differs, for people and programs."""
        readers = []
        if self.both:
            for tool in sorted(self._names("readers")):
                old, new = (evidence.readers.get(tool) for evidence in self.both)
                words = sorted({*(old.versions if old else ()), *(new.versions if new else ())})
                moved = [f"{word} {_version(old, word) or 'none'} → {_version(new, word) or 'none'}" for word in words
                         if _version(old, word) != _version(new, word)]  # fmt: skip
                readers.append(f"{tool}: {', '.join(moved)}" if moved else f"{tool}: same versions, other code")
        return Told(
            readers=readers,
            reading=sorted(self.rooms),
            models=sorted(self.models),
            judgement=sorted(
                {f"{name}.py" for name in self.judgement} | {f"{name}.csv" for name in self.seeds}
                | {f"claims/{name}.py" for name in self.claims} | {f"{name}.json" for name in self.expectations}
            ),
            engines=self.engines,
            untold=self.untold,
        )  # fmt: skip


def _version(reader: Reader | None, word: str) -> str | None:
    return reader.versions.get(word) if reader else None


class Told(msgspec.Struct, frozen=True):
    """What differs in the code of two builds, by the causes that it may be."""

    readers: list[str]
    reading: list[str]
    models: list[str]
    judgement: list[str]
    engines: str
    untold: str
