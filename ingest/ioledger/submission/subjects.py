"""
Whether the subject of a fact fits its kind: a drive's endurance is not a computer's, a computer's BIOS not a drive's.

Of a fact in ``provenance.csv`` the kind follows from its component or field, and that of its subject from the systems
and devices of the manifest: a subject whose words are all words of one device names that device. A subject that names
neither, such as ``system under test``, fits every fact.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ioledger.problems import Problem
from ioledger.submission.facts import known
from ioledger.submission.states import stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.submission.gather import FileRead
    from ioledger.submission.manifest import Submission

RULE = "R-FACT-1"
DRIVE, COMPUTER = "a drive", "a computer"
COMPONENTS = {"device": DRIVE, "system": COMPUTER, "cpu": COMPUTER, "memory": COMPUTER, "bios_setting": COMPUTER}
"""Components of which every fact is about one kind; of the others the field may tell."""
FIELDS = {
    **dict.fromkeys(
        ("device_firmware", "endurance", "lba_format", "media_class", "nand_type", "rotation_hertz"), DRIVE
    ),
    **dict.fromkeys(("bios", "bios_version", "bmc_firmware", "chipset", "motherboard", "microcode"), COMPUTER),
    **dict.fromkeys(("cpu_model", "cpu_microcode", "memory_bytes", "system_model"), COMPUTER),
}
NAMES = {DRIVE: ("vendor", "model", "part_number"), COMPUTER: ("system_vendor", "system_model")}
GENERIC = {
    DRIVE: frozenset({"series", "drive", "disk", "ssd", "hdd", "version", "gb", "tb"}),
    COMPUTER: frozenset({"series", "server", "pc", "computer", "host"}),
}
"""Words that may stand beside a name and are none."""
WORD = re.compile(r"[a-z0-9]+")


def problems(submission: Submission, reads: list[FileRead], shown: str) -> Iterator[Problem]:
    """Report every fact of a publication whose subject is of another kind; none of a submission that does not stand."""
    if not stands(submission.manifest):
        return
    for read in reads:
        for row in read.reading.rows.get("provenance", ()) if read.reading else ():
            kind = kind_of_fact(row["component"], row["field"])
            subject = kind_of_subject(row["subject"], submission.manifest)
            if kind is not None and subject is not None and kind != subject:
                what = f"{row['component']} {row['field']} is a fact about {kind}, but {row['subject']} is {subject}"
                remedy = f"Name {kind} as its subject, or give it another component."
                yield Problem(f"{shown}/{read.entry['path']}", str(row["provenance_id"]), what, remedy, RULE)


def kind_of_fact(component: str, field: str) -> str | None:
    """Return what a fact must be about, None when component and field do not tell."""
    return COMPONENTS.get(component, FIELDS.get(field))


def kind_of_subject(subject: str, manifest: dict[str, Any]) -> str | None:
    """Return what the words of a subject name in a manifest: a drive, a computer, or None for neither or both."""
    words = set(WORD.findall(subject.casefold()))
    kinds = {DRIVE: manifest["devices"], COMPUTER: manifest["systems"]}
    named = [
        kind
        for kind, things in kinds.items()
        if any(_is_named(words, key, fields, kind) for key, fields in things.items())
    ]
    return named[0] if len(named) == 1 else None


def _is_named(words: set[str], key: str, fields: dict[str, Any], kind: str) -> bool:
    """Say whether all words belong to a system or device, and one of them to more than its maker."""
    names = {name: str(known(fields.get(name, "unknown"), "").value or "") for name in NAMES[kind]}
    own = set(WORD.findall(" ".join((key, *names.values())).casefold()))
    model = own - GENERIC[kind] - set(WORD.findall(names[NAMES[kind][0]].casefold()))
    plain = {word for word in words if not word.isdigit()}
    return plain <= own | GENERIC[kind] and bool(words & model)
