"""Containers are read as the folders they hold, whatever a stranger put into them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

import ioledger
from conftest import FIXTURES
from ioledger.loading import archives
from ioledger.loading.archives import Entry, sources
from ioledger.model import Source
from mutate import mutate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REPORT = (FIXTURES / "submission" / "report.json").read_bytes()
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


def tarred(*members: tuple[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    """Return a tar of these files."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=form) as archive:
        for name, data in members:
            header = tarfile.TarInfo(name)
            header.size = len(data)
            archive.addfile(header, io.BytesIO(data))
    return stream.getvalue()


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of these files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return stream.getvalue()


def opened(folder: Path, data: bytes, name: str = "given") -> tuple[dict[str | None, bytes], dict[str | None, Entry]]:
    """Return the members of a container, and what has no bytes of its own; by place."""
    path = folder / name
    path.write_bytes(data)
    found = list(sources(str(path)))
    files = {each.member_path: each.data for each in found if isinstance(each, Source)}
    entries = {each.member_path: each for each in found if isinstance(each, Entry)}
    assert len(files) + len(entries) == len(found), "no place stands twice"
    return files, entries


def rule(entry: Entry) -> str | None:
    """Return the rule that refused it."""
    return None if entry.problem is None else entry.problem.rule


MEMBERS = (("run/a.json", REPORT), ("run/b.log", b"1, 2, 0, 4096\n" * 40), ("empty", b""))
FOLDERS = {
    "tar": tarred(*MEMBERS),
    "tar of before POSIX": tarred(*MEMBERS, form=tarfile.GNU_FORMAT).replace(b"ustar  \0", bytes(8)),
    "tar of GNU": tarred(*MEMBERS, form=tarfile.GNU_FORMAT),
    "zip": zipped(*MEMBERS),
    "zip, stored": zipped(*MEMBERS, method=zipfile.ZIP_STORED),
    "zip with lzma": zipped(*MEMBERS, method=zipfile.ZIP_LZMA),
} | {f"tar.{form}": pack(tarred(*MEMBERS)) for form, pack in PACKED.items()}


def _mended(data: bytes) -> bytes:
    """Return a tar whose headers lost their mark with checksums that hold."""
    mended = bytearray(data)
    for at in range(0, len(data), 512):
        block = mended[at : at + 512]
        if block[100:108] == b"0000644\0":
            block[148:156] = b" " * 8
            mended[at + 148 : at + 156] = b"%06o\0 " % sum(block)
    return bytes(mended)


FOLDERS["tar of before POSIX"] = _mended(FOLDERS["tar of before POSIX"])


@pytest.mark.parametrize("form", FOLDERS)
@pytest.mark.parametrize("name", ["given", "results.json"])
def test_a_container_gives_its_members_whatever_it_is_called(form: str, name: str, tmp_path: Path) -> None:
    """Then itself, with its hash and form; every one has a name that says where it lies."""
    files, entries = opened(tmp_path, FOLDERS[form], name)
    assert files == dict(MEMBERS)
    (entry,) = entries.values()
    stated = Source("", FOLDERS[form])
    assert (entry.path, entry.member_path, entry.member_count) == (str(tmp_path / name), None, 3)
    assert (entry.sha256, entry.size, entry.problem) == (stated.sha256, len(stated.data), None)
    assert entry.form == form.split(maxsplit=1)[0].rstrip(",")


@pytest.mark.parametrize("form", PACKED)
def test_a_file_that_is_packed_alone_has_the_name_without_the_suffix(form: str, tmp_path: Path) -> None:
    """It is read as if it lay there, and its hash is that of its own bytes."""
    halves = PACKED[form](REPORT[:100]) + PACKED[form](REPORT[100:])  # as cat and tools that work in parallel make them
    assert opened(tmp_path, halves, f"run.json.{form}")[0] == {"run.json": REPORT}
    files, entries = opened(tmp_path, PACKED[form](REPORT), f"run.json.{form}")
    assert files == {"run.json": REPORT}
    assert [entry.form for entry in entries.values()] == [form]
    measurement = ioledger.read(tmp_path)
    rows = measurement.files.to_pylist()
    packed, alone = str(tmp_path / f"run.json.{form}"), Source("", REPORT).sha256
    assert [(row["path"], row["member_path"], row["format"]) for row in rows] == [
        (packed, "run.json", "json"), (packed, None, form),
    ]  # fmt: skip
    assert (rows[0]["source_sha256"], rows[0]["size_bytes"]) == (alone, len(REPORT))
    assert {row["source_path"] for row in measurement.results.to_pylist()} == {f"{packed}!run.json"}
    assert {row["file_id"] for row in measurement.results.to_pylist()} == {rows[0]["file_id"]}
    assert rows[1]["file_id"] != rows[0]["file_id"]


