"""
An import: originals to the files of a folder, with an account of what was read beside what was expected.

Nothing is left out in silence: an original that is a result belongs to exactly one row of the mapping, a row has files,
and counts are those that the mapping expects or the difference is explained. What is no result (pictures, scripts,
logs, readmes) is counted. Originals are read from a checkout or an archive without unpacking anything to disk; hidden
files, links and devices are none.
"""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ioledger.imports import excerpt, manifest
from ioledger.imports.excerpt import Original
from ioledger.imports.mapping import MAPPING, ORIGIN, RESERVATIONS, Claim, Stated, read_mapping
from ioledger.loading import archives
from ioledger.loading.files import list_files, load
from ioledger.model import BINS, Source
from ioledger.problems import Problem, plain
from ioledger.readers import detect
from ioledger.submission.manifest import NAME
from ioledger.submission.origins import LICENCE
from ioledger.submission.safe_yaml import Mistake, load_yaml
from ioledger.system import scratch
from ioledger.system.ending import name_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ioledger.model import Reading

NO_RESULT = frozenset({"R-DETECT-1", "R-DETECT-2"})
"""Rules of what no reader takes for its own: a file that the repository keeps beside its results."""
FAILED = "of a run that failed"
_NOT_MATCHED, _COUNTS = "R-IMPORT-2", "R-IMPORT-5"
_NO_ROUND = "R-IMPORT-9"


class Count(msgspec.Struct):
    """What one row of the mapping gave: files, results, and by reason what a count of results does not hold."""

    files: int = 0
    results: int = 0
    beside: Counter[str] = msgspec.field(default_factory=Counter)
    """What is in the excerpt and is not counted: runs that failed, and operations that move no data."""


class Import(msgspec.Struct):
    """What was read: rows of the excerpt, originals by configuration, counts, and what is wrong."""

    stated: Stated | None = None
    rows: list[excerpt.Cells] = []
    paths: dict[str, list[str]] = {}
    counts: dict[str, Count] = {}
    left_out: int = 0
    licence: bytes | None = None
    problems: list[Problem] = []


def read(mapping: Path, place: Path, progress: Callable[[], object] = lambda: None) -> Import:
    """Read every original that the mapping claims; ``progress`` is called after each."""
    found = Import()
    found.stated, found.problems = read_mapping(mapping)
    if found.stated is None:
        return found
    for claim in found.stated.claims:
        found.paths[claim.configuration], found.counts[claim.configuration] = [], Count()
    packed = str(found.stated.origin["repository"]).rpartition("/")[2] + "-"
    for original in list_originals(place, packed):
        if isinstance(original, Problem):
            found.problems.append(original)
        elif original.path == found.stated.origin["licence_file"]:
            found.licence = original.source.data
        else:
            _read_original(original, str(place), found.stated, found)
        progress()
    if found.licence is None:
        what = f"the licence {found.stated.origin['licence_file']} is not there"
        found.problems.append(Problem(str(place), "", what, "Correct licence_file in origin.yaml.", _NOT_MATCHED))
    found.problems += _check_counts(found.stated, found)
    return found


def count_expected(mapping: Path) -> int:
    """Return how many originals a mapping expects; none when it cannot be read."""
    found, _ = read_mapping(mapping)
    return sum(claim.file_count for claim in found.claims) if found is not None else 0


def _read_original(original: Original, place: str, stated: Stated, found: Import) -> None:
    """Read an original that is a result, and put its rows where they belong; count it when it is none."""
    shown = f"{place}!{original.path}"
    claims = [claim for claim in stated.claims if claim.holds(original.path)]
    reading = detect.read(original.source)
    if len(claims) > 1:
        what = f"the rows {', '.join(claim.configuration for claim in claims)} all match this file"
        found.problems.append(Problem(shown, "", what, "Narrow path_prefix or path_regex.", _NOT_MATCHED))
    elif claims:
        try:
            _add_results(claims[0], original, reading, found)
        except ValueError as error:
            remedy = "Match every file name of the row, with the group left empty for a run that is no round."
            found.problems.append(Problem(shown, "", str(error), remedy, _NO_ROUND))
        found.problems += [
            Problem(shown, each.place, each.what, each.remedy, each.rule)
            for each in reading.refusals
            if each.rule not in NO_RESULT
        ]
    elif reading.results:
        what, remedy = "no row of the mapping matches this result", "Add a row, or exclude it in path_regex."
        found.problems.append(Problem(shown, "", what, remedy, _NOT_MATCHED))
    else:
        found.left_out += 1


def _add_results(claim: Claim, original: Original, reading: Reading, found: Import) -> None:
    if not reading.results:
        found.left_out += 1
        return
    count = found.counts[claim.configuration]
    count.files += 1
    found.paths[claim.configuration].append(original.path)
    for result in reading.results:
        if result.outcome != "ok":
            count.beside[FAILED] += 1
        elif result.transferred_bytes:
            count.results += 1
        else:
            count.beside[f"of {result.operation}, which moves no data"] += 1
    found.rows += excerpt.rows(claim, original, reading)


