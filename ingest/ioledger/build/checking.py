"""
What ``ioledger check`` does: submissions checked without building, and the expectations of a build.

What a believable number is say the Great Expectations suites of ``schemas/expectations``, run on the tables.
A suite is a JSON file with ``name``, ``expectations`` and ``meta``: the table or query it looks at, the columns that
name a row, and per expectation the reason, its severity (fail blocks; warn leaves a warning with the result, which the
site shows as a badge) and, where it is a rule of its own, the rule's id. Great Expectations takes seconds to import, so
one process runs all suites.
"""

from __future__ import annotations

import json
import warnings
from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.problems import Problem
from ioledger.submission.files import PLACE, Gathered, ReadingCache
from ioledger.submission.gather import folders, gather_one, name_folder, read_one, without_copies
from ioledger.submission.rows import raw_tables
from ioledger.submission.warnings import private_warnings, reading_warnings, table_warnings
from ioledger.tables.columns import Row, values_text
from ioledger.tables.schema import SCHEMAS
from ioledger.tables.store import read_parquet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import pandas as pd
    import pyarrow as pa

SHOWN_ROWS = 20
SERIES = (
    "submission_id", "configuration_id", "load_profile", "access_pattern", "read_ratio", "block_size_bytes",
    "process_count",
)  # fmt: skip
"""What results of one series agree in; reads and writes of a mix, depths and repetitions are warned of together."""
OWNERS = ("file_id", "repetition_id")
PLACES = ("source_sha256", "submission_id", "source_path", "source_pointer", "result_id")
FORMAT = {"result_format": "COMPLETE", "return_unexpected_index_query": False}
"""What Great Expectations tells of an expectation: the index of every row that fails, and no query for them."""
BOUNDS = {"min_value": "at least", "max_value": "at most"}


class Checked(NamedTuple):
    """How many submissions were checked, what is wrong with them, and what their submitters should look at."""

    checked: int
    problems: list[Problem]
    warnings: list[Problem]


def check(
    paths: tuple[Path, ...],
    data: Path,
    *,
    plausibility: bool = False,
    replaced: str | None = None,
) -> Checked:
    """
    Check submissions beside the others of ``data``, by default all: problems, and what is doubtful.

    Messages name ``replaced``, whose place a folder takes.
    """
    wanted = list(dict.fromkeys(path.resolve() for path in paths)) or folders(data)
    beside = folders(data) if paths and data.is_dir() else []
    others = [folder for folder in beside if folder.resolve() not in wanted and folder.name != replaced]
    names = {folder: replaced or name_folder(folder) for folder in wanted}
    cache = ReadingCache(data.parent if (data.parent / PLACE).is_dir() else None)  # that of the last build
    built = _built_manifests(data.parent / "build" / "raw" / "submissions.parquet") if others else frozenset()
    parts = [read_one(folder, folder.name, cache, built) for folder in others]
    parts += [gather_one(folder, names[folder], cache) for folder in wanted]
    gathered, left_out = without_copies(parts)
    every = sorted([*gathered.problems, *(problem for found in left_out.values() for problem in found)])
    mine = tuple(names.values())
    problems = [p for p in every if any(p.file == name or p.file.startswith(f"{name}/") for name in mine)]
    own = [each for each in gathered.submissions if each.shown in mine]
    ids = {each.id for each in own}
    warnings: list[Problem] = []
    if not problems:
        found, problems = raw_tables(Gathered(own, [each for each in gathered.files if each.submission_id in ids], []))
        if plausibility and not problems:
            _, problems, findings = run_suites(found)
            warnings += table_warnings(findings, {each.id: each.shown for each in own})
    for each in own:
        reads = [read for read in gathered.files if read.submission_id == each.id]
        warnings += [*private_warnings(each), *reading_warnings(each, reads)]
    return Checked(len(wanted), problems, sorted(warnings))


def _built_manifests(table: Path) -> frozenset[str]:
    """Return the SHA-256 of every manifest that the last build has published; none without a build."""
    try:
        return frozenset(map(str, read_parquet(table, ["manifest_sha256"]).column(0).to_pylist()))
    except (OSError, ValueError):
        return frozenset()


class Verdict(NamedTuple):
    """What the suites found: a record per expectation, problems that block, and rows of the table of findings."""

    records: list[dict[str, Any]]
    problems: list[Problem]
    findings: list[Row]


def run_suites(tables: dict[str, pa.Table]) -> Verdict:
    """Run every suite on these tables."""
    import duckdb  # noqa: PLC0415  (only needed here)

    verdict, results = Verdict([], [], []), dict[str, Row]()
    with duckdb.connect() as connection:
        connection.execute("set threads = 1")
        for name, table in tables.items():
            connection.register(name, table)
        connection.execute("set enable_external_access = false")
        source = _pandas_source()
        for path in sorted((SCHEMAS / "expectations").glob("*.json")):
            suite = json.loads(path.read_text(encoding="utf-8"))
            meta = suite["meta"]
            frame = connection.execute(meta["query"]).df() if "query" in meta else tables[meta["table"]].to_pandas()
            for found in _validate(source, suite, frame):
                record, info = _record(suite, found), found.exception_info or {}
                verdict.records.append(record)
                if found.success:
                    continue
                rows = (frame.loc[index] for index in found.result.get("unexpected_index_list") or ())
                if info.get("raised_exception"):
                    what = f"{record['expectation']} could not run: {info.get('exception_message')}"
                    remedy = f"Mend schemas/expectations/{suite['name']}.json."
                    verdict.problems.append(Problem(f"the table {record['table']}", "", what, remedy, "R-EXPECT-2"))
                elif record["severity"] == "warn":
                    stated = () if results else tables["results"].select(["result_id", *OWNERS, *SERIES]).to_pylist()
                    results |= {row["result_id"]: row for row in stated}
                    verdict.findings.extend(_list_warnings(record, rows, results))
                else:
                    verdict.problems.extend(_failures(record, meta["key"], rows))
    return verdict._replace(findings=_number_findings(verdict.findings, tables["findings"]))


