"""
Read archives like folders: tar, zip, and files compressed with gz, bz2 or xz.

Archives are recognised by their first bytes, not by name, and read as a stream: nothing is written to disk, and links
and devices are skipped. The unpacked size is limited. An archive in an archive is refused.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import re
import tarfile
import zipfile
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from ioledger.loading.files import LINK, OFFICE, list_files, not_a_file, open_or_load, skip_reason
from ioledger.model import NOTHING, Refusal, Source
from ioledger.problems import Problem
from ioledger.readers.detect import too_large

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO, Self

_PACKED = re.compile(
    rb"(?P<gz>\x1f\x8b)|(?P<xz>\xfd7zXZ\0)|(?P<bz2>BZh[1-9](?:1AY&SY|\x17rE8P\x90))|(?P<zip>PK(?:\x03\x04|\x05\x06))"
)
_OPENERS = {"gz": gzip.GzipFile, "bz2": bz2.BZ2File, "xz": lzma.LZMAFile}
MAX_BYTES, MAX_MEMBERS = 2 << 30, 100_000
"""What is read of one archive at most, unpacked."""
_BLOCK, _PIECE = tarfile.BLOCKSIZE, 1 << 20
_SUFFIX = re.compile(r"\.(?:gz|xz|bz2)$|\.(?=t(?:gz|xz|bz2?)$)", re.IGNORECASE)
_ENCRYPTED, _LINK, _MODE_BITS = 0x1, 0xA, 28
_NESTED = Refusal("", "it is an archive in an archive", "Unpack the outer one yourself.", "R-CONTAINER-1")
_WHOLE = "Download it again, or unpack the intact files yourself."


class Entry(msgspec.Struct):
    """An input without content of its own: an archive, or an input that could not be read."""

    path: str
    member_path: str | None = None
    sha256: str | None = None
    size: int | None = None
    form: str | None = None
    """Form of an archive, as ``tar.xz``; null for anything else."""
    member_count: int = 0
    passed_over: Counter[str] = msgspec.field(default_factory=Counter)
    """Number of skipped members by kind."""
    problem: Problem | None = None


class RefusedError(Exception):
    """Raised to stop reading an archive or a member; ``refusal`` has the reason."""

    def __init__(self, refusal: Refusal) -> None:
        """Take the reason."""
        super().__init__(refusal.what)
        self.refusal = refusal


class _Budget:
    """Count unpacked bytes and members of one archive."""

    def __init__(self) -> None:
        self.size = self.members = 0

    def take(self, size: int, members: int = 0) -> None:
        """Add bytes and members; raise RefusedError above the limits."""
        self.size += size
        self.members += members
        if self.size > MAX_BYTES or self.members > MAX_MEMBERS:
            what = f"it contains more than the {MAX_MEMBERS:,} members or the {MAX_BYTES:,} bytes that are allowed"
            raise RefusedError(Refusal("", what, "Split it.", "R-CONTAINER-2"))


class _Stream(io.RawIOBase):
    """Bytes that are read once, forward; each is counted."""

    def __init__(self, raw: BinaryIO, budget: _Budget, head: bytes = b"") -> None:
        super().__init__()
        self._raw, self._budget, self._head = raw, budget, head

    def read(self, size: int = -1, /) -> bytes:
        """Return up to so many bytes; none at the end."""
        if self._head:
            found, self._head = self._head[:size], self._head[size:]
            return found
        found = self._raw.read(min(size, _PIECE) if size >= 0 else _PIECE)
        self._budget.take(len(found))
        return found


class _Header(tarfile.TarInfo):
    """The header of a member; ``TarFile`` would take a damaged one for the end."""

    @classmethod
    def fromtarfile(cls, tar: tarfile.TarFile) -> Self:
        """Return the next header. Raises EOFError for one that is damaged or cut."""
        try:
            return super().fromtarfile(tar)
        except (tarfile.InvalidHeaderError, tarfile.TruncatedHeaderError) as error:  # type: ignore[attr-defined]
            raise EOFError from error


def form_of(data: bytes) -> str | None:
    """Return the archive format by the first bytes of a file (a KiB is enough): gz, xz, bz2, zip or tar; else null."""
    if (found := _PACKED.match(data)) is not None:
        return None if OFFICE.match(data) else found.lastgroup
    return "tar" if _is_tar(data) else None


def _is_tar(data: bytes) -> bool:
    """Say whether a file begins with the header of a tar: of today, or without its mark, as before POSIX."""
    try:
        return (
            data[257:262] == b"ustar" or tarfile.TarInfo.frombuf(data[:_BLOCK], "utf-8", "surrogateescape").name != ""
        )
    except tarfile.HeaderError:
        return False


def display_name(path: str, member_path: str | None) -> str:
    """Return what messages call a file, or a member of an archive."""
    return path if member_path is None else f"{path}!{member_path}"


def sources(path: str, *, without: frozenset[str] = NOTHING) -> Iterator[Source | Entry]:
    """Give the file at a path or, of an archive, every member and then the archive itself."""
    loaded = open_or_load(path, without=without, is_packed=form_of)
    if isinstance(loaded, Problem):
        yield Entry(path, problem=loaded)
    elif isinstance(loaded, Source) and form_of(loaded.data) is None:
        yield loaded
    else:
        with io.BytesIO(loaded.data) if isinstance(loaded, Source) else loaded as stream:
            form = form_of(stream.read(_BLOCK))
            stream.seek(0)
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
            entry = Entry(path, sha256=sha256, size=stream.seek(0, io.SEEK_END), form=form)
            stream.seek(0)
            yield from _read_archive(entry, stream, without)


def every_source(paths: Iterable[Path]) -> Iterator[Source | Problem]:
    """Give every file at these paths, below folders and in archives, or why it cannot be read."""
    for path in dict.fromkeys(list_files(paths)):
        for each in sources(path) if Path(path).is_file() else [Entry(path, problem=not_a_file(path))]:
            if isinstance(each, Source):
                yield each
            elif each.problem is not None:
                yield each.problem


def _read_archive(entry: Entry, stream: BinaryIO, without: frozenset[str]) -> Iterator[Source | Entry]:
    """Give the members of an archive and, last, the archive."""
    names = set[str]()
    try:
        for name, data in _members(entry, stream):
            entry.member_count += 1
            place = _place(name, names)
            shown = display_name(entry.path, place)
            if isinstance(data, bytes) and form_of(data) is None:
                yield Source(shown, data, without=without, member_path=place)
            else:
                yield Entry(entry.path, place, problem=_problem(shown, _NESTED if isinstance(data, bytes) else data))
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  (the libraries raise many kinds over the bytes of strangers)
        why = error.refusal if isinstance(error, RefusedError) else _unpackable(error)
        after = f"after {entry.member_count:,} members, " if entry.member_count else ""
        entry.problem = _problem(entry.path, msgspec.structs.replace(why, what=f"{after}{why.what}"))
    yield entry


def _problem(name: str, why: Refusal) -> Problem:
    return Problem(name, why.place, why.what, why.remedy, why.rule)


def _place(name: str, known: set[str]) -> str:
    """Return the place of a member, which no other has: names in an archive may repeat."""
    inside = name.removeprefix("./") or "file"
    place, count = inside, 1
    while place in known:
        count += 1
        place = f"{inside}.{count}"
    known.add(place)
    return place


def _members(entry: Entry, stream: BinaryIO) -> Iterator[tuple[str, bytes | Refusal]]:
    """Give the name and the bytes of each member, or why it alone is not read."""
    budget = _Budget()
    if entry.form == "zip":
        yield from _zip_members(entry, stream, budget)
        return
    head = b""
    if opener := _OPENERS.get(entry.form or ""):
        stream = opener(fileobj=stream) if entry.form == "gz" else opener(stream)
        head = stream.read(_BLOCK)
        if not _is_tar(head):
            yield _inside(entry.path), _alone(_Stream(stream, budget, head))
            return
        entry.form = f"tar.{entry.form}"
    yield from _tar_members(entry, _Stream(stream, budget, head), budget)


def _alone(stream: _Stream) -> bytes | Refusal:
    """Return what is packed without a tar around it."""
    pieces, size = list[bytes](), 0
    while piece := stream.read(_PIECE):
        pieces.append(piece)
        size += len(piece)
        if (refusal := too_large(size)) is not None:
            raise RefusedError(refusal)
    return b"".join(pieces)


def _tar_members(entry: Entry, stream: _Stream, budget: _Budget) -> Iterator[tuple[str, bytes | Refusal]]:
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as tar:
        for header in tar:
            tar.members = []  # type: ignore[attr-defined]  # else it keeps every header
            if header.isdir() or _is_skipped(entry, header.name, is_file=header.isreg()):
                continue
            budget.take(header.size if header.issparse() else 0, 1)
            if (refusal := too_large(header.size)) is not None:
                yield header.name, refusal
                continue
            file = tar.extractfile(header)
            data = b"" if file is None else file.read()
            if len(data) != header.size:
                raise EOFError
            yield header.name, data


def _zip_members(entry: Entry, stream: BinaryIO, budget: _Budget) -> Iterator[tuple[str, bytes | Refusal]]:
    """Give the files of a zip, each by its entry in the list at the end: names may repeat."""
    with zipfile.ZipFile(stream) as archive:
        for info in archive.infolist():
            is_file = info.external_attr >> _MODE_BITS != _LINK
            if not info.is_dir() and not _is_skipped(entry, info.filename, is_file=is_file):
                budget.take(info.file_size, 1)
                yield info.filename, _unzip(info, archive)


def _is_skipped(entry: Entry, name: str, *, is_file: bool) -> bool:
    """Say whether a member is skipped, as it is in a folder, and count it."""
    kind = next(filter(None, map(skip_reason, name.split("/"))), None) if is_file else LINK
    if kind is not None:
        entry.passed_over[kind] += 1
    return kind is not None


def _unzip(info: zipfile.ZipInfo, archive: zipfile.ZipFile) -> bytes | Refusal:
    """Return a member of a zip, or why it alone is not read."""
    if (refusal := too_large(info.file_size)) is not None:
        return refusal
    if info.flag_bits & _ENCRYPTED:
        return Refusal("", "it is encrypted", "Unpack it yourself.", "R-CONTAINER-1")
    try:
        return archive.read(info)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  (the other members are read without this one)
        return _unpackable(error)


def _inside(path: str) -> str:
    """Return the name of what is packed alone: that of the file without its last suffix."""
    name = PurePosixPath(path.replace("\\", "/")).name
    return _SUFFIX.sub("", name) if not _SUFFIX.fullmatch(name) else name


def _unpackable(error: Exception) -> Refusal:
    """Return why something cannot be unpacked, in this project's words: those of libraries change."""
    if isinstance(error, NotImplementedError):
        what, remedy = "its compression method is not supported", "Pack it as tar.gz, tar.xz or zip."
        return Refusal("", what, remedy, "R-CONTAINER-1")
    return Refusal("", "it is damaged or truncated", _WHOLE, "R-CONTAINER-1")
