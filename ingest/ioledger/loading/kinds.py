"""
What lies beside results and is none: pictures, pages, scripts, spreadsheets, licences, empty files.

Nobody is asked about a file that a reader recognises; of the others the content says what it is where it can, then the
name. What neither tells is no known kind, and whoever reads is told.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from ioledger.loading.archives import OFFICE
from ioledger.model import narrow
from ioledger.tables.written import is_written_here

PICTURE, PAGE, SCRIPT, SHEET = "a picture", "a page", "a script or source code", "a spreadsheet or office document"
PROSE, PROGRAM, TABLES, NOTEBOOK = "a licence or readme", "a program", "tables of another program", "a notebook"
EMPTY, WRITTEN, SUBMISSION = "empty", "an earlier output of ioledger", "a description of a submission"
_OWN = frozenset({"manifest.yaml", "origin.yaml", "mapping.csv", "reservations.csv"})
"""Files of a submission that describe its results."""
_HEAD = 4096
_LICENCE = (
    rb".{0,200}?(?:MIT License|BSD \d-Clause License|Apache License|GNU (?:LESSER |AFFERO )?GENERAL PUBLIC LICENSE"
    rb"|Redistribution and use in source and binary forms|Permission is hereby granted, free of charge)"
)
_BEGINNINGS = (
    (PICTURE, rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|II\*\0|MM\0\*|\0\0[\1\2]\0|BM.{4}\0{4}|%!PS"),
    (PICTURE, rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]"),
    (PAGE, rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!DOCTYPE\s+html|html[\s>]|head[\s>])|%PDF-"),
    (SCRIPT, rb"#!"),
    (SHEET, rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1|\{\\rtf"),
    (PROGRAM, rb"\x7fELF|MZ\x90\0|\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe|\xca\xfe\xba\xbe"),
    (TABLES, rb"PAR1|ARROW1|SQLite format 3\0|\x93NUMPY"),
    (NOTEBOOK, rb"\s*\{\s*\"(?:cells|nbformat|metadata)\"\s*:(?=.*\"cell_type\")"),
    (PROSE, _LICENCE),
)  # fmt: skip
_KINDS = [(kind, re.compile(pattern, re.DOTALL | re.IGNORECASE)) for kind, pattern in _BEGINNINGS]
_SUFFIXES = {
    PAGE: "htm html xhtml",
    SCRIPT: "bash bat c cc cmd cpp css cu fish go gnuplot gp gpi h hpp ipynb java js jl ksh lua m mk pbs php pl plt "
    "ps1 psm1 py r rb rs sbatch scala sh slurm sql swift tcl tex ts tsx vbs zsh",
    PROSE: "adoc asciidoc bib cff markdown md org rst",
    PROGRAM: "class dll dylib exe lock o pickle pkl pyc so",
}
_BY_SUFFIX = {f".{suffix}": kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_STEMS = re.compile(
    r"(?:authors|changelog|changes|citation|code_of_conduct|contributing|copying|copyright|licen[cs]es?|notice|readme"
    r"|unlicense)(?:[-_. ].*)?$",
    re.IGNORECASE,
)
_BUILDS = re.compile(r"(?:(?:cmake|gnu)?makefile|dockerfile|vagrantfile|jenkinsfile|cmakelists\.txt)$", re.IGNORECASE)


def ignored(path: str, data: bytes) -> str | None:
    """
    Return what a file is that no reader recognises, as ``a picture``; null where it is of no known kind.

    ``path`` is its name, for what the bytes do not tell: a script without its first line, a readme.
    """
    if not data.strip(b"\0 \t\r\n"):
        return EMPTY
    if is_written_here(data):
        return WRITTEN
    head = narrow(data[:_HEAD])
    if OFFICE.match(head):
        return SHEET
    found = next((kind for kind, begins in _KINDS if begins.match(head)), None)
    return found or _by_name(PurePosixPath(path.replace("\\", "/")).name)


def _by_name(name: str) -> str | None:
    if name in _OWN:
        return SUBMISSION
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in {"", ".txt"} and _STEMS.match(name):
        return PROSE
    return SCRIPT if _BUILDS.match(name) else _BY_SUFFIX.get(suffix)
