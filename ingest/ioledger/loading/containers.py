"""
The files inside a container, as if they lay in a folder: tar, zip, and what is packed by gz, bz2, xz or zst.

A container is recognised by its first bytes, because names lie. It is read as a stream and never written to a disk, so
the names in it, whatever they are, reach no folder; links and devices are passed over. A container may lie in another.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import re
import tarfile
import zipfile
from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.loading.files import LINK, begun, passed_over
from ioledger.loading.unpacking import (
    Budget,
    Forward,
    RefusedError,
    refuse_inflated,
    refuse_large,
    unpacked,
)
from ioledger.model import NOTHING, Source
from ioledger.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

_PACKED = re.compile(
    rb"(?P<gz>\x1f\x8b)|(?P<xz>\xfd7zXZ\0)|(?P<zst>\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18)"
    rb"|(?P<bz2>BZh[1-9](?:1AY&SY|\x17rE8P\x90))|(?P<zip>PK(?:\x03\x04|\x05\x06))"
)
OFFICE = re.compile(rb"PK\x03\x04.{26}(?:\[Content_Types\]\.xml|_rels/|docProps/|xl/|word/|ppt/|mimetype)", re.DOTALL)
"""A document of an office, which is a zip by its form only."""
_BLOCK, _MAGIC, _CHECKSUM = tarfile.BLOCKSIZE, slice(257, 262), re.compile(rb" *([0-7]{1,7})[ \0]")
_DEPTH, _PIECE = 2, 1 << 20
_SUFFIX = re.compile(r"\.(?:gz|xz|zst|bz2)$|\.(?=t(?:gz|xz|zst|bz2?)$)", re.IGNORECASE)
_ENCRYPTED, _LINK, _MODE_BITS = 0x1, 0xA, 28
_DIRECTORY_BYTES = 32 << 20
"""The list of members at the end of a zip is read at once, so it is bounded before."""
_END, _WIDE_END, _WIDE, _TAIL_BYTES = b"PK\5\6", b"PK\6\6", 0xFFFFFFFF, 76 + 22 + 65_535


class Entry(msgspec.Struct):
    """
    An input without bytes of its own to read: a container that was gone through, or what could not be had.

    ``problem`` says why it, or the rest of it, is not read.
    """

    path: str
    member_path: str | None = None
    sha256: str | None = None
    size: int | None = None
    form: str | None = None
    """Of a container its form, as ``tar.xz``; null for what is none."""
    member_count: int = 0
    passed_over: Counter[str] = msgspec.field(default_factory=Counter)
    """How many members are not looked at, by what they are."""
    problem: Problem | None = None


def form_of(data: bytes) -> str | None:
    """Return what a file is packed as by its first bytes (a KiB is enough): gz, xz, zst, bz2, zip or tar; else null."""
    if (found := _PACKED.match(data)) is not None:
        return None if OFFICE.match(data) else found.lastgroup
    return "tar" if _is_tar(data) else None


def _is_tar(data: bytes) -> bool:
    """Say whether a file begins with the header of a tar: of today, or without its mark, as before POSIX."""
    if data[_MAGIC] == b"ustar":
        return True
    if len(data) < _BLOCK or not data[0] or not (checksum := _CHECKSUM.match(data, 148)):
        return False
    return int(checksum[1], 8) == sum(data[:148]) + 8 * ord(" ") + sum(data[156:_BLOCK])


def sources(path: str, *, without: frozenset[str] = NOTHING) -> Iterator[Source | Entry]:
    """
    Give the file at a path or, of a container, every member and then the container itself.

    What could not be had is an entry with its problem. A member has its place inside as ``member_path``, and is called
    ``archive.tar.xz!dir/run.json``; ``!`` stands also between a container and one inside it.
    """
    loaded = begun(path, without=without, is_packed=form_of)
    if isinstance(loaded, Problem):
        yield Entry(path, problem=loaded)
    elif isinstance(loaded, Source):
        form = form_of(loaded.data)
        if form is None:
            yield loaded
            return
        head = Entry(path, sha256=loaded.sha256, size=len(loaded.data), form=form)
        yield from _Opened(head, Budget(), without=without).read(io.BytesIO(loaded.data), 1)
    else:
        with loaded:
            try:
                form = form_of(loaded.read(_BLOCK))
                loaded.seek(0)
                sha256 = hashlib.file_digest(loaded, "sha256").hexdigest()
                head = Entry(path, sha256=sha256, size=loaded.tell(), form=form)
                loaded.seek(0)
            except OSError as error:
                what = f"cannot be read: {error.strerror or error}"
                yield Entry(path, problem=Problem(path, "", what, "Check the path.", "R-FILE-8"))
                return
            yield from _Opened(head, Budget(), without=without).read(loaded, 1)


class _Member(NamedTuple):
    """One file inside a container: its name there, and its bytes or why they are not had."""

    name: str
    data: bytes | RefusedError


class _Opened:
    """A container whose members are being given."""

    def __init__(self, entry: Entry, budget: Budget, *, without: frozenset[str]) -> None:
        self.entry, self._budget, self._without = entry, budget, without
        self._names = set[str]()

    def read(self, stream: io.BufferedIOBase, depth: int) -> Iterator[Source | Entry]:
        """Give the members and, last, the container; ``depth`` counts from 1 for one that lies in a folder."""
        entry = self.entry
        try:
            _refuse_deep(depth)
            for member in self._members(stream):
                entry.member_count += 1
                yield from self._given(member, depth)
        except MemoryError:
            raise
        except RefusedError as error:
            self._refuse(error)
        except Exception as error:  # noqa: BLE001  (the libraries raise what they like over the bytes of strangers)
            self._refuse(_unpackable(error))
        yield entry

    def _refuse(self, error: RefusedError) -> None:
        why = error.refusal
        so_far = f"after {self.entry.member_count:,} members, " if self.entry.member_count else ""
        name = shown(self.entry.path, self.entry.member_path)
        self.entry.problem = Problem(name, "", f"{so_far}{why.what}", why.remedy, why.rule)

    def _given(self, member: _Member, depth: int) -> Iterator[Source | Entry]:
        """Give a member as it is or, where it is a container, what is in it."""
        path, place = self.entry.path, self._place(member.name)
        name = shown(path, place)
        if isinstance(member.data, RefusedError):
            why = member.data.refusal
            yield Entry(path, place, problem=Problem(name, why.place, why.what, why.remedy, why.rule))
            return
        source = Source(name, member.data, without=self._without, member_path=place)
        form = form_of(member.data)
        if form is None:
            yield source
            return
        entry = Entry(path, place, source.sha256, len(member.data), form)
        opened = _Opened(entry, self._budget, without=self._without)
        yield from opened.read(io.BytesIO(member.data), depth + 1)

    def _place(self, name: str) -> str:
        """Return the place of a member, which is no other's: names in a container may repeat."""
        inside = name.removeprefix("./") or "file"
        known, place, count = self._names, inside, 1
        while place in known:
            count += 1
            place = f"{inside}.{count}"
        known.add(place)
        return place if self.entry.member_path is None else f"{self.entry.member_path}!{place}"

    def _members(self, stream: io.BufferedIOBase) -> Iterator[_Member]:
        form = self.entry.form
        if form == "zip":
            yield from self._zipped(stream)
        elif form == "tar":
            yield from self._tarred(Forward(stream))
        elif form is not None:
            inner = unpacked(stream, form)
            head = inner.read(_BLOCK)
            if _is_tar(head):
                self.entry.form = f"tar.{form}"
                yield from self._tarred(Forward(_Begun(head, inner)))
            else:
                yield _Member(_inside(self.entry.member_path or self.entry.path), self._alone(head, inner))

    def _alone(self, head: bytes, rest: Forward) -> bytes:
        """Return what is packed without a tar around it."""
        self._budget.take(len(head), 1)
        pieces = [head]
        while piece := rest.read(_PIECE):
            pieces.append(piece)
            self._budget.take(len(piece))
            refuse_large(rest.tell())
        return b"".join(pieces)

    def _tarred(self, stream: Forward) -> Iterator[_Member]:
        """Give the files of a tar; past its end too, where a second one was appended."""
        with tarfile.TarFile(fileobj=stream, mode="r", tarinfo=_Header, ignore_zeros=True) as tar:  # type: ignore[arg-type]  # it reads, and seeks forward only
            while (header := tar.next()) is not None:
                tar.members = []  # type: ignore[attr-defined]  # else it keeps every header
                if header.size < 0:
                    raise EOFError
                self._budget.take(header.size, 0 if header.isdir() else 1)
                if not header.isdir() and not self._is_passed_over(header.name, is_file=header.isreg()):
                    yield _Member(header.name, _bytes_of(header, tar, stream))

    def _zipped(self, stream: io.BufferedIOBase) -> Iterator[_Member]:
        """Give the files of a zip, each by its entry in the list at the end: names may repeat."""
        _refuse_long(stream)
        taken = 0
        with zipfile.ZipFile(stream) as archive:
            for info in archive.infolist():
                self._budget.take(info.file_size, 0 if info.is_dir() else 1)
                taken += info.file_size
                refuse_inflated(taken, self.entry.size or 0)
                is_file = info.external_attr >> _MODE_BITS != _LINK
                if not info.is_dir() and not self._is_passed_over(info.filename, is_file=is_file):
                    yield _Member(info.filename, _unzipped(info, archive))

    def _is_passed_over(self, name: str, *, is_file: bool) -> bool:
        """Say whether a member is not looked at, as it is not in a folder, and count it."""
        kind = next(filter(None, map(passed_over, name.split("/"))), None) if is_file else LINK
        if kind is not None:
            self.entry.passed_over[kind] += 1
        return kind is not None


