"""What differs between two builds is found row by row, and each row has the cause that the evidence shows."""

from __future__ import annotations

import msgspec
import pytest

import releasing
from ioledger.problems import Problem
from ioledger.releases import difference, shown, sides
from ioledger.releases.changes import Difference, Row, Table  # noqa: TC001  (annotations of tests)
from ioledger.releases.evidence import Evidence, Model, Reader
from releasing import CODE, Rows

from pathlib import Path  # noqa: TC003  isort: skip

BASE = releasing.rows(red=100.0, blue=50.0, green=25.0)


def _side(folder: Path) -> sides.Side:
    found = sides.of_folder(folder)
    assert not isinstance(found, Problem), found
    return found


def _compared(
    scratch: Path, after: Rows, code: Evidence | None = CODE, *, before: Rows = BASE, limit: int | None = None
) -> Difference:
    """Compare the base with other rows and other code."""
    old = releasing.write(scratch / "before", before, None if code is None else CODE)
    return difference.compare(_side(old), _side(releasing.write(scratch / "after", after, code)), limit)


def _table(found: Difference, name: str) -> Table:
    return next(table for table in found.tables if table.name == name)


def _row(found: Difference, name: str, *parts: str) -> Row:
    (row,) = (row for row in _table(found, name).rows if all(part in row.key for part in parts))
    return row


def _code(**parts: object) -> Evidence:
    """Return the code with parts of it replaced: of maps only the entries that are named."""
    own = {name: getattr(CODE, name) | changes for name, changes in parts.items() if isinstance(changes, dict)}
    return msgspec.structs.replace(CODE, **own)


OTHER = Model("2", ("raw.results", "raw.submissions"))
SLOWER = _code(models={"quotients": Model("2", ("int_pairs",))})
STRICTER = _code(judgement={"verdicts": "2"})
NEWER = _code(readers={"fio": Reader({"json": "0.2.0"}, "other")})


def _moved(rows: Rows, ratio: float = 3.0) -> Rows:
    """Return the rows with the quotient of red and blue moved."""
    return rows | {"marts/quotients": [releasing.quotient("red", "blue", ratio), *rows["marts/quotients"][1:]]}


def _read_otherwise() -> Rows:
    """Return the rows after a reader of a new version has read twice the rate from the file of red."""
    after = releasing.rows(red=200.0, blue=50.0, green=25.0)
    for name in ("results", "marts/results"):
        after[name] = [row | {"reader_version": "0.2.0"} for row in after[name]]
    return after


def test_the_same_rows_are_the_same_whatever_made_them(tmp_path: Path) -> None:
    """Code that moves nothing is no difference."""
    found = _compared(tmp_path, BASE, SLOWER)
    assert found.is_same
    assert found.tables == []
    assert found.code.models == ["quotients"]
    assert shown.headline(found) == shown.SAME


def test_a_new_submission_is_data_and_so_is_every_quotient_with_it(tmp_path: Path) -> None:
    """Rows of a submission that only one side has cannot have another cause, even where other code made them."""
    after = releasing.rows(red=100.0, blue=50.0, green=25.0, gold=5.0)
    found = _compared(tmp_path, after, SLOWER)
    assert {table.name: table.added for table in found.tables} == {
        "files": 1, "results": 1, "submissions": 1, "marts/results": 1, "marts/quotients": 3,
    }  # fmt: skip
    assert found.causes == {"data": 7}
    assert {row.reason for table in found.tables for row in table.rows} == {"gold is new"}


def test_a_submission_that_is_gone_takes_its_rows_with_it(tmp_path: Path) -> None:
    """They are removed, because of data."""
    found = _compared(tmp_path, releasing.rows(red=100.0, blue=50.0))
    assert found.causes == {"data": 6}
    assert {row.change for table in found.tables for row in table.rows} == {"removed"}
    assert _row(found, "marts/quotients", "red").reason == "green is gone"


