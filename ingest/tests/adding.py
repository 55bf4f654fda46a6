"""A manifest without files and reports of fio, for tests of ``ioledger add``; and what it makes of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conftest import FIXTURES
from ioledger.add import Options, making
from ioledger.submission import safe_yaml
from ioledger.submission.shape import FROM_RESULTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ioledger.problems import Problem

REPORT = (FIXTURES / "submission" / "report.json").read_text(encoding="utf-8")
FOLDER = "2026-11-tester-virtio-blk-256gib"


def reported(path: Path, seconds: int, **changes: object) -> Path:
    """Write the report with another time, latency and options of its first job."""
    report = json.loads(REPORT)
    report["timestamp"], report["timestamp_ms"] = seconds, seconds * 1000
    job = report["jobs"][0]
    for operation in ("read", "write"):
        job[operation]["lat_ns"]["mean"] += seconds % 1000
        job[operation]["lat_ns"]["stddev"] += seconds % 1000
    job["jobname"] = changes.pop("jobname", job["jobname"])
    report["fio version"] = changes.pop("version", report["fio version"])
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


def manifest(tmp_path: Path) -> Path:
    """Return a manifest without files, in which the method is unknown."""
    text = (FIXTURES / "submission" / "manifest.yaml").read_text(encoding="utf-8")
    document, _ = safe_yaml.load_yaml(text.split("\nfiles:")[0].encode())
    document["submitted_by"], document["tested_on"], document["collected_on"] = "Tester", "unknown", "2026-11-18"
    document["configurations"]["ext4-file"]["software"]["tool_version"] = "fio-3.36"
    method = document["configurations"]["ext4-file"]["method"]
    for field in ("cache_bypass", "process_count", "repetition_count", "load_axis", "reported_run", "data_pattern"):
        method[field] = {"unknown": FROM_RESULTS}
    path = tmp_path / "manifest.yaml"
    path.write_text(safe_yaml.dump_yaml(document), encoding="utf-8")
    return path


def added(tmp_path: Path, manifest: Path, *files: Path, **given: Any) -> tuple[Path | None, list[Problem]]:  # noqa: ANN401
    """Add files with this manifest; nobody answers what is asked."""
    return making.add(files, manifest, tmp_path / "data", Options(**given), lambda *_: None)


def submitted(tmp_path: Path, manifest: Path, *files: Path, **given: Any) -> Path:  # noqa: ANN401
    """Add files with this manifest, in which nothing is wrong; return the folder."""
    folder, problems = added(tmp_path, manifest, *files, **given)
    assert problems == []
    assert folder is not None
    return folder


def refused_by(tmp_path: Path, manifest: Path, *files: Path, **given: Any) -> list[str]:  # noqa: ANN401
    """Add files that are refused; return the ids of the rules, and find nothing left in the data."""
    folder, problems = added(tmp_path, manifest, *files, **given)
    assert folder is None
    assert not (tmp_path / "data").exists() or list((tmp_path / "data").iterdir()) == []
    return [problem.rule for problem in problems]


def changed(manifest: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the manifest that is handed in."""
    document, _ = safe_yaml.load_yaml(manifest.read_bytes())
    change(document)
    manifest.write_text(safe_yaml.dump_yaml(document), encoding="utf-8")


def document_of(folder: Path | None) -> dict[str, Any]:
    """Return the manifest of a submission that was made."""
    assert folder is not None
    return safe_yaml.load_yaml((folder / "manifest.yaml").read_bytes())[0]  # type: ignore[no-any-return]


def entries_of(folder: Path) -> dict[str, dict[str, Any]]:
    """Return what the manifest of a submission says of each file, by its path."""
    return {entry["path"]: entry for entry in document_of(folder)["files"]}