class _Header(tarfile.TarInfo):
    """The header of a member; one that is damaged ends the reading aloud, where ``TarFile`` ends without a word."""

    @classmethod
    def fromtarfile(cls, tar: tarfile.TarFile) -> Self:
        """Return the next header. Raises EOFError for one that is damaged or cut."""
        try:
            return super().fromtarfile(tar)
        except (tarfile.InvalidHeaderError, tarfile.TruncatedHeaderError) as error:  # type: ignore[attr-defined]
            raise EOFError from error


class _Begun:
    """A stream of which the first bytes were read already."""

    def __init__(self, head: bytes, rest: Forward) -> None:
        self._head, self._rest = head, rest

    def read(self, size: int, /) -> bytes:
        """Return up to so many bytes."""
        if not self._head:
            return self._rest.some(size)
        found, self._head = self._head[:size], self._head[size:]
        return found


def _bytes_of(header: tarfile.TarInfo, tar: tarfile.TarFile, stream: Forward) -> bytes | RefusedError:
    """Return a member of a tar; raise EOFError where it is cut."""
    try:
        refuse_large(header.size)
    except RefusedError as error:
        return error
    if header.issparse():
        refuse_inflated(header.size, stream.tell())
        file = tar.extractfile(header)
        data = b"" if file is None else file.read()
    else:
        data = stream.read(header.size)
    if len(data) != header.size:
        raise EOFError
    return data