def test_a_file_with_other_bytes_is_data(tmp_path: Path) -> None:
    """The number that stands in it moves, and the quotient because of that number, which is named."""
    after = releasing.rows(red=110.0, blue=50.0, green=25.0)
    after["files"][0] |= {"source_sha256": "other bytes"}
    found = _compared(tmp_path, after)
    moved = _row(found, "results", "red")
    assert (moved.cause, moved.reason) == ("data", "the file run.json has other bytes")
    (cell,) = moved.moves
    assert (cell.column, cell.old, cell.new, cell.ratio) == ("operations_per_second", 100.0, 110.0, 1.1)
    quotient = _row(found, "marts/quotients", "red", "blue")
    assert quotient.cause == "data"
    assert "results result of red moved: the file run.json has other bytes" in quotient.reason
    assert found.causes == {"data": 5}


def test_another_state_is_data(tmp_path: Path) -> None:
    """What is superseded leaves the models, because its state says so."""
    after = releasing.rows(red=100.0, blue=50.0, green=25.0)
    after["submissions"][2] |= {"status": "superseded", "superseded_by": "red", "manifest_sha256": "with a state"}
    for name in ("marts/results", "marts/quotients"):
        after[name] = [row for row in after[name] if "green" not in row.values()]
    found = _compared(tmp_path, after)
    assert found.causes == {"data": 4}
    assert _row(found, "submissions", "green").reason == "the state of green: active → superseded"
    assert "active → superseded" in _row(found, "marts/quotients", "red", "green").reason


def test_the_same_bytes_in_another_reader_are_the_reader(tmp_path: Path) -> None:
    """Of a version and of code; a quotient inherits it and names the result that moved."""
    found = _compared(tmp_path, _read_otherwise(), NEWER)
    assert set(found.causes) == {"reader version"}
    assert _row(found, "results", "red").reason == "the reader fio json: 0.1.0 → 0.2.0, of the same bytes"
    assert [move.column for move in _row(found, "results", "blue").moves] == ["reader_version"]
    reason = _row(found, "marts/quotients", "red", "blue").reason
    assert reason.startswith("results result of red")
    assert "the reader fio json: 0.1.0 → 0.2.0" in reason
    assert found.code.readers == ["fio: json 0.1.0 → 0.2.0"]


def test_a_reader_that_moves_numbers_under_its_old_version_is_told(tmp_path: Path) -> None:
    """The code differs and the bytes do not, so it is the reader; that no version was raised is said."""
    after = releasing.rows(red=200.0, blue=50.0, green=25.0)
    found = _compared(tmp_path, after, _code(readers={"fio": Reader({"json": "0.1.0"}, "other")}))
    row = _row(found, "results", "red")
    assert row.cause == "reader version"
    assert row.reason == (
        "the code of the reader fio differs, and fio json has version 0.1.0 on both sides; the bytes of run.json are "
        "the same"
    )


def test_other_sql_is_the_model(tmp_path: Path) -> None:
    """Where no raw row differs, and nothing else of the code."""
    found = _compared(tmp_path, _moved(BASE), SLOWER)
    assert found.causes == {"model": 1}
    assert _row(found, "marts/quotients", "red", "blue").reason == "SQL differs in quotients"


def test_other_sql_of_a_parent_is_the_model_too(tmp_path: Path) -> None:
    """The models that a table is made of are known from their SQL."""
    found = _compared(tmp_path, _moved(BASE), _code(models={"points": Model("2", ("results",))}))
    assert found.causes == {"model": 1}
    assert _row(found, "marts/quotients", "red", "blue").reason == "SQL differs in points"


@pytest.mark.parametrize(
    ("code", "reason"),
    [(STRICTER, "verdicts.py"), (_code(seeds={"known_roles": "2"}), "known_roles.csv")],
    ids=["a function", "a table of roles"],
)
def test_another_judgement_is_judgement(tmp_path: Path, code: Evidence, reason: str) -> None:
    """Of a function that SQL calls, and of a table that it joins; words move as numbers do."""
    after = BASE | {
        "marts/quotients": [releasing.quotient("red", "blue", 2.0, "undecided"), *BASE["marts/quotients"][1:]]
    }
    found = _compared(tmp_path, after, code)
    assert found.causes == {"judgement": 1}
    row = _row(found, "marts/quotients", "red", "blue")
    assert row.reason == f"judgement differs in {reason}"
    assert [(move.column, move.new, move.ratio) for move in row.moves] == [("verdict_sentence", "undecided", None)]
    table = _table(found, "marts/quotients")
    assert (table.numbers_moved, table.words_moved) == (0, 1)


