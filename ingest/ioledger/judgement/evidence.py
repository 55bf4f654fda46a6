"""How direct a comparison is, apart from its verdict, and whether two results did the same job."""

from __future__ import annotations

import hashlib
import json
import re

_NOT_THE_JOB = re.compile(
    r"name|filename|filename_format|file_service_type|directory|opendir|description|output|output-format|title"
    r"|(?:write|read)_(?:\w+_)?(?:log|iolog)|(?:write_)?(?:bw|lat|iops|hist)_log|log_\w+|per_job_logs|unlink\w*"
    r"|status-interval|eta\w*|bandwidth-log|replay_redirect|merge_blktrace_file"
)
"""Options that say where something lies, what it is called, and what is written beside the result."""


def evidence_level(
    is_printed: bool | None,  # noqa: FBT001  (SQL has no names for arguments)
    is_same_submission: bool | None,  # noqa: FBT001
    is_same_bench: bool | None,  # noqa: FBT001
    is_same_job: bool | None,  # noqa: FBT001
) -> str:
    """
    Return how direct a comparison is, by itself: printed, separate, same file set, or same bench.

    ``is_printed`` says that a side is a printed figure; the same bench needs the same job too. What is not known (null)
    is not the same.
    """
    if is_printed:
        return "printed"
    if is_same_bench and is_same_job:
        return "same bench"
    return "same file set" if is_same_submission else "separate"


def job_key(job_options: str | None) -> str | None:
    """
    Return the hash of what a job does: its options without paths, names and logs. Null without any option.

    Options are JSON as the readers write it, or the words of a command line (ORION).
    """
    if not job_options:
        return None
    try:
        stated = json.loads(job_options)
    except ValueError:
        stated = {"": " ".join(job_options.split())}
    if not isinstance(stated, dict):
        stated = {"": stated}
    kept = {name: value for name, value in stated.items() if not _NOT_THE_JOB.fullmatch(name.lower())}
    if not kept:
        return None
    return hashlib.sha256(json.dumps(kept, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:16]
