"""
An import: originals to the files of a folder, with an account of what was read beside what was expected.

Nothing is left out in silence: an original that is a result belongs to exactly one row of the mapping, a row has files,
and counts are those that the mapping expects or the difference is explained. What is no result (pictures, scripts,
logs, readmes) is counted. Originals are read from a checkout or an archive without unpacking anything to disk; hidden
files, links and devices are none.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ioledger.imports import excerpt, manifest
from ioledger.imports.excerpt import Original
from ioledger.imports.mapping import MAPPING, ORIGIN, RESERVATIONS, Claim, Stated, read_mapping
from ioledger.loading import archives
from ioledger.loading.files import list_files, load
from ioledger.model import BINS
from ioledger.problems import Problem, plain
from ioledger.readers import detect
from ioledger.submission import NAME
from ioledger.submission.origins import LICENCE
from ioledger.submission.safe_yaml import Mistake, load_yaml
from ioledger.system import name_place, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ioledger.model import Reading

    _Found = Original | Problem

NO_RESULT = frozenset({"R-DETECT-1", "R-DETECT-2"})
"""Rules of what no reader takes for its own: a file that the repository keeps beside its results."""
RESULTS, FAILED = "results", "of a run that failed"
_NOT_MATCHED = "R-IMPORT-2"


class Import(msgspec.Struct):
    """What was read: rows of the excerpt, originals by configuration, counts, and what is wrong."""

    stated: Stated | None = None
    rows: list[excerpt.Cells] = []
    paths: dict[str, list[str]] = {}
    counts: dict[str, Counter[str]] = {}
    """Results by configuration; by reason what is in the excerpt beside: failed runs, operations that move no data."""
    left_out: int = 0
    licence: bytes | None = None
    problems: list[Problem] = []


def read(mapping: Path, place: Path, watched: Callable[[Iterator[_Found], int], Iterable[_Found]]) -> Import:
    """Read every original that the mapping claims; ``watched`` shows how many of those expected were read."""
    found = Import()
    found.stated, found.problems = read_mapping(mapping)
    if found.stated is None:
        return found
    for claim in found.stated.claims:
        found.paths[claim.configuration], found.counts[claim.configuration] = [], Counter()
    packed = str(found.stated.origin["repository"]).rpartition("/")[2] + "-"
    expected = sum(claim.expected_counts[0] for claim in found.stated.claims)
    for original in watched(list_originals(place, packed), expected):
        if isinstance(original, Problem):
            found.problems.append(original)
        elif original.path == found.stated.origin["licence_file"]:
            found.licence = original.source.data
        else:
            found.problems += _read_original(original, f"{place}!{original.path}", found.stated.claims, found)
    if found.licence is None:
        what = f"the licence {found.stated.origin['licence_file']} is not there"
        found.problems.append(Problem(str(place), "", what, "Correct licence_file in origin.yaml.", _NOT_MATCHED))
    found.problems += _check_counts(found.stated, found)
    return found


def _read_original(original: Original, shown: str, claims: list[Claim], found: Import) -> Iterator[Problem]:
    """Read an original that is a result, and put its rows where they belong; count it when it is none."""
    claims = [claim for claim in claims if claim.holds(original.path)]
    reading = detect.read(original.source)
    if len(claims) > 1:
        what = f"the rows {', '.join(claim.configuration for claim in claims)} all match this file"
        yield Problem(shown, "", what, "Narrow path_prefix or path_regex.", _NOT_MATCHED)
    elif reading.results and not claims:
        what, remedy = "no row of the mapping matches this result", "Add a row, or exclude it in path_regex."
        yield Problem(shown, "", what, remedy, _NOT_MATCHED)
    elif reading.results:
        try:
            _add_results(claims[0], original, reading, found)
        except ValueError as error:
            remedy = "Match every file name of the row, with the group left empty for a run that is no round."
            yield Problem(shown, "", str(error), remedy, "R-IMPORT-9")
    else:
        found.left_out += 1
    for each in reading.refusals if len(claims) == 1 else ():
        if each.rule not in NO_RESULT:
            yield Problem(shown, each.place, each.what, each.remedy, each.rule)


def _add_results(claim: Claim, original: Original, reading: Reading, found: Import) -> None:
    found.paths[claim.configuration].append(original.path)
    for result in reading.results:
        if result.outcome != "ok":
            kind = FAILED
        else:
            kind = RESULTS if result.transferred_bytes else f"of {result.operation}, which moves no data"
        found.counts[claim.configuration][kind] += 1
    found.rows += excerpt.rows(claim, original, reading)


def _check_counts(stated: Stated, found: Import) -> Iterator[Problem]:
    """Give every row of the mapping without files, and every count that is not the one expected."""
    for claim in stated.claims:
        name, (expected_files, expected) = claim.configuration, claim.expected_counts
        files, results, failed = len(found.paths[name]), found.counts[name][RESULTS], found.counts[name][FAILED]
        if not files:
            what = f"{name} has no files"
            remedy = f"Correct path_prefix or path_regex: {claim.cells['path_prefix']}."
            yield Problem(stated.shown, str(claim.line), what, remedy, _NOT_MATCHED)
        elif files != expected_files or expected not in {results, results + failed}:
            counts = f"{files} files and {results} results"
            what = f"{name} gave {counts}, where {expected_files} and {expected} are expected"
            remedy = "Use a complete copy at the commit in origin.yaml, or correct the counts."
            yield Problem(stated.shown, str(claim.line), what, remedy, "R-IMPORT-5")


def list_counts(found: Import) -> list[tuple[str | int, ...]]:
    """Return what each row of the mapping gave beside what was expected, and in words what makes a difference."""
    rows: list[tuple[str | int, ...]] = []
    for claim in found.stated.claims if found.stated is not None else ():
        count, (files, results) = found.counts[claim.configuration], claim.expected_counts
        beside = ", ".join(f"{number} {what}" for what, number in sorted(count.items()) if what != RESULTS)
        own = len(found.paths[claim.configuration])
        rows.append((claim.configuration, own, files, count[RESULTS], results, beside))
    return rows


def files(mapping: Path, found: Import) -> dict[str, bytes]:
    """Return the files of the folder by name, the manifest last; problems of reservations are added to the import."""
    if found.stated is None or found.licence is None:
        return {}
    made = excerpt.tables(found.rows) | {MAPPING: mapping.read_bytes()}
    for name in (RESERVATIONS, ORIGIN):
        if (path := mapping.parent / name).is_file():
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
    """Write the files of a folder, each whole, and remove parts of an older excerpt; return the names of changed."""
    with name_place(folder):
        folder.mkdir(exist_ok=True)
    changed = [
        name for name, data in made.items() if not (path := folder / name).is_file() or path.read_bytes() != data
    ]
    for name in changed:
        with replace_file(folder / name) as file, name_place(folder / name):
            file.write(made[name])
    for path in excerpt.list_parts(folder):
        if path.name not in made:
            with name_place(path):
                path.unlink()
    return changed


def list_originals(place: Path, packed: str) -> Iterator[Original | Problem]:
    """
    Give the files of a checkout or an archive; what cannot be read is given as a problem.

    An archive that a forge makes has everything in a folder called after the repository and the commit; a first folder
    whose name begins with ``packed`` is left out of paths.
    """
    without = frozenset({BINS})
    is_folder = place.is_dir()
    in_folder = (load(path, without=without) for path in (list_files([place]) if is_folder else ()))
    for source in in_folder if is_folder else archives.sources(str(place), without=without):
        if isinstance(source, Problem):
            yield source
        elif isinstance(source, archives.Entry):
            yield from [source.problem] if source.problem is not None else []
        elif source.member_path is None and not is_folder:
            remedy = "Name a checkout of the repository, or an archive of it (tar or zip, packed or not)."
            yield Problem(plain(str(place)), "", "it is neither a folder nor an archive", remedy, "R-IMPORT-6")
        else:
            path = source.member_path or Path(source.name).relative_to(place).as_posix()
            path = plain(path.removeprefix("./"))
            first, _, rest = path.partition("/")
            if not any(part.startswith(".") for part in path.split("/")):
                yield Original(rest if rest and first.startswith(packed) else path, source)
