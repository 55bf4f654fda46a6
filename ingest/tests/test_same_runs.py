"""A run counts once; near runs are other runs; what a submission states of days, people and hidden characters."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from itertools import combinations
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hostile
import pulled
from conftest import input_of
from ioledger.build.checking import check
from ioledger.submission import gather, shape, warnings

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = "2026-11-ann-disk", "2026-11-bob-disk"
VALUES = st.tuples(
    st.sampled_from([None, 1e3, 1e3 + 1]), st.just(4.096e6), st.just(10.0), st.sampled_from([1e-4, 2e-4])
)


@given(st.lists(VALUES, max_size=8))
def test_two_runs_have_one_key_only_where_all_four_values_are_equal(runs: list[tuple[float | None, ...]]) -> None:
    """A run without one of the values has no key."""
    keys = [gather.run_key(run) for run in runs]
    assert [key is None for key in keys] == [None in run for run in runs]
    for (one, first), (other, second) in combinations(zip(runs, keys, strict=True), 2):
        if first is not None and second is not None:
            assert (first == second) == (one == other)


def _submit(data: Path, *, moved: float = 1.0) -> Path:
    """Submit the run of a sound submission again, reformatted, with its mean latencies multiplied."""
    folder = hostile.sound(data / SECOND)
    report = json.loads((folder / hostile.REPORT).read_bytes())
    for job in report["jobs"]:
        for operation in ("read", "write"):
            for kind in ("lat_ns", "clat_ns"):
                job[operation][kind]["mean"] *= moved
    hostile.replace(folder, json.dumps(report, indent=7).encode())
    return folder


def test_a_build_leaves_out_the_later_of_two_merged_copies_of_a_run(tmp_path: Path) -> None:
    """The later is the one whose first commit is; the names say the opposite here."""
    data = tmp_path / "data"
    folders = [hostile.sound(data / FIRST), _submit(data)]
    files = [{f"data/{folder.name}/{path.name}": path.read_bytes() for path in folder.iterdir()} for folder in folders]
    pulled.repository(tmp_path, files[1])
    pulled.commit(tmp_path, "main", files[0], parent="refs/heads/main^0")
    assert gather.folders_by_age(data) == [*reversed(folders)]
    parts = [gather.gather_one(folder, folder.name) for folder in gather.folders_by_age(data)]
    whole, left_out = gather.without_copies(parts)
    assert ([each.id for each in whole.submissions], whole.problems) == ([SECOND], [])
    assert {name: set(found.values()) for name, found in left_out.items()} == {FIRST: {SECOND}}


def test_a_run_that_is_nearly_the_same_is_another_run(tmp_path: Path) -> None:
    """In a closed load of fixed duration, operations and mean latency repeat to a few parts in a hundred thousand."""
    hostile.sound(tmp_path / FIRST)
    assert check((_submit(tmp_path, moved=1 + 1e-5),), tmp_path).problems == []


def test_every_character_that_nobody_sees_is_hidden() -> None:
    """Unicode's control, format, surrogate and private characters and its separators of lines; tab, line break stay."""
    kinds = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    stays = {"\t", "\n"}
    unseen = {chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in kinds} - stays
    unseen |= set("\u034f\u115f\u3164\u2800\ufe0f\U00013440\U0001d159")  # shown as nothing, though letters or signs
    assert sorted(hex(ord(each)) for each in unseen if not shape.HIDDEN.match(each)) == []
    letters = (
        chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in {"Lu", "Ll", "Nd", "Zs", "Sm"}
    )
    assert [hex(ord(each)) for each in letters if shape.HIDDEN.match(each)] == []