def _unzipped(info: zipfile.ZipInfo, archive: zipfile.ZipFile) -> bytes | RefusedError:
    """Return a member of a zip, or why it alone cannot be had."""
    try:
        refuse_large(info.file_size)
        if info.flag_bits & _ENCRYPTED:
            return RefusedError("it is encrypted", "Unpack it yourself.", "R-CONTAINER-5")
        with archive.open(info) as file:
            return file.read()
    except MemoryError:
        raise
    except RefusedError as error:
        return error
    except Exception as error:  # noqa: BLE001  (as in _Opened.read; the other members are found without this one)
        return _unpackable(error)


def _refuse_long(stream: io.BufferedIOBase) -> None:
    """Raise RefusedError for a zip whose list of members is too long to be read at once, before that is done."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(size - _TAIL_BYTES, 0))
    tail = stream.read()
    stated = [0]
    for found in re.finditer(re.escape(_END), tail):
        at = found.start()
        stated.append(int.from_bytes(tail[at + 12 : at + 16], "little") % _WIDE)
        if tail[at - 76 : at - 72] == _WIDE_END:
            stated.append(int.from_bytes(tail[at - 36 : at - 28], "little"))
    if max(stated) > _DIRECTORY_BYTES:
        what = f"its list of members has {max(stated):,} bytes, more than the {_DIRECTORY_BYTES:,} that are read"
        raise RefusedError(what, "Split it.", "R-CONTAINER-2")


def _refuse_deep(depth: int) -> None:
    if depth > _DEPTH:
        what = "it is a container in a container in a container"
        raise RefusedError(what, "Unpack the outermost yourself.", "R-CONTAINER-4")


def shown(path: str, member_path: str | None) -> str:
    """Return what messages call a file, or a member of a container."""
    return path if member_path is None else f"{path}!{member_path}"


def _inside(path: str) -> str:
    """Return the name of what is packed alone: that of the file without its last suffix."""
    name = PurePosixPath(path.replace("\\", "/").rpartition("!")[2]).name
    return _SUFFIX.sub("", name) if not _SUFFIX.fullmatch(name) else name


def _unpackable(error: Exception) -> RefusedError:
    """Return why something cannot be unpacked, in this project's words: those of libraries change."""
    if isinstance(error, NotImplementedError) or (isinstance(error, lzma.LZMAError) and "memory" in str(error).lower()):
        what, rule = "it is packed in a way that is not read", "R-CONTAINER-6"
        return RefusedError(what, "Pack it as tar.gz, tar.xz, tar.zst or zip, with usual settings.", rule)
    what = "it is damaged or cut off, and cannot be unpacked to its end"
    return RefusedError(what, "Fetch it again, or unpack what is whole yourself.", "R-CONTAINER-1")