def test_a_large_container_is_read_from_the_disk(tmp_path: Path) -> None:
    """Above what is looked at first, and no more of it is held than a member."""
    data = [(f"{number}.bin", os.urandom(90_000)) for number in range(4)]
    for packed in (tarred(*data), gzip.compress(tarred(*data)), lzma.compress(tarred(*data)), zipped(*data)):
        files, entries = opened(tmp_path, packed)
        assert files == dict(data)
        assert entries[None].sha256 == Source("", packed).sha256


def test_an_archive_in_an_archive_is_refused_and_its_neighbours_are_read(tmp_path: Path) -> None:
    """It has its row, with its place."""
    inner = zipped(("c.json", REPORT))
    files, entries = opened(tmp_path, gzip.compress(tarred(("in/b.zip", inner), ("e.json", REPORT))))
    assert files == {"e.json": REPORT}
    assert {place: rule(entry) for place, entry in entries.items()} == {"in/b.zip": "R-CONTAINER-1", None: None}
    assert str(entries["in/b.zip"].problem) == (
        f"{tmp_path}/given!in/b.zip: it is an archive in an archive. Unpack the outer one yourself.  [R-CONTAINER-1]"
    )


def test_names_reach_nothing_and_may_repeat(tmp_path: Path) -> None:
    """Absolute ones, those that lead upwards, and those that stand twice are names and no more."""
    names = ["/etc/passwd", "../../x.json", "x.json", "x.json", "x.json.2", "./y.json", "run_bw.1.log", "run_bw.1.log"]
    expected = ["/etc/passwd", "../../x.json", "x.json", "x.json.2", "x.json.2.2", "y.json", "run_bw.1.log"]
    expected.append("run_bw.1.log.2")
    members = [(name, str(number).encode()) for number, name in enumerate(names)]
    with pytest.warns(UserWarning, match="Duplicate name"):
        packed = zipped(*members)
    for data in (packed, tarred(*members)):
        files, _ = opened(tmp_path, data)
        assert files == {name: str(number).encode() for number, name in enumerate(expected)}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given"]


def test_links_devices_and_hidden_members_are_passed_over_and_counted(tmp_path: Path) -> None:
    """As in a folder; what a link names is not opened."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE):
            header = tarfile.TarInfo(f"of type {kind!r}")
            header.type, header.linkname = kind, "/etc/passwd"
            archive.addfile(header)
        for name in (".git/config", "a/.hidden", "node_modules/x.json"):
            archive.addfile(tarfile.TarInfo(name))
    files, entries = opened(tmp_path, stream.getvalue())
    assert files == {}
    assert entries[None].passed_over == {"link or device": 4, "hidden": 2, "folder of generated files": 1}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as zip_archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        zip_archive.writestr(link, "/etc/passwd")
        zip_archive.writestr("__MACOSX/._a.json", b"x")
        zip_archive.mkdir("folder")
    files, entries = opened(tmp_path, stream.getvalue())
    assert (files, entries[None].passed_over.total()) == ({}, 2)


@pytest.mark.parametrize("form", [*PACKED, *(f"tar.{form}" for form in PACKED), "tar", "zip"])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.999])
def test_a_container_that_is_cut_gives_what_is_whole_and_says_so(form: str, share: float, tmp_path: Path) -> None:
    """No member is given that is not whole."""
    members = [(f"{number}.json", os.urandom(3000)) for number in range(30)]
    data = tarred(*members)
    packed = PACKED[form](REPORT * 3) if form in PACKED else zipped(*members) if form == "zip" else data
    if form.startswith("tar."):
        packed = PACKED[form.removeprefix("tar.")](data)
    whole = dict(members)
    end = share if form != "tar" else min(share, 0.9)  # the last blocks of a tar are zeros
    files, entries = opened(tmp_path, packed[: int(len(packed) * end)])
    assert rule(entries[None]) == "R-CONTAINER-1"
    assert all(whole[str(place)] == data for place, data in files.items())
    assert len(files) < len(members)


def test_a_tar_that_is_damaged_in_the_middle_does_not_just_end(tmp_path: Path) -> None:
    """The library stops there without a word, and what follows would be missing."""
    data = bytearray(tarred(("a", REPORT), ("b", REPORT), ("c", REPORT)))
    at = data.index(b"b\0\0\0\0\0")
    data[at : at + 3] = b"zzz"
    files, entries = opened(tmp_path, bytes(data))
    assert (list(files), rule(entries[None])) == (["a"], "R-CONTAINER-1")
    assert "after 1 members, it is damaged" in str(entries[None].problem)


@pytest.mark.parametrize("form", [*PACKED, *(f"tar.{form}" for form in PACKED), "zip"])
def test_what_unpacks_to_more_than_is_read_ends_early(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Zeros pack to nothing; what comes out is counted as it comes."""
    monkeypatch.setattr(archives, "MAX_BYTES", 4 << 20)
    zeros = bytes(10 << 20)
    kind, _, packing = form.rpartition(".")
    packed = zipped(("zeros", zeros)) if form == "zip" else PACKED[packing](tarred(("zeros", zeros)) if kind else zeros)
    files, entries = opened(tmp_path, packed)
    assert (files, rule(entries[None])) == ({}, "R-CONTAINER-2")


