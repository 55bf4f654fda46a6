# ruff: noqa: INP001  (a script of the site, not a module)
"""
What the parameterised pages show: one JSON file per device and submission, and on standard output the list of them.

The navigation stands there, too, as the pages' front matter makes it.
A file per configuration and one per pair hold what the page needs that puts two of them side by side.
Runs once per build, so that a page needs no database of its own, and then runs every loader in the same process: what
they write goes to the folder above. Usage: ``catalogue.py DIRECTORY``.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import duckdb
import loaders
import parts
from page import named
from parts import write

from ioledger.build.expect import FINDINGS
from ioledger.build.pages import load_pages, navigation
from ioledger.judgement.verdicts import shortened

HERE = Path(__file__).parent
BUILD = Path(os.environ.get("IOLEDGER_BUILD", "build"))
SHOWN_AS_TEXT = {".json", ".csv", ".txt", ".log", ".fio", ".yaml", ".yml", ".icf"}
SHOWN_RESULTS = 5000
PAGE_TABLES = ("configurations", "drives", "contradictions", "files")
STATED_TABLES = ("settings", "provenance")
LATER_TABLES = ("figures", "claims")
OF_EVERY_STATE = ("settings", "provenance")
"""What the table of facts has of the submissions that stand, of the others too: each has a page."""
RESULT_COLUMNS = """
    submission_id, result_id, configuration_id, section, load_profile, operation, queue_depth, queue_depth_low,
    queue_depth_high, repetition_index, test_name, block_size_bytes, operations_per_second, throughput_bytes_per_second,
    coalesce(latency_mean_seconds, latency_min_seconds, latency_max_seconds) as latency_mean_seconds, value_kind,
    statistic, unit_basis, printed_text, qualifier, is_canonical, badges, source_path, source_pointer,
    origin_path, origin_sha256, origin_line
"""
RESULTS = f"""
    select {RESULT_COLUMNS}
    from results
    qualify row_number() over (partition by submission_id order by source_path, source_pointer) <= {SHOWN_RESULTS}
    order by submission_id, configuration_id, load_profile, queue_depth, repetition_index, source_path, result_id
"""  # noqa: S608  (constants only)
OPERANDS = f"""
    select {RESULT_COLUMNS}
    from results
    where result_id in (select result_id from number_operands)
    order by submission_id, result_id
"""  # noqa: S608  (constants only)
RUNS = """
    select operands.submission_id, number_id, point_value,
        list(result_id order by results.operation, result_id) as result_ids
    from number_operands as operands
    inner join results using (result_id)
    group by operands.submission_id, number_id, operands.repetition_id, point_value
    order by operands.submission_id, number_id, min(results.repetition_index), operands.repetition_id
"""
NUMBERS = {"numbers": "from numbers order by submission_id, number_id", "runs": RUNS, "results": OPERANDS}
"""What a symbol of a chart leads to: the numbers, the runs that each is made of, and the results of those."""
SWEEPS = """
    with places as (
        select distinct
            submission_id, configuration_id, section, workload_id, load_basis, queue_depth, place_id
        from numbers
        where number_kind = 'geometric_mean'
    )
    select
        points.workload_id, submission_id, configuration_id, section, load_profile, device_id, device, media_class,
        storage_topology, queue_depth, repetition_count, value_kind, operations_per_second, operations_min_per_second,
        operations_max_per_second, throughput_bytes_per_second, throughput_min_bytes_per_second,
        throughput_max_bytes_per_second, latency_mean_seconds, latency_mean_min_seconds, latency_mean_max_seconds,
        '../submissions/' || submission_id || '#n-' || place_id as href
    from points
    inner join places using (submission_id, configuration_id, section, workload_id, load_basis, queue_depth)
    where coalesce(operations_per_second, throughput_bytes_per_second) is not null
    order by submission_id, configuration_id, load_profile, section, queue_depth
