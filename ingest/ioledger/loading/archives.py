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
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.loading.files import LINK, OFFICE, list_files, open_or_load, skip_reason
from ioledger.model import NOTHING, Refusal, Source
from ioledger.problems import Problem
from ioledger.readers.detect import too_large

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO, Self

_PACKED = re.compile(
    rb"(?P<gz>\x1f\x8b)|(?P<xz>\xfd7zXZ\0)|(?P<bz2>BZh[1-9](?:1AY&SY|\x17rE8P\x90))|(?P<zip>PK(?:\x03\x04|\x05\x06))"
)
_OPENERS: dict[str, Callable[..., Any]] = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}
MAX_BYTES, MAX_MEMBERS = 2 << 30, 100_000
"""What is read of one archive at most, unpacked."""
_BLOCK, _PIECE = tarfile.BLOCKSIZE, 1 << 20
_SUFFIX = re.compile(r"\.(?:gz|xz|bz2)$|\.(?=t(?:gz|xz|bz2?)$)", re.IGNORECASE)
_ENCRYPTED, _LINK, _MODE_BITS = 0x1, 0xA, 28


class Entry(msgspec.Struct):
    """An input without content of its own: an archive, or an input that could not be read."""

    path: str
    member_path: str | None = None
    sha256: str | None = None
    size: int | None = None
    form: str | None = None
    """Form of an archive, as ``tar.xz``; null for anything else."""
    member_count: int = 0
    unpacked_bytes: int = 0
    passed_over: Counter[str] = msgspec.field(default_factory=Counter)
    """Number of skipped members by kind."""
    problem: Problem | None = None

    def take(self, size: int, members: int = 0) -> None:
        """Count unpacked bytes; raise RefusedError where they, or as many more members, are above the limits."""
        self.unpacked_bytes += size
        if self.unpacked_bytes > MAX_BYTES or self.member_count + members > MAX_MEMBERS:
            what = f"it contains more than the {MAX_MEMBERS:,} members or the {MAX_BYTES:,} bytes that are allowed"
            raise RefusedError(Refusal("", what, "Split it.", "R-CONTAINER-2"))


class RefusedError(Exception):
    """Raised with a refusal to stop reading an archive."""


class _Counted(io.RawIOBase):
    """Unpacked bytes that are read once, forward."""

    def __init__(self, unpacked: BinaryIO, entry: Entry) -> None:
        super().__init__()
        self._unpacked, self._entry = unpacked, entry

    def read(self, size: int = -1, /) -> bytes:
        found = self._unpacked.read(min(size, _PIECE) if size >= 0 else _PIECE)
        self._entry.take(len(found))
        return found


class _Header(tarfile.TarInfo):
    """The header of a member; ``TarFile`` would take a damaged one for the end."""

    @classmethod
    def fromtarfile(cls, tar: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(tar)
        except (tarfile.InvalidHeaderError, tarfile.TruncatedHeaderError) as error:  # type: ignore[attr-defined]
            raise EOFError from error


def form_of(data: bytes) -> str | None:
    """Return the archive format by the first bytes of a file (a KiB is enough): gz, xz, bz2, zip or tar; else null."""
    if (found := _PACKED.match(data)) is not None:
        return None if OFFICE.match(data) else found.lastgroup
    try:  # of today, or without its mark, as before POSIX
        is_tar = data[257:262] == b"ustar" or tarfile.TarInfo.frombuf(data[:_BLOCK], "utf-8", "surrogateescape").name
    except tarfile.HeaderError:
        return None
    return "tar" if is_tar else None


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
        if not Path(path).is_file():
            what, remedy = "it is a pipe or a device, not a file", "Write its content to a file."
            yield Problem(path, "", what, remedy, "R-FILE-8")
            continue
        for each in sources(path):
            if isinstance(each, Source):
                yield each
            elif each.problem is not None:
                yield each.problem


def _read_archive(entry: Entry, stream: BinaryIO, without: frozenset[str]) -> Iterator[Source | Entry]:
    """Give the members of an archive and, last, the archive."""
    names = set[str]()
    try:
        for name, data in _zip_members(entry, stream) if entry.form == "zip" else _tar_members(entry, stream):
            entry.member_count += 1
            place = _place(name, names)
            shown = display_name(entry.path, place)
            if isinstance(data, Refusal):
                yield Entry(entry.path, place, problem=_problem(shown, data))
            elif form_of(data) is not None:
                what, remedy = "it is an archive in an archive", "Unpack the outer one yourself."
                yield Entry(entry.path, place, problem=Problem(shown, "", what, remedy, "R-CONTAINER-1"))
            else:
                yield Source(shown, data, without=without, member_path=place)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  (the libraries raise many kinds over the bytes of strangers)
        why = error.args[0] if isinstance(error, RefusedError) else _unpackable(error)
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


def _tar_members(entry: Entry, stream: BinaryIO) -> Iterator[tuple[str, bytes | Refusal]]:
    """Give the name and the bytes of each file in a tar, or why it alone is not read; or of what is packed alone."""
    if entry.form != "tar":
        stream = _OPENERS[str(entry.form)](stream)
        is_tar = form_of(stream.read(_BLOCK)) == "tar"
        stream.seek(0)
        if not is_tar:
            yield _inside(entry.path), _read_alone(_Counted(stream, entry))
            return
        entry.form = f"tar.{entry.form}"
    with tarfile.open(fileobj=_Counted(stream, entry), mode="r|", tarinfo=_Header) as tar:
        for header in tar:
            tar.members = []  # type: ignore[attr-defined]  # else it keeps every header
            if header.isdir() or _is_skipped(entry, header.name, is_file=header.isreg()):
                continue
            entry.take(header.size if header.issparse() else 0, 1)
            if (refusal := too_large(header.size)) is not None:
                yield header.name, refusal
                continue
            file = tar.extractfile(header)
            data = b"" if file is None else file.read()
            if len(data) != header.size:
                raise EOFError
            yield header.name, data


def _read_alone(stream: io.RawIOBase) -> bytes:
    data = bytearray()
    while piece := stream.read(_PIECE):
        data += piece
        if (refusal := too_large(len(data))) is not None:
            raise RefusedError(refusal)
    return bytes(data)


def _zip_members(entry: Entry, stream: BinaryIO) -> Iterator[tuple[str, bytes | Refusal]]:
    """Give the files of a zip, each by its entry in the list at the end: names may repeat."""
    with zipfile.ZipFile(stream) as archive:
        for info in archive.infolist():
            is_file = info.external_attr >> _MODE_BITS != _LINK
            if not info.is_dir() and not _is_skipped(entry, info.filename, is_file=is_file):
                entry.take(info.file_size, 1)
                yield info.filename, _unzip(info, archive)


def _is_skipped(entry: Entry, name: str, *, is_file: bool) -> bool:
    """Say whether a member is skipped, as it is in a folder, and count it."""
    kind = next(filter(None, map(skip_reason, name.split("/"))), None) if is_file else LINK
    if kind is not None:
        entry.passed_over[kind] += 1
    return kind is not None


def _unzip(info: zipfile.ZipInfo, archive: zipfile.ZipFile) -> bytes | Refusal:
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
    else:
        what, remedy = "it is damaged or truncated", "Download it again, or unpack the intact files yourself."
    return Refusal("", what, remedy, "R-CONTAINER-1")
