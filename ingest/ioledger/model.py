"""
The normal form: what a reader returns.

A reader turns the bytes of one file into a :class:`Reading`. Every quantity in it is in SI base units and bytes; null
(``None``) means not measured or not stated, never zero. The columns of :class:`Result` are those of
``schemas/tables/results.schema.json`` that a file alone can tell; a test keeps the two in step.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping  # noqa: TC003  (msgspec reads the annotations)
from dataclasses import dataclass
from datetime import date  # noqa: TC003  (msgspec reads the annotations)
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

UTF16 = frozenset({b"\xff\xfe", b"\xfe\xff"})
"""The byte order marks of UTF-16."""
BINS = "latency_bins"
"""The table of histograms, which a reader may have to leave out."""
NOTHING: frozenset[str] = frozenset()


class Premises(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What no column tells of a result, and what it is plausible by: set by its reader, and by default not known."""

    wanted_seconds: float | None = None
    """How long it was to run, null where it was not to run by time."""
    outstanding_count: int | float | None = None
    """Operations that were kept outstanding for this result alone; null where others share the queue depth."""
    is_ramp_known: bool = False
    """Whether there was no ramp if none is stated."""
    is_verifying: bool | None = False
    """Whether reads check what was written; null where that is not known."""
    is_verifying_earlier: bool = False
    """Whether reads check what another run wrote."""
    is_polling: bool = False
    """Whether a processor is busy by design, so that a busy one proves nothing."""
    is_unstarted: bool = False
    """Whether the start of operations was not to be noted, so that no time counts from it."""
    is_process_count_assumed: bool = False
    """Whether one process is only assumed."""
    is_alone: bool = False
    """Whether the figures are proven to be those of one process."""
    bytes_per_operation: int | None = None
    """The bytes of each operation, where the counts give a whole number that is not the block size stated."""
    lost_ratio: float = 0.0
    """Largest share that the tool's own way of printing takes from a figure."""
    settled_depth: int | None = None
    """The queue depth at which one of several processes ended that looked for one."""
    concurrent: str = ""
    """The place that it shares with what ran at the same time and is reported apart; empty where nothing did."""
    is_summed: bool = False
    """Whether it is the sum of such parts, with percentiles from their summed histograms."""


UNKNOWN = Premises()


class Tolerances(NamedTuple):
    """How far a format's figures may be from what they should be."""

    mean_ticks: float = 0.0
    """Steps of its resolution that a mean latency may be rounded by."""
    printed_steps: Mapping[str, float] = MappingProxyType({})
    """Bytes per second of a printed throughput's unit."""
    rate_share: float = 0.01
    """Of a printed rate that counts over time may differ by."""
    is_cut: bool = False
    """Whether a printed throughput is cut to its unit, and bytes are cut to KiB."""
    is_rounded: bool = False
    """Whether figures are printed with few digits, so that rates made of them are more exact than they are."""
    block_share: float = 0.0
    bins_share: float = 0.0
    """Of operations that bins may hold more or less, where not all are counted that latency was taken of."""
    is_block_settled: bool = False
    """Whether a block size that bytes and operations refute is withdrawn."""
    are_blocks_in_flight: bool = False
    """Whether operations are under way when bytes and operations are counted."""
    is_load_shared: bool = False
    """Whether the results of a repetition share queue depth, run time and processor, so that these are asked once."""
    depth_low: float = 0.95
    depth_high: float = 1.05
    """Shares of the queue depth that IOPS times mean latency lies between."""
    least_operations: int = 0
    """Fewer than these prove nothing about a repetition."""
    time_low: float = 0.9
    time_high: float = float("inf")
    """Shares of the run time asked for that the measured one lies between."""
    unmeasured_by: tuple[str, ...] = ()
    """Options of a job by which no latencies are taken; none where a format prints no options."""


@dataclass(frozen=True, eq=False)
class Checks:
    """
    What a tool's figures must satisfy, which a reader states as ``CHECKS``.

    ``rules`` has the rule that a broken check is told under, by the name of the check (see
    :mod:`ioledger.checks`); a check without one is not asked. ``formats`` says how exact each source format is,
    by its first word, or by an empty text for all; of a format that is in neither nothing is asked.
    """

    rules: Mapping[str, str]
    formats: Mapping[str, Tolerances]


