"""An excerpt as a submission: it states its origin, its licence and what told each value, and holds no run twice."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import excerpted
import hostile
from ioledger.build.checking import check
from ioledger.model import Source
from ioledger.submission import gather, origins
from ioledger.submission.rows import raw_tables
from test_excerpt import _excerpt_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.problems import Problem

    Change = Callable[[str], str]

REPORT = hostile.FIXTURE / hostile.REPORT
FIGURES = Path(__file__).parent / "fixtures" / "published" / "figures-dated" / "input.csv"
RAW = "2026-10-mallory-disk"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the invented excerpt in a folder of submissions."""
    return excerpted.write(tmp_path / "data")


def _problems(*folders: Path) -> list[Problem]:
    return gather.gather(folders).problems


def _without(key: str) -> Change:
    """Take a key of the manifest out, with what is indented below it."""
    return lambda text: re.sub(rf"^( *){key}:.*\n(?:\1 +.*\n)*", "", text, count=1, flags=re.MULTILINE)


def _to(old: str, new: str) -> Change:
    return lambda text: text.replace(old, new, 1)


def _under(licence: str) -> Change:
    return lambda text: text.replace("licence: MIT", f"licence: {licence}")


def _as_raw(text: str) -> str:
    """Call an excerpt a raw file, which has a configuration."""
    text = text.replace("source_type: excerpt", "source_type: raw_tool_output")
    return text.replace("  - path: mapping.csv", "    configuration: flash\n  - path: mapping.csv")


@pytest.mark.parametrize(
    ("change", "rule", "word"),
    [
        (_without("origin"), "R-ORIGIN-1", "states its origin"),
        (_as_raw, "R-ORIGIN-1", "only an excerpt"),
        (_as_raw, "R-ORIGIN-4", "is an excerpt"),
        (_to("  - path: mapping.csv", "    role: attachment\n  - path: mapping.csv"), "R-ORIGIN-4", "no file has"),
        (_under("Zimbra-1.4"), "R-ORIGIN-2", "not known here"),
        (_under("CC-BY-NC-4.0"), "R-ORIGIN-2", "not for commercial use"),
        (_to("\nlicence: MIT", "\nlicence: CC-BY-4.0"), "R-ORIGIN-2", "CC-BY-4.0"),
        (_to("    role: attachment", "    role: mapping"), "R-ORIGIN-3", "LICENCE"),
        (_to("media_class: {value: ssd_nvme, how_known: inferred, known_from: inferred from the model}",
             "media_class: ssd_nvme"), "R-ORIGIN-6", "devices.flash-2tb.media_class"),
        (_to(', known_from: "the file: filename names one device"', ""), "R-ORIGIN-6", "storage_topology"),
        (_to("preconditioning: {unknown: the repository does not state it}", "preconditioning: none"),
         "R-ORIGIN-6", "method.preconditioning"),
        (_to("how_known: inferred, known_from: inferred", "how_known: declared, known_from: inferred"),
         "R-ORIGIN-6", "State how_known: inferred"),
        (_to("how_known: declared, known_from: folder", "how_known: inferred, known_from: folder"),
         "R-ORIGIN-6", "State how_known: declared"),
        (_without("  copyright"), "R-MANIFEST-2", "copyright"),
    ],
)  # fmt: skip
def test_what_an_excerpt_lacks_is_said_in_its_line(folder: Path, change: Change, rule: str, word: str) -> None:
    """One line with the place, the value and the remedy; what several configurations share is said once."""
    excerpted.changed(folder, "manifest.yaml", change)
    found = [problem for problem in _problems(folder) if problem.rule == rule]
    assert len(found) == 1
    assert word in f"{found[0].what}. {found[0].remedy}"
    line = int(found[0].place)
    text = (folder / "manifest.yaml").read_text(encoding="utf-8").splitlines()[line - 1]
    assert line > 1 or rule in {"R-ORIGIN-1", "R-MANIFEST-2"}, text


def test_a_raw_file_does_not_lie_in_an_excerpt(folder: Path) -> None:
    """It says itself what it is, and is a submission of its own."""
    shutil.copy(REPORT, folder / "report.json")
    entry = "  - path: report.json\n    sha256: <report>\n    configuration: flash\n"
    excerpted.changed(folder, "manifest.yaml", lambda text: text + entry)
    (problem,) = (problem for problem in _problems(folder) if problem.rule == "R-ORIGIN-4")
    assert "report.json is a raw file" in problem.what