def test_a_sparse_member_is_no_way_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tar may state a hole of any size in a few bytes."""
    monkeypatch.setattr(archives, "MAX_BYTES", 4 << 20)
    hole = bytearray(tarred(("hole", b""), form=tarfile.GNU_FORMAT)[:512])
    hole[156:157] = b"S"
    hole[483:495] = b"%011o\0" % (10 << 20)
    hole[148:156] = b" " * 8
    hole[148:156] = b"%06o\0 " % sum(hole[:512])
    _, entries = opened(tmp_path, bytes(hole) + bytes(1024))
    assert rule(entries[None]) == "R-CONTAINER-2"


def test_members_and_bytes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more is unpacked."""
    monkeypatch.setattr(archives, "MAX_MEMBERS", 5)
    few = [(f"{number}", b"") for number in range(5)]
    for pack in (tarred, zipped):
        files, entries = opened(tmp_path, pack(*few))
        assert (len(files), rule(entries[None])) == (5, None)
        files, entries = opened(tmp_path, pack(*few, ("more", b"")))
        assert (len(files), rule(entries[None])) == (5, "R-CONTAINER-2")
    monkeypatch.setattr(archives, "MAX_BYTES", 1000)
    files, entries = opened(tmp_path, zipped(("a", bytes(600)), ("b", bytes(600))))
    assert (list(files), rule(entries[None])) == (["a"], "R-CONTAINER-2")


def test_a_member_that_is_too_large_alone_is_refused_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are read."""
    monkeypatch.setattr("ioledger.readers.detect.MAX_FILE_BYTES", 5000)
    monkeypatch.setattr("ioledger.loading.files._FIRST", 600)
    members = (("large", os.urandom(6000)), ("small", b"x"))
    for packed in (tarred(*members), zipped(*members), lzma.compress(tarred(*members))):
        files, entries = opened(tmp_path, packed)
        assert (files, rule(entries["large"]), rule(entries[None])) == ({"small": b"x"}, "R-DETECT-4", None)
    _, entries = opened(tmp_path, gzip.compress(os.urandom(6000)))
    assert rule(entries[None]) == "R-DETECT-4"


@pytest.mark.parametrize(("at", "value"), [((6, 8), 1), ((8, 10), 9)], ids=["encrypted", "unknown method"])
def test_a_member_that_no_library_here_unpacks_is_refused_alone(
    at: tuple[int, int], value: int, tmp_path: Path
) -> None:
    """Nobody is asked for a password, and the others are read."""
    data = bytearray(zipped(("a", REPORT), ("b", REPORT)))
    data[at[0]] = data[data.index(b"PK\1\2") + at[1]] = value
    files, entries = opened(tmp_path, bytes(data))
    assert (list(files), rule(entries["a"]), rule(entries[None])) == (["b"], "R-CONTAINER-1", None)


@pytest.mark.parametrize("data", [b"", b"\x1f\x8b", b"PK\3\4", b"PK\5\6" + bytes(18), b"BZh91AY&SY", bytes(10240)])
def test_hardly_anything_is_no_traceback(data: bytes, tmp_path: Path) -> None:
    """A file of no bytes is empty, whatever its name; a beginning alone is a container that is cut."""
    (tmp_path / "run.tar.gz").write_bytes(data)
    (row,) = ioledger.read(tmp_path).files.to_pylist()
    expected = {
        b"": ("ignored", "R-DETECT-2"),
        bytes(10240): ("ignored", "R-DETECT-2"),
        b"PK\5\6" + bytes(18): ("read", None),
    }
    assert (row["status"], row["rule_id"]) == expected.get(data, ("refused", "R-CONTAINER-1"))


@pytest.mark.parametrize("seed", range(150))
def test_a_spoilt_container_is_never_a_traceback(seed: int, tmp_path: Path) -> None:
    """Whatever is changed, what is given is a member or a reason; the container comes last."""
    whole = [*FOLDERS.values(), *(pack(REPORT) for pack in PACKED.values())][seed % (len(FOLDERS) + len(PACKED))]
    path = tmp_path / "spoilt"
    path.write_bytes(mutate(seed, whole))
    *_, last = sources(str(path))
    assert last.member_path is None


def test_a_number_where_a_tar_has_its_checksum_makes_no_tar(tmp_path: Path) -> None:
    """A report with a year at that place is read as the report it is."""
    data = REPORT[:148].ljust(148) + b'0 2025",' + REPORT[156:]
    members, _ = opened(tmp_path, tarred(("report.json", data)))
    assert members == {"report.json": data}
    assert archives.form_of(data) is None