"""
"""Load steps that state a rate, each with the address of its numbers as seen from a page of a device or submission."""
REPLIES = """
    select replies.* exclude (submission_id), replies.submission_id as reply_submission_id
    from raw.replies as replies
    inner join submissions using (submission_id)
    where replies.claim_id is null and submissions.status in ('active', 'disputed')
    order by replied_on desc, reply_submission_id, reply_id
"""
"""What is said to a submission as a whole; a reply to a claim stands beside its verdict."""
USUAL_METRIC = (
    "case access_pattern when 'sequential' then 'throughput_bytes_per_second' else 'operations_per_second' end"
)
PEAKS = f"""
    select
        submission_id, configuration_id, section, peaks.load_profile, metric, peak_value, peak_origin, queue_depth,
        queue_depth_low, queue_depth_high, is_peak_at_edge, value_kind, device_id, storage_topology, drive_count
    from peaks
    inner join workloads using (workload_id)
    where metric = {USUAL_METRIC}
    order by peaks.load_profile, peak_value desc, submission_id, configuration_id, section
"""  # noqa: S608  (the one value is a constant)
QUOTIENTS = f"""
    select
        a_device_id as device_id, quotients.load_profile, basis, metric, a_submission_id, a_configuration_id,
        b_device, b_device_id, a_value, b_value, quotient_ratio, comparability_grade,
        comparability_reasons, verdict
    from quotients
    inner join workloads using (workload_id)
    where a_device_id <> b_device_id and a_section = b_section and basis = 'peak'
        and (a_submission_id = b_submission_id or a_section = 'tool output')
        and metric = {USUAL_METRIC} and quotient_ratio is not null
    qualify row_number() over (
        partition by a_device_id, b_device_id, quotients.load_profile
        order by comparability_grade, evidence, a_submission_id, a_configuration_id, b_submission_id, b_configuration_id
    ) = 1
    order by b_device, quotients.load_profile, a_submission_id, a_configuration_id
