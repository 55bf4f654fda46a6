"""
A submission whose every text tries to leave its place: markup, Markdown, SQL, shell, templates, paths.

All of it is accepted as text. ``python ingest/tests/injection.py FOLDER`` writes the submission below a folder (for
example a copy of ``data/``), so that a site can be built from it and looked at: ``window.hacked`` must stay undefined,
no element with ``data-hacked`` may exist, and the texts must be readable as they stand here.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import hostile
from ioledger.submission import safe_yaml, shape
from ioledger.submission.manifest import with_defaults

NAME = "2026-11-mallory-injection"
STRINGS = (
    "<script>window.hacked=1</script>",
    "\"'><img src=x onerror=window.hacked=1 data-hacked>",
    "</script></style></textarea><svg onload=window.hacked=1 data-hacked>",
    "[link](javascript:window.hacked=1) ![i](x) **bold** `code` | cell",
    "${globalThis.hacked=1} {{constructor.constructor('hacked=1')()}} #{7*7}",
    "'; drop table results; -- \"; copy results to '/tmp/hacked'; --",
    "$(touch hacked) `touch hacked` ; touch hacked | touch hacked && touch hacked",
    "../../../../etc/passwd %2e%2e%2f file:///etc/passwd",
    "__proto__ constructor toString NaN null undefined Infinity",
)
KEPT = frozenset({"submitted_on", "tested_on", "licence", "source_type", "affiliation", "path", "sha256",
                  "configuration",
                  "device", "system", "state", "changed_on", "how_known", "role", "url"})  # fmt: skip


def texts() -> tuple[str, ...]:
    """Return the strings that must be found again, unchanged."""
    return STRINGS


def document() -> dict[str, Any]:
    """Return the sound manifest with every text replaced that its shape lets be replaced."""
    text = (hostile.FIXTURE / "manifest.yaml").read_text(encoding="utf-8")
    manifest, _ = safe_yaml.load_yaml(text.replace("<sha256>", "a" * 64).encode())
    manifest["status"] = {"state": "disputed", "reason": "why", "changed_on": "2026-11-21"}
    manifest["citation"] = dict.fromkeys(("title", "publisher", "version", "date", "url", "language", "note"), "text")
    manifest["configurations"]["ext4-file"]["setting_set"] = "set"
    manifest["configurations"]["ext4-file"]["settings"] = {"bios": {STRINGS[0]: STRINGS[1]}}
    for field in ("tool", "tool_version"):  # a text of its own would contradict the report
        manifest["configurations"]["ext4-file"]["software"][field] = {"unknown": "why"}
    manifest["files"][0]["note"] = "note"
    _replace(manifest, manifest, [0])
    manifest["citation"]["url"] = "javascript:window.hacked=1"
    return manifest  # type: ignore[no-any-return]


def _replace(root: dict[str, Any], here: Any, counter: list[int]) -> None:  # noqa: ANN401  (any YAML value)
    """Replace texts in turn, wherever the manifest keeps its shape."""
    for key in list(here) if isinstance(here, dict) else range(len(here)):
        value = here[key]
        if isinstance(value, dict | list):
            _replace(root, value, counter)
        elif isinstance(value, str) and key not in KEPT:
            here[key] = STRINGS[counter[0] % len(STRINGS)]
            if shape.shape_problems(with_defaults(root), "", {}):
                here[key] = value
            else:
                counter[0] += 1


def write(data: Path) -> Path:
    """Write the submission below a folder; return it."""
    folder = data / NAME
    folder.mkdir(parents=True)
    report = json.loads((hostile.FIXTURE / hostile.REPORT).read_text(encoding="utf-8"))
    for index, job in enumerate(report["jobs"]):
        job["jobname"] = STRINGS[index % len(STRINGS)]
        job["desc"] = STRINGS[1]
        job.setdefault("job options", {})["name"] = STRINGS[2]
        for operation in ("read", "write"):
            job[operation]["lat_ns"]["mean"] += 17
    data_of_report = json.dumps(report).encode()
    (folder / "report.json").write_bytes(data_of_report)
    manifest = document()
    manifest["files"][0]["sha256"] = hashlib.sha256(data_of_report).hexdigest()
    (folder / "manifest.yaml").write_text(safe_yaml.dump_yaml(manifest), encoding="utf-8")
    return folder


if __name__ == "__main__":
    sys.stdout.write(f"{write(Path(sys.argv[1]))}\n")