class Source(msgspec.Struct, gc=False):
    """
    One raw file: its name (for messages and suffixes only, never for facts), its bytes, and what a manifest adds.

    ``without`` names the tables that nobody asks for: a reader may leave out their rows, which can be most of the work.
    ``tool_version`` is the version of the tool that wrote the file, and ``job`` the bytes of the job file or
    configuration it ran; a reader takes from them what the file itself does not state. ``member_path`` is the place
    inside a container, null for a file that lies in a folder; the name has it too (``archive.tar.xz!dir/run.json``).
    """

    name: str
    data: bytes
    without: frozenset[str] = NOTHING
    tool_version: str | None = None
    job: bytes | None = None
    member_path: str | None = None
    _sha256: str | None = None

    @property
    def path(self) -> str:
        """Where the file lies or, of a member, the outermost container."""
        return self.name if self.member_path is None else self.name[: -len(self.member_path) - 1]

    @property
    def sha256(self) -> str:
        """SHA-256 of the bytes, in hexadecimal; worked out once."""
        if self._sha256 is None:
            self._sha256 = hashlib.sha256(self.data).hexdigest()
        return self._sha256

    def decode(self) -> tuple[str, str]:
        """Return the text and its encoding: UTF-16 by its mark (PowerShell's ``>`` writes it), UTF-8, else Latin-1."""
        if self.data[:2] in UTF16:
            return self.data.decode("utf-16", errors="replace"), "utf-16"
        try:
            return self.data.decode("utf-8-sig"), "utf-8"
        except UnicodeDecodeError:
            return self.data.decode("latin-1"), "latin-1"


def narrow(head: bytes) -> bytes:
    """Return the first bytes of a text without what UTF-16 puts between ASCII, so that words are found in them."""
    return head[2:].replace(b"\0", b"") if head[:2] in UTF16 else head


class Bins(NamedTuple):
    """The filled bins of a histogram, a list per column: they are many, and become columns of a table."""

    lows: list[float]
    """Lower edges in seconds."""
    highs: list[float | None]
    """Upper edges in seconds; null for an open bin."""
    counts: list[int]

    @staticmethod
    def of(rows: Iterable[tuple[float, float | None, int]]) -> Bins:
        """Return the bins of these rows: lower edge, upper edge, count."""
        found = list(rows)
        return Bins([low for low, _, _ in found], [high for _, high, _ in found], [count for *_, count in found])

    def rows(self) -> Iterator[tuple[float, float | None, int]]:
        """Yield each bin as lower edge, upper edge, count."""
        return zip(self.lows, self.highs, self.counts, strict=True)