"""  # noqa: S608  (the one value is a constant)


def rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    """Return the rows of a query as dictionaries, without the nulls."""
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description or ()]
    return [
        {name: value for name, value in zip(names, row, strict=True) if value is not None} for row in cursor.fetchall()
    ]


def stated(connection: duckdb.DuckDBPyConnection, name: str) -> list[dict[str, Any]]:
    """Return the rows of a query that stands in a file of its own."""
    with named(HERE / f"{name}.sql") as query:
        return rows(connection, query)


def served_as(submission: str, path: str) -> str:
    """Return where the site serves a raw file: what a browser might run as a page gets ``.txt`` behind its name."""
    suffix = "" if Path(path).suffix.lower() in SHOWN_AS_TEXT else ".txt"
    return f"raw/{submission}/{path}{suffix}"


def grouped(found: list[dict[str, Any]], key: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rows by the value of one column, in their order, without that column."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in found:
        groups.setdefault(row.pop(key, ""), []).append(row)
    return groups


def submissions(connection: duckdb.DuckDBPyConnection, groups: parts.Groups, directory: Path) -> list[dict[str, Any]]:
    """Write the pages of all submissions and return their rows."""
    tables = {
        name: grouped(rows(connection, f"from {'raw.' * (name in OF_EVERY_STATE)}{name} order by all"), "submission_id")
        for name in (*PAGE_TABLES, *STATED_TABLES, *LATER_TABLES)
    }
    results = grouped(rows(connection, RESULTS), "submission_id")
    sweeps = parts.swept(parts.asked(connection, SWEEPS), groups, "submission_id", directory / "parts" / "submissions")
    findings = grouped(rows(connection, FINDINGS), "submission_id")
    replies = grouped(rows(connection, REPLIES), "claim_submission_id")
    numbers = {name: grouped(rows(connection, query), "submission_id") for name, query in NUMBERS.items()}
    found = rows(connection, "from submissions order by submission_id")
    for submission in found:
        name = submission["submission_id"]
        tables["files"][name] = [file for file in tables["files"].get(name, []) if "document_index" not in file]
        for file in tables["files"][name]:
            file["served_as"] = served_as(name, file["path"])
        page = {"submission": submission, "loads": sweeps.get(name, []), "finding_count": len(findings.get(name, []))}
        page |= {"replies": replies.get(name, [])}
        page |= {table: tables[table].get(name, []) for table in PAGE_TABLES}
        write(directory / "submissions" / f"{name}.json", page)
        later = {table: tables[table].get(name, []) for table in (*STATED_TABLES, *LATER_TABLES)}
        later |= {"results": results.get(name, []), "findings": findings.get(name, [])}
        write(directory / "results" / f"{name}.json", later)
        behind = {part: grouped_rows.get(name, []) for part, grouped_rows in numbers.items()}
        write(directory / "numbers" / f"{name}.json", behind)
    return found


def devices(connection: duckdb.DuckDBPyConnection, groups: parts.Groups, directory: Path) -> list[dict[str, Any]]:
    """Write the pages of all devices and return their rows."""
    quotients = grouped(rows(connection, QUOTIENTS), "device_id")
    names, steps = parts.asked(connection, SWEEPS)
    place = names.index("storage_topology")
    single = (names, [row for row in steps if row[place] == "single"])
    sweeps = parts.swept(single, groups, "device_id", directory / "parts" / "devices")
    configurations = grouped(
        rows(connection, "from configurations order by submission_id, configuration_id"), "device_id"
    )
    peaks = grouped(rows(connection, PEAKS), "device_id")
    found = rows(connection, "from devices order by device_id")
    for device in found:
        name = device["device_id"]
        page = {
            "device": device,
            "configurations": configurations.get(name, []),
            "peaks": peaks.get(name, []),
            "loads": sweeps.get(name, []),
            "quotients": quotients.get(name, []),
        }
        write(directory / "devices" / f"{name}.json", page)
    return found


def configurations(connection: duckdb.DuckDBPyConnection, directory: Path) -> None:
    """Write what is stated about each configuration, and the quotients of each pair."""
    facts: dict[tuple[str, str], dict[str, str]] = {}
    for row in stated(connection, "compare-facts"):
        facts.setdefault((row["submission_id"], row["configuration_id"]), {})[row["field"]] = row["fact"]
    with named(HERE / "compare-quotients.sql") as query:
        partners = parts.pairs(connection, query, shortened, directory / "pairs")
    for key in sorted(facts.keys() | partners.keys()):
        page = {"facts": facts.get(key, {}), "partners": partners.get(key, [])}
        write(directory.joinpath("configurations", key[0], f"{key[1]}.json"), page)


def main() -> None:
    """Write all pages of the built database; print the names of the pages and the files to publish."""
    database = BUILD / "ioledger.duckdb"
    if not database.exists():
        sys.exit(f"{database} does not exist. Run `npm run build`, which makes it from the files in data/.")
    pages, _, problems = load_pages(HERE.parent)
    if problems:
        sys.exit("\n".join(map(str, problems)))
    directory = Path(sys.argv[1])
    with duckdb.connect(database, read_only=True, config={"enable_external_access": "false"}) as connection:
        connection.execute("set threads = 1")
        groups, parted = parts.Groups(connection), [page for page in pages if page.parted]
        found = submissions(connection, groups, directory)
        configurations(connection, directory)
        parts.pages(connection, parted, groups, directory / "parts")
        names = [device["device_id"] for device in devices(connection, groups, directory)]
        handed_in = rows(connection, "select submission_id, path from files where document_index is null order by all")
        marts = sorted({path.stem for path in HERE.glob("*.sql")} - {query for page in parted for query in page.parted})
        every = {
            "mart": marts,
            "page": [page.path.strip("/") for page in parted],
            "device": names,
            "submission": [each["submission_id"] for each in found],
        }
        loaders.fill(directory.parent, every)
    manifests = [{"submission_id": each["submission_id"], "path": "manifest.yaml"} for each in found]
    files = [
        {
            "from": f"{each['submission_id']}/{each['path']}",
            "to": served_as(each["submission_id"], each["path"]),
        }
        for each in handed_in + manifests
    ]
    printed = {"navigation": navigation(pages), "devices": names, "submissions": every["submission"], "files": files}
    json.dump(printed, sys.stdout)


main()