def _pandas_source() -> Any:  # noqa: ANN401  (Great Expectations' own data source)
    import great_expectations as gx  # noqa: PLC0415  (takes seconds; only the build pays for it)
    from great_expectations.data_context.types.base import ProgressBarsConfig  # noqa: PLC0415

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    return context.data_sources.add_pandas("tables")


def _validate(source: Any, suite: dict[str, Any], frame: pd.DataFrame) -> Iterator[Any]:  # noqa: ANN401
    from great_expectations import ExpectationSuite  # noqa: PLC0415

    asset = source.add_dataframe_asset(suite["name"])
    batch = asset.add_batch_definition_whole_dataframe("whole").get_batch({"dataframe": frame})
    expectations = ExpectationSuite(name=suite["name"], expectations=suite["expectations"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = batch.validate(expectations, result_format=FORMAT)
    yield from result.results


def _record(suite: dict[str, Any], found: Any) -> dict[str, Any]:  # noqa: ANN401  (Great Expectations' own result)
    config = found.expectation_config
    kwargs = {key: value for key, value in config.kwargs.items() if key != "batch_id"}
    meta = config.meta or {}
    return {
        "suite": suite["name"],
        "table": suite["meta"].get("table", suite["name"]),
        "description": suite["meta"]["description"],
        "expectation": config.type,
        "columns": [kwargs[key] for key in ("column", "column_A", "column_B") if key in kwargs],
        "kwargs": dict(sorted(kwargs.items())),
        "reason": meta.get("reason"),
        "severity": meta.get("severity", "fail"),
        "rule": meta.get("rule", "R-EXPECT-1"),
        "row_count": found.result.get("element_count", 0),
        "unexpected_count": found.result.get("unexpected_count", 0),
        "missing_count": found.result.get("missing_count", 0),
        "success": bool(found.success),
    }


def _failures(record: dict[str, Any], key: list[str], rows: Iterable[pd.Series[Any]]) -> Iterator[Problem]:
    """Give a problem per row that fails: at its file and place where it tells them, else at its table and key."""
    for row in islice(rows, SHOWN_ROWS):
        place = f"the table {record['table']}", " ".join(str(row[name]) for name in key)
        if "source_path" in row and "submission_id" in row:
            place = f"data/{row['submission_id']}/{row['source_path']}", str(row["source_pointer"])
        yield Problem(*place, _values(record, row), record["reason"], record["rule"])


def _values(record: dict[str, Any], row: pd.Series[Any]) -> str:
    """Return the values of a row in words, with the bounds that they should keep; six digits tell how far off it is."""
    bounds = ", ".join(
        f"{BOUNDS.get(key, key)} {value}" for key, value in record["kwargs"].items() if not key.startswith("column")
    )
    shown = (row[column] for column in record["columns"])
    texts = [f"{value:.6g}" if isinstance(value, float) else str(value) for value in shown]
    return ", ".join(map(" = ".join, zip(record["columns"], texts, strict=True))) + f" ({bounds})"


def _list_warnings(record: dict[str, Any], rows: Iterable[pd.Series[Any]], results: dict[str, Row]) -> Iterator[Row]:
    """Give one finding per series of which an expectation only warns: its suite names file, place and result."""
    groups: dict[tuple[Any, ...], list[pd.Series[Any]]] = defaultdict(list)
    for row in rows:
        groups[tuple(results[row["result_id"]][name] for name in SERIES)].append(row)
    for group in groups.values():
        group.sort(key=lambda row: (str(row["source_path"]), str(row["source_pointer"])))
        worst = max(group, key=lambda row: _excess(record, row))
        others = f", the worst of {len(group)} such results of its series" if len(group) > 1 else ""
        named = {
            name: worst[name].item() if hasattr(worst[name], "item") else worst[name] for name in record["columns"]
        }
        yield {
            **{name: str(worst[name]) for name in PLACES},
            **{name: results[worst["result_id"]][name] for name in OWNERS},
            "rule_id": record["rule"],
            "message": f"{record['reason']} Here: {_values(record, worst)}{others}.",
            "values": values_text({**named, "result_count": len(group)}),
        }


def _excess(record: dict[str, Any], row: pd.Series[Any]) -> float:
    """Return by how much a value lies outside its bounds, in its own unit."""
    value, bounds = float(row[record["columns"][0]]), record["kwargs"]
    return float(max(bounds.get("min_value", value) - value, value - bounds.get("max_value", value)))


def _number_findings(rows: list[Row], raised: pa.Table) -> list[Row]:
    """Give findings numbers within their file, after those that its reader raised."""
    last: dict[str, int] = defaultdict(int)
    for row in raised.select(["file_id", "finding_index"]).to_pylist():
        last[row["file_id"]] = max(last[row["file_id"]], row["finding_index"])
    rows.sort(key=lambda row: (row["source_path"], row["source_pointer"], row["rule_id"]))
    for row in rows:
        last[row["file_id"]] += 1
        row["finding_index"] = last[row["file_id"]]
    return rows