def _check_counts(stated: Stated, found: Import) -> list[Problem]:
    """Return every row of the mapping without files, and every count that is not the one expected."""
    problems = []
    for claim in stated.claims:
        count = found.counts[claim.configuration]
        if not count.files:
            what, remedy = f"{claim.configuration} has no files", f"Correct path_prefix or path_regex: {claim.prefix}."
            problems.append(Problem(stated.shown, str(claim.line), what, remedy, _NOT_MATCHED))
        elif count.files != claim.file_count or claim.result_count not in {
            count.results,
            count.results + count.beside[FAILED],
        }:
            what = (
                f"{claim.configuration} gave {count.files} files and {count.results} results, "
                f"where {claim.file_count} and {claim.result_count} are expected"
            )
            remedy = "Use a complete copy at the commit in origin.yaml, or correct the counts."
            problems.append(Problem(stated.shown, str(claim.line), what, remedy, _COUNTS))
    return problems


def list_counts(found: Import) -> list[tuple[str | int, ...]]:
    """Return what each row of the mapping gave beside what was expected, and in words what makes a difference."""
    if found.stated is None:
        return []
    return [
        (
            claim.configuration, count.files, claim.file_count, count.results, claim.result_count,
            ", ".join(f"{number} {what}" for what, number in sorted(count.beside.items()) if number),
        )
        for claim in found.stated.claims
        for count in [found.counts[claim.configuration]]
    ]  # fmt: skip


def files(mapping: Path, found: Import) -> dict[str, bytes]:
    """Return the files of the folder by name, the manifest last; problems of reservations are added to the import."""
    if found.stated is None or found.licence is None:
        return {}
    made = excerpt.tables(found.rows)
    for name in (MAPPING, RESERVATIONS, ORIGIN):
        path = mapping if name == MAPPING else mapping.parent / name
        if path.is_file():
            made[name] = path.read_bytes()
    made[LICENCE] = found.licence
    text, problems = manifest.make_manifest(found.stated, found.paths, made)
    found.problems += problems
    return {**made, NAME: text.encode()}


def holds_other_files(folder: Path, repository: str) -> bool:
    """Say whether a folder holds files, and not those of an import of this repository: they would be lost."""
    if not folder.is_dir() or not any(folder.iterdir()):
        return False
    try:
        document, _ = load_yaml((folder / ORIGIN).read_bytes())
    except (FileNotFoundError, Mistake):
        return True
    return not isinstance(document, dict) or document.get("repository") != repository


def write(folder: Path, made: Mapping[str, bytes]) -> Sequence[str]:
    """
    Write the files of a folder, and remove parts of an older excerpt; return the names of what changed.

    All of them are written beside their places first, and take their names when every one is whole.
    """
    with name_place(folder):
        folder.mkdir(exist_ok=True)
    before = {name: path.read_bytes() for name in made if (path := folder / name).is_file()}
    changed = [name for name, data in made.items() if before.get(name) != data]
    with ExitStack() as stack:
        for name in reversed(changed):  # the last one that is begun is the first to take its name
            with name_place(folder / name):
                stack.enter_context(scratch.file(folder / name)).write(made[name])
    for path in excerpt.list_parts(folder):
        if path.name not in made:
            with name_place(path):
                path.unlink()
    return changed


REMEDY = "Name a checkout of the repository, or an archive of it (tar or zip, packed or not)."
RULE = "R-IMPORT-6"


def list_originals(place: Path, packed: str) -> Iterator[Original | Problem]:
    """
    Give the files of a checkout or an archive; what cannot be read is given as a problem.

    An archive that a forge makes has everything in a folder called after the repository and the commit; a first folder
    whose name begins with ``packed`` is left out of paths.
    """
    for found in _list_folder(place) if place.is_dir() else _list_archive(place):
        if isinstance(found, Original):
            first, _, rest = found.path.partition("/")
            yield found._replace(path=rest) if rest and first.startswith(packed) else found
        else:
            yield found


def _list_folder(folder: Path) -> Iterator[Original | Problem]:
    for path in list_files([folder]):
        loaded = load(path, without=frozenset({BINS}))
        if isinstance(loaded, Problem):
            yield loaded
        else:
            yield Original(plain(Path(path).relative_to(folder).as_posix()), loaded)


def _list_archive(place: Path) -> Iterator[Original | Problem]:
    for found in archives.sources(str(place), without=frozenset({BINS})):
        if isinstance(found, Source):
            if found.member_path is None:
                yield Problem(plain(str(place)), "", "it is neither a folder nor an archive", REMEDY, RULE)
            elif not any(part.startswith(".") for part in found.member_path.split("/")):
                yield Original(plain(found.member_path.removeprefix("./")), found)
        elif found.problem is not None:
            yield found.problem
