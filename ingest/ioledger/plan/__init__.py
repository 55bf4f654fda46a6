"""
The load profiles that can be planned, by name, and a plan: what is to be measured.

Sources: the five profiles of the Fujitsu performance reports (random or sequential, read share and block size); 4 KiB
random access as drive makers quote it; the 4 KiB 70/30 sweep of Intel's article on queue depths; the ORION matrix of a
study of the Intel S3700 (``-write 20``, small I/Os of 1 to 16 KiB); and a write saturation in the manner of SNIA's
Solid State Storage Performance Test Specification (precondition, then 4 KiB random writes for hours). The synchronous
write is that of the table ceph-diskbench: 4 KiB in sequence, fdatasync after each, by 1 to 16 jobs of one write each.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

KIB = 1024
RANDOM, SEQUENTIAL = True, False


class Profile(NamedTuple):
    """A load: its name, what it is, how it accesses, the share of reads, the block size, and its queue depths."""

    name: str
    title: str
    is_random: bool
    read_percent: int
    block_size_bytes: int
    depths: tuple[int, ...]
    is_synchronous: bool = False
    """Whether a sync follows each write; a queue depth is then a number of jobs, each with one outstanding write."""

    @property
    def is_mixed(self) -> bool:
        """Say whether it both reads and writes."""
        return 0 < self.read_percent < 100  # noqa: PLR2004  (percent)


def powers(low: int, high: int) -> tuple[int, ...]:
    """Return ``low``, the powers of two between, and ``high``."""
    between = (1 << exponent for exponent in range(high.bit_length()))
    return tuple(sorted({low, *(depth for depth in between if low < depth < high), high}))


UP_TO_512 = powers(1, 512)
SATURATION = "write-saturation"
SATURATION_SECONDS, QUICK_SATURATION_SECONDS = 6 * 3600, 60
MATRIX = "orion-matrix"
MATRIX_SIZES = (1, 2, 4, 8, 16)
"""Small block sizes of the ORION matrix, in KiB."""

PROFILES = {
    profile.name: profile
    for profile in (
        Profile("file-copy", "File copy: random, 50 % read, 64 KiB", RANDOM, 50, 64 * KIB, UP_TO_512),
        Profile("file-server", "File server: random, 67 % read, 64 KiB", RANDOM, 67, 64 * KIB, UP_TO_512),
        Profile("database", "Database: random, 67 % read, 8 KiB", RANDOM, 67, 8 * KIB, UP_TO_512),
        Profile("streaming", "Streaming: sequential, 100 % read, 64 KiB", SEQUENTIAL, 100, 64 * KIB, UP_TO_512),
        Profile("restore", "Restore: sequential, 100 % write, 64 KiB", SEQUENTIAL, 0, 64 * KIB, UP_TO_512),
        Profile("random-read-4k", "Random, 100 % read, 4 KiB", RANDOM, 100, 4 * KIB, UP_TO_512),
        Profile("random-write-4k", "Random, 100 % write, 4 KiB", RANDOM, 0, 4 * KIB, UP_TO_512),
        Profile(
            "sync-write-4k",
            "Sequential, 100 % write, 4 KiB, fdatasync after each",
            SEQUENTIAL,
            0,
            4 * KIB,
            powers(1, 16),
            is_synchronous=True,
        ),
        Profile("optane-sweep", "Random, 70 % read, 4 KiB, 1 to 256", RANDOM, 70, 4 * KIB, powers(1, 256)),
        Profile(MATRIX, "ORION: small (1 to 16 KiB) and large (1 MiB) I/O, 20 % write", RANDOM, 80, KIB, ()),
        Profile(SATURATION, "Write saturation: random, 100 % write, 4 KiB", RANDOM, 0, 4 * KIB, (32,)),
    )
}


class Target(NamedTuple):
    """What is measured: a file or device, its bytes (0: the whole device), and the folder of its job files, if any."""

    name: str
    size_bytes: int
    is_device: bool = False
    folder: str = ""

    def file(self, name: str) -> str:
        """Return the path of one of its files, from the folder of the plan."""
        return f"{self.folder}/{name}" if self.folder else name


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be measured, with which tool, where, and for how long."""

    tool: str
    profiles: tuple[Profile, ...]
    targets: tuple[Target, ...]
    run_seconds: int
    ramp_seconds: int
    repetitions: int
    is_quick: bool = False
    wanted_depths: tuple[int, ...] | None = None
    engine: str = "libaio"
    process_count: int = 1
    manager: str | None = None
    sides: tuple[str, str] | None = None
    """Of a gate the commands that set what is before and what is after."""
    first_sides: str = ""
    """Of a gate the side that begins each pair, A (before) or B (after)."""
    pause_seconds: int = 0
    """Rest before each repetition but the first, so that each is a session of its own."""

    def depths(self, profile: Profile) -> tuple[int, ...]:
        """Return the queue depths at which a profile is measured."""
        return (profile.name != SATURATION and self.wanted_depths) or profile.depths

    def seconds(self, profile: Profile) -> int:
        """Return how long one point of a profile is measured."""
        if profile.name == SATURATION:
            return QUICK_SATURATION_SECONDS if self.is_quick else SATURATION_SECONDS
        return self.run_seconds

    @property
    def writes_twice(self) -> bool:
        """Say whether the preparation writes everything twice, as the SNIA specification asks before a saturation."""
        return any(profile.name == SATURATION for profile in self.profiles)


def depths_of(text: str) -> tuple[int, ...]:
    """Read ``1-512`` (both ends and the powers of two between) or ``1,2,3,8``; raises ValueError for anything else."""
    low, dash, high = text.partition("-")
    depths = powers(int(low), int(high)) if dash else tuple(sorted({int(part) for part in text.split(",")}))
    if dash and int(low) > int(high):
        message = "a range goes from low to high"
        raise ValueError(message)
    if not 1 <= depths[0] <= depths[-1] <= 1 << 16:
        message = "a queue depth is between 1 and 65536"
        raise ValueError(message)
    return depths
