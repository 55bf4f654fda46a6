"""
What a believable number is: the Great Expectations suites of ``schemas/expectations``, run on the tables.

A suite is a JSON file with ``name``, ``expectations`` and ``meta``: the table or query it looks at, the columns that
name a row, and per expectation the reason. Great Expectations takes seconds to import, so one process runs all suites.
"""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any

from ingest.problems import Problem
from ingest.tables import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    import pyarrow as pa

SHOWN_ROWS = 20


def run(tables: dict[str, pa.Table]) -> tuple[list[dict[str, Any]], list[Problem]]:
    """
    Run every suite on these tables.

    Returns one record per expectation for the site (suite, table, expectation, columns, kwargs, reason, rows looked at,
    rows that fail, success), and one problem per failing row (the first 20 of each expectation).
    """
    import duckdb  # noqa: PLC0415  (only needed here)

    records: list[dict[str, Any]] = []
    problems: list[Problem] = []
    with duckdb.connect() as connection:
        connection.execute("set threads = 1")
        for name, table in tables.items():
            connection.register(name, table)
        connection.execute("set enable_external_access = false")
        for path in sorted((SCHEMAS / "expectations").glob("*.json")):
            suite = json.loads(path.read_text(encoding="utf-8"))
            meta = suite["meta"]
            frame = connection.execute(meta["query"]).df() if "query" in meta else tables[meta["table"]].to_pandas()
            for record, failures in _validate(suite, frame):
                records.append(record)
                problems += failures
    return records, problems


def _validate(suite: dict[str, Any], frame: pd.DataFrame) -> Iterator[tuple[dict[str, Any], list[Problem]]]:
    """Run one suite on one frame; rows are named by the suite's key columns."""
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
    for found in result.results:
        yield _record(suite, found), list(_failures(suite, found, frame))


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
    if found.exception_info and found.exception_info.get("raised_exception"):
        what = f"{record['expectation']} could not run: {found.exception_info.get('exception_message')}"
        yield Problem(table, "", what, f"Mend schemas/expectations/{suite['name']}.json.", "R-EXPECT-2")
        return
    bounds = ", ".join(f"{key} {value}" for key, value in record["kwargs"].items() if not key.startswith("column"))
    for index in (found.result.get("unexpected_index_list") or [])[:SHOWN_ROWS]:
        row = frame.loc[index["index"] if isinstance(index, dict) else index]
        place = " ".join(str(row[key]) for key in suite["meta"]["key"])
        values = ", ".join(f"{column} = {row[column]}" for column in record["columns"])
        yield Problem(table, place, f"{values} ({bounds})", record["reason"], "R-EXPECT-1")