def test_judgement_reaches_only_what_is_judged(tmp_path: Path) -> None:
    """A mart whose SQL calls no function of it has no cause in it: that it moved is unknown, and said to be."""
    marts = [row | {"badges": "new"} for row in BASE["marts/results"]]
    found = _compared(tmp_path, BASE | {"marts/results": marts}, STRICTER)
    assert found.causes == {"unknown": 3}
    assert _row(found, "marts/results", "red").reason == "all that it is made of is the same"


def test_of_two_that_may_have_moved_a_row_none_is_named_alone(tmp_path: Path) -> None:
    """Unknown, with both."""
    both = msgspec.structs.replace(SLOWER, judgement=STRICTER.judgement)
    row = _row(_compared(tmp_path, _moved(BASE), both), "marts/quotients", "red", "blue")
    assert row.cause == "unknown"
    assert row.reason == "not told apart: SQL differs in quotients; judgement differs in verdicts.py"


def test_an_operand_and_a_model_are_not_told_apart(tmp_path: Path) -> None:
    """A quotient whose result moved may have moved by its SQL as well; the result's own cause is known."""
    code = msgspec.structs.replace(NEWER, models=SLOWER.models)
    found = _compared(tmp_path, _read_otherwise(), code)
    assert _row(found, "results", "red").cause == "reader version"
    row = _row(found, "marts/quotients", "red", "blue")
    assert row.cause == "unknown"
    assert "result of red" in row.reason
    assert row.reason.endswith("SQL differs in quotients")


def test_what_a_model_only_carries_has_the_cause_of_the_raw_row(tmp_path: Path) -> None:
    """The same cell moved from and to the same in both, so other SQL has no part in it; in others it may."""
    after = _read_otherwise()
    after["marts/results"][1] |= {"operations_per_second": 51.0}
    found = _compared(tmp_path, after, msgspec.structs.replace(NEWER, models=_code(models={"results": OTHER}).models))
    assert _row(found, "marts/results", "red").cause == "reader version"
    assert _row(found, "marts/results", "red").reason == _row(found, "results", "red").reason
    assert _row(found, "marts/results", "blue").cause == "unknown"


def test_two_operands_with_causes_of_their_own_are_both_named(tmp_path: Path) -> None:
    """One side read by another version, the other from other bytes: no code of models differs, so it is both."""
    after = _read_otherwise()
    after["files"][1] |= {"source_sha256": "other bytes"}
    after["results"][1] |= {"operations_per_second": 40.0}
    found = _compared(tmp_path, after, NEWER)
    assert _row(found, "results", "blue").cause == "data"
    assert _row(found, "marts/quotients", "red", "blue").cause == "data and reader version"
    assert _row(found, "marts/quotients", "red", "green").cause == "reader version"


def test_without_evidence_a_cause_is_unknown_unless_rows_alone_show_it(tmp_path: Path) -> None:
    """A build that does not say what made it: what rests on code is unknown, a new submission is data."""
    after = _moved(releasing.rows(red=100.0, blue=50.0, green=25.0, gold=5.0))
    found = _compared(tmp_path, after, None)
    assert _row(found, "marts/quotients", "red", "gold").cause == "data"
    row = _row(found, "marts/quotients", "red", "blue")
    assert (row.cause, row.reason) == ("unknown", f"{tmp_path}/after, {tmp_path}/before does not say what code made it")


def test_counts_are_of_all_rows_and_few_are_shown(tmp_path: Path) -> None:
    """Of every change and cause the first are among them."""
    many = {f"s{number:03}": float(number + 1) for number in range(40)}
    before, after = releasing.rows(**many), releasing.rows(**{name: value * 2 for name, value in many.items()})
    after["files"] = [row | {"source_sha256": "other"} for row in after["files"]]
    after |= {
        name: [*after[name], row]
        for name, row in (("files", releasing.file("t")), ("submissions", releasing.submission("t")))
    }
    found = _compared(tmp_path, after, before=before, limit=3)
    results, files = _table(found, "results"), _table(found, "files")
    assert (results.moved, results.numbers_moved, len(results.rows)) == (40, 40, 3)
    assert (files.added, files.moved, sorted({row.change for row in files.rows})) == (1, 40, ["added", "moved"])
    assert shown.left(results) == "37 more rows moved; moved cells: operations_per_second 40."


