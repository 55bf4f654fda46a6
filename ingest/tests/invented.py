"""Submissions made up for the tests: two publications, and a reply to one of them."""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ioledger.readers.published import COLUMNS
from ioledger.submission import safe_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

FIXTURES = Path(__file__).parent / "fixtures"
LATER = "2026-11-tester-later"
REPLY = "2026-12-tester-reply"
EFFECTS = "2026-11-tester-effects"
CITATION = """source_type: vendor_paper
citation: {title: A later paper, publisher: Tester, version: unknown, date: unknown, url: unknown}"""
SIZES = {"Database": 8192, "File server": 65536}
RATES = {  # at 8 KiB and 64 KiB, for depths 1, 2, 4 and 8
    "base": ((10e3, 19e3, 35e3, 60e3), (2e3, 3.9e3, 7e3, 12e3)),
    "whole": ((9e3, 17e3, 28e3, 45e3), (2e3, 3.5e3, 6e3, 9e3)),
    "tuned": ((10e3, 20e3, 40e3, 150e3), (2e3, 3.9e3, 7e3, 12e3)),
    "fast": ((11e3, 21e3, 40e3, 72e3), (2e3, 3.9e3, 7e3, 12e3)),
}


def later(data: Path) -> Path:
    """Make a submission of the publication among the fixtures: every formula and every verdict occurs in its claims."""
    folder = data / LATER
    folder.mkdir()
    manifest, _, _ = (FIXTURES / "submission" / "manifest.yaml").read_text(encoding="utf-8").partition("files:")
    manifest = manifest.replace("source_type: raw_tool_output", CITATION) + "files:\n"
    for name in ("figures.csv", "claims.csv"):
        data_of = (FIXTURES / "claims" / name).read_bytes()
        (folder / name).write_bytes(data_of)
        digest = hashlib.sha256(data_of).hexdigest()
        manifest += f"  - {{path: {name}, sha256: {digest}, role: publication}}\n"
    (folder / "manifest.yaml").write_text(manifest, encoding="utf-8")
    return folder


def reply(data: Path) -> Path:
    """Make a submission that only replies: it tested nothing, so it has no system, device or configuration."""
    folder = data / REPLY
    folder.mkdir()
    said = (FIXTURES / "published" / "replies" / "input.csv").read_bytes()
    (folder / "replies.csv").write_bytes(said)
    manifest = f"""edition: 2
title: Reply to a later paper
submitted_by: Maker of the new disk
submitted_on: 2026-12-02
tested_on: unknown
licence: CC-BY-4.0
affiliation: device_vendor
{CITATION}
systems: {{}}
devices: {{}}
configurations: {{}}
files:
  - {{path: replies.csv, sha256: {hashlib.sha256(said).hexdigest()}, role: publication}}
"""
    (folder / "manifest.yaml").write_text(manifest, encoding="utf-8")
    return folder


def effects(data: Path) -> Path:
    """Make a publication that measured what area, settings and clock do, each changed alone."""
    folder = data / EFFECTS
    folder.mkdir()
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_figures())
    content = text.getvalue().encode()
    (folder / "figures.csv").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    manifest = {**_manifest(), "files": [{"path": "figures.csv", "sha256": digest, "role": "publication"}]}
    (folder / "manifest.yaml").write_text(safe_yaml.dump_yaml(manifest), encoding="utf-8")
    return folder


def _manifest() -> dict[str, Any]:
    """Return a manifest with four configurations, of which each but the first changes one thing."""
    text = (FIXTURES / "submission" / "manifest.yaml").read_text(encoding="utf-8")
    document: dict[str, Any] = safe_yaml.load_yaml(text.split("\nfiles:")[0].encode())[0]
    document |= {
        "source_type": "press",
        "citation": dict.fromkeys(("title", "publisher", "version", "date", "url"), "invented"),
    }
    whole = document["configurations"].pop("ext4-file")
    guest = document["systems"]["guest"]
    document["systems"]["faster"] = {**guest, "cpu_nominal_hertz": 2 * 2596136000, "cpu_model": "Another"}
    whole["method"] |= {"measurement_area": "a file of 16 GiB", "measurement_area_bytes": 17179869184}
    method, software = whole["method"], whole["software"]
    settings = {"bios": {"Power profile": "Performance"}, "os": {"Governor": "performance"}}
    whole["settings"] = {"bios": {"Power profile": "Balanced"}, "os": {"Governor": "powersave"}}
    software["power_plan"] = "balanced"
    document["configurations"] = {
        "base": {**whole, "setting_set": "Default"},
        "whole": {**whole, "setting_set": "Default", "method": {**method, "measurement_area_bytes": 274877906944}},
        "tuned": {
            **whole,
            "setting_set": "Performance",
            "settings": settings,
            "software": {**software, "power_plan": "high"},
        },
        "fast": {**whole, "setting_set": "Default", "system": "faster"},
    }
    return document


def _figures() -> Iterator[dict[str, object]]:
    """Give one figure for every rate."""
    shared = {"is_canonical": "true", "quantity": "operations_per_second", "statistic": "point", "unit_base": "exact"}
    shared |= {"record_kind": "measured", "value_kind": "measured", "operation": "mixed", "access_pattern": "random"}
    shared |= {"load_basis": "outstanding", "section": "Results", "line": "1", "printed_unit": "IO/s"}
    for configuration, rates in RATES.items():
        for (profile, size), row in zip(SIZES.items(), rates, strict=True):
            for depth, rate in zip((1, 2, 4, 8), row, strict=True):
                load = {"load_profile": profile, "read_ratio": 0.67, "block_size_bytes": size, "queue_depth": depth}
                said = {"printed_value": rate, "printed_text": str(rate), "configuration_id": configuration}
                yield {**shared, **load, **said, "figure_id": f"{configuration}.{size}.{depth}", "process_count": 1}