class Origin(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """
    Of a result that was excerpted: the raw file it was read from, which lies elsewhere, and what read it.

    ``pointer`` and ``repetition`` are those of the raw file, and give the result the ids that it would have there.
    ``reader_version`` is null where no reader read the file: its figure was transcribed.
    """

    path: str
    sha256: str
    pointer: str
    repetition: str
    line: int | None = None
    reader_version: str | None
    tool: str


class Result(msgspec.Struct, kw_only=True, gc=False):
    """
    One measured operation of one repetition, as the file states it.

    ``pointer`` is the place in the file and must be unique within it; ``repetition`` groups what was measured together
    (reads and writes of one mixed job). The store prefixes both with the file's hash.

    ``percentiles`` maps a latency kind to ``{ratio: seconds}``, ``bins`` a latency kind to its filled bins.
    """

    pointer: str
    repetition: str
    tool_version: str | None = None
    round_index: int | None = None
    """Place in a series that was repeated until it was steady, from 1; null for a run that is not one of such."""
    source_format: str
    scope: str = "job"
    is_aggregate: bool = False
    is_partial: bool = False
    outcome: str = "ok"
    test_name: str | None = None
    group_index: int | None = None
    operation: str
    access_pattern: str | None = None
    random_ratio: float | None = None
    read_ratio: float | None = None
    block_size_bytes: int | None = None
    block_size_min_bytes: int | None = None
    block_size_max_bytes: int | None = None
    load_profile: str | None = None
    queue_depth: int | None = None
    queue_depth_low: int | None = None
    queue_depth_high: int | None = None
    queue_depth_origin: str | None = None
    queue_depth_reached: int | None = None
    is_queue_depth_sought: bool = False
    outstanding_per_target_count: int | None = None
    target_count: int | None = None
    process_count: int | None = None
    load_basis: str | None = "outstanding"
    workload_origins: str | None = None
    job_options: str | None = None
    engine: str | None = None
    is_direct: bool | None = None
    started_at: int | None = None
    """Microseconds since 1970-01-01 UTC."""
    ended_at: int | None = None
    """Microseconds since 1970-01-01 UTC."""
    started_at_local: str | None = None
    """What a clock showed where no zone is printed: ISO 8601, and no instant."""
    ended_at_local: str | None = None
    """As ``started_at_local``."""
    duration_seconds: float | None = None
    ramp_seconds: float | None = None
    operation_count: int | None = None
    transferred_bytes: int | None = None
    error_code: int | None = None
    error_count: int | None = None
    operations_per_second: float | None = None
    throughput_bytes_per_second: float | None = None
    operations_basis: str | None = None
    operations_resolution_per_second: float | None = None
    throughput_basis: str | None = None
    throughput_resolution_bytes_per_second: float | None = None
    operations_sample_min_per_second: float | None = None
    operations_sample_max_per_second: float | None = None
    operations_sample_mean_per_second: float | None = None
    operations_sample_stddev_per_second: float | None = None
    throughput_sample_min_bytes_per_second: float | None = None
    throughput_sample_max_bytes_per_second: float | None = None
    throughput_sample_mean_bytes_per_second: float | None = None
    throughput_sample_stddev_bytes_per_second: float | None = None
    sample_count: int | None = None
    sampling_semantics: str | None = None
    latency_kind: str | None = None
    latency_mean_seconds: float | None = None
    latency_min_seconds: float | None = None
    latency_max_seconds: float | None = None
    latency_stddev_seconds: float | None = None
    latency_sample_count: int | None = None
    completion_latency_mean_seconds: float | None = None
    completion_latency_min_seconds: float | None = None
    completion_latency_max_seconds: float | None = None
    completion_latency_stddev_seconds: float | None = None
    submission_latency_mean_seconds: float | None = None
    submission_latency_min_seconds: float | None = None
    submission_latency_max_seconds: float | None = None
    submission_latency_stddev_seconds: float | None = None
    latency_resolution_seconds: float | None = None
    cpu_user_ratio: float | None = None
    cpu_system_ratio: float | None = None
    cpu_busy_ratio: float | None = None
    steady_state_criterion: str | None = None
    is_steady_state_attained: bool | None = None
    value_kind: str = "measured"
    statistic: str = "point"
    qualifier: str | None = None
    unit_basis: str = "exact"
    is_canonical: bool = True
    printed_value: float | None = None
    printed_low: float | None = None
    printed_high: float | None = None
    printed_unit: str | None = None
    printed_text: str | None = None
    configuration: str | None = None
    """Configuration named inside the file itself (figures of publications); the manifest names it for tools' output."""
    origin: Origin | None = None
    """Where an excerpt was made from; null for a raw file."""
    premises: Premises = UNKNOWN
    percentiles: Mapping[str, Mapping[float, float]] = {}
    bins: Mapping[str, Bins] = {}


class Finding(msgspec.Struct, frozen=True):
    """
    Something a reader saw and did not mend: a rule id, a sentence, and the place (a result's pointer or empty).

    ``values`` are the values that the sentence names, by a name that says the unit.
    """

    rule: str
    message: str
    pointer: str = ""
    values: Mapping[str, float | int | str] = {}


class Refusal(msgspec.Struct, frozen=True):
    """Why a file, or a part of it, cannot be read: place, what, remedy, rule id."""

    place: str
    what: str
    remedy: str
    rule: str


class LeftOut(msgspec.Struct, frozen=True):
    """A part of a file that says again what another part of it says, and gives no results: where, and what stands."""

    pointer: str
    """Its first place."""
    source_format: str
    same_as: str
    """Pointer of a result that stands for it."""
    rule: str


class Reading(msgspec.Struct, kw_only=True):
    """
    Everything one file holds.

    ``is_setup`` says that the file describes how to measure (a job file, a configuration): it has no results by nature.
    ``rows`` carries rows of other tables by table name (``figures``, ``provenance``, ``samples`` …), as dictionaries
    with that table's columns, without the columns that the manifest supplies.
    """

    tool: str
    tool_version: str | None = None
    source_format: str | None = None
    encoding: str = "utf-8"
    document_count: int = 0
    is_setup: bool = False
    results: list[Result] = []
    rows: dict[str, list[dict[str, Any]]] = {}
    warnings: list[Finding] = []
    refusals: list[Refusal] = []
    left_out: list[LeftOut] = []
    versions: Mapping[str, str] = {}
    """Which version of the reader read a format, by the first word of that."""
    local_days: list[date] = []
    """Days on which it ran as its clock showed them, where the file prints no zone: sorted, and no instants."""

    def version_of(self, source_format: str) -> str | None:
        """Return the version of the reader that read this format; null where no reader made the reading."""
        return self.versions.get(source_format.partition(" ")[0])