def test_columns_of_one_version_are_listed_and_move_no_row(tmp_path: Path) -> None:
    """A new column is no moved number."""
    import pyarrow.parquet as pq  # noqa: PLC0415

    before = releasing.write(tmp_path / "a", BASE)
    path = before / "marts" / "quotients.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["evidence"]), path)
    releasing.listed(before, CODE)
    found = difference.compare(_side(before), _side(releasing.write(tmp_path / "b", BASE)))
    (table,) = found.tables
    assert (table.columns_added, table.moved, table.rows) == (["evidence"], 0, [])
    assert not found.is_same
    assert shown.headline(found).endswith("Only columns differ.")


def test_rows_without_their_whole_key_are_compared_whole(tmp_path: Path) -> None:
    """A version that lacks a column of the key cannot be matched by it; that is said."""
    import pyarrow.parquet as pq  # noqa: PLC0415

    before = releasing.write(tmp_path / "a", BASE)
    path = before / "marts" / "quotients.parquet"
    old = pq.read_table(path).drop_columns(["b_submission_id"])
    pq.write_table(old, path)
    releasing.listed(before, CODE)
    found = difference.compare(_side(before), _side(releasing.write(tmp_path / "b", _moved(BASE))))
    table = _table(found, "marts/quotients")
    assert table.note == "one version has no b_submission_id"
    assert (table.added, table.removed, table.moved) == (1, 1, 0)


def test_excerpts_that_an_older_version_read_are_listed(tmp_path: Path) -> None:
    """A new version moves none of their rows; that they are to be compared with the originals is said."""
    old, new = (releasing.rows(red=100.0, blue=50.0) for _ in range(2))
    for rows, version in ((old, "0.1.0"), (new, "0.2.0")):
        rows["results"][0] |= {"reader_version": "0.1.0", "origin_sha256": "a", "tool": "fio", "source_format": "json"}
        rows["results"][1] |= {"reader_version": version, "tool": "fio", "source_format": "json"}
    found = _compared(tmp_path, new, NEWER, before=old)
    assert [(each.submission, each.reader, each.then, each.now, each.results) for each in found.stale] == [
        ("red", "fio json", "0.1.0", "0.2.0", 1)
    ]
    assert [row.key for row in _table(found, "results").rows] == ["result of blue"]
    (line,) = (line for line in shown.code(found) if "Excerpts" in line)
    assert "1 results of red were read by fio json 0.1.0, and it is 0.2.0 now; ioledger import --verify" in line


def test_a_report_shows_what_strangers_wrote_as_text(tmp_path: Path) -> None:
    """No link, mention, table or markup comes of it, and the end is cut where a report would be too long."""
    name = "@all|<b>[x](http://y)\n"
    after = releasing.rows(red=100.0, blue=50.0, green=25.0, **{name: 5.0})
    text = difference.report(releasing.write(tmp_path / "a", BASE), releasing.write(tmp_path / "b", after))
    assert name.strip() not in text
    assert "<" not in text
    assert "@" not in text
    assert "&#64;all&#124;&#60;b&#62;" in text
    found = difference.compare(_side(tmp_path / "a"), _side(tmp_path / "b"))
    short = shown.markdown(found, 900)
    assert len(short) <= 900
    assert short.endswith("… the rest is left out here; `ioledger diff` shows it.\n")
    assert text.partition("\n")[2].startswith(short.partition("\n")[2][:500])


def test_a_folder_without_a_build_is_told(tmp_path: Path) -> None:
    """With the rule, and as an error where a function is called."""
    found = sides.of_folder(tmp_path)
    assert isinstance(found, Problem)
    assert found.rule == "R-DIFFERENCE-1"
    with pytest.raises(ValueError, match="no manifest"):
        difference.report(tmp_path, tmp_path)
    build = releasing.write(tmp_path / "build", BASE)
    (build / "results.parquet").unlink()
    found = sides.of_folder(tmp_path)
    assert isinstance(found, Problem)
    assert "1 tables are not there" in found.what
    (build / "manifest.json").write_text('{"files": 3}', encoding="utf-8")
    assert isinstance(sides.of_folder(tmp_path), Problem)
