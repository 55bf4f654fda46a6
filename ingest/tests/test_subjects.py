"""A fact is about what its kind says: a drive's endurance is no computer's, and a computer's BIOS no drive's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import hostile
from conftest import spoil
from ioledger.submission import facts, gather

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST: dict[str, Any] = {
    "systems": {
        "ideacentre-k430": {"system_vendor": "Lenovo", "system_model": "IdeaCentre K430"},
        "chassis": {"system_vendor": "Dell", "system_model": {"value": "PowerEdge R720", "how_known": "stated"}},
    },
    "devices": {
        "intel-dc-s3700-200gb": {"vendor": "Intel", "model": "SSD DC S3700", "part_number": "SSDSC2BA200G301"},
        "dell-express-flash": {"vendor": "Dell", "model": "Express Flash"},
        "nameless": {"vendor": {"unknown": "not stated"}, "model": {"unknown": "not stated"}},
    },
}


@pytest.mark.parametrize(
    ("subject", "kind"),
    [("IdeaCentre K430", facts.COMPUTER), ("Lenovo IdeaCentre K430", facts.COMPUTER),
     ("ideacentre-k430", facts.COMPUTER), ("PowerEdge R720 server", facts.COMPUTER),
     ("Intel SSD DC S3700", facts.DRIVE), ("S3700 series", facts.DRIVE), ("S3700 800 GB", facts.DRIVE),
     ("SSDSC2BA200G301", facts.DRIVE), ("dell-express-flash", facts.DRIVE),
     ("Express Flash configuration", None), ("system under test", None), ("Dell", None), ("document", None),
     ("IdeaCentre K430 with Intel SSD DC S3700", None), ("800 GB", None)],
)  # fmt: skip
def test_a_subject_is_what_its_words_name(subject: str, kind: str | None) -> None:
    """All of its words belong to one system or one device; else it may be anything."""
    assert facts.kind_of_subject(subject, MANIFEST) == kind


@pytest.mark.parametrize(
    ("component", "field", "kind"),
    [("device", "weight", facts.DRIVE), ("device", "power", facts.DRIVE), ("device", "endurance", facts.DRIVE),
     ("firmware", "device_firmware", facts.DRIVE), ("storage", "endurance", facts.DRIVE),
     ("firmware", "bios_version", facts.COMPUTER), ("cpu", "model", facts.COMPUTER),
     ("memory", "modules", facts.COMPUTER), ("system", "chipset", facts.COMPUTER),
     ("software", "os", None), ("storage", "interface", None), ("method", "command", None)],
)  # fmt: skip
def test_a_fact_is_of_the_kind_that_its_component_or_field_tells(component: str, field: str, kind: str | None) -> None:
    """Software, storage and method are of both."""
    assert facts.kind_of_fact(component, field) == kind


def test_facts_with_the_wrong_subject_are_refused_one_by_one(tmp_path: Path) -> None:
    """A weight of a computer and a BIOS of a drive; the processor of the computer passes."""
    folder = hostile.sound(tmp_path / hostile.NAME)
    hostile.add_file(folder, "provenance.csv", hostile.FACTS, "publication")
    problems = gather.gather([folder], lambda path: path.name).problems
    assert [(problem.file, problem.place, problem.rule) for problem in problems] == [
        (f"{hostile.NAME}/provenance.csv", "P1", "R-FACT-1"),
        (f"{hostile.NAME}/provenance.csv", "P3", "R-FACT-1"),
    ]
    assert "device weight is a fact about a drive, but guest is a computer" in problems[0].what


def test_a_superseded_publication_keeps_its_wrong_subjects(tmp_path: Path) -> None:
    """It is never edited; its successor has them right."""
    folder = hostile.sound(tmp_path / hostile.NAME)
    hostile.add_file(folder, "provenance.csv", hostile.FACTS, "publication")
    state = "status: {state: retracted, reason: wrong subjects, changed_on: 2026-11-22}"
    spoil(folder, "interest: independent", f"interest: independent\n{state}")
    assert gather.gather([folder]).problems == []