def test_a_value_that_the_rows_refute_is_told_as_of_a_raw_file(folder: Path) -> None:
    """Each configuration is held against its own rows only."""
    excerpted.changed(
        folder,
        "excerpt.csv",
        lambda text: re.sub(r"^(xpoint,.*),fio-3.28,", r"\1,fio-3.30,", text, flags=re.MULTILINE),
    )
    (problem,) = _problems(folder)
    assert problem.rule == "R-MANIFEST-8"
    assert (
        "configurations.xpoint.software.tool_version is fio-3.28, but excerpt.csv (line 7) states fio-3.30"
        in problem.what
    )


def test_an_excerpt_that_nobody_can_review_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Larger ones are split, and their parts may share a raw file."""
    monkeypatch.setattr(origins, "MOST_BYTES", 3000)
    (problem,) = _problems(folder)
    assert (problem.rule, "excerpt-1.csv" in problem.remedy) == ("R-ORIGIN-5", True)
    head, *rows = (folder / "excerpt.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "excerpt-1.csv").write_text("".join([head, *rows[:1]]), encoding="utf-8")
    (folder / "excerpt-2.csv").write_text("".join([head, *rows[1:4]]), encoding="utf-8")
    (folder / "excerpt.csv").unlink()
    entries = "".join(f"  - path: excerpt-{part}.csv\n    sha256: <it>\n" for part in (1, 2))
    listed = "  - path: excerpt.csv\n    sha256: "
    excerpted.changed(folder, "manifest.yaml", lambda text: re.sub(re.escape(listed) + r"\w+\n", entries, text))
    gathered = gather.gather([folder])
    assert gathered.problems == []
    assert raw_tables(gathered)[0]["results"].num_rows == 4


def _excerpt_the_report(data: Path) -> Path:
    """Write an excerpt of the very report that the sound raw submission holds."""
    folder = excerpted.write(data)
    rows = _excerpt_of(Source("out/report.json", REPORT.read_bytes())).replace(b"\nraw,", b"\nflash,")
    (folder / "excerpt.csv").write_bytes(rows)
    return excerpted.listed(folder)


def _doubles(problems: list[Problem]) -> list[Problem]:
    """Return what stands twice, without what the invented manifest says otherwise than the report."""
    return [problem for problem in problems if problem.rule.startswith("R-FILE")]


def test_a_raw_file_and_an_excerpt_of_it_are_one_run(tmp_path: Path) -> None:
    """Told at the later one, whichever that is."""
    data = tmp_path / "data"
    raw, other = hostile.sound(data / RAW), _excerpt_the_report(data)
    (problem,) = _doubles(_problems(raw, other))
    assert problem.rule == "R-FILE-7"
    assert "contains results of out/report.json, which are also in" in problem.what
    (problem,) = _doubles(_problems(other, raw))
    assert (problem.rule, "is the same file as" in problem.what) == ("R-FILE-7", True)
    assert [problem.rule for problem in _doubles(check((other,), data)[1])] == ["R-FILE-7"]


def test_an_excerpt_takes_the_place_of_another_of_the_same_raw_files(tmp_path: Path) -> None:
    """Each row counts once: that of the later one, in either order of reading; the earlier one keeps its file."""
    first, second = excerpted.write(tmp_path), excerpted.write(tmp_path, "2026-11-tester-two-drives-again")
    state = (
        f"status:\n  state: superseded\n  reason: a column was wrong\n  changed_on: 2026-11-30\n"
        f"  superseded_by: {second.name}\n"
    )
    excerpted.changed(second, "excerpt.csv", lambda text: text.replace(",0.021,", ",0.022,"))
    (problem,) = _problems(first, second)
    assert "results/flash/mixed-qd1.json, and 6 more files, which are also in" in problem.what
    excerpted.changed(first, "manifest.yaml", lambda text: state + text)
    for folders in ((first, second), (second, first)):
        gathered = gather.gather(folders)
        assert gathered.problems == []
        built, problems = raw_tables(gathered)
        assert problems == []
        assert {row["submission_id"] for row in built["results"].to_pylist()} == {second.name}
        (kept,) = (row for row in built["files"].to_pylist() if row["submission_id"] == first.name and row["tool"])
        assert (kept["path"], kept["result_count"]) == ("excerpt.csv", 0)


def test_the_tables_say_where_an_excerpt_comes_from(folder: Path) -> None:
    """Origin in the submission and in every result; what told a value beside how it is known."""
    built, _ = raw_tables(gather.gather([folder]))
    (submission,) = built["submissions"].to_pylist()
    assert submission["origin_commit"] == "0123456789abcdef0123456789abcdef01234567"
    assert submission["origin_retrieved_on"].isoformat() == "2026-11-22"
    assert (submission["origin_statement"], submission["origin_statement_note"]) == (
        "README: we also provide all original data.", None,
    )  # fmt: skip
    results = built["results"].to_pylist()
    assert {row["configuration_id"] for row in results} == {"flash", "xpoint"}
    assert {row["source_path"] for row in results} == {"excerpt.csv"}
    assert {row["reader_version"] for row in results} == {"0.1.0"}
    raw = {row["origin_path"]: row["origin_sha256"] for row in results}
    path = "results/flash/mixed-qd1.json"
    assert raw[path] == hashlib.sha256(f"invented {path}".encode()).hexdigest()
    known = {
        (row["subject"], row["field"]): (row["how_known"], row["known_from"]) for row in built["provenance"].to_pylist()
    }
    assert known["flash-2tb", "media_class"] == ("inferred", "inferred from the model")
    assert known["flash-2tb", "vendor"] == ("declared", "folder name results/flash")
    assert known["flash-2tb", "firmware"] == ("unknown", None)
    benches = {row["bench_key"] for row in built["configurations"].to_pylist()}
    assert benches == {f"{folder.name}/lab-host"}, "what shared a host names one system, and is one bench"
    (excerpt,) = (row for row in built["files"].to_pylist() if row["path"] == "excerpt.csv")
    assert (excerpt["tool"], excerpt["status"], excerpt["result_count"]) == ("excerpt", "read", 8)
    (finding,) = built["findings"].to_pylist()
    (told,) = (row for row in results if row["source_pointer"] == "line 2")
    assert (finding["rule_id"], finding["result_id"]) == ("R-FIO-NOTE-1", told["result_id"])


def test_figures_that_were_transcribed_from_raw_files_elsewhere_stand_in_an_excerpt(folder: Path) -> None:
    """A figure has the id of its place in that file, and is asked for no tool: it is what a person read there."""
    text = (FIGURES.read_text(encoding="utf-8")).replace("one-disk", "flash")
    (folder / "figures.csv").write_text(text, encoding="utf-8")
    manifest = folder / "manifest.yaml"
    digest = hashlib.sha256(text.encode()).hexdigest()
    listed = f"\nfiles:\n  - {{path: figures.csv, sha256: {digest}, role: publication}}\n"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("\nfiles:\n", listed), encoding="utf-8")
    gathered = gather.gather([folder])
    assert gathered.problems == []
    built, problems = raw_tables(gathered)
    assert problems == []
    results = {row["result_id"]: row for row in built["results"].to_pylist()}
    first, second, stated = (row["result_id"] for row in built["figures"].to_pylist())
    assert (results[first]["origin_path"], results[first]["origin_line"]) == ("runs/first.json", None)
    assert results[first]["origin_pointer"] == "[0].record.model.rrandiops"
    assert (results[second]["origin_path"], stated) == (None, None)


def test_whoever_measured_may_reply_to_the_whole_submission(folder: Path) -> None:
    """Without a claim: the reply is about everything that was imported."""
    gathered = gather.gather([folder, excerpted.reply(folder.parent)])
    assert gathered.problems == []
    (row,) = raw_tables(gathered)[0]["replies"].to_pylist()
    assert (row["claim_submission_id"], row["claim_id"]) == (folder.name, None)


def test_a_retracted_excerpt_is_not_asked(folder: Path) -> None:
    """A submission is never edited after merge."""
    state = "status:\n  state: retracted\n  reason: the author asked for it\n  changed_on: 2026-11-23\n"
    excerpted.changed(folder, "manifest.yaml", lambda text: state + _under("Zimbra-1.4")(text))
    assert _problems(folder) == []