TRACES = {
    "/home/ann/fio": "a home folder: ann",
    r"C:\\Users\\ann\\test.dat": "a home folder: ann",
    "/dev/disk/by-id/nvme-eui.0025388b91d0a1b2": "the serial number of a drive: nvme-eui.0025388b91d0a1b2",
    '"serial_number": "S4EWNX0R123456"': "the serial number of a drive: S4EWNX0R123456",
    r"directory=D\:\Users\ann\bench": "a home folder: ann",
    "the drive of serial S4EWNX0R123456": "the serial number of a drive: S4EWNX0R123456",
    "target [2001:db8:17::4]": "a network address: 2001:db8:17::4",
    "target fe80::5054:ff:feab:cdef": "a network address: fe80::5054:ff:feab:cdef",
    "target 2620:0:1c00:0:8a:9b:c:d": "a network address: 2620:0:1c00:0:8a:9b:c:d",
    "naa.5000c500a1b2c3d4": "the serial number of a drive: naa.5000c500a1b2c3d4",
    "52:54:00:ab:cd:ef": "a hardware address: 52:54:00:ab:cd:ef",
    "client 192.168.17.4": "a network address: 192.168.17.4",
    '"hostname" : "perf84"': "the name of a host: perf84",
    "db7.example.internal": "the name of a host: db7.example.internal",
    "ann@example.org": "an address of e-mail: ann@example.org",
}


@pytest.mark.parametrize("text", TRACES)
@pytest.mark.parametrize("where", ["summary", "file"])
def test_what_a_submission_tells_of_people_and_machines_is_named(tmp_path: Path, text: str, where: str) -> None:
    """With the line; it refuses nothing."""
    folder = hostile.sound(tmp_path / hostile.NAME)
    if where == "file":
        hostile.add_file(folder, "notes.txt", f"first\n{text}\n".encode(), "attachment")
    else:
        manifest = folder / "manifest.yaml"
        manifest.write_text(f"summary: >-\n  {text}\n{_without_summary(manifest)}", encoding="utf-8")
    found = check((folder,), tmp_path)
    assert found.problems == []
    (warning,) = found.warnings
    assert (warning.rule, warning.place) == ("R-PRIVATE-1", "2")
    assert warning.what == f"the file contains {TRACES[text]}".replace("\\\\", "\\")


def _without_summary(manifest: Path) -> str:
    """Return the manifest's other keys; a summary is one key and what is indented below it."""
    kept, is_inside = [], False
    for line in manifest.read_text(encoding="utf-8").splitlines(keepends=True):
        is_inside = line.startswith("summary:") or (is_inside and line.startswith(" "))
        kept += [] if is_inside else [line]
    return "".join(kept)


@pytest.mark.parametrize("text", ["/home/user/fio", "127.0.0.1", "version 10.0.3", "1:30:00", "user@", "by-id"])
def test_what_stands_for_everybody_is_left_alone(tmp_path: Path, text: str) -> None:
    """A version is no address, and a neutral name tells nobody."""
    folder = hostile.sound(tmp_path / hostile.NAME)
    hostile.add_file(folder, "notes.txt", text.encode(), "attachment")
    assert warnings.private_warnings_of(folder) == []


def test_the_total_of_a_report_is_no_copy_of_the_only_target_that_wrote(tmp_path: Path) -> None:
    """DiskSpd prints the writes of two targets and their sum; where one target wrote, the two are equal."""
    folder = hostile.sound(tmp_path / FIRST)
    hostile.replace(folder, input_of("diskspd/two-targets"))
    assert list(gather.find_duplicates(gather.gather([folder]))) == []


def test_a_manifest_that_a_build_has_published_is_not_checked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that has changed since is; the submission that is named always is."""
    other, own = hostile.sound(tmp_path / "data" / FIRST), _submit(tmp_path / "data", moved=2.0)
    hashes = [hashlib.sha256((folder / "manifest.yaml").read_bytes()).hexdigest() for folder in (other, own)]
    table = tmp_path / "build" / "raw" / "submissions.parquet"
    table.parent.mkdir(parents=True)
    asked: list[str] = []

    def find_nothing(_: object, where: str, __: object) -> list[object]:
        asked.append(where)
        return []

    monkeypatch.setattr("ioledger.submission.shape_problems", find_nothing)
    for published in (hashes, hashes[1:]):
        pq.write_table(pa.table({"manifest_sha256": published}), table)
        check((own,), tmp_path / "data")
    assert [where.split("/")[-2] for where in asked] == [SECOND, FIRST, SECOND]
