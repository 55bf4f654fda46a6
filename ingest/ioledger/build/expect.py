"""
What a believable number is: the Great Expectations suites of ``schemas/expectations``, run on the tables.

A suite is a JSON file with ``name``, ``expectations`` and ``meta``: the table or query it looks at, the columns that
name a row, and per expectation the reason, its severity (fail blocks; warn leaves a warning with the result, which the
site shows as a badge) and, where it is a rule of its own, the rule's id. Great Expectations takes seconds to import, so
one process runs all suites.
"""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.problems import Problem
from ioledger.tables.files import values_text
from ioledger.tables.schema import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    import pyarrow as pa

SHOWN_ROWS = 20
Row = dict[str, Any]


class Verdict(NamedTuple):
    """What the suites found: a record per expectation, problems that block, and rows of the table of findings."""

    records: list[dict[str, Any]]
    problems: list[Problem]
    findings: list[Row]


def run(tables: dict[str, pa.Table]) -> Verdict:
    """
    Run every suite on these tables.

    Returns one record per expectation for the site (suite, table, expectation, columns, kwargs, reason, severity, rule,
    rows looked at, rows that fail, success); one problem per row that fails (the first 20 of each expectation); and for
    expectations that only warn one row of the table of findings each, numbered after those of the file's reader.
    """
    import duckdb  # noqa: PLC0415  (only needed here)

    verdict = Verdict([], [], [])
    with duckdb.connect() as connection:
        connection.execute("set threads = 1")
        for name, table in tables.items():
            connection.register(name, table)
        connection.execute("set enable_external_access = false")
        for path in sorted((SCHEMAS / "expectations").glob("*.json")):
            suite = json.loads(path.read_text(encoding="utf-8"))
            meta = suite["meta"]
            frame = connection.execute(meta["query"]).df() if "query" in meta else tables[meta["table"]].to_pandas()
            for found in _validate(suite, frame):
                record = _record(suite, found)
                verdict.records.append(record)
                if record["severity"] == "warn" and not found.success and not _raised(found):
                    verdict.findings.extend(_warned(record, found, frame))
                else:
                    verdict.problems.extend(_failures(suite, found, frame))
    return verdict._replace(findings=_numbered(verdict.findings, tables))


def _validate(suite: dict[str, Any], frame: pd.DataFrame) -> Iterator[Any]:
    """Run one suite on one frame; give Great Expectations' own result of every expectation."""
    import great_expectations as gx  # noqa: PLC0415  (takes seconds; only the build pays for it)
    from great_expectations.data_context.types.base import ProgressBarsConfig  # noqa: PLC0415

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    asset = context.data_sources.add_pandas("tables").add_dataframe_asset(suite["name"])
    batch = asset.add_batch_definition_whole_dataframe("whole").get_batch({"dataframe": frame})
    expectations = gx.ExpectationSuite(name=suite["name"], expectations=suite["expectations"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = batch.validate(expectations, result_format="COMPLETE")
    yield from result.results


def _raised(found: Any) -> bool:  # noqa: ANN401  (Great Expectations' own result)
    return bool(found.exception_info and found.exception_info.get("raised_exception"))


def _record(suite: dict[str, Any], found: Any) -> dict[str, Any]:  # noqa: ANN401  (Great Expectations' own result)
    config = found.expectation_config
    kwargs = {key: value for key, value in config.kwargs.items() if key != "batch_id"}
    columns = [kwargs[key] for key in ("column", "column_A", "column_B") if key in kwargs]
    return {
        "suite": suite["name"],
        "table": suite["meta"].get("table", suite["name"]),
        "description": suite["meta"]["description"],
        "expectation": config.type,
        "columns": columns,
        "kwargs": dict(sorted(kwargs.items())),
        "reason": (config.meta or {}).get("reason"),
        "severity": (config.meta or {}).get("severity", "fail"),
        "rule": (config.meta or {}).get("rule", "R-EXPECT-1"),
        "row_count": found.result.get("element_count", 0),
        "unexpected_count": found.result.get("unexpected_count", 0),
        "missing_count": found.result.get("missing_count", 0),
        "success": bool(found.success),
    }


def _failures(suite: dict[str, Any], found: Any, frame: pd.DataFrame) -> Iterator[Problem]:  # noqa: ANN401
    if found.success:
        return
    record = _record(suite, found)
    table = f"the table {record['table']}"
    if _raised(found):
        what = f"{record['expectation']} could not run: {found.exception_info.get('exception_message')}"
        yield Problem(table, "", what, f"Mend schemas/expectations/{suite['name']}.json.", "R-EXPECT-2")
        return
    for row in list(_unexpected(found, frame))[:SHOWN_ROWS]:
        yield Problem(*_where(suite, table, row), _values(record, row), record["reason"], record["rule"])


def _where(suite: dict[str, Any], table: str, row: Any) -> tuple[str, str]:  # noqa: ANN401  (a row of a frame)
    """Return file and place of a row where it tells them, else its table and key."""
    if "source_path" in row and "submission_id" in row:
        return f"data/{row['submission_id']}/{row['source_path']}", str(row["source_pointer"])
    return table, " ".join(str(row[key]) for key in suite["meta"]["key"])


def _unexpected(found: Any, frame: pd.DataFrame) -> Iterator[Any]:  # noqa: ANN401
    for index in found.result.get("unexpected_index_list") or []:
        yield frame.loc[index["index"] if isinstance(index, dict) else index]


def _values(record: dict[str, Any], row: Any) -> str:  # noqa: ANN401  (a row of a frame)
    bounds = ", ".join(f"{key} {value}" for key, value in record["kwargs"].items() if not key.startswith("column"))
    return ", ".join(f"{column} = {row[column]}" for column in record["columns"]) + f" ({bounds})"


def _warned(record: dict[str, Any], found: Any, frame: pd.DataFrame) -> Iterator[Row]:  # noqa: ANN401
    """Give a finding for every row that an expectation only warns of; its suite names file, place and result."""
    for row in _unexpected(found, frame):
        places = ("source_sha256", "submission_id", "source_path", "source_pointer", "result_id")
        message = f"{record['reason']} Here: {_values(record, row)}."
        named = {name: row[name].item() if hasattr(row[name], "item") else row[name] for name in record["columns"]}
        found = {"rule_id": record["rule"], "message": message, "values": values_text(named)}
        yield {**{name: str(row[name]) for name in places}, **found}


def _numbered(rows: list[Row], tables: dict[str, pa.Table]) -> list[Row]:
    """Give findings the ids of their file and repetition, and numbers within it, after those that its reader raised."""
    last: dict[str, int] = {}
    for row in tables["findings"].select(["file_id", "finding_index"]).to_pylist():
        last[row["file_id"]] = max(last.get(row["file_id"], 0), row["finding_index"])
    results = tables["results"].select(["result_id", "file_id", "repetition_id"]).to_pylist() if rows else []
    by_result = {row["result_id"]: row for row in results}
    numbered = []
    for row in sorted(rows, key=lambda row: (row["source_path"], row["source_pointer"], row["rule_id"])):
        whole = row | by_result[row["result_id"]]
        last[whole["file_id"]] = last.get(whole["file_id"], 0) + 1
        numbered.append({**whole, "finding_index": last[whole["file_id"]]})
    return numbered
